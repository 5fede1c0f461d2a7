/* Training on a device: steps of a network of two layers, whose weights, their
   velocities, its batch and what goes between the regions reside; the host
   writes a batch and sees the loss.  Prints the losses and some weights.  */

#include <stdio.h>

#ifdef PLUGGED
#  include <tensorrt-mini.h>
#else
#  include <stdlib.h>
#endif

enum
{
  BATCH = 16,
  IN = 24,
  HIDDEN = 32,
  OUT = 8,
  STEPS = 10
};

#define RATE     0.0625f
#define MOMENTUM 0.5f

/* N numbers, zeros, that reside.  */
static float *
numbers (int n)
{
#ifdef PLUGGED
  trm_tensor *t = trm_zeros (TRM_F32, TRM_SHAPE (n));
  return trm_reside (t) ? NULL : t->at;
#else
  return calloc ((size_t) n, sizeof (float));
#endif
}

static float (*w1)[IN], (*w2)[HIDDEN], (*v1)[IN], (*v2)[HIDDEN];
static float (*h)[HIDDEN], (*dh)[HIDDEN], (*dy)[OUT], *each;

/* H and DY of a batch X whose outputs should be T; the loss.  */
static float
forward (float x[restrict BATCH][IN], float t[restrict BATCH][OUT],
         float w1[restrict HIDDEN][IN], float w2[restrict OUT][HIDDEN],
         float h[restrict BATCH][HIDDEN], float dy[restrict BATCH][OUT],
         float each[restrict BATCH])
{
  float loss = 0;
#pragma tensor target(cuda) name("forward")
  {
    for (int b = 0; b < BATCH; b++)
      for (int k = 0; k < HIDDEN; k++)
        {
          float sum = 0;
          for (int i = 0; i < IN; i++)
            sum += w1[k][i] * x[b][i];
          h[b][k] = sum > 0 ? sum : 0;
        }
    for (int b = 0; b < BATCH; b++)
      for (int o = 0; o < OUT; o++)
        {
          float sum = 0;
          for (int k = 0; k < HIDDEN; k++)
            sum += w2[o][k] * h[b][k];
          dy[b][o] = (sum - t[b][o]) / BATCH;
        }
    for (int b = 0; b < BATCH; b++)
      {
        each[b] = 0;
        for (int o = 0; o < OUT; o++)
          each[b] += dy[b][o] * dy[b][o];
      }
    for (int b = 0; b < BATCH; b++)
      loss += each[b];
  }
  return loss;
}

/* The weights' step from what forward left.  */
static void
backward (float x[restrict BATCH][IN], float w1[restrict HIDDEN][IN],
          float w2[restrict OUT][HIDDEN], float v1[restrict HIDDEN][IN],
          float v2[restrict OUT][HIDDEN], float h[restrict BATCH][HIDDEN],
          float dh[restrict BATCH][HIDDEN], float dy[restrict BATCH][OUT])
{
#pragma tensor target(cuda) name("backward")
  {
    for (int b = 0; b < BATCH; b++)
      for (int k = 0; k < HIDDEN; k++)
        {
          float sum = 0;
          for (int o = 0; o < OUT; o++)
            sum += w2[o][k] * dy[b][o];
          dh[b][k] = h[b][k] > 0 ? sum : 0;
        }
    for (int o = 0; o < OUT; o++)
      for (int k = 0; k < HIDDEN; k++)
        {
          float sum = 0;
          for (int b = 0; b < BATCH; b++)
            sum += dy[b][o] * h[b][k];
          v2[o][k] = MOMENTUM * v2[o][k] + sum;
          w2[o][k] -= RATE * v2[o][k];
        }
    for (int k = 0; k < HIDDEN; k++)
      for (int i = 0; i < IN; i++)
        {
          float sum = 0;
          for (int b = 0; b < BATCH; b++)
            sum += dh[b][k] * x[b][i];
          v1[k][i] = MOMENTUM * v1[k][i] + sum;
          w1[k][i] -= RATE * v1[k][i];
        }
  }
}

/* The batch of STEP.  */
static void
load (int step, float x[BATCH][IN], float t[BATCH][OUT])
{
  for (int b = 0; b < BATCH; b++)
    {
      for (int i = 0; i < IN; i++)
        x[b][i] = (float) ((b * 7 + i * 3 + step) % 9 - 4) / 8;
      for (int o = 0; o < OUT; o++)
        t[b][o] = x[b][o] + x[b][o + 8];
    }
}

int
main (void)
{
  float (*x)[IN] = (void *) numbers (BATCH * IN);
  float (*t)[OUT] = (void *) numbers (BATCH * OUT);
  w1 = (void *) numbers (HIDDEN * IN);
  w2 = (void *) numbers (OUT * HIDDEN);
  v1 = (void *) numbers (HIDDEN * IN);
  v2 = (void *) numbers (OUT * HIDDEN);
  h = (void *) numbers (BATCH * HIDDEN);
  dh = (void *) numbers (BATCH * HIDDEN);
  dy = (void *) numbers (BATCH * OUT);
  each = numbers (BATCH);
  for (int k = 0; k < HIDDEN; k++)
    {
      for (int i = 0; i < IN; i++)
        w1[k][i] = (float) ((k * 5 + i * 11) % 7 - 3) / 16;
      for (int o = 0; o < OUT; o++)
        w2[o][k] = (float) ((k * 3 + o * 5) % 11 - 5) / 32;
    }
  for (int step = 0; step < STEPS; step++)
    {
      load (step, x, t);
      float loss = forward (x, t, w1, w2, h, dy, each);
      backward (x, w1, w2, v1, v2, h, dh, dy);
      printf ("%d: %.4f\n", step, (double) loss * 100);
    }
  printf ("%.4f %.4f\n", (double) w1[3][4], (double) w2[5][6]);
  return 0;
}
