/* TRM_MODE=check: both versions of a region on the same inputs.

     before := copies of what the region may write    (trm_enter)
     the fused version runs
     after := copies; put before back                 (trm_between)
     the loops as written run, their results stay
     compare after with memory                        (trm_leave)

   Integers and truth values must be equal.  So must floating elements of
   regions compiled with fp (strict), bit for bit.  Elsewhere sums may have
   been reordered, and an element passes when the two values are

     within T units in the last place of each other, or
     closer than T / 16 times the type's epsilon times the root mean square
     of the array's finite elements (sums that cancel have no small relative
     error; their absolute error follows the terms)

   with T = TRM_TOLERANCE, 1024 unless set; 0 asks for equal values.  A sum of
   n terms is n units apart in the worst of orders: where the call has more
   than 1024 operations for each element of the span, T grows with them.  Two
   NaNs are equal.  Arrays that are temporary in the region are not compared.

   Of each call one line names the first element that differs, both values
   and their distance, and counts the rest; after REPORTS lines a region's
   calls are only counted.  A line at exit sums up.

   The compiler's span may be larger than what the loops reach, and than the
   memory that there is: what cannot be read makes a call one that could not
   be compared, and only what has changed is put back.

   It does not see stores outside the spans that the compiler lists, and
   expects no other thread to write into them meanwhile.  */

#define _GNU_SOURCE

#include "runtime.h"
#include "element.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define REPORTS 10
#define TERMS   1024

/* What rounding to 8 bits, and to 11, does to a sum, in units of what its order
   does.  */
#define COARSER_8  4096
#define COARSER_11 512

/* One span and its two copies.  */
typedef struct copy
{
  trm_span span;
  unsigned char *before;
  unsigned char *after;
} copy;

/* flops: the site's before the fused version ran, then what that added.  */
struct trm_copies
{
  int n;
  double flops;
  copy copy[];
};

/* What the comparison of a call found: elements compared and different, and
   the first that differs.  */
typedef struct finding
{
  int64_t compared;
  int64_t different;
  const copy *where;
  int64_t element;
} finding;

static long differences;

void
trm_check_free (trm_copies *copies)
{
  if (!copies)
    return;
  for (int i = 0; i < copies->n; i++)
    {
      free (copies->copy[i].before);
      free (copies->copy[i].after);
    }
  free (copies);
}

/* The kernel copies, which does not fault; where it must not, we do.  */
bool
trm_copy_if_there (void *to, const void *from, size_t bytes)
{
  enum
  {
    MOST = 1 << 30
  };
  for (size_t done = 0; done < bytes;)
    {
      size_t part = bytes - done < MOST ? bytes - done : MOST;
      struct iovec here = { (char *) to + done, part };
      struct iovec there = { (char *) from + done, part };
      ssize_t n = process_vm_readv (getpid (), &here, 1, &there, 1, 0);
      if (n < 0 && errno != EFAULT)
        memcpy (here.iov_base, there.iov_base, part), n = (ssize_t) part;
      if (n != (ssize_t) part)
        return false;
      done += part;
    }
  return true;
}

/* Put back what differs from BEFORE in C, in pieces.  */
static void
put_back (const copy *c)
{
  enum
  {
    PIECE = 256
  };
  size_t bytes = (size_t) c->span.bytes;
  unsigned char *base = c->span.base;
  for (size_t at = 0; at < bytes; at += PIECE)
    {
      size_t part = bytes - at < PIECE ? bytes - at : PIECE;
      if (memcmp (c->after + at, c->before + at, part))
        memcpy (base + at, c->before + at, part);
    }
}

/* Copy what SPAN covers to C; false when there is no memory.  */
static bool
fill_copy (copy *c, const trm_span *span)
{
  size_t bytes = span->bytes > 0 ? (size_t) span->bytes : 0;
  *c = (copy){ .span = *span };
  c->span.bytes = (int64_t) bytes;
  c->before = malloc (bytes + 1);
  c->after = malloc (bytes + 1);
  if (!c->before || !c->after)
    return false;
  return trm_copy_if_there (c->before, span->base, bytes);
}

trm_copies *
trm_check_begin (const trm_site *site, const trm_span *span, int n)
{
  if (n <= 0)
    return NULL;
  trm_copies *copies = calloc (1, sizeof *copies + (size_t) n * sizeof (copy));
  if (!copies)
    return NULL;
  copies->n = n;
  copies->flops = site->flops;
  for (int i = 0; i < n; i++)
    if (!fill_copy (&copies->copy[i], &span[i]))
      {
        trm_check_free (copies);
        return NULL;
      }
  return copies;
}

void
trm_check_between (const trm_site *site, trm_copies *copies)
{
  copies->flops = site->flops - copies->flops;
  for (int i = 0; i < copies->n; i++)
    {
      copy *c = &copies->copy[i];
      memcpy (c->after, c->span.base, (size_t) c->span.bytes);
    }
  for (int i = 0; i < copies->n; i++)
    put_back (&copies->copy[i]);
}

/* The root mean square of the finite elements that the loops as written
   left in C.  */
static long double
root_mean_square (const copy *c, const trm_element_type *type)
{
  long double sum = 0;
  const char *base = c->span.base;
  int64_t n = c->span.bytes / type->bytes, finite = 0;
  for (int64_t e = 0; e < n; e++)
    {
      long double x = trm_element_float (type, base + e * type->bytes);
      if (isfinite (x))
        {
          sum += x * x;
          finite++;
        }
    }
  return finite ? sqrtl (sum / (long double) finite) : 0;
}

/* Whether the floating elements at A and B are equal enough: TOLERANCE ulp,
   or FLOOR apart.  */
static bool
floats_pass (const trm_element_type *type, const void *a, const void *b,
             long double tolerance, long double floor)
{
  long double x = trm_element_float (type, a);
  long double y = trm_element_float (type, b);
  long double ulps = trm_element_ulps (type, x, y);
  return ulps <= tolerance || fabsl (x - y) <= floor;
}

/* Whether bits of floating elements decide: both NaN pass.  */
static bool
floats_same (const trm_element_type *type, const void *a, const void *b)
{
  return isnan (trm_element_float (type, a))
         && isnan (trm_element_float (type, b));
}

/* Bytes of an element that hold its value: a long double is padded.  */
static size_t
value_bytes (const trm_element_type *type)
{
  return type->digits == 64 ? 10 : (size_t) type->bytes;
}

/* How many units the N elements of a span may differ by where a call of SITE
   has FLOPS operations.  */
static long double
tolerance_of (const trm_site *site, double flops, int64_t n)
{
  double terms = n > 0 ? flops / (double) n : 0;
  long double coarser = site->flags & TRM_SITE_ROUND8    ? COARSER_8
                        : site->flags & TRM_SITE_ROUND11 ? COARSER_11
                                                         : 1;
  return trm_env ()->tolerance * coarser
         * (long double) fmax (1, terms / TERMS);
}

/* Compare the copies of C, of a call of SITE with FLOPS operations, and add
   what differs to FOUND.  */
static void
compare_copy (const trm_site *site, const copy *c, double flops, finding *found)
{
  bool strict = site->flags & TRM_SITE_STRICT;
  const trm_element_type *type = trm_element_find (c->span.elem);
  const unsigned char *memory = c->span.base;
  int64_t n = c->span.bytes / type->bytes;
  long double tolerance = tolerance_of (site, flops, n), floor = -1;
  found->compared += n;
  if (memcmp (memory, c->after, (size_t) c->span.bytes) == 0)
    return;
  if (type->kind == 'F' && !strict)
    floor = tolerance / 16 * ldexpl (1, 1 - type->digits)
            * root_mean_square (c, type);
  for (int64_t e = 0; e < n; e++)
    {
      const void *a = c->after + e * type->bytes;
      const void *b = memory + e * type->bytes;
      if (memcmp (a, b, value_bytes (type)) == 0)
        continue;
      if (type->kind == 'F'
          && (strict ? floats_same (type, a, b)
                     : floats_pass (type, a, b, tolerance, floor)))
        continue;
      if (found->different++ == 0)
        {
          found->where = c;
          found->element = e;
        }
    }
}

/* The distance of A and B in words: ulp for floating elements.  */
static void
distance_text (char *text, size_t bytes, const trm_element_type *type,
               const void *a, const void *b)
{
  text[0] = 0;
  if (type->kind == 'F')
    snprintf (text, bytes, ", %.15Lg ulp apart",
              trm_element_ulps (type, trm_element_float (type, a),
                                trm_element_float (type, b)));
}

/* Tell of CALL of SITE what FOUND holds.  */
static void
report (const trm_site *site, long long call, const finding *found)
{
  char name[256], fused[64], written[64], distance[64];
  const copy *c = found->where;
  const trm_element_type *type = trm_element_find (c->span.elem);
  int64_t offset = found->element * type->bytes;
  const char *memory = (const char *) c->span.base + offset;
  trm_element_name (name, sizeof name, &c->span, found->element);
  trm_element_value (fused, sizeof fused, type, c->after + offset);
  trm_element_value (written, sizeof written, type, memory);
  distance_text (distance, sizeof distance, type, c->after + offset, memory);
  fprintf (stderr,
           "%s:%d: tensor: check of '%s', call %lld: %s is %s fused, %s as "
           "written%s; %lld of %lld elements differ\n",
           site->file, (int) (c->span.line ? c->span.line : site->line),
           site->name, call, name, fused, written, distance,
           (long long) found->different, (long long) found->compared);
}

void
trm_check_compare (trm_site *site, const trm_copies *copies)
{
  finding found = { 0 };
  trm_own *own = trm_site_own (site);
  for (int i = 0; i < copies->n; i++)
    if (!copies->copy[i].span.temp)
      compare_copy (site, &copies->copy[i], copies->flops, &found);
  if (!own)
    return;
  int64_t call = __atomic_add_fetch (&own->checked, 1, __ATOMIC_RELAXED);
  if (!found.different)
    return;
  __atomic_add_fetch (&differences, 1, __ATOMIC_RELAXED);
  if (__atomic_fetch_add (&own->differ, 1, __ATOMIC_RELAXED) < REPORTS)
    report (site, (long long) call, &found);
}

long
trm_check_differences (void)
{
  return __atomic_load_n (&differences, __ATOMIC_RELAXED);
}
