/* Machine descriptions: one row for each class of processors that the code
   generator tells apart, and one for what CUDA runs on.  */

#include "schedule/machine.h"

#include <string.h>

static const tns_machine machines[] = {
  { "avx512", 64,   32,  true, true, true,  false, 2,   2,    1,
    4,        32e3, 1e6, 2e6,  32,   10,    4,     2.5, 1000, 100e3,
    15e6,     512,  12,  16,   0,    false, 0, 0, 0, 0 },
  { "znver4", 64,   32,  true, true, true,  true, 2,   2,    1,
    4,        32e3, 1e6, 2e6,  32,   10,    4,    2.5, 1000, 100e3,
    15e6,     512,  12,  4,    0,    false, 0, 0, 0, 0 },
  { "znver3", 32,   16,    true, true, true,  false, 2,   2,    1,
    4,        32e3, 512e3, 2e6,  32,   10,    6,     3.0, 1000, 100e3,
    15e6,     224,  10,    8,    24,   false, 0, 0, 0, 0 },
  { "avx2", 32,   16,    true, true, true,  false, 2,   2,    1,
    4,      32e3, 512e3, 2e6,  32,   10,    6,     3.0, 1000, 100e3,
    15e6,   224,  10,    8,    0,    false, 0, 0, 0, 0 },
  { "avx", 32,   16,    true, false, true,  false, 1,   2,    1,
    4,     32e3, 256e3, 2e6,  24,    8,     5,     3.0, 1000, 100e3,
    15e6,  168,  12,    14,   0,     false, 0, 0, 0, 0 },
  { "sse2", 16,   16,    false, false, false, false, 1,   2,    1,
    4,      32e3, 256e3, 2e6,   24,    8,     5,     3.0, 1000, 100e3,
    15e6,   128,  12,    8,     0,     false, 0, 0, 0, 0 },
  { "cuda", 128,   64,    true, true, true, true, 2,      1,    1,
    4,      128e3, 256e3, 50e6, 64,   32,   25,   1.7,    5000, 5000,
    5000,   64,    2,     4,    0,    true, 132, 4, 102400, 1024 },
};

#define N_MACHINES (sizeof machines / sizeof machines[0])

const tns_machine *
tns_machine_find (const char *name)
{
  for (size_t k = 0; k < N_MACHINES; k++)
    if (!strcmp (machines[k].name, name))
      return &machines[k];
  return NULL;
}

const tns_machine *
tns_machine_for (int vector_bytes, bool masks, bool fma, const char *tuned)
{
  bool is_zen = tuned && !strncmp (tuned, "znver", 5);
  if (vector_bytes >= 64 && masks)
    return tns_machine_find (is_zen ? "znver4" : "avx512");
  if (vector_bytes >= 32)
    return tns_machine_find (!fma ? "avx" : is_zen ? "znver3" : "avx2");
  return tns_machine_find ("sse2");
}
