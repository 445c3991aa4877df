/* Two times against MPFR, in one run: a million tokens of A5 in fp32 (keys fp32, FMA), and
 * bf16 products.
 *
 * Ours is the whole audit: rounded recurrence, exact state, proved decode and drift at
 * every token.  The peer does the recurrence alone, with mpfr_mul, mpfr_fma and
 * mpfr_subnormalize at 24 bits and the exponents of binary32; conversions of parameters
 * are not timed.  Before timing, states are compared bit for bit after every token, and
 * products for every pattern of one factor.  The best of several interleaved rounds
 * counts; nothing here asserts a time. */
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ckda/drift.h"
#include "ckda/fpfast.h"

enum { TOKENS = 1000000, N = 4, ROUNDS = 3, COMPARED = 200000 };

static double
seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void
give_up(const char *what)
{
    fprintf(stderr, "bench_audit: %s\n", what);
    exit(1);
}

/* ---- the recurrence in MPFR -------------------------------------------------------------- */

typedef struct {
    uint32_t nletters;
    mpfr_t (*key)[N], (*minus_w)[N]; /* nletters each */
    bool (*negative)[N];             /* gates */
    mpfr_t H[N * N], D[N], p;
} peer;

static void
set_exponents(int emin, int emax)
{
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
}

static void
peer_open(peer *P, const ckda_rounded_t R)
{
    P->nletters = R->nletters;
    P->key = malloc(R->nletters * sizeof *P->key);
    P->minus_w = malloc(R->nletters * sizeof *P->minus_w);
    P->negative = malloc(R->nletters * sizeof *P->negative);
    if (P->key == NULL || P->minus_w == NULL || P->negative == NULL)
        give_up("no memory");
    for (uint32_t l = 0; l < R->nletters; l++)
        for (int i = 0; i < N; i++) {
            mpfr_init2(P->key[l][i], 24);
            mpfr_init2(P->minus_w[l][i], 24);
            mpfr_set_d(P->key[l][i], R->key_value[l * N + (uint32_t)i], MPFR_RNDN);
            mpfr_set_d(P->minus_w[l][i], -R->scaled_value[l * N + (uint32_t)i],
                       MPFR_RNDN);
            P->negative[l][i] = R->gate_value[l * N + (uint32_t)i] < 0;
        }
    for (int i = 0; i < N * N; i++)
        mpfr_init2(P->H[i], 24);
    for (int i = 0; i < N; i++)
        mpfr_init2(P->D[i], 24);
    mpfr_init2(P->p, 24);
}

static void
peer_close(peer *P)
{
    for (uint32_t l = 0; l < P->nletters; l++)
        for (int i = 0; i < N; i++) {
            mpfr_clear(P->key[l][i]);
            mpfr_clear(P->minus_w[l][i]);
        }
    for (int i = 0; i < N * N; i++)
        mpfr_clear(P->H[i]);
    for (int i = 0; i < N; i++)
        mpfr_clear(P->D[i]);
    mpfr_clear(P->p);
    free(P->key);
    free(P->minus_w);
    free(P->negative);
    mpfr_free_cache();
}

static void
peer_start(peer *P)
{
    for (int i = 0; i < N * N; i++)
        mpfr_set_ui(P->H[i], i % (N + 1) == 0, MPFR_RNDN);
}

static void
peer_step(peer *P, uint32_t l)
{
    for (int j = 0; j < N; j++) {
        int t;
        for (int i = 0; i < N; i++)
            if (P->negative[l][i])
                mpfr_neg(P->D[i], P->H[i * N + j], MPFR_RNDN);
            else
                mpfr_set(P->D[i], P->H[i * N + j], MPFR_RNDN);
        t = mpfr_mul(P->p, P->key[l][0], P->D[0], MPFR_RNDN);
        mpfr_subnormalize(P->p, t, MPFR_RNDN);
        for (int i = 1; i < N; i++) {
            t = mpfr_fma(P->p, P->key[l][i], P->D[i], P->p, MPFR_RNDN);
            mpfr_subnormalize(P->p, t, MPFR_RNDN);
        }
        for (int i = 0; i < N; i++) {
            t = mpfr_fma(P->H[i * N + j], P->minus_w[l][i], P->p, P->D[i], MPFR_RNDN);
            mpfr_subnormalize(P->H[i * N + j], t, MPFR_RNDN);
        }
    }
}

/* ---- a million tokens ------------------------------------------------------------------- */

static void
compare_bits(peer *P, const ckda_rounded_t R, const uint32_t *word)
{
    double H[N * N];
    ckda_rounded_initial(H, R);
    peer_start(P);
    for (long t = 0; t < COMPARED; t++) {
        ckda_rounded_step(H, N, word[t], R);
        peer_step(P, word[t]);
        for (int i = 0; i < N * N; i++)
            if (H[i] != mpfr_get_d(P->H[i], MPFR_RNDN))
                give_up("a state differs from MPFR's");
    }
}

static double
audit(const ckda_rounded_t R, const ckda_tracker_t t)
{
    const uint64_t at[] = {100, 10000, TOKENS};
    const ckda_drift_options o = {
        .seed = 1, .words = 1, .length = TOKENS, .at = at, .nat = 3, .threads = 1};
    ckda_drift_result_t r;
    const double start = seconds();
    if (ckda_drift_run(r, t, R, &o, NULL) != CKDA_OK)
        give_up("the audit failed");
    const double took = seconds() - start;
    static bool told;
    if (!told)
        printf(
            "A5 fp32, keys fp32, FMA, %d tokens: drift %.3g / %.3g / %.3g at 1e2 / 1e4 "
            "/ 1e6, %lu wrong decodes\n",
            TOKENS, r->row[0].median, r->row[1].median, r->row[2].median,
            (unsigned long)r->failed);
    told = true;
    ckda_drift_clear(r);
    return took;
}

static double
reference(peer *P, const uint32_t *word)
{
    const double start = seconds();
    peer_start(P);
    for (long t = 0; t < TOKENS; t++)
        peer_step(P, word[t]);
    return seconds() - start;
}

static void
bench_tokens(void)
{
    ckda_tracker_t t;
    ckda_rounded_t R;
    peer P;
    ckda_arith a = ckda_arith_default;
    double ours = 1e30, theirs = 1e30;
    uint32_t *word = malloc(TOKENS * sizeof *word);
    a.keys = &ckda_fp_fp32;
    if (word == NULL || ckda_tracker_init(t, "A5", NULL, NULL, NULL) != CKDA_OK
        || ckda_rounded_init(R, t, &a, NULL) != CKDA_OK)
        give_up("A5 cannot be set up");
    ckda_drift_random_word(word, TOKENS, 1, 0, t->nletters);
    set_exponents(-148, 128);
    peer_open(&P, R);
    compare_bits(&P, R, word);
    printf("%d states equal MPFR's bit for bit\n", COMPARED);
    for (int i = 0; i < ROUNDS; i++) {
        const double x = audit(R, t), y = reference(&P, word);
        ours = x < ours ? x : ours;
        theirs = y < theirs ? y : theirs;
    }
    printf("audit %.3f s (%.2f M tokens/s), MPFR recurrence alone %.3f s: %.1fx\n", ours,
           TOKENS / ours / 1e6, theirs, theirs / ours);
    peer_close(&P);
    ckda_rounded_clear(R);
    ckda_tracker_clear(t);
    free(word);
}

/* ---- bf16 products ---------------------------------------------------------------------- */

enum { PATTERNS = 4096, SECOND = 251 };

typedef struct {
    uint16_t x[PATTERNS], y[PATTERNS], z[PATTERNS];
    mpfr_t a[PATTERNS], b[PATTERNS], c;
} products;

static double
value(uint16_t x)
{
    return (double)ckda_fast_float_from_bf16(x);
}

static uint16_t
mpfr_product(mpfr_t c, const mpfr_t a, const mpfr_t b)
{
    const int t = mpfr_mul(c, a, b, MPFR_RNDN);
    mpfr_subnormalize(c, t, MPFR_RNDN);
    return ckda_fast_bf16_from_float((float)mpfr_get_d(c, MPFR_RNDN));
}

/* Every finite pattern times a spread of others. */
static void
compare_products(mpfr_t c)
{
    mpfr_t a, b;
    long n = 0;
    mpfr_inits2(8, a, b, (mpfr_ptr)NULL);
    for (uint32_t x = 0; x < 0x10000; x++)
        for (uint32_t y = 0x4000; y < 0x10000; y += 65536 / SECOND) {
            if ((x & 0x7f80) == 0x7f80 || (y & 0x7f80) == 0x7f80)
                continue;
            mpfr_set_d(a, value((uint16_t)x), MPFR_RNDN);
            mpfr_set_d(b, value((uint16_t)y), MPFR_RNDN);
            if (mpfr_product(c, a, b) != ckda_fast_bf16_mul((uint16_t)x, (uint16_t)y))
                give_up("a product differs from MPFR's");
            n++;
        }
    printf("%ld bf16 products equal MPFR's bit for bit\n", n);
    mpfr_clears(a, b, (mpfr_ptr)NULL);
}

/* Factors below 2^20 in size and their products are normal, the usual case. */
static void
fill(products *w)
{
    ckda_rand r;
    ckda_rand_init(&r, 1);
    for (int i = 0; i < PATTERNS; i++) {
        w->x[i] = (uint16_t)(0x3800 + ckda_rand_below(&r, 0x1000));
        w->y[i] = (uint16_t)(0x3800 + ckda_rand_below(&r, 0x1000));
        mpfr_init2(w->a[i], 8);
        mpfr_init2(w->b[i], 8);
        mpfr_set_d(w->a[i], value(w->x[i]), MPFR_RNDN);
        mpfr_set_d(w->b[i], value(w->y[i]), MPFR_RNDN);
    }
}

static double
ours_ns(products *w, int repeat)
{
    const double start = seconds();
    uint16_t all = 0;
    for (int k = 0; k < repeat; k++) {
        w->x[k % PATTERNS] ^= 1; /* no round may be left out */
        for (int i = 0; i < PATTERNS; i++)
            w->z[i] = ckda_fast_bf16_mul(w->x[i], w->y[i]);
        all ^= w->z[k % PATTERNS];
    }
    const double took = seconds() - start;
    if (all == 0x1234)
        putchar(' '); /* nor its result */
    return 1e9 * took / repeat / PATTERNS;
}

static double
mpfr_ns(products *w, int repeat)
{
    const double start = seconds();
    for (int k = 0; k < repeat; k++)
        for (int i = 0; i < PATTERNS; i++) {
            const int t = mpfr_mul(w->c, w->a[i], w->b[i], MPFR_RNDN);
            mpfr_subnormalize(w->c, t, MPFR_RNDN);
        }
    return 1e9 * (seconds() - start) / repeat / PATTERNS;
}

static void
bench_products(void)
{
    double ours = 1e30, theirs = 1e30;
    products *w = malloc(sizeof *w);
    if (w == NULL)
        give_up("no memory");
    set_exponents(-132, 128);
    mpfr_init2(w->c, 8);
    compare_products(w->c);
    fill(w);
    for (int i = 0; i < ROUNDS; i++) {
        const double x = ours_ns(w, 2000), y = mpfr_ns(w, 100);
        ours = x < ours ? x : ours;
        theirs = y < theirs ? y : theirs;
    }
    printf("bf16 product %.2f ns, mpfr_mul + mpfr_subnormalize %.2f ns: %.1fx\n", ours,
           theirs, theirs / ours);
    for (int i = 0; i < PATTERNS; i++)
        mpfr_clears(w->a[i], w->b[i], (mpfr_ptr)NULL);
    mpfr_clear(w->c);
    free(w);
}

int
main(void)
{
    if (!ckda_fp_host_is_ieee())
        give_up("this processor or its mode is not IEEE binary32");
    printf("MPFR %s\n", mpfr_get_version());
    bench_tokens();
    bench_products();
    flint_cleanup();
    return 0;
}
