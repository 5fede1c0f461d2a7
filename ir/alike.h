/* Two nests in one block whose loops run alike.

     for i  for j { local t; t = ...; q[j] += t; }      first
     ...
     for k  for l { y[k][l] += q[l]; }                  second

   What the first one computes in an iteration the second one could too, as far
   as nothing has been written since.  */

#ifndef TNS_IR_ALIKE_H
#define TNS_IR_ALIKE_H

#include "ir/nest.h"

enum
{
  TNS_MOST_LINES = 64,
  TNS_MOST_ALIKE = 8
};

/* LOOP[0..n_loops), the outermost first, of which each holds the next one
   alone; the assignments LINE[0..n_lines) and LOCALs in the innermost one.  */
typedef struct tns_lines
{
  tns_node *top;
  int n_loops;
  tns_node *loop[TNS_MOST_ALIKE];
  int n_lines;
  tns_node *line[TNS_MOST_LINES];
  int n_locals;
  tns_sym *local[TNS_MOST_LINES];
} tns_lines;

/* Kids FIRST and SECOND of BLOCK.
   iter, by  of FROM's loops, as TO has them  */
typedef struct tns_alike
{
  tns_arena *arena;
  const tns_node *block;
  int first;
  int second;
  tns_lines from;
  tns_lines to;
  tns_sym *iter[TNS_MOST_ALIKE];
  tns_expr *by[TNS_MOST_ALIKE];
} tns_alike;

/* Read NODE; false where it is anything but loops around assignments.  */
extern bool tns_lines_read (tns_lines *lines, tns_node *node);

/* LINES moves EXPR with each of its loops.  */
extern bool tns_lines_move (const tns_lines *lines, tns_expr *expr);

/* Each iteration of LINES has an element of its own in PLACE, a LOAD.  */
extern bool tns_lines_own (tns_arena *arena, const tns_lines *lines,
                           const tns_expr *place);

/* SYM is a LOCAL of LINES.  */
extern bool tns_lines_declare (const tns_lines *lines, const tns_sym *sym);

/* PAIR, whose nests are read, runs alike; then it knows iter and by.  */
extern bool tns_alike_find (tns_alike *pair);

/* EXPR of the first nest as the second has it.  */
extern tns_expr *tns_alike_renamed (const tns_alike *pair, tns_expr *expr);

/* Some kid from the first to the second one writes SYM.  */
extern bool tns_alike_write (const tns_alike *pair, const tns_sym *sym);

#endif
