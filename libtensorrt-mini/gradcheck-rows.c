/* The rows of a call that is checked: copies of the caller's memory, and f, its
   tangent and its gradient run on them.

   Floating rows are copied twice: as double, which f and its tangent run on,
   and in the caller's type, for the gradient to run again.  */

#include "gradcheck.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double
trm_unit (const trm_element_type *type)
{
  return ldexp (
    1, 1 - (type->digits < DBL_MANT_DIG ? type->digits : DBL_MANT_DIG));
}

/* ROW's elements are floating.  */
static bool
is_float (const trm_row *row)
{
  return row->type->kind == 'F';
}

double
trm_row_number (const trm_row *row, const void *base, int64_t e)
{
  const char *at = (const char *) base + e * row->type->bytes;
  return (double) trm_element_float (row->type, at);
}

void
trm_set_number (const trm_element_type *type, void *address, double x)
{
  float f = (float) x;
  long double l = x;
  if (type->bytes == sizeof f)
    memcpy (address, &f, sizeof f);
  else if (type->bytes == sizeof x)
    memcpy (address, &x, sizeof x);
  else
    memcpy (address, &l, sizeof l);
}

/* Take the reach of row K from the numbers R, or of its value's row.  */
static void
set_reach (trm_case *c, int k, const int64_t *r)
{
  trm_area *m = &c->memory[k];
  const trm_row *row = &c->own->row[k];
  if (row->about >= 0)
    {
      const trm_area *value = &c->memory[row->about];
      m->lo = value->lo;
      m->n = value->n;
      m->span = value->span;
      memcpy (m->stride, value->stride, sizeof m->stride);
    }
  else if (row->value || r[2] == 0)
    m->n = 1;
  else
    {
      m->lo = r[0];
      m->n = r[1] - r[0];
      m->span.rank = (int32_t) (r[2] < TRM_MAX_RANK ? r[2] : TRM_MAX_RANK);
      memcpy (m->span.extent, r + 3, sizeof m->span.extent);
      memcpy (m->stride, r + 3 + TRM_REACH_RANK, sizeof m->stride);
    }
  m->span.name = row->name;
  m->span.first = m->lo;
  if (m->n < 0)
    c->why = "which elements are used is not known";
}

/* Find the reach of all rows, whose addresses are AT.  */
static void
find_reach (trm_case *c, void *const *at)
{
  int n = c->own->n;
  int64_t *reach = calloc ((size_t) n * TRM_REACH_ROW, sizeof *reach);
  void **rows = malloc ((size_t) n * sizeof *rows);
  if (reach && rows)
    memcpy (rows, at, (size_t) n * sizeof *rows);
  if (!reach || !rows)
    c->why = "there is no memory";
  else if (!c->gradient->reach (rows, reach))
    c->why = "what its loops assume of subscripts does not hold";
  for (int k = 0; k < n && !c->why; k++)
    set_reach (c, k, reach + (size_t) k * TRM_REACH_ROW);
  free (reach);
  free (rows);
}

/* The last of the BYTES bytes at FROM is there, if there are any: asked before
   memory for them is.  */
static bool
has_end (const char *from, size_t bytes)
{
  char last;
  return bytes == 0 || trm_copy_if_there (&last, from + bytes - 1, 1);
}

/* Copy what row K holds at USER, element 0.  */
static void
copy_row (trm_case *c, int k, void *user)
{
  trm_area *m = &c->memory[k];
  const trm_row *row = &c->own->row[k];
  size_t bytes = (size_t) m->n * (size_t) row->type->bytes;
  const char *from = (const char *) user + m->lo * row->type->bytes;
  m->user = user;
  if (user && !has_end (from, bytes))
    {
      c->why = "some of its memory is not there";
      return;
    }
  m->entry = calloc (bytes + 1, 1);
  m->own = malloc (bytes + 1);
  m->work = malloc ((size_t) m->n * sizeof (long double) + 1);
  m->wide = is_float (row) ? calloc ((size_t) m->n + 1, sizeof (double)) : NULL;
  m->gained = row->goes ? calloc ((size_t) m->n + 1, sizeof (double)) : NULL;
  m->rounding = row->goes ? calloc ((size_t) m->n + 1, sizeof (double)) : NULL;
  m->unset = row->goes ? calloc ((size_t) m->n + 1, sizeof (bool)) : NULL;
  m->weight = row->of ? calloc ((size_t) m->n + 1, sizeof (double)) : NULL;
  m->blur = row->of ? calloc ((size_t) m->n + 1, sizeof (double)) : NULL;
  m->before = row->of ? calloc ((size_t) m->n + 1, sizeof (double)) : NULL;
  if (!m->entry || !m->own || !m->work || (is_float (row) && !m->wide)
      || (row->goes && (!m->gained || !m->rounding || !m->unset))
      || (row->of && (!m->weight || !m->blur || !m->before)))
    c->why = "there is no memory";
  else if (user && !row->clear
           && !trm_copy_if_there (
             m->entry, (char *) user + m->lo * row->type->bytes, bytes))
    c->why = "some of its memory is not there";
  for (int64_t e = 0; m->wide && !c->why && e < m->n; e++)
    m->wide[e] = trm_row_number (row, m->entry, e);
  if (row->of && !c->why && !c->own->forward)
    memcpy (m->weight, m->wide, (size_t) m->n * sizeof (double));
}

/* The elements of rows A and B lie on each other.  */
static bool
meet (const trm_case *c, int a, int b)
{
  const trm_area *x = &c->memory[a], *y = &c->memory[b];
  int64_t bytes_x = c->own->row[a].type->bytes;
  int64_t bytes_y = c->own->row[b].type->bytes;
  const char *at_x = (char *) x->user + x->lo * bytes_x;
  const char *at_y = (char *) y->user + y->lo * bytes_y;
  bool has_gaps = x->span.rank > 0 && x->stride[x->span.rank - 1] != 1;
  return x->n > 0 && y->n > 0 && !has_gaps && at_x < at_y + y->n * bytes_y
         && at_y < at_x + x->n * bytes_x;
}

/* Adjoints that go out lie apart, so that what each gained can be told.  */
static void
check_apart (trm_case *c)
{
  for (int a = 0; a < c->own->n; a++)
    for (int b = 0; c->own->row[a].goes && b < a; b++)
      if (c->own->row[b].goes && meet (c, a, b))
        c->why = "adjoints that go out lie on each other";
}

trm_case *
trm_case_new (trm_gradient *gradient, void *const *at)
{
  trm_case *c = calloc (1, sizeof *c);
  const trm_gradient_own *own = gradient->own;
  if (!c)
    return NULL;
  c->gradient = gradient;
  c->own = own;
  c->memory = calloc ((size_t) own->n + 1, sizeof *c->memory);
  c->at = calloc ((size_t) own->n + 1, sizeof *c->at);
  if (!c->memory || !c->at)
    {
      trm_case_free (c);
      return NULL;
    }
  find_reach (c, at);
  for (int k = 0; k < own->n && !c->why; k++)
    copy_row (c, k, at[k]);
  if (!c->why)
    check_apart (c);
  return c;
}

void
trm_case_free (trm_case *c)
{
  for (int k = 0; c && c->memory && k < c->own->n; k++)
    {
      trm_area *m = &c->memory[k];
      free (m->entry);
      free (m->wide);
      free (m->work);
      free (m->own);
      free (m->gained);
      free (m->rounding);
      free (m->unset);
      free (m->weight);
      free (m->blur);
      free (m->before);
    }
  if (c)
    {
      free (c->memory);
      free (c->at);
    }
  free (c);
}

bool
trm_case_has (const trm_case *c, int k, int64_t e)
{
  const trm_area *m = &c->memory[k];
  int64_t rest = e + m->lo;
  for (int d = 0; d < m->span.rank; d++)
    {
      int64_t step = m->stride[d], extent = m->span.extent[d];
      int64_t subscript = step > 0 ? rest / step : 0;
      if (d > 0 && extent > 0 && subscript >= extent)
        return false;
      rest -= subscript * step;
    }
  return rest == 0;
}

/* Bytes of an element of row K where f runs.  */
static int64_t
work_bytes (const trm_case *c, int k)
{
  const trm_row *row = &c->own->row[k];
  return is_float (row) ? (int64_t) sizeof (double) : row->type->bytes;
}

void
trm_case_reset (trm_case *c)
{
  for (int k = 0; k < c->own->n; k++)
    {
      trm_area *m = &c->memory[k];
      const trm_row *row = &c->own->row[k];
      int64_t bytes = work_bytes (c, k);
      memcpy (m->work, is_float (row) ? m->wide : m->entry,
              (size_t) (m->n * bytes));
      c->at[k] = (char *) m->work - m->lo * bytes;
    }
}

/* Move what C's tangent moves by T times what came in.  */
static void
move_all (trm_case *c, double t)
{
  for (int a = 0; a < c->own->n; a++)
    for (int64_t e = 0; c->own->row[a].comes && e < c->memory[a].n; e++)
      if (trm_case_has (c, a, e))
        ((double *) c->memory[c->own->row[a].about].work)[e]
          += t * c->memory[a].wide[e];
}

/* Run f at T along D; false when it does not.  */
static bool
run_primal (trm_case *c, const trm_direction *d, double t)
{
  trm_case_reset (c);
  if (d->k < 0)
    {
      move_all (c, t);
      return c->gradient->primal (c->at, NULL);
    }
  double *x = c->memory[d->k].work;
  for (int64_t e = d->from; e < d->to; e++)
    x[e] += t * d->v[e];
  return c->gradient->primal (c->at, NULL);
}

/* A sum of weighed changes of outputs.

   sum      of the changes
   changed  of what rounding may do to outputs that changed
   all      to all outputs  */
typedef struct weighed
{
  long double sum;
  long double changed;
  long double all;
} weighed;

/* Add to W the output of adjoint A.  */
static void
weigh_output (const trm_case *c, int a, weighed *w)
{
  const double *before = c->memory[a].before;
  const double *weight = c->memory[a].weight;
  const double *y = c->memory[c->own->row[a].about].work;
  for (int64_t e = 0; e < c->memory[a].n; e++)
    {
      if (!weight[e] || !trm_case_has (c, a, e))
        continue;
      long double unsure = TRM_MARGIN * c->memory[a].blur[e]
                           + c->own->unit * (fabs (y[e]) + fabs (before[e]));
      long double change = (long double) weight[e] * (y[e] - before[e]);
      unsure *= fabs (weight[e]);
      w->sum += change;
      w->all += unsure;
      w->changed += change != 0 ? unsure : 0;
    }
}

/* The weighed sum of f's outputs where it ran last, less the same where they
   were kept; *NOISE as trm_case_difference says.  */
static double
weigh (const trm_case *c, double *noise)
{
  weighed w = { 0, 0, 0 };
  for (int a = 0; a < c->own->n; a++)
    if (c->own->row[a].of)
      weigh_output (c, a, &w);
  bool is_coarse = c->own->unit > DBL_EPSILON || w.changed == 0;
  *noise = (double) (is_coarse ? w.all : w.changed);
  return (double) w.sum;
}

void
trm_case_keep (trm_case *c)
{
  for (int a = 0; a < c->own->n; a++)
    if (c->own->row[a].of)
      memcpy (c->memory[a].before, c->memory[c->own->row[a].about].work,
              (size_t) c->memory[a].n * sizeof (double));
}

double
trm_case_difference (trm_case *c, const trm_direction *d, double t, double s,
                     double *noise)
{
  bool ran = run_primal (c, d, s);
  trm_case_keep (c);
  if (ran && run_primal (c, d, t))
    return weigh (c, noise);
  c->why = "there is no memory";
  return NAN;
}

double
trm_case_tangent (trm_case *c, const trm_direction *d)
{
  long double sum = 0;
  trm_case_reset (c);
  for (int a = 0; a < c->own->n; a++)
    {
      trm_area *m = &c->memory[a];
      if (c->own->row[a].about < 0)
        continue;
      memset (m->work, 0, (size_t) m->n * sizeof (double));
      if (c->own->row[a].wrt && c->own->row[a].about == d->k)
        memcpy ((double *) m->work + d->from, d->v + d->from,
                (size_t) (d->to - d->from) * sizeof (double));
    }
  if (!c->gradient->other (c->at, NULL))
    return NAN;
  for (int a = 0; a < c->own->n; a++)
    for (int64_t e = 0; c->own->row[a].of && e < c->memory[a].n; e++)
      if (c->memory[a].wide[e] && trm_case_has (c, a, e))
        sum += (long double) c->memory[a].wide[e]
               * ((double *) c->memory[a].work)[e];
  return (double) sum;
}
