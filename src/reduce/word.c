/* Words: where they lead in a closed graph, as affine maps, and one that merges all that can
 * be merged. */
#include <string.h>
#include "reduce_internal.h"

/* ---- affine maps ------------------------------------------------------------------------ */

void
action_init(action *T, slong n, slong m, const ckda_field_t K)
{
    ckda_mat_init(T->A, n, n, K);
    ckda_mat_init(T->b, n, m, K);
    must(ckda_mat_one(T->A, K));
}

void
action_clear(action *T, const ckda_field_t K)
{
    ckda_mat_clear(T->A, K);
    ckda_mat_clear(T->b, K);
}

void
action_apply(ckda_mat_t Y, const action *T, const ckda_mat_t S, const ckda_field_t K)
{
    must(ckda_mat_mul(Y, T->A, S, K));
    must(ckda_mat_add(Y, Y, T->b, K));
}

/* T = T2 after T; T2 may be T. */
static void
action_then(action *T, const action *T2, const ckda_field_t K)
{
    ckda_mat_t b;
    ckda_mat_init(b, T->b->rows, T->b->cols, K);
    action_apply(b, T2, T->b, K);
    must(ckda_mat_mul(T->A, T2->A, T->A, K));
    ckda_mat_swap(T->b, b);
    ckda_mat_clear(b, K);
}

void
action_word(action *T, const ckda_system_t sys, const uint32_t *word, size_t n,
            uint64_t power)
{
    const ckda_field_struct *K = sys->K;
    const slong rows = sys->initial->rows, cols = sys->initial->cols;
    action W, P;
    action_init(&W, rows, cols, K);
    action_init(&P, rows, cols, K);
    for (size_t i = 0; i < n; i++) {
        must(ckda_mat_mul(W.A, sys->linear + word[i], W.A, K));
        must(ckda_mat_mul(W.b, sys->linear + word[i], W.b, K));
        if (sys->offset != NULL)
            must(ckda_mat_add(W.b, W.b, sys->offset + word[i], K));
    }
    for (; power > 0; power >>= 1) {
        if (power & 1)
            action_then(&P, &W, K);
        if (power > 1)
            action_then(&W, &W, K);
    }
    ckda_mat_swap(T->A, P.A);
    ckda_mat_swap(T->b, P.b);
    action_clear(&P, K);
    action_clear(&W, K);
}

/* ---- maps of the states ------------------------------------------------------------------ */

/* to[s] = b[a[s]]; to may be a or b only if it is both. */
static void
compose(uint32_t *to, const uint32_t *a, const uint32_t *b, uint64_t n)
{
    for (uint64_t s = 0; s < n; s++)
        to[s] = b[a[s]];
}

static uint32_t *
identity_map(uint64_t n)
{
    uint32_t *image = flint_malloc((n + 1) * sizeof *image);
    for (uint64_t s = 0; s < n; s++)
        image[s] = (uint32_t)s;
    return image;
}

static void
follow(uint32_t *image, uint64_t n, const ckda_reach_t r, uint32_t nletters,
       const uint32_t *word, size_t length)
{
    for (uint64_t s = 0; s < n; s++)
        for (size_t i = 0; i < length; i++)
            image[s] = r->next[(size_t)image[s] * nletters + word[i]];
}

uint32_t *
word_map(const ckda_reach_t r, uint32_t nletters, const uint32_t *word, size_t n,
         uint64_t power)
{
    const uint64_t states = r->states;
    uint32_t *base = identity_map(states), *result = identity_map(states);
    uint32_t *old = flint_malloc((states + 1) * sizeof *old);
    follow(base, states, r, nletters, word, n);
    for (; power > 0; power >>= 1) {
        if (power & 1)
            compose(result, result, base, states);
        memcpy(old, base, states * sizeof *old);
        compose(base, old, old, states);
    }
    flint_free(old);
    flint_free(base);
    return result;
}

uint64_t
count_images(const uint32_t *image, uint64_t n, uint64_t values)
{
    uint64_t count = 0;
    char *seen = flint_calloc(values + 1, 1);
    for (uint64_t s = 0; s < n; s++) {
        count += !seen[image[s]];
        seen[image[s]] = 1;
    }
    flint_free(seen);
    return count;
}

uint32_t *
path_to(size_t *n, const ckda_reach_t r, uint32_t s)
{
    size_t length = 0;
    for (uint32_t t = s; t != 0; t = r->parent[t])
        length++;
    uint32_t *word = flint_malloc((length + 1) * sizeof *word);
    *n = length;
    for (uint32_t t = s; t != 0; t = r->parent[t])
        word[--length] = r->via[t];
    return word;
}

/* ---- merging ------------------------------------------------------------------------------ */

/* Powers are bounded because the parts of a letter outside V may shrink for ever: their
 * numbers grow with the power. */
enum { MAX_PAIRS = 1 << 22, MAX_WORD = 1 << 20, MAX_POWER = 1 << 24 };

/* Breadth-first over pairs of states, from one pair until they meet. */
typedef struct {
    uint32_t *a, *b, *parent, *via;
    uint32_t n, room;
    uint32_t *bucket; /* index + 1, 0 = empty */
    uint32_t mask;
} pair_search;

static void
pair_search_init(pair_search *p)
{
    memset(p, 0, sizeof *p);
    p->mask = (1u << 12) - 1;
    p->bucket = flint_calloc((size_t)p->mask + 1, sizeof *p->bucket);
}

static void
pair_search_clear(pair_search *p)
{
    flint_free(p->a);
    flint_free(p->b);
    flint_free(p->parent);
    flint_free(p->via);
    flint_free(p->bucket);
}

static uint32_t
slot_of(const pair_search *p, uint32_t a, uint32_t b)
{
    const uint64_t h = (((uint64_t)a << 32) | b) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t slot = (uint32_t)(h >> 32) & p->mask;
    while (p->bucket[slot] != 0
           && (p->a[p->bucket[slot] - 1] != a || p->b[p->bucket[slot] - 1] != b))
        slot = (slot + 1) & p->mask;
    return slot;
}

static void
pair_search_grow(pair_search *p)
{
    p->room = p->room == 0 ? 1024 : 2 * p->room;
    p->a = flint_realloc(p->a, p->room * sizeof *p->a);
    p->b = flint_realloc(p->b, p->room * sizeof *p->b);
    p->parent = flint_realloc(p->parent, p->room * sizeof *p->parent);
    p->via = flint_realloc(p->via, p->room * sizeof *p->via);
    if (p->room <= p->mask / 2)
        return;
    flint_free(p->bucket);
    p->mask = 4 * p->room - 1;
    p->bucket = flint_calloc((size_t)p->mask + 1, sizeof *p->bucket);
    for (uint32_t i = 0; i < p->n; i++)
        p->bucket[slot_of(p, p->a[i], p->b[i])] = i + 1;
}

/* Adds the unordered pair unless it is there. */
static void
pair_search_add(pair_search *p, uint32_t a, uint32_t b, uint32_t parent, uint32_t via)
{
    const uint32_t lo = a < b ? a : b, hi = a < b ? b : a;
    if (p->n == p->room)
        pair_search_grow(p);
    const uint32_t slot = slot_of(p, lo, hi);
    if (p->bucket[slot] != 0)
        return;
    p->a[p->n] = lo;
    p->b[p->n] = hi;
    p->parent[p->n] = parent;
    p->via[p->n] = via;
    p->bucket[slot] = ++p->n;
}

typedef struct {
    uint32_t *letter;
    size_t n, room;
} growing;

static void
append(growing *w, uint32_t x)
{
    if (w->n == w->room) {
        w->room = w->room == 0 ? 64 : 2 * w->room;
        w->letter = flint_realloc(w->letter, w->room * sizeof *w->letter);
    }
    w->letter[w->n++] = x;
}

/* Letters to pair number i, then x. */
static void
append_path(growing *w, const pair_search *p, uint32_t i, uint32_t x)
{
    const size_t from = w->n;
    append(w, x);
    for (; i != 0; i = p->parent[i])
        append(w, p->via[i]);
    for (size_t a = from, b = w->n - 1; a < b; a++, b--) {
        const uint32_t t = w->letter[a];
        w->letter[a] = w->letter[b];
        w->letter[b] = t;
    }
}

/* Appends a shortest word that merges s and t. */
static ckda_status
merge(growing *w, const ckda_reach_t r, uint32_t nletters, uint32_t s, uint32_t t,
      ckda_error *err)
{
    pair_search p;
    bool merged = false;
    pair_search_init(&p);
    pair_search_add(&p, s, t, 0, 0);
    for (uint32_t i = 0; i < p.n && !merged && p.n < MAX_PAIRS; i++)
        for (uint32_t x = 0; x < nletters && !merged; x++) {
            const uint32_t a = r->next[(size_t)p.a[i] * nletters + x];
            const uint32_t b = r->next[(size_t)p.b[i] * nletters + x];
            merged = a == b;
            if (merged)
                append_path(w, &p, i, x);
            else
                pair_search_add(&p, a, b, i, x);
        }
    const bool full = p.n >= MAX_PAIRS;
    pair_search_clear(&p);
    ckda_require(merged || full, "two states of one class that no word merges");
    if (merged && w->n <= MAX_WORD)
        return CKDA_OK;
    ckda_error_set(err,
                   "expected a merging word within %d pairs of states and %d letters",
                   MAX_PAIRS, MAX_WORD);
    return CKDA_E_UNABLE;
}

/* Two different images in one class; false if there are none. */
static bool
find_conflict(uint32_t *s, uint32_t *t, const uint32_t *image, uint64_t n,
              const uint32_t *class, uint32_t *first, uint64_t classes)
{
    memset(first, 0xff, classes * sizeof *first);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t *f = first + class[image[i]];
        if (*f != UINT32_MAX && *f != image[i]) {
            *s = *f;
            *t = image[i];
            return true;
        }
        *f = image[i];
    }
    return false;
}

static uint64_t
gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

/* Order of the permutation that the map makes of its own images; 0 beyond MAX_POWER. */
static uint64_t
order_on_images(const uint32_t *image, uint64_t n)
{
    uint64_t order = 1;
    char *seen = flint_calloc(n + 1, 1);
    for (uint64_t i = 0; i < n && order != 0; i++) {
        uint64_t length = 0;
        for (uint32_t s = image[i]; !seen[s]; s = image[s]) {
            seen[s] = 1;
            length++;
        }
        if (length == 0)
            continue;
        order = order / gcd(order, length) * length;
        if (order > MAX_POWER)
            order = 0;
    }
    flint_free(seen);
    return order;
}

ckda_status
merging_word(uint32_t **word, size_t *n, uint64_t *power, const ckda_reach_t r,
             uint32_t nletters, const uint32_t *class, uint64_t classes, ckda_error *err)
{
    growing w = {0};
    uint32_t s = 0, t = 0, *image = identity_map(r->states);
    uint32_t *first = flint_malloc((classes + 1) * sizeof *first);
    ckda_status st = CKDA_OK;
    while (st == CKDA_OK
           && find_conflict(&s, &t, image, r->states, class, first, classes)) {
        const size_t from = w.n;
        st = merge(&w, r, nletters, s, t, err);
        if (st == CKDA_OK)
            follow(image, r->states, r, nletters, w.letter + from, w.n - from);
    }
    if (st == CKDA_OK) {
        *power = order_on_images(image, r->states);
        if (*power == 0) {
            ckda_error_set(err, "expected an idempotent power of at most %d", MAX_POWER);
            st = CKDA_E_UNABLE;
        }
    }
    flint_free(first);
    flint_free(image);
    if (st != CKDA_OK) {
        flint_free(w.letter);
        return st;
    }
    *word = w.letter != NULL ? w.letter : flint_malloc(sizeof **word);
    *n = w.n;
    return CKDA_OK;
}
