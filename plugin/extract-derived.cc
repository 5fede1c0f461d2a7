/* Calls of functions that the plug-in has written: their regions in place of
   the calls.

     f_gradient (n, x, g)          for i = 0 to n
                            ->       g[i] += 2 * x[i];

   1. bind      parameters get arguments, as those of any function inlined
   2. symbols   what the region is given is read there: values, places of
                arrays; its own arrays and iterators get new symbols
   3. guards    what the region was promised is promised here
   4. body      rewritten, at the place of the call

   Where two arrays that shall not overlap are parts of one here, or a guard
   is over what the caller computes, the careful region is taken.  */

#include "plugin/keep-derived.hh"
#include "plugin/reader.hh"

extern "C"
{
#include "ir/walk.h"
}

/* The work.

   region  of the function, symbols its own; trees by their ids
   value   by symbol id: what stands for a value; else NULL
   place   by symbol id: where element 0 of an array is; else NULL
   to      by symbol id: the new symbol; else NULL  */
typedef struct insertion
{
  tns_reader *reader;
  tns_arena *arena;
  tree fndecl;
  tree call;
  tns_region *region;
  tree trees;
  tns_expr **value;
  tns_address **place;
  tns_sym **to;
  bool failed;
} insertion;

/* SYM is one of the region's, not yet replaced.  */
static bool
is_old (const insertion *s, const tns_sym *sym)
{
  return sym && sym->id < s->region->n_syms && s->region->syms[sym->id] == sym;
}

/* The value that TREE has when the function begins, as ELEM.  */
static tns_expr *
read_value (insertion *s, tree of, tns_elem elem)
{
  tns_expr *read = tns_read_expr (s->reader, of);
  if (!read)
    return NULL;
  if (!tns_is_pure (read))
    return tns_keep_value (s->reader,
                           tns_cast (s->arena, tns_scalar (elem), read));
  return elem == TNS_I64 ? tns_as_index (s->reader, read)
                         : tns_cast (s->arena, tns_scalar (elem), read);
}

/* The address OF is of a member of the first of many structures, not of one
   alone.  */
static void
enter_members (insertion *s, tree of)
{
  tns_trees *members = &s->reader->twins.members;
  while (TREE_CODE (of) == ADDR_EXPR || handled_component_p (of))
    {
      tree field = TREE_CODE (of) == COMPONENT_REF
                     ? tns_first_of_union (TREE_OPERAND (of, 1))
                     : NULL_TREE;
      if (field && !tns_trees_have (members, field))
        tns_trees_add (s->arena, members, field);
      of = TREE_OPERAND (of, 0);
    }
}

/* The place that TREE names, an address where OF_FIRST; arrays in it are
   entered.  */
static bool
read_origin (insertion *s, tree of, bool of_first, tns_address *place)
{
  bool is_read = of_first ? tns_read_address (s->reader, of, place)
                          : tns_read_place (s->reader, of, place);
  while (is_read && TREE_CODE (place->type) == ARRAY_TYPE)
    is_read
      = tns_place_element (s->reader, place, tns_int (s->arena, 0), s->call);
  return is_read;
}

/* The rank of what OF, an address, points to, its own dim counted.  */
static int
rank_of (tree of)
{
  tree type = TREE_TYPE (of);
  int rank = POINTER_TYPE_P (type) ? 1 : 0;
  for (type = rank ? TREE_TYPE (type) : type; TREE_CODE (type) == ARRAY_TYPE;
       type = TREE_TYPE (type))
    rank++;
  return rank;
}

/* SYM, whose function knew it as flat, goes over the rows of what OF points
   to: what is at PLACE has to be flat, too.  False where it cannot be.  */
static bool
is_as_flat (const tns_sym *sym, tree of, const tns_address *place)
{
  bool is_flat = sym->rank == 1 && !sym->stride && rank_of (of) > 1;
  return !is_flat || tns_make_flat (place->base);
}

/* SYM is given as OF; a variable of the function's own begins.  */
static bool
read_given (insertion *s, tns_sym *sym, tree of)
{
  bool is_inner = VAR_P (of) && DECL_CONTEXT (of) == s->fndecl;
  if (is_inner && !tns_declare_cell (s->reader, of))
    return false;
  bool is_constant = CONSTANT_CLASS_P (of) || TREE_CODE (of) == PARM_DECL;
  bool is_number
    = sym->kind == TNS_SYM_VALUE || (sym->rank == 0 && is_constant);
  if (is_number)
    return (s->value[sym->id] = read_value (s, of, sym->type.elem));
  s->place[sym->id] = TNS_NEW (s->arena, tns_address);
  if (sym->stride)
    enter_members (s, of);
  if (!read_origin (s, of, sym->rank > 0, s->place[sym->id]))
    return false;
  if (!is_as_flat (sym, of, s->place[sym->id]))
    return tns_reader_refuse_tree (s->reader, of, TNS_WHY_POINTER);
  if (tns_node_writes (s->region->body, sym))
    s->place[sym->id]->base->is_written = true;
  return true;
}

/* A new symbol as SYM.  */
static tns_sym *
symbol_like (insertion *s, const tns_sym *sym)
{
  tns_region *made = s->reader->region;
  if (sym->kind == TNS_SYM_ITER)
    return tns_region_add_iter (s->arena, made, sym->name);
  if (sym->kind == TNS_SYM_FUNCTION)
    return tns_region_add_function (s->arena, made, sym->name, sym->type.elem,
                                    sym->rank);
  return tns_region_add_array (s->arena, made, sym->name, sym->type.elem,
                               sym->rank, TNS_SYM_LOCAL);
}

/* SYM is the region's own, or a function.  */
static void
declare_own (insertion *s, tns_sym *sym)
{
  tns_sym *to = symbol_like (s, sym);
  to->loc = tns_loc_of (EXPR_LOC_OR_LOC (s->call, s->reader->loc));
  tns_note_sym (s->reader, to, to->type.elem);
  if (sym->kind == TNS_SYM_FUNCTION)
    s->reader->load[to->id] = TREE_VEC_ELT (s->trees, sym->id);
  s->to[sym->id] = to;
}

/* Functions have the partials that they had.  */
static void
set_partials (insertion *s)
{
  for (int id = 0; id < s->region->n_syms; id++)
    {
      const tns_sym *sym = s->region->syms[id];
      if (!s->to[id] || !sym->partial)
        continue;
      s->to[id]->partial = TNS_NEW_ARRAY (s->arena, tns_sym *, sym->rank + 1);
      for (int k = 0; k < sym->rank; k++)
        if (sym->partial[k])
          s->to[id]->partial[k] = s->to[sym->partial[k]->id];
    }
}

/* The subscript K of the array at PLACE counts what that of SYM does.  */
static bool
counts_alike (insertion *s, const tns_address *place, const tns_sym *sym, int k,
              tns_expr *extent)
{
  int at = place->n - sym->rank + k;
  long long first;
  return at >= 0 && place->base->extent[at]
         && tns_expr_equal (place->base->extent[at], extent)
         && tns_expr_is_int (place->sub[at], &first) && first == 0;
}

/* The dims of the array at PLACE advance as those of SYM, whose strides go over
   members of structures.  */
static bool
advances_alike (const tns_address *place, const tns_sym *sym)
{
  bool is_alike = place->n >= sym->rank;
  HOST_WIDE_INT bytes = tns_elem_bytes (sym->type.elem);
  for (int k = 0; is_alike && k < sym->rank; k++)
    {
      tree unit = TYPE_SIZE_UNIT (place->base->unit[place->n - sym->rank + k]);
      long long stride;
      is_alike = tns_expr_is_int (sym->stride[k], &stride)
                 && tree_fits_shwi_p (unit)
                 && tree_to_shwi (unit) == stride * bytes;
    }
  return is_alike;
}

static tns_expr *rewrite (tns_expr *expr, void *self);

/* EXTENT of a symbol of the region's here.  */
static tns_expr *
extent_here (insertion *s, tns_expr *extent)
{
  return tns_expr_rebuild (s->arena, extent, rewrite, s);
}

/* The distance of element SUB of SYM from its first one.  */
static tns_expr *
distance (insertion *s, const tns_sym *sym, tns_expr *const *sub)
{
  tns_expr *sum = sub[0];
  for (int k = 1; k < sym->rank; k++)
    sum = tns_binary (
      s->arena, TNS_ADD,
      tns_binary (s->arena, TNS_MUL, sum, extent_here (s, sym->extent[k])),
      sub[k]);
  return sum;
}

/* Element SUB of SYM, which is given.  */
static tns_expr *
element (insertion *s, const tns_sym *sym, tns_expr *const *sub)
{
  tns_address place = *s->place[sym->id];
  bool is_alike = true;
  for (int k = 1; k < sym->rank; k++)
    is_alike
      &= counts_alike (s, &place, sym, k, extent_here (s, sym->extent[k]));
  bool is_told = sym->stride ? is_alike && advances_alike (&place, sym)
                             : is_alike || place.n == 1;
  if (!is_told || (sym->rank > 0 && place.n == 0))
    return (tns_expr *) tns_reader_refuse_tree (s->reader, s->call,
                                                TNS_WHY_POINTER);
  for (int k = 0; is_alike && k < sym->rank; k++)
    {
      tns_expr **at = &place.sub[place.n - sym->rank + k];
      *at = tns_binary (s->arena, TNS_ADD, *at, sub[k]);
    }
  if (!is_alike)
    place.sub[0]
      = tns_binary (s->arena, TNS_ADD, place.sub[0], distance (s, sym, sub));
  return tns_place_load (s->reader, &place, s->call, false);
}

/* The changer of one node of an expression.  */
static tns_expr *
rewrite (tns_expr *expr, void *self)
{
  insertion *s = (insertion *) self;
  tns_expr *made = expr;
  if (is_old (s, expr->sym))
    {
      int id = expr->sym->id;
      made = s->value[id]   ? s->value[id]
             : s->place[id] ? element (s, expr->sym, expr->arg)
                            : tns_make (s->arena, expr->op, expr->type,
                                        s->to[id], expr->n_args, expr->arg);
    }
  s->failed |= !made;
  made = made ? made : expr;
  if (made == expr || made->loc.handle == 0)
    made->loc = tns_loc_of (EXPR_LOC_OR_LOC (s->call, s->reader->loc));
  return made;
}

/* The changer of whole expressions.  */
static tns_expr *
rewrite_whole (tns_expr *expr, void *self)
{
  insertion *s = (insertion *) self;
  return tns_expr_rebuild (s->arena, expr, rewrite, s);
}

/* The changer of nodes.  */
static tns_node *
rewrite_node (tns_node *node, void *self)
{
  insertion *s = (insertion *) self;
  node->name = NULL;
  node->loc = tns_loc_of (EXPR_LOC_OR_LOC (s->call, s->reader->loc));
  if (node->kind == TNS_LOOP)
    node->iter = s->to[node->iter->id];
  if (node->kind == TNS_LOCAL)
    node->sym = s->to[node->sym->id];
  return node;
}

/* The visitor that finds what is not known at the entry.  */
static bool
find_inner (tns_expr *expr, void *self)
{
  bool *found = (bool *) self;
  *found |= tns_expr_reads (expr)
            || (expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER);
  return !*found;
}

/* EXPR is over VALUEs alone.  */
static bool
is_at_entry (tns_expr *expr)
{
  bool found = false;
  tns_expr_walk (expr, find_inner, &found);
  return !found;
}

/* SYM is an array.  */
static bool
is_array (const tns_sym *sym)
{
  return sym && sym->kind == TNS_SYM_ARRAY;
}

/* Extents of the region's own arrays, which must be known at the entry.  */
static bool
set_extents (insertion *s)
{
  for (int id = 0; id < s->region->n_syms; id++)
    for (int k = 0; is_array (s->to[id]) && k < s->to[id]->rank; k++)
      {
        tns_expr *extent = extent_here (s, s->region->syms[id]->extent[k]);
        if (!is_at_entry (extent))
          return tns_reader_refuse_tree (s->reader, s->call, TNS_WHY_BOUND);
        s->to[id]->extent[k] = extent;
      }
  return true;
}

/* Read the symbols of the region.  */
static bool
read_symbols (insertion *s)
{
  const tns_region *region = s->region;
  for (int k = 0; k < region->n_params; k++)
    if (!read_given (s, region->params[k],
                     TREE_VEC_ELT (s->trees, region->params[k]->id)))
      return false;
  for (int id = 0; id < region->n_syms; id++)
    if (!s->value[id] && !s->place[id])
      declare_own (s, region->syms[id]);
  set_partials (s);
  return set_extents (s);
}

/* What the region was promised can be promised at the entry.  */
static bool
is_promised (insertion *s)
{
  const tns_region *region = s->region;
  for (int k = 0; k < region->n_overlaps; k++)
    {
      const tns_address *a = s->place[region->overlaps[k].a->id];
      const tns_address *b = s->place[region->overlaps[k].b->id];
      if (a && b && a->base == b->base && a->base->is_written)
        return false;
    }
  for (int k = 0; k < region->n_guard; k++)
    if (!is_at_entry (rewrite_whole (region->guard[k], s)))
      return false;
  return true;
}

/* Promise it.  */
static void
promise (insertion *s)
{
  for (int k = 0; k < s->region->n_guard; k++)
    tns_region_add_guard (s->arena, s->reader->region,
                          rewrite_whole (s->region->guard[k], s));
}

/* The region of FNDECL, careful or not, with its symbols read; false where
   there is none or it cannot stand here.  */
static bool
begin (insertion *s, tree fndecl, bool careful)
{
  s->region = tns_kept_derived (s->arena, fndecl, careful, &s->trees);
  if (!s->region || s->region->before || s->region->n_still > 0)
    return false;
  int n = s->region->n_syms + 1;
  s->value = TNS_NEW_ARRAY (s->arena, tns_expr *, n);
  s->place = TNS_NEW_ARRAY (s->arena, tns_address *, n);
  s->to = TNS_NEW_ARRAY (s->arena, tns_sym *, n);
  return read_symbols (s) && is_promised (s);
}

/* What the function returns: what its own variable holds, else 0.  */
static tns_expr *
result_of (insertion *s)
{
  for (int k = 0; k < s->region->n_params; k++)
    {
      tree of = TREE_VEC_ELT (s->trees, s->region->params[k]->id);
      if (VAR_P (of) && DECL_CONTEXT (of) == s->fndecl)
        return tns_read_variable (s->reader, of);
    }
  return tns_int_of (s->arena, TNS_I32, 0);
}

tns_expr *
tns_read_derived (tns_reader *reader, tree fndecl, tree call)
{
  insertion s = {};
  s.reader = reader;
  s.arena = reader->arena;
  s.fndecl = fndecl;
  s.call = call;
  reader->n_inlined++;
  if (!tns_bind_parameters (reader, fndecl, call))
    return NULL;
  if (!begin (&s, fndecl, false)
      && (reader->ctx->status != TNS_DONE || !begin (&s, fndecl, true)))
    return (tns_expr *) tns_reader_refuse_tree (reader, call, TNS_WHY_CALL);
  promise (&s);
  tns_node *body = tns_node_rebuild (s.arena, s.region->body, rewrite_node,
                                     rewrite_whole, &s);
  for (int k = 0; k < body->n_kids; k++)
    tns_emit (reader, body->kid[k]);
  return s.failed ? NULL : result_of (&s);
}
