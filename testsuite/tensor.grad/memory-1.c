/* Shows gradients whose memory the caller gives, as much as they say and no
   more, while nobody else gets any; their sizes are told before and behind the
   gradient and the function, at sizes of 0, too.  */

#include "check.h"

#include <stdint.h>

/* Nothing may be taken while the gradients run.  */
static int is_closed;
static int n_refused;

void *
aligned_alloc (size_t align, size_t bytes)
{
  void *memory = NULL;
  n_refused += is_closed;
  return !is_closed && !posix_memalign (&memory, align, bytes) ? memory : NULL;
}

size_t square_gradient_workspace (int steps, long m);

static void
square (long m, int steps, real *x)
{
  for (int t = 0; t < steps; t++)
    for (long i = 0; i < m; i++)
      x[i] = sin (x[i]) * x[i];
}

#pragma tensor gradient(square) of(x: dx) wrt(x: dx) workspace
int square_gradient (long m, int steps, const real *x, void *workspace,
                     real *dx);

#pragma tensor gradient(layers) of(z: dz) wrt(x: dx, w: dw) workspace with(primal)
void layers_gradient (int m, const real *x, const real *w, real *z,
                      const real *dz, real *dx, real *dw, void *workspace);

static void
layers (int m, const real *x, const real *w, real *y, real *z)
{
  for (int i = 0; i < m; i++)
    {
      y[i] = 0;
      for (int j = 0; j < m; j++)
        y[i] += w[i * m + j] * x[j];
      y[i] = tanh (y[i]);
    }
  for (int i = 0; i < m; i++)
    z[i] = y[i] * y[m - 1 - i];
}

unsigned long layers_gradient_workspace (int m);

static void
square_kernel (values at, real *out)
{
  square (n, 3, at[0]);
  memcpy (out, at[0], sizeof at[0]);
}

static void
layers_kernel (values at, real *out)
{
  static real y[ROOM];
  layers (n, at[0], at[1], y, out);
}

/* Memory of BYTES bytes at an odd place, and a mark behind it.  */
static void *
memory_of (size_t bytes)
{
  static unsigned char room[200000];
  if (bytes + 9 > sizeof room)
    abort ();
  memset (room, 0xa5, sizeof room);
  return room + 1;
}

/* Nothing behind the BYTES bytes was written.  */
static void
check_end (const char *name, const unsigned char *memory, size_t bytes)
{
  for (int k = 0; k < 8; k++)
    if (memory[bytes + (size_t) k] != 0xa5)
      {
        printf ("%s, n = %d, writes behind its memory\n", name, n);
        faults++;
        return;
      }
}

int
main (void)
{
  static real z[ROOM], base[ROOM];
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      memset (u + n, 0, sizeof u - sizeof *u * (size_t) n);
      size_t bytes = square_gradient_workspace (3, n);
      void *memory = memory_of (bytes);
      memcpy (g[0], u, sizeof u);
      is_closed = 1;
      faults += square_gradient (n, 3, a[0], memory, g[0]);
      is_closed = 0;
      agree_from ("square", square_kernel, 0, 0);
      check_end ("square", memory, bytes);
      if (bytes > sizeof (real) * (size_t) (5 * n) + 4 * 64
          || (n > 1 && bytes < sizeof (real) * (size_t) (3 * n)))
        {
          printf ("square, n = %d: %zu bytes\n", n, bytes);
          faults++;
        }
      start (sizes[s]);
      memset (u + n, 0, sizeof u - sizeof *u * (size_t) n);
      bytes = layers_gradient_workspace (n);
      memory = memory_of (bytes);
      is_closed = 1;
      layers_gradient (n, a[0], a[1], z, u, g[0], g[1], memory);
      is_closed = 0;
      agree ("layers", layers_kernel, 0);
      agree ("layers", layers_kernel, 1);
      check_end ("layers", memory, bytes);
      start (sizes[s]);
      memset (u + n, 0, sizeof u - sizeof *u * (size_t) n);
      memcpy (base, z, sizeof z);
      is_closed = 1;
      layers_gradient (n, a[0], a[1], z, u, z, g[1], memory);
      is_closed = 0;
      agree ("layers with overlap", layers_kernel, 1);
      check_end ("layers with overlap", memory, bytes);
    }
  if (n_refused)
    printf ("memory was asked for %d times\n", n_refused);
  return faults != 0 || n_refused;
}
