/* Shared by the files of this room only. */
#ifndef CKDA_CERT_INTERNAL_H
#define CKDA_CERT_INTERNAL_H
#include "ckda/cert.h"

/* ---- a file that appears whole or not at all (stream.c) ------------------------------- */

typedef struct {
    FILE *file;
    char *path;      /* the name it will have */
    char *temporary; /* the name it has now; NULL for a device */
    int error;       /* errno of the first failure */
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
/* The greatest prime below 2^31 that divides no denominator of the system. */
uint32_t certificate_prime(const ckda_system_t sys);

/* ---- parts (write.c) ------------------------------------------------------------------- */

void put_about(stream *s, const ckda_cert_about *about);
void put_element(stream *s, const ckda_group_struct *G, uint32_t g);

struct ckda_cert_writer {
    stream out;
    uint32_t part, parts;
};

#endif
