/* Candidate words for infinite.c.
 *
 * An infinite, finitely generated matrix semigroup has an element of infinite order (Schur
 * for groups, McNaughton and Zalcstein for semigroups), so some word does it; in practice
 * random words do.  Which words are tried depends on the round alone, never on the clock
 * (which only ends a round).                                                            */
#include "infinite_internal.h"

#include <string.h>

enum {
    SHORT_WORDS = 256, /* tests of round 0 */
    RANDOM_WORDS = 32, /* tests of round r >= 1: this times 2^r */
    LONGEST_WALK = 64,
    FAR_STATES = 256, /* this times 2^r */
    MOST_ORDER = 32,  /* of letters whose commutators are tried */
    TESTS_BETWEEN_CLOCKS = 16
};

typedef struct {
    pump_test *t;
    uint64_t left; /* tests of this round */
    double deadline;
    uint32_t *word, length, room; /* the word of `product` */
    affine product, letter, spare;
    uint32_t state; /* from which it never repeats */
} hunt;

/* At most so many tests that they take about `most` multiplications. */
static uint64_t
affordable(uint64_t tests, double most, const pump_test *t)
{
    const double n = (double)t->n, m = (double)t->m;
    const double product = n * n * n + (t->has_offset ? n * n * m : 0);
    const double one =
        (double)fmpz_bits(t->period) * (product + (double)t->nstates * n * n * m);
    return one * (double)tests <= most ? tests : (uint64_t)(most / one) + 1;
}

static void
append(hunt *h, uint32_t x)
{
    if (h->length == h->room) {
        h->room = 2 * h->room + 16;
        h->word = flint_realloc(h->word, h->room * sizeof *h->word);
    }
    h->word[h->length++] = x;
    affine_letter(h->letter, h->t, x);
    if (h->length == 1) {
        affine_copy(h->product, h->letter, h->t);
        return;
    }
    affine_mul(h->spare, h->letter, h->product, h->t);
    const affine used = h->product;
    h->product = h->spare;
    h->spare = used;
}

static void
set_word(hunt *h, const uint32_t *word, uint32_t length)
{
    h->length = 0;
    for (uint32_t i = 0; i < length; i++)
        append(h, word[i]);
}

/* Tests the word; *over when the round ends here. */
static bool
found(bool *over, hunt *h)
{
    if (never_repeats(&h->state, h->t, h->product))
        return true;
    h->left--;
    *over = h->left == 0
            || (h->left % TESTS_BETWEEN_CLOCKS == 0 && h->deadline > 0
                && ckda_wall_seconds() > h->deadline);
    return false;
}

/* ---- round 0: short words -------------------------------------------------------------- */

/* The next word of the same length; false after the last one. */
static bool
next_word(uint32_t *word, uint32_t length, uint32_t nletters)
{
    for (uint32_t i = length; i-- > 0;) {
        if (++word[i] < nletters)
            return true;
        word[i] = 0;
    }
    return false;
}

static bool
try_short(hunt *h)
{
    uint32_t word[SHORT_WORDS] = {0};
    bool over = false;
    for (uint32_t length = 1; length < SHORT_WORDS; length++) {
        memset(word, 0, sizeof word);
        do {
            set_word(h, word, length);
            if (found(&over, h))
                return true;
            if (over)
                return false;
        } while (next_word(word, length, h->t->im->nletters));
        /* powers of a single letter tell nothing new */
        if (h->t->im->nletters == 1)
            return false;
    }
    return false;
}

/* ---- later rounds ---------------------------------------------------------------------- */

/* All pieces of the last letters of a shortest word to a far state. */
static bool
try_far_word(bool *over, hunt *h, uint32_t round)
{
    uint32_t word[LONGEST_WALK], longest = 1;
    const uint64_t most = h->left / 2;
    while (longest < LONGEST_WALK && (longest + 1) * (longest + 2) / 2 <= most)
        longest++;
    const pump_test *t = h->t;
    const double one = (double)t->im->nletters * (double)(t->n * t->n * t->m);
    const double states = FAR_STATES << (round < 5 ? round : 5), afford = 2 + 2e7 / one;
    const uint32_t length =
        far_word(word, longest, h->t, (uint32_t)(states < afford ? states : afford));
    for (uint32_t from = 0; from < length; from++) {
        h->length = 0;
        for (uint32_t i = from; i < length && !*over; i++) {
            append(h, word[i]);
            if (found(over, h))
                return true;
        }
    }
    return false;
}

/* The order of the letter's map if it is at most MOST_ORDER, else 0. */
static uint32_t
order_of_letter(hunt *h, uint32_t x)
{
    h->length = 0;
    for (uint32_t order = 1; order <= MOST_ORDER; order++) {
        append(h, x);
        if (affine_is_identity(h->product, h->t))
            return order;
    }
    return 0;
}

/* x y x^-1 y^-1 for letters of finite order: a translation when the linear parts commute. */
static bool
try_commutators(bool *over, hunt *h, ckda_rand *rand)
{
    const uint32_t k = h->t->im->nletters;
    for (uint64_t pairs = h->left / 4; pairs > 0 && k > 1 && !*over; pairs--) {
        const uint32_t x = (uint32_t)ckda_rand_below(rand, k);
        const uint32_t y = (x + 1 + (uint32_t)ckda_rand_below(rand, k - 1)) % k;
        const uint32_t a = order_of_letter(h, x), b = order_of_letter(h, y);
        if (a == 0 || b == 0)
            continue;
        h->length = 0;
        append(h, x);
        append(h, y);
        for (uint32_t i = 1; i < a; i++)
            append(h, x);
        for (uint32_t i = 1; i < b; i++)
            append(h, y);
        if (found(over, h))
            return true;
    }
    return false;
}

/* A random word and all its beginnings; letters from all or from two or three of them, since
 * one letter may destroy what others build. */
static bool
try_walk(bool *over, hunt *h, ckda_rand *rand, uint32_t length)
{
    const uint32_t k = h->t->im->nletters;
    uint32_t some[3];
    const uint32_t nsome = 2 + (uint32_t)ckda_rand_below(rand, 2);
    for (int i = 0; i < 3; i++)
        some[i] = (uint32_t)ckda_rand_below(rand, k);
    const bool all = ckda_rand_below(rand, 2) == 0;
    h->length = 0;
    for (uint32_t i = 0; i < length && !*over; i++) {
        append(h, all ? (uint32_t)ckda_rand_below(rand, k)
                      : some[ckda_rand_below(rand, nsome)]);
        if (affine_is_constant(h->product, h->t))
            return false; /* and so are all that follow */
        if (found(over, h))
            return true;
    }
    return false;
}

static bool
try_random(hunt *h, uint32_t round)
{
    ckda_rand rand;
    bool over = false;
    uint64_t steps = 2 * h->left; /* walks may end without a test */
    if (h->t->im->nletters == 1)
        return try_short(h); /* at another prime */
    ckda_rand_init(&rand, CKDA_REACH_SEED + round);
    if (try_far_word(&over, h, round) || try_commutators(&over, h, &rand))
        return true;
    for (uint32_t length = 4; !over && h->left > 0 && steps > 0; steps--) {
        if (try_walk(&over, h, &rand, length))
            return true;
        length = length < LONGEST_WALK ? 2 * length : 4;
    }
    return false;
}

/* ---- the word that was found ------------------------------------------------------------ */

/* Leaves letters out, ever shorter pieces, as long as the rest still never repeats. */
static void
shorten(hunt *h)
{
    uint32_t best = h->length;
    uint32_t *word = flint_malloc(best * sizeof *word);
    uint32_t *rest = flint_malloc(best * sizeof *rest);
    memcpy(word, h->word, best * sizeof *word);
    for (uint32_t piece = best / 2; piece > 0; piece /= 2)
        for (uint32_t from = 0; from + piece <= best && best > piece;) {
            memcpy(rest, word, from * sizeof *rest);
            memcpy(rest + from, word + from + piece,
                   (best - from - piece) * sizeof *rest);
            set_word(h, rest, best - piece);
            if (never_repeats(&h->state, h->t, h->product)) {
                best -= piece;
                memcpy(word, rest, best * sizeof *word);
            } else {
                from += piece;
            }
        }
    set_word(h, word, best);
    const bool still = never_repeats(&h->state, h->t, h->product);
    ckda_require(still, "the shortened word was tested before");
    flint_free(rest);
    flint_free(word);
}

bool
try_round(uint32_t **word, uint32_t *length, uint32_t *state, pump_test *t,
          uint32_t round, double deadline)
{
    hunt h = {.t = t, .left = SHORT_WORDS, .deadline = round == 0 ? 0 : deadline};
    h.product = affine_new(t);
    h.letter = affine_new(t);
    h.spare = affine_new(t);
    if (round > 0)
        h.left = (uint64_t)RANDOM_WORDS << (round < 32 ? round : 32);
    if (deadline == 0 || round == 0)
        h.left = affordable(h.left, round == 0 ? 2e8 : 5e8, t);
    const bool good = round == 0 ? try_short(&h) : try_random(&h, round);
    if (good) {
        if (round > 0)
            shorten(&h);
        *word = h.word;
        *length = h.length;
        *state = h.state;
    } else {
        flint_free(h.word);
    }
    affine_free(h.product);
    affine_free(h.letter);
    affine_free(h.spare);
    return good;
}
