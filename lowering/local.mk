lowering_sources = \
  lowering/along.c lowering/along.h \
  lowering/below.c lowering/below.h \
  lowering/block-sums.c lowering/block-sums.h \
  lowering/cuda.c lowering/cuda.h \
  lowering/cuda-beside.c lowering/cuda-beside.h \
  lowering/cuda-block.c lowering/cuda-block.h \
  lowering/cuda-columns.c lowering/cuda-columns.h \
  lowering/cuda-cross.c lowering/cuda-cross.h \
  lowering/cuda-edge.c lowering/cuda-edge.h \
  lowering/cuda-number.c lowering/cuda-number.h \
  lowering/cuda-reword.c lowering/cuda-reword.h \
  lowering/cuda-row.c lowering/cuda-row.h \
  lowering/cuda-scan.c lowering/cuda-scan.h \
  lowering/cuda-short.c lowering/cuda-short.h \
  lowering/cuda-slots.c lowering/cuda-slots.h \
  lowering/cuda-stages.c lowering/cuda-stages.h \
  lowering/cuda-tile.c lowering/cuda-tile.h \
  lowering/cuda-wide.c lowering/cuda-wide.h \
  lowering/cuda-group.c lowering/cuda-group.h \
  lowering/cuda-halo.c lowering/cuda-halo.h \
  lowering/cuda-lines.c lowering/cuda-lines.h \
  lowering/cuda-matrix.c lowering/cuda-matrix.h \
  lowering/cuda-tiling.c lowering/cuda-tiling.h \
  lowering/grid.c lowering/grid.h \
  lowering/grid-beside.c lowering/grid-beside.h \
  lowering/grid-columns.c lowering/grid-columns.h \
  lowering/grid-count.c \
  lowering/grid-cross.c lowering/grid-cross.h \
  lowering/grid-edge.c lowering/grid-edge.h \
  lowering/grid-group.c lowering/grid-group.h \
  lowering/grid-again.c lowering/grid-again.h \
  lowering/grid-kernel.c lowering/grid-kernel.h \
  lowering/grid-halo.c lowering/grid-halo.h \
  lowering/grid-matrix.c lowering/grid-matrix.h \
  lowering/grid-row.c lowering/grid-row.h \
  lowering/grid-scan.c lowering/grid-scan.h \
  lowering/grid-short.c lowering/grid-short.h \
  lowering/grid-slots.c lowering/grid-slots.h \
  lowering/grid-stages.c lowering/grid-stages.h \
  lowering/grid-tile.c lowering/grid-tile.h \
  lowering/grid-wide.c lowering/grid-wide.h \
  lowering/c99.c lowering/c99.h \
  lowering/c99-bench.c lowering/c99-bench.h \
  lowering/c99-expr.c lowering/c99-text.h \
  lowering/c99-local.c lowering/c99-loop.c \
  lowering/c99-names.c lowering/c99-origin.c lowering/c99-tidy.c \
  lowering/c99-wrap.c \
  lowering/libmvec.c lowering/libmvec.def lowering/libmvec.h \
  lowering/carry.c lowering/carry.h \
  lowering/skew.c lowering/skew.h \
  lowering/cells.c lowering/cells.h \
  lowering/certain.c lowering/certain.h \
  lowering/chunk-columns.c lowering/chunk-columns.h \
  lowering/chunks.c lowering/chunks.h \
  lowering/common.c lowering/common.h \
  lowering/cuda-prelude.h lowering/cuda-prelude-group.h \
  lowering/cuda-words.h lowering/cuda-words-scan.h lowering/cuda-words-wide.h \
  lowering/cut.c lowering/cut.h \
  lowering/cut-range.c lowering/cut-range.h \
  lowering/divisors.c lowering/divisors.h \
  lowering/fma.c lowering/fma.h \
  lowering/apart.c lowering/apart.h \
  lowering/entries.c lowering/entries.h \
  lowering/found.c lowering/found.h \
  lowering/hoist.c lowering/hoist.h \
  lowering/idle.c lowering/idle.h \
  lowering/jam.c lowering/jam.h \
  lowering/late.c lowering/late.h \
  lowering/linear.c lowering/linear.h \
  lowering/lines.c lowering/lines.h \
  lowering/loops.c lowering/loops.h \
  lowering/low-bits.c lowering/low-bits.h \
  lowering/made.c lowering/made.h \
  lowering/merge.c lowering/merge.h \
  lowering/panels.c lowering/panels.h \
  lowering/outward.c lowering/outward.h \
  lowering/owners.c lowering/owners.h \
  lowering/partials.c lowering/partials.h \
  lowering/portions.c lowering/portions.h \
  lowering/prefetch.c lowering/prefetch.h \
  lowering/promote.c lowering/promote.h \
  lowering/put-off.c lowering/put-off.h \
  lowering/square.c lowering/square.h \
  lowering/quotient.c lowering/quotient.h \
  lowering/registers.c lowering/registers.h \
  lowering/scans.c lowering/scans.h \
  lowering/share.c lowering/share.h \
  lowering/storage.c lowering/storage.h \
  lowering/sums.c lowering/sums.h \
  lowering/tasks.c lowering/tasks.h \
  lowering/vectors.c lowering/vectors.h lowering/lanes.h \
  lowering/vectors-expr.c lowering/vectors-join.c lowering/vectors-node.c \
  lowering/vectors-reduce.c \
  lowering/variants.c lowering/variants.h \
  lowering/versions.c lowering/versions.h
