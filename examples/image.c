/* A photograph through a small pipeline: blur (Gauss, in two passes), edges
   (Sobel), and a tone map that lifts the shadows and inks the edges.

   As written, every step stores a whole picture for the next; fused, the
   pictures in between are rows or registers.

     tensorcc -O3 -march=native image.c -lm && ./a.out [in.pgm [out.pgm]]
     tensor-compare image.c

   Reads camera.pgm, which lies beside this file, enlarges it twice, writes
   image.pgm, and prints the brightness of a grid of places.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define R      4
#define REPEAT 5

/* All pictures are [h][w], values 0 to 1; g[0..R] are the weights of the
   blur by distance.  A border of R + 1 is left black.  */
static void
pipeline (int h, int w, float in[restrict h][w], float rows[restrict h][w],
          float soft[restrict h][w], float edge[restrict h][w],
          float out[restrict h][w], const float g[restrict R + 1])
{
#pragma tensor name("pipeline") temp(rows, soft, edge)
  {
    for (int y = 0; y < h; y++)
      for (int x = R; x < w - R; x++)
        {
          float sum = g[0] * in[y][x];
          for (int k = 1; k <= R; k++)
            sum += g[k] * (in[y][x - k] + in[y][x + k]);
          rows[y][x] = sum;
        }
    for (int y = R; y < h - R; y++)
      for (int x = R; x < w - R; x++)
        {
          float sum = g[0] * rows[y][x];
          for (int k = 1; k <= R; k++)
            sum += g[k] * (rows[y - k][x] + rows[y + k][x]);
          soft[y][x] = sum;
        }
    for (int y = R + 1; y < h - R - 1; y++)
      for (int x = R + 1; x < w - R - 1; x++)
        {
          float dx = soft[y - 1][x + 1] + 2 * soft[y][x + 1]
                     + soft[y + 1][x + 1] - soft[y - 1][x - 1]
                     - 2 * soft[y][x - 1] - soft[y + 1][x - 1];
          float dy = soft[y + 1][x - 1] + 2 * soft[y + 1][x]
                     + soft[y + 1][x + 1] - soft[y - 1][x - 1]
                     - 2 * soft[y - 1][x] - soft[y - 1][x + 1];
          edge[y][x] = sqrtf (dx * dx + dy * dy);
        }
    for (int y = R + 1; y < h - R - 1; y++)
      for (int x = R + 1; x < w - R - 1; x++)
        {
          float v = in[y][x];
          float tone = v * 1.6f / (v + 0.6f);
          float ink = 1 - edge[y][x];
          out[y][x] = tone * (ink < 0 ? 0 : ink);
        }
  }
}

/* Open NAME, or the file of that name beside this source.  */
static FILE *
open_input (const char *name)
{
  char beside[4096];
  const char *slash = strrchr (__FILE__, '/');
  FILE *file = fopen (name, "rb");
  snprintf (beside, sizeof beside, "%.*s%s",
            slash ? (int) (slash + 1 - __FILE__) : 0, __FILE__, name);
  return file ? file : fopen (beside, "rb");
}

/* The picture in NAME, each pixel twice in each direction.  */
static float *
read_twice (const char *name, int *h, int *w)
{
  FILE *file = open_input (name);
  int fw = 0, fh = 0;
  if (!file || fscanf (file, "P5 %d %d 255", &fw, &fh) != 2
      || fgetc (file) == EOF || fw < 4 * R || fh < 4 * R || fw > 1 << 14
      || fh > 1 << 14)
    {
      fprintf (stderr, "%s is no grey picture (PGM, 255)\n", name);
      exit (1);
    }
  *h = 2 * fh, *w = 2 * fw;
  float *picture = malloc (sizeof (float) * *h * *w);
  for (int y = 0; picture && y < fh; y++)
    for (int x = 0; x < fw; x++)
      for (int k = 0, v = fgetc (file); k < 4; k++)
        picture[(2 * y + k / 2) * *w + 2 * x + k % 2] = v / 255.0f;
  fclose (file);
  return picture;
}

static void
write_picture (const char *name, int h, int w, const float *v)
{
  FILE *file = fopen (name, "wb");
  if (!file)
    return;
  fprintf (file, "P5 %d %d 255\n", w, h);
  for (int i = 0; i < h * w; i++)
    fputc ((int) (255 * (v[i] < 0 ? 0 : v[i] > 1 ? 1 : v[i]) + 0.5f), file);
  fclose (file);
}

int
main (int argc, char **argv)
{
  int h, w;
  float g[R + 1], sum = 0, *p[5];
  for (int k = 0; k <= R; k++)
    sum += (k ? 2 : 1) * (g[k] = expf (-0.5f * k * k / 4));
  for (int k = 0; k <= R; k++)
    g[k] /= sum;
  p[0] = read_twice (argc > 1 ? argv[1] : "camera.pgm", &h, &w);
  for (int i = 1; i < 5; i++)
    p[i] = calloc ((size_t) h * w, sizeof (float));
  clock_t start = clock ();
  for (int c = 0; p[0] && p[1] && p[2] && p[3] && p[4] && c < REPEAT; c++)
    pipeline (h, w, (float (*)[w]) p[0], (float (*)[w]) p[1],
              (float (*)[w]) p[2], (float (*)[w]) p[3], (float (*)[w]) p[4], g);
  fprintf (stderr, "%d x %d: %.2f ms of processor time a picture\n", w, h,
           1e3 * (clock () - start) / CLOCKS_PER_SEC / REPEAT);
  for (int y = h / 16; y < h; y += h / 8)
    for (int x = w / 16; x < w; x += w / 8)
      printf ("%.3f%c", p[4][y * w + x], x + w / 8 < w ? ' ' : '\n');
  write_picture (argc > 2 ? argv[2] : "image.pgm", h, w, p[4]);
  return 0;
}
