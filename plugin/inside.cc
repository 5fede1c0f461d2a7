/* A list of statements is taken apart into runs:

     double e = 0;              ends a run: e is in scope behind it
     for (...) for (...) ...    a run
     t = u; u = v;              the same run
     print (t);                 ends it where that is refused
     if (e < tol) break;        ends it: leaves the run  */

#include "plugin/inside.hh"

#include "plugin/report.hh"
#include "pragmas/register.hh"

/* How many iterations pay for what is tested before them: in one loop, in the
   innermost of several.  */
enum
{
  LEAST_OF_ONE = 64,
  LEAST_OF_SEVERAL = 16
};

/* A refused loop or block.

   ctx   its context
   last  where the next region that is taken goes
   n     how many were  */
typedef struct inside
{
  const tns_walk *walk;
  tns_ctx *ctx;
  tns_taken **last;
  int n;
} inside;

/* What statements hold.

   around  how many loops are around what is being looked at
   depth   how deep loops are nested
   place   of the first one
   calls   functions are called
   leaves  something leaves the statements, or may come in
   marked  a pragma stands in them  */
typedef struct census
{
  int around;
  int depth;
  location_t place;
  bool calls;
  bool leaves;
  bool marked;
} census;

static tree look (tree *at, int *walk_subtrees, void *self);

/* Look through STMT.  */
static void
look_through (census *c, tree stmt)
{
  walk_tree_without_duplicates (&stmt, look, c);
}

/* Look through the loop STMT around BODY.  */
static void
look_at_loop (census *c, tree stmt, tree body)
{
  if (c->depth == 0)
    c->place = EXPR_LOCATION (stmt);
  c->around++;
  c->depth = c->around > c->depth ? c->around : c->depth;
  look_through (c, body);
  c->around--;
}

/* The body of STMT, a loop of C; NULL where it is none.  */
static tree *
body_of_loop (tree stmt)
{
  switch (TREE_CODE (stmt))
    {
    case FOR_STMT:
      return &FOR_BODY (stmt);
    case WHILE_STMT:
      return &WHILE_BODY (stmt);
    case DO_STMT:
      return &DO_BODY (stmt);
    default:
      return NULL;
    }
}

/* walk_tree's visitor.  */
static tree
look (tree *at, int *walk_subtrees, void *self)
{
  census *c = (census *) self;
  tree *body = body_of_loop (*at);
  if (body)
    {
      *walk_subtrees = 0;
      look_at_loop (c, *at, *body);
      return NULL_TREE;
    }
  tns_mark *mark = tns_mark_of_stmt (*at);
  c->marked |= mark && !mark->used;
  switch (TREE_CODE (*at))
    {
    case CALL_EXPR:
      c->calls = true;
      break;
    case BREAK_STMT:
    case CONTINUE_STMT:
      c->leaves |= c->around == 0;
      break;
    case RETURN_EXPR:
    case GOTO_EXPR:
    case LABEL_EXPR:
    case CASE_LABEL_EXPR:
      c->leaves = true;
      break;
    default:
      break;
    }
  return NULL_TREE;
}

/* What STMT holds.  */
static census
census_of (tree stmt)
{
  census c = {};
  look_through (&c, stmt);
  return c;
}

/* The words of the pragma for a region at PLACE inside.  */
static tns_wish
wish_at (tns_ctx *ctx, const tns_wish *outer, location_t place)
{
  tns_wish wish = *outer;
  wish.loc = tns_loc_of (place);
  wish.around = outer->loc;
  wish.temp = (tns_wish_list){};
  wish.independent = (tns_wish_list){};
  wish.n_facts = 0;
  if (wish.name)
    wish.name
      = tns_arena_format (ctx->arena, "%s:%d", wish.name, wish.loc.line);
  return wish;
}

/* A loop of one level is looked at for indices before it runs.  */
static bool
is_looked_at_twice (const census *c, const tns_result *result)
{
  return c->depth == 1 && result->scheduled && result->scheduled->before;
}

/* RESULT was made in CTX, to be told of.  */
static void
note_taken (inside *s, tns_ctx *ctx, const tns_result *result)
{
  tns_taken *taken = TNS_NEW (s->ctx->arena, tns_taken);
  tns_note (ctx, ctx->wish.loc, "a region of its own");
  *taken = (tns_taken){ ctx, *result, NULL };
  *s->last = taken;
  s->last = &taken->next;
  s->n++;
}

/* A and B say the same of one place.  */
static bool
is_same (const tns_remark *a, const tns_remark *b)
{
  return a && a->why == b->why && a->loc.handle == b->loc.handle;
}

/* Note REASON as that of something left, once.  */
static void
note_reason (tns_ctx *ctx, const tns_remark *reason)
{
  for (const tns_remark *r = ctx->remarks; r; r = r->next)
    if (r->kind == TNS_REMARK_LEFT && is_same (r, reason))
      return;
  tns_left_by (ctx, reason);
}

/* Why what CTX is of stays as written, to outlive CTX.  */
static tns_remark
reason_of (const inside *s, const tns_ctx *ctx)
{
  const tns_remark *reason = tns_verdict (ctx);
  tns_remark kept = { TNS_REMARK_LEFT, TNS_WHY_KEPT, ctx->wish.loc,
                      tns_why_words (TNS_WHY_KEPT), NULL };
  if (reason)
    {
      kept.why = reason->why;
      kept.loc = reason->loc;
      kept.words = tns_arena_string (s->ctx->arena, reason->words);
    }
  return kept;
}

/* What takes the place of STMT[0..N), which hold C; NULL_TREE where they stay,
   because of *REASON: *REFUSED where they were not understood.  */
static tree
compile (inside *s, tree *stmt, int n, const census *c, bool *refused,
         tns_remark *reason)
{
  tns_result result = {};
  tns_cover found = { stmt, n, c->depth > 1 ? LEAST_OF_SEVERAL : LEAST_OF_ONE };
  tns_ctx *ctx = tns_context_new (s->walk->options, &s->ctx->wish);
  ctx->wish = wish_at (ctx, &s->ctx->wish, c->place);
  tree made = tns_compile_covered (s->walk, ctx, &found, &result);
  if (made && is_looked_at_twice (c, &result))
    made = NULL_TREE;
  *refused = ctx->status == TNS_REFUSED;
  *reason = reason_of (s, ctx);
  if (made)
    note_taken (s, ctx, &result);
  else
    tns_ctx_free (ctx);
  return made;
}

/* STMT does something.  */
static bool
is_executed (tree stmt)
{
  if (TREE_CODE (stmt) == DECL_EXPR)
    return VAR_P (DECL_EXPR_DECL (stmt))
           && DECL_INITIAL (DECL_EXPR_DECL (stmt)) != NULL_TREE;
  return TREE_SIDE_EFFECTS (stmt) && TREE_CODE (stmt) != DEBUG_BEGIN_STMT;
}

/* STMT, which holds C, is left without being tried.  */
static void
leave (inside *s, tree stmt, const census *c)
{
  tns_loc loc = tns_loc_of (EXPR_LOCATION (stmt));
  const tns_remark *reason = tns_verdict (s->ctx);
  if (c->leaves)
    tns_left (s->ctx, loc, TNS_WHY_CONTROL, "a statement in it");
  else if (reason && reason->loc.handle == loc.handle)
    note_reason (s->ctx, reason);
  else if (is_executed (stmt))
    tns_left (s->ctx, loc, TNS_WHY_STRAIGHT);
}

static void go_into (inside *s, tree *at);

/* Take what is inside STMT; where nothing is, nothing there is noted as left,
   for STMT is.  */
static void
go_inside (inside *s, tree stmt)
{
  tns_ctx before = *s->ctx;
  int n = s->n;
  tree *body = body_of_loop (stmt);
  if (body)
    go_into (s, body);
  else if (TREE_CODE (stmt) == BIND_EXPR)
    go_into (s, &BIND_EXPR_BODY (stmt));
  else if (TREE_CODE (stmt) == COND_EXPR)
    {
      go_into (s, &COND_EXPR_THEN (stmt));
      go_into (s, &COND_EXPR_ELSE (stmt));
    }
  if (s->n == n)
    tns_take_back (s->ctx, &before);
}

/* Take the statement *AT with INIT in front of it, unless that is NULL_TREE, or
   what is inside it.  Whether it was taken itself.  */
static bool
take_statement (inside *s, tree init, tree *at)
{
  census c = census_of (*at);
  tree stmt[] = { init ? init : *at, *at };
  tns_remark reason;
  int n = s->n;
  bool refused = true;
  bool is_tried = c.depth > 0 && !c.leaves && TREE_CODE (*at) != DECL_EXPR;
  tree made = is_tried ? compile (s, stmt, init ? 2 : 1, &c, &refused, &reason)
                       : NULL_TREE;
  if (made)
    *at = made;
  else if (refused && c.depth > 0)
    go_inside (s, stmt[1]);
  if (!is_tried && s->n == n)
    leave (s, stmt[1], &c);
  else if (is_tried && !made
           && (s->n == n || !is_same (tns_verdict (s->ctx), &reason)))
    note_reason (s->ctx, &reason);
  return made != NULL_TREE;
}

/* How many of the N statements from FROM on come before the first that calls
   something outside of loops.  */
static int
count_silent (tree_stmt_iterator from, int n)
{
  for (int k = 0; k < n; k++, tsi_next (&from))
    {
      census c = census_of (tsi_stmt (from));
      if (c.depth == 0 && c.calls)
        return k;
    }
  return n;
}

/* Take the N statements from FROM on one by one, a loop with its
   initialisation.  */
static void
take_each (inside *s, tree_stmt_iterator from, int n)
{
  for (; n > 0; n--, tsi_next (&from))
    {
      tree *init = tsi_stmt_ptr (from);
      tree_stmt_iterator next = from;
      tsi_next (&next);
      if (n == 1 || !tns_is_init_of (*init, tsi_stmt (next)))
        {
          take_statement (s, NULL_TREE, init);
          continue;
        }
      if (take_statement (s, *init, tsi_stmt_ptr (next)))
        *init = build_empty_stmt (UNKNOWN_LOCATION);
      from = next;
      n--;
    }
}

/* MADE takes the place of the N statements from FROM on.  */
static void
put (tree made, tree_stmt_iterator from, int n)
{
  for (; n > 0; n--, tsi_next (&from))
    {
      *tsi_stmt_ptr (from) = made;
      made = build_empty_stmt (UNKNOWN_LOCATION);
    }
}

/* Take the N statements from FROM on, or those between which something is
   called, or each of them alone.  */
static void
take_run (inside *s, tree_stmt_iterator from, int n)
{
  auto_vec<tree> run;
  census c = {};
  tree_stmt_iterator i = from;
  for (int k = 0; k < n; k++, tsi_next (&i))
    {
      run.safe_push (tsi_stmt (i));
      look_through (&c, tsi_stmt (i));
    }
  bool refused = true;
  bool is_tried = n > 1 && c.depth > 0;
  tns_remark reason;
  tree made = is_tried ? compile (s, run.address (), n, &c, &refused, &reason)
                       : NULL_TREE;
  int silent = is_tried ? count_silent (from, n) : n;
  if (made)
    put (made, from, n);
  else if (!refused)
    note_reason (s->ctx, &reason);
  else if (silent == n)
    take_each (s, from, n);
  else
    {
      take_run (s, from, silent);
      for (int k = 0; k < silent; k++)
        tsi_next (&from);
      take_each (s, from, 1);
      tsi_next (&from);
      take_run (s, from, n - silent - 1);
    }
}

/* STMT may stand in a run with others.  */
static bool
may_run (tree stmt)
{
  return TREE_CODE (stmt) != DECL_EXPR && !census_of (stmt).leaves;
}

/* Take the runs of the N statements from I on.  */
static void
take_runs (inside *s, tree_stmt_iterator i, int n)
{
  while (n > 0)
    {
      tree_stmt_iterator from = i;
      int length = 0;
      for (; length < n && may_run (tsi_stmt (i)); tsi_next (&i))
        length++;
      take_run (s, from, length);
      n -= length;
      if (n-- == 0)
        return;
      from = i;
      tsi_next (&i);
      if (n == 0 || !tns_is_init_of (tsi_stmt (from), tsi_stmt (i)))
        take_each (s, from, 1);
    }
}

/* Take what stands at AT, the body of a loop, a block or a branch.  */
static void
go_into (inside *s, tree *at)
{
  int n = 0;
  if (!*at)
    return;
  if (TREE_CODE (*at) != STATEMENT_LIST)
    {
      take_statement (s, NULL_TREE, at);
      return;
    }
  for (tree_stmt_iterator i = tsi_start (*at); !tsi_end_p (i); tsi_next (&i))
    n++;
  take_runs (s, tsi_start (*at), n);
}

tns_taken *
tns_take_inside (const tns_walk *walk, tns_ctx *ctx, tree_stmt_iterator from,
                 int n, bool is_scop)
{
  tns_taken *first = NULL;
  inside s = { walk, ctx, &first, 0 };
  tree_stmt_iterator i = from;
  bool marked = ctx->wish.require.n > 0;
  for (int k = 0; k < n; k++, tsi_next (&i))
    marked |= census_of (tsi_stmt (i)).marked;
  if (!marked && is_scop)
    take_runs (&s, from, n);
  else if (!marked)
    for (int k = 0; k < n; k++, tsi_next (&from))
      go_inside (&s, tsi_stmt (from));
  return first;
}

void
tns_tell_inside (const tns_walk *walk, tns_taken *taken)
{
  for (; taken; taken = taken->next)
    {
      tns_report (taken->ctx, walk->options, &taken->result, walk->fndecl);
      tns_ctx_free (taken->ctx);
    }
}
