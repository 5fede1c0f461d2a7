/* A scop as text:

     context: [n] -> {  : n > 0 }
     param n = n
     array x[.]: written
     S1 at 3: [n] -> { S1[i] : 0 <= i < n }
       order [n] -> { S1[i] -> [0, i, 0] }
       read x: [n] -> { S1[i] -> x[i] }  */

#include "poly/scop.h"

#include <stdlib.h>

#include "ir/print.h"

/* LABEL and STRING, which is freed.  */
static void
print_taken (FILE *out, const char *label, char *string)
{
  fprintf (out, "%s%s\n", label, string ? string : "(none)");
  free (string);
}

/* The parameters.  */
static void
print_params (FILE *out, const tns_scop *scop)
{
  for (int k = 0; k < scop->n_params; k++)
    {
      tns_text text = tns_text_new (scop->ctx->arena);
      tns_expr_print (&text, scop->param[k]);
      fprintf (out, "param %s = %s\n", isl_id_get_name (scop->param_id[k]),
               tns_text_chars (&text));
    }
}

/* The arrays.  */
static void
print_arrays (FILE *out, const tns_scop *scop)
{
  for (int k = 0; k < scop->n_arrays; k++)
    {
      const tns_array *array = &scop->array[k];
      fprintf (out, "array %s: rank %d", array->sym->name, array->sym->rank);
      if (array->n_private)
        fprintf (out, ", private %d", array->n_private);
      fprintf (out, "%s%s\n", array->written ? ", written" : "",
               array->dead_after ? ", dead after" : "");
    }
}

/* One access.  */
static void
print_access (FILE *out, const tns_scop *scop, const tns_access *access)
{
  fprintf (out, "  %s%s %s", access->may ? "may " : "",
           access->write ? "write" : "read",
           scop->array[access->array].sym->name);
  if (access->update != TNS_NONE)
    fprintf (out, " update %s", tns_op_name (access->update));
  print_taken (out, ": ", isl_map_to_str (access->map));
}

void
tns_scop_print (FILE *out, const tns_scop *scop)
{
  print_taken (out, "context: ", isl_set_to_str (scop->context));
  print_params (out, scop);
  print_arrays (out, scop);
  for (int s = 0; s < scop->n_stmts; s++)
    {
      const tns_stmt *stmt = &scop->stmt[s];
      fprintf (out, "%s at %d", stmt->name, stmt->node->loc.line);
      print_taken (out, ": ", isl_set_to_str (stmt->domain));
      print_taken (out, "  order ", isl_map_to_str (stmt->order));
      for (int a = 0; a < stmt->n_accesses; a++)
        print_access (out, scop, &stmt->access[a]);
    }
}
