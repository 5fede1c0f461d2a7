# Tests need no list: build-aux/tests.mk and the drivers, tensor.*/*.exp,
# find them.  All of testsuite/ is distributed.
