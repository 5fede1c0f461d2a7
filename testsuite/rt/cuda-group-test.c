/* Kernels of warpgroups beside others: what they are given, when they are
   launched, and that the other kernel is where one of them cannot be.  The
   kernel "tell" writes 1, "tell_group" 2 and what its maps say
   (testsuite/cuda/cuda_cpu_run.h).  */

#include "cuda-fake.h"

#include <stdlib.h>
#include <string.h>

#define N 4096

static const char *const names[] = { "tell" };

static trm_cuda_unit unit
  = { .version = TRM_CUDA_VERSION,
      .text
      = "#define TNS_SHARED\n"
        "struct args { long long *y; const unsigned short *x; long long n; };\n"
        "extern \"C\" __global__ void\n"
        "tell (const __grid_constant__ struct args a)\n"
        "{\n"
        "  a.y[0] = 1;\n"
        "}\n"
        "#ifndef TNS_GROUPS\n"
        "struct group_args { unsigned long long map[2][16]; struct args own; "
        "};\n"
        "extern \"C\" __global__ void\n"
        "tell_group (const __grid_constant__ struct group_args a)\n"
        "{\n"
        "  if (threadIdx.x > 0 || blockIdx.x > 0)\n"
        "    return;\n"
        "  a.own.y[0] = 2;\n"
        "  for (int o = 0; o < 2; o++)\n"
        "    {\n"
        "      long long *y = a.own.y + 1 + 5 * o;\n"
        "      y[0] = a.map[o][1] - (unsigned long long) a.own.x;\n"
        "      y[1] = a.map[o][2];\n"
        "      y[2] = a.map[o][3];\n"
        "      y[3] = a.map[o][4];\n"
        "      y[4] = a.map[o][5] >> 32;\n"
        "    }\n"
        "  a.own.y[11] = gridDim.x * 1000 + blockDim.x;\n"
        "}\n"
        "#endif\n",
      .options = "",
      .names = names,
      .n_kernels = 1,
      .hash = "" };

static trm_site site = { .version = TRM_ABI_VERSION,
                         .line = 10,
                         .name = "fake",
                         .file = "t.c",
                         .function = "f" };

/* Lines of 40 inner values from element 16 on, 48 apart; 24 neighbouring lines
   of 40 inner values, which are 64 apart.  */
static const trm_cuda_operand right[2]
  = { { 1, 16, 48, 1, 30, 40, 128 }, { 1, 0, 1, 64, 24, 40, 256 } };

/* A run with OPERAND, SHARED bytes and BYTES of arguments: to Y[0..12), zeros
   at first, and TIMES over.  -1: it ended on the CPU.  */
static int
run (const trm_cuda_operand *operand, intptr_t shared, intptr_t bytes,
     int64_t *y, int times)
{
  static uint16_t x[N];
  int launched = 0;
  trm_cuda_array a[2] = { { y, 12 * 8, TRM_CUDA_READ | TRM_CUDA_WRITE, "y", 0 },
                          { x, sizeof x, TRM_CUDA_READ, "x", 0 } };
  memset (y, 0, 12 * 8);
  void *of = trm_cuda_begin (&unit, &site, a, 2, NULL);
  if (!of)
    return -1;
  int64_t args[100] = { a[0].device, a[1].device, N };
  for (int t = 0; t < times; t++)
    {
      launched
        = trm_cuda_launch_group (of, 0, 7, 96, shared, operand, args, bytes);
      if (!launched)
        trm_cuda_launch (of, 0, 1, 32, 1, 0, args, 24);
    }
  return trm_cuda_end (of) ? launched : -1;
}

/* What maps say.  */
static void
part_maps (void)
{
  int64_t y[12];
  printf ("%d:", run (right, 1024, 24, y, 1));
  for (int k = 0; k < 12; k++)
    printf (" %d", (int) y[k]);
  putchar ('\n');
}

/* Where the group's kernel is launched twice, or the other is: y[0].  */
static void
part_twice (void)
{
  int64_t y[12];
  int launched = run (right, 1024, 24, y, 2);
  printf ("%d: %d, %ld maps, %ld looked for\n", launched, (int) y[0],
          fake_count ("cuTensorMapEncodeTiled"),
          fake_count ("cuModuleGetFunction"));
}

/* An operand that is changed, which of them, and why no map is made of it.  */
static const struct
{
  const char *shown;
  int o;
  trm_cuda_operand operand;
} wrong[]
  = { { "begins elsewhere", 0, { 1, 17, 48, 1, 30, 40, 128 } },
      { "lines apart by no whole pieces", 0, { 1, 16, 44, 1, 30, 40, 128 } },
      { "inner values likewise", 1, { 1, 0, 1, 65, 24, 40, 256 } },
      { "no neighbours", 1, { 1, 0, 2, 64, 24, 40, 256 } },
      { "no lines", 1, { 1, 0, 1, 64, 0, 40, 256 } },
      { "no inner values", 0, { 1, 16, 48, 1, 30, 0, 128 } },
      { "backwards", 0, { 1, 16, -48, 1, 30, 40, 128 } },
      { "all at one place", 0, { 1, 16, 0, 1, 30, 40, 128 } },
      { "far apart", 0, { 1, 16, (intptr_t) 1 << 40, 1, 30, 40, 128 } },
      { "many lines", 0, { 1, 16, 48, 1, (intptr_t) 1 << 32, 40, 128 } } };

/* What there are no maps of, and too long an argument: the other kernel.  */
static void
part_wrong (void)
{
  int64_t y[12];
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
    {
      trm_cuda_operand operand[2] = { right[0], right[1] };
      operand[wrong[k].o] = wrong[k].operand;
      int launched = run (operand, 1024, 24, y, 1);
      printf ("%s: %s\n", wrong[k].shown,
              launched == 0 && y[0] == 1 ? "right" : "wrong");
    }
  int launched = run (right, 1024, 8 * 100, y, 1);
  printf ("a long argument: %s\n",
          launched == 0 && y[0] == 1 ? "right" : "wrong");
  launched = run (right, 300000, 24, y, 1);
  printf ("much shared memory: %s\n",
          launched == -1 && y[0] == 0 ? "right" : "wrong");
}

int
main (int argc, char **argv)
{
  static const fake_part parts[] = { { "maps", part_maps },
                                     { "twice", part_twice },
                                     { "wrong", part_wrong },
                                     { NULL, NULL } };
  if (fake_main (argc, argv, parts))
    return 0;
  expect (fake_says ("", "maps", "1: 2 32 40 30 96 128 0 24 40 128 64 7096"),
          "a kernel of warpgroups is given maps");
  expect (fake_says ("", "twice", "1: 2, 4 maps, 2 looked for"),
          "it is looked for once");
  expect (fake_says ("FAKE_CUDA_MAJOR=8", "twice", "0: 1, 0 maps, 1 looked"),
          "no device for it");
  expect (fake_says ("FAKE_CUDA_FAIL=cuModuleGetFunction:2:500", "twice",
                     "0: 1, 0 maps, 2 looked for"),
          "no code for it");
  expect (fake_says ("FAKE_CUDA_FAIL=cuTensorMapEncodeTiled:1+:1", "twice",
                     "0: 1, 2 maps"),
          "no maps for it");
  expect (
    fake_says ("FAKE_CUDA_FAIL=cuTensorMapEncodeTiled:1:700", "twice", "-1: 0"),
    "a context that ends there");
  expect (
    fake_says ("FAKE_CUDA_FAIL=cuModuleGetFunction:2:700", "twice", "-1: 0"),
    "a context that ends before");
  expect (fake_says ("", "wrong", "right") && !strstr (fake_out, "wrong"),
          "the other kernel where operands do not suit");
  return expect_status ();
}
