/* Arrays parted and moved inwards, as autodiff/ranges.h says.

     1. which arrays may be parted                         may_part
     2. their webs                                         poly/webs.c
     3. a symbol for each web: a LOCAL in the innermost
        loop that its values stay in, of the subscripts
        that this does not fix; else one like the array    place
     4. the body with these in their places                renew  */

#include "autodiff/ranges.h"

#include "autodiff/flow.h"
#include "autodiff/hull.h"
#include "poly/webs.h"
#include "ir/fresh.h"
#include "ir/walk.h"

/* What becomes of a web.

   sym    that stands for it; NULL: nothing changes
   kept   by subscript of the array: SYM has it too
   level  (a LOCAL that is new) whose body it is declared in  */
typedef struct range
{
  tns_sym *sym;
  bool kept[TNS_MOST_RANK];
  int level;
} range;

/* The work.

   row    by symbol id: of the scop, -1: it has none, or several
   range  by web
   by_rows  what is given becomes rows, too  */
typedef struct work
{
  tns_ctx *ctx;
  tns_arena *arena;
  const tns_scop *scop;
  tns_region *made;
  tns_gradient_wish *wish;
  const tns_view *view;
  tns_webs *webs;
  int *row;
  range *range;
  bool by_rows;
  bool changes;
} work;

/* What is looked for in an expression: reads of SYM that STMT's accesses do not
   know.  */
typedef struct search
{
  const tns_stmt *stmt;
  const tns_sym *sym;
  bool found;
} search;

/* The visitor of reads.  */
static bool
is_unknown (tns_expr *expr, void *self)
{
  search *s = self;
  bool known = false;
  if (!tns_expr_reads (expr) || expr->sym != s->sym)
    return true;
  for (int a = 0; s->stmt && a < s->stmt->n_accesses; a++)
    known |= tns_expr_equal (s->stmt->access[a].expr, expr);
  s->found |= !known;
  return true;
}

/* The visitor of nodes of a statement.  */
static bool
has_unknown (tns_node *node, void *self)
{
  tns_node_exprs (node, is_unknown, self);
  return true;
}

/* The statement of the scop that NODE is, or NULL.  */
static const tns_stmt *
stmt_of (const work *w, const tns_node *node)
{
  for (int s = 0; s < w->scop->n_stmts; s++)
    if (w->scop->stmt[s].node == node)
      return &w->scop->stmt[s];
  return NULL;
}

/* SYM is touched below NODE by something that is no access.  */
static bool
is_touched_apart (const work *w, tns_node *node, const tns_sym *sym)
{
  search s = { stmt_of (w, node), sym, false };
  if (s.stmt)
    tns_node_walk (node, has_unknown, &s);
  else
    tns_node_exprs (node, is_unknown, &s);
  for (int k = 0; k < node->n_kids && !s.found && !s.stmt; k++)
    s.found = is_touched_apart (w, node->kid[k], sym);
  tns_node *inner[] = { node->body, node->then, node->otherwise };
  for (int k = 0; k < 3 && !s.found && !s.stmt; k++)
    s.found = inner[k] && is_touched_apart (w, inner[k], sym);
  return s.found;
}

/* SYM is one of LIST[0..N), or a later form of it.  */
static bool
is_listed (int n, tns_sym *const *list, const tns_sym *sym)
{
  for (int k = 0; k < n; k++)
    if (list[k]->id == sym->id)
      return true;
  return false;
}

/* The seed of SYM, or NULL.  */
static const tns_seed *
seed_of (const work *w, const tns_sym *sym)
{
  for (int k = 0; k < w->wish->n_seeds; k++)
    if (w->wish->seed[k].sym == sym)
      return &w->wish->seed[k];
  return NULL;
}

/* What ROW holds at the end counts: the caller sees it, or its adjoint.  */
static bool
has_end (const work *w, const tns_sym *sym)
{
  const tns_seed *seed = seed_of (w, sym);
  if (tns_sym_is_local (sym))
    return false;
  return (seed && seed->of)
         || (w->wish->primal
             && !is_listed (w->wish->n_absent, w->wish->absent, sym))
         || (!w->by_rows && is_listed (w->wish->n_given, w->wish->given, sym));
}

/* The webs of ROW may find arrays of their own: all of its accesses are known,
   and there is one that writes.  */
static bool
may_part (const work *w, int row)
{
  const tns_array *array = &w->scop->array[row];
  return array->written && w->row[array->sym->id] == row
         && !is_touched_apart (w, w->scop->region->body, array->sym);
}

/* The level of the body of LOOP.  */
static int
level_of (const work *w, const tns_node *loop)
{
  int level = 0;
  while (w->view->level[level].loop != loop)
    level++;
  return level;
}

/* How many loops are around LEVEL's statements.  */
static int
depth_of (const work *w, int level)
{
  int n = 0;
  for (; w->view->level[level].outer >= 0; level = w->view->level[level].outer)
    n++;
  return n;
}

/* What kind of subscript is asked for.

   loop, n  the loops outside of which the array is not seen
   other    it depends on an iterator of theirs  */
typedef struct moving
{
  tns_node **loop;
  int n;
  bool other;
} moving;

/* The visitor of iterators.  */
static bool
is_outer (tns_expr *expr, void *self)
{
  moving *m = self;
  if (tns_expr_reads (expr))
    return false;
  for (int k = 0; k < m->n; k++)
    m->other |= expr->op == TNS_SYM && expr->sym == m->loop[k]->iter;
  return true;
}

/* The visitor that finds what an iteration of these loops does not fix: reads
   and other iterators.  */
static bool
is_inner (tns_expr *expr, void *self)
{
  moving *m = self;
  bool outer = false;
  for (int k = 0; k < m->n; k++)
    outer |= expr->op == TNS_SYM && expr->sym == m->loop[k]->iter;
  m->other
    |= tns_expr_reads (expr)
       || (expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER && !outer);
  return true;
}

/* A walk over the accesses of a web.  */
typedef struct accesses
{
  const work *w;
  int web;
  int at;
} accesses;

/* The next access, or NULL.  */
static const tns_access *
next_access (accesses *a)
{
  const tns_webs *webs = a->w->webs;
  while (++a->at < webs->outside)
    if (tns_web_of (webs, a->at) == a->web)
      {
        const tns_stmt *stmt = tns_web_stmt (webs, a->at);
        int first = webs->first[stmt - a->w->scop->stmt];
        return &stmt->access[a->at - first];
      }
  return NULL;
}

/* All accesses of WEB have the same subscript K, which an iteration of the N
   outermost loops fixes.  */
static bool
is_fixed (const work *w, int web, int n, int k)
{
  accesses all = { w, web, -1 };
  const tns_expr *first = NULL;
  const tns_access *access;
  moving m = { tns_web_stmt (w->webs, web)->loop, n, false };
  while ((access = next_access (&all)))
    {
      tns_expr *sub = access->expr->arg[k];
      tns_expr_walk (sub, is_inner, &m);
      if (m.other || (first && !tns_expr_equal (first, sub)))
        return false;
      first = sub;
    }
  return true;
}

/* How many elements WEB has along subscript K, in an iteration of the N
   outermost loops; NULL where that cannot be said.  */
static tns_expr *
extent_of (const work *w, int web, int n, int k)
{
  accesses all = { w, web, -1 };
  const tns_access *access;
  tns_expr *end = NULL;
  moving m = { tns_web_stmt (w->webs, web)->loop, n, false };
  while ((access = next_access (&all)))
    {
      tns_expr *sub = access->expr->arg[k];
      const tns_node *node = tns_web_stmt (w->webs, all.at)->node;
      tns_expr_walk (sub, is_outer, &m);
      if (m.other)
        return NULL;
      if (access->expr->sym->extent[k])
        {
          end = access->expr->sym->extent[k];
          continue;
        }
      int site = node->kind == TNS_ASSIGN ? tns_view_site (w->view, node) : -1;
      tns_expr *most
        = site < 0 ? NULL : tns_hull (w->arena, w->view, site, sub, true);
      if (!most)
        return NULL;
      most = tns_binary (w->arena, TNS_ADD, most, tns_int (w->arena, 1));
      most = tns_binary (w->arena, TNS_MAX, tns_int (w->arena, 0), most);
      end = end && !tns_expr_equal (end, most)
              ? tns_binary (w->arena, TNS_MAX, end, most)
              : most;
    }
  return end;
}

/* SYM is an array that became a row.  */
static void
note_moved (work *w, const tns_sym *sym)
{
  tns_gradient_wish *wish = w->wish;
  size_t n = (size_t) wish->n_moved;
  wish->moved = tns_arena_grow (w->arena, wish->moved, sizeof *wish->moved * n,
                                sizeof *wish->moved * (n + 1));
  wish->moved[wish->n_moved++] = sym;
}

/* A LOCAL for WEB of SYM, in the Nth loop around it; false where it would need
   subscripts that cannot be said.  */
static bool
move_inwards (work *w, int web, const tns_sym *sym, int n)
{
  range made = { .level = -1 };
  tns_expr *extent[TNS_MOST_RANK];
  int rank = 0;
  if (sym->rank > 0 && tns_wish_list_has (&w->wish->store, sym))
    return false;
  for (int k = 0; k < sym->rank; k++)
    {
      made.kept[k] = !is_fixed (w, web, n, k);
      if (made.kept[k] && !(extent[rank++] = extent_of (w, web, n, k)))
        return false;
    }
  tns_sym like = *sym;
  like.flags = TNS_SYM_LOCAL | (sym->flags & TNS_SYM_OBJECT);
  like.rank = rank;
  like.spelled = tns_sym_words (sym);
  like.stride = NULL;
  made.sym = tns_local_like (w->arena, w->made, &like);
  made.sym->extent = TNS_NEW_ARRAY (w->arena, tns_expr *, rank + 1);
  for (int k = 0; k < rank; k++)
    made.sym->extent[k] = extent[k];
  made.level = level_of (w, tns_web_stmt (w->webs, web)->loop[n - 1]);
  w->range[web] = made;
  w->changes = true;
  if (sym->rank > 0)
    note_moved (w, made.sym);
  return true;
}

/* An array like SYM for WEB, where SYM itself stands for another one.  */
static void
part_off (work *w, int web, const tns_sym *sym)
{
  range *made = &w->range[web];
  made->sym = tns_local_like (w->arena, w->made, sym);
  made->sym->flags &= ~(unsigned) (TNS_SYM_CONST | TNS_SYM_RESTRICT);
  made->sym->spelled = tns_sym_words (sym);
  made->sym->stride = tns_sym_is_local (sym) ? sym->stride : NULL;
  made->level = -1;
  for (int k = 0; k < sym->rank; k++)
    made->kept[k] = true;
  w->changes = true;
  if (tns_sym_is_local (sym))
    return;
  tns_gradient_wish *wish = w->wish;
  tns_region_add_param (w->arena, w->made, made->sym);
  wish->absent = tns_arena_grow (
    w->arena, wish->absent, sizeof *wish->absent * (size_t) wish->n_absent,
    sizeof *wish->absent * (size_t) (wish->n_absent + 1));
  wish->absent[wish->n_absent++] = made->sym;
}

/* A symbol for WEB, of ROW; *OWN: the array's own is taken.  */
static void
place (work *w, int web, int row, bool *own)
{
  const tns_sym *sym = w->scop->array[row].sym;
  int home = depth_of (w, w->view->home[sym->id]);
  for (int n = w->webs->depth[web]; n > home; n--)
    if (move_inwards (w, web, sym, n))
      return;
  if (*own)
    part_off (w, web, sym);
  *own = true;
}

/* Symbols for the webs of ROW.  The one from outside keeps the array's.  */
static void
place_webs (work *w, int row)
{
  int outside = tns_web_of (w->webs, w->webs->outside + row);
  bool own = outside != w->webs->outside + row;
  for (int k = 0; k < w->webs->outside; k++)
    {
      const tns_stmt *stmt = tns_web_stmt (w->webs, k);
      const tns_access *access
        = &stmt->access[k - w->webs->first[stmt - w->scop->stmt]];
      if (access->array == row && tns_web_of (w->webs, k) == k && k != outside)
        place (w, k, row, &own);
    }
}

/* What stands for EXPR, a LOAD that STMT reads or WRITES; NULL: itself.  */
static const range *
range_of (const work *w, const tns_stmt *stmt, const tns_expr *expr, bool write)
{
  int number = stmt ? tns_web_number (w->webs, stmt, expr, write) : -1;
  const range *found
    = number < 0 ? NULL : &w->range[tns_web_of (w->webs, number)];
  return found && found->sym ? found : NULL;
}

/* EXPR, a read of STMT or with WRITES what it writes, with the new symbols.  */
static tns_expr *
renew_expr (work *w, const tns_stmt *stmt, tns_expr *expr, bool write)
{
  if (!expr || expr->n_args + tns_expr_reads (expr) == 0)
    return expr;
  tns_expr **arg = TNS_NEW_ARRAY (w->arena, tns_expr *, expr->n_args + 1);
  const range *to
    = tns_expr_reads (expr) ? range_of (w, stmt, expr, write) : NULL;
  int n = 0;
  for (int k = 0; k < expr->n_args; k++)
    if (!to || to->kept[k])
      arg[n++] = renew_expr (w, stmt, expr->arg[k], false);
  if (!to)
    return tns_expr_with_args (w->arena, expr, arg);
  tns_expr *made = tns_load (w->arena, to->sym, arg);
  made->loc = expr->loc;
  return made;
}

/* Make MADE, a copy of NODE, an ASSIGN of STMT, speak of the new symbols; an
   update of one by another is none.  */
static void
renew_assign (work *w, const tns_stmt *stmt, const tns_node *node,
              tns_node *made)
{
  made->target = renew_expr (w, stmt, node->target, true);
  made->value = renew_expr (w, stmt, node->value, false);
  if (node->update == TNS_NONE)
    return;
  tns_expr *old = renew_expr (w, stmt, node->target, false);
  if (old->sym == made->target->sym)
    return;
  made->value = tns_make (w->arena, node->update, made->value->type, NULL, 2,
                          (tns_expr *[]){ old, made->value });
  made->value->loc = node->value->loc;
  made->update = TNS_NONE;
}

/* Append to BLOCK the new LOCALs of LEVEL.  */
static void
add_locals (work *w, tns_node *block, int level)
{
  for (int k = 0; k < w->webs->outside; k++)
    if (w->range[k].sym && w->range[k].level == level)
      tns_block_add (w->arena, block,
                     tns_local (w->arena, block->loc, w->range[k].sym));
}

/* Append to BLOCK a LOCAL for each array that was parted off SYM.  */
static void
add_parts (work *w, tns_node *block, const tns_sym *sym)
{
  for (int k = 0; k < w->webs->outside; k++)
    {
      const range *r = &w->range[k];
      const tns_stmt *stmt = tns_web_stmt (w->webs, k);
      if (r->sym && r->level < 0 && tns_sym_is_local (r->sym)
          && stmt->access[k - w->webs->first[stmt - w->scop->stmt]].expr->sym
               == sym)
        tns_block_add (w->arena, block,
                       tns_local (w->arena, block->loc, r->sym));
    }
}

/* NODE, in STMT unless that is NULL, with the new symbols.  */
static tns_node *
renew (work *w, const tns_stmt *stmt, tns_node *node)
{
  if (!node)
    return NULL;
  tns_node *made = tns_node_copy (w->arena, node);
  stmt = stmt ? stmt : stmt_of (w, node);
  if (node->kind == TNS_BLOCK)
    {
      made = tns_block (w->arena, node->loc);
      for (int k = 0; k < node->n_kids; k++)
        {
          tns_block_add (w->arena, made, renew (w, stmt, node->kid[k]));
          if (node->kid[k]->kind == TNS_LOCAL)
            add_parts (w, made, node->kid[k]->sym);
        }
      return made;
    }
  made->lo = renew_expr (w, stmt, node->lo, false);
  made->hi = renew_expr (w, stmt, node->hi, false);
  made->cond = renew_expr (w, stmt, node->cond, false);
  made->then = renew (w, stmt, node->then);
  made->otherwise = renew (w, stmt, node->otherwise);
  if (node->kind == TNS_ASSIGN)
    renew_assign (w, stmt, node, made);
  if (node->kind != TNS_LOOP)
    return made;
  tns_node *body = renew (w, stmt, node->body);
  made->body = tns_block (w->arena, body->loc);
  add_locals (w, made->body, level_of (w, node));
  for (int k = 0; k < body->n_kids; k++)
    tns_block_add (w->arena, made->body, body->kid[k]);
  return made;
}

/* Fill the table of rows.  */
static void
find_rows (work *w)
{
  const tns_region *f = w->scop->region;
  w->row = TNS_NEW_ARRAY (w->arena, int, f->n_syms + 1);
  for (int k = 0; k < f->n_syms; k++)
    w->row[k] = -1;
  for (int k = 0; k < w->scop->n_arrays; k++)
    {
      int *row = &w->row[w->scop->array[k].sym->id];
      *row = *row == -1 ? k : w->scop->n_arrays;
    }
}

/* What WEB's statements write of its array stays until the end.  */
static bool
lasts (const work *w, int web)
{
  tns_flow flow = { w->view, w->scop };
  accesses all = { w, web, -1 };
  const tns_access *access;
  while ((access = next_access (&all)))
    {
      tns_node *node = tns_web_stmt (w->webs, all.at)->node;
      if (access->write && node->kind != TNS_ASSIGN)
        return false;
      for (int s = 0; access->write && s < w->view->n_sites; s++)
        {
          const tns_node *other = w->view->site[s].node;
          if (other->kind == TNS_ASSIGN
              && other->target->sym == access->expr->sym
              && tns_flow_overwrites (&flow, tns_view_site (w->view, node), s))
            return false;
        }
    }
  return true;
}

/* WEB became a row of WHOLE, which is given and has it at the end.  */
static void
note_given (work *w, int web, tns_sym *whole)
{
  tns_gradient_wish *wish = w->wish;
  const range *made = &w->range[web];
  accesses all = { w, web, -1 };
  const tns_access *access = next_access (&all);
  size_t size = sizeof *wish->given_row;
  size_t n = (size_t) wish->n_given_rows;
  tns_given_row row = { made->sym, whole,
                        TNS_NEW_ARRAY (w->arena, tns_expr *, whole->rank + 1) };
  for (int k = 0; k < whole->rank; k++)
    row.at[k] = made->kept[k] ? NULL : access->expr->arg[k];
  wish->given_row
    = tns_arena_grow (w->arena, wish->given_row, size * n, size * (n + 1));
  wish->given_row[wish->n_given_rows++] = row;
}

/* Note which rows of SYM are given; false where it is not gone, or is given in
   vain.  */
static bool
note_rows_given (work *w, tns_sym *sym)
{
  int n = w->wish->n_given_rows;
  bool gone = !tns_node_mentions (w->made->body, sym);
  for (int k = 0; k < w->webs->outside && gone; k++)
    {
      const tns_stmt *stmt = tns_web_stmt (w->webs, k);
      const tns_access *access
        = &stmt->access[k - w->webs->first[stmt - w->scop->stmt]];
      if (tns_web_of (w->webs, k) == k && w->range[k].sym
          && access->expr->sym == sym && lasts (w, k))
        note_given (w, k, sym);
    }
  return gone && w->wish->n_given_rows > n;
}

/* tns_region_ranges, with what is given BY_ROWS; NULL where that cannot be.  */
static tns_region *
part_all (tns_ctx *ctx, const tns_scop *scop, tns_gradient_wish *wish,
          bool by_rows)
{
  work w = { .ctx = ctx,
             .arena = ctx->arena,
             .scop = scop,
             .wish = wish,
             .by_rows = by_rows };
  w.made = tns_region_copy (w.arena, scop->region);
  w.view = tns_view_of (w.arena, scop->region);
  find_rows (&w);
  tns_web_wish *asked
    = TNS_NEW_ARRAY (w.arena, tns_web_wish, scop->n_arrays + 1);
  for (int row = 0; row < scop->n_arrays; row++)
    asked[row] = (tns_web_wish){ may_part (&w, row),
                                 has_end (&w, scop->array[row].sym) };
  w.webs = tns_webs_find (ctx, scop, asked);
  w.range = TNS_NEW_ARRAY (w.arena, range, w.webs->outside + 1);
  for (int row = 0; row < scop->n_arrays; row++)
    if (asked[row].part)
      place_webs (&w, row);
  if (!w.changes)
    return by_rows ? NULL : scop->region;
  w.made->body = renew (&w, NULL, scop->region->body);
  bool is_right = true;
  for (int k = 0; k < wish->n_given && by_rows; k++)
    is_right &= note_rows_given (&w, scop->region->syms[wish->given[k]->id]);
  return is_right ? w.made : NULL;
}

tns_region *
tns_region_ranges (tns_ctx *ctx, const tns_scop *scop, tns_gradient_wish *wish)
{
  tns_gradient_wish before = *wish;
  tns_region *made
    = wish->n_given > 0 ? part_all (ctx, scop, wish, true) : NULL;
  if (made)
    return made;
  *wish = before;
  return part_all (ctx, scop, wish, false);
}
