/* Sums into elements that indices name, which threads share by owner.

     for i  y[at[i]] += v[i]      each thread goes over all i, and does those
                                  whose at[i] is its own (lowering/owners.h)

   Where it is the entries of a row, whose bounds are in memory, that name the
   elements, threads share what else the loop does (lowering/apart.h).

   Right for any DIM that carries updates of one array, all with one first
   subscript, which depends on what does not change while the DIM runs: what
   meets in an element is done by one thread, in order.

   To look at an iteration takes as long as SCAN operations, of every thread;
   with T of them an iteration of N operations takes SCAN + N / T, and that has
   to be less than N by a fifth.  To reach an element of an array larger than
   the caches takes as long as FAR operations.  */

#include "ir/walk.h"
#include "schedule/planner.h"

#define SCAN         24
#define FAR          100
#define MOST_THREADS 8

int
tns_owners_pay (long operations)
{
  for (int threads = 2; threads <= MOST_THREADS; threads++)
    if (5 * operations * threads >= 6 * (SCAN * threads + operations))
      return threads;
  return 0;
}

int
tns_owners_pay_far (long operations)
{
  return tns_owners_pay (operations + FAR);
}

long
tns_owned_operations (void)
{
  long n = SCAN;
  while (tns_owners_pay (n) != 2)
    n++;
  return n;
}

/* What is known of the first subscript of the array.

   first   it
   own     all accesses update, with one first subscript  */
typedef struct search
{
  const tns_planner *p;
  tns_tree *dim;
  const tns_sym *sym;
  const tns_expr *first;
  bool own;
} search;

/* A statement below S's DIM writes SYM.  */
static bool
is_written (const search *s, const tns_sym *sym)
{
  const tns_scop *scop = s->p->scop;
  for (int k = 0; k < scop->n_stmts; k++)
    for (int a = 0; tns_tree_has (s->dim, k) && a < scop->stmt[k].n_accesses;
         a++)
      {
        const tns_access *access = &scop->stmt[k].access[a];
        if (access->write && scop->array[access->array].sym == sym)
          return true;
      }
  return false;
}

/* The visitor of a first subscript.  */
static bool
note_change (tns_expr *expr, void *self)
{
  search *s = self;
  s->own &= !tns_expr_reads (expr) || !is_written (s, expr->sym);
  return s->own;
}

/* STMT is a loop over a row, which writes more than S's array: threads share
   that (lowering/apart.h).  */
static bool
leaves_rest (const search *s, const tns_stmt *stmt)
{
  bool more = false;
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      const tns_access *access = &stmt->access[a];
      more |= access->write && s->p->scop->array[access->array].sym != s->sym;
    }
  return more && stmt->node->kind == TNS_LOOP && !s->p->machine->device;
}

/* The first subscript of ACCESS, of statement STMT, says whose an iteration of
   S's DIM is.  */
static bool
says_owner (search *s, int stmt, const tns_access *access)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  tns_expr *first = access->expr ? access->expr->arg[0] : NULL;
  int n = tns_tree_path (s->p->tree, stmt, path);
  if (access->update == TNS_NONE || !first || !tns_expr_loads (first)
      || (s->first && !tns_expr_equal (first, s->first)))
    return false;
  s->first = first;
  tns_expr_walk (first, note_change, s);
  const tns_stmt *of = &s->p->scop->stmt[stmt];
  bool in_row
    = leaves_rest (s, of) && tns_expr_mentions (first, of->node->iter);
  bool below = false;
  for (int k = 0; k < n && s->own; k++)
    {
      const tns_sym *iter = tns_dim_iter (s->p->scop, path[k], stmt);
      bool moves = iter && tns_expr_mentions (first, iter);
      s->own &= path[k] == s->dim ? moves || in_row : !below || !moves;
      below |= path[k] == s->dim;
    }
  return s->own;
}

/* Note what the statements below S's DIM do.  */
static void
note_statements (search *s)
{
  const tns_scop *scop = s->p->scop;
  for (int k = 0; k < scop->n_stmts && s->own; k++)
    if (tns_tree_has (s->dim, k))
      {
        const tns_stmt *stmt = &scop->stmt[k];
        for (int a = 0; a < stmt->n_accesses; a++)
          if (scop->array[stmt->access[a].array].sym == s->sym)
            s->own &= says_owner (s, k, &stmt->access[a]);
      }
}

bool
tns_dim_may_be_owned (tns_planner *planner, tns_tree *dim)
{
  const tns_sym *sym = dim->n_carried ? dim->carried[0].sym : NULL;
  search s = { planner, dim, sym, NULL, true };
  bool is_freed
    = dim->role == TNS_ROLE_REDUCTION || tns_ctx_breaks (planner->ctx, "own");
  if (!is_freed || dim->n_carried != 1 || sym->rank == 0 || dim->marks.simd
      || dim->row[tns_tree_first_stmt (dim)]->divisor > 1)
    return false;
  note_statements (&s);
  return s.own && s.first;
}

bool
tns_dim_mark_owned (tns_planner *planner, tns_tree *dim)
{
  if (dim->marks.parallel || !tns_dim_may_be_owned (planner, dim))
    return false;
  dim->marks.parallel = true;
  dim->marks.owners = 1;
  dim->marks.n_reductions = dim->n_carried;
  dim->marks.reductions = dim->carried;
  tns_text_line (&planner->steps, "own %s in %s", dim->name,
                 planner->scop->stmt[tns_tree_first_stmt (dim)].name);
  return true;
}
