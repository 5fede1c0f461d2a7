/* Looks at subscripts, as autodiff/look.h says.  */

#include "autodiff/look.h"

#include <limits.h>

#include "autodiff/hull.h"
#include "ir/handed.h"
#include "ir/walk.h"

/* More than any row.  */
static const long long FAR = LLONG_MAX / 4;

/* A look being made.

   block   of its statements
   least, end  its cells; NULL: it is no look for rows
   site    that is looked at
   loc     where it is asked for
   loose   floating numbers that only the function knows choose among what is
           found
   failed  what is written must be looked at too, or what is not there  */
typedef struct look
{
  tns_ctx *ctx;
  tns_arena *arena;
  const tns_view *view;
  const tns_gradient_wish *wish;
  const tns_sym *sym;
  tns_loc loc;
  tns_node *block;
  tns_sym *least;
  tns_sym *end;
  int site;
  bool loose;
  bool failed;
} look;

/* SYM, an array, may be written in L's function, by this name or another, or is
   nothing of the caller's.  */
static bool
may_change (const look *l, const tns_sym *sym)
{
  const tns_region *f = l->view->region;
  bool may = tns_sym_is_local (sym) || tns_node_writes (f->body, sym);
  for (int k = 0; k < l->wish->n_absent; k++)
    may |= l->wish->absent[k]->id == sym->id;
  for (int k = 0; k < f->n_overlaps && !may; k++)
    {
      const tns_sym *a = f->overlaps[k].a;
      const tns_sym *b = f->overlaps[k].b;
      may = (a == sym && tns_node_writes (f->body, b))
            || (b == sym && tns_node_writes (f->body, a));
    }
  return may;
}

/* The visitor of what is looked at.  */
static bool
check_part (tns_expr *expr, void *self)
{
  look *l = self;
  l->failed |= tns_call_arguments (expr) != NULL;
  l->failed |= tns_expr_reads (expr) && may_change (l, expr->sym);
  return !l->failed;
}

/* EXPR, which is looked at.  */
static tns_expr *
checked (look *l, tns_expr *expr)
{
  tns_expr_walk (expr, check_part, l);
  return expr;
}

/* The visitor that finds floating numbers.  */
static bool
note_floating (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= tns_elem_is_float (expr->type.elem);
  return !*found;
}

/* EXPR says something of floating numbers that cannot be looked at.  */
static bool
is_decided_late (const look *l, tns_expr *expr)
{
  bool floats = false;
  look alone = *l;
  alone.failed = false;
  checked (&alone, expr);
  tns_expr_walk (expr, note_floating, &floats);
  return floats && alone.failed;
}

/* What can be looked at of COND, which holds, or does not, where something is
   reached; NULL: nothing.  */
static tns_expr *
known_part (look *l, tns_expr *cond, bool negated)
{
  if (cond->op == (negated ? TNS_LOR : TNS_LAND))
    {
      tns_expr *a = known_part (l, cond->arg[0], negated);
      tns_expr *b = known_part (l, cond->arg[1], negated);
      return a && b ? tns_binary (l->arena, cond->op, a, b) : a ? a : b;
    }
  bool is_late = is_decided_late (l, cond);
  l->loose |= is_late;
  return is_late ? NULL : checked (l, cond);
}

/* BODY, a BLOCK, where COND holds, or does not.  */
static tns_node *
where (look *l, tns_expr *cond, bool negated, tns_node *body)
{
  tns_node *block = tns_block (l->arena, body->loc);
  cond = known_part (l, cond, negated);
  if (!cond)
    return body;
  if (negated)
    cond = tns_unary (l->arena, TNS_LNOT, cond);
  tns_block_add (l->arena, block,
                 tns_if (l->arena, body->loc, cond, body, NULL));
  return block;
}

/* BODY, a BLOCK, in LOOP, or once if that runs where nothing in it depends on
   its iterator.  */
static tns_node *
around (look *l, const tns_node *loop, tns_node *body)
{
  tns_node *block = tns_block (l->arena, body->loc);
  tns_expr *lo = checked (l, loop->lo);
  tns_expr *hi = checked (l, loop->hi);
  if (!tns_node_mentions (body, loop->iter))
    return where (l,
                  tns_binary (l->arena, TNS_LT, loop->step > 0 ? lo : hi,
                              loop->step > 0 ? hi : lo),
                  false, body);
  tns_block_add (
    l->arena, block,
    tns_loop (l->arena, loop->loc, loop->iter, lo, hi, loop->step, body));
  return block;
}

/* Append TARGET, a cell, = VALUE to BLOCK.  */
static void
set (const look *l, tns_node *block, tns_sym *target, tns_expr *value)
{
  tns_block_add (l->arena, block,
                 tns_assign (l->arena, l->loc, tns_cell (l->arena, target),
                             TNS_NONE, value));
}

/* Append BODY to L, in the loops and conditions around its site.  */
static void
add_at_site (look *l, tns_node *body)
{
  const tns_view *view = l->view;
  int in = l->site;
  for (int at = view->site[in].under; at >= 0;
       in = at, at = view->site[in].under)
    {
      tns_node *node = view->site[at].node;
      bool is_then = node->kind == TNS_IF
                     && tns_node_holds (node->then, view->site[in].node);
      body = node->kind == TNS_LOOP ? around (l, node, body)
                                    : where (l, node->cond, !is_then, body);
    }
  tns_block_add (l->arena, l->block, body);
}

/* Row ROW of L's array is touched where KNOWN holds.  */
static void
add_row (look *l, tns_expr *row, const tns_known *known)
{
  tns_node *body = tns_block (l->arena, l->loc);
  tns_expr *next
    = tns_binary (l->arena, TNS_ADD, checked (l, row), tns_int (l->arena, 1));
  tns_expr *least = tns_cell (l->arena, l->least);
  tns_expr *end = tns_cell (l->arena, l->end);
  set (l, body, l->least, tns_binary (l->arena, TNS_MIN, least, row));
  set (l, body, l->end, tns_binary (l->arena, TNS_MAX, end, next));
  for (; known; known = known->next)
    body = where (l, known->cond, known->negated, body);
  add_at_site (l, body);
}

/* All rows that EXPR touches, which is evaluated where KNOWN holds.  */
static void
add_rows (look *l, tns_expr *expr, const tns_known *known)
{
  bool is_late = expr->op == TNS_LAND || expr->op == TNS_LOR;
  bool mentions = tns_expr_mentions (expr, l->sym);
  l->failed |= mentions && tns_call_arguments (expr);
  if (!mentions || l->failed)
    return;
  if (tns_expr_reads (expr) && expr->sym == l->sym)
    add_row (l, expr->arg[0], known);
  for (int k = 0; k < expr->n_args; k++)
    {
      bool is_arm = (expr->op == TNS_SELECT || is_late) && k > 0;
      bool negated = is_late ? expr->op == TNS_LOR : k == 2;
      tns_known arm = { expr->arg[0], negated, known };
      add_rows (l, expr->arg[k], is_arm ? &arm : known);
    }
}

/* The visitor of whole expressions.  */
static bool
add_all_rows (tns_expr *expr, void *self)
{
  add_rows (self, expr, NULL);
  return false;
}

/* Where nothing was found there are no rows.  */
static void
close (look *l)
{
  tns_node *none = tns_block (l->arena, l->loc);
  tns_expr *zero = tns_int (l->arena, 0);
  tns_expr *is_none = tns_binary (l->arena, TNS_LT, tns_cell (l->arena, l->end),
                                  tns_cell (l->arena, l->least));
  set (l, none, l->least, zero);
  set (l, none, l->end, zero);
  tns_block_add (l->arena, l->block,
                 tns_if (l->arena, l->loc, is_none, none, NULL));
}

/* One more cell of the looks of ABOUT, called like L's array or loop, NAME, and
   WORD, that MADE has as a VALUE; *CELL is the cell.  The VALUE.  */
static tns_expr *
add_cell (look *l, const tns_looking *about, const char *name, const char *word,
          tns_sym **cell)
{
  tns_looks *looks = &about->wish->looks;
  tns_region *made = about->made;
  size_t size = sizeof (tns_sym *) * (size_t) looks->n;
  size_t more = size + sizeof (tns_sym *);
  name = tns_arena_format (l->arena, "%s_%s", name, word);
  tns_sym *value = tns_region_add_value (l->arena, made, name, TNS_I64);
  *cell = tns_region_add_array (l->arena, looks->region, name, TNS_I64, 0, 0);
  (*cell)->loc = value->loc = l->loc;
  tns_region_add_param (l->arena, made, value);
  tns_region_add_param (l->arena, looks->region, *cell);
  looks->cell = tns_arena_grow (l->arena, looks->cell, size, more);
  looks->value = tns_arena_grow (l->arena, looks->value, size, more);
  looks->cell[looks->n] = *cell;
  looks->value[looks->n++] = value;
  return tns_value (l->arena, value);
}

/* A look of ABOUT, asked for at LOC; the first one has what looks, and nothing
   else yet.  */
static look
open (const tns_looking *about, tns_loc loc)
{
  tns_arena *arena = about->ctx->arena;
  tns_looks *looks = &about->wish->looks;
  const tns_region *f = about->view->region;
  look l = { .ctx = about->ctx,
             .arena = arena,
             .view = about->view,
             .wish = about->wish,
             .loc = loc,
             .block = tns_block (arena, loc) };
  if (looks->region)
    return l;
  looks->region = tns_region_copy (arena, f);
  looks->region->body = tns_block (arena, f->body->loc);
  looks->region->n_overlaps = 0;
  looks->region->n_still = 0;
  return l;
}

/* What ABOUT found of LOOP (ALL: in sum), or of SYM, before; NULL: nothing.  */
static const tns_look_found *
found_before (const tns_looking *about, const tns_node *loop, bool all,
              const tns_sym *sym)
{
  const tns_looks *looks = &about->wish->looks;
  for (int k = 0; k < looks->n_found; k++)
    if (looks->found[k].loop == loop && looks->found[k].all == all
        && looks->found[k].sym == sym)
      return &looks->found[k];
  return NULL;
}

/* FOUND was found.  */
static void
note_found (const tns_looking *about, tns_look_found found)
{
  tns_looks *looks = &about->wish->looks;
  size_t n = (size_t) looks->n_found;
  looks->found = tns_arena_grow (about->ctx->arena, looks->found,
                                 sizeof found * n, sizeof found * (n + 1));
  looks->found[looks->n_found++] = found;
}

/* What looks for the rows of L's array.  */
static void
add_look_for (look *l, const tns_looking *about)
{
  set (l, l->block, l->least, tns_int (l->arena, FAR));
  set (l, l->block, l->end, tns_int (l->arena, -FAR));
  for (; l->site < about->view->n_sites; l->site++)
    tns_node_exprs (about->view->site[l->site].node, add_all_rows, l);
  close (l);
  tns_block_add (l->arena, about->wish->looks.region->body, l->block);
}

bool
tns_look_for (const tns_looking *about, const tns_sym *sym, tns_rows *rows)
{
  const tns_look_found *before = found_before (about, NULL, false, sym);
  if (!about->wish->looks.may)
    return false;
  *rows = (tns_rows){ .sure = true };
  if (before)
    {
      rows->lo = rows->base = before->value;
      rows->hi = before->end;
      rows->sure = !before->loose;
      return true;
    }
  look l = open (about, sym->loc);
  l.sym = sym;
  rows->lo = rows->base = add_cell (&l, about, sym->name, "least", &l.least);
  rows->hi = add_cell (&l, about, sym->name, "end", &l.end);
  add_look_for (&l, about);
  if (l.failed)
    *rows = (tns_rows){ .sure = false };
  else
    note_found (about, (tns_look_found){ .loose = l.loose,
                                         .sym = sym,
                                         .value = rows->lo,
                                         .end = rows->hi });
  rows->sure &= !l.loose;
  return !l.failed;
}

tns_expr *
tns_look_span (const tns_looking *about, int s, bool all)
{
  tns_node *loop = about->view->site[s].node;
  const tns_look_found *before = found_before (about, loop, all, NULL);
  tns_sym *cell;
  if (before || !about->wish->looks.may)
    return before ? before->value : NULL;
  look l = open (about, loop->loc);
  tns_arena *arena = l.arena;
  l.site = s;
  tns_expr *value
    = add_cell (&l, about, loop->iter->name, all ? "total" : "span", &cell);
  tns_expr *lo = checked (&l, loop->lo);
  tns_expr *hi = checked (&l, loop->hi);
  bool up = loop->step > 0;
  tns_expr *far = tns_binary (arena, TNS_SUB, up ? hi : lo, up ? lo : hi);
  tns_expr *old = tns_cell (arena, cell);
  tns_expr *some
    = tns_binary (arena, TNS_MAX, far, all ? tns_int (arena, 0) : old);
  tns_node *body = tns_block (arena, loop->loc);
  set (&l, l.block, cell, tns_int (arena, 0));
  set (&l, body, cell, all ? tns_binary (arena, TNS_ADD, old, some) : some);
  add_at_site (&l, body);
  tns_block_add (arena, about->wish->looks.region->body, l.block);
  if (l.failed)
    return NULL;
  note_found (about,
              (tns_look_found){ .loop = loop, .all = all, .value = value });
  return value;
}

void
tns_looks_guard (const tns_region *made, tns_looks *looks)
{
  tns_region *region = looks->region;
  int n = 0;
  if (!region)
    return;
  region->guard = made->guard;
  region->n_guard = made->n_guard;
  for (int k = 0; k < region->n_params; k++)
    {
      tns_sym *sym = region->params[k];
      bool is_used
        = sym->kind == TNS_SYM_VALUE || tns_node_mentions (region->body, sym);
      if (is_used)
        region->params[n++] = sym;
    }
  region->n_params = n;
}
