/* The memory of the fake device: pages of the process that nobody may touch,
   but for copies and kernels while they run.  What is new is full of 0xab.  */

#include "fake.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096

typedef struct block
{
  char *at;
  size_t bytes;
  bool live;
  int device;
  struct block *next;
} block;

typedef struct pinned
{
  char *at;
  size_t bytes;
  struct pinned *next;
} pinned;

static block *blocks;
static pinned *pins;
static size_t used[FAKE_DEVICES];

/* How many bytes the device has.  */
static size_t
room (void)
{
  const char *told = getenv ("FAKE_CUDA_MEMORY");
  return told ? (size_t) atoll (told) : (size_t) 1 << 30;
}

/* The bytes of the pages of BYTES bytes.  */
static size_t
pages (size_t bytes)
{
  return (bytes + PAGE - 1) / PAGE * PAGE;
}

char *
fake_memory (size_t bytes, bool live)
{
  size_t n = pages (bytes);
  int device = fake_device ();
  if (bytes == 0 || used[device] + n > room ())
    return NULL;
  char *at = mmap (NULL, n + PAGE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  block *b = malloc (sizeof *b);
  memset (at, 0xab, n);
  mprotect (at, n + PAGE, PROT_NONE);
  *b = (block){ at, bytes, live, device, blocks };
  blocks = b;
  used[device] += n;
  return at;
}

void
fake_memory_live (char *at)
{
  for (block *b = blocks; b; b = b->next)
    if (b->at == at)
      b->live = true;
}

bool
fake_memory_go (char *at)
{
  block **b = &blocks, *gone;
  while (*b && (*b)->at != at)
    b = &(*b)->next;
  gone = *b;
  if (!gone)
    return false;
  *b = gone->next;
  used[gone->device] -= pages (gone->bytes);
  munmap (at, pages (gone->bytes) + PAGE);
  free (gone);
  return true;
}

bool
fake_memory_holds (int device, const char *at, size_t bytes)
{
  for (block *b = blocks; b; b = b->next)
    if (b->live && b->device == device && b->at <= at
        && at + bytes <= b->at + b->bytes)
      return true;
  return false;
}

void
fake_memory_open (int device, bool open)
{
  for (block *b = blocks; b; b = b->next)
    if (b->live && b->device == device)
      mprotect (b->at, pages (b->bytes),
                open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void *
fake_pinned (size_t bytes)
{
  pinned *p = malloc (sizeof *p);
  *p = (pinned){ malloc (bytes), bytes, pins };
  pins = p;
  return p->at;
}

bool
fake_is_pinned (const void *at)
{
  for (pinned *p = pins; p; p = p->next)
    if (p->at <= (const char *) at && (const char *) at < p->at + p->bytes)
      return true;
  return false;
}

/* For tests: how many bytes of the devices are in use.  */
size_t
fake_cuda_used (void)
{
  size_t sum = 0;
  for (int i = 0; i < FAKE_DEVICES; i++)
    sum += used[i];
  return sum;
}
