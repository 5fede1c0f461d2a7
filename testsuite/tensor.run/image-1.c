/* Shows that a separable blur, Sobel and a tone map mean the same.  */

#include "compare.h"

static NOINLINE void
plain_blur (int n, int m, const float in[n][m], float across[n][m],
            float out[n][m])
{
  {
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m - 1; j++)
        across[i][j] = in[i][j - 1] + 2 * in[i][j] + in[i][j + 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        out[i][j] = across[i - 1][j] + 2 * across[i][j] + across[i + 1][j];
  }
}

static NOINLINE void
plain_sobel (const unsigned char *in, unsigned char *out, int n, int m)
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      {
        int gx = in[(i - 1) * m + j + 1] - in[(i - 1) * m + j - 1]
                 + 2 * (in[i * m + j + 1] - in[i * m + j - 1])
                 + in[(i + 1) * m + j + 1] - in[(i + 1) * m + j - 1];
        int gy = in[(i + 1) * m + j - 1] - in[(i - 1) * m + j - 1]
                 + 2 * (in[(i + 1) * m + j] - in[(i - 1) * m + j])
                 + in[(i + 1) * m + j + 1] - in[(i - 1) * m + j + 1];
        int g = abs (gx) + abs (gy);
        out[i * m + j] = g > 255 ? 255 : g;
      }
}

static NOINLINE void
plain_tone (unsigned char *rgb, int n, int num, int den)
{
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++)
      {
        int v = rgb[3 * i + c] * num / den;
        if (v > 255)
          v = 255;
        else if (v < 16)
          v = 16;
        rgb[3 * i + c] = (unsigned char) v;
      }
}

static NOINLINE void
plain_gray (const unsigned char *rgb, unsigned char *g, size_t n)
{
  for (size_t i = 0; i < n; i++)
    g[i] = (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8;
}

static NOINLINE void
blur (int n, int m, const float in[n][m], float across[n][m], float out[n][m])
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m - 1; j++)
        across[i][j] = in[i][j - 1] + 2 * in[i][j] + in[i][j + 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        out[i][j] = across[i - 1][j] + 2 * across[i][j] + across[i + 1][j];
  }
}

static NOINLINE void
sobel (const unsigned char *in, unsigned char *out, int n, int m)
{
#pragma tensor
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      {
        int gx = in[(i - 1) * m + j + 1] - in[(i - 1) * m + j - 1]
                 + 2 * (in[i * m + j + 1] - in[i * m + j - 1])
                 + in[(i + 1) * m + j + 1] - in[(i + 1) * m + j - 1];
        int gy = in[(i + 1) * m + j - 1] - in[(i - 1) * m + j - 1]
                 + 2 * (in[(i + 1) * m + j] - in[(i - 1) * m + j])
                 + in[(i + 1) * m + j + 1] - in[(i - 1) * m + j + 1];
        int g = abs (gx) + abs (gy);
        out[i * m + j] = g > 255 ? 255 : g;
      }
}

static NOINLINE void
tone (unsigned char *rgb, int n, int num, int den)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++)
      {
        int v = rgb[3 * i + c] * num / den;
        if (v > 255)
          v = 255;
        else if (v < 16)
          v = 16;
        rgb[3 * i + c] = (unsigned char) v;
      }
}

static NOINLINE void
gray (const unsigned char *rgb, unsigned char *g, size_t n)
{
#pragma tensor
  for (size_t i = 0; i < n; i++)
    g[i] = (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8;
}

static float a[2][AREA], b[2][AREA], c[2][AREA];
static unsigned char p[2][AREA], q[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  EACH_WIDTH (m)
  {
    FILL (a);
    FILL (b);
    FILL (c);
    FILL_BELOW (p, 256);
    FILL_BELOW (q, 256);
    BOTH (blur, n, m, (void *) a[W], (void *) b[W], (void *) c[W]);
    CHECK (b);
    CHECK (c);
    BOTH (sobel, p[W], q[W], n, m);
    CHECK (q);
    BOTH (tone, p[W], n, m + 1, 7);
    CHECK (p);
    BOTH (gray, p[W], q[W], n);
    CHECK (q);
  }
  return 0;
}
