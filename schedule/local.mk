schedule_sources = \
  schedule/align.c \
  schedule/asked.c \
  schedule/ast.c schedule/ast.h \
  schedule/block.c \
  schedule/box.c schedule/box.h \
  schedule/carry.c \
  schedule/chain.c \
  schedule/chain-proof.c \
  schedule/chain-tiles.c \
  schedule/skew.c \
  schedule/check.c schedule/check.h \
  schedule/chunk.c \
  schedule/component.c schedule/component.h \
  schedule/contract.c schedule/contract.h \
  schedule/forward.c schedule/forward.h \
  schedule/contraction.c schedule/contraction.h \
  schedule/device.c \
  schedule/distribute.c \
  schedule/fuse.c \
  schedule/halo.c schedule/halo.h \
  schedule/kernel.c \
  schedule/known.c schedule/known.h \
  schedule/lanes.c \
  schedule/machine.c schedule/machine.h \
  schedule/marks.c \
  schedule/meet.c \
  schedule/misfit.c schedule/misfit.h \
  schedule/narrow.c \
  schedule/operand.c \
  schedule/order.c \
  schedule/own.c \
  schedule/pack.c schedule/pack.h \
  schedule/panel.c \
  schedule/part.c schedule/part.h \
  schedule/plan.c schedule/plan.h \
  schedule/planner.h \
  schedule/replay.c schedule/replay.h \
  schedule/rescale.c schedule/rescale.h \
  schedule/reverse.c \
  schedule/scatter.c \
  schedule/size.c \
  schedule/step.c schedule/step.h \
  schedule/split.c \
  schedule/slab.c schedule/slab.h \
  schedule/slab-cells.c \
  schedule/slab-cut.c \
  schedule/summed.c \
  schedule/trailing.c \
  schedule/stride.c \
  schedule/threads.c \
  schedule/tasks.c \
  schedule/whole.c schedule/whole.h \
  schedule/transpose.c \
  schedule/turn.c schedule/turn.h \
  schedule/tree.c schedule/tree.h \
  schedule/weigh-memory.c \
  schedule/weigh-scale.c schedule/weigh-scale.h \
  schedule/weigh.c schedule/weigh.h
