/* Loops joined, as autodiff/together.h says: what the text says is asked
   first, and only then isl.  */

#include "autodiff/together.h"

#include "ir/walk.h"
#include "poly/scop.h"

enum
{
  MOST_DEPTH = 64
};

/* Two loops that follow each other in a block of F.

   run            they and the loops of the same range that follow them
   around, depth  the loops around them, outermost first  */
typedef struct pair
{
  tns_arena *arena;
  tns_node *first;
  tns_node *second;
  int n_run;
  tns_node **run;
  tns_node *around[MOST_DEPTH];
  int depth;
} pair;

/* What is known of the accesses of SYM.

   in       the loop of the run that is being looked at
   other    there is one outside of the run
   written  in the first loop
   read     in the second one
   fixed    by subscript: in one iteration of the loops around
   row      by subscript: in one iteration of the joined loop
   sub      by subscript: what it is there  */
typedef struct shape
{
  const pair *p;
  const tns_node *in;
  const tns_sym *sym;
  bool other;
  bool written;
  bool read;
  bool fixed[TNS_MOST_RANK];
  bool row[TNS_MOST_RANK];
  tns_expr *sub[TNS_MOST_RANK];
} shape;

/* What is looked for in a subscript: iterators other than those of the loops
   around and, where that is not NULL, ALLOWED; reads.  */
typedef struct search
{
  const pair *p;
  const tns_sym *allowed;
  bool found;
} search;

/* The visitor of subscripts.  */
static bool
moves (tns_expr *expr, void *self)
{
  search *s = self;
  bool known = expr->sym == s->allowed;
  for (int k = 0; k < s->p->depth; k++)
    known |= expr->sym == s->p->around[k]->iter;
  s->found
    |= tns_expr_reads (expr)
       || (expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER && !known);
  return true;
}

/* Note an access of S's array through LOAD.  */
static void
note (shape *s, tns_expr *load)
{
  tns_sym *own = s->p->first->iter;
  tns_sym *other = s->in ? s->in->iter : own;
  tns_expr *value = tns_value (s->p->arena, own);
  s->other |= !s->in;
  for (int k = 0; k < load->n_args; k++)
    {
      tns_expr *sub
        = tns_expr_substitute (s->p->arena, load->arg[k], 1, &other, &value);
      search around = { s->p, NULL, false };
      search joined = { s->p, own, false };
      tns_expr_walk (sub, moves, &around);
      tns_expr_walk (sub, moves, &joined);
      bool same = !s->sub[k] || tns_expr_equal (s->sub[k], sub);
      s->fixed[k] &= same && !around.found;
      s->row[k] &= same && !joined.found;
      s->sub[k] = sub;
    }
}

/* The visitor of reads.  */
static bool
note_read (tns_expr *expr, void *self)
{
  shape *s = self;
  if (tns_expr_reads (expr) && expr->sym == s->sym)
    {
      s->read |= s->in == s->p->second;
      note (s, expr);
    }
  return true;
}

/* Note the accesses of S's array below NODE.  */
static void
note_all (shape *s, tns_node *node)
{
  if (!node)
    return;
  const tns_node *in = s->in;
  for (int k = 0; k < s->p->n_run; k++)
    if (node == s->p->run[k])
      s->in = node;
  tns_node_exprs (node, note_read, s);
  if (node->kind == TNS_ASSIGN && node->target->sym == s->sym)
    s->written |= s->in == s->p->first;
  for (int k = 0; k < node->n_kids; k++)
    note_all (s, node->kid[k]);
  note_all (s, node->body);
  note_all (s, node->then);
  note_all (s, node->otherwise);
  s->in = in;
}

/* SYM is no array of the caller's, or one that is not differentiated, given or
   not, and may become a row.  */
static bool
is_temporary (const tns_gradient_wish *wish, const tns_sym *sym)
{
  bool is = sym->kind == TNS_SYM_ARRAY
            && (!wish->primal || tns_sym_is_local (sym))
            && !tns_wish_list_has (&wish->store, sym);
  for (int k = 0; k < wish->n_seeds; k++)
    is &= wish->seed[k].sym->id != sym->id;
  return is;
}

/* SYM is touched in the run of P only, and loses a subscript when this is one
   loop.  */
static bool
shrinks (const pair *p, const tns_region *f, const tns_sym *sym)
{
  shape s = { .p = p, .sym = sym };
  int n = 0;
  bool less = false;
  for (int k = 0; k < sym->rank; k++)
    s.fixed[k] = s.row[k] = true;
  note_all (&s, f->body);
  for (int k = 0; k < sym->rank; k++)
    {
      n += !s.fixed[k];
      less |= s.row[k] && !s.fixed[k];
    }
  return s.written && s.read && !s.other && n > 1 && less;
}

/* A and B are loops over the same range.  */
static bool
is_same_range (const tns_node *a, const tns_node *b)
{
  return a->kind == TNS_LOOP && b->kind == TNS_LOOP && a->step == b->step
         && tns_expr_equal (a->lo, b->lo) && tns_expr_equal (a->hi, b->hi);
}

/* Some temporary shrinks.  */
static bool
pays (const pair *p, const tns_region *f, const tns_gradient_wish *wish)
{
  for (int k = 0; k < f->n_syms; k++)
    if (is_temporary (wish, f->syms[k]) && shrinks (p, f, f->syms[k]))
      return true;
  return false;
}

/* Whether STMT is in LOOP, the one at DEPTH.  */
static bool
is_in (const tns_stmt *stmt, const tns_node *loop, int depth)
{
  return stmt->n_iters > depth && stmt->loop[depth] == loop;
}

/* An access A of FROM, in the first loop of P, and B of TO, in the second one,
   keep their order when the loops are one.  */
static bool
keeps_order (const pair *p, const tns_scop *scop, const tns_stmt *from,
             const tns_access *a, const tns_stmt *to, const tns_access *b)
{
  unsigned d = (unsigned) p->depth;
  isl_map *meet = isl_map_apply_range (isl_map_copy (a->map),
                                       isl_map_reverse (isl_map_copy (b->map)));
  meet = isl_map_intersect_domain (meet, isl_set_copy (from->domain));
  meet = isl_map_intersect_range (meet, isl_set_copy (to->domain));
  meet = isl_map_intersect_params (meet, isl_set_copy (scop->context));
  for (unsigned k = 0; k < d; k++)
    meet = isl_map_equate (meet, isl_dim_in, (int) k, isl_dim_out, (int) k);
  meet = p->first->step > 0
           ? isl_map_order_gt (meet, isl_dim_in, (int) d, isl_dim_out, (int) d)
           : isl_map_order_lt (meet, isl_dim_in, (int) d, isl_dim_out, (int) d);
  bool none = isl_map_is_empty (meet) == isl_bool_true;
  isl_map_free (meet);
  return none;
}

/* All accesses of FROM and TO keep their order.  */
static bool
keep_order (const pair *p, const tns_scop *scop, const tns_stmt *from,
            const tns_stmt *to)
{
  for (int a = 0; a < from->n_accesses; a++)
    for (int b = 0; b < to->n_accesses; b++)
      if (from->access[a].array == to->access[b].array
          && (from->access[a].write || to->access[b].write)
          && !keeps_order (p, scop, from, &from->access[a], to, &to->access[b]))
        return false;
  return true;
}

/* The symbols that a node writes, and whether OTHER mentions one of them.  */
typedef struct writing
{
  const tns_scop *scop;
  tns_node *other;
  bool found;
} writing;

/* The visitor of statements: what they write is no cell that the other loop
   reads and the scop has read through.  */
static bool
writes_unknown (tns_node *node, void *self)
{
  writing *w = self;
  if (node->kind != TNS_ASSIGN || node->target->sym->rank > 0
      || tns_elem_is_float (node->target->type.elem))
    return true;
  w->found |= tns_node_mentions (w->other, node->target->sym);
  return !w->found;
}

/* P's loops may be one.  */
static bool
is_legal (const pair *p, const tns_scop *scop)
{
  writing there = { scop, p->second, false };
  writing back = { scop, p->first, false };
  bool known = false;
  tns_node_walk (p->first, writes_unknown, &there);
  tns_node_walk (p->second, writes_unknown, &back);
  if (there.found || back.found)
    return false;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int t = 0; t < scop->n_stmts; t++)
      if (is_in (&scop->stmt[s], p->first, p->depth)
          && is_in (&scop->stmt[t], p->second, p->depth))
        {
          known = true;
          if (!keep_order (p, scop, &scop->stmt[s], &scop->stmt[t]))
            return false;
        }
  return known;
}

/* The loops of P as one.  */
static tns_node *
joined (const pair *p)
{
  tns_node *made = tns_node_copy (p->arena, p->first);
  tns_expr *value = tns_value (p->arena, p->first->iter);
  tns_node *second = tns_node_substitute (p->arena, p->second->body, 1,
                                          &p->second->iter, &value);
  made->body = tns_block (p->arena, p->first->loc);
  tns_block_add (p->arena, made->body, p->first->body);
  tns_block_add (p->arena, made->body, second);
  return made;
}

/* NODE with the loops of P as one.  */
static tns_node *
with_joined (const pair *p, tns_node *node)
{
  if (!node || node == p->second)
    return NULL;
  if (node == p->first)
    return joined (p);
  tns_node *made = tns_node_copy (p->arena, node);
  if (node->kind == TNS_BLOCK)
    {
      made = tns_block (p->arena, node->loc);
      for (int k = 0; k < node->n_kids; k++)
        if (node->kid[k]->kind == TNS_LOCAL)
          tns_block_add (p->arena, made, node->kid[k]);
      for (int k = 0; k < node->n_kids; k++)
        if (node->kid[k] != p->second && node->kid[k]->kind != TNS_LOCAL)
          tns_block_add (p->arena, made, with_joined (p, node->kid[k]));
    }
  made->body = with_joined (p, node->body);
  made->then = with_joined (p, node->then);
  made->otherwise = with_joined (p, node->otherwise);
  return made;
}

/* The search for a pair.

   scop  of F, NULL: not asked for yet
   at    the place that is looked at, then the pair  */
typedef struct hunt
{
  tns_ctx *ctx;
  tns_region *f;
  const tns_gradient_wish *wish;
  tns_scop *scop;
  pair at;
} hunt;

/* Set the run of H: the loops of one range from kid K of BLOCK on, LOCALs
   apart.  */
static void
find_run (hunt *h, const tns_node *block, int k)
{
  pair *p = &h->at;
  p->run = TNS_NEW_ARRAY (p->arena, tns_node *, block->n_kids + 1);
  p->n_run = 0;
  for (; k < block->n_kids; k++)
    if (block->kid[k]->kind == TNS_LOCAL)
      continue;
    else if (p->n_run && !is_same_range (p->run[0], block->kid[k]))
      break;
    else
      p->run[p->n_run++] = block->kid[k];
}

/* The loops that follow each other from kid K of BLOCK on may and should be
   one.  */
static bool
is_pair (hunt *h, const tns_node *block, int k)
{
  find_run (h, block, k);
  if (h->at.n_run < 2)
    return false;
  h->at.first = h->at.run[0];
  h->at.second = h->at.run[1];
  if (!pays (&h->at, h->f, h->wish))
    return false;
  if (!h->scop)
    h->scop = tns_scop_build (h->ctx, h->f);
  return h->scop && is_legal (&h->at, h->scop);
}

/* Find a pair below NODE, the outermost first.  */
static bool
find (hunt *h, tns_node *node)
{
  if (!node)
    return false;
  for (int k = 0; k < node->n_kids; k++)
    if (is_pair (h, node, k) || find (h, node->kid[k]))
      return true;
  if (node->kind == TNS_IF)
    return find (h, node->then) || find (h, node->otherwise);
  if (node->kind != TNS_LOOP || h->at.depth == MOST_DEPTH)
    return false;
  h->at.around[h->at.depth++] = node;
  bool found = find (h, node->body);
  h->at.depth -= !found;
  return found;
}

tns_region *
tns_region_together (tns_ctx *ctx, tns_region *f, const tns_gradient_wish *wish)
{
  bool found = true;
  while (found)
    {
      hunt h = { .ctx = ctx, .f = f, .wish = wish };
      h.at.arena = ctx->arena;
      found = find (&h, f->body);
      if (found)
        {
          tns_region *made = tns_region_copy (ctx->arena, f);
          made->body = with_joined (&h.at, f->body);
          f = made;
        }
      if (h.scop)
        tns_scop_free (h.scop);
    }
  return f;
}
