/* Objectives over NUMBER, each spelled twice; NAME (f) is the name of f.  No
   guard: included for each type of numbers.  Arrays are flat; the second
   spelling has other loops, other temporaries and other shapes.  */

/* Residuals of a bundle adjustment: by how much points that CAMERAs see are off
   AT.  A camera: an axis times an angle, a place, a focal length, two
   distortions.  */
static void
NAME (bundle) (int m, const number (*camera)[9], const number (*point)[3],
               const double (*at)[2], const int *c, const int *p,
               number (*r)[2])
{
  for (int i = 0; i < m; i++)
    {
      number x = point[p[i]][0], y = point[p[i]][1], z = point[p[i]][2];
      number a = camera[c[i]][0], b = camera[c[i]][1], d = camera[c[i]][2];
      number angle = sqrt (a * a + b * b + d * d);
      number turn = cos (angle), by = sin (angle) / angle;
      number along = (a * x + b * y + d * z) * (1 - turn) / (angle * angle);
      number u = x * turn + (b * z - d * y) * by + a * along + camera[c[i]][3];
      number v = y * turn + (d * x - a * z) * by + b * along + camera[c[i]][4];
      number w = z * turn + (a * y - b * x) * by + d * along + camera[c[i]][5];
      u /= w + 4;
      v /= w + 4;
      number far = u * u + v * v;
      number bend = camera[c[i]][6]
                    * (1 + far * (camera[c[i]][7] + far * camera[c[i]][8]));
      r[i][0] = bend * u - at[i][0];
      r[i][1] = bend * v - at[i][1];
    }
}

static void
NAME (bundle_by_matrix) (int m, const number *camera, const number *point,
                         const double *at, const int *c, const int *p,
                         number *r)
{
  for (int i = 0; i < m; i++)
    {
      const number *k = camera + 9 * c[i];
      number length = 0, turn[3][3], q[3];
      for (int j = 0; j < 3; j++)
        length += k[j] * k[j];
      length = sqrt (length);
      number one = (1 - cos (length)) / (length * length);
      number other = sin (length) / length;
      for (int j = 0; j < 3; j++)
        for (int l = 0; l < 3; l++)
          turn[j][l] = k[j] * k[l] * one;
      for (int j = 0; j < 3; j++)
        turn[j][j] += cos (length);
      turn[0][1] -= k[2] * other;
      turn[1][0] += k[2] * other;
      turn[0][2] += k[1] * other;
      turn[2][0] -= k[1] * other;
      turn[1][2] -= k[0] * other;
      turn[2][1] += k[0] * other;
      for (int j = 0; j < 3; j++)
        {
          q[j] = k[3 + j];
          for (int l = 0; l < 3; l++)
            q[j] += turn[j][l] * point[3 * p[i] + l];
        }
      number u = q[0] / (q[2] + 4), v = q[1] / (q[2] + 4);
      number far = u * u + v * v;
      number bend = 1 + k[7] * far + k[8] * far * far;
      r[2 * i] = k[6] * bend * u - at[2 * i];
      r[2 * i + 1] = k[6] * bend * v - at[2 * i + 1];
    }
}

/* Minus the log-likelihood of the samples X under BELLS with AXES each; weights
   are a softmax of W.  */
static void
NAME (mixture) (int m, const double (*x)[AXES], const number *w,
                const number (*mean)[AXES], const number (*s)[AXES], number *l)
{
  number all = 0;
  for (int k = 0; k < BELLS; k++)
    all += exp (w[k]);
  *l = m * log (all);
  for (int i = 0; i < m; i++)
    {
      number e[BELLS], most = -1000, sum = 0;
      for (int k = 0; k < BELLS; k++)
        {
          e[k] = w[k];
          for (int j = 0; j < AXES; j++)
            {
              number z = (x[i][j] - mean[k][j]) * exp (s[k][j]);
              e[k] += s[k][j] - 0.5 * z * z;
            }
          most = GREATER (most, e[k]);
        }
      for (int k = 0; k < BELLS; k++)
        sum += exp (e[k] - most);
      *l -= most + log (sum);
    }
}

static void
NAME (mixture_by_parts) (int m, const double *x, const number *w,
                         const number *mean, const number *s, number *l)
{
  number scale[BELLS][AXES], part[BELLS], each[m + 1], top = w[0], all = 0;
  for (int k = 0; k < BELLS; k++)
    {
      part[k] = w[k];
      for (int j = 0; j < AXES; j++)
        {
          scale[k][j] = exp (s[AXES * k + j]);
          part[k] += s[AXES * k + j];
        }
    }
  for (int i = 0; i < m; i++)
    each[i] = 0;
  for (int k = 0; k < BELLS; k++)
    for (int i = 0; i < m; i++)
      {
        number far = 0;
        for (int j = 0; j < AXES; j++)
          far += (x[AXES * i + j] - mean[AXES * k + j]) * scale[k][j]
                 * (x[AXES * i + j] - mean[AXES * k + j]) * scale[k][j];
        each[i] += exp (part[k] - far / 2);
      }
  for (int k = 1; k < BELLS; k++)
    top = GREATER (top, w[k]);
  for (int k = 0; k < BELLS; k++)
    all += exp (w[k] - top);
  *l = m * (top + log (all));
  for (int i = 0; i < m; i++)
    *l -= log (each[i]);
}

/* Masses at X with speeds V in a row, held by springs that stiffen with their
   length: STEPS steps.  */
static void
NAME (springs) (int m, int steps, number *x, number *v, const number *k)
{
  for (int t = 0; t < steps; t++)
    {
      for (int i = 1; i < m - 1; i++)
        {
          number a = x[i + 1] - x[i], b = x[i] - x[i - 1];
          v[i] += 0.01 * (k[i] * (a + a * a * a) - k[i - 1] * (b + b * b * b));
        }
      for (int i = 1; i < m - 1; i++)
        x[i] += 0.01 * v[i];
    }
}

static void
NAME (springs_by_force) (int m, int steps, number *x, number *v,
                         const number *k)
{
  number force[m + 1];
  for (int t = steps; t > 0; t--)
    {
      for (int i = 0; i < m; i++)
        force[i] = 0;
      for (int i = 0; i + 1 < m; i++)
        {
          number a = x[i + 1] - x[i];
          number pull = k[i] * a * (1 + a * a);
          force[i] += pull;
          force[i + 1] -= pull;
        }
      for (int i = 1; i + 1 < m; i++)
        {
          v[i] += 0.01 * force[i];
          x[i] += 0.01 * v[i];
        }
    }
}

/* y := v tanh (w x + b), summed up as it is in LOSS.  */
static void
NAME (network) (int m, const double (*x)[INPUTS], const number (*w)[INPUTS],
                const number *b, const number (*v)[HIDDEN],
                number (*y)[OUTPUTS])
{
  for (int i = 0; i < m; i++)
    {
      number h[HIDDEN];
      for (int j = 0; j < HIDDEN; j++)
        {
          number u = b[j];
          for (int k = 0; k < INPUTS; k++)
            u += x[i][k] * w[j][k];
          h[j] = tanh (u);
        }
      for (int k = 0; k < OUTPUTS; k++)
        {
          y[i][k] = 0;
          for (int j = 0; j < HIDDEN; j++)
            y[i][k] += h[j] * v[k][j];
        }
    }
}

static void
NAME (network_by_layers) (int m, const double *x, const number *w,
                          const number *b, const number *v, number *y)
{
  number h[m + 1][HIDDEN];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < HIDDEN; j++)
      h[i][j] = b[j];
  for (int k = 0; k < INPUTS; k++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < HIDDEN; j++)
        h[i][j] += x[i * INPUTS + k] * w[j * INPUTS + k];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < HIDDEN; j++)
      h[i][j] = 1 - 2 / (1 + exp (2 * h[i][j]));
  for (int i = 0; i < m * OUTPUTS; i++)
    y[i] = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < HIDDEN; j++)
      for (int k = 0; k < OUTPUTS; k++)
        y[i * OUTPUTS + k] += v[k * HIDDEN + j] * h[i][j];
}
