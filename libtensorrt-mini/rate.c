/* Learning rates at a step, as factors of the first one.

     exponential  gamma ^ step
     step         gamma ^ floor (step / every)
     cosine       (step + 1) / warm while that is below 1, then half a wave
                  from 1 down to LEAST at STEPS, and LEAST from there on  */

#include "trm-train.h"

#include <math.h>

double
trm_rate_exponential (int64_t step, double gamma)
{
  return pow (gamma, (double) step);
}

double
trm_rate_step (int64_t step, int64_t every, double gamma)
{
  return every > 0 ? pow (gamma, (double) (step / every)) : 1;
}

double
trm_rate_cosine (int64_t step, int64_t warm, int64_t steps, double least)
{
  if (step < warm)
    return (double) (step + 1) / (double) warm;
  if (step >= steps)
    return least;
  double turn = M_PI * (double) (step - warm) / (double) (steps - warm);
  return least + (1 - least) * (1 + cos (turn)) / 2;
}
