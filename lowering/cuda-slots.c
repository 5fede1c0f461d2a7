/* Rows in registers as text: lowering/cuda-slots.h.  */

#include "lowering/cuda-slots.h"

#include "ir/walk.h"
#include "lowering/cuda-number.h"

/* A loop over a row being printed.  */
typedef struct printing
{
  tns_c99 *c;
  const tns_slots *slots;
  const tns_node *loop;
} printing;

void
tns_cuda_slots_declare (tns_c99 *c, const tns_sym *sym)
{
  tns_text_line (c->text, "%s %s[%d];", tns_elem_c_name (sym->type.elem),
                 tns_c99_name (c, sym), TNS_SLOTS);
}

/* Each of the thread's elements, between braces; the iterator of LOOP is known
   where that is USED.  */
static void
open_slots (tns_c99 *c, const tns_slots *slots, const tns_node *loop, bool used)
{
  tns_text *text = c->text;
  tns_text_line (text, "TNS_UNROLL");
  tns_text_line (text, "for (int tns_slot = 0; tns_slot < %d; tns_slot++)",
                 TNS_SLOTS);
  text->indent += 2;
  tns_text_begin (text);
  tns_text_format (text, "if (tns_slot * %d + (int) threadIdx.x < (int) ",
                   slots->threads);
  tns_c99_expr (c, loop->hi, 13);
  tns_text_add (text, ")\n");
  text->indent -= 2;
  tns_text_line (text, "  {");
  text->indent += 4;
  if (used)
    tns_text_line (text, "const long %s = tns_slot * %d + (int) threadIdx.x;",
                   tns_c99_name (c, loop->iter), slots->threads);
}

/* They end.  */
static void
close_slots (tns_c99 *c)
{
  c->text->indent -= 4;
  tns_text_line (c->text, "  }");
}

void
tns_cuda_slots_fetch (tns_c99 *c, const tns_slots *slots, bool once)
{
  int n = 0;
  for (int k = 0; k < slots->n_loads; k++)
    if (slots->once[k] == once)
      {
        tns_text_line (c->text, "%s tns_own%d[%d] = {};",
                       tns_elem_c_name (slots->load[k]->type.elem), k,
                       TNS_SLOTS);
        n++;
      }
  if (n == 0)
    return;
  open_slots (c, slots, slots->lanes, true);
  for (int k = 0; k < slots->n_loads; k++)
    if (slots->once[k] == once)
      {
        tns_text_begin (c->text);
        tns_text_format (c->text, "tns_own%d[tns_slot] = ", k);
        tns_c99_expr (c, slots->load[k], 0);
        tns_text_add (c->text, ";\n");
      }
  close_slots (c);
}

/* The changer: what is in registers.  */
static tns_expr *
use_slot (tns_expr *expr, void *self)
{
  const printing *p = self;
  tns_arena *arena = p->c->text->arena;
  int k = tns_slots_load (arena, p->slots, p->loop, expr);
  if (k >= 0)
    return tns_cuda_named (p->c,
                           tns_arena_format (arena, "tns_own%d[tns_slot]", k),
                           expr->type.elem);
  if (!expr->sym || expr->op != TNS_LOAD
      || !tns_slots_hold (p->slots, expr->sym))
    return expr;
  tns_expr *slot = tns_cuda_named (p->c, "tns_slot", TNS_I64);
  return tns_load (arena, expr->sym, &slot);
}

/* The same in a whole expression.  */
static tns_expr *
use_slots (tns_expr *expr, void *self)
{
  const printing *p = self;
  return tns_expr_rebuild (p->c->text->arena, expr, use_slot, self);
}

void
tns_cuda_slots_loop (tns_c99 *c, const tns_slots *slots, const tns_node *loop)
{
  printing p = { c, slots, loop };
  tns_node *body
    = tns_node_rebuild (c->text->arena, loop->body, NULL, use_slots, &p);
  open_slots (c, slots, loop, tns_node_mentions (body, loop->iter));
  tns_c99_node (c, body);
  close_slots (c);
}
