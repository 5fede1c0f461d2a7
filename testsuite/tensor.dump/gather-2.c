/* Elements under a condition are gathered by the machine's instruction.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -fno-openmp" } */
/* { dg-final { scan-assembler "\tvgatherdps" } } */
/* { dg-final { scan-assembler "\tvgatherdpd" } } */
/* { dg-final { scan-assembler "\tvpgatherqq" } } */

void
add (int n, float x[restrict n], const float y[n], const int at[n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (at[i] >= 0)
      x[i] += y[at[i]];
}

void
add_double (int n, double x[restrict n], const double y[n], const int at[n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (at[i] >= 0)
      x[i] += y[at[i]];
}

void
add_long (int n, long x[restrict n], const long y[n], const long at[n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (at[i] >= 0)
      x[i] += y[at[i]];
}
