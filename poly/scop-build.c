/* From a region to statements: the walk.

     for i = 0 to n {            S0[i]    : 0 <= i < n
       s[i] = 0;                    order [0, i, 0, 0, 0]
       for j = 0 to i            S1[i,j]  : 0 <= j < i < n
         if (j < 4)                 order [0, i, 1, j, 0]  : j < 4
           s[i] += x[j];         S2[i]    : x[i] > 0 is not affine, the IF is
       if (x[i] > 0)                one statement
         s[i] = 1;                  order [0, i, 2, 0, 0]
     }

   A loop with lower bound max (a, b) gets both bounds, likewise min above,
   so that most domains stay convex.  A step other than 1 and -1 counts from
   the lower bound: (i - lo) mod step = 0.

   A LOCAL integer that is assigned once, to a value of iterators and
   parameters, is read through (int j = i + 1; x[j]).  */

#include "poly/scop-build.h"

#include <string.h>

#include "ir/walk.h"

/* The bounds of a loop: a conjunction of FROM <= i or i < TO.  */
typedef struct bounds
{
  tns_builder *b;
  isl_set *set;
  bool up;
  bool affine;
} bounds;

/* VALUE, over the current domain, over a domain with one iterator more.  */
static __isl_give isl_pw_aff *
one_deeper (__isl_take isl_pw_aff *value)
{
  return isl_pw_aff_add_dims (value, isl_dim_in, 1);
}

/* The innermost iterator of the space of SET.  */
static __isl_give isl_pw_aff *
innermost (__isl_keep isl_set *set)
{
  isl_space *space = isl_set_get_space (set);
  isl_size n = isl_space_dim (space, isl_dim_set);
  if (n < 1)
    {
      isl_space_free (space);
      return NULL;
    }
  isl_local_space *local = isl_local_space_from_space (space);
  return isl_pw_aff_var_on_domain (local, isl_dim_set, (unsigned) n - 1);
}

/* Restrict the iterator: FIRST: i >= BOUND for an upward loop, i <= BOUND
   for a downward one; else i < BOUND, i > BOUND.  */
static void
add_bound (bounds *w, __isl_take isl_pw_aff *bound, bool first)
{
  isl_pw_aff *i = innermost (w->set);
  bound = one_deeper (bound);
  isl_set *part;
  if (first)
    part = w->up ? isl_pw_aff_ge_set (i, bound) : isl_pw_aff_le_set (i, bound);
  else
    part = w->up ? isl_pw_aff_lt_set (i, bound) : isl_pw_aff_gt_set (i, bound);
  w->set = isl_set_intersect (w->set, part);
}

/* Restrict the iterator by BOUND, each operand of a MAX (of a MIN) on its
   own where all of them count.  */
static void
add_bounds (bounds *w, tns_expr *bound, bool first)
{
  tns_op both = first == w->up ? TNS_MAX : TNS_MIN;
  if (bound->op == both)
    {
      add_bounds (w, bound->arg[0], first);
      add_bounds (w, bound->arg[1], first);
      return;
    }
  isl_pw_aff *value = w->affine && !tns_build_is_far (w->b, bound)
                        ? tns_build_affine (w->b, bound)
                        : NULL;
  w->affine = value != NULL;
  if (value)
    add_bound (w, value, first);
}

/* Restrict the iterator to FROM + k STEP.  */
static void
add_stride (bounds *w, tns_expr *from, long long step)
{
  long long by = step < 0 ? -step : step;
  if (by == 1 || !w->affine)
    return;
  isl_pw_aff *start = tns_build_affine (w->b, from);
  w->affine = start != NULL;
  if (!start)
    return;
  isl_pw_aff *past = isl_pw_aff_sub (innermost (w->set), one_deeper (start));
  isl_val *divisor = isl_val_int_from_si (w->b->isl, by);
  past = isl_pw_aff_mod_val (past, divisor);
  w->set = isl_set_intersect (w->set, isl_pw_aff_zero_set (past));
}

bool
tns_build_enter_loop (tns_builder *b, tns_node *loop, bool anyhow)
{
  isl_set *deeper = isl_set_add_dims (isl_set_copy (b->domain), isl_dim_set, 1);
  bounds w = { b, isl_set_copy (deeper), loop->step > 0, true };
  add_bounds (&w, loop->lo, true);
  add_bounds (&w, loop->hi, false);
  add_stride (&w, loop->lo, loop->step);
  if (!w.affine)
    {
      w.set = isl_set_free (w.set);
      if (anyhow)
        w.set = isl_set_copy (deeper);
    }
  isl_set_free (deeper);
  if (!w.set)
    return false;
  isl_set_free (b->domain);
  b->domain = isl_set_coalesce (w.set);
  b->iter[b->n_iters] = loop->iter;
  b->loop[b->n_iters] = loop;
  b->n_iters++;
  b->position[b->n_iters] = 0;
  if (w.affine)
    {
      tns_build_near (b, tns_build_resolve (b, loop->lo));
      tns_build_near (b, tns_build_resolve (b, loop->hi));
    }
  return true;
}

void
tns_build_leave_loop (tns_builder *b, __isl_take isl_set *outer)
{
  isl_set_free (b->domain);
  b->domain = outer;
  b->n_iters--;
}

void
tns_build_note_known (tns_builder *b, tns_node *node)
{
  tns_sym *sym = node->target->sym;
  bool candidate = node->update == TNS_NONE && !node->mask && sym->rank == 0
                   && tns_sym_is_local (sym) && b->writers[sym->id] == 1
                   && tns_elem_is_integer (sym->type.elem);
  if (!candidate)
    return;
  tns_expr *value = tns_build_resolve (b, node->value);
  if (!tns_build_is_still (value))
    return;
  int n = b->n_known;
  b->known_sym
    = tns_build_room (b->arena, b->known_sym, n, sizeof *b->known_sym);
  b->known_value
    = tns_build_room (b->arena, b->known_value, n, sizeof *b->known_value);
  b->known_sym[n] = sym;
  b->known_value[n] = value;
  b->n_known++;
}

/* Whether a statement is called NAME already.  */
static bool
name_taken (const tns_scop *scop, const char *name)
{
  for (int k = 0; k < scop->n_stmts; k++)
    if (!strcmp (scop->stmt[k].name, name))
      return true;
  return false;
}

/* A tuple name for NODE that no other statement has.  */
static const char *
statement_name (tns_builder *b, const tns_node *node)
{
  int n = b->scop->n_stmts;
  if (node->name && !name_taken (b->scop, node->name))
    return node->name;
  char *name = tns_arena_format (b->arena, "S%d", n);
  while (name_taken (b->scop, name))
    name = tns_arena_format (b->arena, "%s_", name);
  return name;
}

/* Append a statement for NODE at the current place.  */
static void
add_statement (tns_builder *b, tns_node *node)
{
  tns_scop *scop = b->scop;
  int n = b->n_iters;
  scop->stmt
    = tns_build_room (b->arena, scop->stmt, scop->n_stmts, sizeof *scop->stmt);
  tns_stmt *stmt = &scop->stmt[scop->n_stmts];
  *stmt = (tns_stmt){ .name = statement_name (b, node),
                      .node = node,
                      .n_iters = n };
  stmt->iter = TNS_NEW_ARRAY (b->arena, tns_sym *, n + 1);
  stmt->loop = TNS_NEW_ARRAY (b->arena, tns_node *, n + 1);
  stmt->position = TNS_NEW_ARRAY (b->arena, int, n + 1);
  for (int k = 0; k < n; k++)
    {
      stmt->iter[k] = b->iter[k];
      stmt->loop[k] = b->loop[k];
    }
  for (int k = 0; k <= n; k++)
    stmt->position[k] = b->position[k];
  b->position[n]++;
  isl_id *id = isl_id_alloc (b->isl, stmt->name, NULL);
  stmt->domain = isl_set_set_tuple_id (isl_set_copy (b->domain), id);
  scop->n_stmts++;
  b->n_exact = n;
  tns_build_accesses (b, stmt, node, node->kind != TNS_ASSIGN);
  tns_build_sure_writes (b, stmt);
}

/* The statements of a LOOP: those of its body, or itself when its bounds
   are not affine.  */
static void
build_loop (tns_builder *b, tns_node *node)
{
  isl_set *outer = isl_set_copy (b->domain);
  if (!tns_build_enter_loop (b, node, false))
    {
      isl_set_free (outer);
      add_statement (b, node);
      return;
    }
  int n_known = b->n_known;
  tns_build_statements (b, node->body);
  b->n_known = n_known;
  tns_build_leave_loop (b, outer);
  b->position[b->n_iters]++;
}

/* The statements of a branch of an IF, executed in PART.  */
static void
build_branch (tns_builder *b, tns_node *branch, __isl_take isl_set *part)
{
  isl_set *outer = b->domain;
  int n_known = b->n_known;
  b->domain = part;
  tns_build_statements (b, branch);
  isl_set_free (b->domain);
  b->domain = outer;
  b->n_known = n_known;
}

/* The statements of an IF: those of its branches, or itself when its
   condition is not affine.  */
static void
build_if (tns_builder *b, tns_node *node)
{
  isl_set *yes = tns_build_cond (b, node->cond, false);
  isl_set *no = yes ? tns_build_cond (b, node->cond, true) : NULL;
  if (!no)
    {
      isl_set_free (yes);
      add_statement (b, node);
      return;
    }
  build_branch (b, node->then, yes);
  build_branch (b, node->otherwise, no);
}

void
tns_build_statements (tns_builder *b, tns_node *node)
{
  if (!node || b->failed)
    return;
  int n_known = b->n_known;
  switch (node->kind)
    {
    case TNS_BLOCK:
      for (int k = 0; k < node->n_kids; k++)
        tns_build_statements (b, node->kid[k]);
      b->n_known = n_known;
      break;
    case TNS_LOOP:
      build_loop (b, node);
      break;
    case TNS_IF:
      build_if (b, node);
      break;
    case TNS_ASSIGN:
      add_statement (b, node);
      break;
    case TNS_LOCAL:
      b->born[node->sym->id] = b->n_iters;
      b->life[node->sym->id] = 0;
      break;
    case TNS_PREFETCH:
      break;
    }
}
