/* What generated code and the runtime share: the few names that compiled
   regions may call, all of them weakly referenced.  A program linked without
   the runtime works, without counters and modes.

   One trm_site stands in static storage for each region.  A constructor in
   the same object calls trm_register (site) when that symbol is present;
   the runtime then sets site->state from its environment.  While state is 0
   the region costs one load and one branch:

     int plan = TRM_RUN_FUSED, took = 0;
     if (site.state & TRM_STATE_GIVEN)
       trm_given (&site, "n;alpha", given, flops, bytes);
     if (site.state)
       plan = trm_enter (&site, spans, n_spans);
     if (plan & TRM_RUN_FUSED)
       took = f_tensor_0 (x, y, n);        0: a guard did not hold
     if (took && (plan & TRM_RUN_ORIGINAL))
       trm_between (&site);                keep results, restore inputs
     if (!took || (plan & TRM_RUN_ORIGINAL))
       { the loops as written }
     if (site.state)
       trm_leave (&site, took);

   Layout is fixed by TRM_ABI_VERSION; the plug-in builds the same struct as
   a GCC type, field by field (lowering/site.cc).  */

#ifndef TRM_ABI_H
#define TRM_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif
#pragma GCC visibility push(default)

#define TRM_ABI_VERSION 1

/* Bits of trm_site.state, set by the runtime.  */
#define TRM_STATE_COUNT    1 /* count calls and time */
#define TRM_STATE_ORIGINAL 2 /* run the loops as written */
#define TRM_STATE_CHECK    4 /* run both and compare */
#define TRM_STATE_GIVEN    8 /* tell what a call is given */

/* Bits that trm_enter returns.  */
#define TRM_RUN_FUSED    1
#define TRM_RUN_ORIGINAL 2

/* Bits of trm_site.flags, set by the compiler.  */
#define TRM_SITE_CHECK   1  /* compiled with check: modes may be chosen */
#define TRM_SITE_PROFILE 2  /* compiled with profile */
#define TRM_SITE_STRICT  4  /* fp (strict): floats are compared exactly */
#define TRM_SITE_ROUND11 8  /* factors are rounded to 11 bits, tf32 or f16 */
#define TRM_SITE_ROUND8  16 /* to 8 bits, bf16 */

/* Memory that a region may write, for check mode.

   name   as the user wrote it; elem "f32" and so on, as base/type.def
   base   address of its first byte that may be written
   bytes  how many from there
   first  number of the element at base, counted from the array's element 0
   rank, extent  its shape: element numbers are shown as subscripts;
          extent[0] is 0 when unknown
   temp   the contents do not matter after the region: not compared
   line   of the statement that writes it last, in the site's file; 0 when
          unknown  */
#define TRM_MAX_RANK 8
  typedef struct trm_span
  {
    const char *name;
    const char *elem;
    void *base;
    int64_t bytes;
    int64_t first;
    int32_t rank;
    int32_t temp;
    int64_t extent[TRM_MAX_RANK];
    int64_t line;
  } trm_span;

  /* One region of the program.

   Constant, filled by the compiler:
     version     TRM_ABI_VERSION
     flags       TRM_SITE_ bits
     name, file, function, line  where it is
   Written by the runtime and by generated code:
     state       TRM_STATE_ bits; 0 until trm_register
     flops, bytes  added to by the fused code when state is not 0: floating
                 operations and bytes moved, as the compiler counted them,
                 for the sizes of this call
     fallbacks   calls in which a guard did not hold: trm_leave adds one when
                 the fused version was asked for and did not take the call
   Private to the runtime: calls, ns, own, next.  */
  typedef struct trm_site
  {
    int32_t state;
    int32_t version;
    int32_t flags;
    int32_t line;
    const char *name;
    const char *file;
    const char *function;
    double flops;
    double bytes;
    int64_t fallbacks;
    int64_t calls;
    int64_t ns;
    void *own;
    struct trm_site *next;
  } trm_site;

  /* Make SITE known.  Called once, before main.  */
  extern void trm_register (trm_site *site);

  /* SITE is about to begin, its state has TRM_STATE_GIVEN: GIVEN are the whole
   numbers that it is given.  NAMES are theirs, a comma between two: first
   those that say how large loops and arrays are, then a semicolon, then the
   others.  FLOPS and BYTES are what the fused code adds to the site's for
   these; 0 when not known.  NAMES is the same for all calls of SITE.  */
  extern void trm_given (trm_site *site, const char *names,
                         const int64_t *given, double flops, double bytes);

  /* SITE begins; SPAN[0..n) is the memory it may write (n is 0 unless the
   site was compiled with check).  Which versions shall run: TRM_RUN_ bits.  */
  extern int trm_enter (trm_site *site, const trm_span *span, int n);

  /* The fused version has run; the original is next.  */
  extern void trm_between (trm_site *site);

  /* SITE ends; TOOK tells whether the fused version ran.  */
  extern void trm_leave (trm_site *site, int took);

  /* BYTES bytes of memory aligned to 64 for the calling region's temporaries,
   from a pool that lives as long as the process; NULL when there is none.
   trm_scratch_put gives it back.  Thread safe.  */
  extern void *trm_scratch_get (int64_t bytes);
  extern void trm_scratch_put (void *memory);

  /* A gradient, or tangent, compiled with check: what TRM_GRADCHECK needs
   (gradcheck.c).

   Its rows are the parameters of the function f that it is the gradient of, as
   the compiler reads f, then the adjoints.  A row is an address: of a value,
   or of element 0 of an array, which need not be there.

     state    not 0: calls are told to the runtime; 0 until registered
     text     a line NAME, FILE, LINE, NAME of f, the type that primal rounds
              to, gradient or tangent, then a line for each row: letters, type
              (base/type.def), row, name, all with tabs between.
              Letters: v value, a array or cell; x not given to the gradient;
              g given as f left it; o the adjoint of what f gives, w of what it
              takes, both of the row told; c it is set, not added to
     reach    which elements arrays have, from reach[TRM_REACH_ROW * row] on:
              the first one, that behind the last one (before the first one:
              not known), the rank, TRM_REACH_RANK extents (0: not known), as
              many distances in elements
     primal   f, all its floating numbers double
     other    f's tangent, the adjoints' rows tangents, all double; of a tangent
              the gradient; may be NULL
     again    the gradient as the user has it, of plain loops
     exact    the same, all double
     call     the gradient itself with arguments from the rows; NULL: some have
              none
     own, next  the runtime's

   The functions return 0 when there is no memory, or when reach does not
   know.  All fields are as wide as a pointer: the plug-in builds an array of
   them.  */
#define TRM_REACH_RANK 8
#define TRM_REACH_ROW  (3 + 2 * TRM_REACH_RANK)
  typedef int trm_rows_function (void **at, int64_t *reach);
  typedef struct trm_gradient
  {
    void *state;
    const char *text;
    trm_rows_function *reach;
    trm_rows_function *primal;
    trm_rows_function *other;
    trm_rows_function *again;
    trm_rows_function *exact;
    trm_rows_function *call;
    void *own;
    struct trm_gradient *next;
  } trm_gradient;

  /* Make GRADIENT known.  Called once, before main.  */
  extern void trm_gradient_register (trm_gradient *gradient);

  /* A call of GRADIENT begins, with its rows AT; it ends.  */
  extern void trm_gradient_enter (trm_gradient *gradient, void **at);
  extern void trm_gradient_leave (trm_gradient *gradient);

  /* The main function of a program that has none: call the gradients that
   TRM_GRADCHECK asks for on random numbers.  ARGUMENT[1..n) are NAME=NUMBER,
   values of parameters, or how many numbers from 0 on an array of integers
   holds; sizes are 5 unless set.  Returns 0.  */
  extern int trm_gradcheck_main (int n, char **argument);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
