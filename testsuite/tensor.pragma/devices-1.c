/* devices(all): which loops devices share, and why they do not others.  */

void
f (int n, int m, float x[restrict][16], const float y[restrict][16],
   float *restrict z, const int *restrict at)
{
  float sum = 0;
#pragma tensor target(cuda) devices(all) /* { dg-message "note: \[^\n\]*shared by all devices" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 16; j++)
      x[i][j] = y[i][j] + z[j];
#pragma tensor target(cuda) devices(all) /* { dg-message "note: \[^\n\]*shared by all devices" } */
  for (int i = 3; i < 40; i++)
    {
      float most = 0;
      for (int j = 0; j < 16; j++)
        most = y[i][j] > most ? y[i][j] : most;
      z[i] = most;
    }
#pragma tensor target(auto) devices(all) /* { dg-message "note: \[^\n\]*for one device: iterations of the outermost loop depend on each other" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 16; j++)
      z[j] += y[i][j];
#pragma tensor target(cuda) devices(all) /* { dg-message "note: \[^\n\]*for one device: iterations of the outermost loop depend on each other" } */
  for (int i = 0; i < n; i++)
    sum += z[i];
  z[0] = sum;
#pragma tensor target(cuda) devices(all) /* { dg-message "note: \[^\n\]*for one device: iterations of the outermost loop depend on each other" } */
  for (int i = 1; i < n; i++)
    for (int j = 0; j < 16; j++)
      x[i][j] = 2 * x[i - 1][j];
#pragma tensor target(cuda) devices(all) /* { dg-message "note: \[^\n\]*for one device: the bounds of the outermost loop are no numbers" } */
  for (int i = 0; i < n * m; i++)
    z[i] = 2 * z[i];
#pragma tensor target(cuda) devices(all) /* { dg-message "note: \[^\n\]*for one device: no loop is around all" } */
  {
    for (int i = 0; i < n; i++)
      z[i] = 1;
    for (int i = 0; i < m; i++)
      x[i][0] = 1;
  }
#pragma tensor devices(all) /* { dg-message "note: \[^\n\]*nothing uses devices.all." } */
  for (int i = 0; i < n; i++)
    z[i] = 2 * z[i];
}
