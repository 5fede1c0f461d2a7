/* TRM_GRADCHECK=1 names array, element and values where a gradient is wrong:
   the user's own derivative is, for large numbers, by a part in a thousand, and
   in float that is seen too.  Tangent and gradient agree, as both take the
   rule.  */
/* { dg-tensor-opts "check" } */
/* { dg-set-target-env-var TRM_GRADCHECK "1" } */
/* { dg-output "gradcheck-2.c:35: tensor: gradcheck of 'back', call 1: dx.2..3. is 50.03\[0-9\]*, 49.99\[0-9\]* by differences, which err by 0.00\[0-9\], rounding by 0.000\[0-9\]: differs, as 1 of 12 elements looked at, of 12\n" } */
/* { dg-output "\[^\n\]*gradcheck-2.c:35: \[^\n\]* call 1: dw.\[0-9\]. is \[^\n\]*: agrees, the worst of 3 elements looked at, of 3\n" } */
/* { dg-output "\[^\n\]*gradcheck-2.c:35: \[^\n\]* call 1: is not the gradient of 'forth'; along a direction the gradient gives \[-0-9\]*.\[0-9\]*, the tangent \[-0-9\]*.\[0-9\]*, rounding errs by \[0-9.\]*\n" } */
/* { dg-output "tensor: gradcheck: 1 calls of 1 gradients checked, 1 differ\n$" } */

static float
cube (float a)
{
  while (a > 100)
    a -= 100;
  return a * a * a;
}

#pragma tensor derivative(cube) of(return: g) wrt(a: da)
static void
cube_back (float a, float g, float *da)
{
  *da += g * (a > 4 ? 3.0024f : 3) * a * a;
}

static void
forth (const float x[3][4], const float *w, float *y)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      y[i] += cube (x[i][j]) * w[i];
}

#pragma tensor gradient(forth) of(y: dy) wrt(x: dx, w: dw)
void back (const float x[3][4], const float *w, const float *dy, float dx[3][4],
           float *dw);

int
main (void)
{
  static float x[3][4], w[3] = { 1, 0.5f, 0.3333f }, dy[3] = { 1, -1, 2 };
  static float dx[3][4], dw[3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      x[i][j] = i + j;
  back (x, w, dy, dx, dw);
  return 0;
}
