/* Places and ends of tapes, as autodiff/tapes.h says.  */

#include "autodiff/tapes.h"

#include "autodiff/hull.h"
#include "autodiff/look.h"
#include "ir/affine.h"
#include "ir/walk.h"

enum
{
  /* Loops around any site, at most.  */
  MOST_LOOPS = TNS_MOST_RANK + 64,
  /* Ends of two reads that share a tape differ by so much at most.  */
  MOST_BETWEEN = 16
};

/* A place for what NEED reads, the ASSIGN, IF or LOOP at site AT.

   loop[outside..n)  the loops between the place and the read  */
typedef struct search
{
  tns_needs *needs;
  const tns_need *need;
  int at;
  int outside;
  int n;
  tns_node *loop[MOST_LOOPS];
} search;

/* A - B is the constant *BETWEEN.  */
static bool
differ_by (tns_arena *arena, tns_expr *a, tns_expr *b, long long *between)
{
  tns_sum negative = tns_sum_scale (arena, tns_sum_of (arena, b), -1);
  return tns_sum_is_int (tns_sum_add (arena, tns_sum_of (arena, a), negative),
                         between);
}

/* How many loops there are around site AT inside level HOME.  */
static int
loops_around (const tns_needs *needs, int at, int home)
{
  tns_node *loop[MOST_LOOPS];
  return tns_view_loops (needs->flow->view, at, home, loop);
}

/* The visitor of what is not the same all the time.  */
static bool
note_read (tns_expr *expr, void *self)
{
  bool *reads = self;
  *reads |= tns_expr_reads (expr);
  return !*reads;
}

/* EXPR reads memory.  */
static bool
reads (tns_expr *expr)
{
  bool found = false;
  tns_expr_walk (expr, note_read, &found);
  return found;
}

/* The loop of S inside the place whose iterator stands in FORM, by one, with
   nothing but constants and VALUEs beside it; -1: that is not so.  */
static int
mover (const search *s, const tns_affine *form)
{
  int found = -1;
  for (int k = 0; k < form->n; k++)
    if (form->sym[k]->kind != TNS_SYM_VALUE)
      {
        int l = s->outside;
        while (l < s->n && s->loop[l]->iter != form->sym[k])
          l++;
        if (found >= 0 || l == s->n || form->factor[k] != 1)
          return -1;
        found = l;
      }
  return found;
}

/* EXPR mentions an iterator of the loops between the place and the read.  */
static bool
is_moved (const search *s, tns_expr *expr)
{
  bool found = false;
  for (int l = s->outside; l < s->n; l++)
    found |= tns_expr_mentions (expr, s->loop[l]->iter);
  return found;
}

/* The ends of subscript K into TAPE, which loops inside the place move;
   *MOVERS has the bits of those that move others.  False where they do it
   otherwise than tapes can follow.  */
static bool
find_ends (const search *s, tns_tape *tape, int k, unsigned long long *movers)
{
  tns_arena *arena = s->needs->ctx->arena;
  const tns_view *view = s->needs->flow->view;
  tns_expr *sub = s->need->load->arg[k];
  tns_affine form;
  int l = tns_affine_of (arena, sub, &form) ? mover (s, &form) : -1;
  if (l < 0 || l >= 64 || *movers & 1ULL << l)
    return false;
  *movers |= 1ULL << l;
  tape->lo[k] = tns_hull (arena, view, s->need->site, sub, false);
  tape->hi[k] = tns_hull (arena, view, s->need->site, sub, true);
  if (!tape->lo[k] || !tape->hi[k])
    return false;
  tape->hi[k] = tns_binary (arena, TNS_ADD, tape->hi[k], tns_int (arena, 1));
  return true;
}

/* Fill TAPE's subscripts for the place of S; false where the read has none
   there.  */
static bool
find_subscripts (const search *s, tns_tape *tape)
{
  const tns_expr *load = s->need->load;
  unsigned long long movers = 0;
  for (int k = 0; k < load->n_args; k++)
    {
      tape->moved[k] = is_moved (s, load->arg[k]);
      if (reads (load->arg[k])
          || (tape->moved[k] && !find_ends (s, tape, k, &movers)))
        return false;
    }
  return true;
}

/* Some statement writes what S's need reads between the place and the read, in
   one iteration of the loops around the place.  */
static bool
is_written_between (const search *s)
{
  const tns_flow *flow = s->needs->flow;
  const tns_view *view = flow->view;
  int depth = loops_around (s->needs, s->at, 0);
  for (int w = s->at; w < view->n_sites; w++)
    {
      const tns_node *node = view->site[w].node;
      if (node->kind == TNS_ASSIGN && node->target->sym == s->need->load->sym
          && tns_view_holds (view, view->site[s->at].level, view->site[w].level)
          && tns_flow_within (flow, w, s->need->site, s->need->load, depth))
        return true;
    }
  return false;
}

/* Set the place of S to site AT.  */
static void
go_to (search *s, int at)
{
  s->at = at;
  s->outside = loops_around (s->needs, at, s->need->home);
}

/* The site of the loop or condition around S's read, or of this, that stands
   beside site AT: right in the same loop, or AT itself.  */
static bool
is_behind (const search *s, int at)
{
  const tns_site *site = s->needs->flow->view->site;
  int under = site[at].under;
  bool in_loop = under < 0 || site[under].node->kind == TNS_LOOP;
  for (int b = s->need->site; b >= at; b = site[b].under)
    if (b == at || (in_loop && site[b].under == under))
      return true;
  return false;
}

/* LOOP surely has an iteration.  */
static bool
runs (const search *s, const tns_node *loop)
{
  long long between;
  return differ_by (s->needs->ctx->arena, loop->hi, loop->lo, &between)
         && (loop->step > 0 ? between > 0 : between < 0);
}

/* LOAD is evaluated wherever EXPR is.  */
static bool
evaluates (const tns_expr *expr, const tns_expr *load)
{
  if (!expr || tns_expr_equal (expr, load))
    return expr != NULL;
  bool chooses
    = expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR;
  for (int k = 0; k < (chooses ? 1 : expr->n_args); k++)
    if (evaluates (expr->arg[k], load))
      return true;
  return false;
}

/* What S's need reads is read each time that the place is reached.  */
static bool
is_sure (const search *s)
{
  const tns_site *site = s->needs->flow->view->site;
  int b = s->need->site;
  const tns_node *node = site[b].node;
  const tns_expr *load = s->need->load;
  bool sure = evaluates (node->lo, load) || evaluates (node->hi, load)
              || evaluates (node->cond, load) || evaluates (node->value, load)
              || evaluates (node->target, load);
  while (b != s->at && site[b].under != site[s->at].under)
    {
      b = site[b].under;
      sure &= site[b].node->kind == TNS_LOOP && runs (s, site[b].node);
    }
  return sure;
}

/* An empty tape for S's need.  */
static tns_tape *
new_tape (const search *s)
{
  tns_arena *arena = s->needs->ctx->arena;
  tns_tape *tape = TNS_NEW (arena, tns_tape);
  int rank = s->need->load->n_args;
  *tape = (tns_tape){ .site = s->at,
                      .home = s->need->home,
                      .load = s->need->load,
                      .sure = is_sure (s),
                      .moved = TNS_NEW_ARRAY (arena, bool, rank + 1),
                      .lo = TNS_NEW_ARRAY (arena, tns_expr *, rank + 1),
                      .hi = TNS_NEW_ARRAY (arena, tns_expr *, rank + 1),
                      .readers = 1 };
  return tape;
}

/* TAPE and MADE have the same subscripts, but for small differences of their
   ends.  */
static bool
are_alike (tns_arena *arena, const tns_tape *tape, const tns_tape *made)
{
  for (int k = 0; k < tape->load->n_args; k++)
    {
      long long low, high;
      if (tape->moved[k] != made->moved[k])
        return false;
      if (!tape->moved[k]
            ? !tns_expr_equal (tape->load->arg[k], made->load->arg[k])
            : !differ_by (arena, tape->lo[k], made->lo[k], &low)
                || !differ_by (arena, tape->hi[k], made->hi[k], &high)
                || low < -MOST_BETWEEN || low > MOST_BETWEEN
                || high < -MOST_BETWEEN || high > MOST_BETWEEN)
        return false;
    }
  return true;
}

/* TAPE, like MADE, gets room for what this would have.  */
static void
widen (tns_arena *arena, tns_tape *tape, const tns_tape *made)
{
  for (int k = 0; k < tape->load->n_args; k++)
    {
      long long low, high;
      if (!tape->moved[k])
        continue;
      if (differ_by (arena, tape->lo[k], made->lo[k], &low) && low > 0)
        tape->lo[k] = made->lo[k];
      if (differ_by (arena, tape->hi[k], made->hi[k], &high) && high < 0)
        tape->hi[k] = made->hi[k];
    }
  tape->sure |= made->sure;
  tape->readers++;
}

/* The need of S reads from TAPE.  */
static bool
joins (search *s, tns_tape *tape)
{
  if (tape->load->sym != s->need->load->sym || tape->home != s->need->home
      || tape->under || tape->whole || s->need->count
      || !is_behind (s, tape->site))
    return false;
  go_to (s, tape->site);
  tns_tape *made = new_tape (s);
  if (!find_subscripts (s, made)
      || !are_alike (s->needs->ctx->arena, tape, made)
      || is_written_between (s))
    return false;
  widen (s->needs->ctx->arena, tape, made);
  return true;
}

/* It is known what there is of MADE's array.  */
static bool
finds_rows (const search *s, tns_tape *made)
{
  const tns_sym *sym = made->load->sym;
  for (int k = 0; k < made->load->n_args; k++)
    if ((made->moved[k] || !made->sure) && !sym->extent[k])
      return k == 0
             && tns_rows_of (s->needs->ctx, s->needs->flow, sym,
                             s->needs->absent[sym->id], &made->rows)
             && (s->needs->flow->scop ? made->rows.sure : made->rows.dense);
  return true;
}

/* A and B joined by OP; NULL is true.  */
static tns_expr *
joined (tns_arena *arena, tns_op op, tns_expr *a, tns_expr *b)
{
  if (a && b)
    return tns_binary (arena, op, a, b);
  return op == TNS_LOR ? NULL : a ? a : b;
}

/* Operand K of EXPR is evaluated where this holds and EXPR is; NULL:
   wherever.  */
static tns_expr *
arm_condition (tns_arena *arena, const tns_expr *expr, int k)
{
  bool chooses
    = expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR;
  if (!chooses || k == 0)
    return NULL;
  bool is_other = expr->op == TNS_LOR || k == 2;
  return is_other ? tns_unary (arena, TNS_LNOT, expr->arg[0]) : expr->arg[0];
}

/* LOAD is evaluated where EXPR is and *WHEN holds, NULL: wherever.  False:
   nowhere.  */
static bool
is_read_when (tns_arena *arena, const tns_expr *expr, const tns_expr *load,
              tns_expr **when)
{
  bool found = false;
  *when = NULL;
  if (expr && tns_expr_equal (expr, load))
    return true;
  for (int k = 0; expr && k < expr->n_args; k++)
    {
      tns_expr *one;
      if (!is_read_when (arena, expr->arg[k], load, &one))
        continue;
      one = joined (arena, TNS_LAND, arm_condition (arena, expr, k), one);
      *when = found ? joined (arena, TNS_LOR, *when, one) : one;
      found = true;
    }
  return found;
}

tns_expr *
tns_tapes_condition (tns_needs *needs, const tns_need *need)
{
  search s = { .needs = needs, .need = need, .at = need->site };
  const tns_node *node = needs->flow->view->site[need->site].node;
  tns_arena *arena = needs->ctx->arena;
  tns_tape *made = new_tape (&s);
  tns_expr *parts[]
    = { node->lo, node->hi, node->cond, node->target, node->value };
  tns_expr *all = NULL;
  bool found = false;
  if (made->sure || finds_rows (&s, made))
    return NULL;
  for (int k = 0; k < 5; k++)
    {
      tns_expr *one;
      if (!is_read_when (arena, parts[k], need->load, &one))
        continue;
      all = found ? joined (arena, TNS_LOR, all, one) : one;
      found = true;
    }
  return all;
}

/* A tape for S's need, all that a call is handed, at the call.  */
static tns_tape *
whole (search *s)
{
  tns_arena *arena = s->needs->ctx->arena;
  const tns_need *need = s->need;
  go_to (s, need->site);
  tns_tape *made = new_tape (s);
  tns_expr *n = tns_rows_handed (arena, need->load, need->count);
  made->whole = made->sure = true;
  for (int k = 0; n && k < need->load->n_args; k++)
    {
      made->moved[k] = true;
      made->lo[k] = k ? tns_int (arena, 0) : need->load->arg[0];
      made->hi[k] = k ? need->load->sym->extent[k]
                      : tns_binary (arena, TNS_ADD, need->load->arg[0], n);
    }
  made->n_rows
    = n ? tns_hull (arena, s->needs->flow->view, need->site, n, true) : NULL;
  return made;
}

/* A tape for S's need at the outermost place that it can have.  */
static tns_tape *
outermost (search *s)
{
  if (s->need->count && s->need->load->n_args > 0)
    return whole (s);
  const tns_view *view = s->needs->flow->view;
  int place[MOST_LOOPS * 2];
  int n = 0;
  for (int at = s->need->site;
       at >= 0 && n < MOST_LOOPS * 2
       && tns_view_holds (view, s->need->home, view->site[at].level);
       at = view->site[at].under)
    place[n++] = at;
  while (--n >= 0)
    {
      go_to (s, place[n]);
      tns_tape *made = new_tape (s);
      if (find_subscripts (s, made) && (n == 0 || !is_written_between (s))
          && finds_rows (s, made))
        return made;
    }
  tns_tape *made = new_tape (s);
  made->under = tns_tapes_condition (s->needs, s->need);
  made->sure = true;
  return made;
}

/* Find the tape of NEED.  */
static void
find_tape (tns_needs *needs, tns_need *need)
{
  tns_arena *arena = needs->ctx->arena;
  search s = { .needs = needs, .need = need };
  s.n = tns_view_loops (needs->flow->view, need->site, need->home, s.loop);
  size_t n = (size_t) needs->n_tapes;
  for (int k = 0; k < needs->n_tapes && !need->tape; k++)
    if (joins (&s, needs->tape[k]))
      need->tape = needs->tape[k];
  if (need->tape)
    return;
  need->tape = outermost (&s);
  needs->tape = tns_arena_grow (arena, needs->tape, sizeof (tns_tape *) * n,
                                sizeof (tns_tape *) * (n + 1));
  needs->tape[needs->n_tapes++] = need->tape;
}

/* How many subscripts of TAPE's array loops inside its place move.  */
static int
count_moved (const tns_tape *tape)
{
  int n = 0;
  for (int k = 0; k < tape->load->n_args; k++)
    n += tape->moved[k];
  return n;
}

/* NEED, if it is the only one of its tape, has it at its own place where it is
   no longer there.  */
static void
settle (tns_needs *needs, const tns_need *need)
{
  tns_tape *tape = need->tape;
  int inside = loops_around (needs, need->site, need->home)
               - loops_around (needs, tape->site, need->home);
  if (tape->whole || tape->readers > 1 || inside > count_moved (tape))
    return;
  tape->site = need->site;
  for (int k = 0; k < tape->load->n_args; k++)
    tape->moved[k] = false;
  search s = { .needs = needs, .need = need, .at = need->site };
  tape->under = tns_tapes_condition (needs, need);
  tape->sure = is_sure (&s);
  tape->sure = tape->sure || !finds_rows (&s, tape);
}

/* The ends of TAPE's subscript K lie between LO and HI too.  */
static void
clip (tns_arena *arena, tns_tape *tape, int k, tns_expr *lo, tns_expr *hi)
{
  long long low, high;
  if (!differ_by (arena, tape->lo[k], lo, &low) || low < 0)
    tape->lo[k] = tns_binary (arena, TNS_MAX, tape->lo[k], lo);
  if (!differ_by (arena, hi, tape->hi[k], &high) || high < 0)
    tape->hi[k] = tns_binary (arena, TNS_MIN, tape->hi[k], hi);
}

/* Leave on TAPE what there is of its array.  */
static void
clip_all (tns_arena *arena, tns_tape *tape)
{
  const tns_sym *sym = tape->load->sym;
  for (int k = 0; k < tape->load->n_args && !tape->whole; k++)
    if (tape->moved[k] && sym->extent[k])
      clip (arena, tape, k, tns_int (arena, 0), sym->extent[k]);
    else if (tape->moved[k])
      {
        clip (arena, tape, k, tape->rows.lo, tape->rows.hi);
        tape->when = tape->rows.when;
      }
}

/* From LO to before HI there are so many.  */
static tns_expr *
count_between (tns_arena *arena, tns_expr *lo, tns_expr *hi)
{
  return tns_binary (arena, TNS_MAX, tns_int (arena, 0),
                     tns_binary (arena, TNS_SUB, hi, lo));
}

/* How many places a tape has for the iterations of LOOP, around TAPE's place;
   NULL where that cannot be written down.  */
static tns_expr *
count_iterations (const tns_needs *needs, const tns_tape *tape,
                  const tns_node *loop)
{
  tns_arena *arena = needs->ctx->arena;
  const tns_view *view = needs->flow->view;
  tns_expr *iter = tns_value (arena, loop->iter);
  tns_expr *lo = tns_hull (arena, view, tape->site, iter, false);
  tns_expr *last = tns_hull (arena, view, tape->site, iter, true);
  if (lo && last)
    return count_between (
      arena, lo, tns_binary (arena, TNS_ADD, last, tns_int (arena, 1)));
  return tns_look_span (needs->looking, tns_view_site (view, loop), false);
}

/* The array of TAPE.  False where its size cannot be written down.  */
static bool
make_array (tns_needs *needs, tns_tape *tape)
{
  tns_arena *arena = needs->ctx->arena;
  const tns_view *view = needs->flow->view;
  tns_node *loop[MOST_LOOPS];
  int n = tns_view_loops (view, tape->site, tape->home, loop);
  const char *name = tns_arena_format (arena, "%s_tape", tape->load->sym->name);
  tape->sym
    = tns_region_add_array (arena, needs->region, name, tape->load->type.elem,
                            n + count_moved (tape), TNS_SYM_LOCAL);
  for (int k = 0; k < n; k++)
    if (!(tape->sym->extent[k] = count_iterations (needs, tape, loop[k])))
      return tns_refuse (needs->ctx, tape->load->loc, TNS_WHY_TEMPORARY, name)
             != NULL;
  if (tape->whole && !tape->n_rows)
    return tns_refuse (needs->ctx, tape->load->loc, TNS_WHY_TEMPORARY, name)
           != NULL;
  for (int k = 0; k < tape->load->n_args; k++)
    if (tape->moved[k])
      tape->sym->extent[n++]
        = tape->whole && k == 0
            ? count_between (arena, tns_int (arena, 0), tape->n_rows)
            : count_between (arena, tape->lo[k], tape->hi[k]);
  return true;
}

bool
tns_tapes_make (tns_needs *needs)
{
  for (int s = 0; s < needs->flow->view->n_sites; s++)
    for (int k = 0; k < needs->n; k++)
      if (needs->need[k].taped && needs->need[k].site == s)
        find_tape (needs, &needs->need[k]);
  for (int k = 0; k < needs->n; k++)
    if (needs->need[k].taped)
      settle (needs, &needs->need[k]);
  for (int k = 0; k < needs->n_tapes; k++)
    {
      clip_all (needs->ctx->arena, needs->tape[k]);
      if (!make_array (needs, needs->tape[k]))
        return false;
    }
  return true;
}

bool
tns_tape_is_over (const tns_needs *needs, const tns_tape *tape,
                  const tns_node *node)
{
  tns_node *loop[MOST_LOOPS];
  return tape->home == 0
         && tns_view_loops (needs->flow->view, tape->site, 0, loop) > 0
         && loop[0] == node;
}

void
tns_tapes_cut (tns_needs *needs, const tns_node *loop, tns_expr *first,
               tns_expr *count)
{
  needs->part = loop;
  needs->first = first;
  for (int k = 0; k < needs->n_tapes; k++)
    if (tns_tape_is_over (needs, needs->tape[k], loop))
      needs->tape[k]->sym->extent[0] = count;
}

/* The subscript of TAPE over LOOP, around its place.  */
static tns_expr *
subscript (const tns_needs *needs, const tns_tape *tape, const tns_node *loop)
{
  tns_arena *arena = needs->ctx->arena;
  const tns_view *view = needs->flow->view;
  tns_expr *iter = tns_value (arena, loop->iter);
  bool up = loop->step > 0;
  if (loop != needs->part || tape->home != 0)
    {
      tns_expr *least = tns_hull (arena, view, tape->site, iter, false);
      tns_expr *last = tns_hull (arena, view, tape->site, iter, true);
      return least && last ? tns_binary (arena, TNS_SUB, iter, least)
                           : tns_binary (arena, TNS_SUB, up ? iter : loop->lo,
                                         up ? loop->lo : iter);
    }
  tns_expr *far = tns_binary (arena, TNS_SUB, up ? iter : needs->first,
                              up ? needs->first : iter);
  long long by = up ? loop->step : -loop->step;
  return by == 1 ? far
                 : tns_binary (arena, TNS_FLOORDIV, far, tns_int (arena, by));
}

/* TAPE's element for the element AT of its array.  */
static tns_expr *
element (const tns_needs *needs, const tns_tape *tape, tns_expr *const *at)
{
  tns_arena *arena = needs->ctx->arena;
  tns_node *loop[MOST_LOOPS];
  int n = tns_view_loops (needs->flow->view, tape->site, tape->home, loop);
  tns_expr **sub = TNS_NEW_ARRAY (arena, tns_expr *, tape->sym->rank + 1);
  for (int k = 0; k < n; k++)
    sub[k] = subscript (needs, tape, loop[k]);
  for (int k = 0; k < tape->load->n_args; k++)
    if (tape->moved[k])
      sub[n++] = tns_difference (needs->ctx, at[k], tape->lo[k]);
  return tns_load (arena, tape->sym, sub);
}

tns_expr *
tns_tape_value (const tns_needs *needs, int site, tns_expr *load)
{
  const tns_need *need = tns_needs_find (needs, site, load);
  return need && need->tape ? element (needs, need->tape, load->arg) : load;
}

/* The condition under which subscript AT of TAPE's K-th is one of its
   array's.  */
static tns_expr *
is_there (const tns_needs *needs, const tns_tape *tape, int k, tns_expr *at)
{
  tns_arena *arena = needs->ctx->arena;
  tns_expr *extent = tape->load->sym->extent[k];
  tns_expr *lo = extent ? tns_int (arena, 0) : tape->rows.lo;
  tns_expr *hi = extent ? extent : tape->rows.hi;
  tns_expr *cond
    = tns_binary (arena, TNS_LAND, tns_binary (arena, TNS_LE, lo, at),
                  tns_binary (arena, TNS_LT, at, hi));
  return extent || !tape->rows.when
           ? cond
           : tns_binary (arena, TNS_LAND, tape->rows.when, cond);
}

void
tns_tape_fill (const tns_needs *needs, const tns_tape *tape, tns_expr *load,
               tns_expr *under, tns_node *block)
{
  tns_arena *arena = needs->ctx->arena;
  tns_loc loc = load->loc;
  tns_expr **at = TNS_NEW_ARRAY (arena, tns_expr *, load->n_args + 1);
  for (int k = 0; k < load->n_args; k++)
    at[k]
      = tape->moved[k]
          ? tns_value (arena, tns_region_add_iter (arena, needs->region, "e"))
          : load->arg[k];
  tns_node *node = tns_assign (arena, loc, element (needs, tape, at), TNS_NONE,
                               tns_load (arena, load->sym, at));
  for (int k = load->n_args - 1; k >= 0; k--)
    if (tape->moved[k])
      node
        = tns_loop (arena, loc, at[k]->sym, tape->lo[k], tape->hi[k], 1, node);
  for (int k = 0; k < load->n_args && !tape->sure; k++)
    if (!tape->moved[k])
      node = tns_if (arena, loc, is_there (needs, tape, k, at[k]), node, NULL);
  if (tape->when)
    node = tns_if (arena, loc, tape->when, node, NULL);
  if (under)
    node = tns_if (arena, loc, under, node, NULL);
  tns_block_add (arena, block, node);
}
