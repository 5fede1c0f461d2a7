/* Keys: which iterations meet in an element that an index array names.

     S[i]:  y[ip[i]] = ..      independent(y): ip holds no number twice

       map   { S[i] -> y[e] }            all that might be written
       form  y[ip[.]]
       key   { S[i] -> y[i] }            what stands for the dots

   Two accesses of one form name one element where their keys are equal, and
   nowhere else: that is the user's word.  A form is made of reads of arrays
   that the region does not write, of casts, and of what is added that is the
   same everywhere; the places that these reads have, and subscripts that are
   affine, are what the key tells of.  */

#include "poly/scop-build.h"

#include "ir/walk.h"

/* The key under construction: one affine function for each dot of the form.  */
typedef struct keying
{
  tns_builder *b;
  isl_map *key;
} keying;

static tns_expr *form_of (keying *k, tns_expr *expr);

/* EXPR with the form of each operand but the one numbered EXCEPT; NULL where
   one has none.  */
static tns_expr *
form_of_operands (keying *k, tns_expr *expr, int except)
{
  tns_expr **arg = TNS_NEW_ARRAY (k->b->arena, tns_expr *, expr->n_args + 1);
  for (int i = 0; i < expr->n_args; i++)
    {
      arg[i] = i == except ? expr->arg[i] : form_of (k, expr->arg[i]);
      if (!arg[i])
        return NULL;
    }
  return tns_expr_with_args (k->b->arena, expr, arg);
}

/* The operand of the sum EXPR that is the same in the whole region, or -1.  */
static int
still_operand (tns_expr *expr)
{
  if (expr->op == TNS_ADD || expr->op == TNS_SUB)
    for (int k = 0; k < 2; k++)
      if (tns_build_invariant (expr->arg[k]))
        return k;
  return -1;
}

/* The form of EXPR, 0 standing for dots, whose functions join the key; NULL
   where it has none.  */
static tns_expr *
form_of (keying *k, tns_expr *expr)
{
  isl_pw_aff *value = tns_build_affine (k->b, expr);
  if (value)
    {
      k->key = isl_map_flat_range_product (k->key, isl_map_from_pw_aff (value));
      return tns_int (k->b->arena, 0);
    }
  if (expr->op == TNS_LOAD && (expr->sym->flags & TNS_SYM_CONST))
    return form_of_operands (k, expr, -1);
  if (expr->op == TNS_CAST)
    return form_of_operands (k, expr, -1);
  int still = still_operand (expr);
  return still >= 0 ? form_of_operands (k, expr, still) : NULL;
}

void
tns_build_key (tns_builder *b, const tns_stmt *stmt, tns_access *access)
{
  const tns_array *array = &b->scop->array[access->array];
  if (!(array->sym->flags & TNS_SYM_APART) || array->sym->rank == 0
      || b->n_iters > b->n_exact)
    return;
  keying k = { b, isl_map_from_domain (isl_set_copy (b->domain)) };
  tns_expr *known = tns_build_resolve (b, access->expr);
  access->form = form_of_operands (&k, known, -1);
  if (!access->form)
    {
      isl_map_free (k.key);
      return;
    }
  isl_id *in = isl_id_alloc (b->isl, stmt->name, NULL);
  isl_id *out = isl_id_alloc (b->isl, array->name, NULL);
  access->key = isl_map_set_tuple_id (k.key, isl_dim_in, in);
  access->key = isl_map_set_tuple_id (access->key, isl_dim_out, out);
}

/* The visitor that looks for a read of what may be written.  */
static bool
visit_unsure (tns_expr *expr, void *self)
{
  bool *unsure = self;
  if (tns_expr_reads (expr) && !(expr->sym->flags & TNS_SYM_CONST))
    *unsure = true;
  return !*unsure;
}

bool
tns_build_is_still (tns_expr *expr)
{
  bool unsure = false;
  tns_expr_walk (expr, visit_unsure, &unsure);
  return !unsure;
}

bool
tns_build_is_place (const tns_builder *b, tns_expr *expr)
{
  const tns_region *region = b->scop->region;
  int k = 0;
  while (k < region->n_syms
         && (region->syms[k]->kind != TNS_SYM_ARRAY
             || !(region->syms[k]->flags & TNS_SYM_APART)))
    k++;
  return k < region->n_syms && tns_build_is_still (expr);
}

bool
tns_access_is_keyed_like (const tns_access *a, const tns_access *b)
{
  return a->key && b->key && tns_expr_equal (a->form, b->form);
}
