/* Lines of report-json, as plugin/held.hh says:

     {..., "milliseconds": 3.1}
     -> {..., "milliseconds": 3.1, "kernels": [{"name": "f_12_k0",
         "registers": 20, "shared": 128, "spills": 0}]}

   where the numbers are known: those of the last device that there is code
   for, shared and spills in bytes.  */

#include "plugin/held.hh"
#include "plugin/report.hh"

extern "C"
{
#include "driver/device.h"
}

/* A kernel.  asked: bytes of shared memory that its launch asks for, beside
   those that its text declares.  */
typedef struct held_kernel
{
  char *name;
  int asked;
} held_kernel;

/* A line.

   chars    the line, or, where there are kernels, all of it before its end
   kernels  these  */
typedef struct held_line
{
  char *chars;
  vec<held_kernel> kernels;
} held_line;

static vec<held_line> lines = vNULL;

/* The file of all lines.  */
static const char *lines_file;

void
tns_held_add (tns_ctx *ctx, const char *file, const char *line,
              const tns_result *result)
{
  int n = tns_device_kernels (result);
  if (n == 0 && lines.is_empty ())
    {
      tns_report_append (file, line);
      return;
    }
  held_line held = { xstrdup (line), vNULL };
  if (n > 0)
    *strrchr (held.chars, '}') = '\0';
  for (int k = 0; k < n; k++)
    held.kernels.safe_push ({ xstrdup (tns_device_name (ctx, result, k)),
                              tns_device_asks (result, k) });
  lines.safe_push (held);
  lines_file = file;
}

/* KERNEL as an object.  */
static void
add_kernel (tns_text *text, const tns_nvcc *nvcc, const held_kernel *kernel)
{
  tns_kernel_facts facts;
  tns_text_add (text, "{\"name\": ");
  tns_text_quoted (text, kernel->name);
  if (nvcc && tns_nvcc_facts (nvcc, kernel->name, &facts))
    tns_text_format (
      text, ", \"registers\": %d, \"shared\": %d, \"spills\": %d",
      facts.registers, facts.shared + kernel->asked, facts.spills);
  tns_text_add (text, "}");
}

/* The whole of HELD, which is freed.  */
static const char *
whole_line (tns_arena *arena, held_line *held, const tns_nvcc *nvcc)
{
  tns_text text = tns_text_new (arena);
  unsigned n = held->kernels.length ();
  tns_text_add (&text, held->chars);
  for (unsigned k = 0; k < n; k++)
    {
      tns_text_add (&text, k ? ", " : ", \"kernels\": [");
      add_kernel (&text, nvcc, &held->kernels[k]);
      free (held->kernels[k].name);
    }
  tns_text_add (&text, n ? "]}\n" : "");
  held->kernels.release ();
  free (held->chars);
  return tns_text_chars (&text);
}

void
tns_held_write (const tns_nvcc *nvcc)
{
  if (lines.is_empty ())
    return;
  tns_arena *arena = tns_arena_new (tns_allocator_malloc ());
  for (unsigned k = 0; k < lines.length (); k++)
    tns_report_append (lines_file, whole_line (arena, &lines[k], nvcc));
  lines.release ();
  tns_arena_free (arena);
}
