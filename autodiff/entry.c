/* A look at every read of an array, as autodiff/entry.h says.  */

#include "autodiff/entry.h"

#include "ir/walk.h"

/* The look: at the site of FLOW's view that stands next.  */
typedef struct look
{
  const tns_flow *flow;
  const tns_sym *sym;
  int site;
  tns_entry found;
} look;

/* The visitor of reads.  */
static bool
note_read (tns_expr *expr, void *self)
{
  look *l = self;
  const tns_flow *flow = l->flow;
  if (!tns_expr_reads (expr) || expr->sym != l->sym)
    return true;
  bool known = flow->scop != NULL;
  l->found.some = true;
  l->found.enters |= !known || !tns_flow_is_made (flow, l->site, expr);
  l->found.stays |= !known || !tns_flow_is_set (flow, l->site, expr);
  return true;
}

/* TARGET is read where it is written.  */
static void
note_update (tns_expr *target, look *l)
{
  bool stays = l->found.stays;
  note_read (target, l);
  l->found.stays = stays;
}

tns_entry
tns_entry_find (const tns_flow *flow, const tns_sym *sym)
{
  look l = { .flow = flow, .sym = sym };
  for (; l.site < flow->view->n_sites; l.site++)
    {
      tns_node *node = flow->view->site[l.site].node;
      tns_expr_walk (node->lo, note_read, &l);
      tns_expr_walk (node->hi, note_read, &l);
      tns_expr_walk (node->cond, note_read, &l);
      tns_expr_walk (node->value, note_read, &l);
      if (node->kind == TNS_ASSIGN && node->update != TNS_NONE)
        note_update (node->target, &l);
    }
  return l.found;
}
