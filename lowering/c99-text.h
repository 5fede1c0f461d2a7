/* What the files c99*.c share: one function being printed.  */

#ifndef TNS_LOWERING_C99_TEXT_H
#define TNS_LOWERING_C99_TEXT_H

#include "base/text.h"
#include "ir/nest.h"
#include "lowering/c99.h"

/* text      where statements go
   name      [region->n_syms]: what each symbol is called
   needs     [op][elem]: a helper function is used
   taken     [region->n_syms]: taken from malloc at the function's head
   outside   [region->n_syms]: declared outside of loops that threads share
   in_parallel  inside a loop that threads share
   source    for comments, or NULL
   is_told   a comment says where these statements come from
   is_plain  a region that is not planned
   is_cuda   the text is CUDA C without includes (lowering/cuda.h)
   lines     #line N stands in front of what comes of the user's line N
   clauses   of the pragma in front of it when it is to run alone; else NULL  */
struct tns_c99
{
  const tns_region *region;
  tns_text *text;
  const char **name;
  bool needs[TNS_N_OPS][TNS_N_ELEMS];
  bool *taken;
  bool *outside;
  bool in_parallel;
  const tns_c99_source *source;
  bool is_told;
  bool is_plain;
  bool is_cuda;
  bool lines;
  const char *clauses;
};

/* A printer of REGION, its symbols named, for CUDA C or C.  */
extern tns_c99 *tns_c99_new (tns_ctx *ctx, const tns_region *region,
                             bool is_cuda);

/* Append the function of C's region, NAME with a word behind it; what it needs
   in front: headers, prototypes of functions that it calls.  NAME as an
   identifier.  */
extern void tns_c99_function (tns_c99 *c, const char *name);
extern void tns_c99_includes (tns_text *text);
extern void tns_c99_prototypes (tns_c99 *c);
extern const char *tns_c99_identifier (tns_arena *arena, const char *name);

/* REGION as it is printed: each loop has an iterator of its own; EXPR as it is
   printed (c99-tidy.c).  */
extern tns_region *tns_c99_tidy (tns_ctx *ctx, const tns_region *region,
                                 bool is_planned);
extern tns_expr *tns_c99_tidy_expr (tns_arena *arena, tns_expr *expr);

/* Something in NODE, of REGION, reads SYM, a pragma's condition apart.  */
extern bool tns_c99_is_read (tns_arena *arena, const tns_region *region,
                             tns_node *node, const tns_sym *sym);

/* Find names for all symbols of C's region, once it is known what is taken
   from malloc.  */
extern void tns_c99_names (tns_c99 *c);

/* Append EXPR, in parentheses when it binds less tightly than C's operators
   of precedence AT LEAST (0: anything goes).  */
extern void tns_c99_expr (tns_c99 *c, const tns_expr *expr, int at_least);

/* Append EXPR as one factor of a size.  */
extern void tns_c99_factor (tns_c99 *c, const tns_expr *expr);

/* Append the statement  target = update (target, value);  */
extern void tns_c99_update (tns_c99 *c, const tns_expr *target, tns_op update,
                            const tns_expr *value);

/* What follows comes of LOC: a line that says so, where C has those.  */
extern void tns_c99_mark (tns_c99 *c, tns_loc loc);

/* Append NODE's statements.  */
extern void tns_c99_node (tns_c99 *c, tns_node *node);

/* Append, where that is due, a comment on BLOCK's kid K and those after it that
   go with it; true where that, or one before, tells all of the kid
   (c99-origin.c).  */
extern bool tns_c99_comment (tns_c99 *c, const tns_node *block, int k);

/* Append CHARS to TEXT, long lines broken (c99-wrap.c).  */
extern void tns_c99_wrap (tns_text *text, const char *chars);

/* Append the helper functions that C needs to TEXT.  */
extern void tns_c99_helpers (const tns_c99 *c, tns_text *text);

/* A LOCAL array that is taken from malloc.  */
extern bool tns_c99_is_heap (const tns_sym *sym);

/* Declare SYM here, unless it was taken at the head; what malloc gave is
   freed by tns_c99_free.  */
extern void tns_c99_declare (tns_c99 *c, const tns_sym *sym);
extern void tns_c99_free (tns_c99 *c, const tns_sym *sym);

/* Note the heap arrays whose LOCAL nodes stand outside of loops that threads
   share; whether there are any.  Append them to C's text, taken before
   anything is written (return 0 when there is no memory); and their end.  */
extern void tns_c99_mark_taken (tns_c99 *c);
extern bool tns_c99_takes (const tns_c99 *c);
extern void tns_c99_take (tns_c99 *c);
extern void tns_c99_give_back (tns_c99 *c);

/* At the begin of the body of shared loop LOOP: the arrays that each thread
   has one of, declared outside and used here, if any; and their end.  */
extern bool tns_c99_has_thread_locals (const tns_c99 *c, tns_node *loop);
extern void tns_c99_thread_locals (tns_c99 *c, tns_node *loop);
extern void tns_c99_thread_frees (tns_c99 *c, tns_node *loop);

/* LOOP is printed as one that threads share.  */
extern bool tns_c99_is_shared (const tns_c99 *c, const tns_node *loop);

#endif
