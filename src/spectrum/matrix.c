/* Everything about the spectrum of one matrix. */
#include "internal.h"

ckda_status
ckda_mat_count_eigenvalues(ckda_root_counts *counts, const ckda_mat_t A,
                           const ckda_field_t K)
{
    ckda_status st;
    ckda_poly_t f;

    ckda_poly_init(f, K);
    st = ckda_mat_charpoly(f, A, K);
    if (st == CKDA_OK)
        ckda_poly_count_roots(counts, f, K);
    ckda_poly_clear(f, K);
    return st;
}

void
ckda_spectrum_init(ckda_spectrum_t s, const ckda_field_t K)
{
    *s = (ckda_spectrum_struct){0};
    ckda_poly_init(s->charpoly, K);
}

void
ckda_spectrum_clear(ckda_spectrum_t s, const ckda_field_t K)
{
    ckda_poly_clear(s->charpoly, K);
}

ckda_status
ckda_spectrum_matrix(ckda_spectrum_t s, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_status st = ckda_mat_charpoly(s->charpoly, A, K);

    if (st != CKDA_OK)
        return st;
    ckda_poly_count_roots(&s->counts, s->charpoly, K);
    s->norm_at_most_1 = ckda_mat_is_contraction(&s->norm_equals_1, A, K);
    s->norm_equals_1 = s->norm_equals_1 && s->norm_at_most_1;
    return CKDA_OK;
}
