schedule_sources = \
  schedule/asked.c \
  schedule/check.c schedule/check.h \
  schedule/contract.c schedule/contract.h \
  schedule/fuse.c \
  schedule/kernel.c \
  schedule/machine.c schedule/machine.h \
  schedule/marks.c \
  schedule/order.c \
  schedule/plan.c schedule/plan.h \
  schedule/planner.h \
  schedule/replay.c schedule/replay.h \
  schedule/step.c schedule/step.h \
  schedule/stride.c \
  schedule/tree.c schedule/tree.h
