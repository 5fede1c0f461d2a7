/* Claims that are told, and counted (expect.h).  */

#include "expect.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int failures;

void
expect (bool claim, const char *name, ...)
{
  va_list arguments;
  va_start (arguments, name);
  printf ("%s: ", claim ? "PASS" : "FAIL");
  vprintf (name, arguments);
  printf ("\n");
  va_end (arguments);
  failures += !claim;
}

int
expect_status (void)
{
  return failures > 0;
}

/* Whether X and Y are as near as BOUND says.  */
static bool
is_near (double x, double y, double bound)
{
  if (isnan (x) || isnan (y))
    return isnan (x) && isnan (y);
  return x == y || fabs (x - y) <= bound * fmax (1, fabs (y));
}

bool
expect_close (const trm_tensor *a, const trm_tensor *b, double bound)
{
  if (!a || !b || a->type != b->type || !trm_same_shape (a, b))
    return false;
  int64_t n = trm_count (a);
  for (int64_t i = 0; i < n; i++)
    {
      int64_t at[TRM_RANK], rest = i;
      for (int k = a->rank - 1; k >= 0; k--)
        {
          at[k] = rest % a->extent[k];
          rest /= a->extent[k];
        }
      if (!is_near (trm_get (a, a->rank, at), trm_get (b, b->rank, at), bound))
        return false;
    }
  return true;
}

bool
expect_failed (trm_status status, const char *text)
{
  bool failed = trm_error () == status && strstr (trm_message (), text);
  trm_forget_error ();
  return failed;
}
