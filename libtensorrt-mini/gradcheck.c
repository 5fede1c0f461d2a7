/* TRM_GRADCHECK: gradients against the functions that they are gradients of.

     rows := copies of the call's memory               (trm_gradient_enter)
     the gradient runs
     what it gave, against differences of f in double  (trm_gradient_leave)

   TRM_GRADCHECK=1[:NAME]    calls number 1, 2, 4, 8, ... of each gradient, some
                             elements of large arrays (gradcheck-look.c)
   TRM_GRADCHECK=all[:NAME]  all calls, all elements
   NAME is a gradient's, or that of its function.

   Of each array that an adjoint goes out for, one line tells the worst element;
   another line tells whether the call agrees, and what the tangent of f makes
   of the same direction as the gradient (the dot product test: the two differ
   where the backward pass is wrong, but not where a rule of differentiation is,
   which both take from one table).  So it is with tangents, of which the
   elements that go out are looked at.  A line at exit sums up.

   f is run on copies.  It does not see memory that f reaches other than by
   its parameters and the file's variables.  */

#define _GNU_SOURCE

#include "gradcheck.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 8

/* Calls under way in this thread; checking: one is being compared.  */
typedef struct call_stack
{
  int n;
  bool checking;
  trm_case *under_way[CALLS];
} call_stack;

static _Thread_local call_stack stack;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static trm_gradient *newest;

/* The next field of *TEXT, which ends at a tab or a line's end; that becomes
   0.  */
static char *
next_field (char **text)
{
  char *field = *text;
  size_t length = strcspn (field, "\t\n");
  *text = field + length + (field[length] != 0);
  field[length] = 0;
  return field;
}

/* A row from the line at *TEXT.  */
static trm_row
read_row (char **text)
{
  trm_row row = { 0 };
  const char *letters = next_field (text);
  row.value = strchr (letters, 'v');
  row.absent = strchr (letters, 'x');
  row.given = strchr (letters, 'g');
  row.of = strchr (letters, 'o');
  row.wrt = strchr (letters, 'w');
  row.clear = strchr (letters, 'c');
  row.type = trm_element_find (next_field (text));
  row.about = atoi (next_field (text));
  row.name = next_field (text);
  return row;
}

/* What GRADIENT's text says; NULL when there is no memory.  */
static trm_gradient_own *
read_gradient (const trm_gradient *gradient)
{
  trm_gradient_own *own = calloc (1, sizeof *own);
  char *text = strdup (gradient->text);
  int lines = 0;
  for (const char *c = gradient->text; *c; c++)
    lines += *c == '\n';
  trm_row *row = calloc ((size_t) lines + 1, sizeof *row);
  if (!own || !text || !row)
    {
      free (own);
      free (text);
      free (row);
      return NULL;
    }
  own->text = text;
  own->name = next_field (&text);
  own->file = next_field (&text);
  own->line = atoi (next_field (&text));
  own->function = next_field (&text);
  own->unit = trm_unit (trm_element_find (next_field (&text)));
  own->forward = strcmp (next_field (&text), "tangent") == 0;
  own->row = row;
  while (*text)
    {
      trm_row *r = &row[own->n++];
      *r = read_row (&text);
      r->comes = own->forward ? r->wrt : r->of;
      r->goes = own->forward ? r->of : r->wrt;
    }
  return own;
}

/* OWN is what TRM_GRADCHECK asks for.  */
static bool
is_asked (const trm_gradient_own *own)
{
  const char *name = trm_env ()->gradcheck_name;
  return !name || strcmp (name, own->name) == 0
         || strcmp (name, own->function) == 0;
}

void
trm_gradient_register (trm_gradient *gradient)
{
  if (!trm_env ()->gradcheck)
    return;
  trm_gradient_own *own = read_gradient (gradient);
  if (!own)
    return;
  pthread_mutex_lock (&lock);
  gradient->own = own;
  gradient->next = newest;
  newest = gradient;
  pthread_mutex_unlock (&lock);
  if (is_asked (own))
    __atomic_store_n (&gradient->state, gradient, __ATOMIC_RELEASE);
}

trm_gradient *
trm_gradient_list (void)
{
  return newest;
}

void
trm_gradient_decline (trm_gradient *gradient, const char *why)
{
  trm_gradient_own *own = gradient->own;
  fprintf (stderr, "%s:%d: tensor: gradcheck of '%s' is not to be had: %s\n",
           own->file, own->line, own->name, why);
  own->calls++;
  own->unchecked++;
}

/* CALL is one of those that are checked.  */
static bool
is_checked (int64_t call)
{
  return trm_env ()->gradcheck_all || (call & (call - 1)) == 0;
}

void
trm_gradient_enter (trm_gradient *gradient, void **at)
{
  trm_gradient_own *own = gradient->own;
  int64_t call = __atomic_add_fetch (&own->calls, 1, __ATOMIC_RELAXED);
  if (stack.n == CALLS || stack.checking || !is_checked (call))
    return;
  stack.checking = true;
  trm_case *c = trm_case_new (gradient, at);
  stack.checking = false;
  if (!c)
    {
      __atomic_fetch_add (&own->unchecked, 1, __ATOMIC_RELAXED);
      return;
    }
  c->call = call;
  stack.under_way[stack.n++] = c;
}

/* What every line begins with.  */
static void
begin_line (const trm_case *c)
{
  fprintf (stderr,
           "%s:%d: tensor: gradcheck of '%s', call %lld: ", c->own->file,
           c->own->line, c->own->name, (long long) c->call);
}

/* The name of element E of the adjoint A.  */
static void
name_of (const trm_case *c, int a, int64_t e, char *text, size_t bytes)
{
  trm_span span = c->memory[a].span;
  const trm_area *m = &c->memory[a];
  int64_t rest = e + m->lo;
  size_t used = (size_t) snprintf (text, bytes, "%s", span.name);
  if (span.rank == 0 && used < bytes)
    snprintf (text + used, bytes - used, " (of %s)",
              c->own->row[c->own->row[a].about].name);
  for (int d = 0; d < span.rank && used < bytes; d++)
    {
      int64_t step = m->stride[d];
      int64_t subscript = step > 0 ? rest / step : rest;
      rest -= subscript * step;
      used += (size_t) snprintf (text + used, bytes - used, "[%lld]",
                                 (long long) subscript);
    }
}

/* Tell of adjoint A what LOOK holds.  */
static void
tell_array (const trm_case *c, int a, const trm_look *look)
{
  char name[256];
  const trm_row *row = &c->own->row[a];
  begin_line (c);
  if (look->worst < 0)
    fprintf (stderr, "%s has no element to compare", row->name);
  else
    {
      name_of (c, a, look->worst, name, sizeof name);
      fprintf (stderr,
               "%s is %.*g, %.12g by differences, which err by %.1g, rounding "
               "by %.1g: ",
               name, row->type->bytes == 4 ? 9 : 17, look->gradient,
               look->fine.value, look->fine.error, look->rounding);
      if (look->differ)
        fprintf (stderr, "differs, as %lld of", (long long) look->differ);
      else
        fprintf (stderr, "agrees, the worst of");
      fprintf (stderr, " %lld elements looked at, of %lld",
               (long long) look->looked, (long long) look->all);
    }
  if (look->corners)
    {
      name_of (c, a, look->corner, name, sizeof name);
      fprintf (stderr,
               "; %s is not smooth at %lld, first for %s: %.9g below, %.9g "
               "above",
               c->own->function, (long long) look->corners, name, look->left,
               look->right);
    }
  fputc ('\n', stderr);
}

/* Tell whether the call C agrees, as to elements, of which there ARE_SOME, and
   to the tangent.  */
static bool
tell_verdict (trm_case *c, bool agrees, bool are_some)
{
  double gradient, tangent, bound;
  bool has_dot = c->gradient->other;
  bool forward = c->own->forward;
  if (has_dot && forward)
    trm_dots_sum (c, &tangent, &gradient, &bound);
  else if (has_dot)
    trm_look_dot (c, &gradient, &tangent, &bound);
  agrees = agrees && !(has_dot && fabs (gradient - tangent) > bound);
  begin_line (c);
  fprintf (stderr, "%s '%s'",
           !agrees
             ? forward ? "is not the tangent of" : "is not the gradient of"
           : are_some ? "agrees with"
                      : "has nothing to compare with",
           c->own->function);
  if (has_dot)
    fprintf (stderr,
             "; along a direction the %s gives %.12g, the %s %.12g, "
             "rounding errs by %.1g",
             forward ? "tangent" : "gradient", forward ? tangent : gradient,
             forward ? "gradient" : "tangent", forward ? gradient : tangent,
             bound);
  fputc ('\n', stderr);
  return agrees;
}

/* Compare and tell C.  */
static void
check (trm_case *c)
{
  trm_gradient_own *own = c->gradient->own;
  bool agrees = true, are_some = false;
  trm_case_finish (c);
  for (int a = 0; a < own->n && !c->why; a++)
    if (own->row[a].goes)
      {
        bool at_all = trm_env ()->gradcheck_all;
        trm_look look = own->forward ? trm_dots_look (c, a, at_all)
                                     : trm_look_at (c, a, at_all);
        if (c->why)
          break;
        agrees = agrees && !look.differ;
        are_some = are_some || look.worst >= 0;
        tell_array (c, a, &look);
      }
  if (c->why)
    {
      begin_line (c);
      fprintf (stderr, "cannot be checked: %s\n", c->why);
      __atomic_fetch_add (&own->unchecked, 1, __ATOMIC_RELAXED);
      return;
    }
  __atomic_fetch_add (&own->checked, 1, __ATOMIC_RELAXED);
  if (!tell_verdict (c, agrees, are_some))
    __atomic_fetch_add (&own->differ, 1, __ATOMIC_RELAXED);
}

void
trm_gradient_leave (trm_gradient *gradient)
{
  int i = stack.n - 1;
  while (i >= 0 && stack.under_way[i]->gradient != gradient)
    i--;
  if (stack.checking || i < 0)
    return;
  for (; stack.n > i + 1; stack.n--)
    trm_case_free (stack.under_way[stack.n - 1]);
  stack.checking = true;
  check (stack.under_way[i]);
  stack.checking = false;
  trm_case_free (stack.under_way[i]);
  stack.n = i;
}

void
trm_gradcheck_finish (void)
{
  long long calls = 0, gradients = 0, checked = 0, differ = 0, unchecked = 0;
  if (!trm_env ()->gradcheck)
    return;
  for (const trm_gradient *g = newest; g; g = g->next)
    {
      const trm_gradient_own *own = g->own;
      gradients += own->checked > 0;
      calls += own->calls;
      checked += own->checked;
      differ += own->differ;
      unchecked += own->unchecked;
    }
  fprintf (stderr, "tensor: gradcheck: %lld calls of %lld gradients checked, ",
           checked, gradients);
  fprintf (stderr, differ ? "%lld differ" : "all agree", differ);
  if (unchecked)
    fprintf (stderr, "; %lld could not be checked", unchecked);
  if (calls > checked + unchecked)
    fprintf (stderr, "; %lld were not looked at", calls - checked - unchecked);
  fputc ('\n', stderr);
}
