/* Where elements stand: pointers that accesses share.

     C[14*i + r][j + c]     p = C + 14*i*M*4      where i is set
     r = 0..13, c = 0, 16   q = p + j*4           where j is set
                            q + r*M*4  and then c*4 within the access

   A subscript that is built anew for each access is work for every pass of
   GCC's, and the tile of a contraction has a hundred accesses.  The number
   of an element is taken as a sum of products (ir/affine.h) and split:

     outer   terms that do not change in the innermost loop
     rows    terms of values alone, as the rows of a tile differ by: multiples
             of 4 join the outer ones, the rest is a displacement, so that
             few registers hold many rows
     inner   terms that change there; arrays share them
     the constant stays in the access, unless it is what keeps the pointer from
             lying before the array: GCC takes what an access adds to a pointer
             into an array for its least distance from the beginning

   Each part is a variable, set once at the innermost scope that sets one of
   its atoms.  Arithmetic is modulo 2^64.  Loads, quotients and variables that
   are set more than once are no atoms: such accesses are built whole, as all
   are where GCC shall check pointers.  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/affine.h"
#include "ir/walk.h"
}

enum
{
  MOST_TERMS = 12,
  ROWS_APART = 4,
  MOST_COUNTERS = 12
};

/* A variable: FROM (NULL_TREE: 0) and BYTES times SUM.  */
typedef struct tns_place
{
  tree from;
  tns_sum sum;
  long long bytes;
  tree variable;
  struct tns_place *next;
} tns_place;

/* iter    what the loop around counts with; NULL: no loop's scope
   list    statements so far
   variables  its variables
   place   what was set in it  */
struct tns_scope
{
  struct tns_scope *outer;
  const tns_sym *iter;
  tree *list;
  tree *variables;
  tns_place *place;
};

void
tns_build_enter (tns_build *build, const tns_sym *iter, tree *list,
                 tree *variables)
{
  tns_scope *scope = TNS_NEW (build->ctx->arena, tns_scope);
  scope->outer = build->scope;
  scope->iter = iter;
  scope->list = list;
  scope->variables = variables;
  build->scope = scope;
}

void
tns_build_leave (tns_build *build)
{
  build->scope = build->scope->outer;
}

/* The visitor: count EXPR, if it is a symbol that is read.  */
static bool
count_read (tns_expr *expr, void *self)
{
  tns_build *build = (tns_build *) self;
  if (expr->op == TNS_LOAD)
    build->n_read[expr->sym->id]++;
  return true;
}

/* The visitor: count how often each symbol is set, and read.  */
static bool
count_uses (tns_node *node, void *self)
{
  tns_build *build = (tns_build *) self;
  if (node->kind == TNS_ASSIGN)
    {
      build->n_set[node->target->sym->id]++;
      tns_expr_walk (node->value, count_read, self);
    }
  return true;
}

void
tns_build_count_uses (tns_build *build)
{
  int n = build->region->n_syms + 1;
  build->n_set = TNS_NEW_ARRAY (build->ctx->arena, int, n);
  build->n_read = TNS_NEW_ARRAY (build->ctx->arena, int, n);
  build->set_in = TNS_NEW_ARRAY (build->ctx->arena, tns_scope *, n);
  build->below = tns_below_of (build->ctx->arena, (tns_region *) build->region);
  tns_node_walk (build->region->body, count_uses, build);
}

void
tns_build_note_set (tns_build *build, const tns_sym *sym)
{
  build->set_in[sym->id] = build->scope;
}

/* Whether SCOPE sets SYM.  */
static bool
sets (const tns_build *build, const tns_scope *scope, const tns_sym *sym)
{
  return sym->kind == TNS_SYM_ITER ? scope->iter == sym
                                   : build->set_in[sym->id] == scope;
}

/* The innermost scope that sets SYM, else the outermost one.  */
static tns_scope *
home_of (const tns_build *build, const tns_sym *sym)
{
  tns_scope *scope = build->scope;
  while (scope->outer && !sets (build, scope, sym))
    scope = scope->outer;
  return scope;
}

/* Whether SCOPE is IN, or within it.  */
static bool
is_within (const tns_scope *scope, const tns_scope *in)
{
  while (scope && scope != in)
    scope = scope->outer;
  return scope != NULL;
}

/* What an expression is made of.  firm: nothing that may change before the
   scopes do; values: of VALUEs alone.  */
typedef struct makeup
{
  const tns_build *build;
  tns_scope *home;
  bool firm;
  bool values;
} makeup;

/* Note SYM, an iterator or a variable.  */
static void
note_home (makeup *m, const tns_sym *sym)
{
  tns_scope *home = home_of (m->build, sym);
  m->values = false;
  if (is_within (home, m->home))
    m->home = home;
}

/* EXPR is a variable that is set once, in a scope that is open.  */
static bool
is_firm_cell (const tns_build *build, const tns_expr *expr)
{
  const tns_sym *sym = expr->sym;
  return expr->op == TNS_LOAD && sym->rank == 0 && sym->flags & TNS_SYM_LOCAL
         && build->n_set[sym->id] == 1 && build->set_in[sym->id]
         && is_within (build->scope, build->set_in[sym->id]);
}

/* EXPR divides by what may be 0.  */
static bool
may_trap (const tns_expr *expr)
{
  long long by;
  bool divides = expr->op == TNS_DIV || expr->op == TNS_REM
                 || expr->op == TNS_FLOORDIV || expr->op == TNS_MOD;
  return divides && (!tns_expr_is_int (expr->arg[1], &by) || by <= 0);
}

/* The visitor of makeup.  */
static bool
note_part (tns_expr *expr, void *self)
{
  makeup *m = (makeup *) self;
  if (expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER)
    note_home (m, expr->sym);
  else if (is_firm_cell (m->build, expr))
    note_home (m, expr->sym);
  else if (tns_expr_reads (expr) || may_trap (expr) || expr->type.lanes > 1)
    m->firm = false;
  return m->firm;
}

/* What TERM is made of.  */
static makeup
makeup_of (const tns_build *build, const tns_term *term)
{
  tns_scope *scope = build->scope;
  while (scope->outer)
    scope = scope->outer;
  makeup m = { build, scope, true, true };
  for (int k = 0; k < term->n_atoms; k++)
    tns_expr_walk (term->atom[k], note_part, &m);
  return m;
}

/* The number of the element of SYM at ARG.  */
static tns_sum
number_of (tns_build *build, const tns_sym *sym, tns_expr *const *arg)
{
  tns_arena *arena = build->ctx->arena;
  tns_sum sum = tns_sum_int (arena, 0);
  for (int k = 0; k < sym->rank; k++)
    {
      tns_sum part = tns_sum_of (arena, arg[k]);
      if (sym->stride)
        part = tns_sum_mul (arena, part, tns_sum_of (arena, sym->stride[k]));
      else if (k > 0)
        sum = tns_sum_mul (arena, sum, tns_sum_of (arena, sym->extent[k]));
      sum = tns_sum_add (arena, sum, part);
    }
  return sum;
}

/* The pointers that the accesses of a loop need: arrays, and numbers of
   elements without their constants.  */
typedef struct crowd
{
  tns_build *build;
  int n;
  const tns_sym *sym[MOST_COUNTERS + 1];
  tns_sum sum[MOST_COUNTERS + 1];
} crowd;

/* SUM without its constant.  */
static tns_sum
without_constant (tns_arena *arena, tns_sum sum)
{
  for (int k = 0; k < sum.n; k++)
    if (sum.term[k].n_atoms == 0)
      return tns_sum_add (arena, sum, tns_sum_int (arena, -sum.term[k].factor));
  return sum;
}

/* The visitor: add what EXPR needs.  */
static bool
note_pointer (tns_expr *expr, void *self)
{
  crowd *c = (crowd *) self;
  if (!tns_expr_reads (expr) || expr->sym->rank == 0 || c->n > MOST_COUNTERS)
    return c->n <= MOST_COUNTERS;
  tns_sum sum = without_constant (c->build->ctx->arena,
                                  number_of (c->build, expr->sym, expr->arg));
  int k = 0;
  while (k < c->n
         && (c->sym[k] != expr->sym || !tns_sum_equal (c->sum[k], sum)))
    k++;
  c->sym[k] = expr->sym;
  c->sum[k] = sum;
  c->n += k == c->n;
  return true;
}

/* The visitor: the same for NODE's expressions.  */
static bool
note_pointers (tns_node *node, void *self)
{
  tns_node_exprs (node, note_pointer, self);
  return true;
}

bool
tns_build_is_crowded (tns_build *build, tns_node *body)
{
  crowd c;
  c.build = build;
  c.n = 0;
  tns_node_walk (body, note_pointers, &c);
  return c.n > MOST_COUNTERS;
}

/* FACTOR times TERM's atoms.  */
static tree
term_tree (tns_build *build, const tns_term *term, long long factor)
{
  tree product = build_int_cst (sizetype, factor);
  for (int k = 0; k < term->n_atoms; k++)
    product = fold_build2 (
      MULT_EXPR, sizetype,
      fold_convert (sizetype, tns_build_expr (build, term->atom[k])), product);
  return product;
}

/* PLACE's value.  */
static tree
place_tree (tns_build *build, const tns_place *place)
{
  tree offset = size_zero_node;
  for (int k = 0; k < place->sum.n; k++)
    {
      const tns_term *term = &place->sum.term[k];
      tree part = term_tree (build, term, term->factor * place->bytes);
      offset = fold_build2 (PLUS_EXPR, sizetype, offset, part);
    }
  return place->from ? fold_build_pointer_plus (place->from, offset) : offset;
}

/* The scope where PLACE can be set: SCOPE or inside it.  */
static tns_scope *
scope_of (tns_build *build, const tns_place *place, tns_scope *scope)
{
  for (int k = 0; k < place->sum.n; k++)
    {
      tns_scope *home = makeup_of (build, &place->sum.term[k]).home;
      if (is_within (home, scope))
        scope = home;
    }
  return scope;
}

/* A and B have the same value.  */
static bool
is_same (const tns_place *a, const tns_place *b)
{
  bool from = a->from && b->from ? operand_equal_p (a->from, b->from, 0)
                                 : a->from == b->from;
  return from && a->bytes == b->bytes && tns_sum_equal (a->sum, b->sum);
}

/* The variable of PLACE in SCOPE, set if it is not yet.  */
static tree
variable_in (tns_build *build, tns_place *place, tns_scope *scope)
{
  for (tns_place *p = scope->place; p; p = p->next)
    if (is_same (p, place))
      return p->variable;
  tree value = place_tree (build, place);
  tree type = TYPE_MAIN_VARIANT (TREE_TYPE (value));
  place->variable = tns_build_variable (build, "at", type);
  append_to_statement_list (tns_build_set (build, place->variable, value),
                            scope->list);
  DECL_CHAIN (place->variable) = *scope->variables;
  *scope->variables = place->variable;
  place->next = scope->place;
  scope->place = place;
  return place->variable;
}

/* A value and where it was set.  */
typedef struct spot
{
  tree value;
  tns_scope *scope;
} spot;

/* FROM and BYTES times SUM.  */
static spot
move_by (tns_build *build, spot from, tns_sum sum, long long bytes)
{
  if (sum.n == 0)
    return from;
  tns_place *place = TNS_NEW (build->ctx->arena, tns_place);
  place->from = from.value;
  place->sum = sum;
  place->bytes = bytes;
  from.scope = scope_of (build, place, from.scope);
  from.value = variable_in (build, place, from.scope);
  return from;
}

/* A number of an element, split as said above.  */
typedef struct split
{
  tns_sum outer;
  tns_sum rows;
  tns_sum apart;
  tns_sum inner;
  long long constant;
} split;

/* *SUM += FACTOR * TERM's atoms.  */
static void
add_term (tns_build *build, tns_sum *sum, tns_term term, long long factor)
{
  tns_arena *arena = build->ctx->arena;
  term.factor = factor;
  if (factor)
    *sum = tns_sum_add (arena, *sum, tns_sum_of_term (arena, term));
}

/* The innermost scope of a loop, or NULL.  */
static tns_scope *
loop_scope (tns_build *build)
{
  tns_scope *scope = build->scope;
  while (scope && !scope->iter)
    scope = scope->outer;
  return scope;
}

/* Put TERM where it belongs in S.  False when it is not firm.  */
static bool
split_term (tns_build *build, const tns_term *term, split *s)
{
  if (term->n_atoms == 0)
    {
      s->constant = term->factor;
      return true;
    }
  makeup m = makeup_of (build, term);
  tns_scope *loop = loop_scope (build);
  long long near = ((term->factor + 1) & (ROWS_APART - 1)) - 1;
  if (m.values)
    {
      add_term (build, &s->rows, *term, term->factor - near);
      add_term (build, &s->apart, *term, near);
    }
  else
    add_term (build, loop && is_within (m.home, loop) ? &s->inner : &s->outer,
              *term, term->factor);
  return m.firm;
}

/* SUM in parts.  False where one of them cannot be kept.  */
static bool
split_sum (tns_build *build, tns_sum sum, split *s)
{
  memset (s, 0, sizeof *s);
  bool all = sum.n >= 0 && sum.n <= MOST_TERMS;
  for (int k = 0; all && k < sum.n; k++)
    all = split_term (build, &sum.term[k], s);
  return all && s->outer.n + s->inner.n + s->rows.n + s->apart.n > 0;
}

/* Put S's constant, of SUM, into its last part where the pointer might lie
   before the array without it.  */
static void
keep_inside (tns_build *build, tns_sum sum, split *s)
{
  if (s->constant <= 0 || !tns_is_sum_below (&build->below, sum))
    return;
  tns_sum *last = s->inner.n   ? &s->inner
                  : s->rows.n  ? &s->rows
                  : s->outer.n ? &s->outer
                               : &s->apart;
  tns_arena *arena = build->ctx->arena;
  *last = tns_sum_add (arena, *last, tns_sum_int (arena, s->constant));
  s->constant = 0;
}

bool
tns_build_place (tns_build *build, const tns_sym *sym, tns_expr *const *arg,
                 tree *address, HOST_WIDE_INT *offset)
{
  split s;
  tns_sum number = number_of (build, sym, arg);
  if (!build->scope || flag_sanitize || !split_sum (build, number, &s))
    return false;
  keep_inside (build, number, &s);
  long long bytes = tree_to_shwi (TYPE_SIZE_UNIT (build->elem[sym->id]));
  tns_scope *first = home_of (build, sym);
  spot nothing = { NULL_TREE, first };
  spot place = { *address, first };
  place = move_by (build, place, s.outer, bytes);
  place = move_by (build, place, s.rows, bytes);
  place = move_by (build, place, s.inner, bytes);
  tree apart = move_by (build, nothing, s.apart, bytes).value;
  *address = apart ? fold_build_pointer_plus (place.value, apart) : place.value;
  *offset = s.constant * bytes;
  return true;
}
