/* tensor-prof: the profile of a program, of several runs, of two versions.

   What its files share.  Samples, JSON and texts are tensor-compare's
   (compare.h); memory is kept until the program ends.  */

#ifndef TENSOR_PROF_H
#define TENSOR_PROF_H

#include "compare.h"

/* What the command line asks for.  words: more of TRM_PROFILE; argument, NULL
   behind the last: the program and its arguments.  */
typedef struct prof_wish
{
  bool table;
  const char *json;
  const char *html;
  const char *trace;
  const char *dot;
  const char *samples;
  const char *memory;
  const char *sort;
  const char *by;
  int runs;
  char **argument;
} prof_wish;

/* One region of some runs: samples of its calls, total and own time.  */
typedef struct prof_region
{
  const char *name;
  const char *file;
  int line;
  compare_sample calls;
  compare_sample ns;
  compare_sample self;
} prof_region;

/* All of them; wall, outside: of the whole program.  */
typedef struct prof_result
{
  int runs;
  compare_sample wall;
  compare_sample outside;
  int n;
  prof_region *region;
} prof_result;

/* prof.c: run the program of WISH once with TRM_PROFILE=WORDS; its wait
   status.  */
extern int prof_run (const prof_wish *wish, const char *words);

/* prof-runs.c: run it as often as WISH says; what was measured is printed, and
   written to the file of --json.  The exit status.  */
extern int prof_several (const prof_wish *wish);

/* prof-diff.c: what changed from the profile in file A to that in file B, each
   of one run or of several.  The exit status.  */
extern int prof_diff (const char *a, const char *b);

/* prof-extract.c: write the region that ARGUMENT, what stands behind extract,
   NULL behind the last, names as a program to stdout.  The exit status.  */
extern int prof_extract (char **argument);

/* prof-command.c: print to FILE the command that compiles the file BENCH, which
   extract wrote, with the options of the command WORD, NULL behind the last,
   and runs it; it can stand in a comment.  */
extern void prof_print_command (FILE *file, char *const *word,
                                const char *bench);

/* prof-runs.c: the last name of FILE and LINE; "" when there is no file.  */
extern const char *prof_place (char *text, size_t bytes, const char *file,
                               int line);

#endif
