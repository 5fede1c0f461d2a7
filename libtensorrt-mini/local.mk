# Regions: modes, counters, checks.
region_sources = \
  libtensorrt-mini/check.c \
  libtensorrt-mini/cuda-block.c \
  libtensorrt-mini/cuda-cache.c \
  libtensorrt-mini/cuda-calls.def \
  libtensorrt-mini/cuda-copy.c \
  libtensorrt-mini/cuda-cost.c \
  libtensorrt-mini/cuda-device.c \
  libtensorrt-mini/cuda-driver.c \
  libtensorrt-mini/cuda-driver.h \
  libtensorrt-mini/cuda-fall.c \
  libtensorrt-mini/cuda-group.c \
  libtensorrt-mini/cuda-guard.c \
  libtensorrt-mini/cuda-hash.c \
  libtensorrt-mini/cuda-hold.c \
  libtensorrt-mini/cuda-later.c \
  libtensorrt-mini/cuda-kernels.c \
  libtensorrt-mini/cuda-launch.c \
  libtensorrt-mini/cuda-ledger.c \
  libtensorrt-mini/cuda-memory.c \
  libtensorrt-mini/cuda-nvrtc.c \
  libtensorrt-mini/cuda-parts.c \
  libtensorrt-mini/cuda-resident.c \
  libtensorrt-mini/cuda-run.c \
  libtensorrt-mini/cuda-several.c \
  libtensorrt-mini/cuda-table.c libtensorrt-mini/cuda-there.c \
  libtensorrt-mini/cuda-time.c \
  libtensorrt-mini/cuda-trace.c \
  libtensorrt-mini/cuda-unit.c \
  libtensorrt-mini/cuda-unit.h \
  libtensorrt-mini/cuda-why.def \
  libtensorrt-mini/cuda.h \
  libtensorrt-mini/counters.c \
  libtensorrt-mini/element.c \
  libtensorrt-mini/element.h \
  libtensorrt-mini/env.c \
  libtensorrt-mini/gradcheck.c \
  libtensorrt-mini/gradcheck-dots.c libtensorrt-mini/gradcheck-fine.c \
  libtensorrt-mini/gradcheck-look.c \
  libtensorrt-mini/gradcheck-round.c \
  libtensorrt-mini/gradcheck-rows.c \
  libtensorrt-mini/gradcheck-try.c \
  libtensorrt-mini/gradcheck.h \
  libtensorrt-mini/html.c \
  libtensorrt-mini/object.h \
  libtensorrt-mini/pages.c \
  libtensorrt-mini/profile.c \
  libtensorrt-mini/profile.h \
  libtensorrt-mini/profile-call.c \
  libtensorrt-mini/profile-clock.c \
  libtensorrt-mini/profile-dot.c \
  libtensorrt-mini/profile-gather.c \
  libtensorrt-mini/profile-given.c \
  libtensorrt-mini/profile-held.c \
  libtensorrt-mini/profile-holders.c \
  libtensorrt-mini/profile-json.c \
  libtensorrt-mini/profile-judge.c \
  libtensorrt-mini/profile-lines.c \
  libtensorrt-mini/profile-memory.c \
  libtensorrt-mini/profile-page.html \
  libtensorrt-mini/profile-object.c \
  libtensorrt-mini/profile-peaks.c \
  libtensorrt-mini/profile-places.c \
  libtensorrt-mini/profile-range.c \
  libtensorrt-mini/profile-samples.c \
  libtensorrt-mini/profile-share.c \
  libtensorrt-mini/profile-symbols.c \
  libtensorrt-mini/profile-thread.c \
  libtensorrt-mini/profile-wish.c \
  libtensorrt-mini/runtime.h \
  libtensorrt-mini/sample.c \
  libtensorrt-mini/scratch.c \
  libtensorrt-mini/sites.c \
  libtensorrt-mini/table.c \
  libtensorrt-mini/table-places.c \
  libtensorrt-mini/tool.c \
  libtensorrt-mini/tool.h \
  libtensorrt-mini/tool-itt.c \
  libtensorrt-mini/tool-nvtx.c \
  libtensorrt-mini/trace.c \
  libtensorrt-mini/verbose.c \
  libtensorrt-mini/abi.h \
  libtensorrt-mini/abi-cuda.h

# Tensors (tensor.h), operations, the tape, files, training.
tensor_sources = \
  libtensorrt-mini/add.c \
  libtensorrt-mini/axes.c \
  libtensorrt-mini/axes.h \
  libtensorrt-mini/bench.c \
  libtensorrt-mini/cast.c \
  libtensorrt-mini/checkpoint-file.c \
  libtensorrt-mini/checkpoint.c \
  libtensorrt-mini/choose.c \
  libtensorrt-mini/choose.h \
  libtensorrt-mini/compile.c \
  libtensorrt-mini/compressed.c \
  libtensorrt-mini/copy.c \
  libtensorrt-mini/crc32.c \
  libtensorrt-mini/csv.c \
  libtensorrt-mini/decimal.c \
  libtensorrt-mini/decimal.h \
  libtensorrt-mini/dlpack.c \
  libtensorrt-mini/error.c \
  libtensorrt-mini/file-write.c \
  libtensorrt-mini/file.c \
  libtensorrt-mini/file.h \
  libtensorrt-mini/flow.c \
  libtensorrt-mini/fold.c \
  libtensorrt-mini/fold.h \
  libtensorrt-mini/fork.c \
  libtensorrt-mini/gain.c \
  libtensorrt-mini/half.h \
  libtensorrt-mini/hook.c \
  libtensorrt-mini/image.c \
  libtensorrt-mini/index-list.c \
  libtensorrt-mini/index-move.c \
  libtensorrt-mini/index.c \
  libtensorrt-mini/index.h \
  libtensorrt-mini/inflate.c \
  libtensorrt-mini/join.c \
  libtensorrt-mini/json.c \
  libtensorrt-mini/json.h \
  libtensorrt-mini/layer-cell.c \
  libtensorrt-mini/layer.c \
  libtensorrt-mini/library.c \
  libtensorrt-mini/load.c \
  libtensorrt-mini/load.h \
  libtensorrt-mini/loader.c \
  libtensorrt-mini/make.c \
  libtensorrt-mini/model.c \
  libtensorrt-mini/names.c \
  libtensorrt-mini/nonzero.c \
  libtensorrt-mini/npy.c \
  libtensorrt-mini/npz.c \
  libtensorrt-mini/op-attention.c \
  libtensorrt-mini/op-binary.c \
  libtensorrt-mini/op-cell.c \
  libtensorrt-mini/op-compare.c \
  libtensorrt-mini/op-dropout.c \
  libtensorrt-mini/op-embedding.c \
  libtensorrt-mini/op-loss.c \
  libtensorrt-mini/op-norm.c \
  libtensorrt-mini/op-product.c \
  libtensorrt-mini/op-reduce.c \
  libtensorrt-mini/op-row.h \
  libtensorrt-mini/op-softmax.c \
  libtensorrt-mini/op-unary.c \
  libtensorrt-mini/op-where.c \
  libtensorrt-mini/op-window.c \
  libtensorrt-mini/optimiser.c \
  libtensorrt-mini/optimiser.h \
  libtensorrt-mini/pairs.c \
  libtensorrt-mini/pairs.h \
  libtensorrt-mini/philox.h \
  libtensorrt-mini/png.c \
  libtensorrt-mini/print.c \
  libtensorrt-mini/prune.c \
  libtensorrt-mini/random.c \
  libtensorrt-mini/rate.c \
  libtensorrt-mini/ready.c \
  libtensorrt-mini/ready.h \
  libtensorrt-mini/reside.c \
  libtensorrt-mini/rows.c \
  libtensorrt-mini/rows.h \
  libtensorrt-mini/safetensors.c \
  libtensorrt-mini/shape.c \
  libtensorrt-mini/small-weights.c \
  libtensorrt-mini/sort-keys.c \
  libtensorrt-mini/sort.c \
  libtensorrt-mini/sort.h \
  libtensorrt-mini/storage.c \
  libtensorrt-mini/tape-twice.c \
  libtensorrt-mini/tape.c \
  libtensorrt-mini/tape.h \
  libtensorrt-mini/tensor.c \
  libtensorrt-mini/tensor.h \
  libtensorrt-mini/train.h \
  libtensorrt-mini/type.c \
  libtensorrt-mini/type.def \
  libtensorrt-mini/view.c \
  libtensorrt-mini/walk.c \
  libtensorrt-mini/zip-write.c \
  libtensorrt-mini/zip.c \
  libtensorrt-mini/zip.h

# Several processes (build-aux/mpi.mk), compiled where there is MPI.
mpi_sources = \
  libtensorrt-mini/trm-parallel.h \
  libtensorrt-mini/mpi/parallel-bucket.c \
  libtensorrt-mini/mpi/parallel-clip.c \
  libtensorrt-mini/mpi/parallel-collect.c \
  libtensorrt-mini/mpi/parallel-gradients.c \
  libtensorrt-mini/mpi/parallel-grid.c \
  libtensorrt-mini/mpi/parallel-letter.c \
  libtensorrt-mini/mpi/parallel-model.c \
  libtensorrt-mini/mpi/parallel-pass.c \
  libtensorrt-mini/mpi/parallel.c \
  libtensorrt-mini/mpi/ranks.h

# Loops of operations, compiled by the plugin (build-aux/kernels.mk).
kernel_families = elementwise attention cell product rows window step index \
  random cast
kernel_sources = \
  libtensorrt-mini/family.h \
  libtensorrt-mini/kernel.c \
  libtensorrt-mini/kernel.h \
  libtensorrt-mini/kernel-attention.def \
  libtensorrt-mini/kernel-attention.h \
  libtensorrt-mini/kernel-cast.def \
  libtensorrt-mini/kernel-cast.h \
  libtensorrt-mini/kernel-cell.def \
  libtensorrt-mini/kernel-cell.h \
  libtensorrt-mini/kernel-elementwise.def \
  libtensorrt-mini/kernel-elementwise.h \
  libtensorrt-mini/kernel-index.def \
  libtensorrt-mini/kernel-index.h \
  libtensorrt-mini/kernel-product.def \
  libtensorrt-mini/kernel-product.h \
  libtensorrt-mini/kernel-random.def \
  libtensorrt-mini/kernel-random.h \
  libtensorrt-mini/kernel-rows.def \
  libtensorrt-mini/kernel-rows.h \
  libtensorrt-mini/kernel-step.def \
  libtensorrt-mini/kernel-step.h \
  libtensorrt-mini/kernel-window.def \
  libtensorrt-mini/kernel-window.h

runtime_sources = $(region_sources) $(tensor_sources)

runtime_headers = \
  libtensorrt-mini/tensorrt-mini.h \
  libtensorrt-mini/trm-bench.h \
  libtensorrt-mini/trm-exchange.h \
  libtensorrt-mini/trm-file.h \
  libtensorrt-mini/trm-load.h \
  libtensorrt-mini/trm-op.h \
  libtensorrt-mini/trm-tape.h \
  libtensorrt-mini/trm-tensor.h \
  libtensorrt-mini/trm-train.h

runtime_python = libtensorrt-mini/tensorrt_mini.py
runtime_map = libtensorrt-mini/tensorrt-mini.map
runtime_cflags = -fopenmp $(TNS_ISAS:%=-DTRM_HAS_%)
runtime_libs = $(kernel_libs) -lm -lpthread -ldl
