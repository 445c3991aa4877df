/* The roots of a polynomial in K, through a prime: which elements of K have the minimal
 * polynomial of a given number?
 *
 * Let K = Q(a), f the minimal polynomial of a, h a monic integer polynomial with simple
 * roots.  A root s of h in K is an algebraic integer, so s f'(a) = b(a) with a b in Z[x]
 * of degree below d (Euler), and over the conjugates b = sum s_j f/(x - a_j) bounds its
 * coefficients.  Modulo p^N, f = F_1 ... F_k with the F_i irreducible modulo p; modulo F_i
 * the root s is one of the roots s_i of h that the field of p^deg F_i elements has (lifted
 * to p^N), and b = sum (s_i F_i' mod F_i) f/F_i.  So every choice of the s_i tells one b,
 * and one fixed sum of its coefficients must be tiny against p^N: the choices are split
 * into two halves, and the sums of one half are looked up among those of the other.  Where
 * all choices fail, or a factor F_i has no root at all, h has no root in K: proved.       */
#include "embed.h"

#include <stdlib.h>

#define FIRST_PRIME 1000
#define GOOD_PRIMES 24  /* whose factors are counted; the cheapest one is taken */
#define HALF_CHOICES 20 /* log2 of the choices in one half */

/* ---- primes ------------------------------------------------------------------------ */

static void
prime_init(embed_prime *L, ulong p)
{
    L->p = p;
    nmod_poly_factor_init(L->f);
    nmod_poly_factor_init(L->h);
}

static void
prime_clear(embed_prime *L)
{
    nmod_poly_factor_clear(L->h);
    nmod_poly_factor_clear(L->f);
}

/* Factors g modulo p, if it keeps simple roots there. */
static bool
factor_mod(nmod_poly_factor_t fac, const fmpz_poly_t g, ulong p)
{
    nmod_poly_t t;
    nmod_poly_init(t, p);
    fmpz_poly_get_nmod_poly(t, g);
    const bool simple = nmod_poly_is_squarefree(t);
    if (simple)
        nmod_poly_factor(fac, t);
    nmod_poly_clear(t);
    return simple;
}

/* How many roots of h has the field of p^degree elements? */
slong
embed_count_roots(const embed_prime *L, slong degree)
{
    slong n = 0;
    for (slong j = 0; j < L->h->num; j++) {
        const slong e = nmod_poly_degree(L->h->p + j);
        n += degree % e == 0 ? e : 0;
    }
    return n;
}

/* log2 of the number of choices; negative: there is none. */
static double
choices(const embed_prime *L)
{
    double size = 0;
    for (slong i = 0; i < L->f->num; i++) {
        const slong n = embed_count_roots(L, nmod_poly_degree(L->f->p + i));
        if (n == 0)
            return -1;
        size += FLINT_BIT_COUNT((ulong)n)
                - (n == (WORD(1) << (FLINT_BIT_COUNT((ulong)n) - 1)));
    }
    return size;
}

/* Keeps in L the better one of L and M. */
static bool
keep_better(embed_prime *L, embed_prime *M, double *best)
{
    const double size = choices(M);
    const bool better = size < *best;
    if (better) {
        const embed_prime t = *L;
        *L = *M;
        *M = t;
        *best = size;
    }
    return better;
}

/* The prime with the fewest choices, and log2 of them; negative: a proof of no root. */
static double
choose_prime(embed_prime *L, const fmpz_poly_t f, const fmpz_poly_t h)
{
    double best = 1e9;
    ulong p = FIRST_PRIME;
    for (slong good = 0; good < GOOD_PRIMES && best > 0;) {
        embed_prime M;
        p = n_nextprime(p, 1);
        prime_init(&M, p);
        if (factor_mod(M.f, f, p) && factor_mod(M.h, h, p)) {
            good++;
            (void)keep_better(L, &M, &best);
        }
        prime_clear(&M);
    }
    return best;
}

/* ---- the search -------------------------------------------------------------------- */

/* One choice modulo each F_i with from <= i < to, as a number in mixed radix. */
typedef struct {
    uint64_t sum;
    uint32_t index;
} half;

static int
compare_halves(const void *x, const void *y)
{
    const uint64_t a = ((const half *)x)->sum, b = ((const half *)y)->sum;
    return (a > b) - (a < b);
}

/* All choices for from <= i < to; *n of them.  The caller frees. */
static half *
all_choices(slong *n, const embed_lift *L, slong from, slong to)
{
    slong size = 1;
    for (slong i = from; i < to; i++)
        size *= L->choice[i].n;
    half *list = flint_malloc((size_t)size * sizeof *list);
    list[0] = (half){0, 0};
    *n = 1;
    for (slong i = from; i < to; i++) {
        const embed_options *c = L->choice + i;
        for (slong j = c->n - 1; j >= 0; j--) /* j = 0 last: it overwrites its source */
            for (slong k = 0; k < *n; k++)
                list[j * *n + k] = (half){list[k].sum + c->at[j].sum,
                                          list[k].index + (uint32_t)(j * *n)};
        *n *= c->n;
    }
    return list;
}

/* Adds to b what the choice `index` for from <= i < to says. */
static void
add_choice(fmpz_poly_t b, const embed_lift *L, slong from, slong to, uint32_t index)
{
    for (slong i = from; i < to; i++) {
        const embed_options *c = L->choice + i;
        fmpz_poly_add(b, b, &c->at[index % c->n].part);
        index /= (uint32_t)c->n;
    }
}

/* t = g(a). */
static void
set_poly(ckda_elem_t t, const fmpz_poly_t g, const ckda_field_t K)
{
    fmpq_poly_t q;
    fmpq_poly_init(q);
    fmpq_poly_set_fmpz_poly(q, g);
    ckda_elem_set_fmpq_poly(t, q, K);
    fmpq_poly_clear(q);
}

/* t = 1/f'(a). */
static void
set_inverse_slope(ckda_elem_t t, const ckda_field_t K)
{
    fmpz_poly_t df;
    fmpz_poly_init(df);
    fmpz_poly_derivative(df, K->minpoly);
    set_poly(t, df, K);
    if (ckda_elem_inv(t, t, K) != CKDA_OK)
        ckda_require(false, "a multiple root");
    fmpz_poly_clear(df);
}

typedef struct {
    const embed_lift *L;
    slong middle; /* the first F_i of the second half */
    embed_accept_fn accept;
    const void *what;
    ckda_elem_struct *t;
    ckda_elem_t inverse; /* 1/f'(a) */
} search;

static bool
try_pair(const search *s, uint32_t first, uint32_t second)
{
    const embed_lift *L = s->L;
    fmpz_poly_t b;
    ckda_elem_t t;
    fmpz_poly_init(b);
    ckda_elem_init(t, L->K);
    add_choice(b, L, 0, s->middle, first);
    add_choice(b, L, s->middle, L->f->num, second);
    fmpz_poly_scalar_smod_fmpz(b, b, L->modulus);
    set_poly(t, b, L->K);
    ckda_elem_mul(t, t, s->inverse, L->K);
    const bool found = s->accept(t, s->what);
    if (found)
        ckda_elem_swap(s->t, t, L->K);
    ckda_elem_clear(t, L->K);
    fmpz_poly_clear(b);
    return found;
}

/* Tries all x of the sorted list with x + sum in -k, ..., 0 modulo 2^64: the true sum is
 * 0 up to a quarter, and each of the k parts was rounded down by less than 1. */
static bool
try_partners(const search *s, const half *list, slong n, const half *other)
{
    const uint64_t k = (uint64_t)s->L->f->num, least = 0 - other->sum - k - 1;
    slong lo = 0, hi = n;
    while (lo < hi) {
        const slong mid = lo + (hi - lo) / 2;
        if (list[mid].sum < least)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (slong i = 0; i < n; i++) {
        const half *x = list + (lo + i) % n;
        if (x->sum - least > k + 2)
            return false;
        if (try_pair(s, x->index, other->index))
            return true;
    }
    return false;
}

static bool
search_pairs(const search *s)
{
    slong n, m;
    half *first = all_choices(&n, s->L, 0, s->middle);
    half *second = all_choices(&m, s->L, s->middle, s->L->f->num);
    bool found = false;
    qsort(first, (size_t)n, sizeof *first, compare_halves);
    for (slong i = 0; i < m && !found; i++)
        found = try_partners(s, first, n, second + i);
    flint_free(second);
    flint_free(first);
    return found;
}

/* The F_i of the first half: about the square root of all choices.  -1: too many. */
static slong
find_middle(const embed_lift *L)
{
    const double most = (double)(1 << HALF_CHOICES);
    double all = 1, left = 1;
    slong middle = 0;
    for (slong i = 0; i < L->f->num; i++)
        all *= (double)L->choice[i].n;
    while (middle < L->f->num && left * left < all)
        left *= (double)L->choice[middle++].n;
    if (left > most && middle > 0)
        left /= (double)L->choice[--middle].n;
    return left <= most && all / left <= most ? middle : -1;
}

embed_answer
embed_root(ckda_elem_t t, const fmpz_poly_t h, const ckda_field_t K,
           embed_accept_fn accept, const void *what)
{
    embed_prime L;
    prime_init(&L, 2);
    const double size = choose_prime(&L, K->minpoly, h);
    embed_answer answer = size < 0 ? EMBED_NONE : EMBED_OPEN;
    if (size >= 0 && size <= 2 * HALF_CHOICES) {
        embed_lift to;
        embed_lift_init(&to, &L, h, K);
        search s = {.L = &to, .middle = find_middle(&to), .accept = accept, .what = what};
        if (s.middle >= 0) {
            s.t = t;
            ckda_elem_init(s.inverse, K);
            set_inverse_slope(s.inverse, K);
            answer = search_pairs(&s) ? EMBED_FOUND : EMBED_NONE;
            ckda_elem_clear(s.inverse, K);
        }
        embed_lift_clear(&to);
    }
    prime_clear(&L);
    return answer;
}
