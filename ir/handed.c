/* Calls of functions that work on arrays, as ir/handed.h says.  */

#include "ir/handed.h"

#include "ir/walk.h"

const tns_sym *
tns_region_called (const tns_region *region)
{
  for (int k = 0; k < region->n_syms; k++)
    if (region->syms[k]->kind == TNS_SYM_FUNCTION && region->syms[k]->argument)
      return region->syms[k];
  return NULL;
}

/* What is looked for.  */
typedef struct search
{
  const tns_sym *sym;
  bool found;
} search;

/* The visitor of nodes.  */
static bool
hands_over (tns_node *node, void *self)
{
  search *s = self;
  bool is_call = tns_node_is_call (node);
  for (int k = 0; is_call && k < node->value->n_args; k++)
    s->found |= tns_argument_is_place (node->value, k)
                && node->value->arg[k]->sym == s->sym;
  return !s->found;
}

bool
tns_node_hands_over (tns_node *node, const tns_sym *sym)
{
  search s = { sym, false };
  tns_node_walk (node, hands_over, &s);
  return s.found;
}
