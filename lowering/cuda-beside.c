/* Kernels as parts of one, as lowering/cuda-beside.h says: line by line.

     __shared__ long x[32];           auto &x = tns_room.part1.tns_room0;
     for (long tns_at = blockIdx.x;   for (long tns_at = tns_block;  */

#include "lowering/cuda-beside.h"

#include <string.h>

#include "lowering/cuda-reword.h"

static const char shared[] = "__shared__ ";

/* Words of a kernel for its blocks, and of a part for those that it has.  */
static const tns_reword words[]
  = { { "blockIdx.x", "tns_block" }, { "gridDim.x", "tns_blocks" } };

/* A part being written: TEXT, what it shares; its number; how many shared
   members it has so far.  */
typedef struct part
{
  tns_text *text;
  tns_text *room;
  int k;
  int n;
} part;

/* The line from AT on, up to END, declares what is shared, INDENT spaces from
   the margin: a member of the part's.  */
static void
add_shared (part *p, const char *at, const char *end, int indent)
{
  const char *type = at + indent + strlen (shared);
  const char *bracket = type;
  while (bracket < end && *bracket != '[')
    bracket++;
  const char *name = bracket;
  while (name > type && name[-1] != ' ')
    name--;
  tns_text_line (p->room, "%.*stns_room%d%.*s", (int) (name - type), type, p->n,
                 (int) (end - bracket), bracket);
  tns_text_format (p->text, "%*sauto &%.*s = tns_room.part%d.tns_room%d;\n",
                   indent, "", (int) (bracket - name), name, p->k, p->n);
  p->n++;
}

void
tns_cuda_part (tns_text *text, tns_text *room, const char *body, int k)
{
  part p = { text, room, k, 0 };
  while (*body)
    {
      const char *end = body + strcspn (body, "\n");
      int indent = (int) strspn (body, " ");
      if (!strncmp (body + indent, shared, strlen (shared)))
        add_shared (&p, body, end, indent);
      else
        tns_cuda_reword (text, body, end, sizeof words / sizeof words[0],
                         words);
      body = end + (*end == '\n');
    }
}
