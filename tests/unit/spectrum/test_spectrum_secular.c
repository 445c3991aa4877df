/* One transition of any size: the secular counts against the plain counters. */
#include "spectrum_util.h"

static ckda_field_t Q;

/* CKDA_TEST_SCALE times the usual number of rounds; 40 gives 6000 random transitions. */
static slong
scaled(slong rounds)
{
    const char *scale = getenv("CKDA_TEST_SCALE");
    const long k = scale != NULL ? strtol(scale, NULL, 10) : 1;

    return k > 1 ? rounds * k : rounds;
}

/* Sturm and a second way (Descartes above degree 20, the Hankel form below), on the
 * characteristic polynomial of all of t. */
static void
plain_counts(ckda_root_counts *c, const ckda_trans_t t, const ckda_field_t K)
{
    ckda_poly_t chi;

    ckda_poly_init(chi, K);
    assert_int_equal(ckda_trans_charpoly(chi, t, K), CKDA_OK);
    ckda_poly_count_roots(c, chi, K);
    ckda_poly_clear(chi, K);
}

/* The shape of a result, whatever was counted. */
static void
assert_consistent(const ckda_secular_t s)
{
    assert_int_equal(s->zero_keys + s->repeated_gates + s->zero_gates + s->m, s->n);
    assert_int_equal(s->counts.degree, s->n);
    assert_int_equal(s->counts.real_roots + 2 * s->counts.nonreal_pairs, s->n);
    assert_true(s->counts.nonreal_pairs <= 1);
    assert_true(s->counts.unit_circle_pairs <= s->counts.nonreal_pairs);
    assert_true(s->placed >= 0 && s->m - s->placed <= 2);
    assert_int_equal(s->kind == CKDA_SECULAR_DIAGONAL, s->m == 0);
    if (s->kind == CKDA_SECULAR_SIGNS)
        assert_true(s->m - s->placed <= 1 && s->counts.nonreal_pairs == 0);
    if (s->kind == CKDA_SECULAR_BOX)
        assert_true(s->counts.nonreal_pairs == 1 && arb_is_positive(acb_imagref(s->box)));
    if (s->kind == CKDA_SECULAR_POINTS)
        assert_true(s->counts.nonreal_pairs == 0 && s->npoints >= 1 && s->npoints <= 2);
}

static ckda_secular_kind
compare(const ckda_trans_t t, const ckda_field_t K)
{
    ckda_root_counts plain;
    ckda_secular_kind kind;
    ckda_secular_t s;

    plain_counts(&plain, t, K);
    assert_int_equal(ckda_secular_count(s, t, K), CKDA_OK);
    assert_consistent(s);
    assert_int_equal(s->counts.nonreal_pairs, plain.nonreal_pairs);
    assert_int_equal(s->counts.real_roots, plain.real_roots);
    assert_int_equal(s->counts.unit_circle_pairs, plain.unit_circle_pairs);
    kind = s->kind;
    ckda_secular_clear(s);
    return kind;
}

/* x = p/q in [-1, 1]. */
static void
rand_unit(ckda_elem_t x, ckda_rand *r, slong q, const ckda_field_t K)
{
    ckda_elem_set_frac(x, (slong)ckda_rand_range(r, -q, q), q, K);
}

/* n = 2..31, denominators 4..1000, random beta, repeated gates and zero key entries in
 * half of them. */
static void
rand_case(ckda_trans_t t, ckda_rand *r, const ckda_field_t K)
{
    const slong n = 2 + (slong)ckda_rand_below(r, 30);
    const slong q = 4 + (slong)ckda_rand_below(r, 997);
    const bool awkward = ckda_rand_below(r, 2) == 0;

    ckda_trans_init(t, CKDA_CKDA, n, 1, K);
    ckda_elem_set_frac(
        t->beta, (slong)ckda_rand_range(r, ckda_rand_below(r, 4) == 0 ? 0 : q, 2 * q), q,
        K);
    for (slong i = 0; i < n; i++) {
        rand_unit(t->key + i, r, q, K);
        rand_unit(t->gate + i, r, q, K);
        if (awkward && i > 0 && ckda_rand_below(r, 4) == 0)
            ckda_elem_set(t->gate + i, t->gate + ckda_rand_below(r, (uint64_t)i), K);
        if (awkward && ckda_rand_below(r, 4) == 0)
            ckda_elem_zero(t->key + i, K);
    }
    if (ckda_elem_is_zero(t->key, K))
        ckda_elem_one(t->key, K);
}

static void
random_transitions_agree_with_the_plain_counters(void **state)
{
    slong kinds[6] = {0};
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 6000);
    for (slong round = 0; round < scaled(150); round++) {
        ckda_trans_t t;

        rand_case(t, &r, Q);
        kinds[compare(t, Q)]++;
        ckda_trans_clear(t, Q);
    }
    print_message("# signs %ld, box %ld, points %ld, multiple %ld, exact %ld\n",
                  (long)kinds[1], (long)kinds[2], (long)kinds[3], (long)kinds[4],
                  (long)kinds[5]);
    assert_true(kinds[CKDA_SECULAR_SIGNS] > 0 && kinds[CKDA_SECULAR_BOX] > 0
                && kinds[CKDA_SECULAR_POINTS] > 0);
    assert_int_equal(kinds[CKDA_SECULAR_EXACT_COUNT], 0);
}

static void
no_range_is_assumed(void **state)
{
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 7);
    for (slong round = 0; round < scaled(150); round++) {
        ckda_trans_t t;

        ckda_trans_init(t, CKDA_CKDA, 1 + (slong)ckda_rand_below(&r, 7), 1, Q);
        ckda_elem_rand(t->beta, &r, 8, 3, Q);
        for (slong i = 0; i < t->n; i++) {
            ckda_elem_set_si(t->key + i, ckda_rand_range(&r, -2, 2), Q);
            ckda_elem_rand(t->gate + i, &r, 5, 2, Q);
        }
        if (ckda_elem_is_zero(t->key, Q))
            ckda_elem_one(t->key, Q);
        compare(t, Q);
        ckda_trans_clear(t, Q);
    }
}

static void
corners_of_the_family_agree(void **state)
{
    slong circle = 0;
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 8);
    for (slong round = 0; round < scaled(150); round++) {
        ckda_secular_t s;
        ckda_trans_t t;

        ckda_trans_init(t, CKDA_CKDA, 1 + (slong)ckda_rand_below(&r, 6), 1, Q);
        ckda_trans_rand(t, &r, Q);
        if (round % 3 == 0) {
            ckda_elem_set_si(t->beta, 2, Q);
            for (slong i = 0; i < t->n; i++)
                if (!ckda_elem_is_zero(t->key + i, Q))
                    ckda_elem_set_si(t->gate + i, ckda_rand_below(&r, 2) ? 1 : -1, Q);
        }
        compare(t, Q);
        assert_int_equal(ckda_secular_count(s, t, Q), CKDA_OK);
        circle += s->counts.unit_circle_pairs;
        ckda_secular_clear(s);
        ckda_trans_clear(t, Q);
    }
    assert_true(circle > 0);
}

static void
irrational_transitions_agree(void **state)
{
    ckda_field_t K;
    ckda_rand r;

    (void)state;
    ckda_field_init_sqrt(K, 5);
    ckda_rand_init(&r, 9);
    for (slong round = 0; round < scaled(25); round++) {
        ckda_trans_t t;

        ckda_trans_init(t, CKDA_CKDA, 1 + (slong)ckda_rand_below(&r, 4), 1, K);
        ckda_elem_rand(t->beta, &r, 3, 2, K);
        for (slong i = 0; i < t->n; i++) {
            ckda_elem_rand(t->key + i, &r, 3, 2, K);
            ckda_elem_rand(t->gate + i, &r, 3, 2, K);
        }
        if (ckda_elem_is_zero(t->key, K))
            ckda_elem_one(t->key, K);
        compare(t, K);
        ckda_trans_clear(t, K);
    }
    ckda_field_clear(K);
}

/* ---- an exactly double root ---- */

/* Keys and beta such that x0 is a double root.  With y_i = w_i/(x0 - a_i), f'(x0) = 0 is
 * sum a_i y_i^2 = 0: a line through one solution (which a_0 = -1/4, a_1 = 1 give: 2, 1)
 * meets the quadric again.  f(x0) = 0 then fixes beta; false if no beta does. */
static bool
double_root(ckda_trans_t t, const fmpq_t x0, ckda_rand *r)
{
    bool possible;
    ckda_elem_t x, form, bilinear, sum, norm, e;
    ckda_elem_struct *y = t->key;
    ckda_elem_struct *d = ckda_elem_vec_new(t->n, Q);

    ckda_elem_init(x, Q);
    ckda_elem_init(form, Q);
    ckda_elem_init(bilinear, Q);
    ckda_elem_init(sum, Q);
    ckda_elem_init(norm, Q);
    ckda_elem_init(e, Q);
    ckda_elem_set_fmpq(x, x0, Q);
    ckda_elem_set_frac(t->gate, -1, 4, Q);
    ckda_elem_one(t->gate + 1, Q);
    for (slong i = 0; i < t->n; i++) {
        ckda_elem_set_si(d + i, 1 + (slong)ckda_rand_below(r, 3), Q);
        ckda_elem_set_si(y + i, i == 0 ? 2 : i == 1, Q);
        ckda_elem_mul(e, d + i, t->gate + i, Q);
        ckda_elem_addmul(form, e, d + i, Q);
        ckda_elem_addmul(bilinear, e, y + i, Q);
    }
    ckda_elem_mul_si(bilinear, bilinear, 2, Q);
    for (slong i = 0; i < t->n; i++) { /* y form(d) - 2 b(y, d) d */
        ckda_elem_mul(y + i, y + i, form, Q);
        ckda_elem_submul(y + i, bilinear, d + i, Q);
        ckda_elem_sub(e, x, t->gate + i, Q);
        ckda_elem_mul(d + i, y + i, y + i, Q);
        ckda_elem_addmul(sum, d + i, e, Q); /* sum w^2/(x0 - a) */
        ckda_elem_mul(y + i, y + i, e, Q);
        ckda_elem_addmul(norm, y + i, y + i, Q);
    }
    ckda_elem_mul(sum, sum, x, Q);
    ckda_elem_sub(sum, norm, sum, Q);
    possible = ckda_elem_div(t->beta, norm, sum, Q) == CKDA_OK;
    ckda_elem_vec_free(d, t->n, Q);
    ckda_elem_clear(e, Q);
    ckda_elem_clear(norm, Q);
    ckda_elem_clear(sum, Q);
    ckda_elem_clear(bilinear, Q);
    ckda_elem_clear(form, Q);
    ckda_elem_clear(x, Q);
    return possible;
}

/* A random transition of that kind with beta > 1; x0 is no gate. */
static void
double_root_init(ckda_trans_t t, fmpq_t x0, slong n, ckda_rand *r)
{
    ckda_trans_init(t, CKDA_CKDA, n, 1, Q);
    do {
        for (slong i = 2; i < n; i++)
            ckda_elem_set_frac(t->gate + i, 2 * (slong)ckda_rand_range(r, -40, 40) + 1,
                               80, Q);
        fmpq_set_si(x0, 2 * (slong)ckda_rand_range(r, 1, 12) - 13, 26);
    } while (!double_root(t, x0, r) || ckda_elem_cmp_si(t->beta, 1, Q) <= 0);
}

/* The number of decimal places of the nudge, 0 for none. */
static void
nudge(ckda_elem_t beta, slong places, int sign)
{
    ckda_elem_t e, ten;

    ckda_elem_init(e, Q);
    ckda_elem_init(ten, Q);
    ckda_elem_set_frac(ten, 1, 10, Q);
    ckda_elem_pow_ui(e, ten, (ulong)places, Q);
    if (sign > 0)
        ckda_elem_add(beta, beta, e, Q);
    else
        ckda_elem_sub(beta, beta, e, Q);
    ckda_elem_clear(ten, Q);
    ckda_elem_clear(e, Q);
}

static void
exactly_double_roots_are_found_and_nearly_double_ones_told_apart(void **state)
{
    slong kinds[6] = {0};
    ckda_rand r;
    fmpq_t x0;

    (void)state;
    ckda_rand_init(&r, 10);
    fmpq_init(x0);
    for (slong round = 0; round < scaled(20); round++) {
        ckda_trans_t t, u;

        double_root_init(t, x0, 2 + (slong)ckda_rand_below(&r, 9), &r);
        assert_int_equal(compare(t, Q), CKDA_SECULAR_MULTIPLE);
        for (int sign = -1; sign <= 1; sign += 2)
            for (slong places = 6; places <= 60; places += 18) {
                ckda_trans_init_set(u, t, Q);
                nudge(u->beta, places, sign);
                kinds[compare(u, Q)]++;
                ckda_trans_clear(u, Q);
            }
        ckda_trans_clear(t, Q);
    }
    assert_true(kinds[CKDA_SECULAR_BOX] > 0 && kinds[CKDA_SECULAR_POINTS] > 0);
    assert_int_equal(kinds[CKDA_SECULAR_EXACT_COUNT], 0);
    fmpq_clear(x0);
}

static void
double_root_in_a_thousand_dimensions(void **state)
{
    ckda_secular_t s;
    ckda_trans_t t;
    ckda_rand r;
    fmpq_t x0;

    (void)state;
    ckda_rand_init(&r, 11);
    fmpq_init(x0);
    double_root_init(t, x0, 1000, &r);
    assert_int_equal(ckda_secular_count(s, t, Q), CKDA_OK);
    assert_int_equal(s->kind, CKDA_SECULAR_MULTIPLE);
    assert_true(fmpq_equal(s->point, x0));
    assert_int_equal(s->counts.real_roots, 1000);
    ckda_secular_clear(s);
    fmpq_clear(x0);
    ckda_trans_clear(t, Q);
}

/* Gates that differ in the thirtieth place or lie below 10^-400, keys from 10^-200 on. */
static void
numbers_that_no_double_can_hold(void **state)
{
    slong kinds[6] = {0};
    ckda_elem_t ten, e;
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 14);
    ckda_elem_init(ten, Q);
    ckda_elem_init(e, Q);
    ckda_elem_set_frac(ten, 1, 10, Q);
    for (slong round = 0; round < scaled(40); round++) {
        ckda_trans_t t;

        ckda_trans_init(t, CKDA_CKDA, 2 + (slong)ckda_rand_below(&r, 5), 1, Q);
        ckda_elem_set_frac(t->beta, (slong)ckda_rand_range(&r, 101, 300), 100, Q);
        for (slong i = 0; i < t->n; i++) {
            const ulong place[] = {0, 30, 200, 400};

            ckda_elem_pow_ui(e, ten, place[ckda_rand_below(&r, 4)], Q);
            ckda_elem_mul_si(t->gate + i, e, (slong)ckda_rand_range(&r, -9, 9), Q);
            if (ckda_rand_below(&r, 2) == 0)
                ckda_elem_add(t->gate + i, t->gate + i, t->gate, Q);
            ckda_elem_pow_ui(e, ten, place[ckda_rand_below(&r, 3)], Q);
            ckda_elem_mul_si(t->key + i, e, (slong)ckda_rand_range(&r, 1, 9), Q);
        }
        kinds[compare(t, Q)]++;
        ckda_trans_clear(t, Q);
    }
    print_message("# signs %ld, box %ld, points %ld, exact %ld\n", (long)kinds[1],
                  (long)kinds[2], (long)kinds[3], (long)kinds[5]);
    ckda_elem_clear(e, Q);
    ckda_elem_clear(ten, Q);
}

/* ---- deflation and the sign of beta_eff - 1 ---- */

static void
assert_deflation(slong n, const char *beta, const char *key, const char *gate, slong keys,
                 slong gates, slong zeros, int excess)
{
    ckda_secular_t s;
    ckda_trans_t t;

    trans_init_text(t, n, beta, key, gate, Q);
    compare(t, Q);
    assert_int_equal(ckda_secular_count(s, t, Q), CKDA_OK);
    assert_int_equal(s->zero_keys, keys);
    assert_int_equal(s->repeated_gates, gates);
    assert_int_equal(s->zero_gates, zeros);
    assert_int_equal(s->excess, excess);
    ckda_secular_clear(s);
    ckda_trans_clear(t, Q);
}

static void
deflation_is_counted_by_its_reasons(void **state)
{
    (void)state;
    assert_deflation(6, "7/4", "2 0 1 2 1 0", "-1/2 -3/4 1/2 1/2 0 1/3", 2, 1, 1, 1);
    assert_deflation(3, "2", "1 1 2", "-1 1 0", 0, 0, 1, -1); /* beta_eff = 2/3 */
    assert_deflation(3, "2", "1 1 1", "-1 1 0", 0, 0, 1, 1);  /* 4/3 */
    assert_deflation(4, "2", "1 1 1 1", "-1 1 0 0", 0, 1, 1, 0);
    assert_deflation(2, "0", "1 1", "-1 1", 2, 0, 0, 0);
    assert_deflation(3, "2", "1 1 1", "0 0 0", 0, 2, 1, 0);
    assert_deflation(2, "-1", "1 1", "-1 1", 0, 0, 0, -1);
    assert_deflation(1, "2", "1", "1/3", 0, 0, 0, 1);
}

/* beta (1 - k_0^2) = 1 up to 10^-places. */
static void
beta_eff_next_to_one_is_told_from_one(void **state)
{
    (void)state;
    for (slong places = 0; places <= 200; places += 100)
        for (int sign = -1; sign <= 1; sign += 2) {
            ckda_secular_t s;
            ckda_trans_t t;

            trans_init_text(t, 3, "3/2", "1 1 1", "-1 1/2 0", Q);
            if (places > 0)
                nudge(t->beta, places, sign);
            compare(t, Q);
            assert_int_equal(ckda_secular_count(s, t, Q), CKDA_OK);
            assert_int_equal(s->excess, places > 0 ? sign : 0);
            ckda_secular_clear(s);
            ckda_trans_clear(t, Q);
        }
}

static void
persistent_pairs_at_any_size(void **state)
{
    (void)state;
    for (slong n = 2; n <= 4096; n *= 8) {
        ckda_secular_t s;
        ckda_trans_t t;

        ckda_trans_init(t, CKDA_CKDA, n, 1, Q);
        ckda_elem_set_si(t->beta, 2, Q);
        for (slong i = 0; i < n; i++) {
            ckda_elem_set_frac(t->key + i, i + 1, 2 * i + 3, Q);
            ckda_elem_set_si(t->gate + i, i % 2 ? 1 : -1, Q);
        }
        assert_int_equal(ckda_secular_count(s, t, Q), CKDA_OK);
        assert_int_equal(s->m, 2);
        assert_int_equal(s->counts.unit_circle_pairs, 1);
        ckda_secular_clear(s);
        ckda_elem_set_frac(t->gate, -9, 10, Q);
        assert_int_equal(ckda_secular_count(s, t, Q), CKDA_OK);
        assert_int_equal(s->counts.unit_circle_pairs, 0);
        ckda_secular_clear(s);
        ckda_trans_clear(t, Q);
    }
}

static void
circle_outside_the_ranges(void **state)
{
    ckda_root_counts c;
    ckda_trans_t t;

    (void)state;
    /* |lambda|^2 = (beta - 1) |a b| = 1, and next to it */
    trans_init_text(t, 2, "5", "1 1", "-1/2 1/2", Q);
    plain_counts(&c, t, Q);
    assert_int_equal(c.unit_circle_pairs, 1);
    compare(t, Q);
    nudge(t->beta, 40, 1);
    compare(t, Q);
    ckda_trans_clear(t, Q);
}

/* ---- norm and characteristic polynomial ---- */

static void
assert_norm(const ckda_trans_t t, const ckda_field_t K)
{
    bool want, want_equal, got, got_equal;
    ckda_mat_t A;

    ckda_mat_init(A, t->n, t->n, K);
    assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
    want = ckda_mat_is_contraction(&want_equal, A, K);
    assert_int_equal(ckda_trans_norm_test(&got, &got_equal, t, K), CKDA_OK);
    assert_int_equal(got, want);
    assert_int_equal(got_equal, want && want_equal);
    ckda_mat_clear(A, K);
}

static void
norm_test_agrees_with_the_matrix(void **state)
{
    slong above = 0, equal = 0;
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 12);
    for (slong round = 0; round < scaled(400); round++) {
        bool le, eq;
        ckda_trans_t t;

        ckda_trans_init(t, CKDA_CKDA, 1 + (slong)ckda_rand_below(&r, 4), 1, Q);
        ckda_trans_rand(t, &r, Q);
        if (ckda_rand_below(&r, 2) == 0)
            ckda_elem_set_frac(t->beta, (slong)ckda_rand_range(&r, -4, 12), 4, Q);
        if (ckda_rand_below(&r, 3) == 0)
            ckda_elem_set_frac(t->gate, (slong)ckda_rand_range(&r, -6, 6), 4, Q);
        assert_norm(t, Q);
        assert_int_equal(ckda_trans_norm_test(&le, &eq, t, Q), CKDA_OK);
        above += !le;
        equal += eq;
        ckda_trans_clear(t, Q);
    }
    assert_true(above > 20 && equal > 20);
}

static void
norms_that_are_exactly_1_beyond_beta_2(void **state)
{
    /* beta (beta - 2) sum k^2 a^2/(1 - a^2) = 1 for the first; one expansive gate that the
     * key brings back for the second: 1 + gamma (k_1^2 a^2/(1 - a^2)) = 0 */
    const char *const v[][3] = {{"3", "1 2", "1/2 -1/2"},
                                {"1", "1 0", "5 1/2"},
                                {"1", "1 2", "5/4 0"},
                                {"1", "1 2", "0 0"}};

    (void)state;
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        ckda_trans_t t;

        trans_init_text(t, 2, v[i][0], v[i][1], v[i][2], Q);
        assert_norm(t, Q);
        nudge(t->beta, 80, 1);
        assert_norm(t, Q);
        ckda_trans_clear(t, Q);
    }
}

static void
tree_and_synthetic_division_give_one_polynomial(void **state)
{
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 13);
    for (slong round = 0; round < scaled(60); round++) {
        ckda_poly_t f, g;
        ckda_trans_t t;

        rand_case(t, &r, Q);
        ckda_poly_init(f, Q);
        ckda_poly_init(g, Q);
        assert_int_equal(ckda_secular_charpoly(f, t, Q), CKDA_OK);
        assert_int_equal(ckda_trans_charpoly(g, t, Q), CKDA_OK);
        assert_true(ckda_poly_equal(f, g, Q));
        ckda_poly_clear(g, Q);
        ckda_poly_clear(f, Q);
        ckda_trans_clear(t, Q);
    }
}

static void
other_shapes_and_zero_keys_are_refused(void **state)
{
    bool le = true, eq = true;
    ckda_secular_t s;
    ckda_poly_t f;
    ckda_trans_t t;

    (void)state;
    ckda_poly_init(f, Q);
    ckda_trans_init(t, CKDA_DELTAPRODUCT, 3, 2, Q);
    assert_false(ckda_trans_is_secular(t));
    assert_int_equal(ckda_secular_count(s, t, Q), CKDA_E_SHAPE);
    assert_int_equal(ckda_trans_norm_test(&le, &eq, t, Q), CKDA_E_SHAPE);
    assert_int_equal(ckda_secular_charpoly(f, t, Q), CKDA_E_SHAPE);
    ckda_trans_clear(t, Q);
    trans_init_text(t, 2, "1", "0 0", "1 1", Q);
    assert_int_equal(ckda_secular_count(s, t, Q), CKDA_E_DOMAIN);
    assert_int_equal(ckda_trans_norm_test(&le, &eq, t, Q), CKDA_E_DOMAIN);
    assert_int_equal(ckda_secular_charpoly(f, t, Q), CKDA_E_DOMAIN);
    assert_true(le && eq && ckda_poly_is_zero(f));
    ckda_trans_clear(t, Q);
    ckda_poly_clear(f, Q);
}

static int
setup(void **state)
{
    (void)state;
    ckda_field_init_rational(Q);
    return 0;
}

static int
teardown(void **state)
{
    (void)state;
    ckda_field_clear(Q);
    flint_cleanup();
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_transitions_agree_with_the_plain_counters),
        cmocka_unit_test(no_range_is_assumed),
        cmocka_unit_test(corners_of_the_family_agree),
        cmocka_unit_test(irrational_transitions_agree),
        cmocka_unit_test(
            exactly_double_roots_are_found_and_nearly_double_ones_told_apart),
        cmocka_unit_test(double_root_in_a_thousand_dimensions),
        cmocka_unit_test(numbers_that_no_double_can_hold),
        cmocka_unit_test(deflation_is_counted_by_its_reasons),
        cmocka_unit_test(beta_eff_next_to_one_is_told_from_one),
        cmocka_unit_test(persistent_pairs_at_any_size),
        cmocka_unit_test(circle_outside_the_ranges),
        cmocka_unit_test(norm_test_agrees_with_the_matrix),
        cmocka_unit_test(norms_that_are_exactly_1_beyond_beta_2),
        cmocka_unit_test(tree_and_synthetic_division_give_one_polynomial),
        cmocka_unit_test(other_shapes_and_zero_keys_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
