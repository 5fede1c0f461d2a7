/* Calls of functions that work on arrays.

     layer (n, x, h);   h[0] = call layer (n, x[0], n, h[0], n)

   with the arguments NUMBER, PLACE, COUNT, WRITTEN, COUNT (base/sym.h).  */

#ifndef TNS_IR_HANDED_H
#define TNS_IR_HANDED_H

#include "ir/nest.h"

/* The arguments of EXPR, if it is such a call; else NULL.  */
static inline const tns_handed *
tns_call_arguments (const tns_expr *expr)
{
  return expr && expr->op == TNS_CALL ? expr->sym->argument : NULL;
}

/* NODE is an ASSIGN of such a call.  */
static inline bool
tns_node_is_call (const tns_node *node)
{
  return node->kind == TNS_ASSIGN && tns_call_arguments (node->value);
}

/* Argument K of CALL, which is such a one, is a place.  */
static inline bool
tns_argument_is_place (const tns_expr *call, int k)
{
  const tns_handed *argument = tns_call_arguments (call);
  return argument[k].kind == TNS_HANDED_PLACE
         || argument[k].kind == TNS_HANDED_WRITTEN;
}

/* CALL, or NULL, writes SYM through an argument.  */
static inline bool
tns_call_writes (const tns_expr *call, const tns_sym *sym)
{
  const tns_handed *argument = tns_call_arguments (call);
  for (int k = 0; argument && k < call->n_args; k++)
    if (argument[k].kind == TNS_HANDED_WRITTEN && call->arg[k]->sym == sym)
      return true;
  return false;
}

/* A function that such calls are of in REGION, or NULL.  */
extern const tns_sym *tns_region_called (const tns_region *region);

/* Some such call in NODE is handed SYM.  */
extern bool tns_node_hands_over (tns_node *node, const tns_sym *sym);

#endif
