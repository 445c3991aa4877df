/* Micro-steps, and products of them. */
#include "cert_internal.h"

void
put_step(stream *s, const ckda_elem_t scale, const ckda_elem_struct *key,
         const ckda_elem_struct *gate, const ckda_elem_struct *value, slong n, slong m,
         const ckda_field_t K)
{
    ckda_elem_struct *x = ckda_elem_vec_new(1 + 2 * n + m, K);
    ckda_elem_set(x, scale, K);
    for (slong i = 0; i < n; i++) {
        ckda_elem_set(x + 1 + i, key + i, K);
        if (gate != NULL)
            ckda_elem_set(x + 1 + n + i, gate + i, K);
        else
            ckda_elem_one(x + 1 + n + i, K);
    }
    for (slong j = 0; j < m; j++)
        ckda_elem_set(x + 1 + 2 * n + j, value + j, K);
    put_row(s, x, 1 + 2 * n + m, K);
    ckda_elem_vec_free(x, 1 + 2 * n + m, K);
}

/* scale = beta / w^T w, 0 for beta 0. */
static void
set_scale(ckda_elem_t scale, const ckda_elem_t beta, const ckda_elem_struct *w, slong n,
          const ckda_field_t K)
{
    ckda_elem_t norm;
    ckda_elem_init(norm, K);
    ckda_elem_zero(scale, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_addmul(norm, w + i, w + i, K);
    if (!ckda_elem_is_zero(beta, K)) {
        const ckda_status st = ckda_elem_div(scale, beta, norm, K);
        ckda_require(st == CKDA_OK, "a key that is 0");
    }
    ckda_elem_clear(norm, K);
}

void
put_steps(stream *s, const ckda_trans_struct *t, slong count, const ckda_field_t K)
{
    const char *comma = "";
    ckda_elem_t scale;
    ckda_elem_init(scale, K);
    stream_put(s, ",\"steps\":[");
    for (slong f = 0; f < count; f++)
        for (slong j = 0; j < t[f].steps; j++) {
            const ckda_elem_struct *w = t[f].key + j * t[f].n;
            set_scale(scale, t[f].beta + j, w, t[f].n, K);
            stream_put(s, "%s", comma);
            put_step(s, scale, w, j == 0 ? t[f].gate : NULL, NULL, t[f].n, 0, K);
            comma = ",";
        }
    stream_put(s, "]");
    ckda_elem_clear(scale, K);
}

/* ---- products ---------------------------------------------------------------------------- */

/* The largest beta of all lists. */
static void
largest_beta(ckda_elem_t beta, const ckda_factors_struct *f, uint32_t count,
             const ckda_field_t K)
{
    ckda_elem_t x;
    ckda_elem_init(x, K);
    ckda_elem_zero(beta, K);
    for (uint32_t i = 0; i < count; i++) {
        ckda_factors_max_beta(x, f + i, K);
        if (ckda_elem_cmp(x, beta, K) > 0)
            ckda_elem_swap(x, beta, K);
    }
    ckda_elem_clear(x, K);
}

/* 0 to 2 where that is enough; to the largest beta if it is rational; or to an integer. */
static void
put_beta_range(stream *s, const ckda_elem_t beta, const ckda_field_t K)
{
    slong n = 2;
    stream_put(s, ",\"beta\":[\"0\",");
    if (ckda_elem_cmp_si(beta, 2, K) > 0 && ckda_elem_is_rational(beta, K)) {
        char *text = ckda_elem_str(beta, K);
        stream_put(s, "\"%s\"]", text);
        free(text);
        return;
    }
    while (ckda_elem_cmp_si(beta, n, K) > 0)
        n *= 2;
    stream_put(s, "\"%ld\"]", (long)n);
}

/* {"letter":0,"linear":[M 0],"steps":[...]} */
static void
put_product(stream *s, uint32_t number, const ckda_mat_t M, const ckda_factors_t f,
            const ckda_field_t K)
{
    ckda_mat_t A;
    ckda_mat_init(A, M->rows, f->n, K);
    for (slong i = 0; i < M->rows; i++)
        for (slong j = 0; j < M->cols; j++)
            ckda_elem_set(ckda_mat_entry(A, i, j), ckda_mat_entry(M, i, j), K);
    put_letter_begin(s, number, NULL, -1);
    stream_put(s, ",\"linear\":");
    put_matrix(s, A, K);
    put_steps(s, f->step, f->count, K);
    stream_put(s, "}\n");
    ckda_mat_clear(A, K);
}

void
ckda_cert_add_factors(ckda_cert_writer *w, const ckda_cert_about *about,
                      const ckda_mat_struct *M, const ckda_factors_struct *f,
                      uint32_t count, const ckda_field_t K)
{
    ckda_elem_t beta;
    ckda_require(count >= 1 && M->rows == M->cols && M->rows <= f->n,
                 "factors of another dimension");
    ckda_elem_init(beta, K);
    largest_beta(beta, f, count, K);
    stream *s = part_begin(w, "product", about);
    put_shape(s, f->n, f->n, K->degree, count);
    stream_put(s, ",\"top\":%ld", (long)M->rows);
    put_beta_range(s, beta, K);
    stream_put(s, "}\n");
    put_field(s, K);
    for (uint32_t i = 0; i < count; i++)
        put_product(s, i, M + i, f + i, K);
    part_end(w);
    ckda_elem_clear(beta, K);
}

ckda_status
ckda_cert_add_decomposition(ckda_cert_writer *w, const ckda_cert_about *about,
                            const ckda_decomposition_t dec, const ckda_field_t K,
                            ckda_error *err)
{
    ckda_mat_t A;
    ckda_trans_t t;
    ckda_elem_t two;
    if (!dec->verified) {
        ckda_error_set(err, "no certificate: the matrix was not decomposed");
        return CKDA_E_DOMAIN;
    }
    ckda_mat_init(A, dec->n, dec->n, K);
    ckda_trans_init(t, CKDA_CKDA, dec->n, 1, K);
    ckda_elem_init(two, K);
    ckda_elem_set_si(two, 2, K);
    for (slong i = 0; i < dec->n; i++) {
        ckda_elem_set(t->key + i, dec->key + i, K);
        ckda_elem_set_si(t->gate + i, dec->signs[i], K);
    }
    ckda_elem_set(t->beta, two, K);
    ckda_status st = ckda_signed_householder_matrix(A, dec->signs, dec->key, K);
    ckda_require(st == CKDA_OK, "a verified decomposition has a key");
    stream *s = part_begin(w, "product", about);
    put_shape(s, dec->n, dec->n, K->degree, 1);
    stream_put(s, ",\"top\":%ld,\"beta\":[\"2\",\"2\"],\"signs\":true}\n", (long)dec->n);
    put_field(s, K);
    put_letter_begin(s, 0, NULL, -1);
    stream_put(s, ",\"linear\":");
    put_matrix(s, A, K);
    put_steps(s, t, 1, K);
    stream_put(s, "}\n");
    part_end(w);
    ckda_elem_clear(two, K);
    ckda_trans_clear(t, K);
    ckda_mat_clear(A, K);
    return CKDA_OK;
}
