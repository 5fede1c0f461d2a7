/* Greatest values of rows: the place that was taken lies in the row, so that
   threads share these; nothing is taped.  */
/* { dg-tensor-opts "dump=scheduled" } */
/* { dg-final { scan-json "\"function\": \"greatest_gradient\",\[^\\n\]*\"parallel_loops\": 1,\[^\\n\]*\"tape_bytes\": 0," } } */
/* { dg-final { scan-tns-dump scheduled "for i\[_0-9\]* = 0 to n parallel" } } */

static void
greatest (int n, int c, const float x[n][c], float y[n])
{
  for (int i = 0; i < n; i++)
    {
      float most = x[i][0];
      for (int j = 1; j < c; j++)
        if (x[i][j] > most)
          most = x[i][j];
      y[i] = most;
    }
}

#pragma tensor gradient(greatest) of(y: dy) wrt(x: dx)
void greatest_gradient (int n, int c, const float x[n][c], const float dy[n],
                        float dx[n][c]);
