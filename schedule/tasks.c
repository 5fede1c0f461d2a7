/* Groups side by side: threads take whole nests.

     for i  x[i] += x[i - 1] * a[i];       task 0
     for i  y[i] += y[i - 1] * b[i];       task 1

   Nests that follow each other and that threads cannot share inside are run
   at the same time where nothing of one depends on another: no dependence
   between any two statements, and no cell that both update in any
   order, or that holds what one iteration alone needs.
   Whether each is long enough is decided when the sizes are known
   (lowering/tasks.c).  Only nests outside of all loops are taken.  */

#include "schedule/planner.h"

#define MOST_TASKS 8
#define FEW        4096

/* Threads share some DIM of TREE.  */
static bool
has_threads (const tns_tree *tree)
{
  bool found = tree->kind == TNS_TREE_DIM
               && (tree->marks.parallel || has_threads (tree->body));
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    found |= has_threads (tree->kid[k]);
  return found;
}

/* How often the innermost statements of TREE run, where that is a constant;
   FEW where it is not.  */
static long
known_runs (const tns_scop *scop, const tns_tree *tree)
{
  long most = 1;
  if (tree->kind == TNS_TREE_DIM)
    {
      long trip = tns_dim_trip (scop, tree);
      long below = known_runs (scop, tree->body);
      return trip == 0 || trip >= FEW || below >= FEW ? FEW : trip * below;
    }
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    {
      long below = known_runs (scop, tree->kid[k]);
      most = below > most ? below : most;
    }
  return most;
}

/* TREE may be a task.  */
static bool
is_task (const tns_scop *scop, const tns_tree *tree)
{
  return tree->kind == TNS_TREE_DIM && !has_threads (tree)
         && known_runs (scop, tree) >= FEW;
}

/* A and B, accesses of one array, may meet though no dependence says so: both
   update it, one of them in any order (IS_FREE), or what it holds does not go
   from one iteration to another and its room is not decided yet.  */
static bool
may_meet (const tns_scop *scop, const tns_access *a, const tns_access *b,
          bool is_free)
{
  const tns_array *array = &scop->array[a->array];
  if (a->array != b->array || (!a->write && !b->write))
    return false;
  return (is_free && a->write && b->write) || array->n_private > 0
         || tns_sym_is_dead_after (array->sym);
}

/* Some accesses of S and T may meet though no dependence says so.  */
static bool
share_cells (const tns_scop *scop, int s, int t)
{
  const tns_stmt *a = &scop->stmt[s];
  const tns_stmt *b = &scop->stmt[t];
  for (int i = 0; i < a->n_accesses; i++)
    for (int j = 0; j < b->n_accesses; j++)
      if (may_meet (scop, &a->access[i], &b->access[j],
                    tns_update_target (a) || tns_update_target (b)))
        return true;
  return false;
}

/* Nothing in A depends on anything in B, or the other way round.  */
static bool
are_independent (const tns_planner *p, const tns_tree *a, const tns_tree *b)
{
  if (tns_ctx_breaks (p->ctx, "tasks"))
    return true;
  for (int k = 0; k < p->deps->n; k++)
    {
      const tns_dep *dep = &p->deps->dep[k];
      if ((tns_tree_has (a, dep->source) && tns_tree_has (b, dep->target))
          || (tns_tree_has (b, dep->source) && tns_tree_has (a, dep->target)))
        return false;
    }
  for (int s = 0; s < p->scop->n_stmts; s++)
    for (int t = 0; t < p->scop->n_stmts; t++)
      if (tns_tree_has (a, s) && tns_tree_has (b, t)
          && share_cells (p->scop, s, t))
        return false;
  return true;
}

/* SEQ's kids [FIRST, LAST] may all run at the same time.  */
static bool
are_tasks (const tns_planner *p, const tns_tree *seq, int first, int last)
{
  for (int k = first; k <= last; k++)
    for (int j = first; j < k; j++)
      if (!are_independent (p, seq->kid[j], seq->kid[k]))
        return false;
  return true;
}

/* SEQ's kids [FIRST, LAST] are tasks of each other: write that down.  */
static void
take_tasks (tns_planner *p, const tns_tree *seq, int first, int last)
{
  tns_text line = tns_text_new (p->ctx->arena);
  int set = 1;
  for (int s = 0; s < p->scop->n_stmts; s++)
    set = p->task[s].set >= set ? p->task[s].set + 1 : set;
  for (int k = first; k <= last; k++)
    {
      for (int s = 0; s < p->scop->n_stmts; s++)
        if (tns_tree_has (seq->kid[k], s))
          p->task[s] = (tns_task){ set, k - first };
      tns_text_format (&line, " %s",
                       p->scop->stmt[tns_tree_first_stmt (seq->kid[k])].name);
    }
  tns_text_line (&p->steps, "tasks%s", tns_text_chars (&line));
}

/* The kid of SEQ that STMT stands in, or -1.  */
static int
kid_of (const tns_tree *seq, int stmt)
{
  for (int k = 0; seq->kind == TNS_TREE_SEQ && k < seq->n_kids; k++)
    if (tns_tree_has (seq->kid[k], stmt))
      return k;
  return -1;
}

bool
tns_plan_tasks_at (tns_planner *planner, int n, const int *stmt)
{
  const tns_tree *seq = planner->tree;
  int first = n > 1 ? kid_of (seq, stmt[0]) : -1;
  if (first < 0 || n > MOST_TASKS)
    return false;
  for (int k = 0; k < n; k++)
    if (kid_of (seq, stmt[k]) != first + k
        || seq->kid[first + k]->kind != TNS_TREE_DIM
        || has_threads (seq->kid[first + k]) || planner->task[stmt[k]].set)
      return false;
  if (!are_tasks (planner, seq, first, first + n - 1))
    return false;
  take_tasks (planner, seq, first, first + n - 1);
  return true;
}

void
tns_plan_tasks (tns_planner *planner)
{
  const tns_tree *seq = planner->tree;
  const tns_scop *scop = planner->scop;
  for (int k = 0; seq->kind == TNS_TREE_SEQ && k < seq->n_kids; k++)
    {
      int last = k;
      if (!is_task (scop, seq->kid[k]))
        continue;
      while (last + 1 < seq->n_kids && last + 1 - k < MOST_TASKS
             && is_task (scop, seq->kid[last + 1])
             && are_tasks (planner, seq, k, last + 1))
        last++;
      if (last > k)
        take_tasks (planner, seq, k, last);
      k = last;
    }
}
