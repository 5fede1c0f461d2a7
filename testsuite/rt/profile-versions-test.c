/* The profiler: a region with kernels, of which the CPU runs its own version
   where the device does not, is one row, whose calls are the program's.  */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "expect.h"
#include "profile-text.h"

#define PLACE                                                                  \
  .version = TRM_ABI_VERSION, .line = 10, .name = "blur", .file = "a/one.c",   \
  .function = "f"

static trm_site device_site = { PLACE };
static trm_site cpu_site = { PLACE };
static trm_site inner_site = { .version = TRM_ABI_VERSION,
                               .line = 20,
                               .name = "blur",
                               .file = "a/one.c",
                               .function = "f" };

/* As the constructor of a generated object: before main.  */
__attribute__ ((constructor)) static void
register_sites (void)
{
  trm_register (&device_site);
  trm_register (&cpu_site);
  trm_register (&inner_site);
}

/* A call that falls back to the CPU, whose version calls another region.  */
static void
call (void)
{
  trm_enter (&device_site, NULL, 0);
  trm_enter (&cpu_site, NULL, 0);
  cpu_site.flops += 500;
  trm_enter (&inner_site, NULL, 0);
  trm_leave (&inner_site, 1);
  trm_leave (&cpu_site, 1);
  trm_leave (&device_site, 0);
}

/* The number behind KEY of the region at line 10.  */
static double
of_region (const char *json, const char *key)
{
  return profile_number (json, "\"line\": 10", key);
}

int
main (void)
{
  trm_profile_start ();
  for (int k = 0; k < 4; k++)
    call ();
  trm_enter (&device_site, NULL, 0);
  trm_leave (&device_site, 1);
  char *json = profile_text ("json");
  const char *first = strstr (json, "\"line\": 10");
  expect (first && !strstr (first + 1, "\"line\": 10"), "one row");
  expect (of_region (json, "\"calls\": ") == 5, "the program's calls");
  expect (of_region (json, "\"fallbacks\": ") == 4, "what fell back");
  expect (of_region (json, "\"flops\": ") == 2000, "what was counted");
  expect (of_region (json, "\"self_ns\": ") <= of_region (json, "\"ns\": "),
          "no time twice");
  expect (profile_number (json, "\"line\": 20", "\"calls\": ") == 4,
          "what is called inside has its own");
  free (json);
  trm_profile_stop ();
  return expect_status ();
}
