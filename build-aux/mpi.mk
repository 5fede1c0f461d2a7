# libtensorrt-mini-mpi: training in several processes, static and shared, its
# header and pkg-config file; nothing of it where configure found no mpicc.

mpi_dir = libtensorrt-mini
mpi_name = libtensorrt-mini-mpi
mpi_soname = $(mpi_name).so.0
mpi_header = $(mpi_dir)/trm-parallel.h
mpi_objects = $(patsubst %.c,%.o,$(filter %.c,$(mpi_sources)))
mpi_static = $(mpi_dir)/$(mpi_name).a
mpi_shared = $(mpi_dir)/$(mpi_soname)
mpi_libraries = $(if $(MPICC),$(mpi_static) $(mpi_shared))
mpi_tests = $(if $(MPICC),$(patsubst $(srcdir)/testsuite/%.c,check/%,\
  $(wildcard $(srcdir)/testsuite/rt-mpi/*-test.c)))

# mpicc of Open MPI and of MPICH, with our compiler.
mpi_cc = OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC)
mpi_compile = $(mpi_cc) $(DEFS) $(CPPFLAGS) $(AM_CPPFLAGS) $(AM_CFLAGS) \
  $(CFLAGS) -I$(top_srcdir)/libtensorrt-mini -MD -MP -MF $@.d -MT $@

$(mpi_objects): %.o: %.c
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(mpi_compile) -fPIC -fvisibility=hidden -c -o $@ $<

$(mpi_static): $(mpi_objects)
	$(AM_V_AR)rm -f $@ && $(AR) $(ARFLAGS) $@ $(mpi_objects) && $(RANLIB) $@

# It needs the shared runtime, whose tensors it reads.
$(mpi_shared): $(mpi_objects) $(runtime_shared) \
    $(addprefix $(top_srcdir)/,$(runtime_map))
	$(AM_V_CCLD)$(mpi_cc) -shared -Wl,-soname,$(mpi_soname) -Wl,-z,defs \
	  $(if $(runtime_map),-Wl$(comma)--version-script=$(top_srcdir)/$(runtime_map)) \
	  $(LDFLAGS) -o $@ $(mpi_objects) $(runtime_shared) -lm
	$(AM_V_at)$(LN_S) -f $(mpi_soname) $(mpi_dir)/$(mpi_name).so

mpi_test_shared = check/rt/expect.o check/rt-mpi/claim.o

check/rt-mpi/claim.o: testsuite/rt-mpi/claim.c
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(mpi_compile) -I$(top_srcdir)/testsuite/rt -c -o $@ $<

$(mpi_tests): check/%: testsuite/%.c $(mpi_static) $(lib_LIBRARIES) \
    $(mpi_test_shared)
	@$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(mpi_compile) -fopenmp -I$(top_srcdir)/testsuite/rt \
	  $(LDFLAGS) -o $@ $< $(mpi_test_shared) $(mpi_static) $(lib_LIBRARIES) \
	  $(runtime_libs) -lm

-include $(addsuffix .d,$(mpi_objects) $(mpi_tests) check/rt-mpi/claim.o)

print_mpi_pc = { \
	  echo 'prefix=$(prefix)'; \
	  echo 'exec_prefix=$(exec_prefix)'; \
	  echo 'libdir=$(libdir)'; \
	  echo 'includedir=$(includedir)'; \
	  echo; \
	  echo 'Name: tensorrt-mini-mpi'; \
	  echo 'Description: training of gcc-tensor in several processes'; \
	  echo 'Version: $(PACKAGE_VERSION)'; \
	  echo 'Requires: tensorrt-mini'; \
	  echo 'Cflags: -I"$${includedir}"'; \
	  echo 'Libs: -L"$${libdir}" -ltensorrt-mini-mpi'; }

install-mpi: $(mpi_libraries)
	@if test -n "$(MPICC)"; then echo " installing $(mpi_name)"; \
	  $(MKDIR_P) "$(DESTDIR)$(libdir)/pkgconfig" "$(DESTDIR)$(includedir)" \
	  && $(INSTALL_DATA) $(mpi_static) "$(DESTDIR)$(libdir)" \
	  && $(INSTALL_PROGRAM) $(mpi_shared) "$(DESTDIR)$(libdir)" \
	  && $(LN_S) -f $(mpi_soname) "$(DESTDIR)$(libdir)/$(mpi_name).so" \
	  && $(INSTALL_DATA) $(srcdir)/$(mpi_header) "$(DESTDIR)$(includedir)" \
	  && $(print_mpi_pc) > "$(DESTDIR)$(libdir)/pkgconfig/tensorrt-mini-mpi.pc"; \
	fi

uninstall-mpi:
	-rm -f "$(DESTDIR)$(libdir)/$(mpi_name).a" \
	  "$(DESTDIR)$(libdir)/$(mpi_soname)" "$(DESTDIR)$(libdir)/$(mpi_name).so" \
	  "$(DESTDIR)$(libdir)/pkgconfig/tensorrt-mini-mpi.pc" \
	  "$(DESTDIR)$(includedir)/`basename $(mpi_header)`"

clean-mpi:
	-rm -f $(mpi_objects) $(mpi_objects:=.d) $(mpi_static) $(mpi_shared) \
	  $(mpi_dir)/$(mpi_name).so

.PHONY: install-mpi uninstall-mpi clean-mpi
