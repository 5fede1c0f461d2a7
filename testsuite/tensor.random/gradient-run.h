/* Runs the functions of a unit and their gradients.

   Every value and every adjoint has memory of its own, or, in a further call,
   an adjoint that is only added to lies, shifted, in the memory of another
   thing that the gradient reads or adds to.  Directions belong to memory:
   what is gained is weighed by where it lies.  What nothing is added to must
   stay, bit for bit.

   A gradient may stop with a message where what it takes for granted does not
   hold and the sizes of the copies that it then needs cannot be known, or what
   a time loop needs is more than it may have: no adjoint is written then.  */

#ifndef GRADIENT_RUN_H
#define GRADIENT_RUN_H

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int idx[PART];

/* at     by adjoint: the memory that it lies in; values lie in their own
   shift  by adjoint: how many elements behind its beginning  */
typedef struct layout
{
  int at[MOST_PLACES];
  int shift[MOST_PLACES];
} layout;

/* Values first, then adjoints: memory, directions.  */
static double memory[2 * MOST_PLACES][SPAN];
static double before[2 * MOST_PLACES][SPAN];
static double direction[2 * MOST_PLACES][SPAN];
static outcome out;
static unsigned long state;
static long n_calls, n_exact, n_skipped, n_stopped, n_wrong, n_twice;
static sigjmp_buf after_stop;

/* The gradient has stopped.  */
static void
stopped (int signal)
{
  (void) signal;
  siglongjmp (after_stop, 1);
}

/* The next number.  */
static long
next (void)
{
  state = state * 6364136223846793005UL + 1442695040888963407UL;
  return (long) (state >> 33);
}

/* A number for a function that is EXACT, or is not.  */
static double
some_number (int exact)
{
  return exact ? (double) (next () % 33) - 16 : next () % 4001 / 1000.0 - 2;
}

/* Element E of memory B, of floats where IS_F32; set to X.  */
static double
get (double (*from)[SPAN], int b, int is_f32, int e)
{
  return is_f32 ? ((float *) from[b])[e] : from[b][e];
}

static void
put (int b, int is_f32, int e, double x)
{
  if (is_f32)
    ((float *) memory[b])[e] = (float) x;
  else
    memory[b][e] = x;
}

/* Fill all that F uses.  */
static void
fill (const function *f)
{
  for (int b = 0; b < 2 * MOST_PLACES; b++)
    for (int e = 0; e < SPAN; e++)
      {
        int k = b % MOST_PLACES;
        int is_f32 = k < f->n_places && f->places[k].is_f32;
        double x = some_number (f->is_exact);
        int is_cleared
          = b >= MOST_PLACES && k < f->n_places && f->places[k].role & CLEAR;
        put (b, is_f32, e, is_cleared ? NAN : x);
        direction[b][e] = f->is_exact ? next () % 2 ? 1 : -2 : some_number (0);
      }
}

/* Where element E of F's adjoint K lies in its memory, may be beyond.  */
static int
index_of (const layout *l, int k, int e)
{
  int at = e + l->shift[k];
  return at < 0 ? 0 : at < SPAN ? at : SPAN - 1;
}

/* Set what F's forward mode begins with; a tangent's directions are where its
   caller put them.  */
static void
set_inputs (const function *f, const layout *l)
{
  for (int k = 0; k < f->n_places; k++)
    for (int e = 0; e < SPAN; e++)
      {
        int role = f->places[k].role;
        double d = f->how == TANGENT
                     ? get (memory, MOST_PLACES + k, f->places[k].is_f32, e)
                     : direction[l->at[k]][index_of (l, k, e)];
        d = role & WRT ? d : 0;
        out.value[k][e] = get (memory, k, f->places[k].is_f32, e);
        out.tangent[k][e] = d;
        out.size[k][e] = fabs (d);
      }
}

/* Let the memory of what F's gradient is given hold what F leaves there.  */
static void
give (const function *f)
{
  for (int k = 0; k < f->n_places; k++)
    for (int e = 0; f->places[k].role & GIVEN && e < SPAN; e++)
      put (k, f->places[k].is_f32, e, out.value[k][e]);
}

/* Sum of seeds times tangents, *SIZE that of absolute values.  */
static double
forward (const function *f, double *size)
{
  long double sum = 0;
  *size = 0;
  for (int k = 0; k < f->n_places; k++)
    for (int e = 0; f->places[k].role & OF && e < SPAN; e++)
      {
        double u = get (before, MOST_PLACES + k, f->places[k].is_f32, e);
        sum += (long double) u * out.tangent[k][e];
        *size += fabs (u) * out.size[k][e];
      }
  return (double) sum;
}

/* The gradient sets the adjoint of P, which comes in, too.  */
static int
is_set (const place *p)
{
  return (p->role & (OF | WRT)) == (OF | WRT);
}

/* What element E of memory B, which holds IS of the adjoint of P, gained: 0
   where that is cleared, and is not reached.  */
static double
gain_of (const place *p, int b, int e, double is)
{
  if (b >= MOST_PLACES && p->role & CLEAR)
    return isnan (is) ? 0 : is;
  return b >= MOST_PLACES && is_set (p) ? is
                                        : is - get (before, b, p->is_f32, e);
}

/* Sum of directions times gains; *SIZE gains what rounding those may cost,
   *STILL is that of what did not change: gains too small to be seen.  */
static double
backward (const function *f, double *size, double *still)
{
  long double sum = 0;
  *still = 0;
  for (int b = f->how == PRIMAL ? MOST_PLACES : 0; b < 2 * MOST_PLACES; b++)
    {
      int k = b % MOST_PLACES;
      if (k >= f->n_places)
        continue;
      const place *p = &f->places[k];
      int adds = b < MOST_PLACES || !(is_set (p) || p->role & CLEAR);
      for (int e = 0; e < SPAN; e++)
        {
          double was = get (before, b, p->is_f32, e);
          double is = get (memory, b, p->is_f32, e);
          double gain = gain_of (p, b, e, is);
          if (adds && is == was)
            {
              *still += fabs (direction[b][e] * was);
              continue;
            }
          sum += (long double) direction[b][e] * gain;
          *size += fabs (direction[b][e] * (p->role & CLEAR ? gain : was));
        }
    }
  return (double) sum;
}

/* Whether the memory of F's place K holds what F leaves there: functions of
   constants may be computed by the compiler, which rounds them better.  */
static int
is_left (const function *f, int k)
{
  const place *p = &f->places[k];
  double unit = f->is_exact ? 0 : ldexp (1, f->is_f32 ? -24 : -53);
  for (int e = 0; e < SPAN; e++)
    {
      double is = get (memory, k, p->is_f32, e);
      double left = out.value[k][e];
      if (p->role & ABSENT)
        left = get (before, k, p->is_f32, e);
      double bound = 8 * (out.operations + 100) * unit * (1 + fabs (left));
      if (!(fabs (is - left) <= bound) && isfinite (left))
        return 0;
    }
  return 1;
}

/* Whether the gradient of F changed memory that no adjoint of L lies in, or,
   if it also does what F does, did not.  */
static int
strays (const function *f, const layout *l)
{
  for (int b = 0; b < 2 * MOST_PLACES; b++)
    {
      int is_added = 0;
      int has_value = f->how == PRIMAL && b < f->n_places;
      for (int k = 0; k < f->n_places; k++)
        is_added |= f->places[k].role & (f->how == TANGENT ? OF : WRT)
                    && l->at[k] == b;
      if (has_value
            ? !is_left (f, b)
            : !is_added && memcmp (memory[b], before[b], sizeof *memory))
        return 1;
    }
  return 0;
}

/* Whether the gradient of F, which stopped, left alone what it must.  */
static int
is_untouched (const function *f)
{
  int first = f->how == PRIMAL ? MOST_PLACES : 0;
  size_t size = (2 * MOST_PLACES - first) * sizeof *memory;
  return memcmp (memory[first], before[first], size) == 0;
}

/* How many elements of F's tangents differ from those of forward mode, in
   units of UNIT; what F does not write keeps what is there, and an element
   whose bound is no number has none.  WHERE gets the first.  */
static long
differences (const function *f, double unit, char *where, size_t size)
{
  long n = 0;
  for (int k = 0; k < f->n_places; k++)
    for (int e = 0; f->places[k].role & OF && e < SPAN; e++)
      {
        int is_f32 = f->places[k].is_f32;
        double is = get (memory, MOST_PLACES + k, is_f32, e);
        double was = get (before, MOST_PLACES + k, is_f32, e);
        double bound
          = 8 * (out.operations + 100) * unit * out.size[k][e] + 1e-30;
        int is_kept = is == was && out.tangent[k][e] == 0;
        if (is_kept || isnan (bound) || fabs (is - out.tangent[k][e]) <= bound)
          continue;
        if (n++ == 0)
          snprintf (where, size, "d%s[%d] = %.17g, forward %.17g",
                    f->places[k].name, e - MARGIN, is, out.tangent[k][e]);
      }
  return n;
}

/* Call the gradient of F; whether it came to its end.  */
static int
call (const function *f, const layout *l, int n, int m)
{
  void *value[MOST_PLACES], *adjoint[MOST_PLACES];
  for (int k = 0; k < f->n_places; k++)
    {
      int bytes = f->places[k].is_f32 ? 4 : 8;
      value[k] = (char *) memory[k] + MARGIN * bytes;
      adjoint[k] = (char *) memory[l->at[k]] + (MARGIN + l->shift[k]) * bytes;
    }
  signal (SIGABRT, stopped);
  if (sigsetjmp (after_stop, 1))
    return 0;
  f->derived (n, m, value, adjoint);
  return 1;
}

#include "gradient-moved.h"

/* The tangent of F at N and M.  */
static void
check_tangent (const function *f, const layout *l, int n, int m)
{
  unsigned long seed = state;
  fill (f);
  set_inputs (f, l);
  run_dual (f, n, m, &out);
  memcpy (before, memory, sizeof memory);
  int is_done = call (f, l, n, m);
  char where[120] = "";
  long n_different
    = differences (f, ldexp (1, f->is_f32 ? -24 : -53), where, sizeof where);
  int has_strayed = is_done && strays (f, l);
  n_calls++;
  n_stopped += !is_done;
  if (out.is_singular)
    n_skipped++;
  else if (n_different > 0 && is_done && !has_strayed
           && moves_tangents (f, l, n, m, seed))
    n_skipped++;
  else if (is_done ? n_different > 0 || has_strayed : !is_untouched (f))
    {
      n_wrong++;
      printf ("%s (%d, %d): %ld tangents differ, %s%s\n", f->name, n, m,
              n_different, where, has_strayed ? ", other memory changed" : "");
    }
}

/* F at N and M under L, whose words are WHERE.  */
static void
check (const function *f, const layout *l, int n, int m, const char *where)
{
  double size, still;
  unsigned long seed = state;
  fill (f);
  set_inputs (f, l);
  run_dual (f, n, m, &out);
  give (f);
  memcpy (before, memory, sizeof memory);
  double wanted = forward (f, &size);
  int is_done = call (f, l, n, m);
  double got = backward (f, &size, &still);
  double unit = ldexp (1, f->is_f32 ? -24 : -53);
  int is_exact = f->is_exact && size < 1 / unit;
  double bound
    = is_exact ? 0 : unit * (8 * (out.operations + 100) * size + still);
  int has_strayed = is_done && strays (f, l);
  int is_off = is_done && !(fabs (got - wanted) <= bound);
  n_calls++;
  n_exact += is_exact;
  if (!is_done)
    n_stopped++;
  if (out.is_singular || !(size < 1e30))
    n_skipped++;
  else if (is_off && !has_strayed
           && moves_sum (f, l, n, m, seed, wanted, fabs (got - wanted)))
    n_skipped++;
  else if (is_done ? is_off || has_strayed : !is_untouched (f))
    {
      n_wrong++;
      printf ("%s (%d, %d)%s: %.17g, forward %.17g, bound %.3g%s\n", f->name, n,
              m, where, got, wanted, bound,
              has_strayed ? ", other memory changed" : "");
    }
}

/* F at N and M with one adjoint that is added to in the memory of another
   thing.  */
static void
check_overlaps (const function *f, const layout *apart, int n, int m)
{
  for (int k = 0; k < f->n_places && !f->is_restrict && !f->how; k++)
    {
      layout l = *apart;
      int b = (int) (next () % (2 * f->n_places));
      int other = b % f->n_places;
      int is_adjoint = b >= f->n_places;
      const place *to = &f->places[other];
      if ((f->places[k].role & ~GIVEN) != WRT
          || f->places[k].is_f32 != to->is_f32
          || (is_adjoint && (is_set (to) || to->role & CLEAR || other == k)))
        continue;
      l.at[k] = is_adjoint ? MOST_PLACES + other : other;
      l.shift[k] = (int) (next () % 5) - 2;
      char where[80];
      snprintf (where, sizeof where, ", d%s in %s%s + %d", f->places[k].name,
                is_adjoint ? "d" : "", to->name, l.shift[k]);
      check (f, &l, n, m, where);
    }
}

#include "gradient-twice.h"

/* All of F.  */
static void
check_function (const function *f)
{
  static const int sizes[][2] = { { 0, 5 },   { 1, 1 },   { 2, 7 },  { 5, 3 },
                                  { 16, 16 }, { 17, 23 }, { 37, 33 } };
  layout apart;
  for (int k = 0; k < MOST_PLACES; k++)
    {
      apart.at[k] = MOST_PLACES + k;
      apart.shift[k] = 0;
    }
  for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
    {
      int n = sizes[s][0], m = sizes[s][1];
      if (f->how == TANGENT)
        check_tangent (f, &apart, n, m);
      else
        check (f, &apart, n, m, "");
      check_overlaps (f, &apart, n, m);
      if (f->twice && s > 0)
        check_twice (f, n, m);
    }
}

/* All of the N FUNCTIONS; what main returns.  */
static int
check_all (const function *functions, int n)
{
  int n_functions = 0;
  for (int k = 0; k < PART; k++)
    idx[k] = (int) (next () % 40);
  for (int k = 0; k < n; k++)
    if (functions[k].derived)
      {
        n_functions++;
        check_function (&functions[k]);
      }
  printf ("%d functions, %ld calls, %ld exact, %ld skipped, %ld stopped, "
          "%ld twice, %ld wrong\n",
          n_functions, n_calls, n_exact, n_skipped, n_stopped, n_twice,
          n_wrong);
  return n_wrong > 0;
}

#endif
