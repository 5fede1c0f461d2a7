/* Handwritten digits read by their k nearest neighbours.

   1,797 pictures of 8 x 8 pixels; the first 1,297 are known, the other 500
   are read: each takes the digit that most of its K nearest known pictures
   show.  The distances are the region; picking the neighbours is ordinary C.

     tensorcc -O3 -march=native digits.c && ./a.out [digits.csv]
     tensor-compare digits.c

   Reads digits.csv, which lies beside this file (its source is named in
   README.md).  Prints the accuracy, the table of what was read for what, and
   one picture that was misread.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ALL    1797
#define KNOWN  1297
#define ASKED  (ALL - KNOWN)
#define PIXELS 64
#define K      5

static float pixel[ALL][PIXELS];
static int digit[ALL];
static float distance[ASKED][KNOWN];

/* distance[i][j]: squared, of the asked picture i from the known j.  */
static void
distances (void)
{
#pragma tensor name("distances")
  for (int i = 0; i < ASKED; i++)
    for (int j = 0; j < KNOWN; j++)
      {
        float sum = 0;
        for (int k = 0; k < PIXELS; k++)
          {
            float d = pixel[KNOWN + i][k] - pixel[j][k];
            sum += d * d;
          }
        distance[i][j] = sum;
      }
}

/* The digit that most of the K nearest to I show; of equal ones that of the
   nearest.  */
static int
read_digit (int i)
{
  int near[K], n = 0, votes[10] = { 0 }, best;
  for (int j = 0; j < KNOWN; j++)
    {
      int at = n < K ? n++ : K;
      for (; at > 0 && distance[i][near[at - 1]] > distance[i][j]; at--)
        if (at < K)
          near[at] = near[at - 1];
      if (at < K)
        near[at] = j;
    }
  for (int v = 0; v < K; v++)
    votes[digit[near[v]]]++;
  best = digit[near[0]];
  for (int v = 1; v < K; v++)
    if (votes[digit[near[v]]] > votes[best])
      best = digit[near[v]];
  return best;
}

/* Open NAME, or the file of that name beside this source.  */
static FILE *
open_input (const char *name)
{
  char beside[4096];
  const char *slash = strrchr (__FILE__, '/');
  FILE *file = fopen (name, "r");
  snprintf (beside, sizeof beside, "%.*s%s",
            slash ? (int) (slash + 1 - __FILE__) : 0, __FILE__, name);
  return file ? file : fopen (beside, "r");
}

/* Fill pixel and digit from NAME; false when it does not hold them.  */
static int
read_pictures (const char *name)
{
  FILE *file = open_input (name);
  int good = file != NULL;
  for (int i = 0; good && i < ALL; i++)
    {
      for (int k = 0; good && k < PIXELS; k++)
        good = fscanf (file, "%f,", &pixel[i][k]) == 1;
      good = good && fscanf (file, "%d", &digit[i]) == 1 && digit[i] >= 0
             && digit[i] <= 9;
    }
  if (file)
    fclose (file);
  return good;
}

static void
show_picture (int i)
{
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++)
      printf ("%c%s", " .:-=+*#@"[(int) pixel[i][8 * y + x] / 2],
              x < 7 ? " " : "\n");
}

int
main (int argc, char **argv)
{
  int table[10][10] = { { 0 } }, right = 0, wrong = -1, read = 0;
  const char *name = argc > 1 ? argv[1] : "digits.csv";
  if (!read_pictures (name))
    return fprintf (stderr, "%s does not hold the digits\n", name), 1;
  clock_t start = clock ();
  distances ();
  fprintf (stderr, "distances: %.2f ms of processor time\n",
           1e3 * (clock () - start) / CLOCKS_PER_SEC);
  for (int i = 0; i < ASKED; i++)
    {
      int d = read_digit (i);
      table[digit[KNOWN + i]][d]++;
      right += d == digit[KNOWN + i];
      if (d != digit[KNOWN + i] && wrong < 0)
        {
          wrong = KNOWN + i;
          read = d;
        }
    }
  printf ("%d of %d read right: %.1f %%\n\ndigit, and read as 0 to 9\n", right,
          ASKED, 100.0 * right / ASKED);
  for (int d = 0; d < 10; d++)
    {
      printf ("%5d  ", d);
      for (int r = 0; r < 10; r++)
        printf ("%4d", table[d][r]);
      printf ("\n");
    }
  if (wrong >= 0)
    {
      printf ("\nthis %d was read as a %d\n", digit[wrong], read);
      show_picture (wrong);
    }
  return 0;
}
