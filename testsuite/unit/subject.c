/* Functions that are differentiated, as subject.h says.  */

#include "subject.h"

#include <string.h>

subject
subject_of (tns_ctx *ctx, const char *text)
{
  subject s = { .ctx = ctx };
  s.region = verdict_region (
    ctx,
    tns_arena_format (
      ctx->arena,
      "region f { value i64 n; value i64 m; "
      "function f64 odd(2); function f64 g_back(7) places vpcpcwc; "
      "function f64 g(5) places vpcwc; array f64 x[n]; array f64 y[n]; array "
      "f64 Z[][m]; array f64 "
      "w[]; array i64 k[n]; cell f64 c; assume n > 0; assume m > 0; { %s } }",
      text));
  s.view = tns_view_of (ctx->arena, s.region);
  s.scop = tns_scop_build (ctx, s.region);
  s.flow = (tns_flow){ s.view, s.scop };
  s.seed[0] = (tns_seed){ .sym = tns_region_find (s.region, "y"),
                          .name = "dy",
                          .of = true };
  s.seed[1] = (tns_seed){ .sym = tns_region_find (s.region, "x"),
                          .name = "dx",
                          .wrt = true };
  s.wish.n_seeds = 2;
  return s;
}

void
subject_add_adjoints (subject *s)
{
  tns_arena *arena = s->ctx->arena;
  int n = s->region->n_syms;
  s->region = tns_region_copy (arena, s->region);
  s->wish.seed = s->seed;
  s->adjoint = TNS_NEW_ARRAY (arena, tns_sym *, n + 1);
  for (int k = 0; k < n; k++)
    {
      tns_sym *sym = s->region->syms[k];
      if (sym->kind != TNS_SYM_ARRAY || !tns_elem_is_float (sym->type.elem))
        continue;
      s->adjoint[k] = tns_region_add_array (
        arena, s->region, tns_arena_format (arena, "d%s", sym->name),
        sym->type.elem, sym->rank, 0);
      s->adjoint[k]->extent = sym->extent;
      tns_region_add_param (arena, s->region, s->adjoint[k]);
    }
  s->dx = tns_region_find (s->region, "dx");
  s->dy = tns_region_find (s->region, "dy");
}

const char *
subject_end (subject *s, const char *words)
{
  if (s->scop)
    tns_scop_free (s->scop);
  return words;
}

const char *
subject_body (subject *s, tns_node *block)
{
  if (!block)
    return subject_end (s, answer_said (s->ctx));
  tns_region *made = tns_region_copy (s->ctx->arena, s->region);
  made->body = block;
  const char *text
    = verdict_one_blank (s->ctx, verdict_region_text (s->ctx, made));
  const char *body = strstr (text, "assume m > 0;");
  return subject_end (
    s, verdict_one_blank (s->ctx, body + strlen ("assume m > 0;")));
}

int
subject_site (const subject *s, const char *name)
{
  return tns_view_site (s->view, answer_node (s->region, name));
}

tns_expr *
subject_read (const subject *s, const char *name)
{
  tns_expr *value = answer_node (s->region, name)->value;
  while (!tns_expr_reads (value))
    value = value->arg[0];
  return value;
}
