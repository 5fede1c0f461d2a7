/* Small integers divided by constants are the same to the last bit as by a
   division.  */

#include <string.h>

#define N 65536

static unsigned char u[N];
static short s[N];
static unsigned short w[N];
static float x[N], y[N], z[N];
static double d[N], e[N];

static int
differs (float a, volatile float n, volatile float by)
{
  float b = n / by;
  return memcmp (&a, &b, sizeof a) != 0;
}

static int
differs_f64 (double a, volatile double n, volatile double by)
{
  double b = n / by;
  return memcmp (&a, &b, sizeof a) != 0;
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    {
      u[i] = (unsigned char) i;
      s[i] = (short) (i - N / 2);
      w[i] = (unsigned short) i;
    }
#pragma tensor
  for (int i = 0; i < N; i++)
    {
      x[i] = u[i] / 255.0f;
      y[i] = s[i] / -7.3f;
      z[i] = w[i] / 65535.0f;
      d[i] = s[i] / 32767.0;
      e[i] = (u[i] - 128) / 0.3;
    }
  for (int i = 0; i < N; i++)
    if (differs (x[i], u[i], 255.0f) || differs (y[i], s[i], -7.3f)
        || differs (z[i], w[i], 65535.0f) || differs_f64 (d[i], s[i], 32767.0)
        || differs_f64 (e[i], u[i] - 128, 0.3))
      return 1;
  return 0;
}
