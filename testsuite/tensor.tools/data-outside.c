/* Functions whose bodies the data blocks of data-blocks.c do not see, compiled
   with the plug-in themselves.  */

float outside (float *x, int n);
void outside_regions (float *x, int n);
float outside_pairs (float *x, int n);

float
outside (float *x, int n)
{
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i];
  x[1] = 4;
  return sum / n;
}

void
outside_regions (float *x, int n)
{
#pragma tensor target(cuda)
  for (int i = 0; i < n; i++)
    x[i] = x[i] * 0.25f + 1;
  x[2] += x[3];
}

float
outside_pairs (float *x, int n)
{
  outside_regions (x, n);
  return x[4] * 0.125f;
}
