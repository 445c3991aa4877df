/* Time of one 4 x 4 product: plain elements, common denominators, one modular image.
 *
 * The three run interleaved, several times; the best time of each counts.  Before timing,
 * the three results are compared.  Times are for people: nothing here asserts one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ckda/matden.h"
#include "ckda/matmod.h"

enum { PAIRS = 16, ROUNDS = 15 };

/* Random pairs of matrices, coefficients in -8 .. 8, denominator 2, in all three forms.
 */
typedef struct {
    ckda_matden_ctx_t ctx;
    ckda_modulus p;
    ckda_mat_t A[PAIRS], B[PAIRS], C;
    ckda_matden_t a[PAIRS], b[PAIRS], c;
    uint32_t ma[PAIRS][16], mb[PAIRS][16], mc[16];
} workload;

static void
must(ckda_status s)
{
    if (s != CKDA_OK) {
        fprintf(stderr, "bench_product: status %d\n", (int)s);
        exit(1);
    }
}

static void
half_of_random(ckda_mat_t A, ckda_rand *r, const ckda_field_t K)
{
    ckda_elem_t half;
    ckda_elem_init(half, K);
    ckda_elem_set_frac(half, 1, 2, K);
    ckda_mat_rand(A, r, 8, 1, K);
    must(ckda_mat_scalar_mul(A, A, half, K));
    ckda_elem_clear(half, K);
}

static void
setup(workload *w, const ckda_field_t K)
{
    ckda_rand r;
    ckda_rand_init(&r, 1);
    ckda_matden_ctx_init(w->ctx, K);
    must(ckda_modulus_init(&w->p, K, 0, NULL));
    ckda_mat_init(w->C, 4, 4, K);
    ckda_matden_init(w->c, 4, 4, w->ctx);
    for (int i = 0; i < PAIRS; i++) {
        ckda_mat_init(w->A[i], 4, 4, K);
        ckda_mat_init(w->B[i], 4, 4, K);
        half_of_random(w->A[i], &r, K);
        half_of_random(w->B[i], &r, K);
        ckda_matden_init(w->a[i], 4, 4, w->ctx);
        ckda_matden_init(w->b[i], 4, 4, w->ctx);
        must(ckda_matden_set_mat(w->a[i], w->A[i], w->ctx));
        must(ckda_matden_set_mat(w->b[i], w->B[i], w->ctx));
        must(ckda_modulus_mat(w->ma[i], w->A[i], &w->p, K));
        must(ckda_modulus_mat(w->mb[i], w->B[i], &w->p, K));
    }
}

static void
teardown(workload *w, const ckda_field_t K)
{
    for (int i = 0; i < PAIRS; i++) {
        ckda_mat_clear(w->A[i], K);
        ckda_mat_clear(w->B[i], K);
        ckda_matden_clear(w->a[i], w->ctx);
        ckda_matden_clear(w->b[i], w->ctx);
    }
    ckda_mat_clear(w->C, K);
    ckda_matden_clear(w->c, w->ctx);
    ckda_modulus_clear(&w->p);
    ckda_matden_ctx_clear(w->ctx);
}

/* The textbook loops on nf_elem, with no help from this project. */
static void
product_nf(workload *w, int i, const ckda_field_t K)
{
    nf_elem_t t;
    nf_elem_init(t, K->nf);
    for (slong r = 0; r < 4; r++)
        for (slong c = 0; c < 4; c++) {
            ckda_elem_struct *z = ckda_mat_entry(w->C, r, c);
            nf_elem_zero(z, K->nf);
            for (slong k = 0; k < 4; k++) {
                nf_elem_mul(t, ckda_mat_entry(w->A[i], r, k),
                            ckda_mat_entry(w->B[i], k, c), K->nf);
                nf_elem_add(z, z, t, K->nf);
            }
        }
    nf_elem_clear(t, K->nf);
}

static void
product_den(workload *w, int i, const ckda_field_t K)
{
    (void)K;
    must(ckda_matden_mul(w->c, w->a[i], w->b[i], w->ctx));
}

static void
product_mod(workload *w, int i, const ckda_field_t K)
{
    (void)K;
    ckda_modmat_mul(w->mc, w->ma[i], w->mb[i], 4, 4, 4, &w->p);
}

/* All three forms of every product must be the same matrix. */
static void
compare(workload *w, const ckda_field_t K)
{
    ckda_mat_t D;
    uint32_t image[16];
    ckda_mat_init(D, 4, 4, K);
    for (int i = 0; i < PAIRS; i++) {
        product_nf(w, i, K);
        product_den(w, i, K);
        product_mod(w, i, K);
        must(ckda_matden_get_mat(D, w->c, w->ctx));
        must(ckda_modulus_mat(image, w->C, &w->p, K));
        if (!ckda_mat_equal(NULL, w->C, D, K)
            || memcmp(image, w->mc, sizeof image) != 0) {
            fprintf(stderr, "bench_product: the products differ\n");
            exit(1);
        }
    }
    ckda_mat_clear(D, K);
}

/* Nanoseconds of processor time for one product, over `repeat` passes. */
static double
time_ns(void (*product)(workload *, int, const ckda_field_t), workload *w, int repeat,
        const ckda_field_t K)
{
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (int n = 0; n < repeat; n++)
        for (int i = 0; i < PAIRS; i++)
            product(w, i, K);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    double ns =
        1e9 * (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec);
    return ns / repeat / PAIRS;
}

static void
run(const char *name, const ckda_field_t K)
{
    void (*const product[3])(workload *, int,
                             const ckda_field_t) = {product_nf, product_den, product_mod};
    const int repeat[3] = {50, 1000, 4000};
    double best[3] = {1e30, 1e30, 1e30};
    workload *w = malloc(sizeof *w);

    if (w == NULL)
        exit(1);
    setup(w, K);
    compare(w, K);
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < 3; k++) {
            double t = time_ns(product[k], w, repeat[k], K);
            best[k] = t < best[k] ? t : best[k];
        }
    printf("%-22s %9.1f %9.1f %9.1f %9.1fx %9.1fx\n", name, best[0], best[1], best[2],
           best[0] / best[1], best[0] / best[2]);
    teardown(w, K);
    free(w);
}

int
main(void)
{
    ckda_field_t K;

    printf("ns per 4 x 4 product   %9s %9s %9s %10s %10s\n", "nf_elem", "matden",
           "matmod", "matden", "matmod");
    ckda_field_init_sqrt(K, 5);
    run("Q(sqrt 5), d = 2", K);
    ckda_field_clear(K);
    ckda_field_init_cos(K, 60);
    run("Q(2cos(2pi/60)), d = 8", K);
    ckda_field_clear(K);
    flint_cleanup();
    return 0;
}
