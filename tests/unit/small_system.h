/* Small affine systems over Q, for tests of several rooms. */
#ifndef CKDA_TEST_SMALL_SYSTEM_H
#define CKDA_TEST_SMALL_SYSTEM_H
#include <stdint.h>
#include <string.h>

#include "ckda/reach.h"

/* A system over K with rational matrices, letters and offsets in common arrays; no decoder
 * until sys is given a group and `element`. */
typedef struct {
    ckda_field_t K;
    ckda_mat_struct linear[4], offset[4];
    uint32_t element[4];
    ckda_system_t sys;
} small_system;

/* K = Q, initial state n x m from integers, no letters yet. */
static inline void
small_open(small_system *s, slong n, slong m, const slong *initial)
{
    memset(s, 0, sizeof *s);
    ckda_field_init_rational(s->K);
    s->sys->K = s->K;
    ckda_mat_init(s->sys->initial, n, m, s->K);
    ckda_mat_set_si(s->sys->initial, initial, 1, s->K);
    s->sys->linear = s->linear;
}

/* One more letter S -> (A / den) S + B; all letters have offsets or none has. */
static inline void
small_letter(small_system *s, const slong *A, slong den, const slong *B)
{
    const slong n = s->sys->initial->rows, m = s->sys->initial->cols;
    const uint32_t x = s->sys->nletters++;
    ckda_mat_init(s->linear + x, n, n, s->K);
    ckda_mat_set_si(s->linear + x, A, den, s->K);
    if (B == NULL)
        return;
    ckda_mat_init(s->offset + x, n, m, s->K);
    ckda_mat_set_si(s->offset + x, B, 1, s->K);
    s->sys->offset = s->offset;
}

static inline void
small_close(small_system *s)
{
    for (uint32_t x = 0; x < s->sys->nletters; x++) {
        ckda_mat_clear(s->linear + x, s->K);
        if (s->sys->offset != NULL)
            ckda_mat_clear(s->offset + x, s->K);
    }
    ckda_mat_clear(s->sys->initial, s->K);
    ckda_field_clear(s->K);
}

#endif
