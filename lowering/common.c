/* Common numbers in LOCALs.

   A number is a scalar I64 expression over VALUEs and iterators without
   reads, of at least two operations, one of which is more than a sum, or a
   quotient by a VALUE; it must not divide by what may be 0.  Its home is the
   innermost loop whose iterator it mentions, or the region; where this is
   none, the next one inside.

     1. count    how often each number stands in its home, largest ones first:
                 the parts of one that was seen before are not counted again
     2. rewrite  what was counted twice becomes a LOCAL that is set at the
                 beginning of the home; numbers are made of numbers

   Bounds, conditions and masks are looked through, subscripts of arrays are
   not: what they have in common GCC finds itself, but for quotients by
   VALUEs: GCC leaves these where they are, for they might trap, and one is
   enough.  A loop without loops inside is no home, nor is one that threads
   share together with the loop right inside.

   A parallel loop's work, which its condition asks for, too, is not counted: it
   is needed where there are iterations enough for threads, which short calls
   find out first.  */

#include "lowering/common.h"

#include "ir/walk.h"

#define MOST_DEPTH 32
#define N_BUCKETS  256

/* expr in home (NULL: the region); uses: how often; cell: where it is kept,
   NULL as yet.  */
typedef struct number
{
  tns_expr *expr;
  const tns_node *home;
  int uses;
  tns_sym *cell;
  struct number *next;
} number;

/* A loop around, or the region when loop is NULL, and what is set at its
   beginning.  */
typedef struct place
{
  const tns_node *loop;
  bool is_home;
  tns_node *head;
} place;

typedef struct commons
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  int n;
  int collapsed;
  place around[MOST_DEPTH];
  number *bucket[N_BUCKETS];
} commons;

/* What an expression is made of.  deepest: the innermost place whose iterator
   it mentions.  */
typedef struct makeup
{
  const commons *c;
  bool is_number;
  int operations;
  int heavy;
  int deepest;
} makeup;

/* A guard of C's region says that DIVISOR is more than 0.  */
static bool
is_guarded (const commons *c, const tns_expr *divisor)
{
  long long least;
  for (int k = 0; k < c->region->n_guard; k++)
    {
      const tns_expr *guard = c->region->guard[k];
      if (guard->op == TNS_LE && tns_expr_is_int (guard->arg[0], &least)
          && least > 0 && tns_expr_equal (guard->arg[1], divisor))
        return true;
    }
  return false;
}

/* DIVISOR is never 0.  */
static bool
is_positive (const commons *c, const tns_expr *divisor)
{
  if (divisor->op == TNS_INT)
    return divisor->integer > 0;
  if (divisor->op == TNS_SYM)
    return is_guarded (c, divisor);
  return divisor->op == TNS_MAX
         && (is_positive (c, divisor->arg[0])
             || is_positive (c, divisor->arg[1]));
}

/* EXPR divides.  */
static bool
divides (const tns_expr *expr)
{
  return expr->op == TNS_DIV || expr->op == TNS_REM || expr->op == TNS_FLOORDIV
         || expr->op == TNS_MOD;
}

/* EXPR is a quotient by a VALUE.  */
static bool
is_quotient (const tns_expr *expr)
{
  return divides (expr) && expr->arg[1]->op == TNS_SYM;
}

/* Note SYM, a VALUE or an iterator.  */
static void
note_symbol (makeup *m, const tns_sym *sym)
{
  int k = m->c->n - 1;
  if (sym->kind == TNS_SYM_VALUE)
    return;
  while (k > 0 && m->c->around[k].loop->iter != sym)
    k--;
  m->is_number = m->is_number && k > 0;
  m->deepest = m->deepest > k ? m->deepest : k;
}

/* The visitor that fills a makeup.  */
static bool
note_part (tns_expr *expr, void *self)
{
  makeup *m = self;
  m->operations += expr->n_args > 0;
  switch (expr->op)
    {
    case TNS_SYM:
      note_symbol (m, expr->sym);
      break;
    case TNS_INT:
    case TNS_ADD:
    case TNS_SUB:
    case TNS_NEG:
      break;
    case TNS_MUL:
    case TNS_MIN:
    case TNS_MAX:
      m->heavy++;
      break;
    case TNS_DIV:
    case TNS_REM:
    case TNS_FLOORDIV:
    case TNS_MOD:
      m->heavy++;
      m->operations += is_quotient (expr);
      m->is_number = m->is_number && is_positive (m->c, expr->arg[1]);
      break;
    default:
      m->is_number = false;
      break;
    }
  m->is_number
    = m->is_number && expr->type.elem == TNS_I64 && expr->type.lanes == 1;
  return m->is_number;
}

/* EXPR is a number that is worth a LOCAL in *HOME.  */
static bool
is_worth (const commons *c, tns_expr *expr, const tns_node **home)
{
  makeup m = { c, true, 0, 0, 0 };
  if (expr->n_args == 0 || expr->type.elem != TNS_I64 || expr->type.lanes > 1)
    return false;
  tns_expr_walk (expr, note_part, &m);
  int at = m.deepest;
  while (at + 1 < c->n && !c->around[at].is_home)
    at++;
  *home = c->around[at].loop;
  return m.is_number && m.operations >= 2 && m.heavy > 0
         && c->around[at].is_home;
}

/* The same for the same expressions.  */
static unsigned
hash (const tns_expr *expr)
{
  unsigned value = (unsigned) expr->op * 31u + (unsigned) expr->integer;
  value = value * 31u + (expr->sym ? (unsigned) expr->sym->id : 0u);
  for (int k = 0; k < expr->n_args; k++)
    value = value * 31u + hash (expr->arg[k]);
  return value;
}

/* The number EXPR of HOME, new when it is the first.  */
static number *
number_of (commons *c, tns_expr *expr, const tns_node *home)
{
  bool any = tns_ctx_breaks (c->ctx, "common");
  unsigned key = any ? (unsigned) expr->op : hash (expr);
  number **bucket = &c->bucket[key % N_BUCKETS];
  for (number *n = *bucket; n; n = n->next)
    if (n->home == home && (any || tns_expr_equal (n->expr, expr)))
      return n;
  number *made = TNS_NEW (c->arena, number);
  *made = (number){ expr, home, 0, NULL, *bucket };
  *bucket = made;
  return made;
}

/* The first operand of EXPR that is looked through: subscripts are not.  */
static int
first_part (const tns_expr *expr)
{
  return tns_expr_reads (expr) ? expr->sym->rank : 0;
}

/* Count the numbers in EXPR; where it is IN_SUBSCRIPT, quotients only.  */
static void
count_expr (commons *c, tns_expr *expr, bool in_subscript)
{
  const tns_node *home;
  if (!expr)
    return;
  if ((!in_subscript || is_quotient (expr)) && is_worth (c, expr, &home))
    {
      number *n = number_of (c, expr, home);
      n->uses += 1 + is_quotient (expr);
      if (n->uses > 1 + is_quotient (expr))
        return;
    }
  for (int k = 0; k < expr->n_args; k++)
    count_expr (c, expr->arg[k], in_subscript || k < first_part (expr));
}

/* EXPR with the numbers that were counted twice in their cells; where it is
   IN_SUBSCRIPT, quotients only.  */
static tns_expr *
rewrite_expr (commons *c, tns_expr *expr, bool in_subscript)
{
  const tns_node *home;
  number *known = NULL;
  if (!expr || expr->n_args == 0)
    return expr;
  if ((!in_subscript || is_quotient (expr)) && is_worth (c, expr, &home))
    known = number_of (c, expr, home);
  if (known && known->cell)
    return tns_cell (c->arena, known->cell);
  tns_expr **arg = TNS_NEW_ARRAY (c->arena, tns_expr *, expr->n_args);
  for (int k = 0; k < expr->n_args; k++)
    arg[k]
      = rewrite_expr (c, expr->arg[k], in_subscript || k < first_part (expr));
  tns_expr *made = tns_expr_with_args (c->arena, expr, arg);
  if (!known || known->uses < 2)
    return made;
  int at = c->n - 1;
  while (c->around[at].loop != home)
    at--;
  tns_node *head = c->around[at].head;
  known->cell = tns_region_add_array (c->arena, c->region, "n", TNS_I64, 0,
                                      TNS_SYM_LOCAL);
  tns_block_add (c->arena, head, tns_local (c->arena, head->loc, known->cell));
  tns_block_add (c->arena, head,
                 tns_assign (c->arena, head->loc,
                             tns_cell (c->arena, known->cell), TNS_NONE, made));
  return tns_cell (c->arena, known->cell);
}

/* The visitor that looks for a loop.  */
static bool
note_loop (tns_node *node, void *self)
{
  bool *found = self;
  *found = *found || node->kind == TNS_LOOP;
  return !*found;
}

/* Go into LOOP, or into the region's body when LOOP is NULL.  */
static void
enter (commons *c, const tns_node *loop, tns_node *body)
{
  bool has_loop = false;
  tns_node_walk (body, note_loop, &has_loop);
  if (loop && loop->marks.collapse > 1)
    c->collapsed = loop->marks.collapse;
  bool is_home = has_loop && c->collapsed <= 1;
  c->collapsed -= c->collapsed > 0;
  c->around[c->n++] = (place){ loop, is_home, tns_block (c->arena, body->loc) };
}

/* BODY behind what the innermost place sets; go out of it.  */
static tns_node *
leave (commons *c, tns_node *body)
{
  tns_node *head = c->around[--c->n].head;
  if (head->n_kids == 0)
    return body;
  if (body->kind != TNS_BLOCK)
    tns_block_add (c->arena, head, body);
  for (int k = 0; body->kind == TNS_BLOCK && k < body->n_kids; k++)
    tns_block_add (c->arena, head, body->kid[k]);
  return head;
}

/* Count the numbers in NODE.  */
static void
count_node (commons *c, tns_node *node)
{
  if (!node)
    return;
  count_expr (c, node->lo, false);
  count_expr (c, node->hi, false);
  count_expr (c, node->marks.when, false);
  count_expr (c, node->cond, false);
  count_expr (c, node->value, false);
  count_expr (c, node->mask, false);
  for (int k = 0; k < node->n_kids; k++)
    count_node (c, node->kid[k]);
  count_node (c, node->then);
  count_node (c, node->otherwise);
  if (node->kind != TNS_LOOP || c->n == MOST_DEPTH)
    return;
  enter (c, node, node->body);
  count_node (c, node->body);
  c->n--;
}

/* NODE rewritten.  */
static tns_node *
rewrite_node (commons *c, tns_node *node)
{
  if (!node)
    return NULL;
  tns_node *made = tns_node_copy (c->arena, node);
  made->lo = rewrite_expr (c, node->lo, false);
  made->hi = rewrite_expr (c, node->hi, false);
  made->marks.when = rewrite_expr (c, node->marks.when, false);
  made->marks.work = rewrite_expr (c, node->marks.work, false);
  made->cond = rewrite_expr (c, node->cond, false);
  made->value = rewrite_expr (c, node->value, false);
  made->mask = rewrite_expr (c, node->mask, false);
  made->n_kids = 0;
  made->kid = NULL;
  for (int k = 0; k < node->n_kids; k++)
    tns_block_add (c->arena, made, rewrite_node (c, node->kid[k]));
  made->then = rewrite_node (c, node->then);
  made->otherwise = rewrite_node (c, node->otherwise);
  if (node->kind != TNS_LOOP || c->n == MOST_DEPTH)
    return made;
  enter (c, node, node->body);
  made->body = leave (c, rewrite_node (c, node->body));
  return made;
}

tns_region *
tns_region_common (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  commons *c = TNS_NEW (ctx->arena, commons);
  *c = (commons){ .ctx = ctx, .arena = ctx->arena };
  c->region = tns_region_copy (ctx->arena, region);
  enter (c, NULL, region->body);
  count_node (c, region->body);
  c->region->body = leave (c, rewrite_node (c, region->body));
  return c->region;
}
