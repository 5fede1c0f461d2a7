/* A small, strict reader of JSON (RFC 8259): objects, arrays, strings, whole
   numbers of 0 and more.  Not installed.

   The first failure is remembered, with a message; what follows does nothing
   and gives NULL, 0 or false.  A caller tests FAILED once:

     trm_json_open (&json, '{');
     for (int i = 0; trm_json_more (&json, '}', i); i++)
       {
         char *key = trm_json_key (&json);
         ...
         free (key);
       }
     return !json.failed;  */

#ifndef TRM_JSON_H
#define TRM_JSON_H

#include "file.h"

/* at, end: what is still to be read of FILE.  */
typedef struct trm_json
{
  const trm_file *file;
  const char *at;
  const char *end;
  bool failed;
} trm_json;

/* Fail with "byte N: expected WHAT".  */
extern void trm_json_wrong (trm_json *json, const char *what);

/* Go into an object or an array.  Whether there is an element I; if not, go
   behind CLOSE.  */
extern void trm_json_open (trm_json *json, char open);
extern bool trm_json_more (trm_json *json, char close, int64_t i);

/* A string, in UTF-8 and without zeros, for free (); one with the colon behind
   it; a whole number.  Go over any value.  */
extern char *trm_json_string (trm_json *json);
extern char *trm_json_key (trm_json *json);
extern int64_t trm_json_whole (trm_json *json);
extern void trm_json_skip (trm_json *json);

/* Nothing but blanks may follow.  */
extern void trm_json_end (trm_json *json);

/* Whether TEXT is UTF-8.  Write it as a string of JSON; its bytes there.  W may
   be NULL.  */
extern bool trm_is_utf8 (const char *text);
extern int64_t trm_json_put (trm_writer *w, const char *text);

#endif
