/* A block's threads, as lowering/cuda-block.h says.  */

#include "lowering/cuda-block.h"

#include "ir/walk.h"
#include "lowering/cuda-row.h"
#include "lowering/cuda-scan.h"
#include "lowering/cuda-slots.h"

/* What is done with an array.

   written, read
   place  the subscript that is the iterator of a loop with lanes in all
          accesses, from 1 on: then each thread has elements of its own; 0: it
          is not accessed; -1: by other accesses
   lanes  that loop, or one that begins and steps alike  */
typedef struct use
{
  bool written;
  bool read;
  int place;
  const tns_node *lanes;
} use;

/* What is done, by symbol.

   lanes  the loop with lanes around
   moves  by symbol: the iterator of a loop that the block goes through
   row    whose loops give each thread the same iterations, or NULL  */
typedef struct touch
{
  use *use;
  const tns_node *lanes;
  const bool *moves;
  const tns_grid_row *row;
} touch;

/* done   since the threads last waited
   slots  what is in registers, NULL: nothing  */
typedef struct block
{
  tns_c99 *c;
  touch done;
  const tns_slots *slots;
} block;

/* What a bound depends on.  */
typedef struct bound
{
  const bool *moves;
  bool stays;
} bound;

/* SYM is in memory that all threads see.  */
static bool
is_memory (const tns_sym *sym)
{
  return sym->kind == TNS_SYM_ARRAY
         && (sym->rank > 0 || !tns_sym_is_local (sym));
}

/* The threads that A and B are done by have the same iterations; of a scan they
   have others than of other loops.  */
static bool
is_shared_alike (const tns_node *a, const tns_node *b)
{
  return a == b
         || (a->step == b->step && tns_expr_equal (a->lo, b->lo)
             && a->marks.scan == b->marks.scan);
}

/* The visitor of what a bound is made of.  */
static bool
note_moving (tns_expr *expr, void *self)
{
  bound *b = self;
  bool moves = expr->op == TNS_SYM && b->moves[expr->sym->id];
  b->stays &= !moves && !tns_expr_reads (expr);
  return b->stays;
}

/* Each thread has the same iterations of LANES, which is around T's accesses,
   whenever the block comes there.  */
static bool
is_settled (const touch *t, const tns_node *lanes)
{
  bound b = { t->moves, true };
  tns_expr_walk (lanes->lo, note_moving, &b);
  return b.stays;
}

/* The subscript of LOAD, one of T's, that is the iterator of the loop with
   lanes, from 1 on; -1: none.  */
static int
place_of (const touch *t, const tns_expr *load)
{
  const tns_node *lanes = t->lanes;
  if (!lanes || !is_settled (t, lanes))
    return -1;
  for (int k = 0; k < load->n_args; k++)
    if (load->arg[k]->op == TNS_SYM && load->arg[k]->sym == lanes->iter)
      return k + 1;
  return -1;
}

/* Let U be used as V is, too.  */
static void
join (use *u, const use *v)
{
  bool alike = u->place > 0 && u->place == v->place
               && is_shared_alike (u->lanes, v->lanes);
  if (v->place == 0)
    return;
  u->place = u->place == 0 || alike ? v->place : -1;
  u->lanes = v->lanes;
  u->written |= v->written;
  u->read |= v->read;
}

/* LOAD is accessed.  */
static void
note_access (touch *t, const tns_expr *load, bool written, bool read)
{
  if (!is_memory (load->sym))
    return;
  const tns_node *alike = t->row ? t->row->loop[0].loop : t->lanes;
  use made = { written, read, place_of (t, load), alike };
  join (&t->use[load->sym->id], &made);
}

/* The visitor of what is read.  */
static bool
note_read (tns_expr *expr, void *self)
{
  if (tns_expr_reads (expr))
    note_access (self, expr, false, true);
  return true;
}

/* The visitor of statements.  */
static bool
note_touch (tns_node *node, void *self)
{
  touch *t = self;
  if (node->kind == TNS_LOOP && (node->marks.simd > 1 || node->marks.scan))
    {
      tns_node_exprs (node, note_read, t);
      t->lanes = node;
      tns_node_walk (node->body, note_touch, t);
      t->lanes = NULL;
      return false;
    }
  if (node->kind != TNS_ASSIGN)
    {
      tns_node_exprs (node, note_read, t);
      return true;
    }
  for (int k = 0; k < node->target->n_args; k++)
    tns_expr_walk (node->target->arg[k], note_read, t);
  tns_expr_walk (node->value, note_read, t);
  note_access (t, node->target, true, node->update != TNS_NONE);
  return true;
}

/* What NODE touches.  */
static touch
touch_of (const block *b, tns_node *node)
{
  int n = b->c->region->n_syms + 1;
  touch t = b->done;
  t.use = TNS_NEW_ARRAY (b->c->text->arena, use, n);
  tns_node_walk (node, note_touch, &t);
  return t;
}

/* The threads wait for each other.  */
static void
wait (block *b)
{
  tns_text_line (b->c->text, "__syncthreads ();");
  for (int k = 0; k < b->c->region->n_syms; k++)
    b->done.use[k] = (use){ .place = 0 };
}

/* One thread may need what another does in U and V.  */
static bool
conflict (const use *u, const use *v)
{
  if (u->place == 0 || v->place == 0 || !(u->written || v->written))
    return false;
  return u->place < 0 || u->place != v->place
         || !is_shared_alike (u->lanes, v->lanes);
}

/* What was done since they last waited meets T.  */
static bool
meets (const block *b, const touch *t)
{
  bool meets = false;
  for (int k = 0; k < b->c->region->n_syms; k++)
    meets |= conflict (&b->done.use[k], &t->use[k]);
  return meets;
}

/* T meets itself: another iteration may not begin before all have ended
   this.  */
static bool
meets_itself (const block *b, const touch *t)
{
  bool meets = false;
  for (int k = 0; k < b->c->region->n_syms; k++)
    meets |= conflict (&t->use[k], &t->use[k]);
  return meets;
}

/* T is done from now on.  */
static void
note (block *b, const touch *t)
{
  for (int k = 0; k < b->c->region->n_syms; k++)
    join (&b->done.use[k], &t->use[k]);
}

/* A copy of what B has done.  */
static use *
done_by (const block *b)
{
  int n = b->c->region->n_syms;
  use *done = TNS_NEW_ARRAY (b->c->text->arena, use, n + 1);
  for (int k = 0; k < n; k++)
    done[k] = b->done.use[k];
  return done;
}

/* The threads may have come here another way, on which DONE was done.  */
static void
join_way (block *b, const use *done)
{
  for (int k = 0; k < b->c->region->n_syms; k++)
    join (&b->done.use[k], &done[k]);
}

/* What NODE itself reads is read from now on.  */
static void
note_exprs (block *b, tns_node *node)
{
  int n = b->c->region->n_syms + 1;
  touch t = b->done;
  t.use = TNS_NEW_ARRAY (b->c->text->arena, use, n);
  tns_node_exprs (node, note_read, &t);
  note (b, &t);
}

/* Wait where NODE needs that, and note what it does.  */
static void
come_to (block *b, tns_node *node)
{
  touch t = touch_of (b, node);
  if (meets (b, &t))
    wait (b);
  note (b, &t);
}

void
tns_cuda_operator (tns_c99 *c, tns_op op, tns_elem elem)
{
  tns_arena *arena = c->text->arena;
  tns_sym *sym[2];
  tns_expr *arg[2];
  const char *type = tns_elem_c_name (elem);
  for (int k = 0; k < 2; k++)
    {
      sym[k] = TNS_NEW (arena, tns_sym);
      sym[k]->kind = TNS_SYM_VALUE;
      sym[k]->type = tns_scalar (elem);
      sym[k]->name = k ? "tns_b" : "tns_a";
      arg[k] = tns_value (arena, sym[k]);
    }
  tns_text_format (c->text, "[] (%s tns_a, %s tns_b) -> %s { return ", type,
                   type, type);
  tns_c99_expr (c, tns_make (arena, op, tns_scalar (elem), NULL, 2, arg), 0);
  tns_text_add (c->text, "; }");
}

/* SYM, a cell that each thread has added to, in all threads: the same in each
   of them, where the order of two operands is seen, too.  */
static void
add_fold (tns_c99 *c, const tns_reduction *r)
{
  const char *name = tns_c99_name (c, r->sym);
  bool turns = (r->op == TNS_MIN || r->op == TNS_MAX)
               && tns_elem_is_float (r->sym->type.elem);
  tns_text_begin (c->text);
  tns_text_format (c->text, "%s = %s (%s, ", name,
                   turns ? "tns_fold_first" : "tns_fold", name);
  tns_cuda_operator (c, r->op, r->sym->type.elem);
  tns_text_add (c->text, ", tns_parts);\n");
}

/* The end of LOOP where it is in memory: a variable of a block that begins
   here; else NULL.  */
static const char *
begin_end (tns_c99 *c, const tns_node *loop)
{
  if (!tns_expr_loads (loop->hi))
    return NULL;
  tns_text_line (c->text, "{");
  c->text->indent += 2;
  tns_text_begin (c->text);
  tns_text_add (c->text, "const long tns_end = ");
  tns_c99_expr (c, loop->hi, 0);
  tns_text_add (c->text, ";\n");
  return "tns_end";
}

/* END's block ends, if there is one.  */
static void
end_end (tns_c99 *c, const char *end)
{
  if (!end)
    return;
  c->text->indent -= 2;
  tns_text_line (c->text, "}");
}

/* for (long c = lo + FIRST * step; c < END; c += EACH * step)  */
static void
add_for (tns_c99 *c, const tns_node *loop, const char *end, const char *first,
         const char *each)
{
  const char *iter = tns_c99_name (c, loop->iter);
  long long lo;
  bool is_zero = tns_expr_is_int (loop->lo, &lo) && lo == 0;
  tns_text_begin (c->text);
  tns_text_format (c->text, "for (long %s = ", iter);
  if (!*first || !is_zero)
    tns_c99_expr (c, loop->lo, *first ? 11 : 0);
  if (*first)
    tns_text_format (c->text, "%s%s", is_zero ? "" : " + ", first);
  if (*first && loop->step != 1)
    tns_text_format (c->text, " * (%lld)", loop->step);
  tns_text_format (c->text, "; %s %s ", iter, loop->step > 0 ? "<" : ">");
  if (end)
    tns_text_add (c->text, end);
  else
    tns_c99_expr (c, loop->hi, 11);
  tns_text_format (c->text, "; %s += %s", iter, each);
  if (!*each || loop->step != 1)
    tns_text_format (c->text, "%s%lld", *each ? " * " : "", loop->step);
  tns_text_add (c->text, ")\n");
}

/* LOOP's iterations, one by one.  */
static void
add_shared (tns_c99 *c, tns_node *loop)
{
  const char *end = begin_end (c, loop);
  tns_text_line (c->text, "TNS_UNROLL4");
  add_for (c, loop, end, "(long) threadIdx.x", "(long) blockDim.x");
  tns_text_line (c->text, "  {");
  c->text->indent += 4;
  tns_c99_node (c, loop->body);
  c->text->indent -= 4;
  tns_text_line (c->text, "  }");
  end_end (c, end);
}

/* The same, and what they add up.  */
static void
add_lanes (block *b, tns_node *loop)
{
  tns_c99 *c = b->c;
  const tns_grid_row *row = b->done.row;
  come_to (b, loop);
  if (row)
    tns_cuda_row_loop (c, row, tns_row_loop_of (row, loop));
  else if (b->slots && tns_slots_has (b->slots, loop))
    tns_cuda_slots_loop (c, b->slots, loop);
  else
    add_shared (c, loop);
  for (int k = 0; k < loop->marks.n_reductions; k++)
    add_fold (c, &loop->marks.reductions[k]);
}

static void add_node (block *b, tns_node *node);

/* NODE between braces.  */
static void
add_braces (block *b, tns_node *node)
{
  tns_text_line (b->c->text, "  {");
  b->c->text->indent += 4;
  add_node (b, node);
  b->c->text->indent -= 4;
  tns_text_line (b->c->text, "  }");
}

/* LOOP, which all threads go through, or past.  */
static void
add_loop (block *b, tns_node *loop)
{
  touch t = touch_of (b, loop->body);
  come_to (b, loop);
  const use *past = done_by (b);
  const char *end = begin_end (b->c, loop);
  bool rows = b->slots && loop == b->slots->rows;
  if (rows)
    tns_cuda_slots_fetch (b->c, b->slots, true);
  add_for (b->c, loop, end, "", "");
  tns_text_line (b->c->text, "  {");
  b->c->text->indent += 4;
  if (rows)
    tns_cuda_slots_fetch (b->c, b->slots, false);
  if (meets_itself (b, &t))
    wait (b);
  add_node (b, loop->body);
  b->c->text->indent -= 4;
  tns_text_line (b->c->text, "  }");
  end_end (b->c, end);
  join_way (b, past);
}

/* NODE, a choice that all threads make alike.  */
static void
add_if (block *b, tns_node *node)
{
  tns_text *text = b->c->text;
  touch t = touch_of (b, node);
  if (meets (b, &t))
    wait (b);
  tns_text_begin (text);
  tns_text_add (text, "if (");
  tns_c99_expr (b->c, node->cond, 0);
  tns_text_add (text, ")\n");
  note_exprs (b, node);
  use *past = done_by (b);
  add_braces (b, node->then);
  if (node->otherwise)
    {
      use *then = done_by (b);
      b->done.use = past;
      past = then;
      tns_text_line (text, "else");
      add_braces (b, node->otherwise);
    }
  join_way (b, past);
}

/* NODE, an assignment: to memory by one thread.  */
static void
add_assign (block *b, tns_node *node)
{
  bool stores = is_memory (node->target->sym);
  come_to (b, node);
  if (stores)
    tns_text_line (b->c->text, "if (threadIdx.x == 0)");
  b->c->text->indent += stores ? 2 : 0;
  tns_c99_node (b->c, node);
  b->c->text->indent -= stores ? 2 : 0;
}

/* SYM begins its life: a cell of each thread, an array of all.  */
static void
add_local (tns_c99 *c, const tns_sym *sym)
{
  tns_text_begin (c->text);
  tns_text_format (c->text, "%s%s %s", sym->rank ? "__shared__ " : "",
                   tns_elem_c_name (sym->type.elem), tns_c99_name (c, sym));
  for (int k = 0; k < sym->rank; k++)
    {
      tns_text_add (c->text, "[");
      tns_c99_expr (c, sym->extent[k], 0);
      tns_text_add (c->text, "]");
    }
  tns_text_add (c->text, ";\n");
}

/* The statements of NODE, a block; one in it has names of its own.  */
static void
add_statements (block *b, tns_node *node)
{
  for (int k = 0; k < node->n_kids; k++)
    {
      int inner = node->kid[k]->kind == TNS_BLOCK ? 2 : 0;
      if (inner)
        tns_text_line (b->c->text, "{");
      b->c->text->indent += inner;
      add_node (b, node->kid[k]);
      b->c->text->indent -= inner;
      if (inner)
        tns_text_line (b->c->text, "}");
    }
}

/* LOOP, a scan, by all threads, or by each of them where it is none.  */
static void
add_scan (block *b, tns_node *loop)
{
  touch t = touch_of (b, loop);
  if (meets (b, &t))
    wait (b);
  if (tns_cuda_scan (b->c, loop))
    {
      note (b, &t);
      return;
    }
  tns_node *plain = tns_node_copy (b->c->text->arena, loop);
  plain->marks.scan = false;
  add_loop (b, plain);
}

/* NODE's statements.  */
static void
add_node (block *b, tns_node *node)
{
  if (node->kind != TNS_BLOCK)
    tns_c99_mark (b->c, node->loc);
  if (node->kind == TNS_BLOCK)
    add_statements (b, node);
  else if (node->kind == TNS_LOCAL && b->slots
           && tns_slots_hold (b->slots, node->sym))
    tns_cuda_slots_declare (b->c, node->sym);
  else if (node->kind == TNS_LOCAL)
    add_local (b->c, node->sym);
  else if (node->kind == TNS_ASSIGN)
    add_assign (b, node);
  else if (node->kind == TNS_IF)
    add_if (b, node);
  else if (node->kind == TNS_LOOP && node->marks.scan)
    add_scan (b, node);
  else if (node->kind == TNS_LOOP && node->marks.simd > 1)
    add_lanes (b, node);
  else if (node->kind == TNS_LOOP)
    add_loop (b, node);
}

/* The visitor that notes the iterators of the loops that a block goes
   through.  */
static bool
note_mover (tns_node *node, void *self)
{
  bool *moves = self;
  if (node->kind == TNS_LOOP)
    moves[node->iter->id] = true;
  return true;
}

/* NODE has an array of its own.  */
static bool
note_array (tns_node *node, void *self)
{
  bool *found = self;
  *found |= node->kind == TNS_LOCAL && node->sym->rank > 0;
  return !*found;
}

/* Append NODE; AGAIN: it is done several times; ROW and SLOTS, unless NULL, are
   in registers.  */
static void
add_block (tns_c99 *c, tns_node *node, bool again, const tns_grid_row *row,
           const tns_slots *slots)
{
  tns_arena *arena = c->text->arena;
  int n = c->region->n_syms + 1;
  bool *moves = TNS_NEW_ARRAY (arena, bool, n);
  block b = { c, { TNS_NEW_ARRAY (arena, use, n), NULL, moves, row }, slots };
  bool shares = false;
  tns_node_walk (node, note_array, &shares);
  tns_node_walk (node, note_mover, moves);
  if (row)
    tns_cuda_row_begin (c, row);
  add_node (&b, node);
  if (again && shares)
    wait (&b);
}

void
tns_cuda_block (tns_c99 *c, tns_node *node, bool again, const tns_grid_row *row)
{
  add_block (c, node, again, row, NULL);
}

void
tns_cuda_block_slots (tns_c99 *c, tns_node *node, const tns_slots *slots)
{
  add_block (c, node, true, NULL, slots);
}
