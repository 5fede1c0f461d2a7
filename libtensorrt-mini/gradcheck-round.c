/* What rounding does to a gradient, and to f.

   What a gradient gives differs from the derivative by its own rounding.  How
   far is measured: the gradient runs again, from plain loops, on inputs and
   incoming adjoints each moved by at most one unit in the last place, RERUNS
   times, and once more all in double; the largest distance from what it gives
   without that is seen, and TRM_MARGIN times that is allowed, beside UNITS
   units in the last place of what was added to.

   Differences of f suffer in the same way: how far f's outputs move with its
   inputs' last places is what nobody knows of them.  */

#include "gradcheck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RERUNS 6
#define UNITS  4
#define GIVEN  1024

/* The next number of a sequence, -1, 0 or 1.  */
static int
next_step (uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (int) ((*state >> 33) % 3) - 1;
}

/* Row K as it was at the entry, where the gradient runs again; with STATE
   inputs are moved by a unit at most.  */
static void
reset_own (trm_case *c, int k, uint64_t *state)
{
  trm_area *m = &c->memory[k];
  const trm_row *row = &c->own->row[k];
  double unit = trm_unit (row->type);
  memcpy (m->own, m->entry, (size_t) (m->n * row->type->bytes));
  bool moves
    = state && row->type->kind == 'F' && (row->about < 0 || row->comes);
  for (int64_t e = 0; moves && e < m->n; e++)
    {
      double x = m->wide[e];
      trm_set_number (row->type, (char *) m->own + e * row->type->bytes,
                      x + x * unit * next_step (state));
    }
  c->at[k] = (char *) m->own - m->lo * row->type->bytes;
}

/* Run the gradient again; false when it does not.  */
static bool
run_again (trm_case *c, uint64_t *state)
{
  for (int k = 0; k < c->own->n; k++)
    reset_own (c, k, state);
  return c->gradient->again (c->at, NULL);
}

/* The same all in double, where f runs.  */
static bool
run_exact (trm_case *c)
{
  trm_case_reset (c);
  return c->gradient->exact (c->at, NULL);
}

/* Where the gradient ran again adjoint A is another than PLAIN[A]: widen
   what rounding may do; EXACT: it ran in double.  */
static void
widen_rounding (trm_case *c, int a, const double *plain, bool exact)
{
  trm_area *m = &c->memory[a];
  for (int64_t e = 0; e < m->n; e++)
    {
      double x = exact ? ((double *) m->work)[e]
                       : trm_row_number (&c->own->row[a], m->own, e);
      double apart = fabs (x - plain[e]);
      m->rounding[e] = fmax (m->rounding[e], apart);
    }
}

/* The same for all adjoints that go out.  */
static void
widen_all (trm_case *c, double *const *plain, bool exact)
{
  for (int a = 0; a < c->own->n; a++)
    if (c->own->row[a].goes)
      widen_rounding (c, a, plain[a], exact);
}

/* What adjoint A is after the gradient ran again, all elements; NULL when there
   is no memory.  */
static double *
own_numbers (const trm_case *c, int a)
{
  const trm_area *m = &c->memory[a];
  double *x = malloc ((size_t) m->n * sizeof *x + 1);
  for (int64_t e = 0; x && e < m->n; e++)
    x[e] = trm_row_number (&c->own->row[a], m->own, e);
  return x;
}

/* Note which elements of tangents that go out are not set: those that are as
   they were, whatever that was.  PLAIN is what they are.  */
static bool
find_unset (trm_case *c, double *const *plain)
{
  for (int k = 0; k < c->own->n; k++)
    {
      const trm_row *row = &c->own->row[k];
      reset_own (c, k, NULL);
      for (int64_t e = 0; row->goes && !row->comes && e < c->memory[k].n; e++)
        trm_set_number (row->type,
                        (char *) c->memory[k].own + e * row->type->bytes,
                        c->memory[k].wide[e] == 1 ? 2 : 1);
    }
  if (!c->gradient->again (c->at, NULL))
    return false;
  for (int a = 0; a < c->own->n; a++)
    for (int64_t e = 0; c->own->row[a].goes && e < c->memory[a].n; e++)
      {
        double x = trm_row_number (&c->own->row[a], c->memory[a].own, e);
        c->memory[a].unset[e] = !(x == plain[a][e] || x != x);
      }
  return true;
}

/* Measure how far rounding moves what the gradient gives.  */
static void
measure_rounding (trm_case *c)
{
  uint64_t state = 1;
  double **plain = calloc ((size_t) c->own->n + 1, sizeof *plain);
  bool is_there = plain && run_again (c, NULL);
  for (int a = 0; is_there && a < c->own->n; a++)
    if (c->own->row[a].goes && !(plain[a] = own_numbers (c, a)))
      is_there = false;
  if (is_there && c->own->forward)
    is_there = find_unset (c, plain);
  for (int r = 0; is_there && r < RERUNS; r++)
    {
      is_there = run_again (c, &state);
      if (is_there)
        widen_all (c, plain, false);
    }
  is_there = is_there && run_exact (c);
  if (is_there)
    widen_all (c, plain, true);
  else
    c->why = "there is no memory";
  for (int a = 0; plain && a < c->own->n; a++)
    free (plain[a]);
  free (plain);
}

/* What f leaves in its outputs is blurred by what it differs from those kept.
 */
static void
widen_blur (trm_case *c)
{
  for (int a = 0; a < c->own->n; a++)
    for (int64_t e = 0; c->own->row[a].of && e < c->memory[a].n; e++)
      {
        const double *y = c->memory[c->own->row[a].about].work;
        double apart = fabs (y[e] - c->memory[a].before[e]);
        c->memory[a].blur[e] = fmax (c->memory[a].blur[e], apart);
      }
}

/* Run f; with STATE from inputs that are moved by a unit at most.  */
static bool
run_moved (trm_case *c, uint64_t *state)
{
  trm_case_reset (c);
  for (int k = 0; state && k < c->own->n; k++)
    {
      trm_area *m = &c->memory[k];
      double *x = m->work;
      bool moves = m->wide && c->own->row[k].about < 0;
      for (int64_t e = 0; moves && e < m->n; e++)
        x[e] += x[e] * c->own->unit * next_step (state);
    }
  return c->gradient->primal (c->at, NULL);
}

/* Arrays that are given hold what f leaves in them: else the gradient is of
   another function.  Asked after f has run.  */
static void
check_given (trm_case *c)
{
  for (int k = 0; k < c->own->n; k++)
    {
      const trm_row *row = &c->own->row[k];
      const trm_area *m = &c->memory[k];
      for (int64_t e = 0; row->given && m->wide && e < m->n; e++)
        {
          double left = ((double *) m->work)[e];
          double apart = fabs (left - m->wide[e]);
          double size = fabs (left) + fabs (m->wide[e]);
          if (trm_case_has (c, k, e)
              && apart > GIVEN * trm_unit (row->type) * size)
            c->why = "an array that is given does not hold what the function "
                     "leaves in it";
        }
    }
}

/* Measure how far rounding moves f's outputs; f runs for the first time.  */
static void
measure_blur (trm_case *c)
{
  uint64_t state = 1;
  bool runs = run_moved (c, NULL);
  trm_case_keep (c);
  check_given (c);
  for (int r = 0; runs && r < RERUNS; r++)
    {
      runs = run_moved (c, &state);
      widen_blur (c);
    }
  if (!runs)
    c->why = "there is no memory";
}

/* What adjoint A, which goes out, gained, or is where it came in, too.  */
static void
fetch_adjoint (trm_case *c, int a)
{
  trm_area *m = &c->memory[a];
  const trm_row *row = &c->own->row[a];
  double unit = trm_unit (row->type);
  const char *from = (const char *) m->user + m->lo * row->type->bytes;
  if (!trm_copy_if_there (m->own, from, (size_t) (m->n * row->type->bytes)))
    c->why = "some of its memory is not there";
  for (int64_t e = 0; !c->why && e < m->n; e++)
    {
      double after = trm_row_number (row, m->own, e);
      double before = row->comes || c->own->forward ? 0 : m->wide[e];
      double size = fmax (fabs (after), fabs (before));
      m->gained[e] = after - before;
      m->rounding[e] = TRM_MARGIN * m->rounding[e] + UNITS * unit * size;
    }
}

void
trm_case_finish (trm_case *c)
{
  if (!c->why)
    measure_rounding (c);
  if (!c->why)
    measure_blur (c);
  for (int a = 0; a < c->own->n && !c->why; a++)
    if (c->own->row[a].goes)
      fetch_adjoint (c, a);
}
