/* Answers about dependences, a list for each: schedule/known.h.  */

#include "schedule/known.h"

#include <string.h>

/* A question and its answer; pair[0..n): the rows above, and behind them what
   was asked, if anything.  */
struct tns_known
{
  struct tns_known *next;
  int n;
  bool asks;
  tns_row_pair *pair;
  tns_distance distance;
};

tns_moments
tns_pair_moments (const tns_scop *scop, const tns_dep *dep,
                  const tns_row_pair *pair)
{
  tns_row *s = pair->source;
  tns_row *t = pair->target;
  int n = scop->stmt[dep->source].n_iters;
  int m = scop->stmt[dep->target].n_iters;
  return (tns_moments){ { true, n, s->coef, s->constant, s->divisor },
                        { true, m, t->coef, t->constant, t->divisor } };
}

/* A and B are the same row.  */
static bool
is_same (const tns_row *a, const tns_row *b)
{
  return a == b || !memcmp (a, b, sizeof *a);
}

/* A and B are the same rows.  */
static bool
is_equal (const tns_row_pair *a, const tns_row_pair *b)
{
  return is_same (a->source, b->source) && is_same (a->target, b->target);
}

/* PAIR is one of ABOVE[0..N).  */
static bool
is_among (const tns_row_pair *pair, int n, const tns_row_pair *above)
{
  for (int k = 0; k < n; k++)
    if (is_equal (pair, &above[k]))
      return true;
  return false;
}

/* KNOWN answers QUESTION.  */
static bool
answers (const struct tns_known *known, const tns_question *question)
{
  int n = known->n;
  if (n != question->n || known->asks != (question->asked != NULL)
      || (known->asks && !is_equal (&known->pair[n], question->asked)))
    return false;
  for (int k = 0; k < n; k++)
    if (!is_among (&known->pair[k], n, question->above)
        || !is_among (&question->above[k], n, known->pair))
      return false;
  return true;
}

/* The list that has the answers about QUESTION's dependence.  */
static struct tns_known **
list_of (const tns_deps *deps, const tns_question *question)
{
  return &deps->known[deps->dep[question->dep].same];
}

bool
tns_known_find (const tns_deps *deps, const tns_question *question,
                tns_distance *distance)
{
  for (const struct tns_known *k = *list_of (deps, question); k; k = k->next)
    if (answers (k, question))
      {
        *distance = k->distance;
        return true;
      }
  return false;
}

/* PAIR with copies of its rows.  */
static tns_row_pair
copy_of (tns_arena *arena, const tns_row_pair *pair)
{
  tns_row *row = TNS_NEW_ARRAY (arena, tns_row, 2);
  row[0] = *pair->source;
  row[1] = *pair->target;
  return (tns_row_pair){ &row[0], &row[1] };
}

void
tns_known_add (tns_arena *arena, const tns_deps *deps,
               const tns_question *question, tns_distance distance)
{
  struct tns_known *known = TNS_NEW (arena, struct tns_known);
  known->n = question->n;
  known->asks = question->asked != NULL;
  known->distance = distance;
  known->pair = TNS_NEW_ARRAY (arena, tns_row_pair, question->n + 1);
  for (int k = 0; k < question->n; k++)
    known->pair[k] = copy_of (arena, &question->above[k]);
  if (question->asked)
    known->pair[question->n] = copy_of (arena, question->asked);
  struct tns_known **list = list_of (deps, question);
  known->next = *list;
  *list = known;
}
