/* Coroutines: on x86-64 a switch saves the registers that a call preserves and
   changes stacks, some nanoseconds; elsewhere, and with TNS_CPU_UCONTEXT,
   ucontext does it.  */

#define _GNU_SOURCE

#include "cuda_cpu_block.h"

#include <stdlib.h>

#if defined __x86_64__ && !defined TNS_CPU_UCONTEXT

struct tns_cpu_context
{
  void **stack;
};

__asm__(".text\n"
        ".type tns_cpu_change, @function\n"
        "tns_cpu_change:\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        ".size tns_cpu_change, .-tns_cpu_change\n");

extern void tns_cpu_change (void ***from, void **to)
  __attribute__ ((visibility ("hidden")));

struct tns_cpu_context *
tns_cpu_context_new (void *stack, size_t bytes, void (*entry) (void))
{
  struct tns_cpu_context *context = calloc (1, sizeof *context);
  if (!context || !stack)
    return context;
  void **top = (void **) ((char *) stack + bytes);
  context->stack = top - 8;
  context->stack[6] = (void *) entry;
  return context;
}

void
tns_cpu_switch (struct tns_cpu_context *from, struct tns_cpu_context *to)
{
  tns_cpu_change (&from->stack, to->stack);
}

#else

#  include <ucontext.h>

struct tns_cpu_context
{
  ucontext_t registers;
};

struct tns_cpu_context *
tns_cpu_context_new (void *stack, size_t bytes, void (*entry) (void))
{
  struct tns_cpu_context *context = calloc (1, sizeof *context);
  if (!context || !stack)
    return context;
  getcontext (&context->registers);
  context->registers.uc_stack.ss_sp = stack;
  context->registers.uc_stack.ss_size = bytes;
  makecontext (&context->registers, entry, 0);
  return context;
}

void
tns_cpu_switch (struct tns_cpu_context *from, struct tns_cpu_context *to)
{
  swapcontext (&from->registers, &to->registers);
}

#endif
