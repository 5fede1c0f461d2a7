/* Functions that are differentiated, y with respect to x, for unit tests of
   autodiff/ that are tables (answers.h).  */

#ifndef TNS_TESTSUITE_SUBJECT_H
#define TNS_TESTSUITE_SUBJECT_H

#include "answers.h"
#include "autodiff/flow.h"
#include "autodiff/gradient.h"

/* For i from 0 to n, the body still open.  */
#define NEST "for i = 0 to n { "

/* A function and what is known of it.  */
typedef struct subject
{
  tns_ctx *ctx;
  tns_region *region;
  tns_view *view;
  tns_scop *scop;
  tns_flow flow;
  tns_seed seed[2];
  tns_gradient_wish wish;
  tns_sym **adjoint;
  tns_sym *dx;
  tns_sym *dy;
} subject;

/* The function whose body TEXT is.  */
extern subject subject_of (tns_ctx *ctx, const char *text);

/* S's region becomes one with adjoints of all arrays that are floating.  */
extern void subject_add_adjoints (subject *s);

/* WORDS, at the end of S.  */
extern const char *subject_end (subject *s, const char *words);

/* The body of S's region with BLOCK for it, at its end.  */
extern const char *subject_body (subject *s, tns_node *block);

/* The site of statement NAME, and what its value reads first.  */
extern int subject_site (const subject *s, const char *name);
extern tns_expr *subject_read (const subject *s, const char *name);

#endif
