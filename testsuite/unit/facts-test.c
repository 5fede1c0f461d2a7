/* What constraints say plainly, against what isl finds: random pairs of
   instances, random functions of both ends.  The least and the greatest
   difference must lie in what is said, and there are no pairs where that is
   said; of pairs at a constant distance all is said.

     facts-test [N [SEED]]    N random pairs, 3000 unless said  */

#include <isl/ilp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ctx.h"
#include "poly/facts.h"

static unsigned long long state;

/* A number from LO to HI.  */
static int
between (int lo, int hi)
{
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return lo + (int) ((state >> 33) % (unsigned) (hi - lo + 1));
}

/* Pairs { [i0, i1] -> [o0, o1] } with random constraints.  */
static isl_basic_map *
some_pairs (isl_ctx *isl)
{
  char text[600];
  int n = sprintf (text, "[n] -> { S[i, j] -> T[o, p] : 0 <= i < n and j >= 0 "
                         "and p >= 0");
  for (int k = between (1, 4); k > 0; k--)
    n += sprintf (text + n, " and %do + %dp %s %di + %dj + %d", between (0, 2),
                  between (-1, 1), between (0, 1) ? "=" : ">=", between (0, 2),
                  between (-1, 1), between (-3, 3));
  sprintf (text + n, " and o %s i + %d }", between (0, 1) ? "=" : ">",
           between (-2, 2));
  return isl_basic_map_read_from_str (isl, text);
}

/* floor ((a x + b y + c) / d).  */
static tns_moment
some_moment (tns_arena *arena, long divisor)
{
  tns_moment m = { .known = true, .n = 2, .divisor = divisor };
  m.coef = TNS_NEW_ARRAY (arena, long, 2);
  m.coef[0] = between (-1, 2);
  m.coef[1] = between (-1, 1);
  m.constant = between (-3, 3);
  return m;
}

/* M of the source or, with OF_TARGET, the target of PAIRS.  */
static isl_pw_aff *
value_of (isl_basic_map *pairs, const tns_moment *m, bool of_target)
{
  isl_space *space = isl_basic_map_get_space (pairs);
  isl_set *all = isl_map_wrap (isl_map_universe (space));
  isl_local_space *local = isl_local_space_from_space (isl_set_get_space (all));
  isl_set_free (all);
  isl_aff *aff = isl_aff_zero_on_domain (local);
  for (int k = 0; k < 2; k++)
    aff = isl_aff_set_coefficient_si (aff, isl_dim_in, 2 * of_target + k,
                                      (int) m->coef[k]);
  aff = isl_aff_set_constant_si (aff, (int) m->constant);
  isl_ctx *isl = isl_aff_get_ctx (aff);
  aff = isl_aff_scale_down_val (aff, isl_val_int_from_si (isl, m->divisor));
  return isl_pw_aff_from_aff (isl_aff_floor (aff));
}

/* VAL (taken) is not less (SIGN 1), not more (-1) than BOUND.  */
static bool
keeps_to (isl_val *val, long bound, int sign)
{
  int way = isl_val_cmp_si (val, bound);
  bool nan = isl_val_is_nan (val) == isl_bool_true;
  isl_val_free (val);
  return nan || way * sign >= 0;
}

/* What is said of one random pair; *SAID counts bounds.  */
static bool
check_pair (tns_arena *arena, isl_ctx *isl, int *said)
{
  static tns_facts facts;
  isl_basic_map *pairs = some_pairs (isl);
  long divisor = between (0, 3) ? 1 : between (2, 4);
  tns_moment f = some_moment (arena, divisor);
  tns_moment g = between (0, 1) ? f : some_moment (arena, divisor);
  tns_moment e = some_moment (arena, 1);
  bool right = tns_facts_read (&facts, pairs);
  isl_map *map = isl_map_from_basic_map (isl_basic_map_copy (pairs));
  if (between (0, 2) == 0)
    {
      tns_facts_equate (&facts, &e, &e);
      isl_pw_aff *same = isl_pw_aff_sub (value_of (pairs, &e, true),
                                         value_of (pairs, &e, false));
      isl_set *zero = isl_pw_aff_zero_set (same);
      map = isl_map_intersect (map, isl_set_unwrap (zero));
    }
  tns_reach reach = tns_facts_reach (&facts, &f, &g);
  if (facts.none)
    right &= isl_map_is_empty (map) == isl_bool_true;
  else if (isl_map_is_empty (map) == isl_bool_false)
    {
      isl_pw_aff *apart = isl_pw_aff_sub (value_of (pairs, &g, true),
                                          value_of (pairs, &f, false));
      apart = isl_pw_aff_intersect_domain (apart,
                                           isl_map_wrap (isl_map_copy (map)));
      if (reach.lo_known)
        right &= keeps_to (isl_pw_aff_min_val (isl_pw_aff_copy (apart)),
                           reach.lo, 1);
      if (reach.hi_known)
        right &= keeps_to (isl_pw_aff_max_val (isl_pw_aff_copy (apart)),
                           reach.hi, -1);
      *said += reach.lo_known + reach.hi_known;
      isl_pw_aff_free (apart);
    }
  isl_map_free (map);
  isl_basic_map_free (pairs);
  return right;
}

/* Say whether OK.  */
static int
verdict (bool ok, const char *what)
{
  printf ("%s: facts: %s\n", ok ? "PASS" : "FAIL", what);
  return !ok;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 3000;
  unsigned long long seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  tns_ctx *ctx = tns_ctx_new (tns_allocator_malloc ());
  isl_ctx *isl = tns_isl_new ();
  int wrong = 0;
  int said = 0;
  for (int k = 0; k < n; k++)
    {
      state = (seed + (unsigned long long) k) * 0x9e3779b97f4a7c15ULL;
      bool right = check_pair (ctx->arena, isl, &said);
      if (!right && wrong++ == 0)
        printf ("number %d\n", k);
    }
  printf ("%d of %d are wrong, %d bounds said\n", wrong, n, said);
  int failed = verdict (wrong == 0, "what is said is so");
  failed += verdict (said > n / 4, "bounds are found");
  isl_ctx_free (isl);
  tns_ctx_free (ctx);
  return failed > 0;
}
