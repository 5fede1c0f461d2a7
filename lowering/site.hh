/* The trm_site of a region (libtensorrt-mini/abi.h) as a static variable of
   the user's program, and the constructor that makes it known.  */

#ifndef TNS_LOWERING_SITE_HH
#define TNS_LOWERING_SITE_HH

#include "lowering/build.hh"

/* A static variable of TYPE called NAME that starts as INITIAL; it is in the
   symbol table only after tns_object_finish.  */
extern tree tns_object_new (const char *name, tree type, tree initial);

/* Put OBJECT into the program, and a constructor that calls
   RUNTIME (&object) where the program has that.  */
extern void tns_object_finish (tree object, const char *runtime);

/* The site's variable, with FLAGS of TRM_SITE_.  */
extern tree tns_site_new (const tns_region *region, int flags,
                          const char *name);

/* site.NAME, an lvalue.  */
extern tree tns_site_field (tree site, const char *name);

/* The type of trm_span.  */
extern tree tns_span_type (void);

/* What is accessed of SYM (rank 0: all of it); false when it is not known. */
extern bool tns_site_find_span (tns_arena *arena, const tns_region *region,
                                const tns_sym *sym, tns_span *span);

/* The number of trm_spans that tell what REGION may write; -1 when some of
   it is not known.  */
extern int tns_site_count_spans (tns_arena *arena, const tns_region *region);

/* Append to *LIST what fills SPANS, an array of as many.  */
extern void tns_site_fill_spans (tns_build *caller, tree spans, tree *list);

/* The number of VALUEs that BUILD's region is given and the runtime may be
   told.  Append to *LIST what tells them, in GIVEN, an array of as many I64,
   when the runtime asks.  */
extern int tns_site_count_given (const tns_build *build);
extern void tns_site_tell_given (tns_build *build, tree given, tree *list);

/* AMOUNT, of the ledger, as a double; 0 where it is not known.  */
extern tree tns_site_amount (tns_build *build, const tns_expr *amount);

/* The field NAME of TYPE, a struct.  */
extern tree tns_struct_field (tree type, const char *name);

/* A string literal, as const char *.  */
extern tree tns_string_tree (const char *string);

#endif
