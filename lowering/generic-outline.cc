/* Statements as a static function of their own: a loop's body, a loop.

     for (i ...) { body (i, x, y, n) }      static void f.tensor.0.body.1
                                              (long first, long last,
                                               float *x, ...)

   so that a loop that stands in the code twice, with threads and without,
   has its body once.  Threads call it for their part of the iterations; where
   several loops form one space of iterations, or they are dealt out as threads
   come, for one iteration at a time, and a single thread for all of them.  Of
   several loops the function has bounds for each, since a call for each
   iteration of the outer ones would take as long as short rows; where the body
   is large, and takes all registers, it has the innermost loop alone.

   So is a long loop of calls of vector functions inside another one: such
   calls keep few registers, which GCC gives to the loop around, and what the
   calls' loop loads anew behind each of them takes a quarter of their time.

   A large nest that stands beside others becomes one too: what GCC spends on a
   function, on its registers above all, grows faster than the function.

   The statements are built as ever, for the new function; then each variable
   of the function around that they use becomes a parameter, an array the
   parameter's target.  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/walk.h"
}

/* The iterations that are worth a call.  */
static const long long long_enough = 1024;

/* Nests of so many nodes, so deep, are functions of their own.  */
enum
{
  PART = 100,
  DEPTH = 3
};

/* A function without parameters yet, called WORD, to be build->fn, for
   OUTLINE.  */
static void
begin_function (tns_build *build, const char *word, const tns_outline *outline)
{
  const char *outer = IDENTIFIER_POINTER (DECL_NAME (build->fn));
  tree name = clone_function_name_numbered (outer, word);
  tree type = build_function_type_list (void_type_node, NULL_TREE);
  build->fn = tns_build_function (name, type);
  DECL_SOURCE_LOCATION (build->fn) = build->loc;
  SET_DECL_ASSEMBLER_NAME (build->fn, name);
  tns_build_options (build, outline->effort, outline->loop);
}

/* What walk_tree needs to put parameters in place of variables.  */
typedef struct exchange
{
  int n;
  const tree *from;
  tree *to;
} exchange;

/* VARIABLE is an array, which is passed by its address.  */
static bool
is_array (tree variable)
{
  return TREE_CODE (TREE_TYPE (variable)) == ARRAY_TYPE;
}

/* Put the parameter, or its target, in *NODE's place.  */
static tree
exchange_variable (tree *node, int *walks, void *self)
{
  const exchange *e = (const exchange *) self;
  for (int k = 0; DECL_P (*node) && k < e->n; k++)
    if (*node == e->from[k])
      {
        bool by_address = is_array (*node);
        *node = by_address ? build_simple_mem_ref (e->to[k]) : e->to[k];
        *walks = 0;
        break;
      }
  return NULL_TREE;
}

/* What a parameter has to be for VARIABLE.  */
static tree
passed_type (tree variable)
{
  tree type = TREE_TYPE (variable);
  return is_array (variable) ? build_pointer_type (type) : type;
}

/* A parameter of FN like VARIABLE.  */
static tree
parameter_like (tree fn, tree variable)
{
  tree type = passed_type (variable);
  tree parm = build_decl (DECL_SOURCE_LOCATION (variable), PARM_DECL,
                          DECL_NAME (variable), type);
  DECL_ARG_TYPE (parm) = type;
  DECL_CONTEXT (parm) = fn;
  TREE_USED (parm) = 1;
  return parm;
}

/* Give FN a parameter for each variable that OUTLINE lists, and put them in
   BODY.  */
static tree
take_parameters (tns_build *build, const tns_outline *outline, tree body)
{
  tree fn = outline->fn;
  tree chain = NULL_TREE;
  auto_vec<tree> types;
  tree *parms = TNS_NEW_ARRAY (build->ctx->arena, tree, outline->n + 1);
  for (int k = 0; k < outline->n; k++)
    {
      parms[k] = parameter_like (fn, outline->used[k]);
      types.safe_push (TREE_TYPE (parms[k]));
      DECL_CHAIN (parms[k]) = chain;
      chain = parms[k];
    }
  DECL_ARGUMENTS (fn) = nreverse (chain);
  TREE_TYPE (fn)
    = build_function_type_array (void_type_node, outline->n, types.address ());
  exchange e = { outline->n, outline->used, parms };
  body = unshare_expr (body);
  walk_tree (&body, exchange_variable, &e, NULL);
  return body;
}

/* List in OUTLINE what BODY uses from outside.  False when one cannot be
   passed.  */
static bool
list_uses (tns_build *build, tree body, tns_outline *outline)
{
  auto_vec<tree> used;
  int n_syms = build->region->n_syms;
  if (!tns_build_uses (body, &used))
    return false;
  outline->n = used.length ();
  outline->used = TNS_NEW_ARRAY (build->ctx->arena, tree, outline->n + 1);
  outline->id = TNS_NEW_ARRAY (build->ctx->arena, int, outline->n + 1);
  for (int k = 0; k < outline->n; k++)
    {
      outline->used[k] = used[k];
      outline->id[k] = -1;
      for (int id = 0; id < n_syms; id++)
        if (build->decl[id] == used[k])
          outline->id[k] = id;
    }
  return true;
}

void
tns_build_note_apart (tns_build *build, const tns_node *loop)
{
  size_t bytes = sizeof loop * build->n_apart;
  build->apart = (const tns_node **) tns_arena_grow (
    build->ctx->arena, build->apart, bytes, bytes + sizeof loop);
  build->apart[build->n_apart++] = loop;
}

bool
tns_build_apart (tns_build *build, const char *word, tns_build_maker make,
                 void *self, tns_outline *outline)
{
  tree outer = build->fn;
  struct tns_counter *counters = build->counters;
  build->counters = NULL;
  tns_scope *scope = build->scope;
  begin_function (build, word, outline);
  outline->depth = 0;
  outline->first[0] = NULL_TREE;
  outline->last[0] = NULL_TREE;
  outline->fn = build->fn;
  build->scope = NULL;
  push_struct_function (build->fn);
  tree body = make (build, self);
  pop_cfun ();
  build->fn = outer;
  build->counters = counters;
  build->scope = scope;
  if (!body || !list_uses (build, body, outline))
    return false;
  body = take_parameters (build, outline, body);
  tns_build_finish (outline->fn, NULL_TREE, body);
  return true;
}

/* DEPTH loops between bounds, LOOP first.  */
typedef struct range
{
  tns_node *loop;
  int depth;
  tree first[TNS_MOST_COLLAPSED];
  tree last[TNS_MOST_COLLAPSED];
} range;

/* The statements of SELF, a range.  */
static tree
make_range (tns_build *build, void *self)
{
  const range *r = (const range *) self;
  tree body = NULL_TREE;
  if (r->loop->marks.owner)
    tns_build_owned_loop (build, r->loop, r->first[0], r->last[0], &body);
  else
    tns_build_range_loop (build, r->loop, r->depth, r->first, r->last, &body);
  return body;
}

/* DEPTH loops, LOOP first, as a function.  */
static bool
outline_range (tns_build *build, tns_node *loop, int depth,
               tns_outline *outline)
{
  tree type = tns_build_type (tns_scalar (TNS_I64));
  range r = { loop, depth, {}, {} };
  for (int k = 0; k < depth; k++)
    {
      r.first[k] = tns_build_variable (build, "first", type);
      r.last[k] = tns_build_variable (build, "last", type);
    }
  outline->loop = loop;
  bool made = tns_build_apart (build, "body", make_range, &r, outline);
  outline->depth = depth;
  memcpy (outline->first, r.first, sizeof r.first);
  memcpy (outline->last, r.last, sizeof r.last);
  if (made)
    tns_build_note_apart (build, loop);
  return made;
}

/* What a loop is like.

   inner   loops inside
   called  functions of vectors
   moved   the most by which where it begins is multiplied  */
typedef struct likeness
{
  int inner;
  int called;
  long long moved;
} likeness;

/* The visitor that counts functions of vectors.  */
static bool
count_called (tns_expr *expr, void *self)
{
  likeness *is = (likeness *) self;
  is->called += expr->type.lanes > 1 && tns_op_is_function (expr->op);
  return true;
}

/* The visitor that counts loops, and the functions in them.  */
static bool
count_inner (tns_node *node, void *self)
{
  likeness *is = (likeness *) self;
  is->inner += node->kind == TNS_LOOP;
  tns_expr_walk (node->value, count_called, is);
  return true;
}

/* The visitor that looks for the greatest factor.  */
static bool
note_factor (tns_expr *expr, void *self)
{
  likeness *is = (likeness *) self;
  long long factor;
  for (int k = 0; expr->op == TNS_MUL && k < 2; k++)
    if (tns_expr_is_int (expr->arg[k], &factor) && factor > is->moved)
      is->moved = factor;
  return true;
}

bool
tns_build_loop_apart (tns_build *build, tns_node *loop, tree *list)
{
  likeness is = likeness ();
  tns_node_walk (loop->body, count_inner, &is);
  tns_expr_walk (loop->lo, note_factor, &is);
  if (is.inner > 0 || is.called == 0 || is.moved < long_enough)
    return false;
  tns_outline outline = tns_outline ();
  tree first = tns_build_expr (build, loop->lo);
  tree last = tns_build_expr (build, loop->hi);
  if (!outline_range (build, loop, 1, &outline))
    return false;
  append_to_statement_list (
    tns_build_outline_call (build, &outline, &first, &last), list);
  return true;
}

bool
tns_build_outline (tns_build *build, tns_node *loop, int outer, int depth,
                   tns_outline *outline)
{
  tree ignored = NULL_TREE;
  tree body = NULL_TREE;
  build->in_parallel = true;
  tns_build_thread_locals (build, loop, &ignored, &body);
  for (int k = 0; k < outer; k++, loop = tns_build_only_loop (loop->body))
    build->decl[loop->iter->id] = tns_build_variable (
      build, loop->iter->name, tns_build_type (tns_scalar (TNS_I64)));
  bool made = outline_range (build, loop, depth, outline);
  outline->outer = outer;
  build->in_parallel = false;
  return made;
}

/* The level of OUTLINE's loops one of whose BOUNDS is VARIABLE, or -1.  */
static int
level_of (const tns_outline *outline, const tree *bounds, tree variable)
{
  for (int k = 0; k < outline->depth; k++)
    if (bounds[k] == variable)
      return k;
  return -1;
}

/* What the call of OUTLINE passes for its parameter K.  */
static tree
argument (tns_build *build, const tns_outline *outline, int k)
{
  tree variable = outline->used[k];
  if (outline->id[k] >= 0)
    variable = build->decl[outline->id[k]];
  if (!is_array (variable))
    return variable;
  TREE_ADDRESSABLE (variable) = 1;
  return build_fold_addr_expr (variable);
}

tree
tns_build_outline_call (tns_build *build, const tns_outline *outline,
                        const tree *first, const tree *last)
{
  tree *arg = TNS_NEW_ARRAY (build->ctx->arena, tree, outline->n + 1);
  for (int k = 0; k < outline->n; k++)
    {
      int from = level_of (outline, outline->first, outline->used[k]);
      int to = level_of (outline, outline->last, outline->used[k]);
      arg[k] = from >= 0 ? first[from]
               : to >= 0 ? last[to]
                         : argument (build, outline, k);
    }
  return build_call_array_loc (build->loc, void_type_node,
                               build_fold_addr_expr (outline->fn), outline->n,
                               arg);
}

/* The nodes of a nest, and whether threads share a loop there.  */
typedef struct content
{
  const tns_build *build;
  int n;
  bool is_shared;
} content;

/* The visitor that notes NODE.  */
static bool
note_node (tns_node *node, void *self)
{
  content *c = (content *) self;
  c->n++;
  c->is_shared |= node->kind == TNS_LOOP && !c->build->in_parallel
                  && tns_build_may_share (c->build, node);
  return !c->is_shared;
}

/* How many loops stand in each other in NODE.  */
static int
depth_of (const tns_node *node)
{
  int deepest = 0;
  if (!node)
    return 0;
  for (int k = 0; k < node->n_kids; k++)
    deepest = MAX (deepest, depth_of (node->kid[k]));
  deepest = MAX (deepest, depth_of (node->body));
  deepest = MAX (deepest, depth_of (node->then));
  deepest = MAX (deepest, depth_of (node->otherwise));
  return deepest + (node->kind == TNS_LOOP && !node->once);
}

/* The statements of SELF, a node.  */
static tree
make_part (tns_build *build, void *self)
{
  tree body = NULL_TREE;
  tns_build_node (build, (tns_node *) self, &body);
  return body;
}

bool
tns_build_part (tns_build *build, tns_node *loop, tree *list)
{
  content c = { build, 0, false };
  tns_outline part = tns_outline ();
  tns_node_walk (loop, note_node, &c);
  if (loop->kind != TNS_LOOP || c.is_shared || c.n < PART
      || depth_of (loop) < DEPTH)
    return false;
  part.loop = loop;
  if (!tns_build_apart (build, "part", make_part, loop, &part))
    return false;
  tns_build_note_apart (build, loop);
  append_to_statement_list (tns_build_outline_call (build, &part, NULL, NULL),
                            list);
  return true;
}
