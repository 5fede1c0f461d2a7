# The examples in the order of make demo; demo_args_NAME are the arguments of
# examples/NAME.c, which runs in the folder demo/ of the build.
demo_examples = square lecture pairwise twoproducts image digits heat encoder
