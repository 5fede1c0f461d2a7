/* Tasks: threads take whole nests.

     nest A                 for t = 0 to 2 parallel
     nest B          ->       if (t == 0) nest A
                              else nest B

   The plan says which statements belong to which task (schedule/tasks.c); a
   part of the region's block belongs to the task of the statements in it.
   Threads take the loop where each task alone is worth one.  */

#include "lowering/tasks.h"

#include <string.h>

#include "ir/walk.h"
#include "lowering/versions.h"

typedef struct worker
{
  tns_ctx *ctx;
  const tns_plan *plan;
  tns_region *region;
} worker;

/* What a part of the block holds: statements of one task, of none, or of
   several (mixed).  */
typedef struct holding
{
  const tns_plan *plan;
  tns_task task;
  bool some;
  bool mixed;
} holding;

/* The task of the statement called NAME.  */
static tns_task
task_of_name (const tns_plan *plan, const char *name)
{
  const tns_scop *scop = plan->scop;
  for (int s = 0; name && s < scop->n_stmts; s++)
    if (!strcmp (scop->stmt[s].name, name))
      return plan->task[s];
  return (tns_task){ 0, 0 };
}

/* Note the task of NODE, a statement.  */
static bool
visit_statement (tns_node *node, void *self)
{
  holding *h = self;
  if (node->kind != TNS_ASSIGN)
    return true;
  tns_task task = task_of_name (h->plan, node->name);
  h->mixed
    |= h->some && (task.set != h->task.set || task.member != h->task.member);
  h->task = task;
  h->some = true;
  return true;
}

/* The task of all statements of NODE; no set where they have none in
   common.  */
static tns_task
task_of (const worker *w, tns_node *node)
{
  holding h = { .plan = w->plan };
  tns_node_walk (node, visit_statement, &h);
  return h.mixed || !h.some ? (tns_task){ 0, 0 } : h.task;
}

/* The number of parts of BLOCK from FIRST on that belong to one set, its
   tasks in order; 0 when that is none, or not all of the set.  */
static int
count_parts (const worker *w, const tns_node *block, int first, int *tasks)
{
  tns_task begin = task_of (w, block->kid[first]);
  tns_task last = begin;
  int k = first;
  *tasks = 0;
  if (begin.set == 0 || begin.member != 0)
    return 0;
  for (; k < block->n_kids; k++)
    {
      tns_task task = task_of (w, block->kid[k]);
      if (task.set != begin.set
          || (task.member != last.member && task.member != last.member + 1))
        break;
      last = task;
    }
  for (int j = k; j < block->n_kids; j++)
    if (task_of (w, block->kid[j]).set == begin.set)
      return 0;
  *tasks = last.member + 1;
  return *tasks > 1 ? k - first : 0;
}

/* The parts of BLOCK in [FIRST, END) that are task MEMBER.  */
static tns_node *
body_of (const worker *w, const tns_node *block, int first, int end, int member)
{
  tns_node *body = tns_block (w->ctx->arena, w->region->loc);
  end -= tns_ctx_breaks (w->ctx, "tasks");
  for (int k = first; k < end; k++)
    if (task_of (w, block->kid[k]).member == member)
      tns_block_add (w->ctx->arena, body, block->kid[k]);
  return body;
}

/* The loop over the N tasks in BLOCK's parts [FIRST, END).  */
static tns_node *
loop_of (const worker *w, const tns_node *block, int first, int end, int n)
{
  tns_arena *arena = w->ctx->arena;
  tns_loc loc = w->region->loc;
  tns_sym *iter = tns_region_add_iter (arena, w->region, "task");
  tns_node *choice = NULL;
  tns_expr *when = NULL;
  tns_expr *work = NULL;
  iter->spelled = "nests";
  for (int k = n - 1; k >= 0; k--)
    {
      tns_node *body = body_of (w, block, first, end, k);
      tns_expr *own = tns_loop_work (w->ctx, body);
      tns_expr *pays = tns_work_pays (w->ctx, own);
      tns_expr *is_it = tns_binary (arena, TNS_EQ, tns_value (arena, iter),
                                    tns_int (arena, k));
      when = when ? tns_binary (arena, TNS_LAND, pays, when) : pays;
      work = work ? tns_binary (arena, TNS_ADD, work, own) : own;
      choice = choice ? tns_if (arena, loc, is_it, body, choice) : body;
    }
  tns_node *all = choice;
  if (all->kind != TNS_BLOCK)
    {
      all = tns_block (arena, loc);
      tns_block_add (arena, all, choice);
    }
  tns_node *loop = tns_loop (arena, loc, iter, tns_int (arena, 0),
                             tns_int (arena, n), 1, all);
  loop->marks.parallel = true;
  loop->marks.when = when;
  loop->marks.work = work;
  return loop;
}

tns_region *
tns_region_tasks (tns_ctx *ctx, const tns_plan *plan, tns_region *region)
{
  if (!region)
    return NULL;
  tns_region *out = tns_region_copy (ctx->arena, region);
  worker w = { ctx, plan, out };
  tns_node *body = tns_block (ctx->arena, region->body->loc);
  for (int k = 0; k < region->body->n_kids;)
    {
      int tasks = 0;
      int n = count_parts (&w, region->body, k, &tasks);
      tns_block_add (ctx->arena, body,
                     n ? loop_of (&w, region->body, k, k + n, tasks)
                       : region->body->kid[k]);
      k += n ? n : 1;
    }
  out->body = body;
  return out;
}
