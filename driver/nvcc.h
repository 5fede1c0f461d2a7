/* Kernels compiled by nvcc, where it is at hand when the user compiles.  */

#ifndef TNS_DRIVER_NVCC_H
#define TNS_DRIVER_NVCC_H

#include <stdbool.h>

#include "base/arena.h"

/* How it went.

   DONE   there is an image
   NOT    nvcc is not there, or cannot do it: words say why
   FAULT  nvcc finds an error in the text: words are its own  */
typedef enum tns_nvcc_verdict
{
  TNS_NVCC_DONE,
  TNS_NVCC_NOT,
  TNS_NVCC_FAULT
} tns_nvcc_verdict;

/* What is to be compiled, and what comes of it, in an arena.

   text     CUDA C that needs no includes
   options  with a space between two
   archs    "sm_80,sm_90a": code for each, and PTX of the last; NULL: sm_80 and
            sm_90, as far as nvcc knows them
   groups   the text has something for sm_90a: where it is compiled for sm_90
            the code is for that, if nvcc knows it

   image    the fat binary, bytes long
   log      what was said of kernels, for tns_nvcc_facts
   arch     the last device that there is code for, "sm_90"
   words    why there is no image  */
typedef struct tns_nvcc
{
  const char *text;
  const char *options;
  const char *archs;
  bool groups;
  const char *image;
  size_t bytes;
  const char *log;
  const char *arch;
  const char *words;
} tns_nvcc;

/* Compile N's text: by the first nvcc in PATH, or that in /usr/local/cuda/bin;
   it may take a minute.  */
extern tns_nvcc_verdict tns_nvcc_compile (tns_arena *arena, tns_nvcc *n);

/* WORDS are devices with commas between.  */
extern bool tns_nvcc_are_archs (const char *words);

/* A kernel on N's last device.

   registers  of a thread
   shared     bytes of a block that the text declares
   spills     bytes that a thread stores for want of registers, and loads  */
typedef struct tns_kernel_facts
{
  int registers;
  int shared;
  int spills;
} tns_kernel_facts;

/* Those of kernel NAME; false: they are not known.  */
extern bool tns_nvcc_facts (const tns_nvcc *n, const char *name,
                            tns_kernel_facts *facts);

#endif
