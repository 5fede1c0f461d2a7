/* Which known word is near a mistyped one.

   The distance of two words is the least number of letters inserted,
   dropped, changed, or swapped with their neighbour (optimal string
   alignment), computed row by row:

     d[i][j] = min (d[i-1][j] + 1, d[i][j-1] + 1,
                    d[i-1][j-1] + (a[i] != b[j]),
                    d[i-2][j-2] + 1 where the last two are swapped)

   Three rows are kept.  Words of more than MAX_LETTERS letters are near
   nothing.  */

#include "pragmas/near.h"

#include <stddef.h>
#include <string.h>

enum
{
  MAX_LETTERS = 31
};

typedef struct rows
{
  int last_but_one[MAX_LETTERS + 1];
  int last[MAX_LETTERS + 1];
  int row[MAX_LETTERS + 1];
} rows;

/* The lesser of two numbers.  */
static int
lesser (int a, int b)
{
  return b < a ? b : a;
}

/* A[I - 1] and A[I - 2] are B's letters at J, swapped.  */
static int
is_swap (const char *a, int i, const char *b, int j)
{
  return i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
}

/* Fill row I of the table in R.  */
static void
fill_row (rows *r, const char *a, int i, const char *b, int b_length)
{
  r->row[0] = i;
  for (int j = 1; j <= b_length; j++)
    {
      int best = r->last[j - 1] + (a[i - 1] != b[j - 1]);
      best = lesser (best, r->last[j] + 1);
      best = lesser (best, r->row[j - 1] + 1);
      if (is_swap (a, i, b, j))
        best = lesser (best, r->last_but_one[j - 2] + 1);
      r->row[j] = best;
    }
}

/* The distance of A and B.  */
static int
distance (const char *a, int a_length, const char *b, int b_length)
{
  rows r;
  memset (&r, 0, sizeof r);
  for (int j = 0; j <= b_length; j++)
    r.row[j] = j;
  for (int i = 1; i <= a_length; i++)
    {
      memcpy (r.last_but_one, r.last, sizeof r.last);
      memcpy (r.last, r.row, sizeof r.row);
      fill_row (&r, a, i, b, b_length);
    }
  return r.row[b_length];
}

/* The greatest distance at which words of these lengths are near.  */
static int
allowance (int a_length, int b_length)
{
  int longer = a_length > b_length ? a_length : b_length;
  return longer / 3;
}

const char *
tns_near (const char *word, const char *const *known, int n)
{
  const char *nearest = NULL;
  int least = MAX_LETTERS;
  size_t length = strlen (word);
  if (length > MAX_LETTERS)
    return NULL;
  for (int k = 0; k < n; k++)
    {
      size_t known_length = strlen (known[k]);
      if (known_length > MAX_LETTERS)
        continue;
      int d = distance (word, (int) length, known[k], (int) known_length);
      if (d <= allowance ((int) length, (int) known_length) && d < least)
        {
          nearest = known[k];
          least = d;
        }
    }
  return nearest;
}
