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
    $(kernel_objects) $(addprefix $(top_srcdir)/,$(runtime_map))
	$(AM_V_CCLD)$(CC) $(runtime_ldflags) $(LDFLAGS) -o $@ \
	  $(libtensorrt_mini_libtensorrt_mini_a_OBJECTS) $(kernel_objects) \
	  $(runtime_libs) -lm
	$(AM_V_at)$(LN_S) -f $(runtime_soname) $(runtime_dir)/$(runtime_name)

# References are weak, so that nothing but --no-as-needed keeps the library.
print_pc = { \
	  echo 'prefix=$(prefix)'; \
	  echo 'exec_prefix=$(exec_prefix)'; \
	  echo 'libdir=$(libdir)'; \
	  echo 'includedir=$(includedir)'; \
	  echo; \
	  echo 'Name: tensorrt-mini'; \
	  echo 'Description: run time and tensors of gcc-tensor'; \
	  echo 'Version: $(PACKAGE_VERSION)'; \
	  echo 'Cflags: -I"$${includedir}"'; \
	  echo 'Libs: -L"$${libdir}" -Wl,--push-state,--no-as-needed' \
	    '-ltensorrt-mini -Wl,--pop-state'; \
	  echo 'Libs.private: $(runtime_libs) -lm'; }

# The same for CMake: find_package (tensorrt-mini), and a program links with
# tensorrt-mini::tensorrt-mini.
cmake_target = tensorrt-mini::tensorrt-mini
cmake_dir = $(libdir)/cmake/tensorrt-mini
print_cmake = { \
	  echo 'if (NOT TARGET $(cmake_target))'; \
	  echo '  add_library ($(cmake_target) SHARED IMPORTED)'; \
	  echo '  set_target_properties ($(cmake_target) PROPERTIES'; \
	  echo '    IMPORTED_LOCATION "$(libdir)/$(runtime_soname)"'; \
	  echo '    IMPORTED_SONAME $(runtime_soname)'; \
	  echo '    INTERFACE_INCLUDE_DIRECTORIES "$(includedir)")'; \
	  echo 'endif ()'; }
print_cmake_version = { \
	  echo 'set (PACKAGE_VERSION $(PACKAGE_VERSION))'; \
	  echo 'if (NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)'; \
	  echo '  set (PACKAGE_VERSION_COMPATIBLE TRUE)'; \
	  echo 'endif ()'; }

$(runtime_pc): Makefile $(top_srcdir)/build-aux/runtime.mk
	$(AM_V_GEN)$(print_pc) > $@

install-runtime: $(runtime_shared) $(runtime_pc)
	@$(MKDIR_P) "$(DESTDIR)$(libdir)/pkgconfig"
	$(INSTALL_PROGRAM) $(runtime_shared) "$(DESTDIR)$(libdir)"
	$(LN_S) -f $(runtime_soname) "$(DESTDIR)$(libdir)/$(runtime_name)"
	$(print_pc) > "$(DESTDIR)$(libdir)/pkgconfig/tensorrt-mini.pc"
	@$(MKDIR_P) "$(DESTDIR)$(cmake_dir)" "$(DESTDIR)$(pkgdatadir)"
	$(print_cmake) > "$(DESTDIR)$(cmake_dir)/tensorrt-mini-config.cmake"
	$(print_cmake_version) \
	  > "$(DESTDIR)$(cmake_dir)/tensorrt-mini-config-version.cmake"
	$(INSTALL_DATA) $(srcdir)/$(runtime_python) "$(DESTDIR)$(pkgdatadir)"

uninstall-runtime:
	-rm -f "$(DESTDIR)$(libdir)/$(runtime_soname)" \
	  "$(DESTDIR)$(libdir)/$(runtime_name)" \
	  "$(DESTDIR)$(libdir)/pkgconfig/tensorrt-mini.pc" \
	  "$(DESTDIR)$(cmake_dir)/"*.cmake \
	  "$(DESTDIR)$(pkgdatadir)/`basename $(runtime_python)`"
	-@rmdir "$(DESTDIR)$(cmake_dir)" "$(DESTDIR)$(pkgdatadir)"
