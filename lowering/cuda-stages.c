/* Stages as text: lowering/cuda-stages.h.  */

#include "lowering/cuda-stages.h"

#include <string.h>

#include "lowering/cuda-edge.h"

bool
tns_stages_send (const tns_tiling *t, int o)
{
  return t->stages->n > 0 && t->stages->sent >> o & 1;
}

bool
tns_stages_leave (const tns_tiling *t)
{
  bool some = false;
  for (int o = 0; o < t->tile->n_operands; o++)
    some |= !tns_stages_send (t, o);
  return some;
}

int
tns_stages_parts (const tns_tiling *t, int o)
{
  return tns_stages_send (t, o) ? t->stages->n : 2;
}

const char *
tns_stages_read (const tns_tiling *t, int o)
{
  return tns_stages_send (t, o) ? "tns_stage" : "tns_half";
}

const char *
tns_stages_filled (const tns_tiling *t, int o)
{
  return tns_stages_send (t, o) ? "tns_into" : "tns_half";
}

int
tns_stages_ahead (const tns_tiling *t)
{
  return t->stages->n > 0 ? t->stages->n - 1 : 1;
}

void
tns_stages_function (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  if (!t->stages->n)
    return;
  tns_text_line (text, "const auto tns_send_next = [&] (unsigned int tns_into, "
                       "long tns_from, bool tns_whole) TNS_INLINE");
  tns_tiling_open (t);
  tns_text_line (text, "(void) tns_whole;");
  for (int o = 0; o < t->tile->n_operands; o++)
    if (tns_stages_send (t, o))
      t->send (t, o);
  text->indent -= 2;
  tns_text_line (text, "};");
}

/* Begin to copy the step at FROM to stage INTO, WHOLE or as far as there is
   one.  */
static void
add_send (const tns_tiling *t, const char *into, const char *from,
          const char *whole)
{
  tns_text *text = t->c->text;
  bool asks = strcmp (whole, "true") != 0;
  if (asks)
    tns_text_line (text, "if (%s < %s)", from, tns_cuda_edge_end (t->tile));
  tns_text_line (text, "%stns_send_next (%s, %s, %s);", asks ? "  " : "", into,
                 from, whole);
  tns_text_line (text, "tns_commit ();");
}

/* Addresses of several steps at once need registers, which are left where
   something else goes through them anyway.  */
void
tns_stages_first (const tns_tiling *t, const char *whole)
{
  tns_text *text = t->c->text;
  if (!t->stages->n)
    return;
  tns_text_line (text, "%s for (int tns_s = 0; tns_s < %d; tns_s++)",
                 tns_stages_leave (t) ? "TNS_UNROLL" : "TNS_ROLL",
                 t->stages->n - 1);
  text->indent += 2;
  tns_tiling_open (t);
  add_send (
    t, "tns_s",
    tns_arena_format (text->arena, "tns_from + tns_s * %d", t->shape->depth),
    whole);
  tns_tiling_close (t);
  text->indent -= 2;
}

void
tns_stages_next (const tns_tiling *t, const char *whole)
{
  tns_arena *arena = t->c->text->arena;
  int n = t->stages->n;
  if (n)
    add_send (
      t, tns_arena_format (arena, "(tns_stage + %d) %% %d", n - 1, n),
      tns_arena_format (arena, "tns_from + %d", (n - 1) * t->shape->depth),
      whole);
}

void
tns_stages_turn (const tns_tiling *t)
{
  if (t->stages->n)
    tns_text_line (t->c->text, "tns_stage = (tns_stage + 1) %% %d;",
                   t->stages->n);
}

void
tns_stages_wait (const tns_tiling *t)
{
  if (t->stages->n)
    tns_text_line (t->c->text, "tns_wait<%d> ();", t->stages->n - 2);
}
