/* Tensors as text, as NumPy prints arrays: by default 8 digits, lines of 75
   columns, and of more than 1000 elements 3 at each end of an axis.

   The elements that are printed are looked at first; all of them then have the
   same columns:

     values   | ends and kinds | -> with exponent or without
     columns  | widest parts   | -> left and right of the point
     lines    [[ 1.   2.5]
               [10.  -0. ]]  */

#include "decimal.h"
#include "tensor.h"

#include <math.h>
#include <string.h>

#define WIDTH    75
#define MANY     1000
#define EDGE     3
#define PLACES   8
#define MOST_ROW 256
#define WORD     64

/* How the elements of a tensor are written.

   finite, not_finite, minus_infinity  some are
   least, most  absolute values of those that are finite and not 0
   exponent     as 1.5e+10
   left, right  columns before and behind the point; of whole numbers LEFT
   places       digits behind the point, at most; with an exponent exactly
   power        digits of the exponent  */
typedef struct style
{
  trm_type type;
  bool finite, not_finite, minus_infinity;
  double least, most;
  bool exponent;
  int left, right, places, power;
} style;

/* The parts of a number: 1, 5, e+10.  */
typedef struct parts
{
  char whole[WORD];
  char fraction[WORD];
  char power[WORD];
} parts;

/* A tensor that is being printed: the row that is not written yet.  */
typedef struct printer
{
  FILE *file;
  const trm_tensor *t;
  bool summary;
  style style;
  int length;
  char row[MOST_ROW];
} printer;

/* From when on numbers of TYPE have an exponent: its decimal digits, 8 at
   most.  */
static double
most_without_exponent (trm_type type)
{
  return type == TRM_F64   ? 1e8
         : type == TRM_F32 ? 1e6
         : type == TRM_F16 ? 1e3
                           : 1e2;
}

/* See the floating element AT: its value counts.  */
static void
see_value (style *s, const void *at)
{
  double value = trm_element_get (s->type, at), size = fabs (value);
  if (!isfinite (value))
    {
      s->not_finite = true;
      s->minus_infinity |= isinf (value) && value < 0;
      return;
    }
  s->finite = true;
  if (size == 0)
    return;
  s->least = s->most == 0 || size < s->least ? size : s->least;
  s->most = size > s->most ? size : s->most;
}

/* Whether what was seen is written with exponents.  */
static bool
needs_exponent (const style *s)
{
  return s->most > 0
         && (s->most >= most_without_exponent (s->type)
             || s->least < trm_rounded (s->type, 0.0001)
             || trm_rounded (s->type, s->most / s->least) > 1000);
}

/* VALUE with at most PLACES digits behind the point, of 1.5e+10 when EXPONENT,
   and without zeros at the end.  */
static trm_decimal
limited (trm_type type, double value, bool exponent, int places)
{
  trm_decimal d = trm_decimal_shortest (type, value);
  int front = exponent ? 1 : d.exponent + 1;
  if (d.n > front + places)
    d = trm_decimal_rounded (value, front + places);
  while (d.n > 1 && d.digit[d.n - 1] == '0')
    d.n--;
  return d;
}

/* VALUE with PLACES digits behind the first.  */
static trm_decimal
exactly (trm_type type, double value, int places)
{
  trm_decimal d = trm_decimal_shortest (type, value);
  return d.n == places + 1 ? d : trm_decimal_rounded (value, places + 1);
}

/* D as 1.5e+10, whose exponent has POWER digits.  */
static void
with_exponent (const trm_decimal *d, int power, parts *p)
{
  snprintf (p->whole, WORD, "%s%c", d->negative ? "-" : "", d->digit[0]);
  snprintf (p->fraction, WORD, "%.*s", d->n - 1, d->digit + 1);
  snprintf (p->power, WORD, "e%c%0*d", d->exponent < 0 ? '-' : '+', power,
            d->exponent < 0 ? -d->exponent : d->exponent);
}

/* D as 0.0015 or 1500: digit I stands for 10^(exponent - I).  */
static void
without_exponent (const trm_decimal *d, parts *p)
{
  char *whole = p->whole, *fraction = p->fraction;
  if (d->negative)
    *whole++ = '-';
  if (d->exponent < 0)
    *whole++ = '0';
  for (int i = 0; i <= d->exponent; i++)
    *whole++ = i < d->n ? d->digit[i] : '0';
  for (int i = d->exponent + 1; i < d->n; i++)
    *fraction++ = i < 0 ? '0' : d->digit[i];
  *whole = *fraction = p->power[0] = 0;
}

/* VALUE in parts: as it is measured, or when FINAL as it is written.  */
static void
split (const style *s, double value, bool final, parts *p)
{
  trm_decimal d = s->exponent && final
                    ? exactly (s->type, value, s->places)
                    : limited (s->type, value, s->exponent, s->places);
  if (s->exponent)
    with_exponent (&d, final ? s->power : 2, p);
  else
    without_exponent (&d, p);
}

/* *MOST := N when that is more.  */
static void
raise (int *most, size_t n)
{
  if ((int) n > *most)
    *most = (int) n;
}

/* See the floating element AT: the columns of its parts count.  */
static void
see_columns (style *s, const void *at)
{
  parts p;
  double value = trm_element_get (s->type, at);
  if (!isfinite (value))
    return;
  split (s, value, false, &p);
  raise (&s->left, strlen (p.whole));
  raise (&s->right, strlen (p.fraction));
  if (s->exponent)
    raise (&s->power, strlen (p.power) - 2);
}

/* See the whole or bool element AT.  */
static void
see_whole (style *s, const void *at)
{
  raise (&s->left,
         s->type == TRM_BOOL
           ? strlen ("False")
           : (size_t) snprintf (NULL, 0, "%lld",
                                (long long) trm_element_get_int (s->type, at)));
}

/* Columns for what has been seen, nan and inf included.  */
static void
settle (style *s)
{
  if (s->exponent && s->finite)
    {
      s->places = s->right;
      s->right += s->power + 2;
    }
  int wide = (s->minus_infinity ? 4 : 3) - (s->right + 1);
  if (s->not_finite && wide > s->left)
    s->left = wide;
}

/* The floating VALUE as a word of S's columns.  */
static void
write_float (const style *s, double value, char word[WORD])
{
  parts p;
  if (!isfinite (value))
    {
      snprintf (word, WORD, "%*s", s->left + s->right + 1,
                isnan (value) ? "nan"
                : value < 0   ? "-inf"
                              : "inf");
      return;
    }
  split (s, value, true, &p);
  int n
    = snprintf (word, WORD, "%*s.%s%s", s->left, p.whole, p.fraction, p.power);
  snprintf (word + n, (size_t) (WORD - n), "%*s", s->left + s->right + 1 - n,
            "");
}

/* The element AT as a word.  */
static void
write_element (const style *s, const void *at, char word[WORD])
{
  if (trm_type_is_float (s->type))
    write_float (s, trm_element_get (s->type, at), word);
  else if (s->type == TRM_BOOL)
    snprintf (word, WORD, "%*s", s->left,
              trm_element_get_int (s->type, at) ? "True" : "False");
  else
    snprintf (word, WORD, "%*lld", s->left,
              (long long) trm_element_get_int (s->type, at));
}

/* Whether of AXIS only the ends are printed.  */
static bool
is_cut (const printer *p, int axis)
{
  return p->summary && p->t->extent[axis] > 2 * EDGE;
}

/* The subscript of AXIS that is printed after I.  */
static int64_t
next_printed (const printer *p, int axis, int64_t i)
{
  return is_cut (p, axis) && i == EDGE - 1 ? p->t->extent[axis] - EDGE : i + 1;
}

/* The address of subscript I of AXIS from AT on.  */
static const char *
along (const printer *p, int axis, const char *at, int64_t i)
{
  return at + i * p->t->stride[axis] * (int64_t) trm_type_bytes (p->t->type);
}

/* SEE each element that is printed from AXIS on.  */
static void
look (printer *p, int axis, const char *at,
      void (*see) (style *s, const void *at))
{
  if (axis == p->t->rank)
    see (&p->style, at);
  else
    for (int64_t i = 0; i < p->t->extent[axis]; i = next_printed (p, axis, i))
      look (p, axis + 1, along (p, axis, at, i), see);
}

/* Find the style of P's tensor.  */
static void
find_style (printer *p)
{
  style *s = &p->style;
  *s = (style){ .type = p->t->type, .places = PLACES };
  if (!trm_type_is_float (s->type))
    {
      look (p, 0, p->t->at, see_whole);
      return;
    }
  look (p, 0, p->t->at, see_value);
  s->exponent = needs_exponent (s);
  look (p, 0, p->t->at, see_columns);
  settle (s);
}

/* Write the row that stands in P, without blanks at its end, and begin one
   behind INDENT blanks.  */
static void
break_row (printer *p, int indent)
{
  while (p->length > 0 && p->row[p->length - 1] == ' ')
    p->length--;
  fprintf (p->file, "%.*s\n%*s", p->length, p->row, indent, "");
  p->length = 0;
}

/* Put WORD into the row of P, which begins behind INDENT blanks.  */
static void
add_word (printer *p, const char *word, int indent)
{
  int n = (int) strlen (word);
  if (p->length && indent + p->length + n > WIDTH - indent)
    break_row (p, indent);
  memcpy (p->row + p->length, word, (size_t) n + 1);
  p->length += n;
}

/* Put a blank into the row of P.  */
static void
add_blank (printer *p)
{
  p->row[p->length++] = ' ';
}

/* Print the last axis, AXIS, from AT on.  */
static void
print_row (printer *p, int axis, const char *at)
{
  char word[WORD];
  int64_t n = p->t->extent[axis];
  p->length = 0;
  for (int64_t i = 0; i < n; i = next_printed (p, axis, i))
    {
      if (i)
        add_blank (p);
      if (i == n - EDGE && is_cut (p, axis))
        {
          add_word (p, "...", axis + 1);
          add_blank (p);
        }
      write_element (&p->style, along (p, axis, at, i), word);
      add_word (p, word, axis + 1);
    }
  fprintf (p->file, "%.*s", p->length, p->row);
}

/* The next of the parts of AXIS begins.  */
static void
next_line (const printer *p, int axis)
{
  for (int i = axis; i < p->t->rank - 1; i++)
    fputc ('\n', p->file);
  fprintf (p->file, "%*s", axis + 1, "");
}

/* Print AXIS and those behind it, from AT on.  */
static void
print_axis (printer *p, int axis, const char *at)
{
  int64_t n = p->t->extent[axis];
  fputc ('[', p->file);
  if (axis == p->t->rank - 1)
    print_row (p, axis, at);
  else
    for (int64_t i = 0; i < n; i = next_printed (p, axis, i))
      {
        if (i)
          next_line (p, axis);
        if (i == n - EDGE && is_cut (p, axis))
          {
            fprintf (p->file, "...");
            next_line (p, axis);
          }
        print_axis (p, axis + 1, along (p, axis, at, i));
      }
  fputc (']', p->file);
}

/* Print VALUE, the only element of a tensor of TYPE and rank 0.  */
static void
print_float (FILE *file, trm_type type, double value)
{
  parts p;
  double size = fabs (value);
  double most = type == TRM_F64 ? 1e16 : most_without_exponent (type);
  if (!isfinite (value))
    {
      fprintf (file, "%s", isnan (value) ? "nan" : value < 0 ? "-inf" : "inf");
      return;
    }
  trm_decimal d = trm_decimal_shortest (type, value);
  bool plain = size == 0 || (size >= 1e-4 && size < most);
  if (plain)
    without_exponent (&d, &p);
  else
    with_exponent (&d, 2, &p);
  bool point = plain || p.fraction[0];
  fprintf (file, "%s%s%s%s", p.whole, point ? "." : "",
           plain && !p.fraction[0] ? "0" : p.fraction, p.power);
}

void
trm_print (FILE *file, const trm_tensor *t)
{
  char word[WORD];
  printer p = { .file = file, .t = t };
  if (!t || !file)
    return;
  p.summary = trm_count (t) > MANY;
  if (t->rank > 0 && trm_count (t) == 0)
    fprintf (file, "[]");
  else if (t->rank > 0)
    {
      find_style (&p);
      print_axis (&p, 0, t->at);
    }
  else if (trm_type_is_float (t->type))
    print_float (file, t->type, trm_element_get (t->type, t->at));
  else
    {
      p.style = (style){ .type = t->type };
      write_element (&p.style, t->at, word);
      fprintf (file, "%s", word);
    }
  fputc ('\n', file);
}
