/* Do two outputs of one program agree?  Numbers may differ a little, runs of
   blanks in their length; all else must be equal.  */

#include "compare.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether a number begins at P, which is not the middle of a word.  */
static bool
number_begins (const char *start, const char *p)
{
  if (p > start && (isalnum ((unsigned char) p[-1]) || p[-1] == '_'))
    return false;
  p += *p == '-' || *p == '+';
  p += *p == '.';
  return isdigit ((unsigned char) *p);
}

/* Step over the numbers at *A and *B; whether they are equal enough: within
   TOLERANCE of the larger, or of a thousandth near zero.  */
static bool
numbers_agree (const char **a, const char **b, double tolerance)
{
  char *end_a, *end_b;
  double x = strtod (*a, &end_a), y = strtod (*b, &end_b);
  double size = fmax (fmax (fabs (x), fabs (y)), 1e-3);
  *a = end_a;
  *b = end_b;
  return x == y || fabs (x - y) <= tolerance * size;
}

/* The line that holds P, cut to 60 characters, without its end.  */
static const char *
line_at (char text[61], const char *start, const char *p)
{
  while (p > start && p[-1] != '\n')
    p--;
  snprintf (text, 61, "%.*s", (int) strcspn (p, "\n"), p);
  return text;
}

/* The sentence about A and B that differ at P and Q.  */
static char *
describe (const char *a, const char *p, const char *b, const char *q)
{
  char one[61], other[61], *text = malloc (256);
  int line = 1;
  for (const char *c = a; c < p; c++)
    line += *c == '\n';
  if (text)
    snprintf (text, 256, "line %d: '%s' became '%s'", line, line_at (one, a, p),
              line_at (other, b, q));
  return text;
}

char *
compare_outputs (const char *a, const char *b, double tolerance)
{
  const char *p = a, *q = b;
  while (*p || *q)
    {
      const char *at_p = p, *at_q = q;
      bool agree;
      if (number_begins (a, p) && number_begins (b, q))
        agree = numbers_agree (&p, &q, tolerance);
      else if (isblank ((unsigned char) *p) || isblank ((unsigned char) *q))
        {
          p += strspn (p, " \t");
          q += strspn (q, " \t");
          agree = true;
        }
      else
        {
          agree = *p == *q;
          p += *p != 0;
          q += *q != 0;
        }
      if (!agree)
        return describe (a, at_p, b, at_q);
    }
  return NULL;
}
