/* Regions as programs of their own: each compiles without a warning, runs
   within its arrays under the address sanitizer, where there is one, and tells
   its time; the text says how far arrays reach and what they hold.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agree.h"
#include "driver/alone.h"

/* shown  what the row shows
   head   declarations; n and m are I64 VALUEs
   body   statements
   words  that must stand in the text, NULL behind the last  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  const char *words[3];
} row;

#define XY "array f32 x[] const; array f32 y[]; "

static const row rows[] = {
  { "a sum",
    "array f32 x[] const; cell f32 s; ",
    "for i = 0 to n { s += x[i]; }",
    { "bench_last_x = bench_most (bench_first_x + 1, n >= 1", "last_s = 1;" } },
  { "elements before the first",
    XY,
    "for i = 0 to n { y[i] = x[i - 3] + x[i + 4]; }",
    { "bench_least (0, n >= 1 ? -3L : 0L)", "n + 4)" } },
  { "a shape with a stride",
    "array f32 x[][m]; ",
    "for i = 0 to n { for j = 0 to 5 { x[i][j] *= 2.0f32; } }",
    { "const long m = GIVEN_m;", "x[i * m + j]" } },
  { "a gather",
    XY "array i32 c[] const; ",
    "for i = 0 to n { y[i] = x[i64(c[i])]; }",
    { "n >= 1 && places >= 1", "% bench_places" } },
  { "places below others",
    XY "array i64 a[] const; array i64 b[] const; ",
    "for i = 0 to n { y[i] = x[a[i] - b[i]]; }",
    { "bench_first_x = bench_least (0,", "? 1 - places : 0L)" } },
  { "places of a byte",
    "array i32 h[]; array i8 c[] const; ",
    "for i = 0 to n { h[i64(c[i])] += 1i32; }",
    { "bench_places < 128 ? bench_places : 128" } },
  { "a place in a variable",
    XY "array i32 c[] const; ",
    "for i = 0 to n { local i32 k; k = c[i]; y[i64(k)] += x[i]; }",
    { "bench_last_y = bench_most (bench_first_y + 1, n >= 1 && places >= 1" } },
  { "compressed rows",
    XY "array i32 p[] const; array i32 c[] const; array f32 v[] const; ",
    "for i = 0 to n { for k = i64(p[i]) to i64(p[i + 1]) "
    "{ y[i] += v[k] * x[i64(c[k])]; } }",
    { "bench_array_p[k] = (int) (16 * k);", "n * 16",
      "bench_flops = n >= 0 ? 32.0 * (double) n" } },
  { "a bound that is a place, too",
    XY "array i32 p[] const; ",
    "for i = 0 to n { for k = i64(p[i]) to i64(p[i + 1]) "
    "{ y[i64(p[i])] += x[k]; } }",
    { "bench_array_p[k] = (int) (16 * k);", "n * 16 - 15" } },
  { "a condition on data",
    XY,
    "for i = 0 to n { if (x[i] > 1.0f32) { y[2 * i] = x[i]; } "
    "else { y[i] = 0.0f32; } }",
    { "n * 2 - 1", "at most " } },
  { "a condition on sizes",
    XY,
    "for i = 0 to n { if (i < m) { y[i] = x[m - i]; } }",
    { NULL } },
  { "what is not known",
    XY,
    "for i = 0 to n { for j = 0 to m { y[i] += x[i * j]; } }",
    { "-DELEMENTS_x=N says so", "bench_last_x = ELEMENTS_x;" } },
  { "arrays of its own",
    XY,
    "local f32 t[n]; for i = 0 to n { t[i] = x[i] * 2.0f32; } "
    "for j = 0 to n { y[j] = t[n - 1 - j]; }",
    { "malloc", "int\nr_alone" } },
  { "places in an array of its own",
    XY "array i32 c[] const; ",
    "local f32 t[8]; for i = 0 to 8 { t[i] = x[i]; } "
    "for j = 0 to n { y[j] = t[i64(c[j])]; }",
    { "<= 8", "bench_once = 0" } },
  { "places in rows",
    "array f32 x[][m] const; array f32 y[]; array i32 c[] const; ",
    "for i = 0 to n { y[i] = x[i][i64(c[i])]; }",
    { "n * m + places - m" } },
  { "places that the region changes",
    XY "array i32 c[]; ",
    "for i = 0 to n { y[i64(c[i])] = x[i]; c[i] += 1i32; }",
    { "-DELEMENTS_y=N", "bench_once = 1" } },
  { "no arrays", "cell i32 s; ", "s = 3i32;", { NULL } },
  { "numbers of all kinds",
    "array u16 h[]; array u8 b[]; array f64 d[]; value f32 f; value bool t; ",
    "for i = 0 to n { h[i] += 1u16; b[i] *= 2u8; "
    "d[i] = (t ? f64(f) : d[i]); }",
    { "0x3f80 + k % 7", "GIVEN_f 1" } },
};

enum
{
  N_ROWS = sizeof rows / sizeof *rows
};

/* The program of ROW.  */
static const char *
program (tns_ctx *ctx, const row *r)
{
  tns_text text = tns_text_new (ctx->arena);
  tns_region *region = agree_parse (
    ctx, tns_arena_format (ctx->arena,
                           "region r { value i64 n; value i64 m; %s { %s } }",
                           r->head, r->body));
  tns_c99_bench (ctx, &text, tns_alone (ctx, region));
  return tns_text_chars (&text);
}

/* Whether gcc has the address sanitizer.  */
static bool
has_sanitizer (const char *folder)
{
  char command[512];
  snprintf (command, sizeof command,
            "cd %s && echo 'int main (void) { return 0; }' >s.c && "
            "${CC:-gcc} -fsanitize=address,undefined s.c -o s 2>/dev/null && "
            "./s",
            folder);
  return system (command) == 0;
}

/* Whether CHARS compiles in FOLDER with SWITCHES, and runs.  */
static bool
runs (const char *folder, const char *chars, const char *switches)
{
  char name[256], command[1024], line[256] = "";
  snprintf (name, sizeof name, "%s/r.c", folder);
  FILE *file = fopen (name, "w");
  fputs (chars, file);
  fclose (file);
  snprintf (command, sizeof command,
            "cd %s && ${CC:-gcc} -std=gnu11 -Wall -Werror -Wno-unknown-pragmas "
            "-O1 %s -DGIVEN_n=20 -DGIVEN_m=12 r.c -o r -lm && "
            "./r",
            folder, switches);
  FILE *told = popen (command, "r");
  bool is_told = told && fgets (line, sizeof line, told);
  bool ended = told && pclose (told) == 0;
  return is_told && ended && strstr (line, "r n=20 m=12") == line
         && strstr (line, ": median ");
}

int
main (void)
{
  char folder[] = "/tmp/alone-test-XXXXXX", command[64];
  int failures = 0;
  tns_ctx *ctx = agree_ctx ("avx2");
  if (!mkdtemp (folder))
    return 1;
  const char *switches = has_sanitizer (folder)
                           ? "-fsanitize=address,undefined "
                             "-fno-sanitize-recover"
                           : "";
  for (int k = 0; k < N_ROWS; k++)
    {
      const char *chars = program (ctx, &rows[k]);
      bool right = runs (folder, chars, switches);
      for (int w = 0; w < 3 && rows[k].words[w]; w++)
        right = right && strstr (chars, rows[k].words[w]);
      if (!right)
        fprintf (stderr, "FAIL: %s:\n%s", rows[k].shown, chars);
      failures += !right;
    }
  snprintf (command, sizeof command, "rm -r %s", folder);
  if (system (command))
    failures++;
  tns_ctx_free (ctx);
  return failures != 0;
}
