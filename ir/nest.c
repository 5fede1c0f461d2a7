/* Constructors of regions, symbols and nodes.  */

#include "ir/nest.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* LIST with ITEM behind its N items of one pointer each.  */
static void *
append (tns_arena *arena, void *list, int n, void *item)
{
  void **longer = list;
  if ((n & (n - 1)) == 0)
    longer = tns_arena_grow (arena, list, sizeof item * (size_t) n,
                             sizeof item * (size_t) (n ? 2 * n : 1));
  longer[n] = item;
  return longer;
}

/* A copy of LIST, N items of BYTES each, with room for one more, and for as
   many as append expects.  */
static void *
copy_list (tns_arena *arena, const void *list, int n, size_t bytes)
{
  size_t room = 1;
  while (room < (size_t) n + 1)
    room *= 2;
  return tns_arena_grow (arena, list, bytes * (size_t) n, bytes * room);
}

tns_region *
tns_region_new (tns_arena *arena, const char *name)
{
  tns_region *region = TNS_NEW (arena, tns_region);
  region->name = tns_arena_string (arena, name);
  region->body = tns_block (arena, region->loc);
  return region;
}

tns_region *
tns_region_copy (tns_arena *arena, const tns_region *region)
{
  tns_region *copy = TNS_NEW (arena, tns_region);
  *copy = *region;
  copy->syms
    = copy_list (arena, region->syms, region->n_syms, sizeof *region->syms);
  copy->params = copy_list (arena, region->params, region->n_params,
                            sizeof *region->params);
  copy->overlaps = copy_list (arena, region->overlaps, region->n_overlaps,
                              sizeof *region->overlaps);
  copy->still
    = copy_list (arena, region->still, region->n_still, sizeof *region->still);
  copy->assume = copy_list (arena, region->assume, region->n_assume,
                            sizeof *region->assume);
  copy->guard
    = copy_list (arena, region->guard, region->n_guard, sizeof *region->guard);
  copy->spans
    = copy_list (arena, region->spans, region->n_spans, sizeof *region->spans);
  return copy;
}

/* NAME as a C identifier.  */
static char *
as_identifier (tns_arena *arena, const char *name)
{
  bool needs_head = !*name || isdigit ((unsigned char) *name);
  char *made = tns_arena_format (arena, "%s%s", needs_head ? "_" : "", name);
  for (char *c = made; *c; c++)
    if (!isalnum ((unsigned char) *c) && *c != '_')
      *c = '_';
  return made;
}

/* The number K of NAME, which is BASE_K; 0 when it is not like that.  */
static int
number_behind (const char *name, const char *base)
{
  size_t length = strlen (base);
  if (strncmp (name, base, length) || name[length] != '_'
      || name[length + 1] == '0')
    return 0;
  const char *digits = name + length + 1;
  size_t n = strspn (digits, "0123456789");
  return digits[n] || n > 9 ? 0 : atoi (digits);
}

/* NAME as an identifier that no symbol of REGION has yet: itself, or with the
   first number that is free.  */
static const char *
unique_name (tns_arena *arena, const tns_region *region, const char *name)
{
  const char *base = as_identifier (arena, name);
  if (!tns_region_find (region, base))
    return base;
  bool *taken = TNS_NEW_ARRAY (arena, bool, region->n_syms + 2);
  int free = 1;
  for (int s = 0; s < region->n_syms; s++)
    {
      int k = number_behind (region->syms[s]->name, base);
      taken[k <= region->n_syms ? k : 0] = true;
    }
  while (taken[free])
    free++;
  return tns_arena_format (arena, "%s_%d", base, free);
}

/* A symbol at the end of REGION's table.  */
static tns_sym *
add_sym (tns_arena *arena, tns_region *region, const char *name,
         tns_sym_kind kind, tns_elem elem)
{
  tns_sym *sym = TNS_NEW (arena, tns_sym);
  sym->id = region->n_syms;
  sym->name = unique_name (arena, region, name);
  sym->spelled = tns_arena_string (arena, name);
  sym->kind = kind;
  sym->type = tns_scalar (elem);
  region->syms = append (arena, region->syms, region->n_syms, sym);
  region->n_syms++;
  return sym;
}

tns_sym *
tns_region_add_value (tns_arena *arena, tns_region *region, const char *name,
                      tns_elem elem)
{
  return add_sym (arena, region, name, TNS_SYM_VALUE, elem);
}

tns_sym *
tns_region_add_iter (tns_arena *arena, tns_region *region, const char *name)
{
  return add_sym (arena, region, name, TNS_SYM_ITER, TNS_I64);
}

tns_sym *
tns_region_add_array (tns_arena *arena, tns_region *region, const char *name,
                      tns_elem elem, int rank, unsigned flags)
{
  tns_sym *sym = add_sym (arena, region, name, TNS_SYM_ARRAY, elem);
  sym->rank = rank;
  sym->flags = flags;
  if (rank > 0)
    sym->extent = TNS_NEW_ARRAY (arena, tns_expr *, rank);
  return sym;
}

tns_sym *
tns_region_add_function (tns_arena *arena, tns_region *region, const char *name,
                         tns_elem elem, int rank)
{
  tns_sym *sym = add_sym (arena, region, name, TNS_SYM_FUNCTION, elem);
  sym->rank = rank;
  return sym;
}

void
tns_region_add_param (tns_arena *arena, tns_region *region, tns_sym *sym)
{
  region->params = append (arena, region->params, region->n_params, sym);
  region->n_params++;
}

void
tns_region_add_overlap (tns_arena *arena, tns_region *region, tns_sym *a,
                        tns_sym *b)
{
  for (int k = 0; k < region->n_overlaps; k++)
    {
      tns_overlap *pair = &region->overlaps[k];
      if ((pair->a == a && pair->b == b) || (pair->a == b && pair->b == a))
        return;
    }
  int n = region->n_overlaps;
  region->overlaps
    = copy_list (arena, region->overlaps, n, sizeof *region->overlaps);
  region->overlaps[n] = (tns_overlap){ a, b };
  region->n_overlaps++;
}

void
tns_region_add_still (tns_arena *arena, tns_region *region, tns_expr *load)
{
  for (int k = 0; k < region->n_still; k++)
    if (tns_expr_equal (region->still[k], load))
      return;
  region->still = append (arena, region->still, region->n_still, load);
  region->n_still++;
}

bool
tns_region_has_still (const tns_region *region, const tns_sym *sym)
{
  for (int k = 0; k < region->n_still; k++)
    if (region->still[k]->sym == sym)
      return true;
  return false;
}

void
tns_region_add_guard (tns_arena *arena, tns_region *region, tns_expr *cond)
{
  for (int k = 0; k < region->n_guard; k++)
    if (tns_expr_equal (region->guard[k], cond))
      return;
  region->guard = append (arena, region->guard, region->n_guard, cond);
  region->n_guard++;
}

void
tns_region_add_assume (tns_arena *arena, tns_region *region, tns_expr *cond)
{
  region->assume = append (arena, region->assume, region->n_assume, cond);
  region->n_assume++;
}

void
tns_region_add_span (tns_arena *arena, tns_region *region, tns_span span)
{
  int n = region->n_spans;
  region->spans = copy_list (arena, region->spans, n, sizeof *region->spans);
  region->spans[n] = span;
  region->n_spans++;
}

void
tns_marks_add_reduction (tns_arena *arena, tns_marks *marks, tns_sym *sym,
                         tns_op op)
{
  int n = marks->n_reductions;
  marks->reductions
    = copy_list (arena, marks->reductions, n, sizeof *marks->reductions);
  marks->reductions[n] = (tns_reduction){ .sym = sym, .op = op };
  marks->n_reductions++;
}

tns_sym *
tns_region_find (const tns_region *region, const char *name)
{
  for (int k = 0; k < region->n_syms; k++)
    if (!strcmp (region->syms[k]->name, name))
      return region->syms[k];
  return NULL;
}

/* A node of KIND at LOC.  */
static tns_node *
new_node (tns_arena *arena, tns_node_kind kind, tns_loc loc)
{
  tns_node *node = TNS_NEW (arena, tns_node);
  node->kind = kind;
  node->loc = loc;
  return node;
}

tns_node *
tns_block (tns_arena *arena, tns_loc loc)
{
  return new_node (arena, TNS_BLOCK, loc);
}

void
tns_block_add (tns_arena *arena, tns_node *block, tns_node *kid)
{
  block->kid = append (arena, block->kid, block->n_kids, kid);
  block->n_kids++;
}

/* NODE, which may be NULL, as a BLOCK.  */
static tns_node *
as_block (tns_arena *arena, tns_node *node)
{
  if (!node || node->kind == TNS_BLOCK)
    return node;
  tns_node *block = tns_block (arena, node->loc);
  tns_block_add (arena, block, node);
  return block;
}

tns_node *
tns_loop (tns_arena *arena, tns_loc loc, tns_sym *iter, tns_expr *lo,
          tns_expr *hi, long long step, tns_node *body)
{
  tns_node *node = new_node (arena, TNS_LOOP, loc);
  node->iter = iter;
  node->lo = lo;
  node->hi = hi;
  node->step = step;
  node->body = as_block (arena, body);
  return node;
}

tns_node *
tns_assign (tns_arena *arena, tns_loc loc, tns_expr *target, tns_op update,
            tns_expr *value)
{
  tns_node *node = new_node (arena, TNS_ASSIGN, loc);
  node->target = target;
  node->update = update;
  node->value = value;
  return node;
}

tns_node *
tns_if (tns_arena *arena, tns_loc loc, tns_expr *cond, tns_node *then,
        tns_node *otherwise)
{
  tns_node *node = new_node (arena, TNS_IF, loc);
  node->cond = cond;
  node->then = as_block (arena, then);
  node->otherwise = as_block (arena, otherwise);
  return node;
}

tns_node *
tns_local (tns_arena *arena, tns_loc loc, tns_sym *sym)
{
  tns_node *node = new_node (arena, TNS_LOCAL, loc);
  node->sym = sym;
  return node;
}

tns_node *
tns_node_copy (tns_arena *arena, const tns_node *node)
{
  tns_node *copy = TNS_NEW (arena, tns_node);
  *copy = *node;
  if (node->n_kids > 0)
    copy->kid = copy_list (arena, node->kid, node->n_kids, sizeof *node->kid);
  if (node->marks.n_reductions > 0)
    copy->marks.reductions
      = copy_list (arena, node->marks.reductions, node->marks.n_reductions,
                   sizeof *node->marks.reductions);
  return copy;
}
