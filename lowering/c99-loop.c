/* Statements and loops in C, marks as OpenMP pragmas.

     for i parallel collapse(2)      #pragma omp parallel for collapse(2) ...
       for j                    ->   for (long i = ...)
         body                          for (long j = ...)
                                         body
     for k simd(16) reduce(add: s)   #pragma omp simd simdlen(16) reduction(+:s)
                                ->   for (long k = ...)

   Reductions of scalars, and by threads of arrays of known extents, become
   clauses; a loop whose marks have no such form loses the pragma, not its
   meaning.  Parallel loops inside parallel loops are plain.  */

#include "ir/handed.h"
#include "ir/walk.h"
#include "lowering/c99-text.h"

/* OP in a reduction clause, or NULL.  */
static const char *
clause_operator (tns_op op)
{
  switch (op)
    {
    case TNS_ADD:
      return "+";
    case TNS_MUL:
      return "*";
    case TNS_MIN:
    case TNS_FMIN:
      return "min";
    case TNS_MAX:
    case TNS_FMAX:
      return "max";
    case TNS_AND:
      return "&";
    case TNS_OR:
      return "|";
    case TNS_XOR:
      return "^";
    case TNS_LAND:
      return "&&";
    case TNS_LOR:
      return "||";
    default:
      return NULL;
    }
}

/* Whether threads can reduce into REDUCTION's symbol, and lanes: they take
   scalars only.  */
static bool
is_clause (const tns_reduction *reduction, bool threads)
{
  const tns_sym *sym = reduction->sym;
  if (!clause_operator (reduction->op))
    return false;
  if (sym->rank == 0)
    return threads || tns_sym_is_local (sym);
  return threads && !sym->stride && sym->extent[0];
}

/* Whether all reductions of LOOP have clauses.  */
static bool
has_clauses (const tns_node *loop, bool threads)
{
  for (int k = 0; k < loop->marks.n_reductions; k++)
    if (!is_clause (&loop->marks.reductions[k], threads))
      return false;
  return true;
}

bool
tns_c99_is_shared (const tns_c99 *c, const tns_node *loop)
{
  return !c->in_parallel && loop->marks.parallel && !loop->marks.owner
         && has_clauses (loop, true);
}

/* The only statement of NODE when that is a loop.  */
static tns_node *
only_loop (tns_node *node)
{
  while (node && node->kind == TNS_BLOCK && node->n_kids == 1)
    node = node->kid[0];
  return node && node->kind == TNS_LOOP ? node : NULL;
}

/* How many loops from LOOP on form one rectangle of iterations.  */
static int
count_collapsed (tns_node *loop)
{
  int n = 1;
  tns_node *inner = loop;
  while (n < loop->marks.collapse && (inner = only_loop (inner->body)))
    {
      for (tns_node *outer = loop; outer != inner;
           outer = only_loop (outer->body))
        if (tns_expr_mentions (inner->lo, outer->iter)
            || tns_expr_mentions (inner->hi, outer->iter))
          return n;
      n++;
    }
  return n;
}

/* " reduction(+:s)" for each reduction of LOOP.  */
static void
add_reductions (tns_c99 *c, const tns_node *loop)
{
  tns_text *text = c->text;
  for (int k = 0; k < loop->marks.n_reductions; k++)
    {
      const tns_reduction *reduction = &loop->marks.reductions[k];
      const tns_sym *sym = reduction->sym;
      bool brackets = !tns_sym_is_local (sym) || tns_c99_is_heap (sym);
      tns_text_format (text, " reduction(%s:%s",
                       clause_operator (reduction->op), tns_c99_name (c, sym));
      if (sym->rank == 0 && !tns_sym_is_local (sym))
        tns_text_add (text, "[0:1]");
      for (int d = 0; brackets && d < sym->rank; d++)
        {
          tns_text_add (text, d ? " * " : "[0:");
          tns_c99_factor (c, sym->extent[d]);
        }
      tns_text_add (text, brackets && sym->rank ? "])" : ")");
    }
}

/* What OpenMP shall do with LOOP, a line.  */
static void
add_pragma (tns_c99 *c, tns_node *loop, bool shared)
{
  const tns_marks *marks = &loop->marks;
  tns_text *text = c->text;
  int n = shared ? count_collapsed (loop) : 1;
  bool simd = marks->simd > 1 && n == 1 && has_clauses (loop, false);
  if (!shared && !simd)
    {
      if (marks->unroll > 1)
        tns_text_line (text, "#pragma GCC unroll %d", marks->unroll);
      return;
    }
  tns_text_begin (text);
  tns_text_add (text, "#pragma omp");
  tns_text_add (text, shared ? " parallel for" : "");
  tns_text_add (text, simd ? " simd" : "");
  if (n > 1)
    tns_text_format (text, " collapse(%d)", n);
  if (shared)
    tns_text_add (text,
                  marks->balanced ? " schedule(dynamic)" : " schedule(static)");
  if (simd)
    tns_text_format (text, " simdlen(%d)", marks->simd);
  if (shared && marks->when)
    {
      tns_text_add (text, " if(parallel: ");
      tns_c99_expr (c, marks->when, 0);
      tns_text_add (text, ")");
    }
  add_reductions (c, loop);
  tns_text_add (text, "\n");
}

/* A loop whose bound is looked at, and whether that may change.  */
typedef struct watch
{
  tns_node *loop;
  bool changes;
} watch;

/* The visitor of a bound: whether what EXPR reads may change in the loop.  */
static bool
find_change (tns_expr *expr, void *self)
{
  watch *w = self;
  if (tns_expr_reads (expr))
    w->changes |= expr->sym->rank > 0 || !tns_sym_is_local (expr->sym)
                  || tns_node_writes (w->loop->body, expr->sym);
  return true;
}

/* Whether LOOP might change its end.  */
static bool
changes_end (tns_node *loop)
{
  watch w = { loop, false };
  tns_expr_walk (loop->hi, find_change, &w);
  return w.changes;
}

/* The end of LOOP in a variable of its own, of a block that begins here, when
   it is read from memory that the loop might change; returns what to compare
   with.  */
static tns_expr *
fixed_bound (tns_c99 *c, tns_node *loop)
{
  tns_arena *arena = c->text->arena;
  if (!changes_end (loop))
    return loop->hi;
  tns_sym *bound = TNS_NEW (arena, tns_sym);
  bound->name
    = tns_arena_format (arena, "tensor_end_%s", tns_c99_name (c, loop->iter));
  bound->kind = TNS_SYM_VALUE;
  bound->type = tns_scalar (TNS_I64);
  tns_text_line (c->text, "{");
  c->text->indent += 2;
  tns_text_begin (c->text);
  tns_text_format (c->text, "const long %s = ", tns_c99_name (c, bound));
  tns_c99_expr (c, loop->hi, 0);
  tns_text_add (c->text, ";\n");
  return tns_value (arena, bound);
}

/* END less 1 where that is shorter, since END is 1 more than something, or -1,
   or NULL; STEP is 1 where a loop goes up to END, -1 where it goes down.  */
static tns_expr *
last_before (tns_arena *arena, tns_expr *end, int step)
{
  long long value;
  if (tns_expr_is_int (end, &value))
    return value == -1 && step < 0 ? tns_int (arena, 0) : NULL;
  bool is_sum = end->op == TNS_ADD || end->op == TNS_SUB;
  if (!is_sum || !tns_expr_is_int (end->arg[1], &value))
    return NULL;
  return (end->op == TNS_ADD ? value : -value) == step ? end->arg[0] : NULL;
}

/* for (long i = lo; i < hi; i += step)  */
static void
add_for (tns_c99 *c, const tns_node *loop, tns_expr *end)
{
  tns_text *text = c->text;
  const char *iter = tns_c99_name (c, loop->iter);
  tns_expr *last = last_before (text->arena, end, loop->step > 0 ? 1 : -1);
  tns_text_begin (text);
  tns_text_format (text, "for (long %s = ", iter);
  tns_c99_expr (c, loop->lo, 0);
  tns_text_format (text, "; %s %s%s ", iter, loop->step > 0 ? "<" : ">",
                   last ? "=" : "");
  if (end->op == TNS_INT || (last && last->op == TNS_INT))
    tns_c99_expr (c, last ? last : end, 0);
  else
    tns_c99_expr (c, last ? last : end, 11);
  if (loop->step == 1 || loop->step == -1)
    tns_text_format (text, "; %s%s)\n", iter, loop->step > 0 ? "++" : "--");
  else
    tns_text_format (
      text, "; %s %s %lld)\n", iter,
      loop->step > 0 ? "+=" : "-=", loop->step > 0 ? loop->step : -loop->step);
}

/* The only statement of NODE, when it is one that needs no braces around it:
   an assignment, and, if LOOPS may, a loop of which nothing is said.  */
static tns_node *
only_statement (tns_node *node, bool loops)
{
  while (node->kind == TNS_BLOCK && node->n_kids == 1)
    node = node->kid[0];
  if (node->kind == TNS_ASSIGN)
    return node->mask ? NULL : node;
  return loops && node->kind == TNS_LOOP && !node->marks.parallel
             && node->marks.simd < 2 && node->marks.unroll < 2
             && !changes_end (node)
           ? node
           : NULL;
}

/* NODE's statements as the body of a loop or a choice, between braces where
   these are needed; LOOP is the shared loop that they are the body of, or
   NULL; LOOPS may be a body.  */
static void
add_body (tns_c99 *c, tns_node *node, tns_node *loop, bool loops)
{
  tns_node *only = loop && tns_c99_has_thread_locals (c, loop)
                     ? NULL
                     : only_statement (node, loops);
  if (only)
    {
      c->text->indent += 2;
      tns_c99_node (c, only);
      c->text->indent -= 2;
      return;
    }
  while (node->kind == TNS_BLOCK && node->n_kids == 1
         && node->kid[0]->kind == TNS_BLOCK)
    node = node->kid[0];
  tns_text_line (c->text, "  {");
  c->text->indent += 4;
  if (loop)
    tns_c99_thread_locals (c, loop);
  tns_c99_node (c, node);
  if (loop)
    tns_c99_thread_frees (c, loop);
  c->text->indent -= 4;
  tns_text_line (c->text, "  }");
}

/* A loop.  Of collapsed loops the inner ones follow without a word.  */
static void
add_loop (tns_c99 *c, tns_node *loop)
{
  bool shared = tns_c99_is_shared (c, loop);
  bool was_parallel = c->in_parallel;
  int n = shared ? count_collapsed (loop) : 1;
  tns_expr *end = fixed_bound (c, loop);
  add_pragma (c, loop, shared);
  c->in_parallel = was_parallel || shared;
  add_for (c, loop, end);
  tns_node *inner = loop;
  for (int k = 1; k < n; k++)
    {
      inner = only_loop (inner->body);
      c->text->indent += 2;
      add_for (c, inner, inner->hi);
    }
  add_body (c, inner->body, shared ? loop : NULL, true);
  c->text->indent -= 2 * (n - 1);
  c->in_parallel = was_parallel;
  if (end == loop->hi)
    return;
  c->text->indent -= 2;
  tns_text_line (c->text, "}");
}

/* An assignment, under its mask; DECLARES what it sets.  */
static void
add_assign (tns_c99 *c, const tns_node *node, bool declares)
{
  tns_text *text = c->text;
  if (node->mask)
    {
      tns_text_begin (text);
      tns_text_add (text, "if (");
      tns_c99_expr (c, node->mask, 0);
      tns_text_add (text, ")\n  ");
    }
  tns_text_begin (text);
  if (declares)
    tns_text_format (text, "%s ",
                     tns_elem_c_name (node->target->sym->type.elem));
  if (tns_call_writes (node->value, node->target->sym))
    {
      tns_c99_expr (c, node->value, 0);
      tns_text_add (text, ";\n");
      return;
    }
  tns_c99_update (c, node->target, node->update, node->value);
  tns_text_add (text, "\n");
}

/* The condition that NODE, an else, consists of, or NULL.  */
static tns_node *
only_if (tns_node *node)
{
  while (node->kind == TNS_BLOCK && node->n_kids == 1)
    node = node->kid[0];
  return node->kind == TNS_IF ? node : NULL;
}

/* if (cond) ... else ..., behind what is on the line already.  */
static void
add_if (tns_c99 *c, tns_node *node)
{
  tns_text_add (c->text, "if (");
  tns_c99_expr (c, node->cond, 0);
  tns_text_add (c->text, ")\n");
  add_body (c, node->then, NULL, false);
  if (!node->otherwise)
    return;
  tns_text_begin (c->text);
  tns_node *next = only_if (node->otherwise);
  tns_text_add (c->text, next ? "else " : "else\n");
  if (next)
    add_if (c, next);
  else
    add_body (c, node->otherwise, NULL, false);
}

/* Whether the cell SYM, which begins its life in BLOCK before kid K, is set by
   that kid as a whole, the first that mentions it.  */
static bool
is_set_by (const tns_node *block, int k, const tns_sym *sym)
{
  tns_node *kid = block->kid[k];
  return kid->kind == TNS_ASSIGN && kid->update == TNS_NONE && !kid->mask
         && kid->target->sym == sym && !tns_expr_mentions (kid->value, sym);
}

/* Declare what BLOCK's kid FROM begins; a cell by the first statement that
   mentions it, where that sets it, which FIRST then notes.  */
static void
note_first (tns_c99 *c, const tns_node *block, int from, const tns_sym **first)
{
  const tns_sym *sym = block->kid[from]->sym;
  int k = from + 1;
  while (k < block->n_kids
         && (block->kid[k]->kind == TNS_LOCAL
             || !tns_node_mentions (block->kid[k], sym)))
    k++;
  bool waits = sym->rank == 0 && !(sym->flags & TNS_SYM_PER_THREAD)
               && k < block->n_kids && !first[k] && is_set_by (block, k, sym);
  if (waits)
    first[k] = sym;
  else
    tns_c99_declare (c, sym);
}

/* BLOCK, a statement, between braces.  */
static void
add_bare (tns_c99 *c, tns_node *block)
{
  tns_text_line (c->text, "{");
  c->text->indent += 2;
  tns_c99_node (c, block);
  c->text->indent -= 2;
  tns_text_line (c->text, "}");
}

/* The first assignment of BLOCK to a cell, NODE, declares it; one that only
   pragmas ask is used in a program without them, too.  */
static void
add_first (tns_c99 *c, tns_node *block, const tns_node *node)
{
  const tns_sym *cell = node->target->sym;
  add_assign (c, node, true);
  if (!tns_c99_is_read (c->text->arena, c->region, block, cell))
    tns_text_line (c->text, "(void) %s;", tns_c99_name (c, cell));
}

/* The statements of BLOCK; its temporaries end with it.  */
static void
add_block (tns_c99 *c, tns_node *block)
{
  const tns_sym **first
    = TNS_NEW_ARRAY (c->text->arena, const tns_sym *, block->n_kids + 1);
  for (int k = 0; k < block->n_kids; k++)
    {
      bool was_told = c->is_told;
      c->is_told |= tns_c99_comment (c, block, k);
      if (block->kid[k]->kind == TNS_LOCAL)
        note_first (c, block, k, first);
      else if (block->kid[k]->kind == TNS_BLOCK)
        add_bare (c, block->kid[k]);
      else if (first[k])
        add_first (c, block, block->kid[k]);
      else
        tns_c99_node (c, block->kid[k]);
      c->is_told = was_told;
    }
  for (int k = block->n_kids - 1; k >= 0; k--)
    if (block->kid[k]->kind == TNS_LOCAL)
      tns_c99_free (c, block->kid[k]->sym);
}

/* __builtin_prefetch of what NODE names.  */
static void
add_prefetch (tns_c99 *c, const tns_node *node)
{
  tns_text_begin (c->text);
  tns_text_add (c->text, "__builtin_prefetch (&");
  tns_c99_expr (c, node->target, 0);
  tns_text_add (c->text, ");\n");
}

void
tns_c99_mark (tns_c99 *c, tns_loc loc)
{
  if (c->lines && loc.line > 0)
    tns_text_format (c->text, "#line %d\n", loc.line);
}

void
tns_c99_node (tns_c99 *c, tns_node *node)
{
  if (node->kind != TNS_BLOCK)
    tns_c99_mark (c, node->loc);
  switch (node->kind)
    {
    case TNS_BLOCK:
      add_block (c, node);
      break;
    case TNS_LOOP:
      add_loop (c, node);
      break;
    case TNS_ASSIGN:
      add_assign (c, node, false);
      break;
    case TNS_IF:
      tns_text_begin (c->text);
      add_if (c, node);
      break;
    case TNS_LOCAL:
      break;
    case TNS_PREFETCH:
      add_prefetch (c, node);
      break;
    }
}
