/* Parameters of the sets: one for each VALUE symbol and each invariant
   expression that is not affine.

   Expressions are compared in a normal form: signed 32-bit sums and products
   as 64-bit ones, which is the same number in a correct program.

     (long) (n * m),  (long) n * (long) m        one parameter

   Parameters are evaluated before the region, whether the user's code would
   have done so or not; a quotient is 0 there where its divisor is.  */

#include "poly/scop-build.h"

#include "ir/walk.h"

/* What tns_build_invariant looks for.  */
static bool
visit_varying (tns_expr *expr, void *self)
{
  bool *varies = self;
  if (tns_expr_reads (expr)
      || (expr->op == TNS_SYM && expr->sym->kind != TNS_SYM_VALUE))
    *varies = true;
  return !*varies;
}

bool
tns_build_invariant (tns_expr *expr)
{
  bool varies = false;
  tns_expr_walk (expr, visit_varying, &varies);
  return !varies;
}

void *
tns_build_room (tns_arena *arena, void *list, int n, size_t element)
{
  bool full = n == 0 || (n >= 4 && !(n & (n - 1)));
  if (!full)
    return list;
  size_t room = n < 4 ? 4 : 2 * (size_t) n;
  return tns_arena_grow (arena, list, (size_t) n * element, room * element);
}

/* EXPR, an integer, as I64 in normal form.  */
static tns_expr *
normal_form (tns_arena *arena, tns_expr *expr)
{
  tns_type wide = tns_scalar (TNS_I64);
  bool is_signed = tns_elem_class (expr->type.elem) == 'S';
  tns_expr *arg[2];
  switch (is_signed ? expr->op : TNS_NONE)
    {
    case TNS_ADD:
    case TNS_SUB:
    case TNS_MUL:
      arg[0] = normal_form (arena, expr->arg[0]);
      arg[1] = normal_form (arena, expr->arg[1]);
      return tns_binary (arena, expr->op, arg[0], arg[1]);
    case TNS_NEG:
      return tns_unary (arena, TNS_NEG, normal_form (arena, expr->arg[0]));
    case TNS_CAST:
      {
        tns_type from = expr->arg[0]->type;
        if (tns_elem_class (from.elem) == 'S'
            && tns_elem_bytes (from.elem) <= tns_elem_bytes (expr->type.elem))
          return normal_form (arena, expr->arg[0]);
        return tns_cast (arena, wide, expr);
      }
    default:
      return tns_cast (arena, wide, expr);
    }
}

/* EXPR, or where it is a quotient one that does not trap.  */
static tns_expr *
safe_quotient (tns_expr *expr, void *self)
{
  tns_arena *arena = self;
  bool divides = expr->op == TNS_DIV || expr->op == TNS_REM
                 || expr->op == TNS_FLOORDIV || expr->op == TNS_MOD;
  if (!divides || tns_elem_is_float (expr->type.elem)
      || expr->arg[1]->op == TNS_INT)
    return expr;
  tns_expr *zero = tns_int_of (arena, expr->type.elem, 0);
  tns_expr *is_zero = tns_binary (arena, TNS_EQ, expr->arg[1], zero);
  tns_expr *safe = tns_ternary (arena, TNS_SELECT, is_zero, zero, expr);
  if (tns_elem_class (expr->type.elem) != 'S')
    return safe;
  tns_expr *minus_one = tns_int_of (arena, expr->type.elem, -1);
  tns_expr *is_minus_one = tns_binary (arena, TNS_EQ, expr->arg[1], minus_one);
  bool remainder = expr->op == TNS_REM || expr->op == TNS_MOD;
  tns_expr *negated
    = remainder ? zero : tns_binary (arena, TNS_SUB, zero, expr->arg[0]);
  return tns_ternary (arena, TNS_SELECT, is_minus_one, negated, safe);
}

/* A name for parameter K, made for EXPR: a symbol's own, or e0, e1, ...
   that no symbol has.  */
static const char *
name_of (tns_builder *b, int k, tns_expr *expr)
{
  if (expr->op == TNS_CAST && expr->arg[0]->op == TNS_SYM)
    expr = expr->arg[0];
  if (expr->op == TNS_SYM)
    return expr->sym->name;
  char *name = tns_arena_format (b->arena, "e%d", k);
  while (tns_region_find (b->scop->region, name))
    name = tns_arena_format (b->arena, "%s_", name);
  return name;
}

/* { [] : ID >= (<=, with UPPER) LIMIT }.  */
static __isl_give isl_set *
bounded (__isl_keep isl_id *id, long limit, bool upper)
{
  isl_ctx *isl = isl_id_get_ctx (id);
  isl_space *space = isl_space_params_alloc (isl, 0);
  space = isl_space_add_param_id (space, isl_id_copy (id));
  isl_constraint *c
    = isl_constraint_alloc_inequality (isl_local_space_from_space (space));
  c = isl_constraint_set_coefficient_si (c, isl_dim_param, 0, upper ? -1 : 1);
  isl_val *most = isl_val_int_from_si (isl, limit);
  c = isl_constraint_set_constant_val (c, upper ? most : isl_val_neg (most));
  return isl_set_from_basic_set (isl_basic_set_from_constraint (c));
}

/* What ELEM says of parameter ID made from a value of that type.  */
static void
add_range (tns_builder *b, __isl_keep isl_id *id, tns_elem elem)
{
  int bits = 8 * tns_elem_bytes (elem);
  if (bits == 64)
    return;
  bool from_zero = tns_elem_class (elem) != 'S';
  long most = elem == TNS_BOOL ? 1
              : from_zero      ? (1L << bits) - 1
                               : (1L << (bits - 1)) - 1;
  isl_set *upper = bounded (id, most, true);
  isl_set *lower = bounded (id, from_zero ? 0 : -most - 1, false);
  if (from_zero)
    b->scop->context
      = isl_set_intersect (b->scop->context, isl_set_copy (lower));
  if (elem == TNS_BOOL)
    b->scop->context
      = isl_set_intersect (b->scop->context, isl_set_copy (upper));
  b->ranges = isl_set_intersect (b->ranges, isl_set_intersect (lower, upper));
}

/* A new parameter for EXPR, whose normal form is KEY.  */
static int
add_param (tns_builder *b, tns_expr *expr, tns_expr *key)
{
  tns_scop *scop = b->scop;
  int k = scop->n_params;
  b->key = tns_build_room (b->arena, b->key, k, sizeof *b->key);
  scop->param = tns_build_room (b->arena, scop->param, k, sizeof *scop->param);
  scop->param_id
    = tns_build_room (b->arena, scop->param_id, k, sizeof *scop->param_id);
  b->key[k] = key;
  scop->param[k] = tns_expr_rebuild (b->arena, key, safe_quotient, b->arena);
  scop->param_id[k] = isl_id_alloc (b->isl, name_of (b, k, key), NULL);
  scop->n_params++;
  add_range (b, scop->param_id[k], expr->type.elem);
  return k;
}

/* The parameter that has EXPR's value, old or new.  */
static int
find_param (tns_builder *b, tns_expr *expr)
{
  tns_expr *key = normal_form (b->arena, expr);
  for (int k = 0; k < b->scop->n_params; k++)
    {
      if (tns_expr_equal (b->key[k], key))
        return k;
      bool product = key->op == TNS_MUL && b->key[k]->op == TNS_MUL;
      if (product && tns_expr_equal (b->key[k]->arg[0], key->arg[1])
          && tns_expr_equal (b->key[k]->arg[1], key->arg[0]))
        return k;
    }
  return add_param (b, expr, key);
}

__isl_give isl_pw_aff *
tns_build_parameter (tns_builder *b, tns_expr *expr)
{
  int k = find_param (b, expr);
  isl_space *space = isl_set_get_space (b->domain);
  isl_id *id = isl_id_copy (b->scop->param_id[k]);
  space = isl_space_add_param_id (space, isl_id_copy (id));
  return isl_pw_aff_from_aff (isl_aff_param_on_domain_space_id (space, id));
}
