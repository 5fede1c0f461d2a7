/* tensor-compare: one program, compiled four ways, measured side by side.

   What its files share.  Memory is kept until the program ends.  */

#ifndef TENSOR_COMPARE_H
#define TENSOR_COMPARE_H

#include <stdbool.h>
#include <stdio.h>

/* The ways, in the order of the columns.

   PLAIN    gcc -O3 -march=native
   FAST     the same with -ffast-math
   UNFUSED  the plugin with fuse=none
   FUSED    the plugin  */
typedef enum compare_way
{
  COMPARE_PLAIN,
  COMPARE_FAST,
  COMPARE_UNFUSED,
  COMPARE_FUSED,
  COMPARE_WAYS
} compare_way;

extern const char *const compare_way_name[COMPARE_WAYS];

/* Whole programs are timed as the ways compile them.  A region of PLAIN and
   FAST has no clock around it there; its time comes from a program that the
   plugin compiled with check and that runs with TRM_MODE=original.  So there
   are two more programs to build.  */
typedef enum compare_build
{
  COMPARE_ORIGINAL = COMPARE_WAYS,
  COMPARE_ORIGINAL_FAST,
  COMPARE_BUILDS
} compare_build;

/* What the command line asks for.  argument[0..n_arguments) go to gcc,
   program_argument to the program.  */
typedef struct compare_wish
{
  const char *source;
  int n_arguments;
  char **argument;
  int n_program_arguments;
  char **program_argument;
  double seconds;
  int runs;
  double tolerance;
  bool keep;
  bool quiet;
  bool json;
  const char *json_file;
  const char *html_file;
} compare_wish;

/* Measured values: median, and the quartiles around it.  */
typedef struct compare_sample
{
  int n;
  double *value;
  double median;
  double low;
  double high;
} compare_sample;

/* One region.  ns: of one run of the program, in each way; share: its part
   of that run; calls, flops, bytes: of one run.  bare: a call takes so little
   that taking its time costs as much.  report: the plugin's JSON object, or
   NULL.  run_ns, run_self: sums while a run's profile is read.  */
typedef struct compare_region
{
  const char *name;
  const char *file;
  int line;
  struct compare_json *report;
  compare_sample ns[COMPARE_WAYS];
  compare_sample share[COMPARE_WAYS];
  double calls[COMPARE_WAYS];
  double flops[COMPARE_WAYS];
  double bytes[COMPARE_WAYS];
  bool bare;
  double run_ns;
  double run_self;
} compare_region;

/* What this machine reaches on one thread: operations and bytes a
   nanosecond; zeros when it was not measured.  */
typedef struct compare_machine
{
  double flops;
  double cache_bytes;
  double memory_bytes;
} compare_machine;

/* All that was found.  whole: nanoseconds of the program; agrees: its output
   is that of PLAIN; difference: the first place where not.  reports: what the
   plugin said of each region, also of those that did not run.  */
typedef struct compare_result
{
  const compare_wish *wish;
  const char *gcc;
  int threads;
  int runs;
  compare_machine machine;
  compare_sample whole[COMPARE_WAYS];
  bool agrees[COMPARE_BUILDS];
  char *difference[COMPARE_BUILDS];
  int n_regions;
  compare_region *region;
  int n_reports;
  struct compare_json **reports;
} compare_result;

/* compare.c: stop with status 2 and a message; a line of progress, only on a
   terminal, empty to wipe it.  */
extern void compare_fail (const char *format, ...)
  __attribute__ ((noreturn, format (printf, 1, 2)));
extern void compare_progress (const char *format, ...)
  __attribute__ ((format (printf, 1, 2)));

/* compare-json.c: a JSON value.  kind is one of n (null), b, d (number), s,
   a, o; an object's values stand in item, their keys in key.  */
typedef struct compare_json
{
  char kind;
  double number;
  char *string;
  int n;
  char **key;
  struct compare_json **item;
} compare_json;

/* The value that begins at *TEXT, which is moved behind it; NULL when it is
   malformed.  KEY's value in OBJECT, or NULL; as a number, 0 when it is
   none; as a string, "" when it is none.  STRING as JSON on FILE.  */
extern compare_json *compare_json_read (const char **text);
extern compare_json *compare_json_get (const compare_json *object,
                                       const char *key);
extern double compare_json_number (const compare_json *object, const char *key);
extern const char *compare_json_string (const compare_json *object,
                                        const char *key);
extern void compare_json_print_string (FILE *file, const char *string);
extern void compare_json_print (FILE *file, const compare_json *value);

/* compare-build.c: a folder of our own, its files, all programs in it.  */
extern void compare_folder_make (void);
extern void compare_folder_remove (bool keep);
extern char *compare_path (const char *name);
extern char *compare_file_text (const char *path);
extern char *compare_program (int build);

/* The program of BUILD could not be built without the plugin; that of
   compare_program is to run with TRM_MODE=original.  */
extern bool compare_is_stood_in (int build);
extern const char *compare_gcc (void);
extern void compare_build_all (const compare_wish *wish);
extern compare_machine compare_machine_measure (void);

/* compare-tensorcc.c: the tensorcc to run.  */
extern char *compare_tensorcc (void);

/* compare-run.c: run ARGV, waiting for it, with stdin and stdout on INPUT
   and OUTPUT (NULL: /dev/null) and stderr on ERRORS; its wall time in
   nanoseconds in *NS when NS is not NULL.  Its wait status.  */
extern int compare_run (char *const *argv, const char *output,
                        const char *errors, double *ns);

/* compare-measure.c: run everything, fill RESULT.  */
extern void compare_measure (compare_result *result);

/* compare-output.c: the first place where texts A and B differ by more than
   TOLERANCE (numbers) or at all (the rest), as a sentence; NULL when they
   agree.  */
extern char *compare_outputs (const char *a, const char *b, double tolerance);

/* compare-sample.c: add a value; then find median and quartiles.  */
extern void compare_sample_add (compare_sample *sample, double value);
extern void compare_sample_sum_up (compare_sample *sample);

/* Half the distance of the quartiles over the median, in per cent.  */
extern double compare_sample_spread (const compare_sample *sample);

/* How many times as long A takes as B; 0 when one is not known.  */
extern double compare_ratio (const compare_sample *a, const compare_sample *b);

/* How many times as fast REGION was predicted to be, and what was measured of
   that; 0 when not known.  The planner's word is about the loops as written
   (-O3 -ffast-math) on one thread; without one the counts of operations and
   bytes on MACHINE tell of fused against unfused.  */
extern double compare_predicted (const compare_region *region,
                                 const compare_machine *machine);
extern double compare_measured (const compare_region *region);

/* How many times as fast the program would be in WAY if REGION cost nothing;
   0 when not known.  */
extern double compare_limit (const compare_region *region, int way);

/* Whether a region that ran has REPORT.  */
extern bool compare_did_run (const compare_result *result,
                             const compare_json *report);

/* What REPORT says of its region, which has a pragma or is inside one that was
   refused; "" when it says nothing.  */
extern const char *compare_verdict (const compare_json *report);

/* NS nanoseconds, COUNT things, and what happened to a region, as text.  */
extern const char *compare_time_text (char text[16], double ns);
extern const char *compare_count_text (char text[16], double count);
extern const char *compare_verdict_text (char *text, size_t bytes,
                                         const compare_json *report);

/* compare-text.c, compare-html.c, compare-json-out.c: RESULT on FILE.  */
extern void compare_print_text (FILE *file, const compare_result *result);
extern void compare_print_html (FILE *file, const compare_result *result);
extern void compare_print_json (FILE *file, const compare_result *result);

#endif
