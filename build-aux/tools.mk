# Programs from templates: tools/NAME from tools/NAME.in.  The same words are
# filled twice, for use in the build tree and, when installed, for its place:
#
#   @gccs@          names of the GCCs, the default first: gcc-12 gcc-11
#   @pluginhome@    directory with gcc-NN/tensor.so
#   @runtimedir@    directory with libtensorrt-mini.{a,so}
#   @includedir@    directory with tensorrt-mini.h
#   @bindir@        directory of the programs themselves
#   @datadir@       directory with the tools' own files
#   @libmvec@       yes or no
#   @version@       of the package

tools = $(tool_templates:.in=)

# $(1): a text; the characters that sed's right-hand side knows are escaped.
sed_text = $(subst |,\|,$(subst &,\&,$(1)))

# $(1) pluginhome, $(2) runtimedir, $(3) includedir, $(4) bindir, $(5) datadir
tool_words = $(SED) -e 's|@gccs[@]|$(TNS_GCCS)|g' \
  -e 's|@version[@]|$(PACKAGE_VERSION)|g' \
  -e 's|@libmvec[@]|$(TNS_LIBMVEC)|g' \
  -e 's|@pluginhome[@]|$(call sed_text,$(1))|g' \
  -e 's|@runtimedir[@]|$(call sed_text,$(2))|g' \
  -e 's|@includedir[@]|$(call sed_text,$(3))|g' \
  -e 's|@bindir[@]|$(call sed_text,$(4))|g' \
  -e 's|@datadir[@]|$(call sed_text,$(5))|g'

tool_words_here = $(call tool_words,$(abs_builddir)/plugin,$(abs_builddir)/libtensorrt-mini,$(abs_srcdir)/libtensorrt-mini,$(abs_builddir)/tools,$(abs_srcdir)/tools)
tool_words_there = $(call tool_words,$(plugin_home),$(libdir),$(includedir),$(bindir),$(pkgdatadir))

$(tools): tools/%: tools/%.in Makefile
	@$(MKDIR_P) tools
	$(AM_V_GEN)$(tool_words_here) $< > $@ && chmod +x $@

install-tools: $(tools)
	@for t in $(tool_templates); do \
	  name=`basename $$t .in`; \
	  echo " installing $(DESTDIR)$(bindir)/$$name"; \
	  $(MKDIR_P) "$(DESTDIR)$(bindir)" || exit 1; \
	  $(tool_words_there) $(srcdir)/$$t \
	    > "$(DESTDIR)$(bindir)/$$name" || exit 1; \
	  chmod 755 "$(DESTDIR)$(bindir)/$$name" || exit 1; \
	done
	@for f in $(tool_files); do \
	  $(MKDIR_P) "$(DESTDIR)$(pkgdatadir)" || exit 1; \
	  $(INSTALL_DATA) $(srcdir)/$$f "$(DESTDIR)$(pkgdatadir)" || exit 1; \
	done

uninstall-tools:
	-@for t in $(tool_templates); do \
	  rm -f "$(DESTDIR)$(bindir)/`basename $$t .in`"; \
	done
	-@for f in $(tool_files); do \
	  rm -f "$(DESTDIR)$(pkgdatadir)/`basename $$f`"; \
	done
	-@if test -n "$(tool_files)"; then rmdir "$(DESTDIR)$(pkgdatadir)"; fi
