# Manual pages; the examples beside the other documents; the manual, which
# needs makeinfo (Debian package texinfo) and is no part of "all".

dist_man_MANS = doc/tensorcc.1 doc/tensor-compare.1 doc/tensor-gradcheck.1 \
  doc/tensor-prof.1 \
  doc/tensor-opt.1 doc/tensor-timeit.1 doc/tensor-gcc.7

dist_doc_DATA = README.md NEWS COPYING COPYING.RUNTIME
nobase_dist_doc_DATA = examples/README.md examples/camera.pgm \
  examples/convnet.c examples/digits.c examples/digits.csv \
  examples/encoder.c examples/gpt.c examples/heat.c examples/image.c \
  examples/lecture.c examples/letters.c examples/net.c examples/pairwise.c \
  examples/pruned.c examples/smallgpt.c examples/square.c \
  examples/twoproducts.c

uninstall-hook:
	-@rmdir "$(DESTDIR)$(docdir)/examples" "$(DESTDIR)$(docdir)"

EXTRA_DIST += doc/gcc-tensor.texi doc/tensors.texi
CLEANFILES = doc/gcc-tensor.info doc/gcc-tensor.html

info-local: doc/gcc-tensor.info
html-local: doc/gcc-tensor.html

doc/gcc-tensor.info: doc/gcc-tensor.texi doc/tensors.texi
	@$(MKDIR_P) doc
	$(AM_V_GEN)$(MAKEINFO) -I "$(srcdir)/doc" -o $@ "$(srcdir)/doc/gcc-tensor.texi"

doc/gcc-tensor.html: doc/gcc-tensor.texi doc/tensors.texi
	@$(MKDIR_P) doc
	$(AM_V_GEN)$(MAKEINFO) -I "$(srcdir)/doc" --html --no-split -o $@ \
	  "$(srcdir)/doc/gcc-tensor.texi"
