/* A tracker under a chunk scheme: making it, and the size of its deviations. */
#include <math.h>

#include "chunk_int.h"

/* ---- deviations -------------------------------------------------------------------- */

/* The double above the ball. */
static double
upper(const arb_t x)
{
    arf_t u;
    arf_init(u);
    arb_get_ubound_arf(u, x, 64);
    const double d = arf_get_d(u, ARF_RND_CEIL);
    arf_clear(u);
    return d;
}

typedef struct {
    arb_ptr key, rounded; /* n: the true unit key, the rounded key */
    arb_t beta, x, y, z;
    slong prec;
} balls;

/* M = 2 k k^T - beta r r^T for the unit key k and the rounded key r; M as doubles. */
static void
set_deviation(double *M, balls *b, slong n)
{
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++) {
            arb_mul(b->x, b->key + i, b->key + j, b->prec);
            arb_mul_2exp_si(b->x, b->x, 1);
            arb_mul(b->y, b->rounded + i, b->rounded + j, b->prec);
            arb_mul(b->y, b->y, b->beta, b->prec);
            arb_sub(b->x, b->x, b->y, b->prec);
            M[i * n + j] = arf_get_d(arb_midref(b->x), ARF_RND_NEAR);
        }
}

/* |M|_2 from above.  M has the two eigenvalues with sum t = 2 - beta |r|^2 and product
 * -2 beta (|r|^2 - (k.r)^2), and with d = r - k the bracket is |d|^2 - (k.d)^2. */
static double
deviation_norm(balls *b, slong n)
{
    arb_zero(b->x);
    arb_zero(b->y);
    for (slong i = 0; i < n; i++) {
        arb_sub(b->z, b->rounded + i, b->key + i, b->prec);
        arb_addmul(b->y, b->z, b->key + i, b->prec);
        arb_addmul(b->x, b->z, b->z, b->prec);
    }
    arb_mul(b->y, b->y, b->y, b->prec);
    arb_sub(b->x, b->x, b->y, b->prec);
    arb_mul(b->x, b->x, b->beta, b->prec);
    arb_mul_2exp_si(b->x, b->x, 3); /* -4 times the product */
    arb_zero(b->y);
    for (slong i = 0; i < n; i++)
        arb_addmul(b->y, b->rounded + i, b->rounded + i, b->prec);
    arb_mul(b->y, b->y, b->beta, b->prec);
    arb_sub_si(b->y, b->y, 2, b->prec);
    arb_abs(b->y, b->y); /* |t| */
    arb_mul(b->z, b->y, b->y, b->prec);
    arb_add(b->x, b->x, b->z, b->prec);
    arb_sqrtpos(b->x, b->x, b->prec);
    arb_add(b->x, b->x, b->y, b->prec);
    arb_mul_2exp_si(b->x, b->x, -1);
    return upper(b->x);
}

/* | beta |r|^2 - 2 |; y still holds it. */
static double
unorthogonality(const balls *b)
{
    return upper(b->y);
}

/* The true unit key along line w with the signs of the rounded one. */
static void
set_keys(balls *b, const ckda_chunk_struct *k, uint32_t l, const ckda_mat_t w,
         const ckda_field_t K)
{
    const slong n = k->n;
    arb_zero(b->z);
    for (slong i = 0; i < n; i++) {
        ckda_elem_get_arb(b->key + i, &w->entry[i], K, b->prec);
        arb_addmul(b->z, b->key + i, b->key + i, b->prec);
        arb_set_d(b->rounded + i, (double)k->rounded_key[l * n + i]);
    }
    arb_sqrt(b->z, b->z, b->prec);
    double agree = 0;
    for (slong i = 0; i < n; i++) {
        arb_div(b->key + i, b->key + i, b->z, b->prec);
        agree += arf_get_d(arb_midref(b->key + i), ARF_RND_NEAR)
                 * (double)k->rounded_key[l * n + i];
    }
    for (slong i = 0; i < n && agree < 0; i++)
        arb_neg(b->key + i, b->key + i);
    arb_set_d(b->beta, (double)k->beta[l]);
}

static void
fmpq_of_float(fmpq_t q, float x)
{
    const uint64_t bits = ckda_fp_from_double((double)x, &ckda_fp_fp32, &ckda_fp_rne);
    const ckda_status st = ckda_fp_get_fmpq(q, bits, &ckda_fp_fp32);
    ckda_require(st == CKDA_OK, "a parameter overflows");
}

/* Is the rounded key of line l along w (whose first entry that is not 0 is 1), and
 * beta |r|^2 = 2?  Exactly. */
static bool
is_exact(const ckda_chunk_struct *k, uint32_t l, const ckda_mat_t w, const ckda_field_t K)
{
    const float *r = k->rounded_key + (slong)l * k->n;
    slong p = 0;
    while (p < k->n && ckda_elem_is_zero(&w->entry[p], K))
        p++;
    fmpq_t x, y, pivot, norm;
    ckda_elem_t e;
    fmpq_init(x);
    fmpq_init(y);
    fmpq_init(pivot);
    fmpq_init(norm);
    ckda_elem_init(e, K);
    fmpq_of_float(pivot, r[p]);
    bool same = !fmpq_is_zero(pivot);
    for (slong i = 0; i < k->n && same; i++) {
        fmpq_of_float(x, r[i]);
        fmpq_addmul(norm, x, x);
        fmpq_div(y, x, pivot);
        ckda_elem_set_fmpq(e, y, K);
        same = ckda_elem_equal(e, &w->entry[i], K);
    }
    fmpq_of_float(x, k->beta[l]);
    fmpq_mul(norm, norm, x);
    same = same && fmpq_cmp_si(norm, 2) == 0;
    ckda_elem_clear(e, K);
    fmpq_clear(norm);
    fmpq_clear(pivot);
    fmpq_clear(y);
    fmpq_clear(x);
    return same;
}

void
chunk_build_deviations(ckda_chunk_t k, const chunk_set *lines)
{
    const slong n = k->n;
    balls b = {.key = _arb_vec_init(n), .rounded = _arb_vec_init(n), .prec = 256};
    arb_init(b.beta);
    arb_init(b.x);
    arb_init(b.y);
    arb_init(b.z);
    k->deviation = flint_malloc((size_t)(k->nlines * n * n) * sizeof *k->deviation);
    k->exact_parameters = true;
    for (uint32_t l = 0; l < k->nlines; l++) {
        k->exact_parameters =
            k->exact_parameters && is_exact(k, l, lines->at + l, lines->K);
        set_keys(&b, k, l, lines->at + l, lines->K);
        set_deviation(k->deviation + l * n * n, &b, n);
        k->deviation_norm = fmax(k->deviation_norm, deviation_norm(&b, n));
        k->unorthogonality = fmax(k->unorthogonality, unorthogonality(&b));
    }
    arb_clear(b.z);
    arb_clear(b.y);
    arb_clear(b.x);
    arb_clear(b.beta);
    _arb_vec_clear(b.rounded, n);
    _arb_vec_clear(b.key, n);
}

/* ---- making ------------------------------------------------------------------------ */

ckda_status
ckda_chunk_init(ckda_chunk_t k, const ckda_tracker_t t, const ckda_chunk_scheme *scheme,
                ckda_error *err)
{
    ckda_status st = ckda_chunk_scheme_check(scheme, err);
    if (st != CKDA_OK)
        return st;
    ckda_chunk_t made = {{.scheme = *scheme, .n = t->n, .nletters = t->nletters}};
    chunk_set lines;
    chunk_set_init(&lines, t->n, t->c->K);
    st = chunk_build_lines(made, &lines, t, err);
    if (st == CKDA_OK)
        chunk_build_deviations(made, &lines);
    if (st == CKDA_OK && scheme->grid > 0)
        st = chunk_build_columns(made, &lines, t, err);
    chunk_set_clear(&lines);
    if (st == CKDA_OK)
        *k = *made;
    else
        ckda_chunk_clear(made);
    return st;
}

void
ckda_chunk_clear(ckda_chunk_t k)
{
    void *owned[] = {k->key,          k->rounded_key,  k->beta,    k->beta_key,
                     k->gram,         k->deviation,    k->mask,    k->mask_after,
                     k->letter_first, k->letter_count, k->line_of, k->vector,
                     k->move,         k->snapped,      k->start,   k->root,
                     k->symmetry};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        flint_free(owned[i]);
    memset(k, 0, sizeof *k);
}

/* ---- words ------------------------------------------------------------------------- */

uint32_t
ckda_chunk_lines_of(uint32_t *lines, const uint32_t *letters, uint32_t count,
                    const ckda_chunk_t k)
{
    uint32_t made = 0, mask = 0;
    for (uint32_t i = 0; i < count; i++) {
        mask = k->mask_after[letters[i] * k->nmasks + mask];
        for (uint32_t s = 0; s < k->letter_count[letters[i]]; s++)
            lines[made++] =
                k->line_of[(k->letter_first[letters[i]] + s) * k->nmasks + mask];
    }
    return made;
}

/* Does letter x, from mask m, make the lines that begin at `lines`? */
static bool
makes(const ckda_chunk_struct *k, uint32_t x, uint32_t m, const uint32_t *lines,
      uint32_t left)
{
    const uint32_t after = k->mask_after[x * k->nmasks + m];
    if (k->letter_count[x] == 0 || k->letter_count[x] > left)
        return false;
    for (uint32_t s = 0; s < k->letter_count[x]; s++)
        if (k->line_of[(k->letter_first[x] + s) * k->nmasks + after] != lines[s])
            return false;
    return true;
}

/* via[i * nmasks + m]: 1 + the letter by which (i lines, mask m) was reached first, and the
 * place it came from; letters without a reflection are not needed. */
bool
ckda_chunk_letters_of(uint32_t *letters, uint32_t *nletters, const uint32_t *lines,
                      uint32_t count, const ckda_chunk_t k)
{
    const size_t places = (size_t)(count + 1) * k->nmasks;
    uint32_t *via = flint_calloc(places, sizeof *via);
    uint32_t *from = flint_calloc(places, sizeof *from);
    via[0] = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t m = 0; m < k->nmasks; m++)
            for (uint32_t x = 0; x < k->nletters && via[i * k->nmasks + m] != 0; x++) {
                if (!makes(k, x, m, lines + i, count - i))
                    continue;
                const uint32_t to = (i + k->letter_count[x]) * k->nmasks
                                    + k->mask_after[x * k->nmasks + m];
                if (via[to] == 0) {
                    via[to] = x + 1;
                    from[to] = i * k->nmasks + m;
                }
            }
    uint32_t at = count * k->nmasks, length = 0;
    while (at < places && via[at] == 0)
        at++;
    const bool found = at < places;
    for (uint32_t p = at; found && p != 0; p = from[p])
        length++;
    for (uint32_t p = at, i = length; found && p != 0; p = from[p])
        letters[--i] = via[p] - 1;
    if (found)
        *nletters = length;
    flint_free(from);
    flint_free(via);
    return found;
}

int64_t
ckda_chunk_line_near(const double *direction, const ckda_chunk_t k)
{
    const size_t n = (size_t)k->n;
    double norm = 0;
    for (size_t i = 0; i < n; i++)
        norm += direction[i] * direction[i];
    for (uint32_t l = 0; l < k->nlines; l++) {
        double dot = 0, own = 0;
        for (size_t i = 0; i < n; i++) {
            dot += direction[i] * k->key[l * n + i];
            own += k->key[l * n + i] * k->key[l * n + i];
        }
        if (norm > 0 && fabs(dot) > (1 - 1e-9) * sqrt(norm * own))
            return l;
    }
    return -1;
}

int64_t
ckda_chunk_start_of(const int32_t *q, const ckda_chunk_t k)
{
    const slong n = k->n;
    for (uint32_t s = 0; s < k->nstarts; s++) {
        const int32_t *own = k->snapped + k->start[s] * n;
        bool same = true, opposite = true;
        for (slong i = 0; i < n; i++) {
            same = same && own[i] == q[i];
            opposite = opposite && own[i] == -q[i];
        }
        if (same || opposite)
            return s;
    }
    return -1;
}
