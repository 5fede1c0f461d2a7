/* Keys of rows whose bounds are in memory.

     for i = 0 to n                       S[i]:  y[e], any e
       for k = p[i] to p[i + 1]    ->     form   p[0]
         y[k] = ..                        key    { S[i] -> y[i] }

   Where no element of p is less than the one before, a row ends where the next
   one begins or before it: what different i write is apart.  That is looked at
   before the region (poly/scan.h), once something is written by rows; where p
   falls the loops as written run.  Then keys say which rows meet, as those do
   that come of the user's word (poly/scop-key.c).  Of statements that are one
   loop only: their bounds are read for certain.  */

#include "ir/affine.h"
#include "ir/walk.h"
#include "poly/scan.h"
#include "poly/scop-build.h"

/* A bound of a loop: LOAD + MORE.  */
typedef struct bound
{
  tns_expr *load;
  long long more;
} bound;

/* EXPR as a bound: an element of a list that nothing writes, and a number.
   False where it is none.  */
static bool
read_bound (tns_builder *b, tns_expr *expr, bound *at)
{
  *at = (bound){ NULL, 0 };
  tns_sum sum = tns_sum_of (b->arena, tns_build_resolve_loads (b, expr));
  for (int k = 0; k < sum.n; k++)
    {
      const tns_term *term = &sum.term[k];
      if (term->n_atoms == 0)
        at->more = term->factor;
      else if (term->n_atoms > 1 || term->factor != 1 || at->load)
        return false;
      else
        at->load = tns_expr_unwidened (term->atom[0]);
    }
  return at->load && at->load->op == TNS_LOAD && at->load->sym->rank == 1
         && (at->load->sym->flags & TNS_SYM_CONST);
}

/* Element FIRST of its list is the one before element LAST.  */
static bool
are_neighbours (tns_builder *b, const tns_expr *first, const tns_expr *last)
{
  tns_sum before = tns_sum_add (b->arena, tns_sum_of (b->arena, first->arg[0]),
                                tns_sum_int (b->arena, 1));
  return first->sym == last->sym
         && tns_sum_equal (before, tns_sum_of (b->arena, last->arg[0]));
}

/* The element at which the rows of LOOP begin; NULL where it does not run over
   a row.  */
static tns_expr *
row_of (tns_builder *b, const tns_node *loop)
{
  bool is_up = loop->step > 0;
  bound first, last;
  if ((loop->step != 1 && loop->step != -1)
      || !read_bound (b, is_up ? loop->lo : loop->hi, &first)
      || !read_bound (b, is_up ? loop->hi : loop->lo, &last)
      || first.more != (is_up ? 0 : -1) || last.more != first.more
      || !are_neighbours (b, first.load, last.load))
    return NULL;
  return first.load;
}

/* The row that the first subscript of EXPR runs over; NULL: none.  */
static tns_expr *
row_of_element (tns_builder *b, tns_expr *expr)
{
  tns_expr *first = expr->n_args > 0 ? tns_expr_unwidened (expr->arg[0]) : NULL;
  int k = b->n_exact;
  while (k < b->n_iters && (!first || first->sym != b->iter[k]))
    k++;
  return k == b->n_exact && k < b->n_iters ? row_of (b, b->loop[k]) : NULL;
}

void
tns_build_row_key (tns_builder *b, const tns_stmt *stmt, tns_access *access)
{
  const tns_array *array = &b->scop->array[access->array];
  tns_expr *row = stmt->node->kind == TNS_LOOP && array->n_private == 0
                    ? row_of_element (b, access->expr)
                    : NULL;
  isl_pw_aff *at = row ? tns_build_affine (b, row->arg[0]) : NULL;
  if (!at)
    return;
  unsigned n = (unsigned) b->n_exact;
  unsigned inside = (unsigned) b->n_iters - n;
  bool moves
    = isl_pw_aff_involves_dims (at, isl_dim_in, 0, n) == isl_bool_true
      && isl_pw_aff_involves_dims (at, isl_dim_in, n, inside) == isl_bool_false;
  if (!moves)
    {
      isl_pw_aff_free (at);
      return;
    }
  tns_expr *zero = tns_int (b->arena, 0);
  isl_map *key = isl_map_intersect_domain (isl_map_from_pw_aff (at),
                                           isl_set_copy (b->domain));
  key = isl_map_project_out (key, isl_dim_in, n, inside);
  key = isl_map_set_tuple_id (key, isl_dim_in,
                              isl_id_alloc (b->isl, stmt->name, NULL));
  access->form = tns_load (b->arena, row->sym, &zero);
  access->key = isl_map_set_tuple_id (key, isl_dim_out,
                                      isl_id_alloc (b->isl, array->name, NULL));
}

bool
tns_access_has_row (const tns_scop *scop, const tns_access *access)
{
  return access->key && access->form->sym != scop->array[access->array].sym;
}

/* The list that tells of ACCESS's row is known to rise, by ANSWER.  */
static bool
rises (const bool *answer, const tns_access *access)
{
  return answer[access->form->sym->id];
}

/* Look at the lists by which the statements of B write; what rises to
   ANSWER.  */
static void
look (tns_builder *b, bool *answer)
{
  const tns_scop *scop = b->scop;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        if (access->write && tns_access_has_row (scop, access)
            && !rises (answer, access))
          answer[access->form->sym->id]
            = tns_scan_rises (b->ctx, b->scop, access->form->sym);
      }
}

void
tns_build_rows (tns_builder *b)
{
  tns_scop *scop = b->scop;
  bool *answer = TNS_NEW_ARRAY (b->arena, bool, scop->region->n_syms + 1);
  if (b->looks)
    look (b, answer);
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        tns_access *access = &scop->stmt[s].access[a];
        if (tns_access_has_row (scop, access) && !rises (answer, access))
          access->key = isl_map_free (access->key);
      }
}
