# The examples in the order of make demo; demo_args_NAME are the arguments of
# examples/NAME.c, which runs in the folder demo/ of the build, demo_flags_NAME
# switches of tensor-compare.  Then those of demo_shown run by themselves.
demo_examples = square lecture pairwise twoproducts image digits heat encoder gpt
demo_args_gpt = 1 0
demo_flags_gpt = --runs=1
demo_shown = gpt net convnet pruned
