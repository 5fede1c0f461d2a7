/* Sizes of flat arrays that are sums.

     y[(l*(h - 2) + i)*(h - 2) + j]

   is, as a sum of products, l*h*h - 4*l*h + 4*l + i*h - 2*i + j.  What an
   iterator is multiplied by, here h - 2 for i, is m*v + c*m with one value v:
   the size v + c becomes an atom e of its own, and v is e - c everywhere in
   the array's subscripts:

     l*e*e + i*e + j

   Then sizes are looked for again: that of i above, once found, is a part of
   that of l.  */

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

/* FACTOR is m*v + c*m, of one VALUE or quotient v: SIZE.  */
static bool
size_of (tns_arena *arena, tns_sum factor, tns_size *size)
{
  tns_term quotient;
  if (factor.n != 2 || factor.term[1].factor % factor.term[0].factor != 0)
    return false;
  long long c = factor.term[1].factor / factor.term[0].factor;
  tns_term less = factor.term[1];
  less.factor = 1;
  tns_term more = factor.term[0];
  more.factor = 1;
  if (!tns_term_divide (arena, &more, &less, &quotient)
      || quotient.n_atoms != 1)
    return false;
  tns_expr **atom = TNS_NEW_ARRAY (arena, tns_expr *, 1);
  tns_sum sum = tns_sum_of_term (arena, quotient);
  atom[0]
    = tns_sum_expr (arena, tns_sum_add (arena, sum, tns_sum_int (arena, c)));
  size->value = quotient.atom[0];
  size->by
    = tns_sum_add (arena, tns_sum_of_term (arena, (tns_term){ 1, 1, atom }),
                   tns_sum_int (arena, -c));
  return true;
}

/* Find a size in SUM that is none of SHAPE's.  */
static bool
find_size (tns_arena *arena, const tns_shape *shape, tns_sum sum,
           tns_size *size)
{
  for (int k = 0; k < sum.n; k++)
    for (int a = 0; a < sum.term[k].n_atoms; a++)
      {
        tns_expr *atom = sum.term[k].atom[a];
        if (!tns_is_over_values (atom)
            && size_of (arena, factor_of (arena, sum, atom), size)
            && !is_size (shape, size->value))
          return true;
      }
  return false;
}

tns_sum
tns_flat_sum (tns_arena *arena, const tns_shape *shape, tns_sum sum)
{
  for (int s = 0; s < shape->n_sizes; s++)
    {
      tns_expr *value = shape->size[s].value;
      tns_term by = { 1, 1, &value };
      tns_sum made = tns_sum_int (arena, 0);
      for (int k = 0; k < sum.n; k++)
        {
          tns_sum term = tns_sum_of_term (arena, sum.term[k]);
          tns_term rest = sum.term[k];
          tns_sum power = tns_sum_int (arena, 1);
          for (tns_term quotient;
               tns_term_divide (arena, &rest, &by, &quotient); rest = quotient)
            power = tns_sum_mul (arena, power, shape->size[s].by);
          if (rest.n_atoms < sum.term[k].n_atoms)
            term = tns_sum_mul (arena, tns_sum_of_term (arena, rest), power);
          made = tns_sum_add (arena, made, term);
        }
      sum = made;
    }
  return sum;
}

void
tns_flat_sizes (tns_arena *arena, const tns_flat_access *access, int n,
                tns_shape *shape)
{
  for (int a = 0; a < n && shape->n_sizes < TNS_MOST_SIZES;)
    {
      tns_sum sum = tns_flat_sum (arena, shape, access[a].sum);
      if (find_size (arena, shape, sum, &shape->size[shape->n_sizes]))
        shape->n_sizes++;
      else
        a++;
    }
}
