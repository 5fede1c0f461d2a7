/* Calls whose result a rounding decides.

   A function that goes on with its own results, as large as 1e30, may carry
   the last place of a number to the first of another.  The compiler rounds
   functions of constants better than the library does, so that a gradient
   that is right differs then from forward mode.  Such a call is skipped: what
   forward mode gives moves as far when all functions of math.h give two units
   more than they do, or two units less.  */

#ifndef GRADIENT_MOVED_H
#define GRADIENT_MOVED_H

/* A difference is a fault where a rounding moves less than this part of it.  */
#define MOVED_PART 0.125

static double unmoved[MOST_PLACES][SPAN];

/* Forward mode of F under L at N and M as filled from SEED, where functions of
   math.h give UNITS more than they do.  */
static void
run_moved (const function *f, const layout *l, int n, int m, unsigned long seed,
           int units)
{
  unsigned long now = state;
  state = seed;
  fill (f);
  set_inputs (f, l);
  out.nudge = units * ldexp (1, f->is_f32 ? -23 : -52);
  run_dual (f, n, m, &out);
  out.nudge = 0;
  state = now;
}

/* How far F's tangents lie from FROM, all together.  */
static double
tangents_from (const function *f, double (*from)[SPAN])
{
  double sum = 0;
  for (int k = 0; k < f->n_places; k++)
    for (int e = 0; f->places[k].role & OF && e < SPAN; e++)
      sum += fabs (out.tangent[k][e] - from[k][e]);
  return sum;
}

/* Whether roundings move WANTED, what forward gives for F, nearly as far as
   OFF.  */
static int
moves_sum (const function *f, const layout *l, int n, int m, unsigned long seed,
           double wanted, double off)
{
  double size;
  int moves = 0;
  for (int sign = -1; sign <= 1 && !f->is_exact; sign += 2)
    {
      run_moved (f, l, n, m, seed, 2 * sign);
      moves |= !(fabs (forward (f, &size) - wanted) <= MOVED_PART * off);
    }
  return moves;
}

/* Whether roundings move F's tangents, which are in out, nearly as far as they
   lie from those in memory.  */
static int
moves_tangents (const function *f, const layout *l, int n, int m,
                unsigned long seed)
{
  int moves = 0;
  for (int k = 0; k < f->n_places; k++)
    for (int e = 0; e < SPAN; e++)
      unmoved[k][e] = get (memory, MOST_PLACES + k, f->places[k].is_f32, e);
  double off = tangents_from (f, unmoved);
  memcpy (unmoved, out.tangent, sizeof unmoved);
  for (int sign = -1; sign <= 1 && !f->is_exact; sign += 2)
    {
      run_moved (f, l, n, m, seed, 2 * sign);
      moves |= !(tangents_from (f, unmoved) <= MOVED_PART * off);
    }
  return moves;
}

#endif
