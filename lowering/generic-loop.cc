/* Blocks, loops and statements as trees.

     for (i = lo; i < hi; i += s) body     {
                                             long i = lo, bound = hi;
                                             goto test;
                                           top:
                                             body; i += s;
                                           test:
                                             if (i < bound) goto top;
                                           }

   the shape that GCC's own front ends give to loops; a condition where there
   is one iteration at most.  Marks that earlier
   stages have left become what GCC understands: ivdep for iterations that
   are free, unroll; of loops that look small elements up in tables GCC makes no
   vectors.  A LOCAL node declares its variable in a scope around
   the block that holds it.  */

#include "lowering/build.hh"
#include "schedule/machine.h"

extern "C"
{
#include "ir/handed.h"
#include "ir/stride.h"
#include "ir/walk.h"
}

/* A body of more expressions is large.  Elements so far apart, or further, are
   not picked from whole vectors.  */
enum
{
  LARGE_BODY = 100,
  FAR_APART = 16
};

tree
tns_build_set (tns_build *build, tree target, tree value)
{
  tree type = TREE_TYPE (target);
  if (type != TREE_TYPE (value))
    value = VECTOR_TYPE_P (type) ? fold_build1 (VIEW_CONVERT_EXPR, type, value)
                                 : fold_convert (type, value);
  tree set = build2_loc (build->loc, MODIFY_EXPR, type, target, value);
  TREE_SIDE_EFFECTS (set) = 1;
  tns_gcc_quiet (set);
  return set;
}

tree
tns_build_scope (tree variables, tree body)
{
  if (!variables)
    return body;
  tree block = make_node (BLOCK);
  variables = nreverse (variables);
  BLOCK_VARS (block) = variables;
  TREE_USED (block) = 1;
  tree scope = build3 (BIND_EXPR, void_type_node, variables, body, block);
  TREE_SIDE_EFFECTS (scope) = 1;
  return scope;
}

tree
tns_build_if (tns_build *build, tree cond, tree then, tree otherwise)
{
  tree statement
    = build3_loc (build->loc, COND_EXPR, void_type_node, cond,
                  then ? then : build_empty_stmt (build->loc), otherwise);
  TREE_SIDE_EFFECTS (statement) = 1;
  return statement;
}

tree
tns_build_variable (tns_build *build, const char *name, tree type)
{
  tree variable
    = build_decl (build->loc, VAR_DECL, get_identifier (name), type);
  DECL_CONTEXT (variable) = build->fn;
  TREE_USED (variable) = 1;
  DECL_IGNORED_P (variable) = 1;
  tns_gcc_quiet (variable);
  return variable;
}

/* A label of the function.  */
static tree
new_label (tns_build *build)
{
  tree label = create_artificial_label (build->loc);
  DECL_CONTEXT (label) = build->fn;
  return label;
}

/* LABEL as a place to go to.  */
static tree
label_statement (tree label)
{
  return build1 (LABEL_EXPR, void_type_node, label);
}

/* The way to LABEL.  */
static tree
goto_statement (tree label)
{
  return build1 (GOTO_EXPR, void_type_node, label);
}

void
tns_build_repeat (tns_build *build, tree iter, tree bound, tree step, tree body,
                  tree *list)
{
  tree top = new_label (build);
  tree test = new_label (build);
  tree more = build2 (LT_EXPR, boolean_type_node, iter, bound);
  append_to_statement_list (goto_statement (test), list);
  append_to_statement_list (label_statement (top), list);
  append_to_statement_list (body, list);
  append_to_statement_list (
    tns_build_set (build, iter,
                   build2 (PLUS_EXPR, TREE_TYPE (iter), iter, step)),
    list);
  append_to_statement_list (label_statement (test), list);
  append_to_statement_list (
    tns_build_if (build, more, goto_statement (top), NULL_TREE), list);
}

/* The visitor: note whether EXPR reads memory.  */
static bool
note_read (tns_expr *expr, void *self)
{
  bool *found = (bool *) self;
  *found |= tns_expr_reads (expr);
  return !*found;
}

/* The visitor: note whether EXPR is a small element of a table, found by what
   memory holds.  */
static bool
note_lookup (tns_expr *expr, void *self)
{
  bool *found = (bool *) self;
  if (expr->op == TNS_LOAD && expr->type.lanes == 1
      && tns_elem_bytes (expr->type.elem) < 4)
    for (int k = 0; k < expr->n_args && !*found; k++)
      tns_expr_walk (expr->arg[k], note_read, found);
  return !*found;
}

/* The visitor: the same for NODE's expressions.  */
static bool
note_lookups (tns_node *node, void *self)
{
  tns_node_exprs (node, note_lookup, self);
  return !*(bool *) self;
}

/* The visitor: count EXPR.  */
static bool
count_expr (tns_expr *expr, void *self)
{
  int *n = (int *) self;
  (void) expr;
  return ++*n <= LARGE_BODY;
}

/* The visitor: the same for NODE's expressions.  */
static bool
count_exprs (tns_node *node, void *self)
{
  tns_node_exprs (node, count_expr, self);
  return *(int *) self <= LARGE_BODY;
}

/* LOOP combines what threads have made of its chunks, a few of them.  */
static bool
combines (const tns_node *loop)
{
  return loop->marks.chunks && !loop->marks.parallel;
}

/* How often GCC shall write LOOP's body down; 0: it may choose.  A body that
   is large already it is not to repeat, however few iterations there are, nor
   what combines chunks.  */
static int
copies_of (tns_node *loop)
{
  int n = 0;
  if (loop->marks.unroll > 1)
    return loop->marks.unroll;
  if (combines (loop))
    return 1;
  tns_node_walk (loop->body, count_exprs, &n);
  return n > LARGE_BODY;
}

/* What is looked for in a loop: a sum over its iterations of scalars.  */
typedef struct tns_sum_search
{
  tns_node *loop;
  bool found;
} tns_sum_search;

/* The visitor: note whether NODE adds to a floating number that the loop's
   iterations share.  */
static bool
note_sum (tns_node *node, void *self)
{
  tns_sum_search *s = (tns_sum_search *) self;
  const tns_expr *at = node->kind == TNS_ASSIGN ? node->target : NULL;
  if (at && at->type.lanes == 1 && tns_elem_is_float (at->type.elem)
      && (node->update == TNS_ADD || node->update == TNS_SUB
          || tns_expr_mentions (node->value, at->sym))
      && !tns_expr_mentions (node->target, s->loop->iter)
      && !tns_node_declares (s->loop->body, at->sym))
    s->found = true;
  return !s->found;
}

/* LOOP adds up scalars one by one, in BUILD's function, whose sums keep their
   order.  */
static bool
sums_in_order (tns_build *build, tns_node *loop)
{
  tns_sum_search search = { loop, false };
  if (!opt_for_fn (build->fn, flag_associative_math))
    tns_node_walk (loop->body, note_sum, &search);
  return search.found;
}

/* COND with what LOOP's marks tell GCC, and that no vectors are to be pieced
   together of small elements that are looked up in tables: it takes that to be
   cheap.

   Nor are sums whose order stays to be put in vectors: GCC 11 and 12 take the
   elements of rows that are read backwards in the wrong order there, and from
   outside the rows.  A sum in order waits for its additions anyway.  Nor what
   vectors have left of a loop, and the parts of chunks.  */
static tree
annotate (tns_build *build, tns_node *loop, tree cond)
{
  const tns_marks *marks = &loop->marks;
  bool no_vector = loop->few || combines (loop) || sums_in_order (build, loop);
  tns_node_walk (loop->body, note_lookups, &no_vector);
  if (no_vector)
    cond = build3 (ANNOTATE_EXPR, boolean_type_node, cond,
                   build_int_cst (integer_type_node, annot_expr_no_vector_kind),
                   integer_zero_node);
  if ((marks->simd > 0 || marks->parallel) && marks->n_reductions == 0)
    cond = build3 (ANNOTATE_EXPR, boolean_type_node, cond,
                   build_int_cst (integer_type_node, annot_expr_ivdep_kind),
                   integer_zero_node);
  int copies = copies_of (loop);
  if (copies > 0)
    cond = build3 (ANNOTATE_EXPR, boolean_type_node, cond,
                   build_int_cst (integer_type_node, annot_expr_unroll_kind),
                   build_int_cst (integer_type_node, copies));
  return cond;
}

/* The iteration of LOOP at ITER, if ITER is below BOUND.  */
static void
add_once (tns_build *build, tns_node *loop, tree iter, tree bound, tree *list)
{
  tree body = NULL_TREE;
  tree_code below = loop->step > 0 ? LT_EXPR : GT_EXPR;
  tree variables = NULL_TREE;
  const tns_node *around = build->once;
  build->once = loop;
  tns_build_enter (build, loop->iter, &body, &variables);
  tns_build_node (build, loop->body, &body);
  tns_build_leave (build);
  build->once = around;
  body = tns_build_scope (variables, body);
  append_to_statement_list (
    tns_build_if (build, build2 (below, boolean_type_node, iter, bound), body,
                  NULL_TREE),
    list);
}

/* DEPTH loops, each the only statement of the one before, from lo[k] to
   bound[k]; where OUTLINE is not NULL the last one stands around it, as
   tns_build_plain_loop has it.  */
typedef struct nest
{
  int depth;
  const tree *lo;
  const tree *bound;
  const tns_outline *outline;
} nest;

static void add_loop (tns_build *build, tns_node *loop, const nest *n,
                      tree *list);

/* What stands in LOOP, the outermost of N.  */
static void
add_inside (tns_build *build, tns_node *loop, const nest *n, tree *list)
{
  tns_node *inner = tns_build_only_loop (loop->body);
  if (n->depth > 1)
    {
      nest inside = { n->depth - 1, n->lo + 1, n->bound + 1, NULL };
      add_loop (build, inner, &inside, list);
    }
  else if (n->outline)
    {
      tns_outline inside = *n->outline;
      inside.outer--;
      tns_build_plain_loop (build, inner, &inside, list);
    }
  else
    tns_build_node (build, loop->body, list);
}

/* N, LOOP first.  */
static void
add_loop (tns_build *build, tns_node *loop, const nest *n, tree *list)
{
  tree bound = *n->bound;
  tree type = tns_build_type (tns_scalar (TNS_I64));
  tree iter = tns_build_variable (build, loop->iter->name, type);
  tree variables = iter;
  tree body = NULL_TREE;
  if (!CONSTANT_CLASS_P (bound))
    {
      tree limit = tns_build_variable (build, "bound", type);
      append_to_statement_list (tns_build_set (build, limit, bound), &body);
      DECL_CHAIN (limit) = variables;
      variables = limit;
      bound = limit;
    }
  build->decl[loop->iter->id] = iter;
  append_to_statement_list (tns_build_set (build, iter, *n->lo), &body);
  if (loop->once && n->depth == 1 && !n->outline)
    {
      add_once (build, loop, iter, bound, &body);
      append_to_statement_list (tns_build_scope (variables, body), list);
      return;
    }
  struct tns_counter *counters = build->counters;
  tns_build_count (build, loop, &variables, &body);
  tree top = new_label (build);
  tree test = new_label (build);
  append_to_statement_list (goto_statement (test), &body);
  append_to_statement_list (label_statement (top), &body);
  tns_build_enter (build, loop->iter, &body, &variables);
  add_inside (build, loop, n, &body);
  tns_build_leave (build);
  tree next = build2 (PLUS_EXPR, type, iter, build_int_cst (type, loop->step));
  append_to_statement_list (tns_build_set (build, iter, next), &body);
  tns_build_count_on (build, loop, &body);
  build->counters = counters;
  append_to_statement_list (label_statement (test), &body);
  tree more = build2 (loop->step > 0 ? LT_EXPR : GT_EXPR, boolean_type_node,
                      iter, bound);
  append_to_statement_list (tns_build_if (build, annotate (build, loop, more),
                                          goto_statement (top), NULL_TREE),
                            &body);
  append_to_statement_list (tns_build_scope (variables, body), list);
}

void
tns_build_plain_loop (tns_build *build, tns_node *loop,
                      const tns_outline *outline, tree *list)
{
  tree lo[TNS_MOST_COLLAPSED];
  tree hi[TNS_MOST_COLLAPSED];
  bool calls = outline && outline->outer == 0;
  nest n = { 1, lo, hi, outline };
  tns_node *inner = loop;
  for (int k = 0; k < (calls ? outline->depth : 1); k++)
    {
      inner = k > 0 ? tns_build_only_loop (inner->body) : inner;
      hi[k] = tns_build_expr (build, inner->hi);
      lo[k] = tns_build_expr (build, inner->lo);
    }
  if (calls)
    append_to_statement_list (tns_build_outline_call (build, outline, lo, hi),
                              list);
  else
    add_loop (build, loop, &n, list);
}

void
tns_build_range_loop (tns_build *build, tns_node *loop, int depth,
                      const tree *first, const tree *last, tree *list)
{
  nest n = { depth, first, last, NULL };
  add_loop (build, loop, &n, list);
}

/* LOOP, by threads, by simd, or plain.  */
static void
build_loop (tns_build *build, tns_node *loop, tree *list)
{
  if (!build->in_parallel && tns_build_may_share (build, loop))
    tns_build_shared_loop (build, loop, list);
  else if (tns_build_may_simd (build, loop))
    tns_build_simd_loop (build, loop, list);
  else if (!tns_build_loop_apart (build, loop, list))
    tns_build_plain_loop (build, loop, NULL, list);
}

/* The visitor: whether EXPR is a call.  */
static bool
note_call (tns_expr *expr, void *self)
{
  bool *found = (bool *) self;
  *found |= tns_op_is_function (expr->op);
  return !*found;
}

/* The value that NODE, an ASSIGN, stores.  What it adds to is loaded behind the
   calls in what is added: few registers outlive a call.  */
static tree
stored_value (tns_build *build, const tns_node *node)
{
  bool calls = false;
  if (node->update == TNS_NONE)
    return tns_build_expr (build, node->value);
  tns_expr_walk (node->value, note_call, &calls);
  tree arg[2] = { tns_build_expr (build, node->target),
                  tns_build_expr (build, node->value) };
  if (calls && (node->update == TNS_ADD || node->update == TNS_MUL))
    std::swap (arg[0], arg[1]);
  return tns_build_apply (build, node->update, node->target->type, arg);
}

/* NODE, an ASSIGN of vectors to memory that needs lanes or a mask.  */
static bool
needs_lanes (const tns_node *node)
{
  const tns_expr *target = node->target;
  return target->type.lanes > target->sym->type.lanes
         && (node->mask || !tns_build_is_contiguous (target->sym));
}

/* NODE, an ASSIGN under a mask to a variable that holds a vector: the lanes
   where it is false keep what they had.  */
static tree
blend (tns_build *build, const tns_node *node, tree target, tree value)
{
  tree type = TREE_TYPE (target);
  tree mask = tns_build_mask (build, node->mask, type);
  return tns_build_set (build, target,
                        build3 (VEC_COND_EXPR, type, mask, value, target));
}

/* A mask, and whether something is loaded under it.  */
typedef struct masked_load
{
  const tns_expr *mask;
  bool found;
} masked_load;

/* The visitor: note such a load.  */
static bool
note_masked_load (tns_expr *expr, void *self)
{
  masked_load *s = (masked_load *) self;
  s->found |= (expr->op == TNS_MASKED || expr->op == TNS_GATHER)
              && expr->n_args > expr->sym->rank
              && tns_expr_equal (expr->arg[expr->n_args - 1], s->mask);
  return !s->found;
}

/* STORE, what NODE does under a mask; not at all where no lane has it and that
   leaves out a load, too, or the target is slow to store so: conditions often
   fail for many elements in a row.  */
static tree
where_any (tns_build *build, const tns_node *node, tree store)
{
  masked_load s = { node->mask, build->ctx->machine->mask_work > 0 };
  if (!node->mask)
    return store;
  tns_expr_walk (node->value, note_masked_load, &s);
  return s.found ? tns_build_where_any (build, node->mask, store) : store;
}

/* With ITER, NODE copies from places far apart to neighbours.  */
static bool
turns (tns_build *build, const tns_node *node, const tns_sym *iter)
{
  tns_arena *arena = build->ctx->arena;
  long long to;
  return tns_access_distance (arena, node->target, iter, &to) && to == 1
         && tns_expr_mentions (node->value, iter)
         && tns_access_distance (arena, node->value, iter, &to)
         && (to >= FAR_APART || to <= -FAR_APART);
}

/* The floating type in whose registers NODE moves a whole number, NULL_TREE for
   none: in a transpose, where GCC pieces vectors of floats together in
   registers of vectors, and of integers, bit by bit, in others.  */
static tree
type_of_move (tns_build *build, const tns_node *node)
{
  tns_elem elem = node->target->type.elem;
  bool may = build->ctx->machine && node->value->op == TNS_LOAD
             && node->update == TNS_NONE && !node->mask
             && node->value->n_args > 0 && node->target->n_args > 0
             && node->target->type.lanes == 1 && node->value->type.elem == elem
             && !tns_elem_is_float (elem) && tns_elem_bytes (elem) >= 4;
  for (int k = 0; may && k < build->region->n_syms; k++)
    if (build->region->syms[k]->kind == TNS_SYM_ITER
        && turns (build, node, build->region->syms[k]))
      return tns_build_type (
        tns_scalar (tns_elem_bytes (elem) == 4 ? TNS_F32 : TNS_F64));
  return NULL_TREE;
}

/* The element that LOAD, of memory, reads or that is stored there, as TYPE.  */
static tree
element_as (tns_build *build, tree type, const tns_expr *load)
{
  tree element = tns_build_element (build, load->sym, load->arg, load->type, 0);
  int align = TYPE_ALIGN (TREE_TYPE (element));
  tree made = build2_loc (build->loc, MEM_REF, build_aligned_type (type, align),
                          TREE_OPERAND (element, 0), TREE_OPERAND (element, 1));
  tns_gcc_quiet (made);
  return made;
}

/* An ASSIGN.  */
static tree
build_assign (tns_build *build, const tns_node *node)
{
  const tns_expr *target = node->target;
  if (tns_call_writes (node->value, target->sym))
    return tns_build_call (build, node->value);
  if (tns_build_is_kept_mask (build, target))
    return tns_build_set_mask (build, node);
  tree type = type_of_move (build, node);
  if (type)
    return tns_build_set (build, element_as (build, type, target),
                          element_as (build, type, node->value));
  tree value = stored_value (build, node);
  if (needs_lanes (node))
    return where_any (
      build, node, tns_build_masked_store (build, target, value, node->mask));
  tree element
    = tns_build_element (build, target->sym, target->arg, target->type, 0);
  if (!node->mask)
    return tns_build_set (build, element, value);
  if (target->type.lanes > 1)
    return blend (build, node, element, value);
  return tns_build_if (build, tns_build_expr (build, node->mask),
                       tns_build_set (build, element, value), NULL_TREE);
}

/* Declare SYM, a LOCAL.  */
static void
add_local (tns_build *build, const tns_sym *sym, tree *variables)
{
  tns_build_local (build, sym, variables);
  if (sym->rank > 0)
    tns_build_note_set (build, sym);
}

/* How many loops are kids of BLOCK.  */
static int
count_loops (const tns_node *block)
{
  int n = 0;
  for (int k = 0; k < block->n_kids; k++)
    n += block->kid[k]->kind == TNS_LOOP;
  return n;
}

/* A BLOCK, in a scope of its LOCALs.  */
static void
build_block (tns_build *build, const tns_node *block, tree *list)
{
  tree variables = NULL_TREE;
  tree body = NULL_TREE;
  bool may_part = count_loops (block) > 1;
  tns_build_enter (build, NULL, &body, &variables);
  for (int k = 0, sums = 0; k < block->n_kids; k += MAX (sums, 1))
    {
      sums = tns_build_sums (build, &block->kid[k], block->n_kids - k, &body);
      if (block->kid[k]->kind == TNS_LOCAL)
        add_local (build, block->kid[k]->sym, &variables);
      else if (sums == 0
               && !(may_part && tns_build_part (build, block->kid[k], &body)))
        tns_build_node (build, block->kid[k], &body);
    }
  tns_build_leave (build);
  if (body)
    append_to_statement_list (tns_build_scope (variables, body), list);
}

/* An IF.  */
static tree
build_choice (tns_build *build, tns_node *node)
{
  tree then = NULL_TREE;
  tree otherwise = NULL_TREE;
  tree cond = tns_build_expr (build, node->cond);
  tns_build_node (build, node->then, &then);
  tns_build_node (build, node->otherwise, &otherwise);
  return tns_build_if (build, cond, then, otherwise);
}

/* A PREFETCH, to be read soon and kept.  */
static tree
build_prefetch (tns_build *build, const tns_node *node)
{
  const tns_expr *target = node->target;
  tree address = tns_build_address (build, target->sym, target->arg);
  return build_call_expr_loc (
    build->loc, builtin_decl_explicit (BUILT_IN_PREFETCH), 3, address,
    integer_zero_node, build_int_cst (integer_type_node, 3));
}

/* NODE, an ASSIGN, loads a vector that is used several times and not changed.
 */
static bool
is_shared_load (const tns_build *build, const tns_node *node)
{
  const tns_sym *sym = node->target->sym;
  const tns_expr *value = node->value;
  return sym->rank == 0 && node->target->type.lanes > 1
         && build->n_set[sym->id] == 1 && build->n_read[sym->id] > 1
         && !node->mask && value->op == TNS_LOAD && value->sym->rank > 0
         && tns_build_is_contiguous (value->sym);
}

/* An ASSIGN, and that what it loads stays in a register.  */
static void
add_assign (tns_build *build, const tns_node *node, tree *list)
{
  const tns_expr *target = node->target;
  append_to_statement_list (build_assign (build, node), list);
  if (target->sym->rank == 0)
    tns_build_note_set (build, target->sym);
  if (!optimize || !is_shared_load (build, node))
    return;
  tree kept = tns_build_target_kept (
    build,
    tns_build_element (build, target->sym, target->arg, target->type, 0));
  if (kept)
    append_to_statement_list (kept, list);
}

void
tns_build_node (tns_build *build, tns_node *node, tree *list)
{
  if (!node)
    return;
  location_t loc = build->loc;
  const tns_node *straight = build->straight;
  if (node->loc.handle)
    build->loc = (location_t) node->loc.handle;
  if (node->kind == TNS_LOOP || node->kind == TNS_IF)
    build->straight = NULL;
  else if (!straight)
    build->straight = node;
  switch (node->kind)
    {
    case TNS_BLOCK:
      build_block (build, node, list);
      break;
    case TNS_LOOP:
      build_loop (build, node, list);
      break;
    case TNS_ASSIGN:
      add_assign (build, node, list);
      break;
    case TNS_IF:
      append_to_statement_list (build_choice (build, node), list);
      break;
    case TNS_PREFETCH:
      append_to_statement_list (build_prefetch (build, node), list);
      break;
    case TNS_LOCAL:
      break;
    }
  build->loc = loc;
  build->straight = straight;
}
