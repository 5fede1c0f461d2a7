/* Random nests through registers, vectors and promote: the same memory.

   The nests are free where they are marked, by their making: arrays are
   stored to at [i][j] only and read elsewhere only when nobody stores to
   them; cells are updated with one operator each.  Floating values stay
   small whole numbers, so that the order of sums does not matter.  */

#include <stdio.h>
#include <stdlib.h>

#include "agree.h"
#include "base/text.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "lowering/promote.h"
#include "lowering/registers.h"
#include "lowering/vectors.h"

#define NESTS 400

/* seed    of the next random number
   inner   a loop over k is around the statement
   n_locals  f32 locals l0, l1, ... and i32 locals n0, n1, ... in scope  */
typedef struct maker
{
  tns_text text;
  unsigned seed;
  bool inner;
  int n_locals;
} maker;

/* A number below N.  */
static int
below (maker *m, int n)
{
  m->seed = m->seed * 1664525U + 1013904223U;
  return (int) ((m->seed >> 10) % (unsigned) n);
}

/* One of two words.  */
static const char *
either (maker *m, const char *a, const char *b)
{
  return below (m, 2) ? a : b;
}

static const char *const int_ops[] = { "+", "-", "*", "&", "|", "^" };
static const char *const int_calls[] = { "min", "max" };

/* An integer.  */
static void
add_int (maker *m, int depth)
{
  tns_text *t = &m->text;
  switch (depth > 0 ? 5 + below (m, 5) : below (m, 5))
    {
    case 0:
      tns_text_format (t, "a[j + %d]", below (m, 4));
      break;
    case 1:
      tns_text_format (t, "b[%s + %d][j + %d]", m->inner ? "k" : "i",
                       below (m, 3), below (m, 4));
      break;
    case 2:
      tns_text_format (t, "%di32", below (m, 9) - 4);
      break;
    case 3:
      if (m->n_locals)
        tns_text_format (t, "n%d", below (m, m->n_locals));
      else
        tns_text_add (t, "i32(j)");
      break;
    case 4:
      tns_text_format (t, "a[%s + 1]", m->inner ? "k" : "i");
      break;
    case 5:
      tns_text_format (t, "%s(", int_calls[below (m, 2)]);
      add_int (m, depth - 1);
      tns_text_add (t, ", ");
      add_int (m, depth - 1);
      tns_text_add (t, ")");
      break;
    case 6:
      tns_text_add (t, "(a[j] != 0i32 ? 17i32 / a[j] : ");
      add_int (m, depth - 1);
      tns_text_add (t, ")");
      break;
    default:
      tns_text_add (t, "(");
      add_int (m, depth - 1);
      tns_text_format (t, " %s ", int_ops[below (m, 6)]);
      add_int (m, depth - 1);
      tns_text_add (t, ")");
      break;
    }
}

/* A condition.  */
static void
add_cond (maker *m)
{
  static const char *const ops[] = { "<", "<=", ">", ">=", "==", "!=" };
  add_int (m, 1);
  tns_text_format (&m->text, " %s ", ops[below (m, 6)]);
  add_int (m, 1);
  if (below (m, 4))
    return;
  tns_text_format (&m->text, " %s ", either (m, "&&", "||"));
  tns_text_format (&m->text, "x[j + %d] > 0.0f32", below (m, 4));
}

/* A floating value.  */
static void
add_float (maker *m, int depth)
{
  tns_text *t = &m->text;
  switch (depth > 0 ? 4 + below (m, 5) : below (m, 5))
    {
    case 0:
      tns_text_format (t, "x[j + %d]", below (m, 4));
      break;
    case 1:
      tns_text_format (t, "m[%s][j + %d]", m->inner ? "k" : "i + 1",
                       below (m, 4));
      break;
    case 2:
      tns_text_format (t, "x[%s]", m->inner ? "k" : "i");
      break;
    case 3:
      if (m->n_locals)
        tns_text_format (t, "l%d", below (m, m->n_locals));
      else
        tns_text_add (t, "2.0f32");
      break;
    case 4:
      tns_text_add (t, "f32(a[j + 1])");
      break;
    case 5:
      tns_text_add (t, "(");
      add_cond (m);
      tns_text_add (t, " ? ");
      add_float (m, 0);
      tns_text_add (t, " : ");
      add_float (m, depth - 1);
      tns_text_add (t, ")");
      break;
    default:
      tns_text_add (t, "(");
      add_float (m, depth - 1);
      tns_text_format (t, " %s ", below (m, 3) ? "*" : "+");
      add_float (m, depth - 1);
      tns_text_add (t, ")");
      break;
    }
}

/* A statement.  */
static void
add_statement (maker *m, int depth)
{
  tns_text *t = &m->text;
  switch (below (m, depth > 0 ? 7 : 5))
    {
    case 0:
      tns_text_format (t, "z[i][j] %s ", m->inner ? "+=" : "=");
      add_float (m, 1);
      break;
    case 1:
      tns_text_add (t, "z[i][j] max= ");
      add_float (m, 1);
      break;
    case 2:
      tns_text_format (t, "q[i][j] %s ", either (m, "+=", "^="));
      add_int (m, 2);
      break;
    case 3:
      tns_text_add (t, "s += ");
      add_int (m, 2);
      break;
    case 4:
      tns_text_add (t, "u max= ");
      add_float (m, 1);
      break;
    default:
      tns_text_add (t, "if (");
      add_cond (m);
      tns_text_add (t, ") {\n");
      add_statement (m, depth - 1);
      if (below (m, 2))
        {
          tns_text_add (t, "} else {\n");
          add_statement (m, depth - 1);
        }
      tns_text_add (t, "}\n");
      return;
    }
  tns_text_add (t, ";\n");
}

/* Statements, with locals in front and a loop over k around some.  */
static void
add_body (maker *m, bool k_outside)
{
  tns_text *t = &m->text;
  m->inner = k_outside;
  m->n_locals = 0;
  for (int n = below (m, 3); n > 0; n--)
    {
      tns_text_format (t, "local f32 l%d; l%d = ", m->n_locals, m->n_locals);
      add_float (m, 0);
      tns_text_format (t, ";\nlocal i32 n%d; n%d = ", m->n_locals, m->n_locals);
      add_int (m, 1);
      tns_text_add (t, ";\n");
      m->n_locals++;
    }
  if (!k_outside && !below (m, 3))
    {
      m->inner = true;
      tns_text_format (t, "for k = 0 to %s {\n", either (m, "N", "3"));
      for (int n = 1 + below (m, 2); n > 0; n--)
        add_statement (m, 1);
      tns_text_add (t, "}\n");
      m->inner = false;
    }
  for (int n = 1 + below (m, 3); n > 0; n--)
    add_statement (m, 2);
}

/* for V = ... with bounds of a random kind.  */
static void
add_loop (maker *m, const char *v, const char *tile)
{
  static const char *const bounds[]
    = { "0 to N", "1 to N", "0 to N - 1", "0 to 7", "0 to 32", "2 to N - 3" };
  if (tile)
    tns_text_format (&m->text, "for %s = %s to min(%s + %s, N)", v, tile, tile,
                     below (m, 2) ? "8" : "32");
  else
    tns_text_format (&m->text, "for %s = %s", v, bounds[below (m, 6)]);
}

/* A region.  */
static const char *
make (maker *m)
{
  tns_text *t = &m->text;
  tns_text_add (t, "region r { value i64 N;"
                   " array i32 a[N + 40] const; array f32 x[N + 40] const;"
                   " array i32 b[N + 40][N + 40] const;"
                   " array f32 m[N + 40][N + 40] const;"
                   " array i32 q[N + 40][N + 40];"
                   " array f32 z[N + 40][N + 40];"
                   " cell i32 s; cell f32 u; {\n");
  bool tiled = !below (m, 3), k_outside = !below (m, 3);
  if (tiled)
    tns_text_add (t, "for c = 0 to N step 8 { for d = 0 to N step 32 {\n");
  if (k_outside && below (m, 2))
    {
      tns_text_add (t, "for k = 0 to N {\n");
      add_loop (m, "i", tiled ? "c" : NULL);
    }
  else
    {
      add_loop (m, "i", tiled ? "c" : NULL);
      if (k_outside)
        tns_text_format (t, " unroll(%d) { for k = 0 to N", 2 + below (m, 6));
    }
  tns_text_format (t, " unroll(%d) {\n", k_outside ? 0 : below (m, 9));
  add_loop (m, "j", tiled ? "d" : NULL);
  tns_text_format (t, " simd(%d) unroll(%d) accumulators(%d)",
                   1 + below (m, 16), below (m, 4), below (m, 4));
  tns_text_add (t, " reduce(add: s) reduce(max: u) {\n");
  add_body (m, k_outside);
  tns_text_add (t, k_outside ? "} } }" : "} }");
  tns_text_add (t, tiled ? "} } } }" : "} }");
  return tns_text_chars (t);
}

/* Nest NUMBER; *CHANGED when it got lanes.  */
static bool
check (unsigned number, int *changed)
{
  static const char *const machines[] = { "avx512", "avx2", "sse2" };
  tns_ctx *ctx = agree_ctx (machines[number % 3]);
  maker m = { .text = tns_text_new (ctx->arena), .seed = number * 2654435761U };
  tns_region *in = agree_parse (ctx, make (&m));
  tns_region *out = tns_region_registers (ctx, in);
  tns_made made = { 0 };
  out = tns_region_vectors (ctx, out, &made);
  *changed
    += agree_count (out, TNS_SPLAT, true) + agree_count (out, TNS_LOAD, true)
       > 0;
  out = tns_region_promote (ctx, out);
  bool ok = tns_region_verify (ctx, out, "promote") != NULL;
  ok = ok && agree (in, out, below (&m, 4), number)
       && agree (in, out, 5 + below (&m, number % 4 ? 14 : 36), number);
  if (!ok)
    {
      tns_region_debug (in);
      tns_region_debug (out);
      fprintf (stderr, "FAIL: nest %u\n", number);
    }
  tns_ctx_free (ctx);
  return ok;
}

int
main (int argc, char **argv)
{
  int changed = 0, n = argc > 1 ? atoi (argv[1]) : NESTS;
  for (int k = 0; k < n; k++)
    if (!check ((unsigned) k, &changed))
      return 1;
  printf ("%d of %d nests got lanes\n", changed, n);
  return changed * 10 < n * 3;
}
