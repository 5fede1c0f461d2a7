/* Functions that random kernels call.  */

#include <stdio.h>

#include "random-c.h"

const char random_called[] = "static int\n"
                             "mix (int a, int b)\n"
                             "{\n"
                             "  if (a > b)\n"
                             "    return a - b;\n"
                             "  return b / 3;\n"
                             "}\n"
                             "\n"
                             "static int\n"
                             "limited (int a, int most)\n"
                             "{\n"
                             "  int r = a;\n"
                             "  if (r > most)\n"
                             "    r = most;\n"
                             "  else if (r < -most)\n"
                             "    r = -most;\n"
                             "  return r;\n"
                             "}\n"
                             "\n"
                             "static inline unsigned\n"
                             "halved (unsigned a)\n"
                             "{\n"
                             "  return a & 1 ? 3 * a + 1 : a >> 1;\n"
                             "}\n"
                             "\n"
                             "static unsigned\n"
                             "bump (unsigned *p, unsigned by)\n"
                             "{\n"
                             "  if (by > 500)\n"
                             "    return by;\n"
                             "  *p += by;\n"
                             "  return *p / 2;\n"
                             "}\n"
                             "\n"
                             "static float\n"
                             "above (float x, float y)\n"
                             "{\n"
                             "  float d = x - y;\n"
                             "  return d > 0 ? d : y;\n"
                             "}\n";

void
random_rows (kind k)
{
  const char *t = kind_name (k);
  printf ("\nstatic void\nset_rows_%s (%s *y, const %s *x, int n)\n{\n"
          "  for (int i = 0; i < n; i++)\n    y[i] = x[i];\n}\n",
          kind_suffix (k), t, t);
}
