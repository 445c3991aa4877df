/* The keys of a rounded tracker: exact algebraic numbers, each rounded once, then moved. */
#include "rounded_internal.h"

#include <stdlib.h>

/* ---- one number -------------------------------------------------------------------- */

/* The rational value of x, which is one. */
static void
get_rational(fmpq_t q, const ckda_elem_t x, const ckda_field_t K)
{
    fmpq_poly_t poly;
    fmpq_poly_init(poly);
    ckda_elem_get_fmpq_poly(poly, x, K);
    fmpq_poly_get_coeff_fmpq(q, poly, 0);
    fmpq_poly_clear(poly);
}

/* x is rounded by its rational value if it has one.  An irrational number is no boundary
 * of a format, so a small enough ball decides: the loop ends. */
uint64_t
ckda_rounded_elem(const ckda_elem_t x, const ckda_fp_format *f, const ckda_field_t K)
{
    uint64_t bits = 0;
    if (ckda_elem_is_rational(x, K)) {
        fmpq_t q;
        fmpq_init(q);
        get_rational(q, x, K);
        bits = ckda_fp_from_fmpq(q, f, &ckda_fp_rne);
        fmpq_clear(q);
        return bits;
    }
    arb_t ball;
    arb_init(ball);
    ckda_status st = CKDA_E_UNABLE;
    for (slong prec = 128; st != CKDA_OK; prec *= 2) {
        ckda_elem_get_arb(ball, x, K, prec);
        st = ckda_fp_from_arb(&bits, ball, f, &ckda_fp_rne);
    }
    arb_clear(ball);
    return bits;
}

/* Is x a rational square?  Then *root is its square root, >= 0. */
static bool
rational_root(fmpq_t root, const ckda_elem_t x, const ckda_field_t K)
{
    if (!ckda_elem_is_rational(x, K))
        return false;
    get_rational(root, x, K);
    if (!fmpz_is_square(fmpq_numref(root)) || !fmpz_is_square(fmpq_denref(root)))
        return false;
    fmpz_sqrt(fmpq_numref(root), fmpq_numref(root));
    fmpz_sqrt(fmpq_denref(root), fmpq_denref(root));
    return true;
}

/* w / sqrt(norm), where norm > 0 is |w|^2 of the whole vector.  Its square is in K; if
 * that is the square of a rational, so is the number, and else it is irrational. */
static uint64_t
round_unit_entry(const ckda_elem_t w, const ckda_elem_t norm, const ckda_fp_format *f,
                 const ckda_field_t K)
{
    uint64_t bits = 0;
    ckda_elem_t square;
    fmpq_t root;
    ckda_elem_init(square, K);
    fmpq_init(root);
    ckda_elem_mul(square, w, w, K);
    const ckda_status divided = ckda_elem_div(square, square, norm, K);
    ckda_require(divided == CKDA_OK, "a key of length 0");
    if (rational_root(root, square, K)) {
        if (ckda_elem_sgn(w, K) < 0)
            fmpq_neg(root, root);
        bits = ckda_fp_from_fmpq(root, f, &ckda_fp_rne);
    } else {
        arb_t x, s;
        arb_init(x);
        arb_init(s);
        ckda_status st = CKDA_E_UNABLE;
        for (slong prec = 128; st != CKDA_OK; prec *= 2) {
            ckda_elem_get_arb(x, w, K, prec);
            ckda_elem_get_arb(s, norm, K, prec);
            arb_sqrt(s, s, prec);
            arb_div(x, x, s, prec);
            st = ckda_fp_from_arb(&bits, x, f, &ckda_fp_rne);
        }
        arb_clear(s);
        arb_clear(x);
    }
    fmpq_clear(root);
    ckda_elem_clear(square, K);
    return bits;
}

/* ---- one key ----------------------------------------------------------------------- */

static void
dot_self(ckda_elem_t s, const ckda_elem_struct *w, slong n, const ckda_field_t K)
{
    ckda_elem_zero(s, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_addmul(s, &w[i], &w[i], K);
}

/* w becomes the primitive integer vector along w; false if its ratios are not rational.
 * Its sign does not matter: the reflection has the key twice. */
static bool
make_primitive(ckda_elem_struct *w, slong n, const ckda_field_t K)
{
    slong pivot = 0;
    while (pivot < n && ckda_elem_is_zero(&w[pivot], K))
        pivot++;
    ckda_require(pivot < n, "a key of length 0");
    fmpq_poly_t v, one; /* the vector as coefficients: content does the rest */
    ckda_elem_t ratio;
    bool rational = true;
    fmpq_poly_init(v);
    fmpq_poly_init(one);
    ckda_elem_init(ratio, K);
    fmpq_t q;
    fmpq_init(q);
    for (slong i = 0; i < n && rational; i++) {
        const ckda_status st = ckda_elem_div(ratio, &w[i], &w[pivot], K);
        ckda_require(st == CKDA_OK, "pivot is not 0");
        rational = ckda_elem_is_rational(ratio, K);
        ckda_elem_get_fmpq_poly(one, ratio, K);
        fmpq_poly_get_coeff_fmpq(q, one, 0);
        fmpq_poly_set_coeff_fmpq(v, i, q);
    }
    if (rational) {
        fmpq_poly_primitive_part(v, v);
        for (slong i = 0; i < n; i++) {
            fmpq_poly_get_coeff_fmpq(q, v, i);
            ckda_elem_set_fmpq(&w[i], q, K);
        }
    }
    fmpq_clear(q);
    ckda_elem_clear(ratio, K);
    fmpq_poly_clear(one);
    fmpq_poly_clear(v);
    return rational;
}

/* Is entry i of the exact key what was stored?  w: of the same direction, norm = |w|^2. */
static bool
is_held(uint64_t bits, const ckda_elem_t w, const ckda_elem_t norm, bool unit,
        const ckda_fp_format *f, const ckda_field_t K)
{
    ckda_elem_t x, y;
    fmpq_t q;
    ckda_elem_init(x, K);
    ckda_elem_init(y, K);
    fmpq_init(q);
    const ckda_status st = ckda_fp_get_fmpq(q, bits, f);
    ckda_require(st == CKDA_OK, "a key entry overflows");
    ckda_elem_set_fmpq(x, q, K);
    if (unit) { /* the signs agree */
        ckda_elem_mul(x, x, x, K);
        ckda_elem_mul(x, x, norm, K);
        ckda_elem_mul(y, w, w, K);
    } else {
        ckda_elem_set(y, w, K);
    }
    const bool held = ckda_elem_equal(x, y, K);
    fmpq_clear(q);
    ckda_elem_clear(y, K);
    ckda_elem_clear(x, K);
    return held;
}

/* The key of micro-step s, and norm = |w|^2 of the exact one; held: n, may the entry not be
 * moved? */
static ckda_status
set_key(bool *held, uint32_t s, ckda_elem_struct *w, ckda_elem_t norm, ckda_rounded_t R,
        const ckda_field_t K, ckda_error *err)
{
    const bool direction = R->arith.key == CKDA_KEY_DIRECTION;
    if (direction && !make_primitive(w, R->n, K)) {
        ckda_error_set(err,
                       "integer directions: this construction has a key whose ratios "
                       "are irrational; expected unit keys");
        return CKDA_E_DOMAIN;
    }
    dot_self(norm, w, R->n, K);
    for (slong i = 0; i < R->n; i++) {
        uint64_t *to = &R->key[s * R->n + i];
        *to = direction ? ckda_rounded_elem(&w[i], R->arith.keys, K)
                        : round_unit_entry(&w[i], norm, R->arith.keys, K);
        if (!ckda_fp_is_finite(*to, R->arith.keys)) {
            ckda_error_set(err, "a key entry overflows in %s", R->arith.keys->name);
            return CKDA_E_DOMAIN;
        }
        held[i] = is_held(*to, &w[i], norm, !direction, R->arith.keys, K);
    }
    return CKDA_OK;
}

/* x goes `by` values of f up in size, its sign kept; false: to 0, or beyond them. */
bool
ckda_rounded_move(uint64_t *x, int by, const ckda_fp_format *f)
{
    const int64_t size = (int64_t)(*x & ~f->sign);
    if (by == 0)
        return true;
    if (size + by < 1 || !ckda_fp_is_finite((uint64_t)(size + by), f))
        return false;
    *x = (*x & f->sign) | (uint64_t)(size + by);
    return true;
}

/* ---- all keys, moved ------------------------------------------------------------- */

/* norm: one for each step; held: n for each. */
static ckda_status
set_keys(ckda_elem_struct *norm, bool *held, const ckda_rounded_micro_step *list,
         ckda_rounded_t R, const ckda_field_t K, ckda_error *err)
{
    const size_t n = (size_t)R->n, steps = R->first[R->nletters];
    ckda_elem_struct *w = ckda_elem_vec_new(R->n, K);
    ckda_status st = CKDA_OK;
    for (uint32_t s = 0; s < steps && st == CKDA_OK; s++) {
        for (slong i = 0; i < R->n; i++)
            ckda_elem_set(&w[i], &list[s].trans->key[list[s].step * R->n + i], K);
        st = set_key(held + s * n, s, w, &norm[s], R, K, err);
    }
    ckda_elem_vec_free(w, R->n, K);
    return st;
}

static int
by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The sizes that move, each once, in increasing order; returns how many. */
static size_t
list_sizes(uint64_t *size, const bool *held, const ckda_rounded_t R)
{
    const size_t entries = R->first[R->nletters] * (size_t)R->n;
    size_t count = 0, distinct = 0;
    for (size_t i = 0; i < entries; i++)
        if (!held[i])
            size[count++] = R->key[i] & ~R->arith.keys->sign;
    qsort(size, count, sizeof *size, by_size);
    for (size_t i = 0; i < count; i++)
        if (distinct == 0 || size[i] != size[distinct - 1])
            size[distinct++] = size[i];
    return distinct;
}

static ckda_status
move_keys(const bool *held, ckda_rounded_t R, ckda_error *err)
{
    const size_t entries = R->first[R->nletters] * (size_t)R->n;
    const int moves = ckda_arith_moves(&R->arith);
    uint64_t *size = flint_malloc((entries + 1) * sizeof *size);
    const size_t count = list_sizes(size, held, R);
    bool moved = true;
    for (size_t i = 0; i < entries && moves > 0 && moved; i++) {
        const uint64_t own = R->key[i] & ~R->arith.keys->sign;
        const uint64_t *at = bsearch(&own, size, count, sizeof *size, by_size);
        if (!held[i] && at - size < moves)
            moved = ckda_rounded_move(&R->key[i], R->arith.key_move[at - size],
                                      R->arith.keys);
    }
    flint_free(size);
    R->inexact = (int)count;
    if (moved && (size_t)moves <= count)
        return CKDA_OK;
    if (!moved)
        ckda_error_set(err, "a key entry cannot be moved that far in %s",
                       R->arith.keys->name);
    else
        ckda_error_set(err, "%d sizes of key entries are moved; %zu are not held by %s",
                       moves, count, R->arith.keys->name);
    return CKDA_E_DOMAIN;
}

ckda_status
ckda_rounded_keys(ckda_elem_struct *norm, const ckda_rounded_micro_step *list,
                  ckda_rounded_t R, const ckda_field_t K, ckda_error *err)
{
    const size_t entries = R->first[R->nletters] * (size_t)R->n;
    bool *held = flint_calloc(entries, sizeof *held);
    ckda_status st = set_keys(norm, held, list, R, K, err);
    if (st == CKDA_OK)
        st = move_keys(held, R, err);
    flint_free(held);
    return st;
}
