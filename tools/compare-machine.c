/* What one thread of this machine reaches: a small program, compiled like
   the user's, counts multiply-adds in registers and bytes of a copy that
   lies in the second cache and in memory.  */

#include "compare.h"

#include <stdlib.h>
#include <string.h>

static const char probe[]
  = "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <time.h>\n"
    "typedef float v __attribute__ ((vector_size (64)));\n"
    "static double now (void)\n"
    "{ struct timespec t; timespec_get (&t, TIME_UTC);\n"
    "  return 1e9 * t.tv_sec + t.tv_nsec; }\n"
    "static double flops (void)\n"
    "{ v a[10], m; long n = 2000000; volatile float f = .999f;\n"
    "  for (int l = 0; l < 16; l++) m[l] = f;\n"
    "  for (int i = 0; i < 10; i++) a[i] = m;\n"
    "  double t = now ();\n"
    "  for (long k = 0; k < n; k++)\n"
    "    _Pragma (\"GCC unroll 10\")\n"
    "    for (int i = 0; i < 10; i++) a[i] = a[i] * m + m;\n"
    "  t = now () - t;\n"
    "  for (int i = 1; i < 10; i++) a[0] += a[i];\n"
    "  f = a[0][0];\n"
    "  return 320.0 * n / t; }\n"
    "static double bytes (long n, int times)\n"
    "{ float *x = aligned_alloc (64, 4 * n), *y = aligned_alloc (64, 4 * n);\n"
    "  double best = 0;\n"
    "  for (long i = 0; i < n; i++) x[i] = y[i] = 1;\n"
    "  for (int r = 0; r < 5; r++) {\n"
    "    double t = now ();\n"
    "    for (int k = 0; k < times; k++) {\n"
    "      for (long i = 0; i < n; i++) y[i] = x[i] + k;\n"
    "      __asm__ volatile (\"\" : : \"r\" (y) : \"memory\"); }\n"
    "    t = 8.0 * n * times / (now () - t);\n"
    "    best = t > best ? t : best; }\n"
    "  return best; }\n"
    "int main (void)\n"
    "{ flops ();\n"
    "  printf (\"%g %g %g\\n\", flops (), bytes (1 << 15, 100),\n"
    "          bytes (1 << 25, 1));\n"
    "  return 0; }\n";

/* Write the probe's source; its path.  */
static char *
write_probe (void)
{
  char *path = compare_path ("probe.c");
  FILE *file = fopen (path, "w");
  if (file)
    {
      fputs (probe, file);
      fclose (file);
    }
  return path;
}

compare_machine
compare_machine_measure (void)
{
  compare_machine m = { 0 };
  char *program = compare_path ("probe");
  char *errors = compare_path ("errors");
  char *output = compare_path ("output");
  char *build[] = { strdup (compare_gcc ()),
                    "-O3",
                    "-march=native",
                    write_probe (),
                    "-o",
                    program,
                    NULL };
  char *run[] = { program, NULL };
  compare_progress ("measuring the machine");
  if (compare_run (build, NULL, errors, NULL) == 0
      && compare_run (run, output, errors, NULL) == 0
      && sscanf (compare_file_text (output), "%lf %lf %lf", &m.flops,
                 &m.cache_bytes, &m.memory_bytes)
           != 3)
    m = (compare_machine){ 0 };
  return m;
}
