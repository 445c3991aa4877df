/* Words that decode wrongly, found without looking at all words: one letter repeated (a
 * rotation that is a little off adds up), and a beam that keeps the states nearest to a
 * wrong read-out.  What is found is a counterexample; nothing is said about shorter ones. */
#include "allwords_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one letter repeated ---------------------------------------------------------------- */

enum {
    LONGEST_POWER = 1 << 16,
    LONGEST_WORD = 4096,
    MOST_WIDTH = 4096,
    LEAST_WIDTH = 16
};

/* The least power of the letter, up to `most`, that decodes wrongly; 0: none.  Stops early
 * when the state comes back to one that was met (Brent's search for a cycle) with the same
 * exact state. */
static size_t
wrong_power(uint32_t letter, size_t most, const ckda_rounded_t R, const ckda_tracker_t t)
{
    const size_t size = (size_t)(R->n * R->n) * sizeof(double);
    double *H = allwords_memory(size), *mark = allwords_memory(size);
    uint32_t exact = 0, mark_exact = 0, decoded;
    size_t wrong = 0, mark_at = 0;
    ckda_rounded_initial(H, R);
    memcpy(mark, H, size);
    for (size_t k = 1; k <= most && wrong == 0; k++) {
        bool tied;
        double distance;
        ckda_rounded_step(H, R->n, letter, R);
        exact = t->next[(size_t)exact * R->nletters + letter];
        if (allwords_decodes_right(&decoded, &tied, &distance, H, exact, R, t)
            == CKDA_FALSE)
            wrong = k;
        else if (exact == mark_exact && memcmp(H, mark, size) == 0)
            break;
        if (k == 2 * mark_at + 1) {
            memcpy(mark, H, size);
            mark_exact = exact;
            mark_at = k;
        }
    }
    free(H);
    free(mark);
    return wrong;
}

static size_t
shortest_power(uint32_t *letter, size_t most, const ckda_rounded_t R,
               const ckda_tracker_t t, const volatile sig_atomic_t *stop)
{
    size_t best = 0;
    for (uint32_t l = 0; l < R->nletters && (stop == NULL || !*stop); l++) {
        const size_t wrong = wrong_power(l, best > 0 ? best - 1 : most, R, t);
        if (wrong > 0) {
            best = wrong;
            *letter = l;
        }
    }
    return best;
}

/* ---- beam -------------------------------------------------------------------------------- */

/* How far the read-out is from a wrong answer, as a cosine: the inner product with the exact
 * state less the largest with a state of another element, over |H| sqrt n. */
static double
gap(const double *H, uint32_t exact, const ckda_tracker_t t)
{
    const size_t size = (size_t)(t->n * t->n);
    double mine = 0, other = -INFINITY, norm = 0;
    for (size_t i = 0; i < size; i++)
        norm += H[i] * H[i];
    for (uint32_t s = 0; s < t->nstates; s++) {
        const double *S = t->value + s * size;
        double dot = 0;
        for (size_t i = 0; i < size; i++)
            dot += H[i] * S[i];
        if (s == exact)
            mine = dot;
        else if (t->element[s] != t->element[exact] && dot > other)
            other = dot;
    }
    return (mine - other) / sqrt(norm * (double)t->n);
}

/* The same order, roughly, where comparing with every state would take too long: minus the
 * distance from the best multiple of the exact state, relative to it. */
static double
closeness(const double *H, uint32_t exact, const ckda_tracker_t t)
{
    const size_t size = (size_t)(t->n * t->n);
    const double *S = t->value + exact * size;
    double dot = 0, off = 0;
    for (size_t i = 0; i < size; i++)
        dot += H[i] * S[i];
    const double scale = dot / (double)t->n;
    for (size_t i = 0; i < size; i++)
        off += (H[i] - scale * S[i]) * (H[i] - scale * S[i]);
    return scale > 0 ? -sqrt(off) / scale : -INFINITY;
}

/* A state of one generation; the tree of all generations is kept for the word. */
typedef struct {
    double score; /* less is nearer to a failure */
    uint32_t exact, from, letter;
    size_t at; /* of H in the successors */
} candidate;

typedef struct {
    const ckda_rounded_struct *R;
    const ckda_tracker_struct *t;
    size_t width, size; /* doubles a state */
    uint32_t alive;
    double *H;        /* width states */
    uint32_t *exact;  /* width */
    double *to;       /* width * letters states */
    candidate *found; /* width * letters */
    double *score;    /* the same, to be shuffled */
    uint32_t *parent; /* generation * width + i: state of the generation before */
    uint16_t *via;
} beam;

static int
compare(const void *x, const void *y)
{
    const candidate *a = x, *b = y;
    if (a->score != b->score)
        return a->score < b->score ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static void
beam_open(beam *B, size_t width, size_t generations, const ckda_rounded_t R,
          const ckda_tracker_t t)
{
    const size_t L = R->nletters, size = (size_t)(R->n * R->n);
    *B = (beam){.R = R,
                .t = t,
                .width = width,
                .size = size,
                .alive = 1,
                .H = allwords_memory(width * size * sizeof(double)),
                .exact = allwords_memory(width * sizeof(uint32_t)),
                .to = allwords_memory(width * L * size * sizeof(double)),
                .found = allwords_memory(width * L * sizeof(candidate)),
                .score = allwords_memory(width * L * sizeof(double)),
                .parent = allwords_memory(width * generations * sizeof(uint32_t)),
                .via = allwords_memory(width * generations * sizeof(uint16_t))};
    ckda_rounded_initial(B->H, R);
    B->exact[0] = 0;
}

static void
beam_close(beam *B)
{
    free(B->H);
    free(B->exact);
    free(B->to);
    free(B->found);
    free(B->score);
    free(B->parent);
    free(B->via);
}

static size_t
successors(beam *B)
{
    const uint32_t L = B->R->nletters;
    const bool exactly = (size_t)B->t->nstates * B->size <= 512;
    size_t count = 0;
    for (uint32_t i = 0; i < B->alive; i++) {
        ckda_rounded_expand(B->to + (size_t)i * L * B->size, NULL, B->H + i * B->size,
                            B->R->n, B->R);
        for (uint32_t l = 0; l < L; l++, count++) {
            const uint32_t exact = B->t->next[(size_t)B->exact[i] * L + l];
            const double *H = B->to + count * B->size;
            double score = exactly ? gap(H, exact, B->t) : closeness(H, exact, B->t);
            if (!(score == score))
                score = -INFINITY; /* 0/0, or no number: look at it first */
            B->found[count] = (candidate){score, exact, i, l, count};
        }
    }
    return count;
}

/* The k-th smallest of x (from 0); x is shuffled. */
static double
nth(double *x, ptrdiff_t count, ptrdiff_t k)
{
    ptrdiff_t low = 0, high = count - 1;
    while (low < high) {
        const double pivot = x[k];
        ptrdiff_t i = low, j = high;
        do {
            while (x[i] < pivot)
                i++;
            while (x[j] > pivot)
                j--;
            if (i <= j) {
                const double swap = x[i];
                x[i++] = x[j];
                x[j--] = swap;
            }
        } while (i <= j);
        if (j < k)
            low = i;
        if (k < i)
            high = j;
    }
    return x[k];
}

/* The candidates that matter, in order, to the front: twice as many as are kept, since some
 * of them are equal.  Returns how many. */
static size_t
sort_best(beam *B, size_t count)
{
    size_t kept = count;
    if (count > 2 * B->width) {
        for (size_t c = 0; c < count; c++)
            B->score[c] = B->found[c].score;
        const double last = nth(B->score, (ptrdiff_t)count, (ptrdiff_t)(2 * B->width));
        kept = 0;
        for (size_t c = 0; c < count; c++)
            if (B->found[c].score <= last)
                B->found[kept++] = B->found[c];
    }
    qsort(B->found, kept, sizeof *B->found, compare);
    return kept;
}

static bool
same(const beam *B, const candidate *a, const candidate *b)
{
    return a->score == b->score && a->exact == b->exact
           && memcmp(B->to + a->at * B->size, B->to + b->at * B->size,
                     B->size * sizeof(double))
                  == 0;
}

/* The next generation: the best candidates, each state once.  Is the first one wrong? */
static bool
select_best(beam *B, size_t count, size_t generation)
{
    const candidate *last = NULL;
    uint32_t decoded;
    bool tied, wrong = false;
    double distance;
    B->alive = 0;
    for (size_t c = 0; c < count && B->alive < B->width && !wrong; c++) {
        const candidate *f = B->found + c;
        if (last != NULL && same(B, f, last))
            continue;
        last = f;
        const uint32_t i = B->alive++;
        memcpy(B->H + i * B->size, B->to + f->at * B->size, B->size * sizeof(double));
        B->exact[i] = f->exact;
        B->parent[generation * B->width + i] = f->from;
        B->via[generation * B->width + i] = (uint16_t)f->letter;
        wrong = allwords_decodes_right(&decoded, &tied, &distance, B->H + i * B->size,
                                       f->exact, B->R, B->t)
                == CKDA_FALSE;
    }
    return wrong;
}

static uint32_t *
beam_word(const beam *B, size_t length)
{
    uint32_t *word = allwords_memory(length * sizeof *word), i = B->alive - 1;
    for (size_t g = length; g > 0; g--) {
        word[g - 1] = B->via[(g - 1) * B->width + i];
        i = B->parent[(g - 1) * B->width + i];
    }
    return word;
}

/* A wrong word shorter than `below`, or NULL. */
static uint32_t *
beam_search(size_t *length, size_t below, uint64_t edges, const ckda_rounded_t R,
            const ckda_tracker_t t, const volatile sig_atomic_t *stop)
{
    const size_t L = R->nletters;
    size_t most = below - 1 < LONGEST_WORD ? below - 1 : LONGEST_WORD;
    if (most > edges / (LEAST_WIDTH * L))
        most = (size_t)(edges / (LEAST_WIDTH * L));
    if (most == 0)
        return NULL;
    size_t width = (size_t)(edges / (L * most));
    width = width > MOST_WIDTH ? MOST_WIDTH : width;
    beam B;
    uint32_t *word = NULL;
    beam_open(&B, width, most, R, t);
    for (size_t g = 0; g < most && word == NULL && (stop == NULL || !*stop); g++)
        if (select_best(&B, sort_best(&B, successors(&B)), g)) {
            *length = g + 1;
            word = beam_word(&B, g + 1);
        }
    beam_close(&B);
    return word;
}

uint32_t *
allwords_witness_find(size_t *length, const ckda_rounded_t R, const ckda_tracker_t t,
                      uint64_t edges, bool beam_too, const volatile sig_atomic_t *stop)
{
    uint32_t letter = 0, *word = NULL;
    size_t found = shortest_power(&letter, LONGEST_POWER, R, t, stop);
    if (beam_too && found != 1)
        word =
            beam_search(length, found > 0 ? found : LONGEST_WORD + 1, edges, R, t, stop);
    if (word != NULL || found == 0)
        return word;
    word = allwords_memory(found * sizeof *word);
    for (size_t i = 0; i < found; i++)
        word[i] = letter;
    *length = found;
    return word;
}
