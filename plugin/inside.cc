/* A list of statements is taken apart into runs:

     double e = 0;              ends a run: e is in scope behind it
     for (...) for (...) ...    a run
     t = u; u = v;              the same run
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

/* A refused loop or block.  */
typedef struct inside
{
  const tns_walk *walk;
  const tns_wish *wish;
} inside;

/* What statements hold.

   around  how many loops are around what is being looked at
   depth   how deep loops are nested
   place   of the first one
   leaves  something leaves the statements, or may come in
   marked  a pragma stands in them  */
typedef struct census
{
  int around;
  int depth;
  location_t place;
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

/* What takes the place of STMT[0..N), which hold C; NULL_TREE where they
   stay: *REFUSED where they were not understood.  */
static tree
compile (const inside *s, tree *stmt, int n, const census *c, bool *refused)
{
  tns_result result = {};
  tns_cover found = { stmt, n, c->depth > 1 ? LEAST_OF_SEVERAL : LEAST_OF_ONE };
  tns_ctx *ctx = tns_context_new (s->walk->options, s->wish);
  ctx->wish = wish_at (ctx, s->wish, c->place);
  tree made = tns_compile_covered (s->walk, ctx, &found, &result);
  if (made && is_looked_at_twice (c, &result))
    made = NULL_TREE;
  if (made)
    {
      tns_note (ctx, ctx->wish.loc, "a region of its own");
      tns_report (ctx, s->walk->options, &result, s->walk->fndecl);
    }
  *refused = ctx->status == TNS_REFUSED;
  tns_ctx_free (ctx);
  return made;
}

static void go_into (const inside *s, tree *at);

/* Take what is inside STMT.  */
static void
go_inside (const inside *s, tree stmt)
{
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
}

/* Take the statement *AT, or what is inside it.  */
static void
take_statement (const inside *s, tree *at)
{
  census c = census_of (*at);
  tree stmt = *at;
  if (c.depth == 0)
    return;
  bool refused = true;
  tree made = c.leaves ? NULL_TREE : compile (s, &stmt, 1, &c, &refused);
  if (made)
    *at = made;
  else if (refused)
    go_inside (s, stmt);
}

/* Take the N statements from FROM on, or each of them alone.  */
static void
take_run (const inside *s, tree_stmt_iterator from, int n)
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
  tree made = n > 1 && c.depth > 0
                ? compile (s, run.address (), n, &c, &refused)
                : NULL_TREE;
  i = from;
  for (int k = 0; k < n; k++, tsi_next (&i))
    if (!made && refused)
      take_statement (s, tsi_stmt_ptr (i));
    else if (made)
      *tsi_stmt_ptr (i) = k == 0 ? made : build_empty_stmt (UNKNOWN_LOCATION);
}

/* STMT may stand in a run with others.  */
static bool
may_run (tree stmt)
{
  return TREE_CODE (stmt) != DECL_EXPR && !census_of (stmt).leaves;
}

/* Take the runs of LIST.  */
static void
take_list (const inside *s, tree list)
{
  tree_stmt_iterator i = tsi_start (list);
  while (!tsi_end_p (i))
    {
      tree_stmt_iterator from = i;
      int n = 0;
      for (; !tsi_end_p (i) && may_run (tsi_stmt (i)); tsi_next (&i))
        n++;
      take_run (s, from, n);
      if (tsi_end_p (i))
        return;
      go_inside (s, tsi_stmt (i));
      tsi_next (&i);
    }
}

/* Take what stands at AT, the body of a loop, a block or a branch.  */
static void
go_into (const inside *s, tree *at)
{
  if (!*at)
    return;
  if (TREE_CODE (*at) == STATEMENT_LIST)
    take_list (s, *at);
  else
    take_statement (s, at);
}

void
tns_take_inside (const tns_walk *walk, const tns_wish *wish, tree stmt)
{
  inside s = { walk, wish };
  if (wish->require.n == 0 && !census_of (stmt).marked)
    go_inside (&s, stmt);
}
