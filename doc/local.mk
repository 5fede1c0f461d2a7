# Manual pages, doc/NAME.1.
dist_man_MANS =
