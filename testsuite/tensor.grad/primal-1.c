/* Shows gradients that also do what their functions do: a loss and its
   gradient, time steps in place, several outputs; the same bits as the
   functions', arrays that overlap, and no memory.  */
/* { dg-additional-options "-ffp-contract=off -fno-fast-math" } */

#include "check.h"

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  CLASSES = 3
};

static real
cross_entropy (int m, const real *x, const int *label, real *p)
{
  real loss = 0;
  for (int i = 0; i < m; i++)
    {
      real top = -1e30, sum = 0;
      for (int j = 0; j < CLASSES; j++)
        top = fmax (top, x[i * CLASSES + j]);
      for (int j = 0; j < CLASSES; j++)
        {
          p[i * CLASSES + j] = exp (x[i * CLASSES + j] - top);
          sum += p[i * CLASSES + j];
        }
      for (int j = 0; j < CLASSES; j++)
        p[i * CLASSES + j] /= sum;
      loss += log (sum) + top - x[i * CLASSES + label[i] % CLASSES];
    }
  return loss;
}

#pragma tensor gradient(cross_entropy) of(return) wrt(x: dx) with(primal) fp(strict)
real cross_entropy_both (int m, const real *x, const int *label, real *p,
                         real *dx);

static int
heat (int m, real *x)
{
  for (int t = 0; t < 3; t++)
    for (int i = 1; i < m - 1; i++)
      x[i] = x[i] + 0.25 * x[i] * (x[i - 1] - 2 * x[i] + x[i + 1]);
  return m + 2;
}

#pragma tensor gradient(heat) of(x: dx) wrt(x: dx) with(primal) fp(strict)
int heat_both (int m, real *x, real *dx);

static void
several (int m, const real *x, real *y, real *z, real *s)
{
  *s = 0;
  for (int i = 0; i < m; i++)
    {
      y[i] = sin (x[i]);
      z[i] = y[i] * y[i];
      *s += z[i] * x[i];
    }
}

#pragma tensor gradient(several) of(z: dz, s: ds) wrt(x: dx) with(primal) fp(strict)
void several_both (int m, const real *x, real *y, real *z, real *s,
                   const real *dz, const real *ds, real *dx);

static void
entropy_kernel (values at, real *out)
{
  static real p[ROOM];
  out[0] = cross_entropy (n, at[0], index_of, p);
}

static void
heat_kernel (values at, real *out)
{
  heat (n, at[0]);
  memcpy (out, at[0], sizeof at[0]);
}

static void
several_kernel (values at, real *out)
{
  static real y[ROOM];
  several (n, at[0], y, out + 1, out);
}

/* GOT, of COUNT elements, has the bits that the function gives it.  */
static void
same (const char *name, const real *got, const real *want, int count)
{
  if (!memcmp (got, want, sizeof *got * (size_t) count))
    return;
  printf ("%s, n = %d: another result than the function's\n", name, n);
  faults++;
}

static real p[2][ROOM], y[2][ROOM], z[2][ROOM];

/* A loss and its gradient.  */
static void
show_entropy (int size)
{
  start (size);
  u[0] = 1;
  real got = cross_entropy_both (n, a[0], index_of, p[0], g[0]);
  real want = cross_entropy (n, a[0], index_of, p[1]);
  same ("cross entropy", &got, &want, 1);
  same ("probabilities", p[0], p[1], CLASSES * n);
  agree ("cross entropy", entropy_kernel, 0);
}

/* In place.  */
static void
show_heat (int size)
{
  static values before;
  start (size);
  memcpy (before, a, sizeof a);
  memcpy (g[0], u, sizeof u);
  faults += heat_both (n, a[0], g[0]) != n + 2;
  heat (n, before[0]);
  same ("heat", a[0], before[0], n);
  start (size);
  memset (u + n, 0, sizeof u - sizeof *u * (size_t) n);
  memcpy (g[0], u, sizeof u);
  memcpy (before, a, sizeof a);
  heat_both (n, before[0], g[0]);
  agree_from ("heat", heat_kernel, 0, 0);
}

/* Several outputs; then one is where the values are.  */
static void
show_several (int size)
{
  real s[2];
  start (size);
  several_both (n, a[0], y[0], z[0], &s[0], u + 1, u, g[0]);
  several (n, a[0], y[1], z[1], &s[1]);
  same ("sum", &s[0], &s[1], 1);
  same ("sines", y[0], y[1], n);
  same ("squares", z[0], z[1], n);
  agree ("several", several_kernel, 0);
  memcpy (z[0], a[0], sizeof a[0]);
  memcpy (z[1], a[0], sizeof a[0]);
  several_both (n, z[0], y[0], z[0], &s[0], u + 1, u, g[0]);
  several (n, z[1], y[1], z[1], &s[1]);
  same ("sum in place", &s[0], &s[1], 1);
  same ("squares in place", z[0], z[1], n);
}

/* 1 where a gradient that is refused memory ends the program and says so.  */
static int
ends_without_memory (void)
{
  static real x[4000000], dx[4000000];
  int way[2], status;
  char said[64] = "";
  fflush (stdout);
  if (pipe (way))
    return 0;
  pid_t child = fork ();
  if (child == 0)
    {
      struct rlimit none = { 1, 1 }, quiet = { 0, 0 };
      dup2 (way[1], STDERR_FILENO);
      setrlimit (RLIMIT_CORE, &quiet);
      setrlimit (RLIMIT_AS, &none);
      heat_both (4000000, x, dx);
      _exit (0);
    }
  close (way[1]);
  bool is_said = read (way[0], said, sizeof said - 1) > 0
                 && strstr (said, "heat_both: no memory");
  return is_said && waitpid (child, &status, 0) == child
         && WIFSIGNALED (status);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      show_entropy (sizes[s]);
      show_heat (sizes[s]);
      show_several (sizes[s]);
    }
  if (!ends_without_memory ())
    {
      printf ("there was memory\n");
      faults++;
    }
  return faults != 0;
}
