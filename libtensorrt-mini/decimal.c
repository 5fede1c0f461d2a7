/* Decimal digits of floating numbers, by the C library: digits are asked for
   until they are read back as the number.

   The nearest number of so many digits need not be one of those that are read
   back: below a power of two numbers lie closer.  There the next one above is
   tried, too:

     2^-44   5.684341886080801e-14   is read as the number below
             5.684341886080802e-14   is read as 2^-44  */

#include "decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double
trm_rounded (trm_type type, double value)
{
  uint64_t bits = 0;
  trm_element_set (type, &bits, value);
  return trm_element_get (type, &bits);
}

trm_decimal
trm_decimal_rounded (double value, int n)
{
  char text[2 * TRM_MOST_DIGITS];
  trm_decimal d = { .negative = signbit (value), .n = n };
  snprintf (text, sizeof text, "%.*e", n - 1, fabs (value));
  const char *mark = strchr (text, 'e');
  d.digit[0] = text[0];
  memcpy (d.digit + 1, mark - (n - 1), (size_t) (n - 1));
  d.exponent = atoi (mark + 1);
  return d;
}

/* Whether D is read back as VALUE by TYPE.  */
static bool
is_read_back (const trm_decimal *d, trm_type type, double value)
{
  char text[2 * TRM_MOST_DIGITS];
  snprintf (text, sizeof text, "%.*se%d", d->n, d->digit,
            d->exponent - d->n + 1);
  double read = type == TRM_F32 ? (double) strtof (text, NULL)
                                : trm_rounded (type, strtod (text, NULL));
  return read == fabs (value);
}

/* The next number above D of as many digits.  */
static trm_decimal
next_above (trm_decimal d)
{
  int i = d.n - 1;
  while (i >= 0 && d.digit[i] == '9')
    d.digit[i--] = '0';
  if (i >= 0)
    d.digit[i]++;
  else
    {
      d.digit[0] = '1';
      d.exponent++;
    }
  return d;
}

trm_decimal
trm_decimal_shortest (trm_type type, double value)
{
  int exponent;
  bool power = fabs (frexp (value, &exponent)) == 0.5;
  for (int n = 1; n < 17; n++)
    {
      trm_decimal d = trm_decimal_rounded (value, n);
      if (is_read_back (&d, type, value))
        return d;
      if (power)
        d = next_above (d);
      if (power && is_read_back (&d, type, value))
        return d;
    }
  return trm_decimal_rounded (value, 17);
}
