# plugin/gcc-NN/tensor.so for each GCC of configure: the .cc files against
# that GCC's headers, and libtns.a.  The headers take three quarters of the time
# of a file: they are compiled once for each GCC, plugin/gcc-NN/gcc.hh.gch, which
# g++ takes where it can and else reads gcc.hh beside it.

plugins = $(TNS_GCCS:%=plugin/%/tensor.so)
plugin_home = $(libdir)/gcc-tensor
plugin_objects = $(patsubst %.cc,%.o,$(filter %.cc,$(plugin_sources)))
plugin_cppflags = -I$(top_srcdir) -DTNS_VERSION='"$(PACKAGE_VERSION)"'
plugin_cxxflags = -std=gnu++14 -fno-rtti -fno-exceptions -fPIC -Wall -Wextra \
  -Wshadow -Wno-unused-parameter $(WERROR)
plugin_ldflags = -shared -Wl,--version-script=$(plugin_map)
plugin_map = $(top_srcdir)/build-aux/plugin.map

# $(1): a GCC's name.
define plugin_rules
plugin_compile_$(1) = $$(GXX_$(1)) $$(CPPFLAGS) $$(plugin_cppflags) \
  -isystem $$(PLUGINDIR_$(1))/include $$(plugin_cxxflags) $$(CXXFLAGS) -MD -MP

plugin/$(1)/gcc.hh.gch: plugin/gcc.hh
	@$$(MKDIR_P) $$(@D)
	@echo '#include "plugin/gcc.hh"' > plugin/$(1)/gcc.hh
	$$(AM_V_GEN)$$(plugin_compile_$(1)) -MF plugin/$(1)/gcc.d -MT $$@ \
	  -x c++-header -o $$@ plugin/$(1)/gcc.hh

plugin/$(1)/%.o: %.cc plugin/$(1)/gcc.hh.gch
	@$$(MKDIR_P) $$(@D)
	$$(AM_V_GEN)$$(plugin_compile_$(1)) -include plugin/$(1)/gcc.hh \
	  -c -o $$@ $$<

plugin/$(1)/tensor.so: $(addprefix plugin/$(1)/,$(plugin_objects)) libtns.a \
    $(plugin_map)
	@$$(MKDIR_P) $$(@D)
	$$(AM_V_GEN)$$(GXX_$(1)) $$(plugin_ldflags) $$(LDFLAGS) -o $$@ \
	  $$(filter %.o,$$^) libtns.a $$(ISL_LIBS) -lm
	@if nm -u $$@ | grep 'tns_'; then \
	  echo 'these of ours are undefined in $$@'; rm -f $$@; exit 1; fi

-include plugin/$(1)/gcc.d $(addprefix plugin/$(1)/,$(plugin_objects:.o=.d))
endef

$(foreach gcc,$(TNS_GCCS),$(eval $(call plugin_rules,$(gcc))))

# Directories where -fplugin=tensor looks, and the plugin that each gets:
# words GCC:DIR.
plugin_names = $(if $(TNS_PLUGINDIR),$(TNS_GCCS):$(TNS_PLUGINDIR),\
  $(foreach gcc,$(TNS_BY_NAME),$(gcc):$(PLUGINDIR_$(gcc))))

install-plugins: $(plugins)
	@for gcc in $(TNS_GCCS); do \
	  d="$(DESTDIR)$(plugin_home)/$$gcc"; \
	  echo " installing $$d/tensor.so"; \
	  $(MKDIR_P) "$$d" || exit 1; \
	  $(INSTALL_DATA) plugin/$$gcc/tensor.so "$$d" || exit 1; \
	done
	@for name in $(plugin_names); do \
	  gcc=$${name%%:*}; d="$(DESTDIR)$${name#*:}"; \
	  echo " installing $$d/tensor.so"; \
	  $(MKDIR_P) "$$d" || exit 1; \
	  $(INSTALL_DATA) plugin/$$gcc/tensor.so "$$d" || exit 1; \
	done

uninstall-plugins:
	-@for gcc in $(TNS_GCCS); do \
	  rm -f "$(DESTDIR)$(plugin_home)/$$gcc/tensor.so"; \
	  rmdir "$(DESTDIR)$(plugin_home)/$$gcc"; \
	done
	-@rmdir "$(DESTDIR)$(plugin_home)"
	-@for name in $(plugin_names); do \
	  rm -f "$(DESTDIR)$${name#*:}/tensor.so"; \
	done
