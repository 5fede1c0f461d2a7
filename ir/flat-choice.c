/* Subscripts that choose, as ir/flat.h says.

     a[y*m + (x < 0 ? 0 : x)]        x < 0:  0, and -1 - x is not negative
                                     else:   x, and x is not negative

   One of a and b that is the least, or the greatest, is a choice, too.  Where
   there is an access, the loops around it have iterations: this is known of
   what is chosen, besides.  */

#include "ir/flat.h"

#include "ir/walk.h"

/* ATOM chooses by what does not change on the way to the access.  */
static bool
is_choice (tns_expr *atom)
{
  return (atom->op == TNS_SELECT || atom->op == TNS_MIN || atom->op == TNS_MAX)
         && atom->type.lanes == 1 && !tns_expr_loads (atom)
         && !tns_is_over_values (atom);
}

/* When ATOM, a choice, is its first value.  */
static tns_expr *
condition_of (tns_arena *arena, tns_expr *atom)
{
  return atom->op == TNS_SELECT
           ? atom->arg[0]
           : tns_binary (arena, atom->op == TNS_MIN ? TNS_LE : TNS_GE,
                         atom->arg[0], atom->arg[1]);
}

/* ACCESS, where COND, or, NEGATED, its contrary holds, and the loops around it
   have iterations.  */
static tns_flat_access
access_where (tns_arena *arena, const tns_flat_access *access,
              const tns_expr *cond, bool negated)
{
  tns_flat_access made = *access;
  made.known = TNS_NEW_ARRAY (arena, tns_sum, TNS_MOST_KNOWN + 1);
  for (int k = 0; k < access->n_known; k++)
    made.known[k] = access->known[k];
  made.n_known
    = tns_flat_known (arena, cond, negated, made.known, access->n_known);
  for (int k = 0; k < access->n_loops; k++)
    {
      const tns_node *loop = access->loop[k];
      bool up = loop->step > 0;
      tns_expr *some = tns_binary (arena, TNS_LT, up ? loop->lo : loop->hi,
                                   up ? loop->hi : loop->lo);
      made.n_known
        = tns_flat_known (arena, some, false, made.known, made.n_known);
    }
  return made;
}

bool
tns_flat_choice (tns_arena *arena, const tns_flat_access *access, tns_sum sum,
                 tns_sum *value, tns_flat_access *where)
{
  int at = 0;
  while (at < sum.n
         && (sum.term[at].n_atoms != 1 || !is_choice (sum.term[at].atom[0])))
    at++;
  if (at >= sum.n)
    return false;
  tns_term one = sum.term[at];
  tns_expr *atom = one.atom[0];
  tns_expr *cond = condition_of (arena, atom);
  tns_sum rest = tns_sum_add (
    arena, sum, tns_sum_scale (arena, tns_sum_of_term (arena, one), -1));
  for (int k = 0; k < 2; k++)
    {
      tns_expr *chosen = atom->arg[atom->op == TNS_SELECT ? k + 1 : k];
      value[k] = tns_sum_add (
        arena, rest,
        tns_sum_scale (arena, tns_sum_of (arena, chosen), one.factor));
      where[k] = access_where (arena, access, cond, k == 1);
    }
  return true;
}
