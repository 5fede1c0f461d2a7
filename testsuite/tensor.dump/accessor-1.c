/* What a function reads through a pointer to const and another one writes is
   one array.  */
/* { dg-tensor-opts "dump=simplify" } */
/* { dg-final { scan-tns-dump-times simplify "array f64 " 1 } } */

typedef struct matrix
{
  int rows;
  int cols;
  double *data;
} matrix;

static inline double
get (const matrix *m, int i, int j)
{
  return m->data[i * m->cols + j];
}

static inline void
set (matrix *m, int i, int j, double x)
{
  m->data[i * m->cols + j] = x;
}

void
subtract_first (matrix *m)
{
#pragma tensor
  for (int i = 1; i < m->rows; i++)
    for (int j = 0; j < m->cols; j++)
      set (m, i, j, get (m, i, j) - get (m, 0, j));
}
