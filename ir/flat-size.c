/* Sizes of flat arrays that are sums.

     y[(l*(h - 2) + i)*(h - 2) + j]

   is, as a sum of products, l*h*h - 4*l*h + 4*l + i*h - 2*i + j.  What an
   iterator is multiplied by, here h - 2 for i, is m*(v + s) with one value v
   that is not in s: the size v + s becomes an atom e of its own, and v is
   e - s everywhere in the array's subscripts:

     l*e*e + i*e + j

   Then sizes are looked for again: that of i above, once found, is a part of
   that of l.

   On a diagonal, a[k*v + k], k is multiplied by v + 1, which is no size where v
   is one, as it is in a[i*v + k].  */

#include "ir/flat.h"

/* TERM has an atom that is no constant or VALUE.  */
static bool
is_varying (const tns_term *term)
{
  for (int k = 0; k < term->n_atoms; k++)
    if (!tns_is_over_values (term->atom[k]))
      return true;
  return false;
}

/* The terms of SUM that ITER is multiplied in, with it divided out; n is -1
   where ITER stands beside other varying atoms.  */
static tns_sum
factor_of (tns_arena *arena, tns_sum sum, tns_expr *iter)
{
  tns_sum factor = tns_sum_int (arena, 0);
  tns_term by = { 1, 1, &iter };
  for (int k = 0; k < sum.n; k++)
    {
      tns_term quotient;
      if (!tns_term_divide (arena, &sum.term[k], &by, &quotient))
        continue;
      if (is_varying (&quotient))
        return (tns_sum){ -1, NULL };
      factor = tns_sum_add (arena, factor, tns_sum_of_term (arena, quotient));
    }
  return factor;
}

/* ATOM is one of SHAPE's sizes.  */
static bool
is_size (const tns_shape *shape, const tns_expr *atom)
{
  for (int s = 0; s < shape->n_sizes; s++)
    for (int k = 0; k < shape->size[s].by.n; k++)
      if (shape->size[s].by.term[k].n_atoms == 1
          && !tns_expr_compare (shape->size[s].by.term[k].atom[0], atom))
        return true;
  return false;
}

/* What divides each term of SUM, which has some: atoms and a factor.  */
static tns_term
common_of (tns_arena *arena, tns_sum sum)
{
  tns_term common
    = { 1, 0, TNS_NEW_ARRAY (arena, tns_expr *, sum.term[0].n_atoms + 1) };
  for (int k = 0; k <= sum.term[0].n_atoms; k++)
    {
      tns_term more = common;
      tns_sum quotient;
      bool is_factor = k == sum.term[0].n_atoms;
      if (is_factor)
        more.factor = sum.term[0].factor;
      else
        more.atom[more.n_atoms++] = sum.term[0].atom[k];
      if (tns_sum_divide (arena, sum, &more, &quotient))
        common = more;
    }
  return common;
}

/* ATOM stands in term K of SUM and in no other.  */
static bool
is_only_in (tns_sum sum, int k, const tns_expr *atom)
{
  for (int j = 0; j < sum.n; j++)
    for (int a = 0; j != k && a < sum.term[j].n_atoms; a++)
      if (!tns_expr_compare (sum.term[j].atom[a], atom))
        return false;
  return true;
}

/* SUM in terms of SIZE.  */
static tns_sum
put_in (tns_arena *arena, const tns_size *size, tns_sum sum)
{
  tns_expr *value = size->value;
  tns_term by = { 1, 1, &value };
  tns_sum made = tns_sum_int (arena, 0);
  for (int k = 0; k < sum.n; k++)
    {
      tns_sum term = tns_sum_of_term (arena, sum.term[k]);
      tns_term rest = sum.term[k];
      tns_sum power = tns_sum_int (arena, 1);
      for (tns_term quotient; tns_term_divide (arena, &rest, &by, &quotient);
           rest = quotient)
        power = tns_sum_mul (arena, power, size->by);
      if (rest.n_atoms < sum.term[k].n_atoms)
        term = tns_sum_mul (arena, tns_sum_of_term (arena, rest), power);
      made = tns_sum_add (arena, made, term);
    }
  return made;
}

/* Some iterator of SUM is multiplied by one product, with ATOM.  */
static bool
is_row_of (tns_arena *arena, tns_sum sum, const tns_expr *atom)
{
  for (int k = 0; k < sum.n; k++)
    for (int a = 0; a < sum.term[k].n_atoms; a++)
      {
        tns_expr *iter = sum.term[k].atom[a];
        if (tns_is_over_values (iter))
          continue;
        tns_sum factor = factor_of (arena, sum, iter);
        if (factor.n == 1 && !is_only_in (factor, -1, atom))
          return true;
      }
  return false;
}

/* The same in some of ACCESS[0..N): it is how long rows are.  */
static bool
is_row (tns_arena *arena, const tns_flat_access *access, int n,
        const tns_expr *atom)
{
  for (int a = 0; a < n; a++)
    if (is_row_of (arena, access[a].sum, atom))
      return true;
  return false;
}

/* WHOLE is v + s, where its term K is a VALUE or quotient v that is none of
   SHAPE's sizes and not in s: SIZE.  */
static bool
size_at (tns_arena *arena, const tns_shape *shape, tns_sum whole, int k,
         tns_size *size)
{
  const tns_term *term = &whole.term[k];
  if (term->n_atoms != 1 || term->factor != 1
      || !is_only_in (whole, k, term->atom[0])
      || is_size (shape, term->atom[0]))
    return false;
  tns_expr **atom = TNS_NEW_ARRAY (arena, tns_expr *, 1);
  atom[0] = tns_sum_expr (arena, whole);
  tns_sum less = tns_sum_add (arena, tns_sum_of_term (arena, *term),
                              tns_sum_scale (arena, whole, -1));
  size->value = term->atom[0];
  size->by = tns_sum_add (
    arena, tns_sum_of_term (arena, (tns_term){ 1, 1, atom }), less);
  return true;
}

/* Find a size in FACTOR, m*(v + s), that is none of SHAPE's; of several the one
   that makes SUM shortest.  */
static bool
size_of (tns_arena *arena, const tns_shape *shape, tns_sum factor, tns_sum sum,
         tns_size *size)
{
  tns_sum whole;
  int least = 0;
  if (factor.n < 2)
    return false;
  tns_term common = common_of (arena, factor);
  if (!tns_sum_divide (arena, factor, &common, &whole))
    return false;
  for (int k = 0; k < whole.n; k++)
    {
      tns_size found;
      if (!size_at (arena, shape, whole, k, &found))
        continue;
      int n = put_in (arena, &found, sum).n;
      if (n < 0 || (least && n >= least))
        continue;
      least = n;
      *size = found;
    }
  return least > 0;
}

/* Find a size in SUM, of an array with ACCESS[0..N), that is none of
   SHAPE's.  */
static bool
find_size (tns_arena *arena, const tns_shape *shape,
           const tns_flat_access *access, int n, tns_sum sum, tns_size *size)
{
  for (int k = 0; k < sum.n; k++)
    for (int a = 0; a < sum.term[k].n_atoms; a++)
      {
        tns_expr *atom = sum.term[k].atom[a];
        if (!tns_is_over_values (atom)
            && size_of (arena, shape, factor_of (arena, sum, atom), sum, size)
            && !is_row (arena, access, n, size->value))
          return true;
      }
  return false;
}

tns_sum
tns_flat_sum (tns_arena *arena, const tns_shape *shape, tns_sum sum)
{
  for (int s = 0; s < shape->n_sizes; s++)
    sum = put_in (arena, &shape->size[s], sum);
  return sum;
}

void
tns_flat_sizes (tns_arena *arena, const tns_flat_access *access, int n,
                tns_shape *shape)
{
  for (int a = 0; a < n && shape->n_sizes < TNS_MOST_SIZES;)
    {
      tns_sum sum = tns_flat_sum (arena, shape, access[a].sum);
      if (find_size (arena, shape, access, n, sum,
                     &shape->size[shape->n_sizes]))
        shape->n_sizes++;
      else
        a++;
    }
}
