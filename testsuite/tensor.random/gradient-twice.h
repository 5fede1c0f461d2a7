/* Derivatives of derivatives of the functions of a unit.

   Let G be the gradient or the tangent of F.  Its tangent takes directions V0
   of F's values, and gives those of the adjoints that G gives; its gradient
   takes V1 for these, and gives adjoints of F's values.  Sums over them

     sum of V1 * tangent = sum of V0 * gradient

   are that over F's results of seeds times derivatives along two directions, V0
   and V1, or, where G is a tangent, V0 and what G takes, with seeds V1.  */

#ifndef GRADIENT_TWICE_H
#define GRADIENT_TWICE_H

/* By place: what belongs to its value, to its adjoint.  */
static double side[2][MOST_PLACES][SPAN];

/* Element E of V0 or V1, as S says, at place K of F.  */
static double
along (const function *f, int s, int k, int e)
{
  double x = direction[s * MOST_PLACES + k][e];
  return f->places[k].is_f32 ? (float) x : x;
}

/* The role that place P of F needs to have V0, V1.  */
static int
role_of (const function *f, int s)
{
  return s && f->how == TANGENT ? OF : WRT;
}

/* Set what F's second derivative begins with: what comes out is 0.  */
static void
set_sides (const function *f)
{
  memset (side, 0, sizeof side);
  for (int k = 0; k < f->n_places; k++)
    for (int e = 0; e < SPAN; e++)
      {
        const place *p = &f->places[k];
        int s = f->is_twice_back;
        double x = p->role & role_of (f, s) ? along (f, s, k, e) : 0;
        double given = get (memory, MOST_PLACES + k, p->is_f32, e);
        if (p->is_f32)
          ((float *) side[s][k])[e] = (float) x;
        else
          side[s][k][e] = x;
        out.value[k][e] = get (memory, k, p->is_f32, e);
        out.tangent[k][e] = p->role & WRT ? along (f, 0, k, e) : 0;
        out.size[k][e] = fabs (out.tangent[k][e]);
        out.across[k][e] = !(p->role & WRT)    ? 0
                           : f->how == TANGENT ? given
                                               : along (f, 1, k, e);
      }
}

/* Seeds times second derivatives of F, *SIZE that of absolute values.  */
static double
forward_twice (const function *f, double *size)
{
  long double sum = 0;
  *size = 0;
  for (int k = 0; k < f->n_places; k++)
    for (int e = 0; f->places[k].role & OF && e < SPAN; e++)
      {
        double seed = f->how == TANGENT
                        ? along (f, 1, k, e)
                        : get (memory, MOST_PLACES + k, f->places[k].is_f32, e);
        sum += (long double) seed * out.mixed[k][e];
        *size += fabs (seed) * out.mixed_size[k][e];
      }
  return (double) sum;
}

/* The same as F's second derivative has it.  */
static double
backward_twice (const function *f)
{
  long double sum = 0;
  int s = !f->is_twice_back;
  for (int k = 0; k < f->n_places; k++)
    for (int e = 0; f->places[k].role & role_of (f, s) && e < SPAN; e++)
      {
        double x
          = f->places[k].is_f32 ? ((float *) side[s][k])[e] : side[s][k][e];
        sum += (long double) along (f, s, k, e) * x;
      }
  return (double) sum;
}

/* Call F's second derivative; whether it came to its end.  */
static int
call_twice (const function *f, int n, int m)
{
  void *at[4][MOST_PLACES];
  for (int k = 0; k < f->n_places; k++)
    for (int s = 0; s < 4; s++)
      {
        double *from = s < 2 ? memory[s * MOST_PLACES + k] : side[s - 2][k];
        at[s][k] = (char *) from + MARGIN * (f->places[k].is_f32 ? 4 : 8);
      }
  signal (SIGABRT, stopped);
  if (sigsetjmp (after_stop, 1))
    return 0;
  f->twice (n, m, at[0], at[1], at[2], at[3]);
  return 1;
}

/* Whether roundings move WANTED, what forward gives for F at N and M as filled
   from SEED, nearly as far as OFF (gradient-moved.h).  */
static int
moves_twice (const function *f, int n, int m, unsigned long seed, double wanted,
             double off)
{
  double size;
  int moves = 0;
  unsigned long now = state;
  for (int sign = -1; sign <= 1 && !f->is_exact; sign += 2)
    {
      state = seed;
      fill (f);
      set_sides (f);
      out.nudge = 2 * sign * ldexp (1, f->is_f32 ? -23 : -52);
      run_dual (f, n, m, &out);
      out.nudge = 0;
      moves |= !(fabs (forward_twice (f, &size) - wanted) <= MOVED_PART * off);
    }
  state = now;
  return moves;
}

/* F's second derivative at N and M.  */
static void
check_twice (const function *f, int n, int m)
{
  double size;
  unsigned long seed = state;
  fill (f);
  set_sides (f);
  run_dual (f, n, m, &out);
  memcpy (before, memory, sizeof memory);
  double wanted = forward_twice (f, &size);
  int is_done = call_twice (f, n, m);
  double got = backward_twice (f);
  double unit = ldexp (1, f->is_f32 ? -24 : -53);
  int is_exact = f->is_exact && size < 1 / unit;
  double bound = is_exact ? 0 : unit * 64 * (out.operations + 100) * size;
  int strayed = memcmp (before, memory, sizeof memory) != 0;
  n_calls++;
  n_twice++;
  n_exact += is_exact;
  n_stopped += !is_done;
  int is_off = is_done && !(fabs (got - wanted) <= bound);
  if (out.is_singular || out.is_steep || !(size < 1e30))
    n_skipped++;
  else if (is_off && !strayed
           && moves_twice (f, n, m, seed, wanted, fabs (got - wanted)))
    n_skipped++;
  else if (is_done && (is_off || strayed))
    {
      n_wrong++;
      printf ("%s twice (%d, %d): %.17g, forward %.17g, bound %.3g%s\n",
              f->name, n, m, got, wanted, bound,
              strayed ? ", other memory changed" : "");
    }
}

#endif
