/* Sums of products of an integer expression's atoms; see ir/affine.h for
   what is looked through.

   Terms are kept sorted, so that sums merge like sorted lists and equal
   sums look the same.  A sum of more than MOST_TERMS terms, or whose
   factors leave 64 bits, becomes one atom.  */

#include "ir/affine.h"

#include <string.h>

enum
{
  MOST_TERMS = 64,
  MOST_ATOMS = 12
};

tns_sym *
tns_atom_symbol (const tns_expr *atom)
{
  while (atom->op == TNS_CAST && tns_elem_is_integer (atom->arg[0]->type.elem))
    atom = atom->arg[0];
  return atom->op == TNS_SYM ? atom->sym : NULL;
}

int
tns_expr_compare (const tns_expr *a, const tns_expr *b)
{
  if (a == b)
    return 0;
  int order = (int) a->op - (int) b->op;
  if (!order && a->sym && b->sym)
    order = a->sym->id - b->sym->id;
  if (!order)
    order = (int) a->type.elem - (int) b->type.elem;
  if (!order)
    order = a->type.lanes - b->type.lanes;
  if (!order)
    order = (a->integer > b->integer) - (a->integer < b->integer);
  if (!order)
    order = (a->real > b->real) - (a->real < b->real);
  if (!order)
    order = a->n_args - b->n_args;
  for (int k = 0; !order && k < a->n_args; k++)
    order = tns_expr_compare (a->arg[k], b->arg[k]);
  return order;
}

/* The order of terms: by their atoms, more of them first.  */
static int
compare_terms (const tns_term *a, const tns_term *b)
{
  if (a->n_atoms != b->n_atoms)
    return b->n_atoms - a->n_atoms;
  for (int k = 0; k < a->n_atoms; k++)
    {
      int order = tns_expr_compare (a->atom[k], b->atom[k]);
      if (order)
        return order;
    }
  return 0;
}

/* What stands for a sum that is too large.  */
static tns_sum
no_sum (void)
{
  return (tns_sum){ -1, NULL };
}

/* The sum of one term; of none when FACTOR is 0.  */
static tns_sum
single_term (tns_arena *arena, long long factor, tns_expr *atom)
{
  tns_sum sum = { factor != 0, TNS_NEW (arena, tns_term) };
  sum.term->factor = factor;
  if (atom)
    {
      sum.term->n_atoms = 1;
      sum.term->atom = TNS_NEW (arena, tns_expr *);
      sum.term->atom[0] = atom;
    }
  return sum;
}

tns_sum
tns_sum_of_term (tns_arena *arena, tns_term term)
{
  tns_sum sum = { term.factor != 0, TNS_NEW (arena, tns_term) };
  sum.term[0] = term;
  return sum;
}

bool
tns_term_divide (tns_arena *arena, const tns_term *term, const tns_term *by,
                 tns_term *quotient)
{
  if (by->factor == 0 || by->factor == -1 || term->factor % by->factor != 0)
    return false;
  *quotient = (tns_term){ term->factor / by->factor, 0, NULL };
  quotient->atom = TNS_NEW_ARRAY (arena, tns_expr *, term->n_atoms + 1);
  int used = 0;
  for (int k = 0; k < term->n_atoms; k++)
    {
      if (used < by->n_atoms
          && !tns_expr_compare (term->atom[k], by->atom[used]))
        used++;
      else
        quotient->atom[quotient->n_atoms++] = term->atom[k];
    }
  return used == by->n_atoms;
}

tns_sum
tns_sum_int (tns_arena *arena, long long value)
{
  return single_term (arena, value, NULL);
}

tns_sum
tns_sum_add (tns_arena *arena, tns_sum a, tns_sum b)
{
  if (a.n < 0 || b.n < 0 || a.n + b.n > 2 * MOST_TERMS)
    return no_sum ();
  tns_sum sum = { 0, TNS_NEW_ARRAY (arena, tns_term, a.n + b.n + 1) };
  int i = 0;
  int j = 0;
  while (i < a.n || j < b.n)
    {
      int order = i == a.n   ? 1
                  : j == b.n ? -1
                             : compare_terms (&a.term[i], &b.term[j]);
      tns_term term = order <= 0 ? a.term[i] : b.term[j];
      if (order == 0
          && __builtin_add_overflow (term.factor, b.term[j].factor,
                                     &term.factor))
        return no_sum ();
      i += order <= 0;
      j += order >= 0;
      if (term.factor)
        sum.term[sum.n++] = term;
    }
  return sum.n > MOST_TERMS ? no_sum () : sum;
}

/* A * B in *RESULT; false when it does not fit.  */
static bool
multiply_terms (tns_arena *arena, const tns_term *a, const tns_term *b,
                tns_term *result)
{
  int n = a->n_atoms + b->n_atoms;
  if (n > MOST_ATOMS
      || __builtin_mul_overflow (a->factor, b->factor, &result->factor))
    return false;
  result->n_atoms = n;
  result->atom = TNS_NEW_ARRAY (arena, tns_expr *, n);
  int i = 0;
  int j = 0;
  for (int k = 0; k < n; k++)
    {
      bool from_a
        = j == b->n_atoms
          || (i < a->n_atoms && tns_expr_compare (a->atom[i], b->atom[j]) <= 0);
      result->atom[k] = from_a ? a->atom[i++] : b->atom[j++];
    }
  return true;
}

tns_sum
tns_sum_mul (tns_arena *arena, tns_sum a, tns_sum b)
{
  if (a.n < 0 || b.n < 0)
    return no_sum ();
  tns_sum sum = { 0, NULL };
  for (int i = 0; i < a.n; i++)
    for (int j = 0; j < b.n; j++)
      {
        tns_sum one = { 1, TNS_NEW (arena, tns_term) };
        if (!multiply_terms (arena, &a.term[i], &b.term[j], one.term))
          return no_sum ();
        sum = tns_sum_add (arena, sum, one);
      }
  return sum;
}

tns_sum
tns_sum_scale (tns_arena *arena, tns_sum a, long long factor)
{
  return tns_sum_mul (arena, a, tns_sum_int (arena, factor));
}

bool
tns_sum_divide (tns_arena *arena, tns_sum sum, const tns_term *by,
                tns_sum *quotient)
{
  *quotient = tns_sum_int (arena, 0);
  for (int k = 0; k < sum.n; k++)
    {
      tns_term term;
      if (!tns_term_divide (arena, &sum.term[k], by, &term))
        return false;
      *quotient = tns_sum_add (arena, *quotient, tns_sum_of_term (arena, term));
    }
  return sum.n >= 0 && quotient->n >= 0;
}

/* Signed arithmetic, or unsigned of 64 bits.  */
static bool
is_ring (tns_elem elem)
{
  return tns_elem_class (elem) == 'S' || elem == TNS_U64;
}

/* The conversion from FROM to TO, both integers, keeps sums.  */
static bool
keeps_sums (tns_elem to, tns_elem from)
{
  if (!is_ring (to) || !is_ring (from))
    return false;
  return tns_elem_bytes (to) >= tns_elem_bytes (from)
         && (from != TNS_U64 || tns_elem_bytes (to) == 8);
}

/* EXPR as one atom.  */
static tns_sum
as_atom (tns_arena *arena, tns_expr *expr)
{
  return single_term (arena, 1, tns_cast (arena, tns_scalar (TNS_I64), expr));
}

/* EXPR where its operator is one of a ring, else n = -1.  */
static tns_sum
by_operator (tns_arena *arena, tns_expr *expr)
{
  tns_sum a = expr->n_args > 0 ? tns_sum_of (arena, expr->arg[0]) : no_sum ();
  long long bits;
  switch (expr->op)
    {
    case TNS_NEG:
      return tns_sum_scale (arena, a, -1);
    case TNS_ADD:
      return tns_sum_add (arena, a, tns_sum_of (arena, expr->arg[1]));
    case TNS_SUB:
      return tns_sum_add (
        arena, a, tns_sum_scale (arena, tns_sum_of (arena, expr->arg[1]), -1));
    case TNS_MUL:
      return tns_sum_mul (arena, a, tns_sum_of (arena, expr->arg[1]));
    case TNS_SHL:
      if (tns_expr_is_int (expr->arg[1], &bits) && bits >= 0 && bits < 31)
        return tns_sum_scale (arena, a, 1LL << bits);
      return no_sum ();
    case TNS_CAST:
      return keeps_sums (expr->type.elem, expr->arg[0]->type.elem) ? a
                                                                   : no_sum ();
    default:
      return no_sum ();
    }
}

/* The operators that by_operator looks through.  */
static bool
is_looked_through (tns_op op)
{
  return op == TNS_NEG || op == TNS_ADD || op == TNS_SUB || op == TNS_MUL
         || op == TNS_SHL || op == TNS_CAST;
}

tns_sum
tns_sum_of (tns_arena *arena, tns_expr *expr)
{
  if (expr->op == TNS_INT)
    return tns_sum_int (arena, expr->integer);
  tns_elem from = expr->op == TNS_CAST ? expr->arg[0]->type.elem : TNS_I64;
  if (is_looked_through (expr->op) && is_ring (expr->type.elem)
      && tns_elem_is_integer (from))
    {
      tns_sum sum = by_operator (arena, expr);
      if (sum.n >= 0)
        return sum;
    }
  if (expr->op == TNS_CAST && expr->type.elem == TNS_I64
      && expr->arg[0]->op == TNS_INT)
    return tns_sum_int (arena, expr->arg[0]->integer);
  return as_atom (arena, expr);
}

bool
tns_sum_is_int (tns_sum sum, long long *value)
{
  *value = sum.n == 1 ? sum.term[0].factor : 0;
  return sum.n == 0 || (sum.n == 1 && sum.term[0].n_atoms == 0);
}

bool
tns_sum_equal (tns_sum a, tns_sum b)
{
  if (a.n != b.n || a.n < 0)
    return false;
  for (int k = 0; k < a.n; k++)
    if (a.term[k].factor != b.term[k].factor
        || compare_terms (&a.term[k], &b.term[k]))
      return false;
  return true;
}

bool
tns_sum_least (tns_sum sum, long long *least)
{
  *least = 0;
  for (int k = 0; k < sum.n; k++)
    {
      if (sum.term[k].n_atoms == 0)
        *least = sum.term[k].factor;
      else if (sum.term[k].factor < 0)
        return false;
    }
  return sum.n >= 0;
}

/* TERM without its sign as an expression.  */
static tns_expr *
term_expr (tns_arena *arena, const tns_term *term)
{
  long long factor = term->factor < 0 ? -term->factor : term->factor;
  tns_expr *expr = NULL;
  for (int k = 0; k < term->n_atoms; k++)
    expr
      = expr ? tns_binary (arena, TNS_MUL, expr, term->atom[k]) : term->atom[k];
  tns_expr *constant = tns_int (arena, factor);
  return expr ? tns_binary (arena, TNS_MUL, constant, expr) : constant;
}

tns_expr *
tns_sum_expr (tns_arena *arena, tns_sum sum)
{
  if (sum.n < 0)
    return NULL;
  tns_expr *expr = NULL;
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < sum.n; k++)
      {
        bool is_negative = sum.term[k].factor < 0;
        if (is_negative != (pass == 1))
          continue;
        tns_expr *term = term_expr (arena, &sum.term[k]);
        if (expr)
          expr = tns_binary (arena, pass ? TNS_SUB : TNS_ADD, expr, term);
        else if (!pass)
          expr = term;
        else if (term->op == TNS_INT)
          expr = tns_int (arena, -term->integer);
        else
          expr = tns_unary (arena, TNS_NEG, term);
      }
  return expr ? expr : tns_int (arena, 0);
}

tns_sum
tns_sum_substitute (tns_arena *arena, tns_sum sum, const tns_sym *sym,
                    tns_sum by)
{
  tns_sum result = { 0, NULL };
  for (int k = 0; k < sum.n; k++)
    {
      tns_sum product = tns_sum_int (arena, sum.term[k].factor);
      for (int a = 0; a < sum.term[k].n_atoms; a++)
        {
          tns_expr *atom = sum.term[k].atom[a];
          bool is_sym = tns_atom_symbol (atom) == sym;
          product = tns_sum_mul (arena, product,
                                 is_sym ? by : single_term (arena, 1, atom));
        }
      result = tns_sum_add (arena, result, product);
    }
  return sum.n < 0 ? sum : result;
}

/* The symbol that ATOM has the value of, or NULL.  */
static tns_sym *
exact_symbol (const tns_expr *atom)
{
  if (atom->op == TNS_CAST && atom->arg[0]->op == TNS_SYM
      && tns_elem_bytes (atom->arg[0]->type.elem) < 8)
    atom = atom->arg[0];
  return atom->op == TNS_SYM ? atom->sym : NULL;
}

/* Put FACTOR * SYM where it belongs; false when SYM stands there.  */
static bool
insert (tns_affine *affine, tns_sym *sym, long long factor)
{
  int at = affine->n;
  for (; at > 0 && affine->sym[at - 1]->id >= sym->id; at--)
    {
      if (affine->sym[at - 1] == sym)
        return false;
      affine->sym[at] = affine->sym[at - 1];
      affine->factor[at] = affine->factor[at - 1];
    }
  affine->sym[at] = sym;
  affine->factor[at] = factor;
  affine->n++;
  return true;
}

bool
tns_affine_of (tns_arena *arena, tns_expr *expr, tns_affine *affine)
{
  tns_sum sum = tns_sum_of (arena, expr);
  if (sum.n < 0)
    return false;
  *affine = (tns_affine){ 0 };
  affine->sym = TNS_NEW_ARRAY (arena, tns_sym *, sum.n + 1);
  affine->factor = TNS_NEW_ARRAY (arena, long long, sum.n + 1);
  for (int k = 0; k < sum.n; k++)
    {
      const tns_term *term = &sum.term[k];
      if (term->n_atoms == 0)
        {
          affine->constant = term->factor;
          continue;
        }
      tns_sym *sym = term->n_atoms == 1 ? exact_symbol (term->atom[0]) : NULL;
      if (!sym || !insert (affine, sym, term->factor))
        return false;
    }
  return true;
}
