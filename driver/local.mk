driver_sources = \
  driver/arguments.c driver/arguments.h \
  driver/pipeline.c driver/pipeline.h \
  driver/stage.def
