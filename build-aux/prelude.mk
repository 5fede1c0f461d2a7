## What stands in front of kernels, as strings of C (lowering/cuda.c,
## lowering/cuda-wide.c, lowering/cuda-scan.c).

cuda_words = lowering/cuda-prelude.inc lowering/cuda-words.inc \
  lowering/cuda-words-wide.inc lowering/cuda-words-scan.inc \
  lowering/cuda-prelude-group.inc

$(cuda_words): lowering/%.inc: $(srcdir)/lowering/%.h
	$(AM_V_GEN)$(MKDIR_P) $(@D) \
	  && sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $< >$@.tmp && mv -f $@.tmp $@

lowering/libtns_a-cuda.$(OBJEXT): lowering/cuda-prelude.inc \
  lowering/cuda-prelude-group.inc lowering/cuda-words.inc
lowering/libtns_a-cuda-wide.$(OBJEXT): lowering/cuda-words-wide.inc
lowering/libtns_a-cuda-scan.$(OBJEXT): lowering/cuda-words-scan.inc
