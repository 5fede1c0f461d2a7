/* Parameters, seeds and copies around the backward pass, as
   autodiff/gradient.h says.

     copies in        of adjoints that the pass changes, arrays it writes
     zeroed           adjoints of temporaries, working adjoints
     J (0)            autodiff/reverse.c
     primal           the function as it is, where J (0) does not hold it
     added            working adjoints to those of the caller

   Around the forward pass (autodiff/tangent.c) tangents take the place of
   adjoints: what comes in is copied where the pass changes it, what leaves is
   set behind each statement that sets it.  */

#include "autodiff/gradient.h"

#include "autodiff/active.h"
#include "autodiff/clear.h"
#include "autodiff/defer.h"
#include "autodiff/directions.h"
#include "autodiff/entry.h"
#include "autodiff/hull.h"
#include "autodiff/look.h"
#include "autodiff/offset.h"
#include "autodiff/ranges.h"
#include "autodiff/replace.h"
#include "autodiff/reverse.h"
#include "autodiff/shift.h"
#include "autodiff/sweep.h"
#include "autodiff/taken.h"
#include "autodiff/tangent.h"
#include "autodiff/together.h"
#include "autodiff/touch.h"
#include "ir/fresh.h"
#include "ir/handed.h"
#include "ir/walk.h"

/* The work.

   looking  for what only memory tells
   adjoint, enters, given  by symbol id of F, as autodiff/reverse.h says
   absent   by symbol id of F
   working  by symbol id of F: the zeroed copy that stands for a parameter's
            adjoint, NULL: none
   through  by symbol id of F: what its tangent is stored in too
   clear    a BLOCK: tangents that leave, 0 where F stores to their values;
            adjoints whose old values do not matter, 0
   rows     by symbol id of F: what a LOCAL that stands for a parameter has of
            its rows
   n_touch, touch  copies of loose rows  */
typedef struct work
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *f;
  tns_region *made;
  tns_gradient_wish *wish;
  tns_view *view;
  tns_flow flow;
  tns_looking looking;
  tns_sym **adjoint;
  tns_sym **working;
  tns_sym **through;
  tns_node *clear;
  bool *enters;
  bool *given;
  bool *absent;
  tns_rows *rows;
  int n_touch;
  tns_touch *touch;
  int n_statements;
} work;

/* The rows that F touches of SYM, its parameter with subscripts; false where
   that is not known.  What is done in parts has none that are loose.  */
static bool
find_rows (const work *w, const tns_sym *sym)
{
  tns_rows *rows = &w->rows[sym->id];
  bool in_parts = tns_checkpoint_is_asked (&w->wish->checkpoint);
  return sym->extent[0] || rows->base
         || (in_parts && tns_rows_related (&w->flow, sym, rows))
         || tns_rows_of (w->ctx, &w->flow, sym, w->absent[sym->id], rows);
}

/* The same, of which a LOCAL is a copy; NULL: of all, as its extents say.  */
static const tns_rows *
rows_for (const work *w, const tns_sym *sym)
{
  return sym->rank == 0 || sym->extent[0] ? NULL : &w->rows[sym->id];
}

/* Among the rows that are known of SYM, a parameter, may be some that are
   nothing of the caller's, or, where arrays may overlap, of another array.  */
static bool
is_loose (const work *w, const tns_sym *sym)
{
  const tns_rows *rows = &w->rows[sym->id];
  bool in_parts = tns_checkpoint_is_asked (&w->wish->checkpoint);
  bool wants_all = w->wish->careful && !in_parts;
  return sym->rank > 0 && !sym->extent[0]
         && !(wants_all ? rows->dense : rows->sure);
}

/* How many rows F touches of SYM at most, from 0 on; NULL with the reason
   said.  */
static tns_expr *
need_rows_of (const work *w, const tns_sym *sym)
{
  if ((!find_rows (w, sym)
       && !tns_look_for (&w->looking, sym, &w->rows[sym->id]))
      || (tns_checkpoint_is_asked (&w->wish->checkpoint) && is_loose (w, sym)))
    return tns_refuse (w->ctx, sym->loc, TNS_WHY_TEMPORARY,
                       sym->spelled ? sym->spelled : sym->name);
  return sym->extent[0] ? sym->extent[0] : w->rows[sym->id].hi;
}

/* A LOCAL of MADE like LIKE, for all elements that F touches of SYM, its
   parameter; NULL with the reason said.  */
static tns_sym *
local_for (work *w, const tns_sym *like, const tns_sym *sym)
{
  tns_sym *made = tns_local_like (w->arena, w->made, like);
  made->flags = TNS_SYM_LOCAL | tns_sym_role (like);
  made->stride = NULL;
  if (sym->rank == 0)
    return made;
  if (!need_rows_of (w, sym))
    return NULL;
  const tns_rows *rows = rows_for (w, sym);
  made->extent = TNS_NEW_ARRAY (w->arena, tns_expr *, sym->rank);
  made->extent[0] = rows ? tns_rows_count (w->ctx, rows) : sym->extent[0];
  for (int k = 1; k < sym->rank; k++)
    made->extent[k] = sym->extent[k];
  return made;
}

/* A parameter of MADE for the adjoint of SEED's array.  */
static tns_sym *
parameter_for (work *w, tns_seed *seed)
{
  const tns_sym *sym = seed->sym;
  tns_sym *made = tns_region_add_array (
    w->arena, w->made, seed->name, sym->type.elem, sym->rank,
    TNS_SYM_ADJOINT | (seed->restricted ? TNS_SYM_RESTRICT : 0));
  made->extent = sym->extent;
  made->stride = sym->stride;
  made->spelled = seed->name;
  made->loc = seed->loc;
  for (int k = 0; k < w->made->n_params; k++)
    {
      tns_sym *other = w->made->params[k];
      if (other->kind == TNS_SYM_ARRAY
          && !((other->flags | made->flags) & TNS_SYM_RESTRICT))
        tns_region_add_overlap (w->arena, w->made, made, other);
    }
  tns_region_add_param (w->arena, w->made, made);
  seed->adjoint = made;
  return made;
}

/* F writes SYM.  */
static bool
is_written (const work *w, const tns_sym *sym)
{
  return tns_node_writes (w->f->body, sym);
}

/* The seed of SYM, or NULL.  */
static tns_seed *
seed_of (const work *w, const tns_sym *sym)
{
  for (int k = 0; k < w->wish->n_seeds; k++)
    if (w->wish->seed[k].sym == sym)
      return &w->wish->seed[k];
  return NULL;
}

/* F may read what SYM, which was given, held at the entry.  What a careful pass
   does not ask, whether arrays overlap, is not asked here either.  */
static bool
reads_entry (work *w, const tns_sym *sym)
{
  if (w->flow.scop)
    return tns_entry_find (&w->flow, sym).enters;
  tns_ctx before = *w->ctx;
  tns_scop *scop = tns_scop_build (w->ctx, w->f);
  tns_flow alone = { w->view, scop };
  bool enters = tns_entry_find (&alone, sym).enters;
  if (scop)
    tns_scop_free (scop);
  else
    tns_take_back (w->ctx, &before);
  return enters;
}

/* F may read what SYM, which is lost, held at the entry.  A careful pass, which
   cannot tell, leaves that to the planned one.  */
static bool
needs_entry (work *w, const tns_sym *sym)
{
  if (!w->absent[sym->id])
    return reads_entry (w, sym);
  tns_entry e = tns_entry_find (&w->flow, sym);
  w->wish->unsure |= e.some;
  return (w->flow.scop || tns_region_called (w->f)) && e.enters;
}

/* A LOCAL for the tangent of SYM, a parameter, called NAME.  */
static tns_sym *
tangent_local (work *w, const tns_sym *sym, const char *name)
{
  tns_sym named = *sym;
  named.name = tns_arena_format (w->arena, name, sym->name);
  return local_for (w, &named, sym);
}

/* The array of the tangent of SYM, a parameter with SEED or NULL.  */
static tns_sym *
tangent_for (work *w, const tns_sym *sym, tns_seed *seed)
{
  bool sets = seed && seed->of && is_written (w, sym);
  bool comes = seed && seed->wrt;
  bool apart = w->wish->careful;
  tns_entry e = tns_entry_find (&w->flow, sym);
  bool starts = !comes && e.enters;
  bool is_open = sym->rank > 0 && !sym->extent[0];
  if (seed)
    parameter_for (w, seed);
  if (seed && w->wish->directions && is_open
      && !(seed->end = need_rows_of (w, sym)))
    return NULL;
  bool is_clear
    = sets && starts && !apart && !e.stays
      && tns_clear_written (w->arena, w->view, sym, seed->adjoint, w->clear);
  if (seed && (sets ? !apart && (!starts || is_clear) : !is_written (w, sym)))
    return seed->adjoint;
  w->enters[sym->id] = comes || starts;
  if (sets && !comes)
    w->through[sym->id]
      = apart ? tangent_local (w, sym, "%s_out") : seed->adjoint;
  bool failed = sets && !comes && !w->through[sym->id];
  return failed ? NULL : (w->working[sym->id] = tangent_local (w, sym, "d%s"));
}

/* Adjoints are gathered apart and added at the end, so that parameters may
   overlap.  */
static bool
is_apart (const tns_gradient_wish *wish)
{
  return wish->careful
         || (!wish->forward && tns_checkpoint_is_asked (&wish->checkpoint));
}

/* The adjoint of SEED's array is gathered apart: no rows of it are touched but
   those of a copy, so where nothing can overlap it there is none.  */
static bool
has_copy (const work *w, const tns_seed *seed)
{
  bool may_overlap = w->wish->careful && !seed->restricted;
  return seed->wrt
         && (may_overlap || tns_checkpoint_is_asked (&w->wish->checkpoint));
}

/* What the adjoint of SEED's array gains is added at the end, for nobody knows
   how large that is.  */
static bool
is_deferred (const work *w, const tns_seed *seed)
{
  return w->wish->careful && !seed->restricted && seed->wrt && !seed->clear
         && !is_written (w, seed->sym) && seed->sym->rank > 0
         && !find_rows (w, seed->sym)
         && !tns_node_hands_over (w->f->body, seed->sym);
}

/* What the adjoint of SEED's array held does not matter, and where it is
   touched is known: it can be set to 0 beforehand.  */
static bool
may_clear (const work *w, const tns_seed *seed)
{
  return seed->clear
         && (seed->sym->rank == 0
             || (find_rows (w, seed->sym) && !is_loose (w, seed->sym)));
}

/* The parameter for the adjoint of SEED's array, which F does not write or
   which comes in; 0 beforehand where it is cleared.  */
static tns_sym *
direct_adjoint (work *w, tns_seed *seed)
{
  w->enters[seed->sym->id] = seed->wrt && is_written (w, seed->sym);
  tns_sym *made = parameter_for (w, seed);
  if (seed->clear)
    tns_sweep (w->ctx, w->made, w->clear, made, TNS_NONE, NULL,
               rows_for (w, seed->sym));
  return made;
}

/* The array of the adjoint of SYM, which is active.  */
static tns_sym *
adjoint_for (work *w, const tns_sym *sym)
{
  tns_seed *seed = seed_of (w, sym);
  bool apart = is_apart (w->wish) && seed && has_copy (w, seed)
               && !is_deferred (w, seed);
  apart |= seed && seed->clear && !may_clear (w, seed);
  if (w->wish->forward && !tns_sym_is_local (sym))
    return tangent_for (w, sym, seed);
  if (seed && !apart && (seed->of || !is_written (w, sym)))
    return direct_adjoint (w, seed);
  if (seed)
    {
      w->enters[sym->id] = is_written (w, sym);
      parameter_for (w, seed);
    }
  tns_sym named = *sym;
  named.name = tns_arena_format (w->arena, "d%s", sym->name);
  named.flags |= TNS_SYM_ADJOINT;
  if (tns_sym_is_local (sym))
    return tns_local_like (w->arena, w->made, &named);
  return w->working[sym->id] = local_for (w, &named, sym);
}

/* SYM is a parameter of F that MADE lacks.  */
static bool
is_absent (const work *w, const tns_sym *sym)
{
  return sym->id < w->f->n_syms && w->absent[sym->id];
}

/* MADE without the parameters that are absent.  */
static void
drop_absent (work *w)
{
  tns_region *made = w->made;
  int n = 0;
  for (int k = 0; k < made->n_params; k++)
    if (!is_absent (w, made->params[k]))
      made->params[n++] = made->params[k];
  made->n_params = n;
  n = 0;
  for (int k = 0; k < made->n_overlaps; k++)
    if (!is_absent (w, made->overlaps[k].a)
        && !is_absent (w, made->overlaps[k].b))
      made->overlaps[n++] = made->overlaps[k];
  made->n_overlaps = n;
}

/* The derivative that SEED speaks of leaves where nothing depends on it, too:
   as 0.  */
static bool
is_set_anyhow (const work *w, const tns_seed *seed)
{
  return w->wish->forward
           ? seed->of && is_written (w, seed->sym)
           : seed->clear && tns_node_mentions (w->f->body, seed->sym);
}

/* Fill the tables.  False with the reason said.  */
static bool
prepare (work *w)
{
  int n = w->f->n_syms;
  bool *active = tns_active (w->arena, w->view, w->wish);
  if (!tns_active_can_be (w->ctx, w->view, w->wish))
    return false;
  tns_shifts_cancel (w->arena, &w->flow, w->wish, active);
  w->adjoint = TNS_NEW_ARRAY (w->arena, tns_sym *, n + 1);
  w->working = TNS_NEW_ARRAY (w->arena, tns_sym *, n + 1);
  w->through = TNS_NEW_ARRAY (w->arena, tns_sym *, n + 1);
  w->clear = tns_block (w->arena, w->f->body->loc);
  w->enters = TNS_NEW_ARRAY (w->arena, bool, n + 1);
  w->given = TNS_NEW_ARRAY (w->arena, bool, n + 1);
  w->absent = TNS_NEW_ARRAY (w->arena, bool, n + 1);
  w->rows = TNS_NEW_ARRAY (w->arena, tns_rows, n + 1);
  for (int k = 0; k < w->wish->n_absent; k++)
    w->absent[w->wish->absent[k]->id] = true;
  for (int k = 0; k < w->wish->n_given; k++)
    w->given[w->wish->given[k]->id] = true;
  for (int k = 0; k < w->wish->n_given_rows; k++)
    w->given[w->wish->given_row[k].row->id] = true;
  drop_absent (w);
  for (int k = 0; k < w->wish->n_seeds; k++)
    active[w->wish->seed[k].sym->id] |= is_set_anyhow (w, &w->wish->seed[k]);
  for (int k = 0; k < n; k++)
    if (active[k] && w->f->syms[k]->kind == TNS_SYM_ARRAY
        && !(w->adjoint[k] = adjoint_for (w, w->f->syms[k])))
      return false;
  return true;
}

/* Append to BLOCK: COPY, a LOCAL for SYM, a parameter, has FROM's elements,
   NULL: 0; at once, or when they are touched.  */
static void
fill (work *w, tns_node *block, tns_sym *copy, tns_sym *from,
      const tns_sym *sym)
{
  tns_touch touch = { copy, from, NULL, &w->rows[sym->id] };
  if (!is_loose (w, sym))
    {
      tns_sweep (w->ctx, w->made, block, copy, TNS_NONE, from,
                 from ? rows_for (w, sym) : NULL);
      return;
    }
  tns_touch_begin (w->ctx, w->made, block, &touch);
  w->touch
    = tns_arena_grow (w->arena, w->touch, sizeof touch * (size_t) w->n_touch,
                      sizeof touch * (size_t) (w->n_touch + 1));
  w->touch[w->n_touch++] = touch;
}

/* Append to BLOCK: TARGET OP= COPY, which was filled for SYM.  */
static void
leave (work *w, tns_node *block, tns_sym *target, tns_op op, tns_sym *copy,
       const tns_sym *sym)
{
  for (int k = 0; k < w->n_touch; k++)
    if (w->touch[k].copy == copy)
      {
        tns_touch_end (w->ctx, w->made, block, &w->touch[k], target, op);
        return;
      }
  tns_sweep (w->ctx, w->made, block, target, op, copy, rows_for (w, sym));
}

/* Append to BLOCK: a copy of FROM, which has the shape of parameter SYM, in
   the LOCAL COPY, if what it holds is there.  */
static void
add_copy (work *w, tns_node *block, tns_sym *copy, tns_sym *from,
          const tns_sym *sym)
{
  tns_block_add (w->arena, block, tns_local (w->arena, sym->loc, copy));
  if (from)
    fill (w, block, copy, from, sym);
}

/* The first row of the LOCALs for SYM, NULL: 0.  */
static tns_expr *
base_of (const work *w, const tns_sym *sym)
{
  tns_expr *base = w->rows[sym->id].base;
  long long first;
  return base && tns_expr_is_int (base, &first) && first == 0 ? NULL : base;
}

/* PASS with LOCALs TO[0..N) in the place of symbols; their subscripts, and
   those of working adjoints, count from their first rows.  */
static tns_node *
with_locals (work *w, tns_node *pass, int n, tns_sym **to)
{
  int n_syms = w->made->n_syms;
  tns_expr **first = TNS_NEW_ARRAY (w->arena, tns_expr *, n_syms + 1);
  for (int k = 0; k < w->f->n_syms; k++)
    {
      tns_expr *base = base_of (w, w->f->syms[k]);
      const tns_seed *seed = base ? seed_of (w, w->f->syms[k]) : NULL;
      bool is_copied = seed && seed->adjoint && seed->adjoint->id < n;
      const tns_sym *made[] = { to[k], w->working[k], w->through[k],
                                is_copied ? to[seed->adjoint->id] : NULL };
      for (int i = 0; base && i < 4; i++)
        if (made[i] && tns_sym_is_local (made[i]))
          first[made[i]->id] = base;
    }
  pass = tns_node_renamed (w->arena, pass, n, to);
  return tns_node_offset (w->ctx, pass, n_syms, first);
}

/* The pass is also the function, on the caller's arrays.  */
static bool
is_joint (const work *w)
{
  return w->wish->primal && !is_apart (w->wish);
}

/* What SYM, a parameter, held at the entry is not there: it is absent, or the
   caller has what F left in it, which is no use.  */
static bool
is_lost (const work *w, const tns_sym *sym)
{
  bool lost = w->absent[sym->id];
  for (int k = 0; k < w->wish->n_given; k++)
    lost |= w->wish->given[k]->id == sym->id && !w->given[sym->id];
  return lost;
}

/* PASS with copies in the place of parameters that it writes but may not;
   they are made in BLOCK.  NULL with the reason said.  */
static tns_node *
with_copies (work *w, tns_node *block, tns_node *pass)
{
  if (!pass)
    return NULL;
  int n = w->made->n_syms;
  tns_sym **to = TNS_NEW_ARRAY (w->arena, tns_sym *, n + 1);
  for (int k = 0; k < w->f->n_params; k++)
    {
      tns_sym *sym = w->f->params[k];
      tns_seed *seed = seed_of (w, sym);
      bool is_array = sym->kind == TNS_SYM_ARRAY;
      bool is_made = is_array && tns_node_writes (pass, sym);
      if (is_array && is_lost (w, sym) && tns_node_mentions (pass, sym)
          && (!is_made || needs_entry (w, sym)))
        return tns_refuse (w->ctx, sym->loc, TNS_WHY_ENTRY,
                           sym->spelled ? sym->spelled : sym->name);
      if (is_made && (w->absent[sym->id] || !is_joint (w)))
        {
          if (!(to[sym->id] = local_for (w, sym, sym)))
            return NULL;
          add_copy (w, block, to[sym->id], w->absent[sym->id] ? NULL : sym,
                    sym);
        }
      if (w->wish->forward || !seed || !seed->of || seed->wrt || !seed->adjoint
          || !tns_node_writes (pass, seed->adjoint))
        continue;
      tns_sym *copy = local_for (w, seed->adjoint, sym);
      if (!copy)
        return NULL;
      to[seed->adjoint->id] = copy;
      add_copy (w, block, copy, seed->adjoint, sym);
    }
  return with_locals (w, pass, n, to);
}

/* Append the function to BLOCK; absent arrays are temporaries.  False with the
   reason said.  */
static bool
add_primal (work *w, tns_node *block)
{
  tns_node *primal = tns_node_fresh (w->ctx, w->made, w->f->body);
  int n = w->made->n_syms;
  tns_sym **to = TNS_NEW_ARRAY (w->arena, tns_sym *, n + 1);
  for (int k = 0; k < w->f->n_params; k++)
    {
      tns_sym *sym = w->f->params[k];
      if (!w->absent[sym->id] || !tns_node_mentions (primal, sym))
        continue;
      if (needs_entry (w, sym))
        return tns_refuse (w->ctx, sym->loc, TNS_WHY_ENTRY,
                           tns_sym_words (sym));
      if (!(to[sym->id] = local_for (w, sym, sym)))
        return false;
      tns_block_add (w->arena, block,
                     tns_local (w->arena, sym->loc, to[sym->id]));
    }
  tns_block_add (w->arena, block, with_locals (w, primal, n, to));
  return true;
}

/* What the working adjoint of SYM begins with, NULL: 0.  */
static tns_sym *
first_of (const work *w, const tns_sym *sym)
{
  const tns_seed *seed = seed_of (w, sym);
  bool comes = seed && (w->wish->forward ? seed->wrt : seed->of);
  return comes ? seed->adjoint : NULL;
}

/* Append to BLOCK: what adjoints hold before the pass.  */
static void
add_first (work *w, tns_node *block)
{
  for (int k = 0; k < w->clear->n_kids; k++)
    tns_block_add (w->arena, block, w->clear->kid[k]);
  for (int k = 0; k < w->f->n_syms; k++)
    {
      const tns_sym *sym = w->f->syms[k];
      if (w->working[k])
        tns_block_add (w->arena, block,
                       tns_local (w->arena, sym->loc, w->working[k]));
      if (w->working[k] && (!w->wish->forward || w->enters[k]))
        fill (w, block, w->working[k], first_of (w, sym), sym);
      if (w->through[k] && tns_sym_is_local (w->through[k]))
        add_copy (w, block, w->through[k], seed_of (w, sym)->adjoint, sym);
    }
}

/* Append to BLOCK: what leaves of SYM's adjoint, whose seed is SEED, and is
   not there yet.  */
static void
add_last (work *w, tns_node *block, const tns_sym *sym, const tns_seed *seed)
{
  tns_sym *through = w->through[sym->id];
  tns_sym *working = w->working[sym->id];
  if (!w->wish->forward && working)
    leave (w, block, seed->adjoint,
           seed->of || seed->clear ? TNS_NONE : TNS_ADD, working, sym);
  else if (through && tns_sym_is_local (through))
    leave (w, block, seed->adjoint, TNS_NONE, through, sym);
  else if (!through && working && seed->of)
    leave (w, block, seed->adjoint, TNS_NONE, working, sym);
}

/* PASS with the adjoints that are deferred.  NULL with the reason said.  */
static tns_node *
with_deferred (work *w, tns_node *pass)
{
  for (int k = 0; k < w->wish->n_seeds && pass; k++)
    {
      const tns_seed *seed = &w->wish->seed[k];
      if (seed->adjoint && is_deferred (w, seed))
        pass = tns_defer (&w->looking, pass, seed->adjoint);
    }
  return pass;
}

/* PASS behind what touches the adjoints that are cleared and got element by
   element, where the function reads their values for something that has no
   derivative.  NULL with the reason said.  */
static tns_node *
with_idle (work *w, tns_node *pass)
{
  tns_node *block = tns_block (w->arena, w->f->body->loc);
  for (int k = 0; k < w->wish->n_seeds; k++)
    {
      const tns_seed *seed = &w->wish->seed[k];
      const tns_sym *sym = seed->sym;
      if (w->wish->forward || !seed->clear || !is_loose (w, sym)
          || !w->working[sym->id])
        continue;
      if (!tns_clear_idle (w->arena, w->view, w->adjoint, sym,
                           w->working[sym->id], block))
        return tns_refuse (w->ctx, sym->loc, TNS_WHY_CLEAR,
                           tns_sym_words (sym));
    }
  for (int k = 0; k < pass->n_kids; k++)
    tns_block_add (w->arena, block, pass->kid[k]);
  return block;
}

/* The body of the gradient around PASS.  */
static tns_node *
body_around (work *w, tns_node *pass)
{
  tns_node *block = tns_block (w->arena, w->f->body->loc);
  add_first (w, block);
  pass = with_idle (w, pass);
  pass = with_copies (w, block, pass ? with_deferred (w, pass) : NULL);
  if (!pass)
    return NULL;
  pass = tns_touch_pass (w->ctx, w->made, pass, w->n_touch, w->touch);
  for (int k = 0; k < pass->n_kids; k++)
    tns_block_add (w->arena, block, pass->kid[k]);
  if (w->wish->primal && !is_joint (w) && !add_primal (w, block))
    return NULL;
  for (int k = 0; k < w->f->n_syms; k++)
    {
      const tns_seed *seed = seed_of (w, w->f->syms[k]);
      if (seed)
        add_last (w, block, w->f->syms[k], seed);
    }
  return block;
}

/* The changer that names statements, in the order of the text.  */
static tns_node *
name_statement (tns_node *node, void *self)
{
  work *w = self;
  if (node->kind == TNS_ASSIGN)
    node->name = tns_arena_format (w->arena, "S%d", ++w->n_statements);
  return node;
}

/* By symbol id of the function's, where the pass is the function too: it is a
   parameter of the caller's.  */
static const bool *
wanted_of (const work *w)
{
  bool *wanted = TNS_NEW_ARRAY (w->arena, bool, w->f->n_syms + 1);
  for (int k = 0; k < w->f->n_params && is_joint (w); k++)
    wanted[w->f->params[k]->id] = !w->absent[w->f->params[k]->id];
  return wanted;
}

/* The pass of W's mode.  */
static tns_node *
build_pass (work *w)
{
  tns_tangent forward
    = { w->ctx, w->made, w->view, w->adjoint, w->through, wanted_of (w) };
  tns_reverse reverse = { .ctx = w->ctx,
                          .region = w->made,
                          .flow = &w->flow,
                          .looking = &w->looking,
                          .adjoint = w->adjoint,
                          .enters = w->enters,
                          .given = w->given,
                          .absent = w->absent,
                          .whole = is_joint (w),
                          .n_moved = w->wish->n_moved,
                          .moved = w->wish->moved,
                          .n_given_rows = w->wish->n_given_rows,
                          .given_row = w->wish->given_row,
                          .twice = &w->wish->twice,
                          .checkpoint = &w->wish->checkpoint };
  return w->wish->forward ? tns_tangent_build (&forward)
                          : tns_reverse_build (&reverse);
}

/* The visitor of LOCALs: what holds no adjoints holds values.  */
static bool
note_role (tns_node *node, void *self)
{
  (void) self;
  if (node->kind == TNS_LOCAL && !tns_sym_role (node->sym))
    node->sym->flags |= TNS_SYM_KEPT;
  return true;
}

/* The gradient, when the model of W's function is there.  */
static tns_region *
build (work *w)
{
  tns_node *pass = prepare (w) ? build_pass (w) : NULL;
  tns_node *body = pass ? body_around (w, pass) : NULL;
  if (!body)
    return NULL;
  w->made->body = body;
  if (w->wish->directions)
    w->made = tns_region_widen (w->ctx, w->made, w->wish);
  w->made->body
    = tns_node_rebuild (w->arena, w->made->body, name_statement, NULL, w);
  tns_node_walk (w->made->body, note_role, NULL);
  w->made->derived = !w->wish->forward;
  return w->made;
}

/* The model of MADE, which a step made of SCOP's region; SCOP itself where that
   is the same.  NULL with the reason said.  */
static tns_scop *
model_again (tns_ctx *ctx, tns_scop *scop, tns_region *made)
{
  if (!made || made == scop->region)
    return scop;
  tns_scop_free (scop);
  return tns_scop_build (ctx, made);
}

/* The model of F, its rows together, its arrays parted by live ranges, or
   replaced by what they hold, values taken by their places.  NULL with the
   reason said.  */
static tns_scop *
model (tns_ctx *ctx, tns_region *f, tns_gradient_wish *wish)
{
  if (wish->forward)
    return tns_scop_build (ctx, f);
  tns_scop *scop = tns_scop_build (ctx, tns_region_together (ctx, f, wish));
  if (scop)
    scop = model_again (ctx, scop, tns_region_ranges (ctx, scop, wish));
  tns_region *before = NULL;
  while (scop && wish->recompute.n > 0 && scop->region != before)
    {
      before = scop->region;
      scop = model_again (ctx, scop, tns_region_replaced (ctx, scop, wish));
    }
  if (scop)
    scop = model_again (ctx, scop, tns_region_taken (ctx, scop, wish));
  return scop;
}

/* MADE, which is careful, asks of its guards those that memory decides: what it
   was read from is something else without them.  */
static void
keep_guards_of_memory (tns_region *made)
{
  int n = 0;
  for (int k = 0; k < made->n_guard; k++)
    if (tns_expr_loads (made->guard[k]))
      made->guard[n++] = made->guard[k];
  made->n_guard = n;
}

tns_region *
tns_gradient_build (tns_ctx *ctx, tns_region *f, tns_gradient_wish *wish)
{
  if (!f)
    return NULL;
  for (int k = 0; k < wish->n_seeds; k++)
    wish->seed[k].sym = f->syms[wish->seed[k].sym->id];
  tns_scop *scop = wish->careful ? NULL : model (ctx, f, wish);
  if (!scop && !wish->careful)
    return NULL;
  f = scop ? scop->region : f;
  work w = { .ctx = ctx, .arena = ctx->arena, .f = f, .wish = wish };
  w.made = tns_region_copy (ctx->arena, f);
  w.made->name = wish->name;
  if (!wish->name)
    w.made->name = tns_arena_format (
      ctx->arena, wish->forward ? "%s_tangent" : "%s_gradient", f->name);
  w.view = tns_view_of (ctx->arena, f);
  w.flow = (tns_flow){ w.view, scop };
  w.looking = (tns_looking){ ctx, w.view, w.made, wish };
  tns_region *made = build (&w);
  if (made && is_apart (wish))
    made->n_overlaps = 0;
  if (made && wish->careful)
    keep_guards_of_memory (made);
  if (scop)
    tns_scop_free (scop);
  return made;
}
