driver_sources = \
  driver/alone.c driver/alone.h \
  driver/arguments.c driver/arguments.h \
  driver/child.c driver/child.h \
  driver/counts.c driver/counts.h \
  driver/device.c driver/device.h \
  driver/differentiate.c driver/differentiate.h \
  driver/kept.c driver/kept.h \
  driver/nvcc.c driver/nvcc.h driver/nvcc-said.c \
  driver/parts.c driver/parts.h \
  driver/pipeline.c driver/pipeline.h \
  driver/prepare.c driver/prepare.h \
  driver/reach.c driver/reach.h \
  driver/stage.def \
  driver/tell.c driver/tell.h
