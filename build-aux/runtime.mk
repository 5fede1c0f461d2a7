# The shared runtime, from the objects of the static one, and its pkg-config
# file.

runtime_dir = libtensorrt-mini
runtime_name = libtensorrt-mini.so
runtime_soname = $(runtime_name).0
runtime_shared = $(runtime_dir)/$(runtime_soname)
runtime_pc = $(runtime_dir)/tensorrt-mini.pc
runtime_ldflags = -shared -Wl,-soname,$(runtime_soname) \
  $(if $(runtime_map),-Wl$(comma)--version-script=$(top_srcdir)/$(runtime_map))
comma = ,

$(runtime_shared): $(libtensorrt_mini_libtensorrt_mini_a_OBJECTS) \
    $(addprefix $(top_srcdir)/,$(runtime_map))
	$(AM_V_CCLD)$(CC) $(runtime_ldflags) $(LDFLAGS) -o $@ \
	  $(libtensorrt_mini_libtensorrt_mini_a_OBJECTS) $(runtime_libs) -lm
	$(AM_V_at)$(LN_S) -f $(runtime_soname) $(runtime_dir)/$(runtime_name)

# References are weak, so that nothing but --no-as-needed keeps the library.
print_pc = { \
	  echo 'prefix=$(prefix)'; \
	  echo 'exec_prefix=$(exec_prefix)'; \
	  echo 'libdir=$(libdir)'; \
	  echo 'includedir=$(includedir)'; \
	  echo; \
	  echo 'Name: tensorrt-mini'; \
	  echo 'Description: run-time modes and counters of gcc-tensor'; \
	  echo 'Version: $(PACKAGE_VERSION)'; \
	  echo 'Cflags: -I"$${includedir}"'; \
	  echo 'Libs: -L"$${libdir}" -Wl,--push-state,--no-as-needed' \
	    '-ltensorrt-mini -Wl,--pop-state'; \
	  echo 'Libs.private: $(runtime_libs) -lm'; }

$(runtime_pc): Makefile $(top_srcdir)/build-aux/runtime.mk
	$(AM_V_GEN)$(print_pc) > $@

install-runtime: $(runtime_shared) $(runtime_pc)
	@$(MKDIR_P) "$(DESTDIR)$(libdir)/pkgconfig"
	$(INSTALL_PROGRAM) $(runtime_shared) "$(DESTDIR)$(libdir)"
	$(LN_S) -f $(runtime_soname) "$(DESTDIR)$(libdir)/$(runtime_name)"
	$(print_pc) > "$(DESTDIR)$(libdir)/pkgconfig/tensorrt-mini.pc"

uninstall-runtime:
	-rm -f "$(DESTDIR)$(libdir)/$(runtime_soname)" \
	  "$(DESTDIR)$(libdir)/$(runtime_name)" \
	  "$(DESTDIR)$(libdir)/pkgconfig/tensorrt-mini.pc"
