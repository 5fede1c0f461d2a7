/* A region whose fault, planted in stage simplify, shows which version of it
   ran: X - 1 as written, X fused.  */

#ifndef MODE_H
#define MODE_H

static float value[40];

static __attribute__ ((noinline)) void
subtract (float *x, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = x[i] * 2 - 1;
}

/* X - 1, as a region computes it.  */
static float
one_less (float x)
{
  for (int i = 0; i < 40; i++)
    value[i] = x / 2;
  subtract (value, 40);
  return value[39];
}

#endif
