/* The columns of the exact states, what reflections make of them, and their snapped
 * values. */
#include <math.h>

#include "chunk_int.h"

/* Adds to `set` what the reflections in the lines make of its members, up to sign or up to
 * length; with move != NULL (up to sign) also the table. */
static ckda_status
close_under(chunk_set *set, int32_t **move, const chunk_set *lines, ckda_error *err)
{
    const ckda_field_struct *K = lines->K;
    uint32_t stride = CHUNK_MAX_VECTORS; /* rows of lines while the size is not known */
    ckda_status st = CKDA_OK;
    ckda_mat_t u;
    ckda_mat_init(u, lines->n, 1, K);
    int32_t *table = NULL;
    uint32_t rows = 0;
    for (uint32_t i = 0; i < set->count && st == CKDA_OK; i++) {
        if (move != NULL && i >= rows) {
            rows = rows > 0 ? 2 * rows : 64;
            table = flint_realloc(table, (size_t)rows * lines->count * sizeof *table);
        }
        for (uint32_t l = 0; l < lines->count; l++) {
            chunk_reflect(u, lines->at + l, set->at + i, K);
            bool turned = false;
            if (move != NULL)
                turned = chunk_canonical_sign(u, K);
            else
                chunk_projective(u, K);
            const int32_t j = (int32_t)chunk_set_add(set, u) + 1;
            if (move != NULL)
                table[(size_t)i * lines->count + l] = turned ? -j : j;
        }
        if (set->count > stride) {
            ckda_error_set(err, "chunk: reflections make more than %d vectors",
                           CHUNK_MAX_VECTORS);
            st = CKDA_E_UNABLE;
        }
    }
    ckda_mat_clear(u, K);
    if (move != NULL && st == CKDA_OK) {
        *move = flint_malloc((size_t)set->count * lines->count * sizeof **move);
        for (uint32_t l = 0; l < lines->count; l++)
            for (uint32_t i = 0; i < set->count; i++)
                (*move)[(size_t)l * set->count + i] = table[(size_t)i * lines->count + l];
    }
    flint_free(table);
    return st;
}

/* The columns of the exact states up to sign. */
static void
add_columns(chunk_set *set, const ckda_tracker_t t)
{
    const ckda_field_struct *K = t->c->K;
    ckda_mat_t v;
    ckda_mat_init(v, t->n, 1, K);
    for (uint32_t c = 0; c < t->ncolumns; c++) {
        const ckda_mat_struct *S = t->exact + t->column_state[c];
        for (slong i = 0; i < t->n; i++)
            ckda_elem_set(&v->entry[i], ckda_mat_entry(S, i, t->column_at[c]), K);
        chunk_canonical_sign(v, K);
        chunk_set_add(set, v);
    }
    ckda_mat_clear(v, K);
}

/* The integer next to c x, ties to even.  near is x to 2^-52, |x| <= 1, c <= 2^20: near
 * alone decides farther than 2^-20 from a tie, and then K does. */
static int32_t
snap(const ckda_elem_t x, double near, int64_t c, const ckda_field_t K)
{
    const double y = near * (double)c, below = floor(y);
    if (fabs(y - below - 0.5) > 0x1p-20)
        return (int32_t)(y - below < 0.5 ? below : below + 1);
    ckda_elem_t twice;
    ckda_elem_init(twice, K);
    ckda_elem_mul_si(twice, x, 2 * (slong)c, K);
    const int side = ckda_elem_cmp_si(twice, 2 * (slong)below + 1, K);
    ckda_elem_clear(twice, K);
    const int32_t low = (int32_t)below;
    if (side != 0)
        return side < 0 ? low : low + 1;
    return low % 2 == 0 ? low : low + 1;
}

static void
build_vectors(ckda_chunk_struct *k, const chunk_set *set)
{
    const size_t n = (size_t)k->n;
    k->nvectors = set->count;
    k->vector = flint_malloc(k->nvectors * n * sizeof *k->vector);
    k->snapped = flint_malloc(k->nvectors * n * sizeof *k->snapped);
    for (uint32_t i = 0; i < k->nvectors; i++) {
        double *v = k->vector + i * n;
        chunk_doubles(v, set->at + i, false, set->K);
        for (size_t a = 0; a < n; a++)
            k->snapped[i * n + a] =
                snap(&set->at[i].entry[a], v[a], k->scheme.grid, set->K);
    }
}

static void
build_roots(ckda_chunk_struct *k, const chunk_set *roots)
{
    const size_t n = (size_t)k->n;
    k->nroots = roots->count;
    k->root = flint_malloc(k->nroots * n * sizeof *k->root);
    for (uint32_t i = 0; i < k->nroots; i++)
        chunk_doubles(k->root + i * n, roots->at + i, true, roots->K);
}

/* ---- sigma ------------------------------------------------------------------------- */

/* 1/2 - |x.q(v) - Q(c x.v)| from doubles, rounded down: c <= 2^20, |q| <= 2^20 sqrt n, all
 * sums of n <= 32 products of numbers known to 2^-52 are right to 2^-24.  If x.v lies that
 * near to a tie, the worse integer counts. */
static double
slack(const double *x, const double *v, const int32_t *q, double c, size_t n)
{
    double exact = 0, got = 0;
    for (size_t i = 0; i < n; i++) {
        exact += x[i] * v[i];
        got += x[i] * (double)q[i];
    }
    exact *= c;
    const double below = floor(exact), part = exact - below;
    double far = fabs(got - (part < 0.5 ? below : below + 1));
    if (fabs(part - 0.5) < 0x1p-20)
        far = fmax(fabs(got - below), fabs(got - below - 1));
    return 0.5 - far;
}

/* X, the rows of the states, are the columns as well: the states are a group of orthogonal
 * matrices, and S^T is the inverse of S. */
static void
build_sigma(ckda_chunk_struct *k)
{
    const size_t n = (size_t)k->n;
    const double c = (double)k->scheme.grid, margin = 0x1p-40 * (c + 1) * (double)n;
    double sigma = 0.5, norm = 0, eta = 0;
    for (uint32_t s = 0; s < k->nstarts; s++) {
        const double *v = k->vector + k->start[s] * n;
        const int32_t *q = k->snapped + k->start[s] * n;
        double square = 0, error = 0;
        for (size_t i = 0; i < n; i++) {
            square += (double)q[i] * (double)q[i];
            error += ((double)q[i] - c * v[i]) * ((double)q[i] - c * v[i]);
        }
        norm = fmax(norm, sqrt(square));
        eta = fmax(eta, sqrt(error));
        for (uint32_t x = 0; x < k->nstarts; x++)
            sigma = fmin(sigma, slack(k->vector + k->start[x] * n, v, q, c, n));
    }
    k->sigma = sigma - margin;
    k->largest_norm = norm * (1 + 0x1p-40);
    k->eta2 = eta + margin;
}

/* ---- changes of signs -------------------------------------------------------------- */

/* Where the members of a set go under a mask, or false.  `set` is projective or up to
 * sign; the first `count` must stay among themselves. */
static bool
permute(uint32_t *to, uint32_t mask, const chunk_set *set, uint32_t count,
        bool projective)
{
    bool closed = true;
    ckda_mat_t v;
    for (uint32_t i = 0; i < count && closed; i++) {
        ckda_mat_init_set(v, set->at + i, set->K);
        for (slong a = 0; a < set->n; a++)
            if (mask >> a & 1)
                ckda_elem_neg(&v->entry[a], &v->entry[a], set->K);
        if (projective)
            chunk_projective(v, set->K);
        else
            chunk_canonical_sign(v, set->K);
        const int64_t j = chunk_set_find(set, v);
        closed = j >= 0 && j < (int64_t)count;
        if (closed && to != NULL)
            to[i] = (uint32_t)j;
        ckda_mat_clear(v, set->K);
    }
    return closed;
}

/* A mask and its complement act alike on lines: only masks without the first coordinate. */
static void
build_symmetries(ckda_chunk_struct *k, const chunk_set *lines, const chunk_set *vectors)
{
    const uint32_t count = k->n <= 8 ? UINT32_C(1) << (k->n - 1) : 1;
    k->symmetry = flint_malloc((size_t)count * k->nlines * sizeof *k->symmetry);
    k->nsymmetries = 0;
    for (uint32_t m = 0; m < count; m++) {
        uint32_t *to = k->symmetry + (size_t)k->nsymmetries * k->nlines;
        if (permute(to, 2 * m, lines, k->nlines, true)
            && permute(NULL, 2 * m, vectors, k->nstarts, false))
            k->nsymmetries++;
    }
}

ckda_status
chunk_build_columns(ckda_chunk_t k, const chunk_set *lines, const ckda_tracker_t t,
                    ckda_error *err)
{
    chunk_set vectors, roots;
    chunk_set_init(&vectors, k->n, lines->K);
    chunk_set_init(&roots, k->n, lines->K);
    add_columns(&vectors, t);
    k->nstarts = vectors.count;
    for (uint32_t l = 0; l < lines->count; l++)
        chunk_set_add(&roots, lines->at + l);
    ckda_status st = close_under(&vectors, &k->move, lines, err);
    if (st == CKDA_OK)
        st = close_under(&roots, NULL, lines, err);
    /* A chunk may end between two reflections of one letter: then every vector counts. */
    if (k->max_steps > 1)
        k->nstarts = vectors.count;
    if (st == CKDA_OK) {
        k->start = flint_malloc(k->nstarts * sizeof *k->start);
        for (uint32_t i = 0; i < k->nstarts; i++)
            k->start[i] = i;
        build_vectors(k, &vectors);
        build_roots(k, &roots);
        build_symmetries(k, lines, &vectors);
        build_sigma(k);
    }
    chunk_set_clear(&roots);
    chunk_set_clear(&vectors);
    return st;
}
