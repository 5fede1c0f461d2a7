/* Arrays and loops named in clauses must be there.  */

void
f (int n, float *restrict x)
{
#pragma tensor temp(nowhere) /* { dg-message "21: error: nowhere is not in scope" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor noalias(nowhere) /* { dg-message "24: error: nowhere is not in scope" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor tile(k: 4) /* { dg-message "21: error: \[^\n\]*k" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
  {
    float closed[4];
    for (int i = 0; i < 4; i++)
      closed[i] = x[i];
    for (int i = 0; i < 4; i++)
      x[i] += closed[3 - i];
  }
  {
    float around[4];
    {
#pragma tensor temp(closed) /* { dg-message "21: error: closed is not in scope" } */
      for (int i = 0; i < 4; i++)
        around[i] = x[i];
#pragma tensor temp(around)
      for (int i = 0; i < 4; i++)
        around[i] = x[i] + 1;
    }
#pragma tensor temp(later) /* { dg-message "21: error: later is not in scope" } */
    for (int i = 0; i < 4; i++)
      x[i] += around[i];
    float later[4] = { 0 };
#pragma tensor temp(inner)
    {
      float inner[4];
      for (int i = 0; i < 4; i++)
        inner[i] = x[i] + later[i];
      for (int i = 0; i < 4; i++)
        x[i] += inner[i];
    }
  }
}
