/* Regions with a version for the device while one allocation after the other
   fails, in the runtime and in what it calls: the results are right, and all
   that was allocated and is not kept for the next region is freed.  */

#include "cuda-fake.h"
#include "failing.h"

#include <string.h>

#define N    700
#define MOST 60

/* Run three regions, of which allocation TEST_FAILS of the first two, or of the
   third, fails.  */
static void
part_fails (void)
{
  const char *told = getenv ("TEST_FAILS");
  bool late = getenv ("TEST_LATE");
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  countdown = late || !told ? 0 : atol (told);
  fake_run (FAKE_TWICE, y, x, N, NULL, 0);
  fake_run (FAKE_ADD, y, x, N, NULL, 0);
  countdown = late && told ? atol (told) : 0;
  fake_run (FAKE_ADD, y, x, N, NULL, 0);
  countdown = 0;
  long before = live;
  fake_run (FAKE_ADD, y, x, N, NULL, 0);
  printf ("%s, %ld more, %s\n", fake_are (y, N, 5, 5) ? "right" : "wrong",
          live - before, trm_cuda_entries () ? "kept" : "nothing kept");
  free (x);
  free (y);
}

/* Each of the first MOST allocations fails under SETTING.  */
static bool
test_fails (const char *setting)
{
  char all[128];
  bool fine = true;
  for (int i = 1; i <= MOST; i++)
    {
      snprintf (all, sizeof all, "%s TEST_FAILS=%d", setting, i);
      fine = fake_says (all, "fails", "right|nothing kept") && fine;
    }
  return fine;
}

int
main (int argc, char **argv)
{
  static const fake_part parts[] = { { "fails", part_fails }, { NULL, NULL } };
  if (fake_main (argc, argv, parts))
    return 0;
  if (!CAN_FAIL)
    {
      printf ("UNSUPPORTED: allocations that fail\n");
      return 0;
    }
  expect (fake_says ("", "fails", "right, 0 more, nothing kept"),
          "a region leaves nothing behind");
  expect (test_fails (""), "allocations of the start");
  expect (test_fails ("TRM_CUDA_CACHE=0"), "and those of a compilation");
  expect (test_fails ("TEST_LATE=1"), "and those of a region");
  return expect_status ();
}
