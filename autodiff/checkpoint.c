/* States of a time loop, as autodiff/checkpoint.h says.

   The text below is the control.  Its VALUEs stand for what is known of the
   function: the number of steps, how many states shall be kept (0: as many as
   there is room for), bytes of all that is kept, of one state, of one step's
   tapes, and what is lost between them.  A store to a cell in capitals stands
   for statements.

     C (c + r, r) = C (c + r - 1, r - 1) + C (c + r - 1, r)

   of the parts that c states and r sweeps can do, those of the first term come
   before the next state that is kept: they will be done again with one sweep
   less; those of the second behind it: with one state less.  */

#include "autodiff/checkpoint.h"

#include <limits.h>

#include "autodiff/rows.h"
#include "autodiff/sweep.h"
#include "autodiff/tapes.h"
#include "ir/fresh.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/simplify.h"
#include "ir/walk.h"

static const char text[]
  = "region control {\n"
    "  value i64 steps; value i64 kept; value i64 bytes;\n"
    "  value i64 state; value i64 tape; value i64 rest;\n"
    "  cell i64 STATES; cell i64 TAPES; cell i64 SAVE; cell i64 RESTORE;\n"
    "  cell i64 HEAD; cell i64 ADVANCE; cell i64 RECORD; cell i64 MIDDLE;\n"
    "  cell i64 BACKWARD; cell i64 TAIL; cell i64 LEAST;\n"
    "  before {\n"
    "    local i64 span; local i64 parts; local i64 states; local i64 sweeps;\n"
    "    local i64 tried; local i64 room; local i64 does;\n"
    "    span = 0; parts = 0; states = 0; sweeps = -1;\n"
    "    if (tape + (steps > 1 ? state : 0) + rest <= bytes) {\n"
    "      for r = 0 to max(steps, 1) {\n"
    "        tried = (kept > 0 ? 1 : max(steps, 1));\n"
    "        for h = 0 to (kept > 0 ? 1 : 48) {\n"
    "          if (sweeps < 0) {\n"
    "            span = tried;\n"
    "            parts = floordiv(max(steps, 1) + span - 1, span);\n"
    "            room = bytes - rest - span * tape;\n"
    "            states = min(parts - 1, floordiv(room, max(state, 1)));\n"
    "            states = (kept > 0 ? min(states, kept) : states);\n"
    "            if (room >= 0 && (states > 0 || parts == 1)) {\n"
    "              does = 1;\n"
    "              for k = 1 to min(states, r) + 1 {\n"
    "                does = min(parts, does * (max(states, r) + k) / k);\n"
    "              }\n"
    "              if (does >= parts) { sweeps = r; }\n"
    "            }\n"
    "            tried = floordiv(tried + 1, 2);\n"
    "          }\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "  };\n"
    "  {\n"
    "    if (sweeps >= 0) {\n"
    "      local i64 at; local i64 top; local i64 held; local i64 slot;\n"
    "      local i64 from; local i64 to; local i64 place[states];\n"
    "      local i64 free; local i64 less; local i64 behind;\n"
    "      STATES = 0;\n"
    "      HEAD = 0;\n"
    "      at = 0; top = 0; held = -1;\n"
    "      for part = parts - 1 to -1 step -1 {\n"
    "        if (part < parts - 1) {\n"
    "          slot = top - 1; at = place[slot]; held = at;\n"
    "          RESTORE = 0;\n"
    "          if (at == part) { top = slot; }\n"
    "        }\n"
    "        for k = 0 to states - top + 1 {\n"
    "          if (at < part) {\n"
    "            if (held != at) {\n"
    "              place[top] = at; slot = top; held = at; top = top + 1;\n"
    "              SAVE = 0;\n"
    "            }\n"
    "            free = states - top + 1; does = 1; less = 1; behind = 1;\n"
    "            for r = 1 to sweeps + 1 {\n"
    "              if (does < part - at + 1) {\n"
    "                less = does;\n"
    "                behind = does * free / (free + r - 1);\n"
    "                does = does * (free + r) / r;\n"
    "              }\n"
    "            }\n"
    "            from = at * span;\n"
    "            at = at + min(less, part - at + 1 - behind);\n"
    "            to = at * span;\n"
    "            ADVANCE = 0;\n"
    "          }\n"
    "        }\n"
    "        from = part * span; to = min(steps, from + span);\n"
    "        TAPES = 0;\n"
    "        RECORD = 0;\n"
    "        if (part == parts - 1) { MIDDLE = 0; }\n"
    "        BACKWARD = 0;\n"
    "      }\n"
    "      TAIL = 0;\n"
    "    } else {\n"
    "      LEAST = 0;\n"
    "    }\n"
    "  }\n"
    "}\n";

/* All that there may be.  */
#define NO_BOUND (1LL << 61)

/* What the text's symbols stand for.

   value  by symbol id of the text: of a VALUE
   node   by symbol id of the text: of a cell in capitals  */
typedef struct filling
{
  tns_arena *arena;
  tns_loc loc;
  tns_expr **value;
  tns_node **node;
} filling;

/* The cell of the region that the text calls NAME.  */
static tns_expr *
cell_of (const tns_control *c, const char *name)
{
  return tns_cell (c->ctx->arena, c->to[tns_region_find (c->text, name)->id]);
}

/* The symbol of the region for SYM, the text's; NULL for a hole.  */
static tns_sym *
import (const tns_control *c, const tns_sym *sym)
{
  tns_arena *arena = c->ctx->arena;
  if (sym->kind == TNS_SYM_ITER)
    return tns_region_add_iter (arena, c->region, sym->name);
  if (sym->kind == TNS_SYM_ARRAY && tns_sym_is_local (sym))
    {
      tns_sym *made = tns_local_like (arena, c->region, sym);
      made->flags |= TNS_SYM_STEERS;
      return made;
    }
  return NULL;
}

/* The iterator of the loop at step STEP.  */
static tns_expr *
iterator_at (const tns_control *c, tns_expr *step)
{
  tns_arena *arena = c->ctx->arena;
  tns_expr *by = tns_int (arena, c->loop->node->step);
  return tns_binary (arena, TNS_ADD, c->loop->node->lo,
                     tns_binary (arena, TNS_MUL, step, by));
}

void
tns_control_begin (tns_control *c)
{
  const char *chars = text;
  tns_parse_error error = { 0 };
  c->text = tns_region_parse (c->ctx->arena, &chars, &error);
  c->to = TNS_NEW_ARRAY (c->ctx->arena, tns_sym *, c->text->n_syms);
  for (int k = 0; k < c->text->n_syms; k++)
    c->to[k] = import (c, c->text->syms[k]);
  c->span = cell_of (c, "span");
  c->first = iterator_at (c, cell_of (c, "from"));
  c->end = iterator_at (c, cell_of (c, "to"));
  c->to[tns_region_find (c->text, "place")->id]->extent[0]
    = cell_of (c, "states");
}

/* How many steps the loop has.  */
static tns_expr *
count_steps (const tns_control *c)
{
  tns_arena *arena = c->ctx->arena;
  const tns_node *loop = c->loop->node;
  bool up = loop->step > 0;
  long long by = up ? loop->step : -loop->step;
  tns_expr *far = tns_binary (arena, TNS_SUB, up ? loop->hi : loop->lo,
                              up ? loop->lo : loop->hi);
  tns_expr *more = tns_binary (arena, TNS_ADD, far, tns_int (arena, by - 1));
  tns_expr *steps
    = by == 1 ? far
              : tns_binary (arena, TNS_FLOORDIV, more, tns_int (arena, by));
  return tns_binary (arena, TNS_MAX, steps, tns_int (arena, 0));
}

/* The bytes of SYM, of which the first FIRST subscripts have one value.  */
static tns_expr *
bytes_of (const tns_control *c, const tns_sym *sym, int first)
{
  tns_arena *arena = c->ctx->arena;
  tns_expr *bytes = tns_int (arena, tns_elem_bytes (sym->type.elem));
  for (int k = first; k < sym->rank; k++)
    bytes = tns_binary (arena, TNS_MUL, bytes, sym->extent[k]);
  return bytes;
}

/* The rows of SYM that are state, into *ROWS, NULL: all that its extents say.
   False with the reason said.  */
static bool
find_rows (const tns_control *c, const tns_sym *sym, tns_rows **rows)
{
  tns_rows found = { 0 };
  *rows = NULL;
  if (sym->rank == 0 || sym->extent[0])
    return true;
  if (!tns_rows_related (c->flow, sym, &found)
      && !tns_rows_of (c->ctx, c->flow, sym, c->absent[sym->id], &found)
      && !tns_look_for (c->looking, sym, &found))
    return tns_refuse (c->ctx, sym->loc, TNS_WHY_TEMPORARY, tns_sym_words (sym))
           != NULL;
  *rows = TNS_NEW (c->ctx->arena, tns_rows);
  **rows = found;
  return true;
}

/* An array for the states of SYM, of ROWS.  */
static tns_sym *
states_of (const tns_control *c, const tns_sym *sym, const tns_rows *rows)
{
  tns_arena *arena = c->ctx->arena;
  tns_sym *made = tns_region_add_array (
    arena, c->region, tns_arena_format (arena, "%s_states", sym->name),
    sym->type.elem, sym->rank + 1, TNS_SYM_LOCAL);
  made->extent[0] = cell_of (c, "states");
  for (int k = 0; k < sym->rank; k++)
    made->extent[k + 1]
      = rows && k == 0 ? tns_rows_count (c->ctx, rows) : sym->extent[k];
  made->loc = sym->loc;
  return made;
}

/* Append to BLOCK: SYM's ROWS go to STATES[slot], or come back.  */
static void
copy_state (const tns_control *c, tns_node *block, tns_sym *sym,
            const tns_rows *rows, tns_sym *states, bool back)
{
  tns_arena *arena = c->ctx->arena;
  tns_node *body = tns_block (arena, sym->loc);
  tns_expr **sub = TNS_NEW_ARRAY (arena, tns_expr *, sym->rank + 1);
  tns_expr **at = TNS_NEW_ARRAY (arena, tns_expr *, sym->rank + 1);
  tns_block_add (arena, block,
                 tns_sweep_loops (arena, c->region, sym, rows, body, sub));
  at[0] = cell_of (c, "slot");
  for (int k = 0; k < sym->rank; k++)
    at[k + 1]
      = rows && k == 0 ? tns_difference (c->ctx, sub[0], rows->base) : sub[k];
  tns_expr *kept = tns_load (arena, states, at);
  tns_expr *live = tns_load (arena, sym, sub);
  tns_block_add (arena, body,
                 tns_assign (arena, sym->loc, back ? live : kept, TNS_NONE,
                             back ? kept : live));
}

/* The place in TABLE, by symbol id of the text, of what NAME stands for.  */
#define HOLE(c, table, name) (table)[tns_region_find ((c)->text, name)->id]

/* Fill the holes of states: declared, saved, restored.  False with the reason
   said.  */
static bool
fill_states (const tns_control *c, filling *f)
{
  tns_arena *arena = c->ctx->arena;
  tns_node *declared = tns_block (arena, f->loc);
  tns_node *saved = tns_block (arena, f->loc);
  tns_node *restored = tns_block (arena, f->loc);
  tns_expr *bytes = tns_int (arena, 0);
  for (int k = 0; k < c->loop->n_state; k++)
    {
      tns_sym *sym = c->loop->state[k];
      tns_rows *rows;
      if (!find_rows (c, sym, &rows))
        return false;
      tns_sym *states = states_of (c, sym, rows);
      tns_block_add (arena, declared, tns_local (arena, f->loc, states));
      copy_state (c, saved, sym, rows, states, false);
      copy_state (c, restored, sym, rows, states, true);
      bytes = tns_binary (arena, TNS_ADD, bytes, bytes_of (c, states, 1));
    }
  HOLE (c, f->node, "STATES") = declared;
  HOLE (c, f->node, "SAVE") = saved;
  HOLE (c, f->node, "RESTORE") = restored;
  HOLE (c, f->value, "state") = bytes;
  return true;
}

/* Each array begins at a multiple of so many bytes.  */
enum
{
  ALIGNMENT = 64
};

/* Fill the holes of tapes, and what is known of memory.  */
static void
fill_tapes (const tns_control *c, const tns_needs *needs, filling *f)
{
  tns_arena *arena = c->ctx->arena;
  tns_node *declared = tns_block (arena, f->loc);
  tns_expr *bytes = tns_int (arena, 0);
  int n = c->loop->n_state + 1;
  for (int k = 0; k < needs->n_tapes; k++)
    if (tns_tape_is_over (needs, needs->tape[k], c->loop->node))
      {
        tns_sym *tape = needs->tape[k]->sym;
        tns_block_add (arena, declared, tns_local (arena, f->loc, tape));
        bytes = tns_binary (arena, TNS_ADD, bytes, bytes_of (c, tape, 1));
        n++;
      }
  HOLE (c, f->node, "TAPES") = declared;
  HOLE (c, f->value, "tape") = bytes;
  HOLE (c, f->value, "rest") = tns_int (arena, (long long) n * ALIGNMENT);
}

/* Fill the holes of what the function does.  */
static void
fill_pieces (const tns_control *c, const tns_pieces *pieces, filling *f)
{
  HOLE (c, f->node, "HEAD") = pieces->head;
  HOLE (c, f->node, "ADVANCE") = pieces->advance;
  HOLE (c, f->node, "RECORD") = pieces->record;
  HOLE (c, f->node, "MIDDLE") = pieces->middle;
  HOLE (c, f->node, "BACKWARD") = pieces->backward;
  HOLE (c, f->node, "TAIL") = pieces->tail;
}

/* The changer that puts values into the text's expressions.  */
static tns_expr *
fill_value (tns_expr *expr, void *self)
{
  const filling *f = self;
  return expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_VALUE
           ? f->value[expr->sym->id]
           : expr;
}

/* The changer of whole expressions.  */
static tns_expr *
fill_expr (tns_expr *expr, void *self)
{
  const filling *f = self;
  return tns_expr_rebuild (f->arena, expr, fill_value, self);
}

/* What CHARS, an expression of the text, means.  */
static tns_expr *
meaning_of (const tns_control *c, const filling *f, const char *chars)
{
  tns_parse_error error;
  tns_expr *expr = tns_expr_parse (f->arena, c->text, chars, &error);
  return tns_expr_simplify (c->ctx, fill_expr (expr, (void *) f));
}

/* Fill the hole of too little memory; false, with the error said, where it is
   known now.  */
static bool
fill_least (const tns_control *c, filling *f)
{
  tns_expr *least = meaning_of (c, f, "tape + (steps > 1 ? state : 0) + rest");
  tns_node *said = tns_block (f->arena, f->loc);
  long long bytes;
  HOLE (c, f->node, "LEAST") = said;
  if (c->wish->bytes == 0 && !c->wish->limited)
    return true;
  if (c->flow->scop && tns_expr_is_int (least, &bytes)
      && bytes > c->wish->bytes)
    return tns_error (c->ctx, c->wish->loc, TNS_WHY_LITTLE,
                      tns_arena_format (f->arena, "%lld", bytes));
  c->wish->least
    = tns_region_add_array (f->arena, c->region, "least", TNS_I64, 0, 0);
  tns_region_add_param (f->arena, c->region, c->wish->least);
  tns_block_add (f->arena, said,
                 tns_assign (f->arena, f->loc,
                             tns_cell (f->arena, c->wish->least), TNS_NONE,
                             least));
  return true;
}

/* The changer that puts statements into the text.  */
static tns_node *
fill_node (tns_node *node, void *self)
{
  const filling *f = self;
  node->loc = f->loc;
  if (node->kind != TNS_ASSIGN || tns_sym_is_local (node->target->sym))
    return node;
  return f->node[node->target->sym->id];
}

/* NODE of the text, filled.  */
static tns_node *
fill (const tns_control *c, tns_node *node, filling *f)
{
  node = tns_node_renamed (c->ctx->arena, node, c->text->n_syms, c->to);
  node = tns_node_rebuild (c->ctx->arena, node, NULL, fill_expr, f);
  return tns_node_rebuild (c->ctx->arena, node, fill_node, NULL, f);
}

/* EXPR of the text as words.  */
static const char *
words_of (const tns_control *c, const filling *f, const char *expr)
{
  tns_text words = tns_text_new (f->arena);
  tns_expr_print (&words, meaning_of (c, f, expr));
  return tns_text_chars (&words);
}

/* The least number of sweeps with N states over STEPS steps.  */
static int
count_sweeps (long long n, long long steps)
{
  int r = 0;
  for (long long does = 1; does < steps && r < INT_MAX; r++)
    does = does * (n + r + 1) / (r + 1);
  return r;
}

/* Note what is kept.  */
static void
tell (const tns_control *c, const filling *f)
{
  const char *state = words_of (c, f, "state");
  const char *tape = words_of (c, f, "tape");
  long long steps;
  if (c->wish->limited)
    return;
  if (c->wish->kept == 0)
    tns_note (c->ctx, f->loc,
              "time loop in parts: states of %s bytes, tapes of %s a step, "
              "within %lld bytes together",
              state, tape, c->wish->bytes);
  else if (tns_expr_is_int (HOLE (c, f->value, "steps"), &steps))
    tns_note (c->ctx, f->loc,
              "time loop in parts: %lld states of %s bytes, tapes of %s, %d "
              "sweeps of %lld steps",
              c->wish->kept, state, tape, count_sweeps (c->wish->kept, steps),
              steps);
  else
    tns_note (c->ctx, f->loc,
              "time loop in parts: %lld states of %s bytes, tapes of %s, as "
              "many sweeps as these take",
              c->wish->kept, state, tape);
}

/* The bytes that there are.  */
static tns_expr *
bound_of (const tns_control *c)
{
  tns_arena *arena = c->ctx->arena;
  tns_checkpoint_wish *wish = c->wish;
  if (!wish->limited)
    return tns_int (arena, wish->bytes > 0 ? wish->bytes : NO_BOUND);
  wish->limit = tns_region_add_value (arena, c->region, "limit", TNS_I64);
  tns_region_add_param (arena, c->region, wish->limit);
  return tns_value (arena, wish->limit);
}

tns_node *
tns_control_build (tns_control *c, const tns_needs *needs,
                   const tns_pieces *pieces)
{
  tns_arena *arena = c->ctx->arena;
  filling f = { .arena = arena, .loc = c->loop->node->loc };
  f.value = TNS_NEW_ARRAY (arena, tns_expr *, c->text->n_syms);
  f.node = TNS_NEW_ARRAY (arena, tns_node *, c->text->n_syms);
  HOLE (c, f.value, "steps") = tns_expr_simplify (c->ctx, count_steps (c));
  HOLE (c, f.value, "kept") = tns_int (arena, c->wish->kept);
  HOLE (c, f.value, "bytes") = bound_of (c);
  fill_tapes (c, needs, &f);
  fill_pieces (c, pieces, &f);
  if (!fill_states (c, &f) || !fill_least (c, &f))
    return NULL;
  tell (c, &f);
  c->region->before = fill (c, c->text->before, &f);
  return fill (c, c->text->body, &f);
}
