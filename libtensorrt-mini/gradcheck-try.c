/* Gradients called on random numbers: the main function of a program that has
   none (tensor-gradcheck).

   Values first, as the arguments say, else a size of 5 and a number; from them
   follows how far the arrays reach, from numbers that index arrays hold, too.
   Those are made large before anything is known, the others as they reach.
   Each gradient is called twice: on numbers of both signs, and on positive ones
   for functions that are no numbers elsewhere.  */

#include "gradcheck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIZE  5
#define MANY  ((int64_t) 1 << 20)
#define LARGE ((int64_t) 1 << 28)

/* A call that is being made.

   block    [n], of each row: its memory
   at       [n]: its element 0
   n_given, given  NAME=NUMBER
   least, most  what floating numbers lie between
   state    of the numbers  */
typedef struct attempt
{
  trm_gradient *gradient;
  const trm_gradient_own *own;
  void **block;
  void **at;
  int n_given;
  char **given;
  double least;
  double most;
  uint64_t state;
} attempt;

/* The number given for NAME, else OTHERWISE.  */
static double
number_for (const attempt *t, const char *name, double otherwise)
{
  size_t length = strlen (name);
  for (int k = 0; k < t->n_given; k++)
    if (strncmp (t->given[k], name, length) == 0 && t->given[k][length] == '=')
      return strtod (t->given[k] + length + 1, NULL);
  return otherwise;
}

/* The next number between 0 and 1.  */
static double
next_number (attempt *t)
{
  t->state = t->state * 6364136223846793005u + 1442695040888963407u;
  return (double) (t->state >> 11) * 0x1p-53;
}

/* Set element E at BASE, of TYPE, to X.  */
static void
set_element (const trm_element_type *type, void *base, int64_t e, double x)
{
  char *at = (char *) base + e * type->bytes;
  int64_t whole = (int64_t) x;
  if (type->kind == 'F')
    trm_set_number (type, at, x);
  else
    memcpy (at, &whole, (size_t) type->bytes);
}

/* The least of the sizes.  */
static int64_t
least_size (const attempt *t)
{
  double least = INFINITY;
  for (int k = 0; k < t->own->n; k++)
    if (t->own->row[k].value && t->own->row[k].type->kind != 'F')
      least = fmin (least, number_for (t, t->own->row[k].name, SIZE));
  return least >= 1 && least < (double) MANY ? (int64_t) least : 1;
}

/* Fill row K, N elements at BASE.  */
static void
fill (attempt *t, int k, void *base, int64_t n)
{
  const trm_row *row = &t->own->row[k];
  double limit = number_for (t, row->name, (double) least_size (t));
  for (int64_t e = 0; e < n; e++)
    {
      double x = t->least + (t->most - t->least) * next_number (t);
      if (row->type->kind != 'F')
        x = fmod ((double) e, fmax (limit, 1));
      set_element (row->type, base, e, x);
    }
}

/* Give row K elements LO to LO + N.  False when there is no memory.  */
static bool
give_row (attempt *t, int k, int64_t lo, int64_t n)
{
  size_t bytes = (size_t) t->own->row[k].type->bytes;
  free (t->block[k]);
  t->block[k] = n < LARGE ? calloc ((size_t) n + 1, bytes) : NULL;
  if (!t->block[k])
    return false;
  fill (t, k, t->block[k], n);
  t->at[k] = (char *) t->block[k] - lo * (int64_t) bytes;
  return true;
}

/* Give values, and room to integers.  */
static bool
give_first (attempt *t)
{
  bool is_there = true;
  for (int k = 0; k < t->own->n && is_there; k++)
    {
      const trm_row *row = &t->own->row[k];
      bool is_float = row->type->kind == 'F';
      if (row->about >= 0)
        continue;
      is_there = give_row (t, k, 0, row->value || is_float ? 1 : MANY);
      if (is_there && row->value)
        set_element (row->type, t->block[k], 0,
                     number_for (t, row->name,
                                 is_float ? t->most * next_number (t) : SIZE));
    }
  return is_there;
}

/* Give arrays as they REACH, and adjoints like their values.  NULL, or why
   not.  */
static const char *
give_arrays (attempt *t, const int64_t *reach)
{
  for (int k = 0; k < t->own->n; k++)
    {
      const trm_row *row = &t->own->row[k];
      int of = row->about >= 0 ? row->about : k;
      const int64_t *r = reach + (size_t) of * TRM_REACH_ROW;
      bool is_cell = t->own->row[of].value || r[2] == 0;
      int64_t lo = is_cell ? 0 : r[0];
      int64_t n = is_cell ? 1 : r[1] - r[0];
      if (n < 0)
        return "which elements are used is not known";
      if (!row->value && !give_row (t, k, lo, n))
        return "there is no memory";
    }
  return NULL;
}

/* Make rows and call the gradient; NULL, or why not.  */
static const char *
call_once (attempt *t)
{
  int64_t *reach = calloc ((size_t) t->own->n * TRM_REACH_ROW, sizeof *reach);
  const char *why = NULL;
  if (!t->gradient->call)
    why = "it needs a main function, for structures among its parameters";
  else if (!reach || !give_first (t))
    why = "there is no memory";
  else if (!t->gradient->reach (t->at, reach))
    why = "what its loops assume of subscripts does not hold";
  else
    why = give_arrays (t, reach);
  if (!why)
    t->gradient->call (t->at, NULL);
  free (reach);
  return why;
}

/* Call GRADIENT on numbers from LEAST to 1, the others as GIVEN[0..N) says.
   False where it cannot be called.  */
static bool
try_gradient (trm_gradient *gradient, double least, int n, char **given)
{
  const trm_gradient_own *own = gradient->own;
  attempt t = { gradient,
                own,
                calloc ((size_t) own->n + 1, sizeof (void *)),
                calloc ((size_t) own->n + 1, sizeof (void *)),
                n,
                given,
                least,
                1,
                1 };
  const char *why = "there is no memory";
  if (t.block && t.at)
    why = call_once (&t);
  if (why)
    trm_gradient_decline (gradient, why);
  for (int k = 0; t.block && k < own->n; k++)
    free (t.block[k]);
  free (t.block);
  free (t.at);
  return !why;
}

int
trm_gradcheck_main (int n, char **argument)
{
  for (trm_gradient *g = trm_gradient_list (); g; g = g->next)
    if (g->state && try_gradient (g, -1, n - 1, argument + 1))
      try_gradient (g, 0.125, n - 1, argument + 1);
  return 0;
}
