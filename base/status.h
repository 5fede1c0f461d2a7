/* The three outcomes of every stage.

   done     the stage did its work and proved it
   refused  the user's loops lie outside what we handle; the usual case,
            reported with a place and a reason
   failed   a budget ran out or the fault is ours; reported as such

   In all three the original loops remain a correct program.  */

#ifndef TNS_BASE_STATUS_H
#define TNS_BASE_STATUS_H

typedef enum tns_status
{
  TNS_DONE,
  TNS_REFUSED,
  TNS_FAILED
} tns_status;

#endif
