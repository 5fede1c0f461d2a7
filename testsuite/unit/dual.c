/* Numbers with a tangent, as dual.h says.  */

#include "dual.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ir/value.h"

/* value  of VALUEs and ITERs by symbol id
   array  of ARRAYs by symbol id  */
typedef struct run
{
  tns_arena *arena;
  const tns_region *region;
  tns_scalar_value *value;
  dual_array *array;
  double operations;
} run;

static dual value_of (run *r, const tns_expr *expr);

/* The integer that EXPR is.  */
static long long
integer (run *r, const tns_expr *expr)
{
  return value_of (r, expr).v.s;
}

/* The element that LOAD is.  */
static dual *
element (run *r, const tns_expr *load)
{
  const dual_array *array = &r->array[load->sym->id];
  long long at = 0;
  for (int k = 0; k < load->sym->rank; k++)
    at = at * array->extent[k] + integer (r, load->arg[k]);
  if (at < 0 || at >= array->n)
    {
      fprintf (stderr, "%s is read outside\n", load->sym->name);
      abort ();
    }
  return &array->at[at];
}

/* BY times D, where what does not vary stays out of it.  */
static double
part (double by, double d)
{
  return d == 0 ? 0 : by * d;
}

/* The derivative of OP (x) where its value is V.  */
static double
slope (tns_op op, double x, double v)
{
  switch (op)
    {
    case TNS_NEG:
      return -1;
    case TNS_ABS:
      return (x > 0) - (x < 0);
    case TNS_SQRT:
      return 0.5 / sqrt (x);
    case TNS_EXP:
      return exp (x);
    case TNS_LOG1P:
      return 1 / (1 + x);
    case TNS_SIN:
      return cos (x);
    case TNS_COS:
      return -sin (x);
    case TNS_ATAN:
      return 1 / (1 + x * x);
    case TNS_TANH:
      return 1 / (cosh (x) * cosh (x));
    case TNS_ASINH:
      return 1 / sqrt (1 + x * x);
    case TNS_ERF:
      return M_2_SQRTPI * exp (-x * x);
    case TNS_CAST:
      return 1;
    default:
      return 0 * v;
    }
}

/* The derivatives of OP (x, y) into S.  */
static void
slopes (tns_op op, double x, double y, double s[2])
{
  bool second = op == TNS_MIN ? y < x : y > x;
  s[0] = s[1] = 0;
  switch (op)
    {
    case TNS_ADD:
    case TNS_SUB:
      s[0] = 1;
      s[1] = op == TNS_ADD ? 1 : -1;
      break;
    case TNS_MUL:
      s[0] = y;
      s[1] = x;
      break;
    case TNS_DIV:
      s[0] = 1 / y;
      s[1] = -x / (y * y);
      break;
    case TNS_MIN:
    case TNS_MAX:
      s[0] = !second;
      s[1] = second;
      break;
    default:
      break;
    }
}

/* OP on ARG[0..N), of type ELEM.  That of tanh is got from its value, to an
   error of 1 unit.  */
static dual
applied (run *r, tns_op op, tns_elem elem, int n, const dual *arg)
{
  tns_scalar_value v[3];
  double s[2] = { 0, 0 };
  dual made = { { 0 }, 0, 0 };
  for (int k = 0; k < n; k++)
    v[k] = arg[k].v;
  if (!tns_value_apply (op, elem, v, &made.v) || !tns_elem_is_float (elem)
      || tns_op_class (op) == 'C')
    return made;
  if (n == 1)
    s[0] = slope (op, (double) v[0].f, (double) made.v.f);
  else
    slopes (op, (double) v[0].f, (double) v[1].f, s);
  for (int k = 0; k < n && k < 2; k++)
    {
      made.d += part (s[k], arg[k].d);
      made.size += part (op == TNS_TANH ? 1 : fabs (s[k]), arg[k].size);
    }
  r->operations++;
  return made;
}

/* EXPR, a CAST.  */
static dual
cast_of (run *r, const tns_expr *expr)
{
  tns_elem from = expr->arg[0]->type.elem;
  dual x = value_of (r, expr->arg[0]);
  dual made = { tns_value_cast (expr->type.elem, from, x.v), 0, 0 };
  if (tns_elem_is_float (from) && tns_elem_is_float (expr->type.elem))
    {
      made.d = x.d;
      made.size = x.size;
    }
  return made;
}

/* EXPR.  */
static dual
value_of (run *r, const tns_expr *expr)
{
  dual arg[3];
  dual made = { { 0 }, 0, 0 };
  tns_elem elem = expr->type.elem;
  switch (expr->op)
    {
    case TNS_INT:
      made.v = tns_value_of_int (elem, expr->integer);
      return made;
    case TNS_REAL:
      made.v = tns_value_of_real (elem, expr->real);
      return made;
    case TNS_SYM:
      made.v = r->value[expr->sym->id];
      return made;
    case TNS_LOAD:
      return *element (r, expr);
    case TNS_CAST:
      return cast_of (r, expr);
    case TNS_SELECT:
      return value_of (
        r, expr->arg[tns_value_is_true (value_of (r, expr->arg[0]).v) ? 1 : 2]);
    default:
      for (int k = 0; k < expr->n_args; k++)
        arg[k] = value_of (r, expr->arg[k]);
      return applied (r, expr->op, expr->arg[0]->type.elem, expr->n_args, arg);
    }
}

/* SYM's array gets its extents, and how many elements it has.  */
static void
lay_out (run *r, const tns_sym *sym)
{
  dual_array *array = &r->array[sym->id];
  array->n = 1;
  for (int k = 0; k < sym->rank; k++)
    {
      array->extent[k] = integer (r, sym->extent[k]);
      array->n *= array->extent[k] > 0 ? array->extent[k] : 0;
    }
}

/* The life of SYM, a LOCAL, begins.  */
static void
begin_local (run *r, const tns_sym *sym)
{
  dual_array *array = &r->array[sym->id];
  lay_out (r, sym);
  if (!array->at)
    array->at = TNS_NEW_ARRAY (r->arena, dual, array->n + 1);
  for (long long k = 0; k < array->n; k++)
    array->at[k] = (dual){ tns_value_of_real (sym->type.elem, NAN), 0, 0 };
}

/* target op= value.  */
static void
assign (run *r, const tns_node *node)
{
  dual made = value_of (r, node->value);
  dual *to = element (r, node->target);
  dual pair[] = { *to, made };
  *to = node->update == TNS_NONE
          ? made
          : applied (r, node->update, node->target->type.elem, 2, pair);
}

/* NODE.  */
static void
execute (run *r, const tns_node *node)
{
  if (!node)
    return;
  switch (node->kind)
    {
    case TNS_BLOCK:
      for (int k = 0; k < node->n_kids; k++)
        execute (r, node->kid[k]);
      break;
    case TNS_LOCAL:
      begin_local (r, node->sym);
      break;
    case TNS_ASSIGN:
      assign (r, node);
      break;
    case TNS_IF:
      execute (r, tns_value_is_true (value_of (r, node->cond).v)
                    ? node->then
                    : node->otherwise);
      break;
    case TNS_LOOP:
      {
        long long hi = integer (r, node->hi);
        for (long long k = integer (r, node->lo);
             node->step > 0 ? k < hi : k > hi; k += node->step)
          {
            r->value[node->iter->id].s = k;
            execute (r, node->body);
          }
        break;
      }
    case TNS_PREFETCH:
      break;
    }
}

/* A run of REGION with ARGUMENT's VALUEs.  */
static run
new_run (tns_arena *arena, const tns_region *region,
         const tns_argument *argument)
{
  run r = { .arena = arena, .region = region };
  r.value = TNS_NEW_ARRAY (arena, tns_scalar_value, region->n_syms + 1);
  r.array = TNS_NEW_ARRAY (arena, dual_array, region->n_syms + 1);
  for (int k = 0; k < region->n_params; k++)
    if (region->params[k]->kind != TNS_SYM_ARRAY)
      r.value[region->params[k]->id] = argument[k].value;
  return r;
}

dual_array *
dual_arrays (tns_arena *arena, tns_region *region, const tns_argument *argument)
{
  run r = new_run (arena, region, argument);
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      dual_array *array = &r.array[sym->id];
      if (sym->kind != TNS_SYM_ARRAY)
        continue;
      lay_out (&r, sym);
      array->at = TNS_NEW_ARRAY (arena, dual, array->n + 1);
      for (long long e = 0; e < array->n; e++)
        array->at[e].v = tns_value_read (
          sym->type.elem, (const char *) argument[k].base
                            + e * tns_elem_bytes (sym->type.elem));
    }
  return r.array;
}

double
dual_run (tns_arena *arena, tns_region *region, const tns_argument *argument,
          dual_array *array)
{
  run r = new_run (arena, region, argument);
  r.array = array;
  execute (&r, region->body);
  return r.operations;
}
