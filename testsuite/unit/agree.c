/* Running a region before and after passes.  */

#include "agree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/eval.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/value.h"
#include "ir/verify.h"
#include "ir/walk.h"
#include "schedule/machine.h"

/* Nothing is said.  */
static bool is_hushed;

void
agree_hush (bool hush)
{
  is_hushed = hush;
}

tns_ctx *
agree_ctx (const char *machine)
{
  tns_ctx *ctx = tns_ctx_new (tns_allocator_malloc ());
  ctx->machine = tns_machine_find (machine);
  ctx->flags.contract = true;
  ctx->dump = stderr;
  return ctx;
}

tns_region *
agree_parse (tns_ctx *ctx, const char *text)
{
  tns_parse_error error = { 0 };
  const char *chars = text;
  tns_region *region = tns_region_parse (ctx->arena, &chars, &error);
  if (region)
    return region;
  fprintf (stderr, "%d:%d: %s\n%s\n", error.line, error.column,
           error.words ? error.words : "nothing", text);
  exit (1);
}

/* The elements of SYM under ARGUMENT.  */
static long long
elements_of (const tns_region *region, const tns_sym *sym,
             const tns_argument *argument)
{
  long long n = 1;
  for (int k = 0; k < sym->rank; k++)
    n *= tns_expr_eval (region, sym->extent[k], argument).s;
  return n;
}

/* Fill ARGUMENT, for SYM of REGION.  */
static void
fill (const tns_region *region, const tns_sym *sym, tns_argument *argument,
      tns_argument *all, unsigned *seed)
{
  tns_elem elem = sym->type.elem;
  if (sym->kind != TNS_SYM_ARRAY)
    return;
  long long n = elements_of (region, sym, all);
  argument->hi = n;
  argument->base = calloc ((size_t) n + 1, (size_t) tns_elem_bytes (elem));
  for (long long k = 0; k < n; k++)
    {
      *seed = *seed * 1664525U + 1013904223U;
      long long number = (long long) (*seed >> 16) % 9;
      bool is_index = sym->name[0] == 'n';
      tns_scalar_value value
        = tns_value_of_int (TNS_I64, is_index ? number : number - 4);
      tns_value_write (elem,
                       (char *) argument->base + k * tns_elem_bytes (elem),
                       tns_value_cast (elem, TNS_I64, value));
    }
}

/* Arguments for REGION.  */
static tns_argument *
arguments (const tns_region *region, long long size, unsigned seed)
{
  tns_argument *all = calloc ((size_t) region->n_params + 1, sizeof *all);
  for (int k = 0; k < region->n_params; k++)
    {
      tns_elem elem = region->params[k]->type.elem;
      if (region->params[k]->kind == TNS_SYM_VALUE)
        all[k].value = tns_value_cast (
          elem, TNS_I64,
          tns_value_of_int (TNS_I64, elem == TNS_I64 ? size : 3));
    }
  for (int k = 0; k < region->n_params; k++)
    fill (region, region->params[k], &all[k], all, &seed);
  return all;
}

/* Give ALL back.  */
static void
give_back (const tns_region *region, tns_argument *all)
{
  for (int k = 0; k < region->n_params; k++)
    free (all[k].base);
  free (all);
}

/* Two elements are the same, zeros of any sign too unless EXACT.  */
static bool
is_same_element (tns_elem elem, const char *p, const char *q, bool exact)
{
  if (!memcmp (p, q, (size_t) tns_elem_bytes (elem)))
    return true;
  return !exact && tns_elem_is_float (elem) && tns_value_read (elem, p).f == 0
         && tns_value_read (elem, q).f == 0;
}

/* The memory behind two runs is the same.  */
static bool
is_same (const tns_region *region, const tns_argument *a, const tns_argument *b,
         bool exact)
{
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      int bytes = tns_elem_bytes (sym->type.elem);
      const char *p = a[k].base, *q = b[k].base;
      for (long long l = 0; l < a[k].hi; l++)
        if (!is_same_element (sym->type.elem, p + l * bytes, q + l * bytes,
                              exact))
          {
            if (!is_hushed)
              fprintf (stderr, "%s differs first at element %lld of %lld\n",
                       sym->name, l, a[k].hi);
            return false;
          }
    }
  return true;
}

/* IN, run, leaves what is returned; NULL where that run does not end well.  */
static tns_argument *
run_reference (tns_region *in, long long size, unsigned seed)
{
  tns_counts counts;
  const tns_node *where;
  tns_argument *a = arguments (in, size, seed);
  tns_eval_status status = tns_region_eval (in, a, NULL, &counts, &where);
  if (status == TNS_EVAL_OK)
    return a;
  if (!is_hushed)
    fprintf (stderr, "status %d before\n", status);
  give_back (in, a);
  return NULL;
}

/* OUT leaves LEFT, as IN did, as agree.h says.  */
static bool
leaves (tns_region *in, const tns_argument *left, tns_region *out,
        long long size, unsigned seed, int order, bool exact)
{
  tns_eval_options options
    = { .order = order, .seed = seed, .check_guards = !exact };
  tns_counts counts;
  const tns_node *where;
  tns_argument *b = arguments (in, size, seed);
  tns_eval_status status = tns_region_eval (out, b, &options, &counts, &where);
  bool is_guarded = !exact && status == TNS_EVAL_GUARD;
  bool ok = is_guarded || status == TNS_EVAL_OK;
  if (!ok && !is_hushed)
    fprintf (stderr, "status %d after\n", status);
  ok = ok && (is_guarded || is_same (in, left, b, exact));
  give_back (in, b);
  return ok;
}

/* Run IN and OUT, as agree.h says.  */
static bool
run_both (tns_region *in, tns_region *out, long long size, unsigned seed,
          int order, bool exact)
{
  tns_argument *left = run_reference (in, size, seed);
  if (!left)
    return false;
  bool ok = leaves (in, left, out, size, seed, order, exact);
  give_back (in, left);
  return ok;
}

bool
agree_each (tns_region *in, int n, tns_region *const *out, long long size,
            unsigned seed)
{
  tns_argument *left = run_reference (in, size, seed);
  bool ok = left != NULL;
  for (int k = 0; ok && k < n; k++)
    ok = leaves (in, left, out[k], size, seed, 0, true);
  if (left)
    give_back (in, left);
  return ok;
}

bool
agree_in_order (tns_region *in, tns_region *out, long long size, unsigned seed,
                int order)
{
  return run_both (in, out, size, seed, order, true);
}

bool
agree_in_effect (tns_region *in, tns_region *out, long long size, unsigned seed,
                 int order)
{
  return run_both (in, out, size, seed, order, false);
}

bool
agree (tns_region *in, tns_region *out, long long size, unsigned seed)
{
  return agree_in_order (in, out, size, seed, 0);
}

tns_region *
agree_all (tns_ctx *ctx, const char *text, agree_passes passes)
{
  static const long long sizes[] = { 0, 1, 2, 5, 16, 17, 31, 33, 64, 83 };
  tns_region *in = agree_parse (ctx, text);
  tns_region *out = passes (ctx, in);
  bool ok = tns_region_verify (ctx, out, "passes") != NULL;
  for (unsigned k = 0; ok && k < sizeof sizes / sizeof *sizes; k++)
    {
      ok = agree (in, out, sizes[k], k + 1);
      if (!ok)
        fprintf (stderr, "at size %lld\n", sizes[k]);
    }
  if (ok)
    return out;
  tns_region_debug (in);
  if (out)
    tns_region_debug (out);
  return NULL;
}

/* A count of expressions.  */
typedef struct count
{
  tns_op op;
  bool vectors;
  int n;
} count;

/* Count EXPR.  */
static bool
count_expr (tns_expr *expr, void *self)
{
  count *c = self;
  c->n += expr->op == c->op && (!c->vectors || expr->type.lanes > 1);
  return true;
}

/* Count the expressions of NODE.  */
static bool
count_node (tns_node *node, void *self)
{
  tns_node_exprs (node, count_expr, self);
  return true;
}

int
agree_count (tns_region *region, tns_op op, bool vectors)
{
  count c = { op, vectors, 0 };
  tns_node_walk (region->body, count_node, &c);
  return c.n;
}

/* A count of loops.  */
typedef struct loops
{
  bool marked;
  int n;
} loops;

/* Count NODE.  */
static bool
count_loop (tns_node *node, void *self)
{
  loops *l = self;
  bool is_marked = node->marks.simd || node->marks.unroll;
  l->n += node->kind == TNS_LOOP && (is_marked || !l->marked);
  return true;
}

int
agree_loops (tns_region *region, bool marked)
{
  loops l = { marked, 0 };
  tns_node_walk (region->body, count_loop, &l);
  return l.n;
}
