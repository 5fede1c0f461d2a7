/* What the environment asks for, read once.

   TRM_MODE=fused|original|check      which version of a region runs
   TRM_PROFILE=table[:FILE],...       what is written at exit (profile-wish.c)
   TRM_VERBOSE=1                      tell what was counted of fallbacks
   TRM_TOLERANCE=ULP                  what check mode lets pass (check.c)
   TRM_GRADCHECK=1[:NAME]|all[:NAME]  compare gradients (gradcheck.c)
   TRM_DEVICE=cpu|cuda[:N]            where regions with target run

   A value that is not known is told on stderr and has no effect: whoever
   set the variable asked.  */

#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TOLERANCE 1024

static trm_settings settings;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Tell that VARIABLE's VALUE is none of CHOICES.  */
static void
tell_unknown (const char *variable, const char *value, const char *choices)
{
  fprintf (stderr, "tensor: %s=%s is not known; it may be %s\n", variable,
           value, choices);
}

/* TRM_MODE.  */
static void
read_mode (const char *value)
{
  if (!value || !*value || strcmp (value, "fused") == 0)
    settings.mode = TRM_MODE_FUSED;
  else if (strcmp (value, "original") == 0)
    settings.mode = TRM_MODE_ORIGINAL;
  else if (strcmp (value, "check") == 0)
    settings.mode = TRM_MODE_CHECK;
  else
    tell_unknown ("TRM_MODE", value, "original, fused or check");
}

/* TRM_PROFILE.  */
static void
read_profile (const char *value)
{
  if (!trm_wish_read (value ? value : "", &settings.profile))
    tell_unknown ("TRM_PROFILE", settings.profile.unknown,
                  "a list of table, table:FILE, json:FILE, trace:FILE, "
                  "html:FILE, dot:FILE, sample, sample:FILE, memory, "
                  "memory:FILE, transfers, transfers:FILE, counters, ranges, "
                  "peaks, sort=..., by=...");
}

/* TRM_TOLERANCE.  */
static void
read_tolerance (const char *value)
{
  char *end = NULL;
  settings.tolerance = DEFAULT_TOLERANCE;
  if (!value || !*value)
    return;
  double ulp = strtod (value, &end);
  if (*end || !(ulp >= 0))
    tell_unknown ("TRM_TOLERANCE", value, "a number of ulp, 0 or more");
  else
    settings.tolerance = ulp;
}

/* TRM_GRADCHECK.  */
static void
read_gradcheck (const char *value)
{
  if (!value || !*value || strcmp (value, "0") == 0)
    return;
  size_t length = strcspn (value, ":");
  const char *name = value[length] ? value + length + 1 : "";
  settings.gradcheck_all = length == 3 && strncmp (value, "all", 3) == 0;
  settings.gradcheck
    = settings.gradcheck_all || (length == 1 && value[0] == '1');
  settings.gradcheck_name = *name ? name : NULL;
  if (!settings.gradcheck)
    tell_unknown ("TRM_GRADCHECK", value, "1, 1:NAME, all or all:NAME");
}

/* TRM_DEVICE.  */
static void
read_device (const char *value)
{
  if (!value || !*value || strcmp (value, "auto") == 0)
    return;
  size_t digits
    = strncmp (value, "cuda:", 5) ? 0 : strspn (value + 5, "0123456789");
  if (strcmp (value, "cpu") == 0 || strcmp (value, "cuda") == 0
      || (digits > 0 && digits < 4 && !value[5 + digits]))
    settings.device = value;
  else
    tell_unknown ("TRM_DEVICE", value, "auto, cpu, cuda or cuda:N");
}

/* All of them.  */
static void
read_environment (void)
{
  const char *verbose = getenv ("TRM_VERBOSE");
  read_mode (getenv ("TRM_MODE"));
  read_profile (getenv ("TRM_PROFILE"));
  read_tolerance (getenv ("TRM_TOLERANCE"));
  read_gradcheck (getenv ("TRM_GRADCHECK"));
  read_device (getenv ("TRM_DEVICE"));
  settings.verbose = verbose && *verbose && strcmp (verbose, "0") != 0;
}

const trm_settings *
trm_env (void)
{
  pthread_once (&once, read_environment);
  return &settings;
}
