/* What the reader and the writer of AT&T text share. */
#ifndef CKDA_ATT_INTERNAL_H
#define CKDA_ATT_INTERNAL_H
#include "ckda/att.h"
#include "io_internal.h"

/* Between the fields of a line (a line ends at '\n'). */
bool att_is_blank(char c);
/* The label of a step that reads nothing, in the spellings that are in use. */
bool att_is_epsilon(const char *label);

#endif
