/* Regions printed as C, compiled by gcc and run: the same memory, bit for
   bit, as the interpreter leaves behind.  All regions stand in one file, as
   emit-c writes them.  */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agree.h"
#include "ir/eval.h"
#include "lowering/c99.h"

enum
{
  ELEMENTS = 4096,
  MOST_BYTES = 16,
  MOST_PARAMS = 12
};

/* shown  what the row shows
   head   declarations; N is an i64 VALUE
   body   statements
   words  that must stand in the C text  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  const char *words;
} row;

#define XY "array f32 x[] const; array f32 y[]; "
#define DE "array f64 d[] const; array f64 e[]; "
#define PQ "array i32 p[] const; array i32 q[]; "
#define ABC                                                                    \
  "array f32 A[N][N] const; array f32 B[N][N] const; array f32 C[N][N]; "

static const row rows[] = {
  { "a parallel loop", XY,
    "for i = 0 to N parallel { y[i] = x[i] * x[i] + 0.1f32; }",
    "#pragma omp parallel for schedule(static)" },
  { "collapsed loops, a register", ABC,
    "for i = 0 to N parallel collapse(2) { for j = 0 to N { local f32 s; "
    "s = 0.0f32; for k = 0 to N simd(8) reduce(add: s) "
    "{ s += A[i][k] * B[k][j]; } C[i][j] = s; } }",
    "collapse(2)" },
  { "a reduction of lanes", XY "cell f32 r; ",
    "local f32 s; s = r; for i = 0 to N simd(8) reduce(add: s) "
    "{ s += x[i]; } r = s;",
    "#pragma omp simd simdlen(8) reduction(+:s)" },
  { "reductions by threads", XY "cell i64 r; cell f32 m; ",
    "for i = 0 to N parallel reduce(add: r) reduce(max: m) "
    "{ r += i * i; m max= x[i]; }",
    "reduction(max:m[0:1])" },
  { "a reduction into an array", "array i32 h[8]; " PQ,
    "for i = 0 to N parallel reduce(add: h) { h[mod(i, 8)] += p[i]; }",
    "reduction(+:h[0:8])" },
  { "triangle, down, steps", ABC,
    "for i = N - 1 to -1 step -1 parallel balanced { for j = i to N step 3 "
    "{ C[i][j] += A[j][i] - B[i][j]; } }",
    "schedule(dynamic)" },
  { "collapse that does not hold", ABC,
    "for i = 0 to N parallel collapse(2) { for j = 0 to i "
    "{ C[i][j] = A[j][i]; } }",
    "for (long j" },
  { "guards", XY "guard N < 20; guard N != 5 || N > 3 && N < 4; ",
    "for i = 0 to N { y[i] = x[i]; }", "return 0;" },
  { "arrays that may overlap",
    XY "overlap x y; span x 0 to N; "
       "span y 0 to N written; ",
    "for i = 0 to N { y[i] = x[i] + 1.0f32; }",
    "!tensor_apart (x_from, x_to, y_from, y_to)" },
  { "local arrays of all kinds", ABC,
    "local f32 big[N][N]; local f32 small[4][8]; "
    "for i = 0 to N { for j = 0 to N { big[i][j] = A[j][i]; } } "
    "for i = 0 to 4 { for j = 0 to 8 { small[i][j] = f32(i * 8 + j); } } "
    "for i = 0 to N parallel { local f32 row[N]; "
    "for j = 0 to N { row[j] = big[i][j] + small[mod(i, 4)][mod(j, 8)]; } "
    "for j = 0 to N { C[i][j] = row[N - 1 - j]; } }",
    "malloc" },
  { "one array for each thread", ABC,
    "local f32 row[N] per_thread; for i = 0 to N parallel { "
    "for j = 0 to N { row[j] = A[i][j]; } "
    "for j = 0 to N { C[i][j] = row[N - 1 - j]; } }",
    "abort ();" },
  { "integers of all widths",
    PQ "array u8 b[]; array i16 s[]; array u32 u[]; array u64 w[]; ",
    "for i = 0 to N { b[i] = b[i] * 77u8 + u8(p[i]) << 1u8; "
    "s[i] = -s[i] * 300i16 + i16(p[i]); u[i] = u[i] * 4000000000u32 - 1u32; "
    "w[i] = w[i] * 18446744073709551615u64 >> 3u64; "
    "q[i] = floordiv(p[i] - 50i32, 7i32) * 100i32 + mod(p[i] - 50i32, 7i32) "
    "+ (p[i] - 50i32) % 7i32 - (p[i] & 3i32 ^ 5i32 | 8i32) + ~p[i] "
    "+ abs(p[i] - 20i32) + i32(!(p[i] > 3i32)); }",
    "tensor_floordiv_i32" },
  { "constants", DE "array f80 l[]; array i64 n[]; ",
    "for i = 0 to N { e[i] = d[i] * 0.1f64 + 1.0e-310f64 - 3.0f64; "
    "l[i] = f80(d[i]) * 0.1f80 + -0.0f80; "
    "n[i] = (i > 2 ? 3000000000 : 2000000000) * 2 + (1 << 40) "
    "+ min(i, -9223372036854775807); "
    "e[i] += (d[i] > 1.0f64 ? inf(f64) : -inf(f64)); }",
    "0.1L" },
  { "functions", DE XY "value f64 exp; ",
    "for i = 0 to N { e[i] = sin(d[i]) + pow(d[i], 1.5f64) + exp10(d[i]) "
    "+ fmax(d[i], 2.0f64) + copysign(d[i], -1.0f64) + exp; "
    "y[i] = sqrt(x[i]) + exp(x[i]) + abs(-x[i]) + max(x[i], 2.5f32); }",
    "sqrtf (" },
  { "choices", XY PQ,
    "for i = 0 to N { if (i > 2 && x[i] > 1.0f32 || p[i] == 3i32) "
    "{ y[i] = 1.0f32; } else { if (x[i] < 2.0f32) { y[i] -= x[i]; } } "
    "where (p[i] > 2i32) q[i] = (p[i] > 4i32 && p[i - i64(p[i])] > 0i32 "
    "? p[i] : -p[i]); }",
    "else" },
  { "strides and prefetch",
    "array f32 x[N][N] stride (1, N) const; "
    "array f32 y[N][N]; ",
    "for i = 0 to N { for j = 0 to N unroll(4) { prefetch x[i][j]; "
    "y[i][j] = x[i][j]; } }",
    "#pragma GCC unroll 4" },
  { "a bound in memory", "array i64 n[] const; cell i64 end; " XY,
    "end = min(N, 9); for i = 0 to end { y[i] = x[i]; end = 0; }",
    "const long tensor_end_i" },
  { "truth", "array bool a[]; array bool b[]; " XY,
    "for i = 0 to N { a[i] = x[i] > 2.0f32; b[i] lor= a[i] & x[i] < 4.0f32; "
    "b[i] land= x[i] != 7.0f32; }",
    "||" },
};

enum
{
  N_ROWS = sizeof rows / sizeof *rows
};

/* Memory of one parameter.  */
typedef union block
{
  char bytes[ELEMENTS * MOST_BYTES];
  long double aligned;
} block;

typedef int (*compiled) (void **);

/* The region of row K.  */
static tns_region *
parse_row (tns_ctx *ctx, int k)
{
  const row *r = &rows[k];
  const char *text = tns_arena_format (
    ctx->arena, "region r%d { value i64 N; %s { %s } }", k, r->head, r->body);
  return agree_parse (ctx, text);
}

/* A function that calls REGION's with arguments in an array.  */
static void
add_caller (tns_text *text, const tns_region *region)
{
  tns_text_format (text, "int call_%s (void **a)\n{\n  return %s_tensor (",
                   region->name, region->name);
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      if (sym->kind == TNS_SYM_VALUE)
        tns_text_format (text, "%s*(%s *) a[%d]", k ? ", " : "",
                         tns_elem_c_name (sym->type.elem), k);
      else
        tns_text_format (text, "%sa[%d]", k ? ", " : "", k);
    }
  tns_text_add (text, ");\n}\n");
}

/* All regions as one shared object in FOLDER, loaded.  */
static void *
compile (const char *folder, const char *chars)
{
  char path[256];
  char command[1024];
  const char *cc = getenv ("CC") ? getenv ("CC") : "gcc";
  snprintf (path, sizeof path, "%s/r.c", folder);
  FILE *file = fopen (path, "w");
  fputs (chars, file);
  fclose (file);
  snprintf (command, sizeof command,
            "%s -std=gnu11 -Wall -Werror -O1 -fopenmp "
            "-ffp-contract=off -fPIC -shared %s -o %s/r.so -lm",
            cc, path, folder);
  if (system (command))
    return NULL;
  snprintf (path, sizeof path, "%s/r.so", folder);
  return dlopen (path, RTLD_NOW);
}

/* Element K of SYM's memory becomes VALUE.  */
static void
set_element (block *memory, const tns_sym *sym, int k, int value)
{
  switch (sym->type.elem)
    {
    case TNS_F32:
      ((float *) memory->bytes)[k] = (float) value;
      break;
    case TNS_F64:
      ((double *) memory->bytes)[k] = value;
      break;
    case TNS_F80:
      ((long double *) memory->bytes)[k] = value;
      break;
    case TNS_BOOL:
      memory->bytes[k] = value & 1;
      break;
    default:
      memory->bytes[k * tns_elem_bytes (sym->type.elem)] = (char) value;
      break;
    }
}

/* Fill the memory of REGION's parameters with small numbers; values are
   SIZE or 3.  */
static void
fill (const tns_region *region, block *memory, tns_argument *argument,
      long long size)
{
  memset (memory, 0, sizeof (block) * MOST_PARAMS);
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      argument[k].base = memory[k].bytes;
      argument[k].hi = ELEMENTS;
      if (sym->kind != TNS_SYM_VALUE)
        for (int e = 0; e < ELEMENTS; e++)
          set_element (&memory[k], sym, e, (e * 7 + k) % 11 % 6);
      else if (sym->type.elem == TNS_I64)
        memcpy (memory[k].bytes, &size, sizeof size);
      else
        set_element (&memory[k], sym, 0, 3);
      argument[k].value.s = size;
      if (sym->kind == TNS_SYM_VALUE && tns_elem_is_float (sym->type.elem))
        argument[k].value.f = 3;
    }
}

/* Run REGION both ways with N = SIZE.  */
static bool
agrees (tns_region *region, compiled call, long long size)
{
  static block ours[MOST_PARAMS];
  static block theirs[MOST_PARAMS];
  tns_argument argument[MOST_PARAMS] = { 0 };
  tns_eval_options options = { .check_guards = true };
  tns_counts counts;
  const tns_node *where;
  void *pointer[MOST_PARAMS];
  fill (region, theirs, argument, size);
  fill (region, ours, argument, size);
  for (int k = 0; k < MOST_PARAMS; k++)
    pointer[k] = theirs[k].bytes;
  tns_eval_status status
    = tns_region_eval (region, argument, &options, &counts, &where);
  bool took = call (pointer) != 0;
  if (took != (status == TNS_EVAL_OK) || (!took && status != TNS_EVAL_GUARD))
    return false;
  for (int k = 0; k < region->n_params; k++)
    for (int e = 0; e < ELEMENTS; e++)
      {
        int bytes = tns_elem_bytes (region->params[k]->type.elem);
        int used = region->params[k]->type.elem == TNS_F80 ? 10 : bytes;
        if (memcmp (ours[k].bytes + e * bytes, theirs[k].bytes + e * bytes,
                    (size_t) used))
          return false;
      }
  return true;
}

/* Row K of the library LOADED, over sizes.  */
static bool
check (tns_ctx *ctx, void *loaded, int k)
{
  static const int sizes[] = { 0, 1, 2, 5, 16, 33 };
  tns_region *region = parse_row (ctx, k);
  compiled call;
  void *found = dlsym (loaded, tns_arena_format (ctx->arena, "call_r%d", k));
  memcpy (&call, &found, sizeof call);
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    if (!agrees (region, call, sizes[s]))
      {
        fprintf (stderr, "FAIL: %s, N = %d\n", rows[k].shown, sizes[s]);
        return false;
      }
  return true;
}

/* The text of all rows; *FAILURES counts those without their words.  */
static const char *
print_rows (tns_ctx *ctx, int *failures)
{
  tns_text all = tns_text_new (ctx->arena);
  for (int k = 0; k < N_ROWS; k++)
    {
      tns_text one = tns_text_new (ctx->arena);
      tns_region *region = parse_row (ctx, k);
      tns_c99_print (ctx, &one, region, NULL);
      if (!strstr (tns_text_chars (&one), rows[k].words))
        {
          fprintf (stderr, "FAIL: %s: no %s in\n%s", rows[k].shown,
                   rows[k].words, tns_text_chars (&one));
          ++*failures;
        }
      tns_text_add (&all, tns_text_chars (&one));
      add_caller (&all, region);
    }
  return tns_text_chars (&all);
}

int
main (void)
{
  char folder[] = "/tmp/c99-test-XXXXXX";
  char command[64];
  int failures = 0;
  tns_ctx *ctx = agree_ctx ("avx512");
  if (!mkdtemp (folder))
    return 1;
  void *loaded = compile (folder, print_rows (ctx, &failures));
  for (int k = 0; loaded && k < N_ROWS; k++)
    failures += !check (ctx, loaded, k);
  snprintf (command, sizeof command, "rm -r %s", folder);
  if (!getenv ("KEEP") && system (command))
    failures++;
  tns_ctx_free (ctx);
  return !loaded || failures != 0;
}
