driver_sources = \
  driver/alone.c driver/alone.h \
  driver/arguments.c driver/arguments.h \
  driver/counts.c driver/counts.h \
  driver/device.c driver/device.h \
  driver/differentiate.c driver/differentiate.h \
  driver/kept.c driver/kept.h \
  driver/parts.c driver/parts.h \
  driver/pipeline.c driver/pipeline.h \
  driver/reach.c driver/reach.h \
  driver/stage.def
