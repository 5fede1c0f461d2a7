/* Loops whose iterations threads or vector lanes share, as OpenMP trees.

     for i parallel collapse(2)    OMP_PARALLEL firstprivate(x, y, n)
       for j                   ->    OMP_FOR collapse(2) schedule(static)
         body                          i, j: body

   Variables declared inside are private by construction.  What stands
   outside and is only read in the loop is firstprivate, so that pointers and
   sizes stay in registers; what is written there and stands outside is
   shared.  Threads take the iterations of a balanced loop as they come, a
   PIECES-th at a time.

   Loops with reductions are not shared here (an earlier stage makes partial
   results of them), nor are parallel loops inside parallel loops.  Without
   -fopenmp nothing is shared; without it and -fopenmp-simd there is no
   OMP_SIMD.

   A loop whose marks say when threads pay stands there twice, with threads
   and without: it becomes a function that both call, threads with a part of
   its iterations each,

     OMP_PARALLEL
       length = (trip + threads - 1) / threads * step;
       first = lo + thread * length;
       body (first, min (hi, first + length), x, y, n);

   and so do collapsed or balanced loops that are large, where threads call it
   for one iteration at a time.  Where the loop's
   work counts, threads take it when that pays now (generic-threads.cc): all
   that has to do with threads, and the loop without, are functions then,

     if (when) f.tensor.0.threads (x, y, n);     asks, forks or calls alone
     else f.tensor.0.alone (x, y, n);            calls nothing

   so that a short loop pays for one comparison.  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/walk.h"
}

bool
tns_build_may_share (const tns_build *build, const tns_node *loop)
{
  return build->ctx->flags.openmp && loop->marks.parallel
         && (loop->marks.n_reductions == 0 || loop->marks.owner);
}

/* Nodes of a body that makes a function of its own worth it.  */
#define LARGE_BODY 48

/* The code of a reduction clause for OP, ERROR_MARK when there is none that
   means the same.  */
static tree_code
reduction_code (tns_op op, tns_elem elem)
{
  switch (op)
    {
    case TNS_ADD:
      return PLUS_EXPR;
    case TNS_MUL:
      return MULT_EXPR;
    case TNS_MIN:
      return tns_elem_is_float (elem) ? ERROR_MARK : MIN_EXPR;
    case TNS_MAX:
      return tns_elem_is_float (elem) ? ERROR_MARK : MAX_EXPR;
    case TNS_AND:
      return BIT_AND_EXPR;
    case TNS_OR:
      return BIT_IOR_EXPR;
    case TNS_XOR:
      return BIT_XOR_EXPR;
    default:
      return ERROR_MARK;
    }
}

/* Whether a clause can reduce into REDUCTION's symbol.  */
static bool
is_clause (const tns_reduction *reduction)
{
  const tns_sym *sym = reduction->sym;
  return sym->rank == 0 && tns_sym_is_local (sym) && sym->type.lanes == 1
         && reduction_code (reduction->op, sym->type.elem) != ERROR_MARK;
}

bool
tns_build_may_simd (const tns_build *build, const tns_node *loop)
{
  const tns_marks *marks = &loop->marks;
  if (!build->ctx->flags.openmp_simd || marks->simd < 2)
    return false;
  for (int k = 0; k < marks->n_reductions; k++)
    if (!is_clause (&marks->reductions[k]))
      return false;
  return true;
}

tns_node *
tns_build_only_loop (tns_node *body)
{
  while (body && body->kind == TNS_BLOCK && body->n_kids == 1)
    body = body->kid[0];
  return body && body->kind == TNS_LOOP ? body : NULL;
}

/* Whether the bounds of INNER depend on an iterator of the loops from OUTER
   down to it.  */
static bool
depends_on_outer (tns_node *outer, tns_node *inner)
{
  for (tns_node *loop = outer; loop && loop != inner;
       loop = tns_build_only_loop (loop->body))
    if (tns_expr_mentions (inner->lo, loop->iter)
        || tns_expr_mentions (inner->hi, loop->iter))
      return true;
  return false;
}

/* How many loops from LOOP on form one space of iterations.  */
static int
count_collapsed (tns_node *loop)
{
  int n = 1;
  tns_node *inner = loop;
  while (n < loop->marks.collapse && n < TNS_MOST_COLLAPSED)
    {
      inner = tns_build_only_loop (inner->body);
      if (!inner || depends_on_outer (loop, inner))
        return n;
      n++;
    }
  return n;
}

/* Put CLAUSE in front of *CLAUSES.  */
static void
add_clause (tree clause, tree *clauses)
{
  OMP_CLAUSE_CHAIN (clause) = *clauses;
  *clauses = clause;
}

/* What a body mentions: variables in the order of their first use, those
   that it declares, those that it sets.  */
typedef struct body_uses
{
  auto_vec<tree> used;
  hash_set<tree> declared;
  hash_set<tree> set;
} body_uses;

/* Note what *NODE says about variables.  */
static tree
note_uses (tree *node, int *, void *self)
{
  body_uses *uses = (body_uses *) self;
  tree code = *node;
  if (TREE_CODE (code) == BIND_EXPR)
    for (tree v = BIND_EXPR_VARS (code); v; v = DECL_CHAIN (v))
      uses->declared.add (v);
  if (TREE_CODE (code) == MODIFY_EXPR && DECL_P (TREE_OPERAND (code, 0)))
    uses->set.add (TREE_OPERAND (code, 0));
  if (TREE_CODE (code) == PARM_DECL || (VAR_P (code) && !is_global_var (code)))
    uses->used.safe_push (code);
  return NULL_TREE;
}

bool
tns_build_uses (tree body, auto_vec<tree> *used)
{
  body_uses uses;
  bool reads_only = true;
  walk_tree_without_duplicates (&body, note_uses, &uses);
  for (unsigned k = 0; k < uses.used.length (); k++)
    if (!uses.declared.contains (uses.used[k]))
      {
        reads_only = reads_only && !uses.set.contains (uses.used[k]);
        if (!uses.set.contains (uses.used[k]))
          used->safe_push (uses.used[k]);
      }
  return reads_only;
}

/* Clauses for what BODY only reads.  */
static tree
firstprivate_clauses (tns_build *build, tree body)
{
  tree clauses = NULL_TREE;
  auto_vec<tree> used;
  tns_build_uses (body, &used);
  for (unsigned k = 0; k < used.length (); k++)
    if (TREE_CODE (TREE_TYPE (used[k])) != ARRAY_TYPE)
      {
        tree clause = build_omp_clause (build->loc, OMP_CLAUSE_FIRSTPRIVATE);
        OMP_CLAUSE_DECL (clause) = used[k];
        add_clause (clause, &clauses);
      }
  return clauses;
}

/* Row K of the header of FOR: LOOP's iterator, start, end and step.  */
static void
set_header (tns_build *build, tree omp_for, int k, const tns_node *loop,
            tree *variables)
{
  tree type = tns_build_type (tns_scalar (TNS_I64));
  tree lo = tns_build_expr (build, loop->lo);
  tree hi = tns_build_expr (build, loop->hi);
  tree iter = tns_build_variable (build, loop->iter->name, type);
  DECL_CHAIN (iter) = *variables;
  *variables = iter;
  build->decl[loop->iter->id] = iter;
  TREE_VEC_ELT (OMP_FOR_INIT (omp_for), k)
    = build2 (MODIFY_EXPR, void_type_node, iter, lo);
  TREE_VEC_ELT (OMP_FOR_COND (omp_for), k)
    = build2 (loop->step > 0 ? LT_EXPR : GT_EXPR, boolean_type_node, iter, hi);
  tree next = build2 (PLUS_EXPR, type, iter, build_int_cst (type, loop->step));
  TREE_VEC_ELT (OMP_FOR_INCR (omp_for), k)
    = build2 (MODIFY_EXPR, type, iter, next);
}

/* The call of OUTLINE for the iteration of its loops, LOOP first, that it is
   in.  */
static tree
call_once (tns_build *build, const tns_outline *outline, tns_node *loop)
{
  tree type = tns_build_type (tns_scalar (TNS_I64));
  tree first[TNS_MOST_COLLAPSED];
  tree next[TNS_MOST_COLLAPSED];
  for (int k = 0; k < outline->outer; k++)
    loop = tns_build_only_loop (loop->body);
  for (int k = 0; k < outline->depth; k++)
    {
      loop = k > 0 ? tns_build_only_loop (loop->body) : loop;
      first[k] = build->decl[loop->iter->id];
      next[k]
        = build2 (PLUS_EXPR, type, first[k], build_int_cst (type, loop->step));
    }
  return tns_build_outline_call (build, outline, first, next);
}

/* An OMP_FOR or OMP_SIMD over N loops from LOOP on, with their body, or a
   call of OUTLINE when that is not NULL.  */
static tree
build_omp_loop (tns_build *build, tree_code code, int n, tns_node *loop,
                const tns_outline *outline, tree *variables)
{
  tree omp = make_node (code);
  TREE_TYPE (omp) = void_type_node;
  SET_EXPR_LOCATION (omp, build->loc);
  OMP_FOR_INIT (omp) = make_tree_vec (n);
  OMP_FOR_COND (omp) = make_tree_vec (n);
  OMP_FOR_INCR (omp) = make_tree_vec (n);
  tns_node *outer = loop;
  for (int k = 0; k < n; k++)
    {
      if (k > 0)
        loop = tns_build_only_loop (loop->body);
      set_header (build, omp, k, loop, variables);
    }
  tree body = NULL_TREE;
  tns_scope *scope = build->scope;
  build->scope = NULL;
  if (outline)
    body = call_once (build, outline, outer);
  else
    tns_build_node (build, loop->body, &body);
  build->scope = scope;
  OMP_FOR_BODY (omp) = body ? body : build_empty_stmt (build->loc);
  TREE_SIDE_EFFECTS (omp) = 1;
  return omp;
}

/* A clause of kind CODE with a number.  */
static tree
number_clause (tns_build *build, omp_clause_code code, int number)
{
  tree clause = build_omp_clause (build->loc, code);
  OMP_CLAUSE_OPERAND (clause, 0) = build_int_cst (integer_type_node, number);
  return clause;
}

/* Into how many pieces a balanced loop is cut.  */
#define PIECES 128

/* The number of LOOP's iterations; less than 1: none.  */
static tree
build_trip (tns_build *build, const tns_node *loop)
{
  tree type = tns_build_type (tns_scalar (TNS_I64));
  tree lo = tns_build_expr (build, loop->lo);
  tree hi = tns_build_expr (build, loop->hi);
  HOST_WIDE_INT step = loop->step > 0 ? loop->step : -loop->step;
  tree length = loop->step > 0 ? fold_build2 (MINUS_EXPR, type, hi, lo)
                               : fold_build2 (MINUS_EXPR, type, lo, hi);
  length
    = fold_build2 (PLUS_EXPR, type, length, build_int_cst (type, step - 1));
  return fold_build2 (TRUNC_DIV_EXPR, type, length, build_int_cst (type, step));
}

/* How many iterations of N collapsed loops, LOOP first, are a piece.  */
static tree
build_piece (tns_build *build, tns_node *loop, int n)
{
  tree type = tns_build_type (tns_scalar (TNS_I64));
  tree trip = build_trip (build, loop);
  for (int k = 1; k < n; k++)
    {
      loop = tns_build_only_loop (loop->body);
      trip = fold_build2 (MULT_EXPR, type, trip, build_trip (build, loop));
    }
  tree piece
    = fold_build2 (TRUNC_DIV_EXPR, type, trip, build_int_cst (type, PIECES));
  return fold_build2 (MAX_EXPR, type, piece, build_one_cst (type));
}

/* The clauses of a shared loop: how iterations are dealt out.  */
static tree
sharing_clauses (tns_build *build, tns_node *loop, int n)
{
  tree clauses = NULL_TREE;
  tree schedule = build_omp_clause (build->loc, OMP_CLAUSE_SCHEDULE);
  OMP_CLAUSE_SCHEDULE_KIND (schedule) = loop->marks.balanced
                                          ? OMP_CLAUSE_SCHEDULE_DYNAMIC
                                          : OMP_CLAUSE_SCHEDULE_STATIC;
  if (loop->marks.balanced)
    OMP_CLAUSE_SCHEDULE_CHUNK_EXPR (schedule) = build_piece (build, loop, n);
  add_clause (schedule, &clauses);
  if (n > 1)
    add_clause (number_clause (build, OMP_CLAUSE_COLLAPSE, n), &clauses);
  add_clause (build_omp_clause (build->loc, OMP_CLAUSE_NOWAIT), &clauses);
  return clauses;
}

/* OMP_PARALLEL around BODY.  */
static tree
build_parallel (tns_build *build, tree body)
{
  tree parallel = make_node (OMP_PARALLEL);
  TREE_TYPE (parallel) = void_type_node;
  SET_EXPR_LOCATION (parallel, build->loc);
  OMP_PARALLEL_CLAUSES (parallel) = firstprivate_clauses (build, body);
  OMP_PARALLEL_BODY (parallel) = body;
  TREE_SIDE_EFFECTS (parallel) = 1;
  return parallel;
}

/* The value of OpenMP's function FN, as I64.  */
static tree
ask_openmp (tns_build *build, built_in_function fn)
{
  tree call = build_call_expr_loc (build->loc, builtin_decl_explicit (fn), 0);
  return fold_convert (tns_build_type (tns_scalar (TNS_I64)), call);
}

/* A variable NAME, I64, in front of *VARIABLES, set to VALUE in *LIST.  */
static tree
set_new (tns_build *build, const char *name, tree value, tree *variables,
         tree *list)
{
  tree variable = tns_build_variable (build, name, TREE_TYPE (value));
  DECL_CHAIN (variable) = *variables;
  *variables = variable;
  append_to_statement_list (tns_build_set (build, variable, value), list);
  return variable;
}

/* What threads share of LOOP: its iterations, or the owners of these.  */
static tns_node *
shared_part (tns_build *build, tns_node *loop)
{
  if (!loop->marks.owner)
    return loop;
  tns_node *owners = tns_node_copy (build->ctx->arena, loop);
  owners->lo = tns_int (build->ctx->arena, 0);
  owners->hi = tns_int (build->ctx->arena, TNS_OWNERS);
  owners->step = 1;
  return owners;
}

/* The call of OUTLINE for the part of LOOP's iterations that is this
   thread's, all of about the same length.  */
static void
add_part (tns_build *build, tns_node *loop, const tns_outline *outline,
          tree *variables, tree *list)
{
  tree type = tns_build_type (tns_scalar (TNS_I64));
  loop = shared_part (build, loop);
  tree step = build_int_cst (type, loop->step);
  tree threads = set_new (build, "threads",
                          ask_openmp (build, BUILT_IN_OMP_GET_NUM_THREADS),
                          variables, list);
  tree up = build2 (MINUS_EXPR, type, threads, build_one_cst (type));
  up = build2 (PLUS_EXPR, type, build_trip (build, loop), up);
  tree length = build2 (TRUNC_DIV_EXPR, type, up, threads);
  length = build2 (MULT_EXPR, type, length, step);
  length = set_new (build, "length", length, variables, list);
  tree first = build2 (MULT_EXPR, type, length,
                       ask_openmp (build, BUILT_IN_OMP_GET_THREAD_NUM));
  first = build2 (PLUS_EXPR, type, tns_build_expr (build, loop->lo), first);
  first = set_new (build, "first", first, variables, list);
  tree last = build2 (loop->step > 0 ? MIN_EXPR : MAX_EXPR, type,
                      tns_build_expr (build, loop->hi),
                      build2 (PLUS_EXPR, type, first, length));
  append_to_statement_list (
    tns_build_outline_call (build, outline, &first, &last), list);
}

/* LOOP with threads.  */
static tree
build_threads (tns_build *build, tns_node *loop, const tns_outline *outline)
{
  tree variables = NULL_TREE;
  tree body = NULL_TREE;
  build->in_parallel = true;
  tns_build_thread_locals (build, loop, &variables, &body);
  int n = count_collapsed (loop);
  if (outline && n == 1 && !loop->marks.balanced)
    add_part (build, loop, outline, &variables, &body);
  else
    {
      tree shared
        = build_omp_loop (build, OMP_FOR, n, loop, outline, &variables);
      OMP_FOR_CLAUSES (shared) = sharing_clauses (build, loop, n);
      append_to_statement_list (shared, &body);
    }
  build->in_parallel = false;
  return build_parallel (build, tns_build_scope (variables, body));
}

/* LOOP without threads.  */
static tree
build_alone (tns_build *build, tns_node *loop, const tns_outline *outline)
{
  tree variables = NULL_TREE;
  tree body = NULL_TREE;
  build->in_parallel = true;
  tns_build_thread_locals (build, loop, &variables, &body);
  tns_build_plain_loop (build, loop, loop->marks.owner ? NULL : outline, &body);
  build->in_parallel = false;
  return tns_build_scope (variables, body);
}

/* The visitor that stops at LARGE_BODY nodes.  */
static bool
count_node (tns_node *node, void *self)
{
  int *n = (int *) self;
  (void) node;
  return ++*n < LARGE_BODY;
}

/* The visitor that notes a loop that may run more than once.  */
static bool
note_loop (tns_node *node, void *self)
{
  bool *found = (bool *) self;
  *found |= node->kind == TNS_LOOP && !node->once;
  return !*found;
}

/* The visitor that notes such a loop around another.  */
static bool
note_nest (tns_node *node, void *self)
{
  bool *found = (bool *) self;
  if (!*found && node->kind == TNS_LOOP && !node->once)
    tns_node_walk (node->body, note_loop, found);
  return !*found;
}

/* Whether LOOP's body is too large to stand there twice: much code, or so
   long at work that a call is nothing.  */
static bool
is_large (tns_node *loop)
{
  int n = 0;
  bool has_nest = false;
  tns_node_walk (loop->body, count_node, &n);
  tns_node_walk (loop->body, note_nest, &has_nest);
  return n >= LARGE_BODY || has_nest;
}

/* The last of N loops, LOOP first, each the only statement of the one
   before.  */
static tns_node *
innermost (tns_node *loop, int n)
{
  for (int k = 1; k < n; k++)
    loop = tns_build_only_loop (loop->body);
  return loop;
}

/* A loop that stands there twice.

   body   itself, with those that it collapses, or the innermost of these, as a
          function, or NULL
   alone  all of it without threads as a function, or NULL
   work   a variable that has its work, or NULL_TREE
   decl   what the symbols stand for outside  */
typedef struct twice
{
  tns_node *loop;
  tns_outline *body;
  tns_outline *alone;
  tree work;
  tree *decl;
  size_t bytes;
} twice;

/* LOOP in BUILD, itself or one large enough in OUTLINE.  */
static twice
begin_twice (tns_build *build, tns_node *loop, tns_outline *outline)
{
  size_t bytes = sizeof (tree) * build->region->n_syms;
  twice t = { loop, NULL, NULL, NULL_TREE, NULL, bytes };
  t.decl = (tree *) tns_arena_get (build->ctx->arena, bytes + 1);
  memcpy (t.decl, build->decl, bytes);
  int n = count_collapsed (loop);
  int outer = is_large (innermost (loop, n)) ? n - 1 : 0;
  bool whole = n == 1 && !loop->marks.balanced;
  if ((whole || is_large (loop))
      && tns_build_outline (build, loop, outer, n - outer, outline))
    t.body = outline;
  memcpy (build->decl, t.decl, bytes);
  return t;
}

/* T without threads, in place.  */
static tree
make_alone (tns_build *build, void *self)
{
  const twice *t = (const twice *) self;
  tree made = build_alone (build, t->loop, t->body);
  memcpy (build->decl, t->decl, t->bytes);
  return made;
}

/* T without threads.  */
static tree
alone_statement (tns_build *build, twice *t)
{
  return t->alone ? tns_build_outline_call (build, t->alone, NULL, NULL)
                  : make_alone (build, t);
}

/* T with threads when WHEN is true, which is not NULL_TREE, else without.  */
static tree
build_either (tns_build *build, twice *t, tree when)
{
  tree many = build_threads (build, t->loop, t->body);
  memcpy (build->decl, t->decl, t->bytes);
  return tns_build_if (build, when, many, alone_statement (build, t));
}

/* The work of T.  */
static tree
work_of (tns_build *build, const twice *t)
{
  return tns_build_expr (build, t->loop->marks.work);
}

/* T, with threads when WHEN and its work is worth them now.  */
static tree
build_asking (tns_build *build, twice *t, tree when)
{
  tns_asked asked;
  tree list = NULL_TREE;
  tree work = t->work ? t->work : work_of (build, t);
  tns_build_ask (build, when, work, &asked, &list);
  tree forks
    = build2 (NE_EXPR, boolean_type_node, asked.forks, integer_zero_node);
  append_to_statement_list (build_either (build, t, forks), &list);
  append_to_statement_list (tns_build_told (build, &asked), &list);
  return tns_build_scope (asked.variables, list);
}

/* The same for work that pays.  */
static tree
make_asking (tns_build *build, void *self)
{
  return build_asking (build, (twice *) self, boolean_true_node);
}

/* What the function that asks for threads for T is worth: what calls a body
   once a thread nothing.  */
static tns_effort
effort_of_threads (const twice *t)
{
  if (!t->body)
    return TNS_EFFORT_LOOPS;
  return t->body->first[0] ? TNS_EFFORT_CALL : TNS_EFFORT_LINE;
}

/* The call of THREADS, which asks for threads for T: its work is known from
   asking when threads pay.  */
static tree
call_threads (tns_build *build, twice *t, const tns_outline *threads)
{
  tree list = NULL_TREE;
  append_to_statement_list (tns_build_set (build, t->work, work_of (build, t)),
                            &list);
  append_to_statement_list (tns_build_outline_call (build, threads, NULL, NULL),
                            &list);
  return tns_build_scope (t->work, list);
}

/* T, asking for threads WHEN.  */
static tree
build_seldom (tns_build *build, twice *t, tree when)
{
  tns_outline alone = tns_outline ();
  tns_outline threads = tns_outline ();
  if (!t->body)
    alone.loop = threads.loop = t->loop;
  if (!t->body && tns_build_apart (build, "alone", make_alone, t, &alone))
    t->alone = &alone;
  threads.effort = effort_of_threads (t);
  t->work = tns_build_variable (build, "work", long_integer_type_node);
  if ((!t->body && !t->alone)
      || !tns_build_apart (build, "threads", make_asking, t, &threads))
    {
      t->work = NULL_TREE;
      return build_asking (build, t, when);
    }
  tns_build_note_apart (build, t->loop);
  return tns_build_if (build, tns_build_rarely (build, when),
                       call_threads (build, t, &threads),
                       alone_statement (build, t));
}

/* LOOP, which WHEN it is worth that threads take.  */
static tree
build_when (tns_build *build, tns_node *loop, tree when)
{
  tns_outline body = tns_outline ();
  twice t = begin_twice (build, loop, &body);
  if (loop->marks.owner && !t.body)
    return build_alone (build, loop, NULL);
  return loop->marks.work ? build_seldom (build, &t, when)
                          : build_either (build, &t, when);
}

/* WHEN, and there are N threads.  */
static tree
with_threads (tns_build *build, tree when, int n)
{
  tree most = tns_build_most_threads (build);
  tree enough = build2 (GE_EXPR, boolean_type_node, most,
                        build_int_cst (TREE_TYPE (most), n));
  return build2 (TRUTH_ANDIF_EXPR, boolean_type_node, when, enough);
}

void
tns_build_shared_loop (tns_build *build, tns_node *loop, tree *list)
{
  const tns_marks *marks = &loop->marks;
  tree when = marks->when ? tns_build_expr (build, marks->when) : NULL_TREE;
  if (marks->owner)
    when = with_threads (build, when, marks->owners);
  tree made;
  if (when && integer_zerop (when))
    made = build_alone (build, loop, NULL);
  else if (marks->work || when)
    made = build_when (build, loop, when ? when : boolean_true_node);
  else
    made = build_threads (build, loop, NULL);
  append_to_statement_list (made, list);
}

/* The clauses of a simd loop: its lanes, its reductions.  */
static tree
simd_clauses (tns_build *build, const tns_node *loop)
{
  const tns_marks *marks = &loop->marks;
  tree clauses = number_clause (build, OMP_CLAUSE_SIMDLEN, marks->simd);
  for (int k = 0; k < marks->n_reductions; k++)
    {
      const tns_reduction *reduction = &marks->reductions[k];
      tree clause = build_omp_clause (build->loc, OMP_CLAUSE_REDUCTION);
      OMP_CLAUSE_DECL (clause) = build->decl[reduction->sym->id];
      OMP_CLAUSE_REDUCTION_CODE (clause)
        = reduction_code (reduction->op, reduction->sym->type.elem);
      add_clause (clause, &clauses);
    }
  return clauses;
}

void
tns_build_simd_loop (tns_build *build, tns_node *loop, tree *list)
{
  tree variables = NULL_TREE;
  tree body = NULL_TREE;
  tree simd = build_omp_loop (build, OMP_SIMD, 1, loop, NULL, &variables);
  OMP_FOR_CLAUSES (simd) = simd_clauses (build, loop);
  append_to_statement_list (simd, &body);
  append_to_statement_list (tns_build_scope (variables, body), list);
}
