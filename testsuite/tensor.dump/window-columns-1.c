/* The place in a window comes of a quotient and a rest: the step of the windows
   is found beside these, too, and the arrays need no restrict.  */

void
columns (const float *image, int n, int h, int w, int k, int s, int pad,
         int rows, int across, float *column)
{
#pragma tensor /* { dg-message "a version for s = 1" } */
  for (int c = 0; c < n * k * k; c++)
    {
      int b = c % k, a = (c / k) % k, plane = c / k / k;
      for (int i = 0; i < rows; i++)
        for (int j = 0; j < across; j++)
          {
            int at = a + i * s - pad, to = b + j * s - pad;
            column[(c * rows + i) * across + j]
              = at < 0 || to < 0 || at >= h || to >= w
                  ? 0
                  : image[(plane * h + at) * w + to];
          }
    }
}
