# The loops of the runtime's operations: libtensorrt-mini/kernel.c once for each
# family and each instruction set of configure, by the plugin for the first GCC.
# What the plugin says of each region is in kernels-*.json beside the objects.

kernel_isas = $(TNS_ISAS)
kernel_objects = $(foreach family,$(kernel_families),\
  $(kernel_isas:%=libtensorrt-mini/kernel-$(family)-%.o))
kernel_libs = -lgomp $(if $(filter yes,$(TNS_LIBMVEC)),-lmvec)
kernel_report = libtensorrt-mini/kernels
kernel_flags = -std=gnu11 -O2 -fPIC -fvisibility=hidden -Wall -Wextra \
  --tensor-report=missed -I$(top_srcdir)/libtensorrt-mini

# $(1): family, $(2): instruction set.
define kernel_rule
libtensorrt-mini/kernel-$(1)-$(2).o: libtensorrt-mini/kernel.c \
    $$(top_srcdir)/libtensorrt-mini/kernel-$(1).h \
    $$(top_srcdir)/libtensorrt-mini/kernel-$(1).def \
    $$(top_srcdir)/libtensorrt-mini/kernel.h \
    $$(top_srcdir)/libtensorrt-mini/family.h \
    $$(top_srcdir)/libtensorrt-mini/half.h \
    $$(top_srcdir)/libtensorrt-mini/philox.h \
    tools/tensorcc plugin/$(firstword $(TNS_GCCS))/tensor.so
	@$$(MKDIR_P) libtensorrt-mini
	@rm -f $$(kernel_report)-$(1)-$(2).json
	$$(AM_V_CC)TENSOR_CC= tools/tensorcc $$(kernel_flags) -march=x86-64-$(2) \
	  --tensor-report-json=$$(kernel_report)-$(1)-$(2).json \
	  -DTRM_NAME=$(1) -DTRM_ISA=$(2) -DTRM_LOOPS='"kernel-$(1).h"' \
	  -DTRM_LINES='"kernel-$(1).def"' -c -o $$@ $$<
endef

$(foreach family,$(kernel_families),$(foreach isa,$(kernel_isas),\
  $(eval $(call kernel_rule,$(family),$(isa)))))

$(lib_LIBRARIES): $(kernel_objects)
