/* Elements that a plan wants early are those that the program reads: the index
   arrays end where the memory does, rows may be empty, and then there may be no
   indices at all; sums, vectors, several loops, an index that the loop
   writes.  */
/* { dg-tensor-opts "plan=%d/prefetch-1.plan" } */

#include <sys/mman.h>
#include <unistd.h>

#include "compare.h"

#define KERNEL(name)                                                           \
  static NOINLINE void name (int n, int m, float *restrict y,                  \
                             const float *restrict x, int *restrict at)

#define GATHER                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    y[i] = x[at[i]] * 2;

#define SUM                                                                    \
  for (int i = 0; i < n; i++)                                                  \
    y[0] += x[at[i]];

#define ROWS                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      y[i * m + j] += x[at[i] * m + j];

#define CHOSEN                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      y[i] = x[i] + 1;                                                         \
      if (x[i] > 0)                                                            \
        y[i] = x[at[i]];                                                       \
    }

#define CHANGED                                                                \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      y[i] = x[at[i]] + x[i];                                                  \
      at[i] = 0;                                                               \
    }

KERNEL (plain_gather){ GATHER }

KERNEL (gather){
#pragma tensor name("gather")
  GATHER
}

KERNEL (plain_sum){ SUM }

KERNEL (sum){
#pragma tensor name("sum")
  SUM
}

KERNEL (plain_rows){ ROWS }

KERNEL (rows){
#pragma tensor name("rows")
  ROWS
}

KERNEL (plain_chosen){ CHOSEN }

KERNEL (chosen){
#pragma tensor name("chosen")
  CHOSEN
}

KERNEL (plain_changed){ CHANGED }

KERNEL (changed)
{
#pragma tensor name("changed")
  CHANGED
}

static float x[2][AREA], y[2][AREA];
static int at[2][MOST];

/* N integers, of which the last is the last before memory that is not
   there.  */
static int *
edge (const int *from, int n)
{
  static char *room;
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  if (!room)
    {
      room = mmap (NULL, 2 * page, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (room == MAP_FAILED || mprotect (room + page, page, PROT_NONE))
        exit (2);
    }
  return memcpy (room + page - (size_t) n * sizeof *from, from,
                 (size_t) n * sizeof *from);
}

int
main (void)
{
  for (size_t k = 0; k < LENGTH (sizes); k++)
    for (size_t l = 0; l < LENGTH (small_sizes); l++)
      {
        int n = current[0] = sizes[k];
        int m = current[1] = small_sizes[l];
        FILL (x);
        FILL (y);
        FILL_BELOW (at, MOST);
        BOTH (gather, n, m, y[W], x[W], edge (at[W], n));
        CHECK (y);
        BOTH (sum, n, m, y[W], x[W], edge (at[W], n));
        CHECK (y);
        BOTH (rows, n, m, y[W], x[W], m ? edge (at[W], n) : NULL);
        CHECK (y);
        BOTH (chosen, n, m, y[W], x[W], edge (at[W], n));
        CHECK (y);
        BOTH (changed, n, m, y[W], x[W], edge (at[W], n));
        CHECK (y);
      }
  return 0;
}
