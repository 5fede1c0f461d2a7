/* Lines of addresses, from the line tables of DWARF 2 to 5 (object.h).

   A table is a row of units; a unit is a head, which lists folders and files,
   and a program, which makes rows in the order of their addresses:

     row    address  file  line         an address in [address of row i,
      i      0x1139     1     7         address of row i + 1) comes from the
      i+1    0x1150     1     9         line of row i

   The programs are run once for all addresses that are looked for; nothing of
   them is kept.  A file's name is looked up in the head when an address is
   found.  What ends early, or has a form that is not known, ends its unit.  */

#include "object.h"

#include <string.h>

/* Opcodes of a unit's program that are below the special ones.  */
enum
{
  COPY = 1,
  ADVANCE_PC,
  ADVANCE_LINE,
  SET_FILE,
  CONST_ADD_PC = 8,
  FIXED_ADVANCE_PC
};

/* Those that stand behind a length.  */
enum
{
  END_SEQUENCE = 1,
  SET_ADDRESS
};

/* What the lists of version 5 tell of a file.  */
enum
{
  PATH = 1,
  FOLDER
};

/* In which form.  */
enum
{
  DATA2 = 0x05,
  DATA4,
  DATA8,
  STRING,
  BLOCK,
  DATA1 = 0x0b,
  STRP = 0x0e,
  UDATA,
  DATA16 = 0x1e,
  LINE_STRP
};

/* What is still to be read; empty, and not whole, after the first thing that
   was not there.  */
typedef struct reader
{
  const unsigned char *at;
  const unsigned char *end;
  bool broken;
} reader;

/* The sections.  */
typedef struct tables
{
  trm_stretch line_strings;
  trm_stretch strings;
} tables;

/* A unit.

   version, wide    of DWARF; offsets of eight bytes
   files            the lists of folders and files
   step, lines_from, lines  of special opcodes
   first            the first special opcode
   lengths          how many operands the others have  */
typedef struct unit
{
  int version;
  bool wide;
  reader files;
  reader program;
  unsigned step;
  int lines_from;
  unsigned lines;
  unsigned first;
  const unsigned char *lengths;
} unit;

/* The state of a unit's program.  */
typedef struct row
{
  uintptr_t at;
  uint64_t file;
  int64_t line;
} row;

/* What is looked for, in the order of addresses.  */
typedef struct wanted
{
  trm_line *line;
  int n;
} wanted;

/* The next BYTES bytes of R; NULL when there are fewer.  */
static const unsigned char *
take (reader *r, uint64_t bytes)
{
  const unsigned char *at = r->at;
  if (bytes > (uint64_t) (r->end - r->at))
    {
      r->broken = true;
      r->at = r->end;
      return NULL;
    }
  r->at += bytes;
  return at;
}

/* A number of BYTES bytes, at most 8, in the order of this machine.  */
static uint64_t
take_number (reader *r, unsigned bytes)
{
  uint64_t value = 0;
  const unsigned char *at = take (r, bytes);
  for (unsigned i = 0; at && i < bytes; i++)
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = value << 8 | at[i];
#else
    value |= (uint64_t) at[i] << 8 * i;
#endif
  return value;
}

/* A number in groups of seven bits, the lowest first.  */
static uint64_t
take_leb (reader *r, bool is_signed)
{
  uint64_t value = 0;
  unsigned shift = 0;
  const unsigned char *at;
  do
    {
      at = take (r, 1);
      if (at && shift < 64)
        value |= (uint64_t) (*at & 0x7f) << shift;
      shift += 7;
    }
  while (at && *at & 0x80);
  if (at && is_signed && *at & 0x40 && shift < 64)
    value |= ~(uint64_t) 0 << shift;
  return value;
}

/* A text that ends with 0; "" when it does not end.  */
static const char *
take_text (reader *r)
{
  const unsigned char *end = memchr (r->at, 0, (size_t) (r->end - r->at));
  const char *text
    = end ? (const char *) take (r, (uint64_t) (end - r->at) + 1) : NULL;
  r->broken |= !end;
  return text ? text : "";
}

/* The text at OFFSET of STRINGS, "" when there is none.  */
static const char *
text_of (trm_stretch strings, uint64_t offset)
{
  if (offset >= strings.bytes
      || !memchr (strings.at + offset, 0, strings.bytes - offset))
    return "";
  return (const char *) strings.at + offset;
}

/* Read a value of FORM in unit U: a number, or *TEXT.  */
static uint64_t
take_form (reader *r, uint64_t form, const unit *u, const tables *t,
           const char **text)
{
  switch (form)
    {
    case STRING:
      *text = take_text (r);
      return 0;
    case LINE_STRP:
      *text = text_of (t->line_strings, take_number (r, u->wide ? 8 : 4));
      return 0;
    case STRP:
      *text = text_of (t->strings, take_number (r, u->wide ? 8 : 4));
      return 0;
    case UDATA:
      return take_leb (r, false);
    case DATA1:
      return take_number (r, 1);
    case DATA2:
      return take_number (r, 2);
    case DATA4:
      return take_number (r, 4);
    case DATA8:
      return take_number (r, 8);
    case DATA16:
      take (r, 16);
      return 0;
    case BLOCK:
      take (r, take_leb (r, false));
      return 0;
    default:
      r->broken = true;
      return 0;
    }
}

/* Read the list of version 5 that begins at R; its entry number I, a text, in
   *NAME, and what else it tells.  Behind the list stands the next one.  */
static uint64_t
take_list (reader *r, uint64_t i, const unit *u, const tables *t,
           const char **name)
{
  uint64_t formats = take_number (r, 1), folder = 0;
  reader format = *r;
  for (uint64_t k = 0; k < 2 * formats; k++)
    take_leb (r, false);
  uint64_t n = take_leb (r, false);
  if (!formats)
    return 0;
  for (uint64_t entry = 0; entry < n && !r->broken; entry++)
    {
      reader f = format;
      for (uint64_t k = 0; k < formats; k++)
        {
          const char *text = "";
          uint64_t kind = take_leb (&f, false);
          uint64_t value = take_form (r, take_leb (&f, false), u, t, &text);
          if (entry == i && kind == PATH)
            *name = text;
          if (entry == i && kind == FOLDER)
            folder = value;
        }
    }
  return folder;
}

/* Name file number FILE of U, of version 5, in LINE.  */
static void
name_file (trm_line *line, uint64_t file, const unit *u, const tables *t)
{
  reader lists = u->files;
  const char *ignored = "";
  take_list (&lists, UINT64_MAX, u, t, &ignored);
  uint64_t folder = take_list (&lists, file, u, t, &line->file);
  lists = u->files;
  take_list (&lists, folder, u, t, &line->folder);
}

/* Name file number FILE of U, of versions 2 to 4, in LINE.  Folder 0 is that
   of the compiler, which is not told here.  */
static void
name_file_of_old (trm_line *line, uint64_t file, const unit *u)
{
  reader r = u->files;
  while (*take_text (&r))
    ;
  uint64_t folder = 0;
  const char *name;
  for (uint64_t i = 1; *(name = take_text (&r)) && i <= file; i++)
    {
      uint64_t in = take_leb (&r, false);
      take_leb (&r, false);
      take_leb (&r, false);
      if (i == file)
        {
          line->file = name;
          folder = in;
        }
    }
  r = u->files;
  for (uint64_t i = 1; i <= folder && *(name = take_text (&r)); i++)
    if (i == folder)
      line->folder = name;
}

/* The first of WANTED that is not before AT.  */
static int
first_from (const wanted *w, uintptr_t at)
{
  int low = 0, high = w->n;
  while (low < high)
    {
      int middle = low + (high - low) / 2;
      if (w->line[middle].at < at)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Addresses from that of ROW to END come from ROW's line.  */
static void
found (const row *from, uintptr_t end, const unit *u, const tables *t,
       wanted *w)
{
  if (from->line <= 0 || from->line > INT32_MAX)
    return;
  for (int i = first_from (w, from->at); i < w->n && w->line[i].at < end; i++)
    {
      trm_line *line = &w->line[i];
      if (line->line)
        continue;
      line->line = (int) from->line;
      if (u->version >= 5)
        name_file (line, from->file, u, t);
      else
        name_file_of_old (line, from->file, u);
      if (!*line->file)
        line->line = 0;
    }
}

/* Run an opcode that has a length; whether it ends a sequence.  */
static bool
run_extended (reader *r, row *state)
{
  uint64_t bytes = take_leb (r, false);
  const unsigned char *at = take (r, bytes);
  if (!at || !bytes)
    return false;
  reader operand = { .at = at + 1, .end = at + bytes };
  if (*at == SET_ADDRESS && bytes <= 9)
    state->at = (uintptr_t) take_number (&operand, (unsigned) bytes - 1);
  return *at == END_SEQUENCE;
}

/* Run OPCODE, which is below the special ones; whether it makes a row.  */
static bool
run_standard (reader *r, unsigned opcode, const unit *u, row *state)
{
  switch (opcode)
    {
    case COPY:
      return true;
    case ADVANCE_PC:
      state->at += u->step * (uintptr_t) take_leb (r, false);
      return false;
    case ADVANCE_LINE:
      state->line = (int32_t) ((uint64_t) state->line + take_leb (r, true));
      return false;
    case SET_FILE:
      state->file = take_leb (r, false);
      return false;
    case CONST_ADD_PC:
      state->at += u->step * ((255 - u->first) / u->lines);
      return false;
    case FIXED_ADVANCE_PC:
      state->at += (uintptr_t) take_number (r, 2);
      return false;
    default:
      for (int i = 0; i < u->lengths[opcode - 1]; i++)
        take_leb (r, false);
      return false;
    }
}

/* Run U's program.  A sequence from address 0 is of a function that the linker
   has left out.  */
static void
run_program (const unit *u, const tables *t, wanted *w)
{
  const row start = { .file = 1, .line = 1 };
  row state = start, last = start;
  reader r = u->program;
  while (r.at < r.end)
    {
      unsigned opcode = (unsigned) take_number (&r, 1);
      bool ends = false, makes = true;
      if (opcode >= u->first)
        {
          unsigned by = opcode - u->first;
          state.at += u->step * (by / u->lines);
          state.line
            = (int32_t) (state.line + u->lines_from + (int) (by % u->lines));
        }
      else if (opcode)
        makes = run_standard (&r, opcode, u, &state);
      else
        makes = ends = run_extended (&r, &state);
      if (!makes)
        continue;
      if (last.at)
        found (&last, state.at, u, t, w);
      if (ends)
        state = start;
      last = state;
    }
}

/* Read what stands behind the version of U, whose bytes R has; false when it is
   of a kind that is not known.  */
static bool
read_head (reader *r, unit *u)
{
  if (u->version >= 5)
    take (r, 2);
  uint64_t head = take_number (r, u->wide ? 8 : 4);
  u->program = *r;
  take (&u->program, head);
  u->step = (unsigned) take_number (r, 1);
  if (u->version >= 4)
    take (r, 1);
  take (r, 1);
  u->lines_from = (signed char) take_number (r, 1);
  u->lines = (unsigned) take_number (r, 1);
  u->first = (unsigned) take_number (r, 1);
  u->lengths = u->first ? take (r, u->first - 1) : NULL;
  u->files = *r;
  return u->lines && u->lengths && !r->broken && !u->program.broken
         && r->at <= u->program.at;
}

void
trm_lines_find (trm_stretch table, trm_stretch line_strings,
                trm_stretch strings, trm_line *line, int n)
{
  const tables t = { line_strings, strings };
  wanted w = { line, n };
  reader all = { .at = table.at, .end = table.at + table.bytes };
  for (int i = 0; i < n; i++)
    line[i] = (trm_line){ .at = line[i].at, .folder = "", .file = "" };
  while (all.at < all.end && !all.broken)
    {
      unit u = { .wide = false };
      uint64_t bytes = take_number (&all, 4);
      u.wide = bytes == 0xffffffff;
      if (u.wide)
        bytes = take_number (&all, 8);
      reader r = { .at = all.at };
      if (!take (&all, bytes))
        return;
      r.end = all.at;
      u.version = (int) take_number (&r, 2);
      if (u.version >= 2 && u.version <= 5 && read_head (&r, &u))
        run_program (&u, &t, &w);
    }
}
