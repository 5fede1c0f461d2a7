/* ir/verify: each row breaks one invariant of the list at its head; what is
   whole is let through.  */

#define _GNU_SOURCE

#include "ir/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verdict.h"

/* body stands in a region over  i64 n; f32 A[n]; i32 X[n]; f32 c[n] const;
   cells f64 s, bool b.  invariant 0: nothing is wrong.  */
static const struct
{
  int invariant;
  const char *body;
} rows[] = {
  { 0, "for i = 0 to n simd(8) reduce(add: s) { s += f64(A[i]); }" },
  { 0, "local f32 t[4]; t[0] = A[0]; { local f32 q; q = 1.0f32; }" },
  { 0, "for i = 0 to n { } for i = 0 to n { A[i] = 1.0f32; }" },
  { 0, "b land= n > 3; b = !b & (n == 3);" },
  { 3, "for i = 0 to n { } A[i] = 1.0f32;" },
  { 4, "A[X[0]] = 1.0f32;" },
  { 4, "{ local f32 t[4]; t[0] = A[0]; } A[0] = t[0];" },
  { 4, "A[0]:f32x4 = masked:f32x4(A[0], splat:boolx8(b));" },
  { 4, "A[0] = A[iota:i64x4(0)];" },
  { 5, "A[past_line(A[X[0]])] = 1.0f32;" },
  { 0, "A[past_line(A[n])] = 1.0f32;" },
  { 11, "A[0] = past_line(A[0]);" },
  { 5, "s = s % s;" },
  { 5, "A[0] = sin(A[0]) & A[0];" },
  { 5, "X[0] = sqrt(X[0]);" },
  { 5, "b = b + b;" },
  { 5, "A[0]:f32x4 = f32x4(A[0]);" },
  { 5, "A[0]:f32x4 = splat:f32x4(s);" },
  { 5, "A[0] = reduce_add(A[0]);" },
  { 9, "for i = 0 to n { for i = 0 to n { A[i] = 1.0f32; } }" },
  { 9, "for i = 0 to n step 0 { }" },
  { 9, "for i = 0 to 3i32 { }" },
  { 3, "for i = 0 to i { }" },
  { 10, "for i = 0 to n simd(100) { }" },
  { 10, "for i = 0 to n collapse(2) { s = 1.0f64; }" },
  { 11, "c[0] = 1.0f32;" },
  { 11, "A[0] = s;" },
  { 11, "A[0] lt= A[0];" },
  { 11, "A[0] land= A[0];" },
  { 11, "where (splat:boolx4(b)) A[0] = 1.0f32;" },
  { 12, "if (splat:boolx4(b)) { }" },
  { 13, "local f32 t; local f32 t; t = 1.0f32;" },
  { 20, "S1: s = 1.0f64; S1: s = 2.0f64;" },
};

/* Whole regions.  */
static const struct
{
  int invariant;
  const char *text;
} regions[] = {
  { 16, "region r { value i64 n; cell f32 s; params n n s; {} }" },
  { 3, "region r { value i64 n; value i64 m; params n; "
       "{ local f32 t[m]; } }" },
  { 17, "region r { value f32 x; array f32 A[x]; {} }" },
  { 4, "region r { array i64 A[4]; array f32 B[A[0]]; {} }" },
  { 18, "region r { value i64 n; assume n + 1; {} }" },
  { 18, "region r { value i64 n; flops n; {} }" },
  { 0, "region r { value i64 n; array f32 A[n]; span A 0 to n; "
       "assume n > 0; flops f64(n); {} }" },
};

/* The number of the invariant that TEXT breaks, 0 for none.  */
static int
broken_by (const char *text)
{
  tns_ctx *ctx = verdict_ctx (TNS_FP_STRICT);
  char *told = NULL;
  size_t length = 0;
  ctx->dump = open_memstream (&told, &length);
  tns_region *region = verdict_region (ctx, text);
  tns_region *verified = tns_region_verify (ctx, region, "extract");
  fclose (ctx->dump);
  int number = 0;
  const char *word = strstr (told, "invariant ");
  if (word)
    number = atoi (word + strlen ("invariant "));
  bool agrees = (verified == NULL) == (number != 0)
                && (ctx->status == TNS_FAILED) == (number != 0);
  free (told);
  tns_ctx_free (ctx);
  return agrees ? number : -1;
}

/* TEXT breaks INVARIANT.  */
static void
check (int invariant, const char *shown, const char *text)
{
  int number = broken_by (text);
  verdict (number == invariant, "invariant %d: %s", number, shown);
}

int
main (void)
{
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    {
      char text[1000];
      snprintf (text, sizeof text,
                "region r { value i64 n; array f32 A[n]; array i32 X[n]; "
                "array f32 c[n] const; cell f64 s; cell bool b; { %s } }",
                rows[k].body);
      check (rows[k].invariant, rows[k].body, text);
    }
  for (size_t k = 0; k < sizeof regions / sizeof *regions; k++)
    check (regions[k].invariant, regions[k].text, regions[k].text);
  verdict (tns_region_verify (NULL, NULL, "x") == NULL, "NULL gives NULL");
  return verdict_status ();
}
