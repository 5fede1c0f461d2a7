/* Values that the backward pass reads, and how it gets them.

   The backward pass of a level runs when the level's forward slice has run:
   those of its statements that make what is needed, in their order.

     for i {                             for i {
       local u;                            local u, du;
       u = sin (x[i]);            ->       u = sin (x[i]);        slice
       y[i] = u * u;                       du += dy[i] * u; ...   backward
     }                                   }

   A value is read where it stands when nothing of the slice of its array's
   home destroys it after the place where it was read; else that slice tapes
   it (autodiff/tapes.h):

     for t  x = f (x)                    for t { T[t] = x; x = f (x); }
                                         for t, backwards  ... T[t] ...

   The value that a statement gave its target is read there, instead of being
   computed again, where the target stands: what runs forward anyway made it,
   or it is given, and nothing overwrites it.

   Sets of statements grow until nothing is missing; a slice that grows may
   destroy more.  Source: the "killed" set of Hascoet and Pascual's to-be-
   recorded analysis, per read instead of per write.  */

#ifndef TNS_AUTODIFF_NEEDS_H
#define TNS_AUTODIFF_NEEDS_H

#include "autodiff/flow.h"

struct tns_tape;
struct tns_looking;

/* LOAD, read at SITE, must be had after the slice of level HOME.
   count  of so many elements from there on, which a call is handed; NULL: one
   taped  it does not stand
   tape   (closed) where it is then  */
typedef struct tns_need
{
  int site;
  tns_expr *load;
  tns_expr *count;
  int home;
  bool taped;
  struct tns_tape *tape;
} tns_need;

/* What the ASSIGN at SITE makes, VALUE, is read in the backward pass.
   known, stands  it is decided whether it stands in its target  */
typedef struct tns_outcome
{
  int site;
  tns_expr *value;
  bool known;
  bool stands;
} tns_outcome;

/* slice     [level * n_sites + site]: the ASSIGN runs in the level's slice
   given     by symbol id: the array holds what the function left in it
   absent    as autodiff/reverse.h says
   again     one that was given is wanted as it was earlier: it is given no
             longer, and all begins again
   region    gets the tapes
   looking   for what only memory tells of them
   part      a LOOP of level 0, only some iterations of which are on the tapes
             at a time, from FIRST on; NULL: none  */
typedef struct tns_needs
{
  tns_ctx *ctx;
  tns_region *region;
  const struct tns_looking *looking;
  const tns_flow *flow;
  bool *slice;
  bool *given;
  const bool *absent;
  int n;
  tns_need *need;
  int n_tapes;
  struct tns_tape **tape;
  int n_outcomes;
  tns_outcome *outcome;
  bool again;
  const tns_node *part;
  tns_expr *first;
} tns_needs;

extern tns_needs *tns_needs_new (tns_ctx *ctx, tns_region *region,
                                 const tns_flow *flow, bool *given,
                                 const bool *absent);

/* The slice of level 0 is the whole function.  */
extern void tns_needs_run_all (tns_needs *needs);

/* The LOOP at SITE, of level 0, is to run forward and backward at once: the
   slice of its body is the whole body.  */
extern void tns_needs_join (tns_needs *needs, int site);

/* It may: nothing of level 0 is taped in it, and what the backward pass of the
   statements behind it reads, it and they do not make.  */
extern bool tns_needs_may_join (const tns_needs *needs, int site);

/* The backward pass reads LOAD's array, as it was at SITE: COUNT elements from
   there on, NULL: one.  */
extern void tns_needs_read (tns_needs *needs, int site, tns_expr *load,
                            tns_expr *count);

/* The backward pass reads what the ASSIGN at SITE made, VALUE.  */
extern void tns_needs_outcome (tns_needs *needs, int site, tns_expr *value);

/* The need for LOAD at SITE, or NULL.  */
extern tns_need *tns_needs_find (const tns_needs *needs, int site,
                                 const tns_expr *load);

/* What the ASSIGN at SITE made stands in its target.  */
extern bool tns_needs_stands (const tns_needs *needs, int site);

/* Find what must be taped, and on what, and which outcomes stand.  False with
   the reason said.  */
extern bool tns_needs_close (tns_needs *needs);

/* One of MOVED[0..N), arrays that live in a loop, that its slice makes and one
   further out too, when a sum or a function is in that; NULL: none is made
   twice.  */
extern const tns_sym *tns_needs_twice (const tns_needs *needs, int n,
                                       const tns_sym *const *moved);

/* Whether ASSIGN site S runs in the slice of LEVEL.  */
extern bool tns_needs_runs (const tns_needs *needs, int level, int s);

#endif
