autodiff_sources = \
  autodiff/active.c autodiff/active.h \
  autodiff/again.c autodiff/again.h \
  autodiff/adjoint.def \
  autodiff/ahead.c autodiff/ahead.h \
  autodiff/attained.c autodiff/attained.h \
  autodiff/back.c autodiff/back.h \
  autodiff/bits.c autodiff/bits.h \
  autodiff/checkpoint.c autodiff/checkpoint.h \
  autodiff/choose.c \
  autodiff/clear.c autodiff/clear.h \
  autodiff/defer.c autodiff/defer.h \
  autodiff/directions.c autodiff/directions.h \
  autodiff/entry.c autodiff/entry.h \
  autodiff/first.c autodiff/first.h \
  autodiff/flow.c autodiff/flow.h \
  autodiff/gradient.c autodiff/gradient.h \
  autodiff/hull.c autodiff/hull.h \
  autodiff/look.c autodiff/look.h \
  autodiff/needs.c autodiff/needs.h \
  autodiff/offset.c autodiff/offset.h \
  autodiff/partial.c autodiff/partial.h \
  autodiff/ranges.c autodiff/ranges.h \
  autodiff/replace.c autodiff/replace.h \
  autodiff/reverse.c autodiff/reverse.h \
  autodiff/rows.c autodiff/rows.h \
  autodiff/settled.c autodiff/settled.h \
  autodiff/shift.c autodiff/shift.h \
  autodiff/sweep.c autodiff/sweep.h \
  autodiff/taken.c autodiff/taken.h \
  autodiff/tapes.c autodiff/tapes.h \
  autodiff/tangent.c autodiff/tangent.h \
  autodiff/timeloop.c autodiff/timeloop.h \
  autodiff/together.c autodiff/together.h \
  autodiff/touch.c autodiff/touch.h \
  autodiff/view.c autodiff/view.h
