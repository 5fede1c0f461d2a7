/* Branches that complain and leave.

     if (i >= v->size)                   if i >= size, never
       return fail (v, i);          ->
     sum += v->x[i];                     sum += x[i]

   Where such a branch cannot be read it is taken never to be executed.  Before
   the region is done guards must say so (poly/never.h); the loops as written
   are there for the rest.

   What is read behind it is executed only where the condition does not hold in
   the first iteration of the loops around: so are its loads that move to the
   entry (plugin/extract-entry.cc).  */

#include "plugin/keep.hh"
#include "plugin/counter.hh"

extern "C"
{
#include "ir/affine.h"
#include "ir/simplify.h"
#include "ir/walk.h"
}

/* walk_tree's visitor: stops at a return.  */
static tree
find_return (tree *at, int *walk_subtrees, void *)
{
  if (TYPE_P (*at))
    *walk_subtrees = 0;
  return TREE_CODE (*at) == RETURN_EXPR ? *at : NULL_TREE;
}

/* The last statement of STMTS, NULL_TREE where there is none.  */
static tree
last_of (tns_reader *reader, tree stmts)
{
  tns_trees list = {};
  tns_list_statements (reader, stmts, &list);
  return list.n ? list.item[list.n - 1] : NULL_TREE;
}

/* FNDECL, which is seen, ends with a call that does not return, as
   void die (void) { puts ("no"); exit (1); } does.  */
static bool
ends_all (tns_reader *reader, tree fndecl)
{
  tree body = fndecl ? tns_kept_body (fndecl) : NULL_TREE;
  tree last = body ? last_of (reader, body) : NULL_TREE;
  return last && TREE_CODE (last) == CALL_EXPR
         && (call_expr_flags (last) & ECF_NORETURN) != 0
         && !walk_tree_without_duplicates (&body, find_return, NULL);
}

/* walk_tree's visitor: stops at a call that does not return.  */
static tree
find_last_call (tree *at, int *walk_subtrees, void *self)
{
  tns_reader *reader = (tns_reader *) self;
  if (TYPE_P (*at))
    *walk_subtrees = 0;
  return TREE_CODE (*at) == CALL_EXPR
             && ((call_expr_flags (*at) & ECF_NORETURN) != 0
                 || ends_all (reader, get_callee_fndecl (*at)))
           ? *at
           : NULL_TREE;
}

/* walk_tree's visitor: stops at a call.  */
static tree
find_call (tree *at, int *walk_subtrees, void *)
{
  if (TYPE_P (*at))
    *walk_subtrees = 0;
  return TREE_CODE (*at) == CALL_EXPR ? *at : NULL_TREE;
}

/* What BRANCH ends with is not followed by anything here.  */
static bool
leaves (tns_reader *reader, tree branch)
{
  tree last = last_of (reader, branch);
  if (!last)
    return false;
  switch (TREE_CODE (last))
    {
    case RETURN_EXPR:
    case GOTO_EXPR:
      return true;
    case DO_STMT:
      return integer_zerop (DO_COND (last)) && leaves (reader, DO_BODY (last));
    case COND_EXPR:
    case FOR_STMT:
    case WHILE_STMT:
    case SWITCH_STMT:
      return false;
    default:
      return walk_tree_without_duplicates (&last, find_last_call, reader)
             != NULL_TREE;
    }
}

/* A branch that is read by itself, up to the end of what KIND says; why it
   cannot be read.  */
typedef struct lone
{
  tree stmt;
  tns_frame_kind kind;
  tns_remark reason;
} lone;

/* Read it.  */
static bool
read_alone (tns_reader *reader, void *self)
{
  lone *l = (lone *) self;
  tns_frame frame = { l->kind, NULL_TREE, {}, l->stmt, NULL };
  bool is_read = tns_read_frame (reader, &frame);
  const tns_remark *reason = tns_verdict (reader->ctx);
  if (!is_read && reason)
    l->reason = *reason;
  return is_read;
}

/* COND with its numbers as they are, not as they would be in the types of C;
   NULL where that cannot be said.  */
static tns_expr *
as_numbers (tns_reader *reader, tns_expr *cond)
{
  tns_arena *arena = reader->arena;
  tns_op op = cond->op;
  if (op == TNS_LNOT)
    {
      tns_expr *of = as_numbers (reader, cond->arg[0]);
      return of ? tns_unary (arena, op, of) : NULL;
    }
  bool joins = op == TNS_LAND || op == TNS_LOR;
  if (cond->n_args != 2 || (!joins && tns_op_class (op) != 'C')
      || tns_elem_is_float (cond->arg[0]->type.elem))
    return NULL;
  tns_expr *part[2];
  for (int k = 0; k < 2; k++)
    {
      part[k] = joins ? as_numbers (reader, cond->arg[k])
                      : tns_as_index (reader, cond->arg[k]);
      if (!tns_is_pure (part[k]))
        return NULL;
    }
  if (op == TNS_GT || op == TNS_GE)
    return tns_binary (arena, op == TNS_GT ? TNS_LT : TNS_LE, part[1], part[0]);
  return tns_binary (arena, op, part[0], part[1]);
}

/* EXPR in the first iteration of the loops around.  */
static tns_expr *
in_first_iteration (tns_reader *reader, tns_expr *expr)
{
  for (int k = reader->region->n_syms - 1; k >= 0; k--)
    {
      tns_sym *sym = reader->region->syms[k];
      if (sym->kind == TNS_SYM_ITER && reader->range[k].first)
        expr = tns_expr_substitute (reader->arena, expr, 1, &sym,
                                    &reader->range[k].first);
    }
  return expr;
}

bool
tns_holds_first (tns_reader *reader, tns_expr *cond)
{
  long long holds = 0;
  int n_guard = reader->region->n_guard;
  tns_expr *read = cond ? as_numbers (reader, cond) : NULL;
  if (read)
    read = tns_expr_simplify (reader->ctx, in_first_iteration (reader, read));
  if (read && tns_expr_is_int (read, &holds) && holds)
    return true;
  reader->region->n_guard = n_guard;
  return false;
}

/* What is read from now on is executed where PASSES, which may be NULL, holds
   in all iterations before.  */
static void
add_when (tns_reader *reader, tns_expr *passes)
{
  tns_when *when = TNS_NEW (reader->arena, tns_when);
  tns_expr *cond = passes ? in_first_iteration (reader, passes) : NULL;
  when->cond = cond && tns_is_over_values (cond) ? cond : NULL;
  when->passes = passes;
  when->outer = reader->when;
  reader->when = when;
}

/* Where COND (its opposite, with NEGATE) holds for two values of ITER it does
   for all between them.  */
static bool
is_convex (tns_reader *reader, tns_expr *cond, const tns_sym *iter, bool negate)
{
  tns_affine affine;
  bool joins = cond->op == TNS_LAND || cond->op == TNS_LOR;
  if (!tns_expr_mentions (cond, iter))
    return true;
  if (cond->op == TNS_LNOT)
    return is_convex (reader, cond->arg[0], iter, !negate);
  if (!joins)
    return (cond->op == TNS_LT || cond->op == TNS_LE
            || (cond->op == TNS_EQ && !negate))
           && tns_affine_of (reader->arena, cond->arg[0], &affine)
           && tns_affine_of (reader->arena, cond->arg[1], &affine);
  bool is_sum = cond->op == (negate ? TNS_LAND : TNS_LOR);
  return is_convex (reader, cond->arg[0], iter, negate)
         && is_convex (reader, cond->arg[1], iter, negate)
         && (!is_sum || !tns_expr_mentions (cond->arg[0], iter)
             || !tns_expr_mentions (cond->arg[1], iter));
}

/* COND in all iterations of the loop over ITER, whose condition is RUNS, where
   that is NULL it always runs; NULL where that cannot be said.  */
static tns_expr *
in_all_iterations (tns_reader *reader, tns_expr *cond, tns_sym *iter,
                   const tns_when *runs)
{
  tns_arena *arena = reader->arena;
  tns_expr *ends[2]
    = { reader->range[iter->id].least, reader->range[iter->id].most };
  if (!ends[0] || !ends[1] || !is_convex (reader, cond, iter, false))
    return NULL;
  tns_expr *all = NULL;
  for (int k = 0; k < 2; k++)
    {
      tns_expr *at = tns_expr_substitute (arena, cond, 1, &iter, &ends[k]);
      all = all ? tns_binary (arena, TNS_LAND, all, at) : at;
    }
  if (!runs)
    return all;
  tns_expr *no = tns_binary (arena, TNS_LE, runs->to, runs->from);
  return tns_binary (arena, TNS_LOR, no, all);
}

/* What must hold for the body of the loop over ITER, which was read inside
   AROUND, to come to its end in each iteration; NULL where that cannot be
   said.  */
static tns_expr *
passes_in_loop (tns_reader *reader, const tns_when *around, tns_sym *iter)
{
  tns_expr *all = NULL;
  const tns_when *runs = NULL;
  for (const tns_when *w = reader->when; w != around; w = w->outer)
    if (w->passes)
      all = all ? tns_binary (reader->arena, TNS_LAND, w->passes, all)
                : w->passes;
    else if (w->from && w->outer == around)
      runs = w;
    else
      return NULL;
  return all ? in_all_iterations (reader, all, iter, runs) : NULL;
}

void
tns_when_leave (tns_reader *reader, const tns_when *around, int n_never,
                tns_sym *iter)
{
  bool any = reader->n_never != n_never;
  tns_expr *passes = any && iter ? passes_in_loop (reader, around, iter) : NULL;
  reader->when = around;
  if (any)
    add_when (reader, passes);
}

/* COND never holds, because of REASON.  */
static void
add_never (tns_reader *reader, tns_expr *cond, const tns_remark *reason)
{
  tns_arena *arena = reader->arena;
  tns_loc loc = tns_loc_of (reader->loc);
  tns_remark *kept = TNS_NEW (arena, tns_remark);
  *kept = *reason;
  tns_node *node = tns_if (arena, loc, cond, tns_block (arena, loc), NULL);
  node->never = kept;
  tns_emit (reader, node);
  tns_expr *read = as_numbers (reader, cond);
  reader->n_never++;
  add_when (reader, read ? tns_unary (arena, TNS_LNOT, read) : NULL);
}

bool
tns_read_never (tns_reader *reader, tns_expr *cond, tree stmt,
                tns_frame_kind kind, tree *other)
{
  const tns_flags *flags = &reader->ctx->flags;
  tree branch[2] = { COND_EXPR_THEN (stmt), COND_EXPR_ELSE (stmt) };
  bool is_asked = TREE_TYPE (stmt) == boolean_type_node;
  if (reader->called || flags->alone || flags->unguarded)
    return false;
  for (int k = 0; k < 2; k++)
    {
      lone l = { branch[k], kind, {} };
      bool may_be = branch[k]
                    && (leaves (reader, branch[k])
                        || (is_asked
                            && walk_tree_without_duplicates (&branch[k],
                                                             find_call, NULL)));
      if (!may_be || tns_try (reader, read_alone, &l) || !l.reason.words)
        continue;
      add_never (reader, k ? tns_unary (reader->arena, TNS_LNOT, cond) : cond,
                 &l.reason);
      *other = branch[!k];
      return true;
    }
  return false;
}
