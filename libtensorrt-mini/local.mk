runtime_sources = \
  libtensorrt-mini/check.c \
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
  libtensorrt-mini/profile.c \
  libtensorrt-mini/runtime.h \
  libtensorrt-mini/scratch.c \
  libtensorrt-mini/sites.c \
  libtensorrt-mini/table.c \
  libtensorrt-mini/verbose.c \
  libtensorrt-mini/abi.h

runtime_headers = \
  libtensorrt-mini/tensorrt-mini.h

runtime_map = libtensorrt-mini/tensorrt-mini.map
runtime_libs = -lm -lpthread
