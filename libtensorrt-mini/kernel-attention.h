/* Attention: rows of weights that are made and used up one by one.

   There are n heads: q and y [t][d], k and v [s][d]; row i sees the first
   i + lead + 1 rows of k, those of them for which the mask is true, and takes
   share[i] of the weight of each: 0 where it sees nothing.  What is not seen
   has a score far below all others.

   There are three of it: without a mask, which would take an eighth of the
   time; with one; and with one and dropout, since one more random number for
   each weight is dear.  */

#include "philox.h"

#ifndef UNSEEN
# define UNSEEN -1e30f

/* Whether weight number PLACE is dropped: BOUND of 2^32 are.  */
static inline bool
is_dropped (uint64_t seed, uint64_t place, uint64_t bound)
{
  uint32_t word[4];
  trm_philox (seed, place, word);
  return word[0] < bound;
}
#endif

#define ATTENTION(name, more, score, taken)                                   \
  static void F (name) (int64_t n, int64_t t, int64_t s, int64_t d,           \
                        int64_t lead, R *restrict y, const R *restrict q,     \
                        const R *restrict k, const R *restrict v more)        \
  {                                                                           \
    R scale = 1 / M (sqrt) ((R) d);                                           \
    _Pragma ("tensor") for (int64_t m = 0; m < n; m++)                        \
      for (int64_t i = 0; i < t; i++)                                         \
        {                                                                     \
          R weight[s], part[s], most = -R_MAX, sum = 0;                       \
          int64_t end = i + lead + 1 < s ? i + lead + 1 : s;                  \
          for (int64_t j = 0; j < end; j++)                                   \
            {                                                                 \
              R dot = 0;                                                      \
              for (int64_t e = 0; e < d; e++)                                 \
                dot += q[(m * t + i) * d + e] * k[(m * s + j) * d + e];       \
              weight[j] = score;                                              \
              if (weight[j] > most)                                           \
                most = weight[j];                                             \
            }                                                                 \
          for (int64_t j = 0; j < end; j++)                                   \
            {                                                                 \
              weight[j] = M (exp) (weight[j] - most);                         \
              sum += weight[j];                                               \
            }                                                                 \
          for (int64_t j = 0; j < end; j++)                                   \
            part[j] = weight[j] / sum taken;                                  \
          for (int64_t e = 0; e < d; e++)                                     \
            {                                                                 \
              R all = 0;                                                      \
              for (int64_t j = 0; j < end; j++)                               \
                all += part[j] * v[(m * s + j) * d + e];                      \
              y[(m * t + i) * d + e] = all;                                   \
            }                                                                 \
        }                                                                     \
  }
#define NOTHING
#define MASK    , const bool *restrict mask, const R *restrict share
#define DROPOUT MASK, uint64_t seed, uint64_t counter, uint64_t bound
#define SCORE   dot * scale
#define SEEN    mask[i * s + j] ? dot * scale : UNSEEN
#define PLACE   counter + (uint64_t) ((m * t + i) * s + j)
ATTENTION (attention, NOTHING, SCORE, NOTHING)
ATTENTION (attention_masked, MASK, SEEN, *share[i])
ATTENTION (attention_dropped, DROPOUT, SEEN,
           *(is_dropped (seed, PLACE, bound) ? 0 : share[i]))
#undef ATTENTION
#undef NOTHING
#undef SCORE
#undef SEEN
#undef PLACE

#pragma tensor gradient(F (attention)) of(y : dy) wrt(q : dq, k : dk, v : dv)
static void F (attention_back) (int64_t n, int64_t t, int64_t s, int64_t d,
                                int64_t lead, const R *restrict dy,
                                const R *restrict q, const R *restrict k,
                                const R *restrict v, R *restrict dq,
                                R *restrict dk, R *restrict dv);
#pragma tensor gradient(F (attention_masked)) of(y : dy)                     \
  wrt(q : dq, k : dk, v : dv)
static void F (attention_masked_back) (int64_t n, int64_t t, int64_t s,
                                       int64_t d, int64_t lead,
                                       const R *restrict dy,
                                       const R *restrict q,
                                       const R *restrict k,
                                       const R *restrict v, R *restrict dq,
                                       R *restrict dk, R *restrict dv MASK);
#pragma tensor gradient(F (attention_dropped)) of(y : dy)                    \
  wrt(q : dq, k : dk, v : dv)
static void F (attention_dropped_back) (int64_t n, int64_t t, int64_t s,
                                        int64_t d, int64_t lead,
                                        const R *restrict dy,
                                        const R *restrict q,
                                        const R *restrict k,
                                        const R *restrict v, R *restrict dq,
                                        R *restrict dk,
                                        R *restrict dv DROPOUT);
#undef MASK
#undef DROPOUT
