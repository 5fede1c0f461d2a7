/* The main function of a unit test that is a table.  */

#ifndef TNS_TESTSUITE_ROWS_H
#define TNS_TESTSUITE_ROWS_H

#include <stddef.h>

/* CHECK, asked with each of ROWS, must say that it is right, and tells what is
   not.  */
#define MAIN_OF_ROWS(rows, check)                                              \
  int main (void)                                                              \
  {                                                                            \
    int failures = 0;                                                          \
    for (size_t k = 0; k < sizeof (rows) / sizeof *(rows); k++)                \
      failures += !check (&(rows)[k]);                                         \
    return failures > 0;                                                       \
  }

#endif
