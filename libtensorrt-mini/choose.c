/* Which of the tables of kernels this processor runs: the widest instruction
   set that was compiled and is there, when the library is loaded.

   A level of the x86-64 psABI stands for each: v2 (SSE4.2), v3 (AVX2, FMA), v4
   (AVX-512 F, BW, CD, DQ, VL).  configure says which are compiled; TRM_ISA=v2,
   v3 or v4 in the environment asks for less.  Where the processor has none of
   them no tensor can be made (storage.c), so that no kernel runs.  */

#include "tensor.h"

#include "choose.h"
#include "kernel.h"

#include <stdlib.h>

/* The table of family NAME for each level, NULL where it was not compiled.  */
#ifdef TRM_HAS_v2
#  define V2(name) &trm_##name##_v2
#else
#  define V2(name) NULL
#endif
#ifdef TRM_HAS_v3
#  define V3(name) &trm_##name##_v3
#else
#  define V3(name) NULL
#endif
#ifdef TRM_HAS_v4
#  define V4(name) &trm_##name##_v4
#else
#  define V4(name) NULL
#endif

#define FAMILY(name)                                                           \
  extern const struct trm_##name##_table trm_##name##_v2, trm_##name##_v3,     \
    trm_##name##_v4;                                                           \
  const struct trm_##name##_table *trm_kernels_##name;
TRM_FAMILIES (FAMILY)

static int level;

int
trm_level (void)
{
  return level;
}

/* The level of this processor, at most what TRM_ISA says.  */
static int
find_processor (void)
{
  const char *asked = getenv ("TRM_ISA");
  int most = asked && asked[0] == 'v' && asked[1] ? asked[1] - '0' : 4;
  __builtin_cpu_init ();
  bool v3 = __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma")
            && __builtin_cpu_supports ("bmi2");
  bool v4 = v3 && __builtin_cpu_supports ("avx512f")
            && __builtin_cpu_supports ("avx512bw")
            && __builtin_cpu_supports ("avx512cd")
            && __builtin_cpu_supports ("avx512dq")
            && __builtin_cpu_supports ("avx512vl");
  return v4 && most >= 4 ? 4 : v3 && most >= 3 ? 3 : 2;
}

/* The widest level up to MOST that was compiled, 0 when there is none.  */
static int
find_compiled (int most)
{
  const void *compiled[] = { [2] = V2 (step), V3 (step), V4 (step) };
  while (most >= 2 && !compiled[most])
    most--;
  return most >= 2 ? most : 0;
}

#define CHOOSE(name)                                                           \
  trm_kernels_##name = level == 4   ? V4 (name)                                \
                       : level == 3 ? V3 (name)                                \
                                    : V2 (name);

/* Choose when the library is loaded.  */
__attribute__ ((constructor)) static void
choose (void)
{
  level = find_compiled (find_processor ());
  TRM_FAMILIES (CHOOSE)
}
