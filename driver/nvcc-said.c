/* What nvcc says of kernels, -Xptxas -v, for each device:

     ptxas info    : Compiling entry function 'f_12_k0' for 'sm_90'
     ptxas info    : Function properties for f_12_k0
         0 bytes stack frame, 8 bytes spill stores, 16 bytes spill loads
     ptxas info    : Used 20 registers, used 1 barriers, 128 bytes smem

   -> f_12_k0 on sm_90: 20 registers, 128 bytes shared, 24 bytes of spills.  */

#include "driver/nvcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number before WORD in LINE, 0 where there is none.  */
static int
number_before (const char *line, const char *word)
{
  const char *at = strstr (line, word);
  if (!at || at == line || at[-1] != ' ')
    return 0;
  at--;
  while (at > line && at[-1] >= '0' && at[-1] <= '9')
    at--;
  return atoi (at);
}

/* Read LINE of a kernel into *FACTS; whether it is the last.  */
static bool
read_line (const char *line, tns_kernel_facts *facts)
{
  facts->spills += number_before (line, "bytes spill stores")
                   + number_before (line, "bytes spill loads");
  if (!strstr (line, "Used "))
    return false;
  facts->registers = number_before (line, "registers");
  facts->shared = number_before (line, "bytes smem");
  return true;
}

/* The end of LINE, which may be LOG's last.  */
static const char *
end_of (const char *line)
{
  return line + strcspn (line, "\n");
}

bool
tns_nvcc_facts (const tns_nvcc *n, const char *name, tns_kernel_facts *facts)
{
  char line[512];
  char head[512];
  bool is_its = false;
  if (!n->arch
      || snprintf (head, sizeof head, "entry function '%s' for '%s'", name,
                   n->arch)
           >= (int) sizeof head)
    return false;
  memset (facts, 0, sizeof *facts);
  for (const char *at = n->log; *at; at = end_of (at), at += *at == '\n')
    {
      snprintf (line, sizeof line, "%.*s", (int) (end_of (at) - at), at);
      if (strstr (line, "entry function"))
        is_its = strstr (line, head);
      else if (is_its && read_line (line, facts))
        return true;
    }
  return false;
}
