/* Shows that threads are started when enough work has come together, that the
   results are the same before and after, and that the user's own threads do
   not start more.  */

#include "../tensor.run/compare.h"

#include <dirent.h>
#ifdef _OPENMP
#  include <omp.h>
#endif

#define ROWS    300
#define COLUMNS 500

static double x[ROWS][COLUMNS];
static double first[ROWS], sums[ROWS], own[4][ROWS];

static NOINLINE void
squares (int n, int m, double a[restrict n][m], double s[restrict n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < m; j++)
        sum += a[i][j] * a[i][j];
      s[i] = sum;
    }
}

/* The threads of the process; 0 where nobody knows.  */
static int
count_threads (void)
{
  int n = 0;
  DIR *tasks = opendir ("/proc/self/task");
  for (struct dirent *e; tasks && (e = readdir (tasks));)
    n += e->d_name[0] != '.';
  if (tasks)
    closedir (tasks);
  return n;
}

/* There are WANTED threads, where that can be known.  */
static void
check_threads (int wanted)
{
  int n = count_threads ();
  if (n > 0 && n != wanted)
    differ ("threads", 0, wanted, n);
}

/* S is what the first call gave.  */
static void
check_bits (const double *s)
{
  for (int i = 0; i < ROWS; i++)
    if (memcmp (&s[i], &first[i], sizeof *s))
      differ ("sums", i, first[i], s[i]);
}

/* The same in three threads of the user's, each of which might have more.  */
static void
check_own_threads (void)
{
#ifdef _OPENMP
  omp_set_max_active_levels (4);
#  pragma omp parallel num_threads(3)
  for (int k = 0; k < 200; k++)
    squares (ROWS, COLUMNS, x, own[omp_get_thread_num ()]);
  check_bits (own[0]);
  check_threads (omp_get_max_threads () > 3 ? omp_get_max_threads () : 3);
#endif
}

int
main (void)
{
  int most = 1;
#ifdef _OPENMP
  most = omp_get_max_threads ();
#endif
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      x[i][j] = 1.0 / (1 + (i * 31 + j * 17) % 97);
  squares (ROWS, COLUMNS, x, first);
  check_threads (1);
  for (int k = 0; k < 4000; k++)
    {
      squares (ROWS, COLUMNS, x, sums);
      check_bits (sums);
    }
  check_threads (most);
  check_own_threads ();
  return 0;
}
