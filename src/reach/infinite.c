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
 *
 * Which S: docs/math.md shows that an infinite reachable set has a word whose powers never
 * repeat from one of finitely many states that span all others.  Those are found first.
 */
#include "infinite_internal.h"

#include <string.h>

enum { MOST_PHI = 600 };

/* ---- affine maps ---------------------------------------------------------------------- */

affine
affine_new(const pump_test *t)
{
    affine f = {flint_calloc((size_t)(t->n * t->n), sizeof *f.A), NULL};
    if (t->has_offset)
        f.B = flint_calloc((size_t)(t->n * t->m), sizeof *f.B);
    return f;
}

void
affine_free(affine f)
{
    flint_free(f.A);
    flint_free(f.B);
}

void
affine_copy(affine to, const affine f, const pump_test *t)
{
    memcpy(to.A, f.A, (size_t)(t->n * t->n) * sizeof *f.A);
    if (t->has_offset)
        memcpy(to.B, f.B, (size_t)(t->n * t->m) * sizeof *f.B);
}

void
affine_letter(affine f, const pump_test *t, uint32_t x)
{
    const size_t nn = (size_t)(t->n * t->n), nm = (size_t)(t->n * t->m);
    const size_t at = (size_t)t->which * t->im->nletters + x;
    const affine letter = {t->im->linear + at * nn,
                           t->has_offset ? t->im->offset + at * nm : NULL};
    affine_copy(f, letter, t);
}

void
affine_mul(affine h, const affine f, const affine g, const pump_test *t)
{
    const slong n = t->n, m = t->m;
    ckda_modmat_mul(h.A, f.A, g.A, n, n, n, t->mod);
    if (!t->has_offset)
        return;
    ckda_modmat_mul(h.B, f.A, g.B, n, n, m, t->mod);
    ckda_modmat_add(h.B, h.B, f.B, n * m, t->mod);
}

bool
affine_is_constant(const affine f, const pump_test *t)
{
    for (slong e = 0; e < t->n * t->n; e++)
        if (f.A[e] != 0)
            return false;
    return true;
}

bool
affine_is_identity(const affine f, const pump_test *t)
{
    for (slong e = 0; e < t->n * t->n; e++)
        if (f.A[e] != (e % (t->n + 1) == 0))
            return false;
    for (slong e = 0; t->has_offset && e < t->n * t->m; e++)
        if (f.B[e] != 0)
            return false;
    return true;
}

void
affine_apply(uint32_t *S, const affine f, pump_test *t)
{
    const slong n = t->n, m = t->m;
    ckda_modmat_mul(t->tmp, f.A, S, n, n, m, t->mod);
    if (t->has_offset)
        ckda_modmat_add(S, t->tmp, f.B, n * m, t->mod);
    else
        memcpy(S, t->tmp, (size_t)(n * m) * sizeof *S);
}

static void
apply_to_all(uint32_t *S, const affine f, pump_test *t)
{
    for (uint32_t i = 0; i < t->nstates; i++)
        affine_apply(S + (size_t)i * (size_t)(t->n * t->m), f, t);
}

/* ---- the test ------------------------------------------------------------------------- */

void
common_period(fmpz_t E, ulong most)
{
    fmpz_one(E);
    for (ulong q = 2; q <= most + 1; q = n_nextprime(q, 1))
        for (ulong phi = q - 1; phi <= most; phi *= q) /* of q, q^2, ... */
            fmpz_mul_ui(E, E, q);
}

bool
never_repeats(uint32_t *state, pump_test *t, const affine f)
{
    const size_t words = (size_t)(t->n * t->m), all = t->nstates * words;
    affine power = t->power, spare = t->spare;
    memcpy(t->before, t->state, all * sizeof *t->state);
    for (slong k = 0; k < t->n; k++)
        apply_to_all(t->before, f, t);
    memcpy(t->after, t->before, all * sizeof *t->state);
    affine_copy(power, f, t);
    for (ulong bit = 0, bits = fmpz_bits(t->period); bit < bits; bit++) {
        if (fmpz_tstbit(t->period, bit))
            apply_to_all(t->after, power, t);
        if (bit + 1 == bits)
            break;
        affine_mul(spare, power, power, t);
        const affine used = power;
        power = spare;
        spare = used;
    }
    for (uint32_t i = 0; i < t->nstates; i++)
        if (memcmp(t->before + i * words, t->after + i * words, words * sizeof *t->state)
            != 0) {
            *state = i;
            return true;
        }
    return false;
}

/* ---- states that span ------------------------------------------------------------------ */

/* Rows in echelon form modulo p, of length `size`. */
typedef struct {
    slong size, rank;
    uint32_t *row;
    slong *pivot;
} echelon;

/* Adds v if it is not in the span; v is overwritten. */
static bool
enlarges(echelon *e, uint32_t *v, ulong p)
{
    nmod_t mod;
    nmod_init(&mod, p);
    for (slong i = 0; i < e->rank; i++) {
        const ulong c = v[e->pivot[i]];
        for (slong j = 0; c != 0 && j < e->size; j++)
            v[j] =
                (uint32_t)nmod_sub(v[j], nmod_mul(c, e->row[i * e->size + j], mod), mod);
    }
    slong at = 0;
    while (at < e->size && v[at] == 0)
        at++;
    if (at == e->size)
        return false;
    const ulong inverse = n_invmod(v[at], p);
    for (slong j = 0; j < e->size; j++)
        e->row[e->rank * e->size + j] = (uint32_t)nmod_mul(v[j], inverse, mod);
    e->pivot[e->rank++] = at;
    return true;
}

/* Does a column of (S; I) enlarge the span?  All of them are added. */
static bool
state_enlarges(echelon *e, uint32_t *v, const uint32_t *S, const pump_test *t)
{
    bool larger = false;
    for (slong j = 0; j < t->m; j++) {
        memset(v, 0, (size_t)e->size * sizeof *v);
        for (slong i = 0; i < t->n; i++)
            v[i] = S[i * t->m + j];
        if (t->has_offset)
            v[t->n + j] = 1;
        larger = enlarges(e, v, t->mod->p) || larger;
    }
    return larger;
}

/* Every state in the list but the first enlarged the span by its columns; the successors
 * of all of them lie in it.  So it is invariant, and at most n + 1 states span it. */
static void
spanning_states(pump_test *t)
{
    const size_t words = (size_t)(t->n * t->m);
    echelon e = {.size = t->n + (t->has_offset ? t->m : 0)};
    e.row = flint_malloc((size_t)(e.size * e.size) * sizeof *e.row);
    e.pivot = flint_malloc((size_t)e.size * sizeof *e.pivot);
    uint32_t *v = flint_malloc((size_t)e.size * sizeof *v);
    uint32_t *next = flint_malloc(words * sizeof *next);
    affine f = affine_new(t);
    memcpy(t->state, t->im->initial + t->which * words, words * sizeof *next);
    state_enlarges(&e, v, t->state, t);
    t->nstates = 1;
    for (uint32_t i = 0; i < t->nstates && e.rank < e.size; i++)
        for (uint32_t x = 0; x < t->im->nletters && e.rank < e.size; x++) {
            affine_letter(f, t, x);
            memcpy(next, t->state + i * words, words * sizeof *next);
            affine_apply(next, f, t);
            if (!state_enlarges(&e, v, next, t))
                continue;
            memcpy(t->state + t->nstates * words, next, words * sizeof *next);
            t->parent[t->nstates] = i;
            t->via[t->nstates++] = x;
        }
    affine_free(f);
    flint_free(next);
    flint_free(v);
    flint_free(e.pivot);
    flint_free(e.row);
}

bool
pump_test_init(pump_test *t, const images *im, const ckda_field_t K)
{
    const ulong most = (ulong)im->n * (ulong)K->degree;
    if (most > MOST_PHI)
        return false;
    const size_t words = (size_t)(im->n * im->m), room = (size_t)im->n + 1;
    *t = (pump_test){.im = im, .which = im->nprimes - 1, .n = im->n, .m = im->m};
    t->mod = im->mod + t->which;
    t->has_offset = im->offset != NULL;
    fmpz_init(t->period);
    common_period(t->period, most);
    t->power = affine_new(t);
    t->spare = affine_new(t);
    t->tmp = flint_malloc(words * sizeof *t->tmp);
    t->state = flint_malloc(room * words * sizeof *t->state);
    t->before = flint_malloc(room * words * sizeof *t->before);
    t->after = flint_malloc(room * words * sizeof *t->after);
    t->parent = flint_calloc(room, sizeof *t->parent);
    t->via = flint_calloc(room, sizeof *t->via);
    spanning_states(t);
    return true;
}

void
pump_test_clear(pump_test *t)
{
    fmpz_clear(t->period);
    affine_free(t->power);
    affine_free(t->spare);
    flint_free(t->tmp);
    flint_free(t->state);
    flint_free(t->before);
    flint_free(t->after);
    flint_free(t->parent);
    flint_free(t->via);
}

/* ---- the search ------------------------------------------------------------------------ */

void
pump_clear(ckda_pump *pump)
{
    flint_free(pump->prefix);
    flint_free(pump->word);
    flint_free(pump->reason);
    *pump = (ckda_pump){0};
}

/* The letters that lead to t->state number i. */
static void
set_prefix(ckda_pump *pump, const pump_test *t, uint32_t i)
{
    for (uint32_t s = i; s != 0; s = t->parent[s])
        pump->nprefix++;
    pump->prefix = flint_malloc((pump->nprefix + 1) * sizeof *pump->prefix);
    uint32_t at = pump->nprefix;
    for (uint32_t s = i; s != 0; s = t->parent[s])
        pump->prefix[--at] = t->via[s];
}

/* A prime that the search did not use, which may have merged states (the first one is
 * 2^31 - 1 if K = Q, and powers of 2 repeat soon modulo that), or the last one that it did
 * use: a prime may divide what a word should show. */
static uint32_t
primes_of_round(uint32_t round, const images *searched)
{
    return searched->nprimes + (round % 2 == 0);
}

static void
one_round(ckda_pump *found, uint32_t round, const images *searched,
          const ckda_system_t sys, double deadline)
{
    pump_test t;
    images im;
    uint32_t state;
    if (images_init(&im, sys, primes_of_round(round, searched), 0) != CKDA_OK)
        return;
    if (pump_test_init(&t, &im, sys->K)) {
        if (try_round(&found->word, &found->length, &state, &t, round, deadline)) {
            set_prefix(found, &t, state);
            found->prime = t.mod->p;
        }
        pump_test_clear(&t);
    }
    images_clear(&im);
}

bool
find_pump(ckda_pump *pump, uint32_t *round, uint32_t end, const images *searched,
          const ckda_system_t sys, double deadline)
{
    ckda_pump found = {0};
    bool late = false;
    for (; sys->nletters > 0 && *round < end && !late && found.length == 0; ++*round) {
        one_round(&found, *round, searched, sys, deadline);
        late = deadline > 0 && ckda_wall_seconds() > deadline;
    }
    if (found.length == 0)
        return false;
    const uint32_t prime = checkable_prime(&found, sys);
    if (prime != 0)
        found.prime = prime;
    explain_pump(&found, sys);
    *pump = found;
    return true;
}
