/* What a region with target (cuda) or target (auto) and the runtime share,
   beside abi.h.  All names are weakly referenced: a program linked without
   the runtime runs such regions on the CPU.

   The compiler puts beside a region's CPU function a second one:

     static int f_cuda_0 (float *x, float *y, int64_t n)
     {
       trm_cuda_array a[2] = { { x, 4 * n, TRM_CUDA_READ },
                               { y, 4 * n, TRM_CUDA_WRITE | TRM_CUDA_ALL } };
       trm_cuda_cost cost = { cpu_ns, flops, bytes, launches };
       void *run = trm_cuda_begin (&unit, &site, a, 2, &cost);
       if (!run)
         return 0;                          the CPU version runs
       int64_t args[3] = { a[0].device, a[1].device, n };
       trm_cuda_launch (run, 0, n, 256, 0, 0, args, sizeof args);
       int64_t again[3] = { x, y, n };
       return trm_cuda_end_later (run, f_again_0, again, sizeof again);
     }                                      0: failed; the host's memory is as
                                            it was: the CPU version runs
     static int f_again_0 (const void *args)
     {
       the loops as written, on args[0], args[1], args[2]
       return 1;
     }

   Every field is as wide as a pointer: the plug-in builds arrays of them.  */

#ifndef TRM_ABI_CUDA_H
#define TRM_ABI_CUDA_H

#include "abi.h"

#ifdef __cplusplus
extern "C"
{
#endif
#pragma GCC visibility push(default)

#define TRM_CUDA_VERSION 2

  /* The kernels of one translation unit, in static storage.

     version   TRM_CUDA_VERSION, or 1 where trm_cuda_launch_group is not called
     text      CUDA C that needs no includes
     options   for its compiler, a space between two ("-fmad=false"); ""
     names     [n_kernels], of the kernels, in the order of their numbers
     n_kernels how many
     image     a fat binary of the text, or NULL: none was made
     image_bytes  how long it is
     hash      nothing reads it: the runtime makes its own
     own       the runtime's; NULL at first  */
  typedef struct trm_cuda_unit
  {
    intptr_t version;
    const char *text;
    const char *options;
    const char *const *names;
    intptr_t n_kernels;
    const void *image;
    intptr_t image_bytes;
    const char *hash;
    void *own;
  } trm_cuda_unit;

/* Bits of trm_cuda_array.use.  */
#define TRM_CUDA_READ    1  /* what it holds at the region's start is read */
#define TRM_CUDA_WRITE   2  /* it is written, and read by the host later */
#define TRM_CUDA_ALL     4  /* (with WRITE) every byte of it is written */
#define TRM_CUDA_SCRATCH 8  /* memory of the device alone: base is NULL */
#define TRM_CUDA_DEAD    16 /* (with WRITE) nobody reads it after the region */
#define TRM_CUDA_MAY     32 /* some of it need not be there at all */

  /* Memory that a region touches.

     base    address of its first byte on the host
     bytes   how many from there; 0: it is not touched
     use     TRM_CUDA_ bits
     name    as the user calls it, in static storage, for the ledger
     device  set by trm_cuda_begin: the address on the device that stands for
             base, 0 where it is not touched.  Arrays that overlap on the host
             do so on the device  */
  typedef struct trm_cuda_array
  {
    void *base;
    intptr_t bytes;
    intptr_t use;
    const char *name;
    intptr_t device;
  } trm_cuda_array;

  /* What a run of a region is predicted to take: from counts, never from
     clocks.

     cpu_ns    on one thread of the CPU; 0: nothing is known, or the user
               asked for the device: it is taken wherever it can be
     flops     floating operations; bytes that kernels move; launches
     parallel  the CPU's version shares its work among threads  */
  typedef struct trm_cuda_cost
  {
    double cpu_ns;
    double flops;
    double bytes;
    double launches;
    double parallel;
  } trm_cuda_cost;

  /* A run of SITE (which may be NULL) with the kernels of UNIT begins: memory
     is made ready on the device and ARRAY[0..n) get their addresses.  NULL:
     the CPU's version is to run; why is counted, and said where somebody
     asked for it.  From here to trm_cuda_end the thread has the runtime's lock:
     it calls nothing but trm_cuda_launch.  Without COST the device is taken
     wherever it can be.  */
  extern void *trm_cuda_begin (trm_cuda_unit *unit, trm_site *site,
                               trm_cuda_array *array, intptr_t n,
                               const trm_cuda_cost *cost);

  /* Launch KERNEL of RUN's unit: blocks of BLOCK threads, as many as WORK
     threads need, and at most as many as the device holds at once where
     BLOCKS is 0, else BLOCKS; SHARED bytes of dynamic shared memory, on devices
     of 8.0 and newer: on others no text uses any.  ARGS are the BYTES bytes of
     the kernel's one argument.  After a failure nothing more is launched;
     trm_cuda_end tells.  */
  extern void trm_cuda_launch (void *run, intptr_t kernel, intptr_t work,
                               intptr_t block, intptr_t blocks, intptr_t shared,
                               const void *args, intptr_t bytes);

  /* An operand of a product, bf16.

     array   the number of the argument that is its address
     first   elements from there to the first one of the first line
     line    elements from one line to the next
     inner   from one inner value to the next: it or line is 1, or the operand
             is none for this
     lines   how many
     inners  how many inner values
     tile    lines of a block's  */
  typedef struct trm_cuda_operand
  {
    intptr_t array;
    intptr_t first;
    intptr_t line;
    intptr_t inner;
    intptr_t lines;
    intptr_t inners;
    intptr_t tile;
  } trm_cuda_operand;

  /* Launch, in place of KERNEL of RUN's unit, the one of warpgroups beside it,
     which is called as it is with "_group" behind: BLOCKS blocks of THREADS
     threads and SHARED bytes of dynamic shared memory.  Its argument is two
     maps of the driver's, of OPERAND[0] and OPERAND[1] in boxes of 128 bytes,
     and then the BYTES bytes of ARGS, numbers.  0: nothing was launched, since
     the device, the code for it or the driver lacks something, or operands are
     not aligned to 16 bytes: KERNEL is to be.  */
  extern int trm_cuda_launch_group (void *run, intptr_t kernel, intptr_t blocks,
                                    intptr_t threads, intptr_t shared,
                                    const trm_cuda_operand *operand,
                                    const void *args, intptr_t bytes);

  /* RUN ends: what was written is on the host when this returns, but for
     arrays that a data block keeps.  0: it failed, and the host's memory is as
     it was, but for arrays that the region writes wholly and does not read:
     the CPU's version is to run.  */
  extern int trm_cuda_end (void *run);

  /* Does on the CPU what a run did on the device, with what that was given,
     ARGS.  0: it could not.  */
  typedef int trm_cuda_again (const void *args);

  /* The same; but where data blocks keep all memory of the host that RUN
     touches, this may return before its kernels have run.  Whoever wants what
     they write, or changes what they read, waits for them: trm_cuda_host, the
     end of the block, a run that ends.  Where they turn out to have failed,
     AGAIN is called with a copy of the BYTES bytes at ARGS, since what they
     read is still on the host; where it is not, the process ends with a
     message.  So AGAIN touches no memory but RUN's arrays, and calls nothing
     of this header.  */
  extern int trm_cuda_end_later (void *run, trm_cuda_again *again,
                                 const void *args, intptr_t bytes);

  /* A run whose outermost loop devices may share.  How many there are, 1 where
     none is used; more than 16 are not.  The run begins: ARRAY[p * n + i] is
     what iterations of part p of as many touch of array i, and behind these
     ARRAY[devices * n + i] what all do.  It has so many parts: all, DEVICES;
     or 1, which does all and has the last rows; 0: the CPU's version is to
     run.  Launches from here on are part NUMBER's, by trm_cuda_launch and with
     the addresses of its rows; RUN is not looked at.  The run ends, as by
     trm_cuda_end.  */
  extern intptr_t trm_cuda_devices (void);
  extern intptr_t trm_cuda_begin_parts (trm_cuda_unit *unit, trm_site *site,
                                        trm_cuda_array *array, intptr_t n,
                                        intptr_t devices,
                                        const trm_cuda_cost *cost);
  extern void trm_cuda_part (intptr_t number);
  extern int trm_cuda_end_parts (void);

  /* A block of #pragma tensor data begins and ends: ARRAY[0..n) stay on the
     device in between.  READ: they are copied in when first read there;
     WRITE: and copied out at the end; SCRATCH with a base: "present".  What
     overlaps an array, or a region's, is kept with it.  Under TRM_MODE=check
     and original nothing is kept.  */
  extern void trm_cuda_data_begin (trm_cuda_array *array, intptr_t n);
  extern void trm_cuda_data_end (trm_cuda_array *array, intptr_t n);

  /* The host is about to read (USE has READ) or write (WRITE) BYTES bytes at
     BASE, all of them with ALL; BYTES < 0: any of the kept array that BASE
     lies in; BASE NULL: of all kept arrays.  Before memory is freed:
     WRITE | ALL.  */
  extern void trm_cuda_host (void *base, intptr_t bytes, intptr_t use);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
