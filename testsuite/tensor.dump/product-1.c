/* A product of matrices gets the same kernel in every order of its loops,
   under other names, and transposed on the left.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump-times plan "^kernel S1: (i|x):6 (j|y):16$" 8 } } */
/* { dg-final { scan-tns-dump-times plan "^  dim \[ijxy\].0 free\n    dim \[kz\] reduction\n      dim \[ix\].1 free unroll 6\n        dim \[jy\].1 free simd 8 unroll 2\n          leaf S1$" 8 } } */
/* { dg-final { scan-json-times "\"verdict\": \"done\"" 8 } } */

#define N 200

#define FOR(i) for (int i = 0; i < N; i++)

typedef float matrix[N][N];

void
ijk (matrix a, matrix b, matrix c)
{
#pragma tensor noalias
  FOR (i) FOR (j) FOR (k) c[i][j] += a[i][k] * b[k][j];
}

void
ikj (matrix a, matrix b, matrix c)
{
#pragma tensor noalias
  FOR (i) FOR (k) FOR (j) c[i][j] += a[i][k] * b[k][j];
}

void
jik (matrix a, matrix b, matrix c)
{
#pragma tensor noalias
  FOR (j) FOR (i) FOR (k) c[i][j] += b[k][j] * a[i][k];
}

void
jki (matrix a, matrix b, matrix c)
{
#pragma tensor noalias
  FOR (j) FOR (k) FOR (i) c[i][j] = c[i][j] + a[i][k] * b[k][j];
}

void
kij (matrix a, matrix b, matrix c)
{
#pragma tensor noalias
  FOR (k) FOR (i) FOR (j) c[i][j] = a[i][k] * b[k][j] + c[i][j];
}

void
kji (matrix a, matrix b, matrix c)
{
#pragma tensor noalias
  FOR (k) FOR (j) FOR (i) c[i][j] += a[i][k] * b[k][j];
}

void
renamed (matrix u, matrix v, matrix w)
{
#pragma tensor noalias
  FOR (z) FOR (y) FOR (x) w[x][y] += u[x][z] * v[z][y];
}

void
transposed (matrix a, matrix b, matrix c)
{
#pragma tensor noalias
  FOR (i) FOR (j) FOR (k) c[i][j] += a[k][i] * b[k][j];
}
