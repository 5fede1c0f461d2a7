## What stands in front of kernels that use tensor cores, as a string of C
## (lowering/cuda.c).

lowering/cuda-prelude.inc: $(srcdir)/lowering/cuda-prelude.h
	$(AM_V_GEN)$(MKDIR_P) $(@D) \
	  && sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $< >$@.tmp && mv -f $@.tmp $@

lowering/libtns_a-cuda.$(OBJEXT): lowering/cuda-prelude.inc
