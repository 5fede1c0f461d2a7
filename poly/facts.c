/* Sums of iterators, solved and compared.

     i' - i = 0, j' - j - 1 >= 0       asked: (2 i' + j') - (2 i + j)

   1. Equalities with a factor of 1 or -1 are solved for its column, and that
      is replaced everywhere else: 2 i' - 2 i vanishes.
   2. What is left, j' - j, is the same sum as that of the inequality: 1 at
      least.

   Both are divided by what their factors have in common, the inequality's
   constant rounded down: the sums are whole numbers.  A row whose numbers
   become too large is left out.  */

#include "poly/facts.h"

#include <isl/mat.h>
#include <string.h>

#define MOST (1L << 40)

typedef long row[TNS_FACT_COLUMNS];

/* The greatest common divisor of the factors in SUM's columns, 0 for none.  */
static long
common_factor (const tns_facts *facts, const long *sum)
{
  long a = 0;
  for (int k = 1; k < facts->n_columns; k++)
    for (long b = sum[k] < 0 ? -sum[k] : sum[k]; b;)
      {
        long rest = a % b;
        a = b;
        b = rest;
      }
  return a;
}

/* A / B rounded down; B is positive.  */
static long
divided (long a, long b)
{
  return a / b - (a % b < 0);
}

/* Add FACTOR times FROM to SUM.  False when a number is too large.  */
static bool
add_row (const tns_facts *facts, long *sum, long factor, const long *from)
{
  for (int k = 0; k < facts->n_columns; k++)
    {
      long product;
      if (__builtin_mul_overflow (factor, from[k], &product)
          || __builtin_add_overflow (sum[k], product, &sum[k]) || sum[k] > MOST
          || sum[k] < -MOST)
        return false;
    }
  return true;
}

/* Replace in SUM what the equalities are solved for.  */
static bool
solve (const tns_facts *facts, long *sum)
{
  for (int e = 0; e < facts->n_equal; e++)
    {
      int p = facts->pivot[e];
      long factor = -sum[p] * facts->equal[e][p];
      if (factor && !add_row (facts, sum, factor, facts->equal[e]))
        return false;
    }
  return true;
}

/* The last column of SUM whose factor is 1 or -1; 0 when there is none.  */
static int
unit_column (const tns_facts *facts, const long *sum)
{
  int k = facts->n_columns - 1;
  while (k > 0 && sum[k] != 1 && sum[k] != -1)
    k--;
  return k;
}

/* SUM is 0 from now on.  */
static void
add_equal (tns_facts *facts, long *sum)
{
  if (facts->n_equal == TNS_FACT_ROWS || !solve (facts, sum))
    return;
  long factor = common_factor (facts, sum);
  if (factor ? sum[0] % factor : sum[0])
    facts->none = true;
  for (int k = 0; k < facts->n_columns && factor; k++)
    sum[k] /= factor;
  int p = unit_column (facts, sum);
  if (!p || facts->none)
    return;
  int kept = 0;
  for (int e = 0; e < facts->n_equal; e++)
    {
      long *old = facts->equal[e];
      if (old[p] && !add_row (facts, old, -old[p] * sum[p], sum))
        continue;
      facts->pivot[kept] = facts->pivot[e];
      memmove (facts->equal[kept++], old, sizeof (row));
    }
  memcpy (facts->equal[kept], sum, sizeof (row));
  facts->pivot[kept] = p;
  facts->n_equal = kept + 1;
}

/* Row R of MAT; false when a number is too large.  */
static bool
take_row (const tns_facts *facts, __isl_keep isl_mat *mat, int r, long *sum)
{
  bool fits = true;
  for (int k = 0; k < facts->n_columns && fits; k++)
    {
      isl_val *val = isl_mat_get_element_val (mat, r, k);
      fits
        = isl_val_cmp_si (val, MOST) <= 0 && isl_val_cmp_si (val, -MOST) >= 0;
      sum[k] = fits ? isl_val_get_num_si (val) : 0;
      isl_val_free (val);
    }
  return fits;
}

bool
tns_facts_read (tns_facts *facts, __isl_keep isl_basic_map *pairs)
{
  int n_params = isl_basic_map_dim (pairs, isl_dim_param);
  int n_in = isl_basic_map_dim (pairs, isl_dim_in);
  isl_mat *equal = isl_basic_map_equalities_matrix (
    pairs, isl_dim_cst, isl_dim_param, isl_dim_in, isl_dim_out, isl_dim_div);
  isl_mat *positive = isl_basic_map_inequalities_matrix (
    pairs, isl_dim_cst, isl_dim_param, isl_dim_in, isl_dim_out, isl_dim_div);
  facts->n_columns = isl_mat_cols (equal);
  facts->source = 1 + n_params;
  facts->target = facts->source + n_in;
  facts->n_equal = 0;
  facts->n_positive = 0;
  facts->none = false;
  bool fits
    = facts->n_columns > 0 && facts->n_columns <= TNS_FACT_COLUMNS && positive;
  for (int r = 0; fits && r < isl_mat_rows (equal); r++)
    {
      row sum;
      if (take_row (facts, equal, r, sum))
        add_equal (facts, sum);
    }
  for (int r = 0; fits && r < isl_mat_rows (positive); r++)
    if (facts->n_positive < TNS_FACT_ROWS
        && take_row (facts, positive, r, facts->positive[facts->n_positive]))
      facts->n_positive++;
  isl_mat_free (equal);
  isl_mat_free (positive);
  return fits;
}

/* FACTS in ARENA.  */
static tns_facts_kept
kept_of (tns_arena *arena, const tns_facts *facts)
{
  int n = facts->n_columns;
  tns_facts_kept kept = { .fits = true,
                          .none = facts->none,
                          .n_columns = n,
                          .source = facts->source,
                          .target = facts->target,
                          .n_equal = facts->n_equal,
                          .n_positive = facts->n_positive };
  size_t bytes = (size_t) n * sizeof (long);
  long *sum
    = TNS_NEW_ARRAY (arena, long, n *(kept.n_equal + kept.n_positive) + 1);
  kept.pivot = TNS_NEW_ARRAY (arena, int, kept.n_equal + 1);
  kept.sum = sum;
  for (int e = 0; e < kept.n_equal; e++, sum += n)
    {
      kept.pivot[e] = facts->pivot[e];
      memcpy (sum, facts->equal[e], bytes);
    }
  for (int k = 0; k < kept.n_positive; k++, sum += n)
    memcpy (sum, facts->positive[k], bytes);
  return kept;
}

tns_facts_kept *
tns_facts_keep (tns_arena *arena, __isl_keep isl_map *pairs, tns_facts *facts,
                int *n)
{
  isl_basic_map_list *list = isl_map_get_basic_map_list (pairs);
  isl_size n_parts = isl_basic_map_list_size (list);
  *n = n_parts > 0 ? n_parts : 0;
  tns_facts_kept *kept = TNS_NEW_ARRAY (arena, tns_facts_kept, *n + 1);
  for (int k = 0; k < *n; k++)
    {
      isl_basic_map *part = isl_basic_map_list_get_at (list, k);
      if (tns_facts_read (facts, part))
        kept[k] = kept_of (arena, facts);
      isl_basic_map_free (part);
    }
  isl_basic_map_list_free (list);
  return kept;
}

bool
tns_facts_take (tns_facts *facts, const tns_facts_kept *kept)
{
  size_t bytes = (size_t) kept->n_columns * sizeof (long);
  const long *sum = kept->sum;
  facts->none = kept->none;
  facts->n_columns = kept->n_columns;
  facts->source = kept->source;
  facts->target = kept->target;
  facts->n_equal = kept->n_equal;
  facts->n_positive = kept->n_positive;
  for (int e = 0; e < kept->n_equal; e++, sum += kept->n_columns)
    {
      facts->pivot[e] = kept->pivot[e];
      memcpy (facts->equal[e], sum, bytes);
    }
  for (int k = 0; k < kept->n_positive; k++, sum += kept->n_columns)
    memcpy (facts->positive[k], sum, bytes);
  return kept->fits;
}

/* G of the target less F of the source, without their divisor.  */
static bool
difference (const tns_facts *facts, const tns_moment *f, const tns_moment *g,
            long *sum)
{
  memset (sum, 0, sizeof (row));
  if (!f->known || !g->known || f->divisor != g->divisor)
    return false;
  sum[0] = g->constant - f->constant;
  for (int k = 0; k < f->n; k++)
    sum[facts->source + k] -= f->coef[k];
  for (int k = 0; k < g->n; k++)
    sum[facts->target + k] += g->coef[k];
  return solve (facts, sum);
}

/* A and B, each by its FACTOR, are the same sum but for the constant; with
   SIGN -1 the one is the other negated.  */
static bool
is_alike (const tns_facts *facts, const long *a, long a_factor, const long *b,
          long b_factor)
{
  for (int k = 1; k < facts->n_columns; k++)
    if (a[k] / a_factor != b[k] / b_factor)
      return false;
  return true;
}

/* Narrow REACH, of SUM but for its constant, whose factors have FACTOR in
   common, by POSITIVE, which is 0 or more.  */
static void
narrow (const tns_facts *facts, const long *sum, long factor,
        const long *positive, tns_reach *reach)
{
  long common = common_factor (facts, positive);
  long bound = factor * divided (positive[0], common);
  if (is_alike (facts, sum, factor, positive, common))
    {
      if (!reach->lo_known || reach->lo < -bound)
        reach->lo = -bound;
      reach->lo_known = true;
    }
  else if (is_alike (facts, sum, factor, positive, -common))
    {
      if (!reach->hi_known || reach->hi > bound)
        reach->hi = bound;
      reach->hi_known = true;
    }
}

/* The bounds of SUM, whose equalities are solved.  */
static tns_reach
reach_of (tns_facts *facts, const long *sum)
{
  tns_reach reach = { .lo_known = false };
  long factor = common_factor (facts, sum);
  for (int k = 0; k < facts->n_positive; k++)
    {
      row positive;
      memcpy (positive, facts->positive[k], sizeof positive);
      if (!solve (facts, positive))
        continue;
      if (common_factor (facts, positive) == 0)
        facts->none |= positive[0] < 0;
      else if (factor)
        narrow (facts, sum, factor, positive, &reach);
    }
  if (!factor)
    reach = (tns_reach){ true, true, 0, 0 };
  reach.lo += sum[0];
  reach.hi += sum[0];
  return reach;
}

tns_reach
tns_facts_reach (tns_facts *facts, const tns_moment *f, const tns_moment *g)
{
  row sum;
  if (!difference (facts, f, g, sum))
    return (tns_reach){ .lo_known = false };
  tns_reach reach = reach_of (facts, sum);
  reach.lo = divided (reach.lo, f->divisor);
  reach.hi = -divided (-reach.hi, f->divisor);
  return reach;
}

void
tns_facts_equate (tns_facts *facts, const tns_moment *f, const tns_moment *g)
{
  row sum;
  if (f->divisor == 1 && difference (facts, f, g, sum))
    add_equal (facts, sum);
}

/* The number VAL (taken) times FACTOR in *NUMBER; false when it is none or
   too large.  */
static bool
take_number (__isl_take isl_val *val, long factor, long *number)
{
  val = isl_val_mul_ui (val, (unsigned long) factor);
  bool fits = isl_val_is_int (val) == isl_bool_true
              && isl_val_cmp_si (val, 1L << 30) <= 0
              && isl_val_cmp_si (val, -(1L << 30)) >= 0;
  *number = fits ? isl_val_get_num_si (val) : 0;
  isl_val_free (val);
  return fits;
}

/* Fill M with DIVISOR times AFF, which has no parameters and, but for those
   that the caller has looked at, no quotients.  */
static bool
take_sum (tns_arena *arena, __isl_keep isl_aff *aff, tns_moment *m)
{
  isl_size n_params = isl_aff_dim (aff, isl_dim_param);
  isl_size n = isl_aff_dim (aff, isl_dim_in);
  if (n < 0 || n_params < 0
      || isl_aff_involves_dims (aff, isl_dim_param, 0, (unsigned) n_params)
           != isl_bool_false)
    return false;
  m->n = n;
  m->coef = TNS_NEW_ARRAY (arena, long, n + 1);
  bool fits
    = take_number (isl_aff_get_constant_val (aff), m->divisor, &m->constant);
  for (int k = 0; k < n && fits; k++)
    fits = take_number (isl_aff_get_coefficient_val (aff, isl_dim_in, k),
                        m->divisor, &m->coef[k]);
  return fits;
}

/* The only quotient of AFF that counts, with a factor of 1; -1 when there is
   none, -2 when AFF is more than that.  */
static int
quotient_of (__isl_keep isl_aff *aff)
{
  int found = -1;
  isl_size n = isl_aff_dim (aff, isl_dim_div);
  for (int k = 0; k < n; k++)
    {
      isl_val *val = isl_aff_get_coefficient_val (aff, isl_dim_div, k);
      if (isl_val_is_zero (val) != isl_bool_true)
        found = found == -1 && isl_val_is_one (val) == isl_bool_true ? k : -2;
      isl_val_free (val);
    }
  return found;
}

/* AFF is 0 but for its quotients.  */
static bool
is_bare (tns_arena *arena, __isl_keep isl_aff *aff)
{
  tns_moment m = { .divisor = 1 };
  bool zero = take_sum (arena, aff, &m) && m.constant == 0;
  for (int k = 0; k < m.n; k++)
    zero = zero && m.coef[k] == 0;
  return zero;
}

tns_moment
tns_moment_of_aff (tns_arena *arena, __isl_keep isl_aff *aff)
{
  tns_moment m = { .divisor = 1 };
  int quotient = quotient_of (aff);
  if (quotient == -1)
    m.known = take_sum (arena, aff, &m);
  else if (quotient >= 0 && is_bare (arena, aff))
    {
      isl_aff *inner = isl_aff_get_div (aff, quotient);
      m.known
        = quotient_of (inner) == -1
          && take_number (isl_aff_get_denominator_val (inner), 1, &m.divisor)
          && take_sum (arena, inner, &m);
      isl_aff_free (inner);
    }
  return m;
}
