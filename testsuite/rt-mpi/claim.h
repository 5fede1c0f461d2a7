/* What the tests of several processes share.  */

#ifndef TRM_CLAIM_H
#define TRM_CLAIM_H

#include "expect.h"

#include "trm-parallel.h"

#include <mpi.h>

/* Rank 0 tells whether CLAIM holds in all ranks.  */
extern void claim (bool holds, const char *name);

/* Whether M has the same bits in all of COMM.  */
extern bool is_same (trm_model *m, MPI_Comm comm);

/* Seconds since some time.  */
extern double seconds (void);

#endif
