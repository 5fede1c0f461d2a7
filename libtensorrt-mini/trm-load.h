/* Operations and functions that come at run time, and functions that run
   beside the caller.

   An object brings operations in a table that it exports:

     const trm_operation trm_operations[] = {
       { "warp", &warp_function, 2, 1 },
       { NULL }
     };

     trm_load ("./warp.so");
     trm_apply_operation (trm_find ("warp"), in, &out, NULL);

   What was loaded stays until the process ends.  The program has to share the
   runtime with objects that bring operations: it is linked with the shared
   library, or with -rdynamic; else they are TRM_NOT_HERE.  */

#ifndef TRM_LOAD_H
#define TRM_LOAD_H

#include "trm-tape.h"

#ifdef __cplusplus
extern "C"
{
#endif
#pragma GCC visibility push(default)

  /* An operation of an object: its name, unique in the process, and how many
   inputs and results FUNCTION has.  A name of NULL ends the table.  */
  typedef struct trm_operation
  {
    const char *name;
    const trm_function *function;
    int n_in;
    int n_out;
  } trm_operation;
  extern const trm_operation trm_operations[];

  /* An object in the process; nobody frees it.

     load     opens the shared object at PATH, which has a table, and makes its
              operations known; again, it gives the same.  Where one of them
              has a name that is taken, none is made known
     compile  compiles TEXT, a C file, by tensorcc -shared -fPIC -O3
              -march=native and FLAGS (words between blanks, or NULL), in a
              folder of its own that goes again, and loads it; a table is not
              needed.  tensorcc is the program that TRM_TENSORCC names, else
              the one in PATH; TRM_NOT_HERE without.  When it fails its
              messages, as far as they fit, are in trm_message ()
     symbol   the address of what the object exports as NAME  */
  typedef struct trm_code trm_code;
  extern trm_code *trm_load (const char *path);
  extern trm_code *trm_compile (const char *text, const char *flags);
  extern void *trm_symbol (const trm_code *code, const char *name);

  /* The operation called NAME; NULL with a message when there is none.  Run it
   as trm_apply does, on as many inputs and results as it has.  */
  extern const trm_operation *trm_find (const char *name);
  extern trm_status trm_apply_operation (const trm_operation *operation,
                                         trm_tensor **in, trm_tensor **out,
                                         void *context);

  /* A call that may run in another thread until it is waited for.

     fork  FUNCTION (ARGUMENT, RESULT) will run: inside of an OpenMP parallel
           region as a task, else in a thread of a pool, or in the caller's
           when nobody has begun it by the time of trm_wait
     wait  once for each: its status, with its message; *RESULT, which FUNCTION
           may have set to a tensor, becomes the innermost scope's, or the
           caller's.  RESULT may be NULL

   FUNCTION has tape and scope of its own: what it leaves open is closed, what
   it makes goes, except the result, which is a constant for the caller.
   Regions inside of it run on one thread, or on all that the caller has; the
   bits are the same.

   Several may read the same leaves at once, and ask for gradients by
   trm_gradients, which leaves them alone; trm_backward changes the leaves'
   gradients, so that leaves are one function's at a time.

     trm_status
     part (void *argument, trm_tensor **slope)
     {
       trm_tape_open ();
       trm_tensor *loss = loss_of (argument);
       trm_tape_pause ();
       return trm_gradients (loss, 1, &w, slope);
     }  */
  typedef struct trm_future trm_future;
  extern trm_future *trm_fork (trm_status (*function) (void *argument,
                                                       trm_tensor **result),
                               void *argument);
  extern trm_status trm_wait (trm_future *future, trm_tensor **result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
