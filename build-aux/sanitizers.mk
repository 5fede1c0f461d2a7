# The runtime and its tests once more, in check/KIND:
#
#   address   AddressSanitizer and UndefinedBehaviorSanitizer
#   thread    ThreadSanitizer, with one OpenMP thread, since libgomp is not
#             instrumented; what it orders is in build-aux/libgomp.suppressions
#   valgrind  for valgrind, which knows no AVX-512: with loops for x86-64-v3
#
# The loops of the operations are the plugin's in all of them, and are not
# instrumented.  make check runs a few, make check-sanitizers all.

sanitizers = address thread valgrind
sanitize_address = -O0 -fsanitize=address,undefined \
  -fno-sanitize-recover=undefined
sanitize_thread = -O0 -fsanitize=thread -Wno-tsan
sanitize_valgrind = -O1 $(TNS_ISAS:%=-UTRM_HAS_%) -DTRM_HAS_v3
sanitize_flags = -g -fno-omit-frame-pointer
sanitized_c = $(filter %.c,$(runtime_sources))

kernels_address = $(kernel_objects)
kernels_thread = $(kernel_objects)
kernels_valgrind = $(kernel_families:%=libtensorrt-mini/kernel-%-v3.o)
$(if $(filter v3,$(kernel_isas)),,$(foreach family,$(kernel_families),\
  $(eval $(call kernel_rule,$(family),v3))))

# What does not run under valgrind: three bring malloc of their own, one compiles
# for the processor that is there, three ask for times, one learns for too long.
skip_valgrind = cuda-fault-test file-fault-test scenario-fault-test load-test \
  profile-test profile-threads-test runtime-test train-test

few_address = cuda-later-test cuda-reside-test cuda-resident-test \
  cuda-several-test file-hostile-test index-test tape-test tape-threads-test
few_thread = load-test loader-test tape-threads-test
few_valgrind = $(if $(filter v3,$(kernel_isas)),tape-test view-test)

# $(1): one of sanitizers.
define sanitizer_rules
sanitized_$(1) = $$(sanitized_c:libtensorrt-mini/%.c=check/$(1)/%.o)
shared_$(1) = $$(rt_shared:check/rt/%=check/$(1)/rt/%)
tests_$(1) = $$(rt_tests:check/rt/%=check/$(1)/rt/%)

$$(sanitized_$(1)): check/$(1)/%.o: libtensorrt-mini/%.c
	@$$(MKDIR_P) $$(@D)
	$$(AM_V_CC)$$(test_compile) $$(runtime_cflags) $$(sanitize_flags) \
	  $$(sanitize_$(1)) -c -o $$@ $$<

$$(shared_$(1)): check/$(1)/rt/%.o: testsuite/rt/%.c
	@$$(MKDIR_P) $$(@D)
	$$(AM_V_CC)$$(test_compile) -I$$(top_srcdir)/libtensorrt-mini \
	  $$(sanitize_flags) $$(sanitize_$(1)) -c -o $$@ $$<

$$(tests_$(1)): check/$(1)/rt/%: testsuite/rt/%.c $$(shared_$(1)) \
    $$(sanitized_$(1)) $$(kernels_$(1))
	@$$(MKDIR_P) $$(@D)
	$$(AM_V_CCLD)$$(test_compile) $$(sanitize_flags) $$(sanitize_$(1)) \
	  -fopenmp -rdynamic -I$$(top_srcdir)/libtensorrt-mini $$(LDFLAGS) -o $$@ \
	  $$< $$(shared_$(1)) $$(rt_more) $$(sanitized_$(1)) $$(kernels_$(1)) \
	  $$(runtime_libs) -lm

check/$(1)/rt/plain-test: $$(plain_objects)
check/$(1)/rt/plain-test: rt_more = $$(plain_objects)
$$(filter check/$(1)/rt/cuda-%,$$(tests_$(1))): $$(fake_cuda)

-include $$(addsuffix .d,$$(sanitized_$(1)) $$(shared_$(1)) $$(tests_$(1)))

sanitized_few += $$(few_$(1):%=check/$(1)/rt/%)
sanitized_all += $$(filter-out $$(skip_$(1):%=check/$(1)/rt/%),$$(tests_$(1)))
endef

$(foreach kind,$(sanitizers),$(eval $(call sanitizer_rules,$(kind))))

check/sanitized-few: Makefile $(top_srcdir)/build-aux/sanitizers.mk
	@$(MKDIR_P) check
	$(AM_V_GEN)printf '%s\n' $(sanitized_few) > $@

test-programs: $(sanitized_few) check/sanitized-few

check-sanitizers: $(sanitized_all)
	@sh $(top_srcdir)/build-aux/run-sanitized $(sanitized_all)

# Changed files for each reader, under AddressSanitizer: 5000 for each seed;
# FILES='FIRST COUNT' says which.
FILES = 1 20

fuzz-files: check/address/rt/file-hostile-test
	@sh $(top_srcdir)/build-aux/run-sanitized --fuzz "$(FILES)" $<

clean-local: clean-sanitized

clean-sanitized:
	-rm -f $(kernels_valgrind) $(kernel_report)-*-v3.json

.PHONY: check-sanitizers fuzz-files clean-sanitized
