/* Shared by the files of this room only. */
#ifndef CKDA_CERT_INTERNAL_H
#define CKDA_CERT_INTERNAL_H
#include "ckda/cert.h"

/* ---- a file that appears whole or not at all (stream.c) ------------------------------- */

typedef struct {
    FILE *file;
    char *path;      /* the name it will have */
    char *temporary; /* the name it has now; NULL for a device */
    int ticket;      /* of the temporary file */
    int error;       /* errno of the first failure */
    uint64_t lines;  /* ends of lines in the formats of stream_put */
} stream;

CKDA_MUST_CHECK ckda_status stream_open(stream *s, const char *path, ckda_error *err);
/* printf; failures are kept. */
void stream_put(stream *s, const char *fmt, ...) CKDA_PRINTF(2, 3);
/* A JSON string with its quotes; bytes that are no UTF-8 become '?'. */
void stream_put_text(stream *s, const char *text);
CKDA_MUST_CHECK ckda_status stream_close(stream *s, ckda_error *err);
void stream_abandon(stream *s);

/* ---- values (numbers.c) ---------------------------------------------------------------- */

void put_integer(stream *s, const fmpz_t x);
/* {"den": D, "num": [...]}, in lowest terms. */
void put_matrix(stream *s, const ckda_mat_t A, const ckda_field_t K);
/* {"field": {"minpoly": [...], "root": ["low", "high"]}} */
void put_field(stream *s, const ckda_field_t K);

/* A row of n numbers, as put_matrix. */
void put_row(stream *s, const ckda_elem_struct *x, slong n, const ckda_field_t K);
/* "key":[1,2,3] */
void put_counts(stream *s, const char *key, const uint32_t *x, uint64_t n);

/* ---- parts (write.c) ------------------------------------------------------------------- */

struct ckda_cert_writer {
    stream out;
    uint32_t part, parts;
    uint64_t before; /* lines of the parts before this one */
};

/* A new part: its header up to `about`, without an end. */
stream *part_begin(ckda_cert_writer *w, const char *kind, const ckda_cert_about *about);
/* The last line. */
void part_end(ckda_cert_writer *w);
void put_shape(stream *s, slong rows, slong cols, slong degree, uint32_t letters);
void put_group(stream *s, const ckda_group_struct *G);
/* ,"levels":[...] of a closed graph whose state 0 is the first. */
void put_levels(stream *s, const uint32_t *next, uint32_t states, uint32_t letters);
/* ,"decoder":"consistent","decoded":...,"states_per_element":[...] */
void put_labels(stream *s, const uint32_t *label, uint64_t states, uint32_t kinds);
/* {"letter":x,"name":...,"element":g  (name NULL: none; element < 0: none) */
void put_letter_begin(stream *s, uint32_t x, const char *name, int64_t element);
void put_element(stream *s, const ckda_group_struct *G, uint32_t g);
/* label == NULL: without. */
void put_state(stream *s, uint64_t state, const uint32_t *label, const uint32_t *next,
               uint32_t letters);

/* ---- steps (steps.c) -------------------------------------------------------------------- */

/* One step (I - scale w w^T) Diag(gate), scale = beta / w^T w, gate NULL: 1; with `value` (m
 * entries) it adds scale w value^T. */
void put_step(stream *s, const ckda_elem_t scale, const ckda_elem_struct *key,
              const ckda_elem_struct *gate, const ckda_elem_struct *value, slong n,
              slong m, const ckda_field_t K);
/* ,"steps":[...] of a transition that is a product of steps. */
void put_steps(stream *s, const ckda_trans_struct *t, slong count, const ckda_field_t K);

/* ---- rounded trackers (rounded.c) --------------------------------------------------------- */

void put_arithmetic(stream *s, const ckda_rounded_t R);
/* "matrix":[...] or "steps":[...] of letter l. */
void put_token(stream *s, const ckda_rounded_t R, uint32_t l);

#endif
