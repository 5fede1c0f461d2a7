/* What the user asked for: the clauses of one pragma, or the defaults of
   the command line, as neutral data.

   Names are kept as written; they are resolved after the region is parsed
   (tns_wish_name.sym stays NULL until then).  */

#ifndef TNS_BASE_WISH_H
#define TNS_BASE_WISH_H

#include <stdbool.h>

#include "base/loc.h"

typedef enum tns_fp
{
  TNS_FP_STRICT,
  TNS_FP_REASSOC,
  TNS_FP_FAST
} tns_fp;

typedef enum tns_fuse
{
  TNS_FUSE_AUTO,
  TNS_FUSE_MAX,
  TNS_FUSE_NONE
} tns_fuse;

typedef enum tns_target
{
  TNS_TARGET_CPU,
  TNS_TARGET_CUDA,
  TNS_TARGET_AUTO
} tns_target;

/* What a device may round the factors of sums of products in F32 to.  OWN: it
   may not; TF32: 11 bits; BF16: 8; F16: 11, and the range of half.  */
typedef enum tns_precision
{
  TNS_PRECISION_OWN,
  TNS_PRECISION_TF32,
  TNS_PRECISION_BF16,
  TNS_PRECISION_F16
} tns_precision;

struct tns_condition;

/* A name in a clause, with a number where the clause takes one
   (tile (i: 32), unroll (k: 4)); number 0 is none.  require (contract (x)) has
   the name "contract:x".  place: the name as it was parsed, where it may be
   that of a member (given (s->y)); adjoint: that beside it (of (y: dy)), NULL
   in of (return).  */
typedef struct tns_wish_name
{
  const char *name;
  long number;
  const struct tns_condition *place;
  const struct tns_condition *adjoint;
  tns_loc loc;
} tns_wish_name;

/* A clause's list of names.  asked: the clause stands in the pragma, with
   or without names; off: it says (off).  */
typedef struct tns_wish_list
{
  bool asked;
  bool off;
  int n;
  tns_wish_name *names;
  tns_loc loc;
} tns_wish_list;

/* One condition of assume (...), as written, parsed by the host.
   tree is the host's own form of it (an opaque pointer), may be NULL.  */
typedef struct tns_wish_fact
{
  const char *text;
  void *tree;
  tns_loc loc;
} tns_wish_fact;

/* Of gradient (function), or, forward, tangent (function): what is
   differentiated, with respect to what.
   own     of derivative (function)
   primal  (gradient, tangent) the function itself is wanted too
   clear   adjoints, by what the gradient calls them, that it sets
   workspace  the caller gives the memory
   checkpoint  states of a time loop that are kept, 0: not said
   memory      bytes of its states and tapes, at most, 0: not said; its
               place  */
typedef struct tns_wish_derived
{
  bool forward;
  bool own;
  bool primal;
  bool workspace;
  const char *function;
  tns_loc loc;
  tns_wish_list of;
  tns_wish_list wrt;
  tns_wish_list given;
  tns_wish_list clear;
  tns_wish_list directions;
  tns_wish_list store;
  tns_wish_list recompute;
  long checkpoint;
  long memory;
  tns_loc memory_loc;
} tns_wish_derived;

/* What data does with an array: copied in and out; in; out; what a block around
   keeps.  */
typedef enum tns_section_use
{
  TNS_SECTION_BOTH,
  TNS_SECTION_IN,
  TNS_SECTION_OUT,
  TNS_SECTION_PRESENT
} tns_section_use;

/* An array of data: PLACE, or COUNT elements from FIRST on, both NULL where
   they are not said.  name: as written; base, from, length: the host's own
   forms of the three, NULL likewise; declared: length is that of a parameter as
   it is declared.  */
typedef struct tns_wish_section
{
  const char *name;
  tns_section_use use;
  const struct tns_condition *place;
  const struct tns_condition *first;
  const struct tns_condition *count;
  void *base;
  void *from;
  void *length;
  bool declared;
  tns_loc loc;
} tns_wish_section;

/* loc     where the pragma stands, or the loop that it does not stand before
   around  then: where it stands; else no place  */
typedef struct tns_wish
{
  const char *name;
  tns_loc loc;
  tns_loc around;
  tns_wish_list temp;
  tns_wish_list noalias;
  tns_wish_list independent;
  int n_facts;
  tns_wish_fact *facts;
  tns_fp fp;
  tns_fuse fuse;
  tns_wish_list tile;
  tns_wish_list simd;
  tns_wish_list parallel;
  tns_wish_list unroll;
  tns_wish_list interchange;
  tns_wish_list require;
  tns_target target;
  tns_precision precision;
  bool devices;
  tns_wish_derived derived;
  int n_sections;
  tns_wish_section *sections;
  bool check;
  bool profile;
  long parallel_threshold;
  long budget;
} tns_wish;

/* The defaults: fp reassoc, fuse auto, target cpu, budget 0 (the
   compiler's own), nothing else asked.  */
extern tns_wish tns_wish_default (void);

/* What WISH, of a derived function, makes: "gradient" or "tangent".  */
extern const char *tns_wish_mode (const tns_wish *wish);

/* PRECISION as precision (...) has it; "" of OWN.  */
extern const char *tns_precision_word (tns_precision precision);

/* Some clause names loops.  */
extern bool tns_wish_names_loops (const tns_wish *wish);

/* The place in require (...) where WORD stands, or NULL.  */
extern const tns_wish_name *tns_wish_requires (const tns_wish *wish,
                                               const char *word);

#endif
