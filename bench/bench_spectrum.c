/* Certified counts of one transition and its characteristic polynomial against FLINT, in one
 * run.
 *
 *   bench_spectrum              prints
 *       count N BETA ours MS         secular count, N = 128, 512, 2048, 8192
 *       count 128 BETA flint MS      fmpz_poly_num_real_roots on the same polynomial
 *       charpoly 128 ours|flint MS   product tree, fmpq_mat_charpoly on the dense matrix
 *   bench_spectrum --polynomial prints the numerator of the polynomial of N = 128, beta = 2,
 *       ascending, for peers that read it (bench/spectrum.sh runs PARI's polsturm)
 *
 * Gates and key entries are random multiples of 10^-6 in [-1, 1] from a fixed seed.  CPU
 * time, best of several rounds; results are compared before they are timed, and nothing
 * asserts a time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ckda/spectrum.h"

static double
milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static void
give_up(const char *what)
{
    fprintf(stderr, "bench_spectrum: %s\n", what);
    exit(1);
}

static void
make(ckda_trans_t t, slong n, slong num, slong den, const ckda_field_t Q)
{
    enum { D = 1000000 };
    ckda_rand r;
    ckda_rand_init(&r, (uint64_t)n);
    ckda_trans_init(t, CKDA_CKDA, n, 1, Q);
    ckda_elem_set_frac(t->beta, num, den, Q);
    for (slong i = 0; i < n; i++) {
        ckda_elem_set_frac(t->key + i, (slong)ckda_rand_range(&r, -D, D), D, Q);
        ckda_elem_set_frac(t->gate + i, (slong)ckda_rand_range(&r, -D, D), D, Q);
    }
}

static void
get_numerator(fmpz_poly_t f, const ckda_trans_t t, const ckda_field_t Q)
{
    ckda_poly_t chi;
    fmpq_poly_t g, c;
    fmpq_t q;
    ckda_poly_init(chi, Q);
    fmpq_poly_init(g);
    fmpq_poly_init(c);
    fmpq_init(q);
    if (ckda_secular_charpoly(chi, t, Q) != CKDA_OK)
        give_up("no polynomial");
    for (slong i = 0; i < chi->length; i++) {
        ckda_elem_get_fmpq_poly(c, chi->coeff + i, Q);
        fmpq_poly_get_coeff_fmpq(q, c, 0);
        fmpq_poly_set_coeff_fmpq(g, i, q);
    }
    fmpq_poly_get_numerator(f, g);
    fmpq_clear(q);
    fmpq_poly_clear(c);
    fmpq_poly_clear(g);
    ckda_poly_clear(chi, Q);
}

static double
time_count(slong *pairs, const ckda_trans_t t, const ckda_field_t Q)
{
    double best = 1e300;
    for (int round = 0; round < 7; round++) {
        ckda_secular_t s;
        const double start = milliseconds();
        if (ckda_secular_count(s, t, Q) != CKDA_OK)
            give_up("undecided");
        const double ms = milliseconds() - start;
        best = ms < best ? ms : best;
        *pairs = s->counts.nonreal_pairs;
        ckda_secular_clear(s);
    }
    return best;
}

/* Once only: it takes most of a minute. */
static void
flint_count(slong pairs, const char *beta, const ckda_trans_t t, const ckda_field_t Q)
{
    fmpz_poly_t f;
    fmpz_poly_init(f);
    get_numerator(f, t, Q);
    const double start = milliseconds();
    const slong real = fmpz_poly_num_real_roots(f);
    printf("count %ld %s flint %.3f\n", (long)t->n, beta, milliseconds() - start);
    if (real != fmpz_poly_degree(f) - 2 * pairs)
        give_up("FLINT counts another number of roots");
    fmpz_poly_clear(f);
}

static void
counts(slong num, slong den, const char *beta, const ckda_field_t Q)
{
    for (slong n = 128; n <= 8192; n *= 4) {
        slong pairs;
        ckda_trans_t t;
        make(t, n, num, den, Q);
        const double ms = time_count(&pairs, t, Q);
        printf("count %ld %s ours %.3f pairs %ld\n", (long)n, beta, ms, (long)pairs);
        if (n == 128)
            flint_count(pairs, beta, t, Q);
        ckda_trans_clear(t, Q);
        fflush(stdout);
    }
}

/* The dense matrix as FLINT's. */
static void
get_matrix(fmpq_mat_t M, const ckda_trans_t t, const ckda_field_t Q)
{
    fmpq_poly_t c;
    ckda_mat_t A;
    fmpq_poly_init(c);
    ckda_mat_init(A, t->n, t->n, Q);
    if (ckda_trans_matrix(A, t, Q) != CKDA_OK)
        give_up("no matrix");
    for (slong i = 0; i < t->n; i++)
        for (slong j = 0; j < t->n; j++) {
            ckda_elem_get_fmpq_poly(c, ckda_mat_entry(A, i, j), Q);
            fmpq_poly_get_coeff_fmpq(fmpq_mat_entry(M, i, j), c, 0);
        }
    ckda_mat_clear(A, Q);
    fmpq_poly_clear(c);
}

static void
charpolys(const ckda_field_t Q)
{
    enum { N = 128 };
    double ours = 1e300, flint = 1e300;
    ckda_trans_t t;
    fmpq_mat_t M;
    fmpq_poly_t g;
    fmpz_poly_t f, h;
    make(t, N, 2, 1, Q);
    fmpq_mat_init(M, N, N);
    fmpq_poly_init(g);
    fmpz_poly_init(f);
    fmpz_poly_init(h);
    get_matrix(M, t, Q);
    for (int round = 0; round < 3; round++) {
        ckda_poly_t chi;
        ckda_poly_init(chi, Q);
        double start = milliseconds();
        if (ckda_secular_charpoly(chi, t, Q) != CKDA_OK)
            give_up("no polynomial");
        double ms = milliseconds() - start;
        ours = ms < ours ? ms : ours;
        start = milliseconds();
        fmpq_mat_charpoly(g, M);
        ms = milliseconds() - start;
        flint = ms < flint ? ms : flint;
        ckda_poly_clear(chi, Q);
    }
    get_numerator(f, t, Q);
    fmpq_poly_get_numerator(h, g);
    if (!fmpz_poly_equal(f, h))
        give_up("the polynomials differ");
    printf("charpoly %d ours %.3f\ncharpoly %d flint %.3f\n", N, ours, N, flint);
    fmpz_poly_clear(h);
    fmpz_poly_clear(f);
    fmpq_poly_clear(g);
    fmpq_mat_clear(M);
    ckda_trans_clear(t, Q);
}

static void
print_polynomial(const ckda_field_t Q)
{
    ckda_trans_t t;
    fmpz_poly_t f;
    make(t, 128, 2, 1, Q);
    fmpz_poly_init(f);
    get_numerator(f, t, Q);
    for (slong i = 0; i < fmpz_poly_length(f); i++) {
        fmpz_print(fmpz_poly_get_coeff_ptr(f, i));
        putchar('\n');
    }
    fmpz_poly_clear(f);
    ckda_trans_clear(t, Q);
}

int
main(int argc, char **argv)
{
    ckda_field_t Q;
    ckda_field_init_rational(Q);
    if (argc > 1 && strcmp(argv[1], "--polynomial") == 0) {
        print_polynomial(Q);
    } else {
        counts(2, 1, "2", Q);
        counts(21, 20, "21/20", Q);
        charpolys(Q);
    }
    ckda_field_clear(Q);
    flint_cleanup();
    return 0;
}
