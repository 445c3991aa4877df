/* Proving that infinitely many states are reachable.
 *
 * Let T be the affine map of a word, S its start.  Suppose the states S, T S, T^2 S, ...
 * are finitely many: T^(t+P) S = T^t S.  The matrix (A B; 0 I) then acts on the span of
 * the columns of (T^k S; I) with a minimal polynomial that divides x^t (x^P - 1); so its
 * eigenvalues there are 0, at most n times, and roots of unity z, each a single root of
 * the minimal polynomial.  Each z other than 1 is an eigenvalue of A, hence of degree at
 * most n over K and n d over Q: its order N has phi(N) <= n d.  With E the least common
 * multiple of all such N, T^(n+E) S = T^n S.  If the images of these two states differ
 * modulo one prime, the supposition was wrong.  Inequality modulo a prime needs no bound.
 */
#include "reach_internal.h"

#include <string.h>

enum { MOST_PHI = 600, MOST_PAIRS = 4096 };

/* An affine map modulo primes: A (k n n) and B (k n m), prime by prime. */
typedef struct {
    uint32_t *A, *B;
} affine;

static affine
affine_new(const images *im)
{
    const size_t nn = (size_t)(im->n * im->n), nm = (size_t)(im->n * im->m);
    affine f = {flint_calloc(im->nprimes * nn, sizeof *f.A),
                flint_calloc(im->nprimes * nm, sizeof *f.B)};
    return f;
}

static void
affine_free(affine f)
{
    flint_free(f.A);
    flint_free(f.B);
}

static void
affine_letter(affine f, const images *im, uint32_t x)
{
    const size_t nn = (size_t)(im->n * im->n), nm = (size_t)(im->n * im->m);
    for (uint32_t i = 0; i < im->nprimes; i++) {
        const size_t at = (size_t)i * im->nletters + x;
        memcpy(f.A + i * nn, im->linear + at * nn, nn * sizeof *f.A);
        if (im->offset != NULL)
            memcpy(f.B + i * nm, im->offset + at * nm, nm * sizeof *f.B);
    }
}

/* h = f after g; h shares nothing with f and g. */
static void
affine_mul(affine h, const affine f, const affine g, const images *im)
{
    const slong n = im->n, m = im->m;
    for (uint32_t i = 0; i < im->nprimes; i++) {
        const size_t nn = (size_t)(n * n) * i, nm = (size_t)(n * m) * i;
        ckda_modmat_mul(h.A + nn, f.A + nn, g.A + nn, n, n, n, im->mod + i);
        ckda_modmat_mul(h.B + nm, f.A + nn, g.B + nm, n, n, m, im->mod + i);
        ckda_modmat_add(h.B + nm, h.B + nm, f.B + nm, n * m, im->mod + i);
    }
}

/* to = f(from); they must not overlap. */
static void
affine_apply(uint32_t *to, const affine f, const uint32_t *from, const images *im)
{
    const slong n = im->n, m = im->m;
    for (uint32_t i = 0; i < im->nprimes; i++) {
        const size_t nn = (size_t)(n * n) * i, nm = (size_t)(n * m) * i;
        ckda_modmat_mul(to + nm, f.A + nn, from + nm, n, n, m, im->mod + i);
        ckda_modmat_add(to + nm, to + nm, f.B + nm, n * m, im->mod + i);
    }
}

/* E = lcm of all N with phi(N) <= most; such N are at most 2 most^2. */
static void
common_period(fmpz_t E, ulong most)
{
    fmpz_one(E);
    for (ulong N = 1; N <= 2 * most * most; N++)
        if (n_euler_phi(N) <= most) {
            fmpz_t t;
            fmpz_init_set_ui(t, N);
            fmpz_lcm(E, E, t);
            fmpz_clear(t);
        }
}

/* Room for one test. */
typedef struct {
    affine word, power, spare;
    uint32_t *start, *end, *tmp;
    fmpz_t period;
} workspace;

static void
apply_times(uint32_t *S, const affine f, slong times, workspace *w, const images *im)
{
    for (slong t = 0; t < times; t++) {
        affine_apply(w->tmp, f, S, im);
        memcpy(S, w->tmp, im->words * sizeof *S);
    }
}

/* Do T^(n+E) S_0 and T^n S_0 differ for the map in w->word? */
static bool
never_repeats(workspace *w, const images *im)
{
    const size_t size = im->words * sizeof *w->start;
    memcpy(w->start, im->initial, size);
    apply_times(w->start, w->word, im->n, w, im);
    memcpy(w->end, w->start, size);
    affine power = w->word, other = w->power, spare = w->spare;
    for (ulong bit = 0; bit < fmpz_bits(w->period); bit++) {
        if (fmpz_tstbit(w->period, bit))
            apply_times(w->end, power, 1, w, im);
        affine_mul(other, power, power, im);
        const affine used = bit == 0 ? spare : power; /* w->word itself is kept */
        power = other;
        other = used;
    }
    return memcmp(w->start, w->end, size) != 0;
}

/* Single letters first, then pairs. */
static uint32_t
try_words(uint32_t pump[2], workspace *w, const images *im, double deadline)
{
    affine first = affine_new(im), second = affine_new(im);
    uint32_t found = 0;
    uint64_t tried = 0;
    for (uint32_t x = 0; found == 0 && x < im->nletters && tried < MOST_PAIRS;
         x++, tried++) {
        affine_letter(w->word, im, x);
        if (never_repeats(w, im)) {
            pump[0] = x;
            found = 1;
        }
    }
    tried = 0;
    for (uint32_t x = 0; found == 0 && x < im->nletters; x++)
        for (uint32_t y = 0; found == 0 && y < im->nletters && tried < MOST_PAIRS;
             y++, tried++) {
            if (deadline > 0 && ckda_wall_seconds() > deadline)
                tried = MOST_PAIRS;
            affine_letter(first, im, x);
            affine_letter(second, im, y);
            affine_mul(w->word, second, first, im);
            if (x != y && never_repeats(w, im)) {
                pump[0] = x;
                pump[1] = y;
                found = 2;
            }
        }
    affine_free(first);
    affine_free(second);
    return found;
}

uint32_t
find_pump(uint32_t pump[2], const images *im, const ckda_field_t K, double deadline)
{
    const ulong most = (ulong)im->n * (ulong)K->degree;
    if (most > MOST_PHI)
        return 0;
    workspace w = {affine_new(im), affine_new(im), affine_new(im), NULL, NULL, NULL, {0}};
    w.start = flint_malloc(im->words * sizeof *w.start);
    w.end = flint_malloc(im->words * sizeof *w.end);
    w.tmp = flint_malloc(im->words * sizeof *w.tmp);
    fmpz_init(w.period);
    common_period(w.period, most);
    const uint32_t found = try_words(pump, &w, im, deadline);
    fmpz_clear(w.period);
    flint_free(w.start);
    flint_free(w.end);
    flint_free(w.tmp);
    affine_free(w.word);
    affine_free(w.power);
    affine_free(w.spare);
    return found;
}
