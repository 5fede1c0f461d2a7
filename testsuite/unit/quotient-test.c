/* Quotients of small integers by constants: what takes the division's place
   gives the same bits, and what cannot is left.  */

#include <math.h>
#include <stdio.h>

#include "agree.h"
#include "lowering/quotient.h"

/* elem      of the quotient
   from      the integer that is divided, through int when wide
   divisor
   is_left   a division it stays  */
typedef struct row
{
  tns_elem elem;
  tns_elem from;
  bool wide;
  long double divisor;
  bool is_left;
} row;

static const row rows[] = {
  { TNS_F32, TNS_U8, true, 255, false },
  { TNS_F32, TNS_U8, false, 2, false },
  { TNS_F32, TNS_I8, true, -127, false },
  { TNS_F32, TNS_I16, true, 32768, false },
  { TNS_F32, TNS_U16, true, 65535, false },
  { TNS_F64, TNS_U8, true, 3, false },
  { TNS_F64, TNS_I16, false, 0.1L, false },
  { TNS_F32, TNS_I32, false, 255, true },
  { TNS_F32, TNS_F32, false, 255, true },
  { TNS_F32, TNS_U8, true, 0, true },
  { TNS_F32, TNS_U8, true, (long double) INFINITY, true },
  { TNS_F64, TNS_U8, true, (long double) NAN, true },
  { TNS_F32, TNS_I16, true, 1e-45L, true },
};

/* ROW is as it should be.  */
static bool
check (tns_ctx *ctx, const row *r)
{
  tns_sym *sym = TNS_NEW (ctx->arena, tns_sym);
  sym->type = tns_scalar (r->from);
  tns_expr *a = tns_value (ctx->arena, sym);
  if (r->wide)
    a = tns_cast (ctx->arena, tns_scalar (TNS_I32), a);
  if (!tns_elem_is_float (r->from))
    a = tns_cast (ctx->arena, tns_scalar (r->elem), a);
  bool is_left
    = tns_quotient_of (a, r->elem, r->divisor) == TNS_QUOTIENT_DIVIDED;
  return is_left == r->is_left;
}

int
main (void)
{
  tns_ctx *ctx = agree_ctx ("avx512");
  int failures = 0;
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
    if (!check (ctx, &rows[k]))
      {
        fprintf (stderr, "FAIL: by %Lg\n", rows[k].divisor);
        failures++;
      }
  tns_ctx_free (ctx);
  return failures != 0;
}
