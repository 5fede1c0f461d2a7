# make check, check-ways, check-numpy, check-cuda, demo, bench, bench-cuda,
# fuzz, fuzz-c, fuzz-gradients.  All that they make lies in check/ and demo/ of
# the build.

TENSOR_JOBS = $(shell nproc)

# Unit tests: each testsuite/unit/NAME-test.c is a program with libtns.a, each
# testsuite/rt/NAME-test.c one with the runtime; other .c files of the folder
# are compiled once and linked into all of its programs.  The symbols of the rt
# programs can be found by what they load while they run.  What they test is
# compiled as the user says, they themselves fast.
unit_tests = $(patsubst $(srcdir)/testsuite/%.c,check/%,\
  $(wildcard $(srcdir)/testsuite/unit/*-test.c))
rt_tests = $(patsubst $(srcdir)/testsuite/%.c,check/%,\
  $(wildcard $(srcdir)/testsuite/rt/*-test.c))
shared_of = $(patsubst $(srcdir)/testsuite/%.c,check/%.o,\
  $(filter-out %-test.c,$(wildcard $(srcdir)/testsuite/$(1)/*.c)))
unit_shared = $(call shared_of,unit)
rt_shared = $(call shared_of,rt)
test_compile = $(CC) $(DEFS) $(CPPFLAGS) $(AM_CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) \
  -O1 -MD -MP -MF $@.d -MT $@

$(unit_shared) $(rt_shared): check/%.o: testsuite/%.c
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(test_compile) -I$(top_srcdir)/libtensorrt-mini -c -o $@ $<

$(unit_tests): check/unit/%: testsuite/unit/%.c $(unit_shared) libtns.a
	@$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(test_compile) $(ISL_CFLAGS) $(LDFLAGS) -o $@ $< \
	  $(unit_shared) libtns.a $(ISL_LIBS) -lm

$(rt_tests): check/rt/%: testsuite/rt/%.c $(rt_shared) $(lib_LIBRARIES)
	@$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(test_compile) -fopenmp -rdynamic \
	  -I$(top_srcdir)/libtensorrt-mini $(LDFLAGS) -o $@ $< $(rt_shared) \
	  $(rt_more) $(lib_LIBRARIES) $(runtime_libs) -lm

# The loops of the operations as plain gcc compiles them, for plain-test.c.
plain_objects = $(kernel_families:%=check/plain/kernel-%.o)
plain_flags = -std=gnu11 -O1 -Wall -Wextra -Wno-unknown-pragmas \
  -Wno-unused-function -I$(top_srcdir)/libtensorrt-mini -DTRM_PLAIN \
  -DTRM_ISA=plain

$(plain_objects): check/plain/kernel-%.o: libtensorrt-mini/kernel.c \
    libtensorrt-mini/kernel-%.h libtensorrt-mini/kernel-%.def
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(CC) $(plain_flags) -MD -MP -MF $@.d -MT $@ -DTRM_NAME=$* \
	  -DTRM_LOOPS='"kernel-$*.h"' -DTRM_LINES='"kernel-$*.def"' -c -o $@ $<

check/rt/plain-test: $(plain_objects)
check/rt/plain-test: rt_more = $(plain_objects)

# A driver of CUDA and NVRTC that are none, for the tests of the CUDA half; old
# is a driver before CUDA 12.
fake_cuda = check/cuda/libcuda.so.1 check/cuda/libnvrtc.so.12 \
  check/cuda/old/libcuda.so.1 check/cuda/old/libnvrtc.so.12
fake_driver = $(addprefix $(srcdir)/testsuite/cuda/,fake-driver.c \
  fake-graph.c fake-memory.c fake-queue.c)
fake_build = $(abs_srcdir)/testsuite/cuda/build-cpu
fake_shared = -g -fPIC -shared -Wall -Wextra -I$(top_srcdir)/libtensorrt-mini

check/cuda/libcuda.so.1 check/cuda/old/libcuda.so.1: $(fake_driver) \
    $(srcdir)/testsuite/cuda/fake.h
	@$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(CC) $(fake_shared) $(if $(findstring old,$@),-DFAKE_OLD) \
	  -o $@ $(fake_driver) -ldl

check/cuda/libnvrtc.so.12 check/cuda/old/libnvrtc.so.12: \
    $(srcdir)/testsuite/cuda/fake-nvrtc.c check/cuda/cuda_cpu.o
	@$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(CC) $(fake_shared) -DFAKE_BUILD='"$(fake_build)"' \
	  -DFAKE_SHARED='"$(abs_builddir)/check/cuda/cuda_cpu.o"' -o $@ $<

check/cuda/cuda_cpu.o: $(wildcard $(srcdir)/testsuite/cuda/cuda_cpu*) \
    $(srcdir)/testsuite/cuda/build-cpu
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)CC='$(CC)' sh '$(fake_build)' --shared $@

$(filter check/rt/cuda-%,$(rt_tests)): $(fake_cuda)

# What prints random programs: one source of main each, the others shared.
random_mains = random-c random-gradient
random_c = $(random_mains:%=check/random/%)
random_folder = $(srcdir)/testsuite/tensor.random
random_shared = $(filter-out $(random_mains:%=$(random_folder)/%.c),\
  $(wildcard $(random_folder)/*.c))

$(random_c): check/random/%: testsuite/tensor.random/%.c $(random_shared) \
  $(random_folder)/random-c.h libtns.a
	@$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(test_compile) $(LDFLAGS) -o $@ $< $(random_shared) \
	  libtns.a -lm

-include $(addsuffix .d,$(unit_tests) $(rt_tests) $(random_c) $(unit_shared) \
  $(rt_shared) $(plain_objects))

# What the test suite has to know of the build.
check/site.exp: Makefile $(top_srcdir)/build-aux/tests.mk
	@$(MKDIR_P) check
	$(AM_V_GEN){ \
	  echo 'set tool tensor'; \
	  echo 'set srcdir "$(abs_srcdir)/testsuite"'; \
	  echo 'set objdir .'; \
	  echo 'set tensor_source "$(abs_srcdir)"'; \
	  echo 'set tensor_build "$(abs_builddir)"'; \
	  echo 'set tensor_names "$(TNS_GCCS)"'; \
	  $(foreach g,$(TNS_GCCS),echo 'set tensor_cc($(g)) "$(GCC_$(g))"'; \
	    echo 'set tensor_cxx($(g)) "$(GXX_$(g))"';) \
	  echo 'set tensor_libmvec "$(TNS_LIBMVEC)"'; } > $@

# A unit test that does not build is a test that fails; the others run.  They
# are built TENSOR_JOBS at a time where make itself was not told how many.
test-programs: $(unit_tests) $(rt_tests) $(mpi_tests) $(random_c)

check-tensor: all check/site.exp
	-@$(MAKE) --no-print-directory -k test-programs \
	  $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(TENSOR_JOBS))
	@RUNTEST='$(TNS_RUNTEST)' sh $(top_srcdir)/build-aux/run-tests \
	  $(TENSOR_JOBS) $(RUNTESTFLAGS)

# The programs that make check builds in a share of the ways, in all of them.
check-ways: all check/site.exp
	@RUNTEST='$(TNS_RUNTEST)' TENSOR_WAYS=all \
	  sh $(top_srcdir)/build-aux/run-tests $(TENSOR_JOBS) \
	  $(if $(RUNTESTFLAGS),$(RUNTESTFLAGS),grad.exp run.exp profile.exp)

check-style:
	@cd $(top_srcdir) && perl build-aux/check-style

# Random operations of the library beside NumPy's; CASES='COUNT SEED' says
# which.
CASES = 10000 1

check-numpy: all
	@SOURCE='$(abs_srcdir)' BUILD='$(abs_builddir)' TENSOR_CASES='$(CASES)' \
	  sh $(top_srcdir)/testsuite/tensor.tools/numpy.sh

.PHONY: check-numpy

# Each example as plain gcc, unfused and fused compile it: the results must
# agree; the times are printed.  Some are shown at length.
demo_found = $(foreach e,$(demo_examples),\
  $(if $(wildcard $(srcdir)/examples/$(e).c),$(e)))

demo: all
	@$(MKDIR_P) demo
	@$(if $(demo_found),,echo 'no examples'; exit 1;) \
	examples=$$(cd "$(srcdir)/examples" && pwd) && cd demo || exit 1; \
	status=0; $(foreach e,$(demo_found),echo; echo '== $(e)'; \
	../tools/tensor-compare $(DEMOFLAGS) $(demo_flags_$(e)) \
	  "$$examples/$(e).c" \
	  $(if $(demo_args_$(e)),-- $(demo_args_$(e))) || status=1;) \
	$(foreach e,$(demo_shown),echo; echo '== $(e), at length'; \
	../tools/tensorcc --tensor-report=none -O3 -march=native \
	  "$$examples/$(e).c" -o $(e) && ./$(e) 2>&1 || status=1;) \
	exit $$status

bench: all
	@sh $(top_srcdir)/bench/run "$(abs_builddir)"

# On a CUDA device of this machine: the tests' programs, also under
# compute-sanitizer where it is; measurements.
check-cuda: all
	@here=$(top_srcdir)/testsuite/cuda/on-device; \
	sh $$here build "$(abs_builddir)" check/device \
	  && sh $$here run check/device \
	  && { ! command -v compute-sanitizer >/dev/null \
	       || sh $$here sanitize check/device; }

bench-cuda: all
	@sh $(top_srcdir)/bench/cuda-run "$(abs_builddir)"

# The unit tests with GCC's sanitizers, in a build of their own.
memory_flags = -g -O1 -fsanitize=address,undefined \
  -fno-sanitize-recover=undefined

check-memory:
	@$(MKDIR_P) check/memory
	@cd check/memory; \
	case '$(srcdir)' in /*) top='$(srcdir)' ;; *) top='../../$(srcdir)' ;; \
	esac; \
	test -f Makefile || "$$top/configure" -q CFLAGS='$(memory_flags)'
	@$(MAKE) --no-print-directory -C check/memory memory-run

memory-run: $(unit_tests)
	@status=0; for test in $(unit_tests); do \
	  echo "$$test"; $$test > memory.log 2>&1 \
	    || { cat memory.log; status=1; }; \
	done; exit $$status

fuzz: all check/unit/fuzz-test check/unit/family-test
	check/unit/fuzz-test 1000000 1 out 1
	check/unit/family-test 100000

# Random programs; SEEDS='FIRST COUNT' says which.
SEEDS = 1000 1000

fuzz-c: all check/site.exp $(random_c)
	@RUNTEST='$(TNS_RUNTEST)' TENSOR_RANDOM='$(SEEDS)' \
	  sh $(top_srcdir)/build-aux/run-tests $(TENSOR_JOBS) random.exp

# Random functions and their gradients, likewise; the sum.
fuzz-gradients: all check/site.exp $(random_c)
	@RUNTEST='$(TNS_RUNTEST)' TENSOR_RANDOM='$(SEEDS)' \
	  sh $(top_srcdir)/build-aux/run-tests $(TENSOR_JOBS) gradients.exp
	@sed -n 's/^PASS: random gradients .*: \(.* functions.*\)/\1/p' \
	  check/tensor.sum | awk '{ f += $$1; c += $$3; e += $$5; r += $$13 } \
	  END { print f " gradients right in " c " calls, " e \
	          " to the bit; " r " refused" }'
