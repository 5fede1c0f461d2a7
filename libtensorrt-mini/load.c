/* Shared objects with operations, by dlopen.

     objects --> | c.so | --> | b.so | --> | a.so |      the last one first
                 table of its operations, each found by name

   An object may hold regions, to which the runtime keeps pointers: none is
   closed again.  */

#define _GNU_SOURCE

#include "load.h"

#include "tensor.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct trm_code
{
  void *handle;
  const trm_operation *operation;
  trm_code *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static trm_code *objects;

/* The operation called NAME, or NULL; LOCK is held.  */
static const trm_operation *
find_operation (const char *name)
{
  for (const trm_code *c = objects; c; c = c->next)
    for (const trm_operation *o = c->operation; o && o->name; o++)
      if (strcmp (o->name, name) == 0)
        return o;
  return NULL;
}

/* Whether the operations of TABLE, of the object at PATH, can be made known;
   if not, why.  LOCK is held.  */
static bool
are_usable (const char *name, const char *path, const trm_operation *table)
{
  for (const trm_operation *o = table; o->name; o++)
    {
      bool fits = o->function && o->n_in >= 0 && o->n_out >= 0
                  && o->n_in <= TRM_MOST_ARGUMENTS
                  && o->n_out <= TRM_MOST_ARGUMENTS;
      if (!fits)
        trm_fail (TRM_BAD_FILE,
                  "%s: %s: operation %s has no function, or not 0 to %d "
                  "inputs and results",
                  name, path, o->name, TRM_MOST_ARGUMENTS);
      else if (find_operation (o->name))
        trm_fail (TRM_BAD_FILE,
                  "%s: %s: there is an operation called %s already", name, path,
                  o->name);
      else
        continue;
      return false;
    }
  return true;
}

/* Whether what HANDLE's object calls is this copy of the runtime: the one that
   it is linked with, or the one that all objects see.  */
static bool
shares_runtime (void *handle)
{
  void *ours = (void *) trm_apply, *theirs = dlsym (handle, "trm_apply");
  return !theirs || theirs == ours || dlsym (RTLD_DEFAULT, "trm_apply") == ours;
}

/* The object of HANDLE, made where it is not there; LOCK is held.  */
static trm_code *
code_of (const char *name, const char *path, void *handle, bool needs_table)
{
  for (trm_code *c = objects; c; c = c->next)
    if (c->handle == handle)
      return c;
  const trm_operation *table = dlsym (handle, "trm_operations");
  if (!table && needs_table)
    return trm_fail_null (TRM_BAD_FILE, "%s: %s has no table trm_operations",
                          name, path);
  if (table && !shares_runtime (handle))
    return trm_fail_null (TRM_NOT_HERE,
                          "%s: %s brings another copy of the runtime; the "
                          "program needs the shared one, or -rdynamic",
                          name, path);
  if (table && !are_usable (name, path, table))
    return NULL;
  trm_code *code = malloc (sizeof *code);
  if (!code)
    return trm_fail_null (TRM_NO_MEMORY, "%s: no memory", name);
  *code = (trm_code){ .handle = handle, .operation = table, .next = objects };
  objects = code;
  return code;
}

trm_code *
trm_code_open (const char *name, const char *path, bool needs_table)
{
  void *handle = dlopen (path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle)
    return trm_fail_null (access (path, F_OK) ? TRM_NO_FILE : TRM_BAD_FILE,
                          "%s: %s", name, dlerror ());
  pthread_mutex_lock (&lock);
  trm_code *code = code_of (name, path, handle, needs_table);
  pthread_mutex_unlock (&lock);
  return code;
}

trm_code *
trm_load (const char *path)
{
  return path ? trm_code_open ("load", path, true)
              : trm_fail_null (TRM_BAD_ARGUMENT, "load: no path");
}

void *
trm_symbol (const trm_code *code, const char *name)
{
  if (!code || !name)
    return NULL;
  void *at = dlsym (code->handle, name);
  return at ? at : trm_fail_null (TRM_BAD_FILE, "symbol: %s", dlerror ());
}

const trm_operation *
trm_find (const char *name)
{
  if (!name)
    return trm_fail_null (TRM_BAD_ARGUMENT, "find: no name");
  pthread_mutex_lock (&lock);
  const trm_operation *found = find_operation (name);
  pthread_mutex_unlock (&lock);
  return found ? found
               : trm_fail_null (TRM_BAD_ARGUMENT,
                                "find: no operation is called %s", name);
}

trm_status
trm_apply_operation (const trm_operation *operation, trm_tensor **in,
                     trm_tensor **out, void *context)
{
  return operation ? trm_apply (operation->function, operation->n_in, in,
                                operation->n_out, out, context)
                   : TRM_BAD_ARGUMENT;
}
