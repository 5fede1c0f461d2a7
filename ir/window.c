/* Finding and fixing the steps of windows, as ir/window.h says: by the terms
   of the subscripts of flat arrays.  */

#include "ir/window.h"

#include "ir/flat.h"
#include "ir/walk.h"

/* TERM has the atom SYM.  */
static bool
has_atom (const tns_term *term, const tns_sym *sym)
{
  for (int k = 0; k < term->n_atoms; k++)
    if (tns_atom_symbol (term->atom[k]) == sym)
      return true;
  return false;
}

/* The visitor that finds an iterator.  */
static bool
find_iterator (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER;
  return !*found;
}

/* TERM has an iterator, or what is made of one, as i / s.  */
static bool
moves (const tns_term *term)
{
  bool found = false;
  for (int k = 0; k < term->n_atoms; k++)
    tns_expr_walk (term->atom[k], find_iterator, &found);
  return found;
}

/* How many terms of ACCESS have SYM.  */
static int
count_terms (const tns_flat_access *access, const tns_sym *sym)
{
  int n = 0;
  for (int k = 0; k < access->sum.n; k++)
    n += has_atom (&access->sum.term[k], sym);
  return n;
}

/* An iterator of ACCESS is multiplied by STEP * SIZE, and one by SIZE without
   STEP.  */
static bool
is_beside (const tns_flat_access *access, const tns_sym *step,
           const tns_sym *size)
{
  bool with = false, without = false;
  for (int k = 0; k < access->sum.n; k++)
    {
      const tns_term *term = &access->sum.term[k];
      if (!moves (term) || !has_atom (term, size))
        continue;
      with |= has_atom (term, step);
      without |= !has_atom (term, step);
    }
  return with && without;
}

/* How many loops are around the one whose iterator ACCESS multiplies by SYM
   alone; -1: there is none.  */
static int
depth_of (const tns_flat_access *access, const tns_sym *sym)
{
  for (int k = 0; k < access->sum.n; k++)
    {
      const tns_term *term = &access->sum.term[k];
      if (term->n_atoms != 2 || !has_atom (term, sym))
        continue;
      for (int l = 0; l < access->n_loops; l++)
        if (has_atom (term, access->loop[l]->iter))
          return l;
    }
  return -1;
}

/* Of SYM and SIZE, which stand beside each other in ACCESS, SYM is the step:
   fewer terms have it, or it goes with an outer loop.  */
static bool
is_smaller (const tns_flat_access *access, const tns_sym *sym,
            const tns_sym *size)
{
  int own = count_terms (access, sym), other = count_terms (access, size);
  return own < other
         || (own == other && depth_of (access, sym) < depth_of (access, size));
}

/* Windows of ACCESS move by SYM.  */
static bool
is_step (const tns_region *region, const tns_flat_access *access,
         const tns_sym *sym)
{
  if (depth_of (access, sym) < 0)
    return false;
  for (int k = 0; k < region->n_syms; k++)
    {
      const tns_sym *size = region->syms[k];
      if (size != sym && size->kind == TNS_SYM_VALUE
          && is_beside (access, sym, size) && is_smaller (access, sym, size))
        return true;
    }
  return false;
}

/* All that moves in ACCESS is multiplied by SYM, one iterator by it alone:
   neighbours lie so far apart.  */
static bool
is_apart (const tns_flat_access *access, const tns_sym *sym)
{
  for (int k = 0; k < access->sum.n; k++)
    if (moves (&access->sum.term[k]) && !has_atom (&access->sum.term[k], sym))
      return false;
  return depth_of (access, sym) >= 0;
}

/* A search for SYM among sizes.  */
typedef struct search
{
  const tns_sym *sym;
  bool found;
} search;

/* The visitor that looks for it outside quotients by it, which are how often a
   loop that advances by it runs.  */
static bool
find_size (tns_expr *expr, void *self)
{
  search *s = self;
  bool is_count = (expr->op == TNS_DIV || expr->op == TNS_FLOORDIV)
                  && tns_expr_mentions (expr->arg[1], s->sym);
  s->found |= expr->op == TNS_SYM && expr->sym == s->sym;
  return !s->found && !is_count;
}

/* The visitor that looks for it in the bounds of loops.  */
static bool
find_in_bounds (tns_node *node, void *self)
{
  if (node->kind == TNS_LOOP)
    {
      tns_expr_walk (node->lo, find_size, self);
      tns_expr_walk (node->hi, find_size, self);
    }
  return true;
}

/* SYM is how far the elements lie apart of which ACCESS is one, and not how
   long rows are, as where it bounds a loop.  */
static bool
is_stride (const tns_region *region, const tns_flat_access *access,
           const tns_sym *sym)
{
  search s = { sym, false };
  if (!is_apart (access, sym))
    return false;
  tns_node_walk (region->body, find_in_bounds, &s);
  return !s.found;
}

/* What a symbol is in subscripts.  */
typedef enum role
{
  NEITHER,
  STRIDE,
  STEP
} role;

/* What SYM is in ACCESS.  */
static role
role_in (const tns_region *region, const tns_flat_access *access,
         const tns_sym *sym)
{
  if (sym->kind != TNS_SYM_VALUE)
    return NEITHER;
  return is_step (region, access, sym)     ? STEP
         : is_stride (region, access, sym) ? STRIDE
                                           : NEITHER;
}

/* What each symbol of REGION is, *N_STEPS of them steps; NULL where all are
   neither.  */
static role *
find_roles (tns_arena *arena, const tns_region *region, int *n_steps)
{
  bool some = false;
  role *roles = TNS_NEW_ARRAY (arena, role, region->n_syms);
  *n_steps = 0;
  for (int k = 0; k < region->n_syms; k++)
    {
      int n;
      const tns_flat_access *access
        = tns_flat_gather (arena, region, region->syms[k], &n);
      for (int a = 0; access && a < n; a++)
        for (int s = 0; s < region->n_syms; s++)
          {
            role own = role_in (region, &access[a], region->syms[s]);
            roles[s] = own > roles[s] ? own : roles[s];
            some |= own != NEITHER;
          }
    }
  for (int s = 0; s < region->n_syms; s++)
    *n_steps += roles[s] == STEP;
  return some ? roles : NULL;
}

/* What takes the place of symbols.  */
typedef struct fixing
{
  tns_arena *arena;
  int n;
  tns_sym **sym;
  tns_expr **by;
} fixing;

/* The changer of expressions.  */
static tns_expr *
fix (tns_expr *expr, void *self)
{
  const fixing *f = self;
  return tns_expr_substitute (f->arena, expr, f->n, f->sym, f->by);
}

/* Put what F says in the place of symbols in the N conditions of LIST.  */
static void
fix_conditions (fixing *f, int n, tns_expr **list)
{
  for (int k = 0; k < n; k++)
    list[k] = fix (list[k], f);
}

/* SYM is BY from here on, which is a guard of MADE; WORDS, which tell of
   others, with this one.  */
static const char *
fix_symbol (fixing *f, tns_region *made, tns_sym *sym, int by,
            const char *words)
{
  f->sym[f->n] = sym;
  f->by[f->n] = tns_int_of (f->arena, sym->type.elem, by);
  tns_region_add_guard (
    f->arena, made,
    tns_binary (f->arena, TNS_EQ, tns_value (f->arena, sym), f->by[f->n]));
  f->n++;
  return tns_arena_format (f->arena, "%s%s%s = %d", words ? words : "",
                           words ? ", " : "",
                           sym->spelled ? sym->spelled : sym->name, by);
}

/* Fix the symbols of MADE that have a role in VERSION; the words for them.  */
static const char *
fix_symbols (fixing *f, tns_region *made, const role *roles, int version)
{
  const char *words = NULL;
  int step = 0;
  for (int k = 0; k < made->n_syms; k++)
    {
      step += roles[k] == STEP;
      if (roles[k] == STEP)
        words = fix_symbol (f, made, made->syms[k], step == version - 1 ? 2 : 1,
                            words);
      else if (roles[k] == STRIDE && version == 1)
        words = fix_symbol (f, made, made->syms[k], 1, words);
    }
  return words;
}

tns_region *
tns_region_window (tns_ctx *ctx, const tns_region *region, int version,
                   const char **words)
{
  tns_arena *arena = ctx->arena;
  int n_steps;
  const role *roles = find_roles (arena, region, &n_steps);
  if (!roles || version > 1 + n_steps)
    return NULL;
  fixing f = { arena, 0, TNS_NEW_ARRAY (arena, tns_sym *, region->n_syms),
               TNS_NEW_ARRAY (arena, tns_expr *, region->n_syms) };
  tns_region *made = tns_region_copy (arena, region);
  int n_guard = made->n_guard;
  *words = fix_symbols (&f, made, roles, version);
  for (int k = 0; k < f.n && tns_ctx_breaks (ctx, "window"); k++)
    f.by[k] = tns_int_of (arena, f.sym[k]->type.elem, version + 1);
  made->body = tns_node_rebuild (arena, region->body, NULL, fix, &f);
  fix_conditions (&f, n_guard, made->guard);
  fix_conditions (&f, made->n_assume, made->assume);
  return made;
}

tns_region *
tns_region_for_window (tns_ctx *ctx, tns_region *region, tns_window *w)
{
  int n_steps;
  w->most = 0;
  if (!region || !find_roles (ctx->arena, region, &n_steps))
    return region;
  w->most = 1 + n_steps < TNS_MOST_WINDOWS ? 1 + n_steps : TNS_MOST_WINDOWS;
  return w->version ? tns_region_window (ctx, region, w->version, &w->words)
                    : region;
}
