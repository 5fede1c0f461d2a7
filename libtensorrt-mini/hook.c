/* Hooks: the user's functions that see, or replace, a gradient when it is
   complete, in the order in which they were set.  */

#include "tape.h"

#include <stdlib.h>

struct trm_hook_list
{
  trm_tensor *(*call) (trm_tensor *gradient, void *context);
  void *context;
  struct trm_hook_list *next;
};

trm_status
trm_hook (trm_tensor *t,
          trm_tensor *(*call) (trm_tensor *gradient, void *context),
          void *context)
{
  if (!t || !call)
    return TRM_BAD_ARGUMENT;
  struct trm_hook_list *hook = malloc (sizeof *hook);
  if (!hook)
    return trm_fail (TRM_NO_MEMORY, "hook: no memory");
  *hook = (struct trm_hook_list){ .call = call, .context = context };
  struct trm_hook_list **end = &t->own->hooks;
  while (*end)
    end = &(*end)->next;
  *end = hook;
  return TRM_OK;
}

void
trm_hooks_free (struct trm_hook_list *list)
{
  while (list)
    {
      struct trm_hook_list *next = list->next;
      free (list);
      list = next;
    }
}

/* What HOOK gives in place of G, T's gradient: G itself where it leaves it.  */
static trm_tensor *
call_hook (const struct trm_hook_list *hook, const trm_tensor *t, trm_tensor *g,
           bool twice)
{
  char a[TRM_SHAPE_TEXT], b[TRM_SHAPE_TEXT];
  trm_tensor *other = hook->call (g, hook->context);
  if (!other || other == g)
    return g;
  if (!trm_same_shape (other, t) || other->type != t->type)
    return trm_fail_null (
      TRM_BAD_SHAPE, "hook: gave %s of %s for a gradient %s of %s",
      trm_type_name (other->type),
      trm_shape_text (a, other->rank, other->extent), trm_type_name (t->type),
      trm_shape_text (b, t->rank, t->extent));
  return twice ? other : trm_copy (other);
}

trm_status
trm_hooks_run (const trm_tensor *t, trm_tensor **gradient, bool twice)
{
  const struct trm_hook_list *hook = t->own->hooks;
  trm_status status = hook && !twice ? trm_gradient_own (gradient) : TRM_OK;
  if (hook && !status)
    status = trm_scope_open ();
  if (!hook || status)
    return status;
  for (; hook && !status; hook = hook->next)
    {
      trm_tensor *other = call_hook (hook, t, *gradient, twice);
      trm_keep (other);
      if (other)
        trm_drop (*gradient);
      else
        status = trm_error ();
      *gradient = other ? other : *gradient;
    }
  trm_scope_close ();
  return status;
}
