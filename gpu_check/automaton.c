/* Tables for the word kernels. */
#include "automaton.h"

#include <math.h>
#include <string.h>

/* ---- what the kernels can do ----------------------------------------------------------- */

static bool
find_store(ckda_gpu_store *store, const ckda_arith *a)
{
    const struct {
        const ckda_fp_format *format;
        ckda_gpu_store store;
    } known[] = {{&ckda_fp_bf16, CKDA_GPU_STORE_BF16},
                 {&ckda_fp_fp16, CKDA_GPU_STORE_FP16},
                 {&ckda_fp_fp32, CKDA_GPU_STORE_FP32},
                 {&ckda_fp_fp64, CKDA_GPU_STORE_FP64}};
    if (a->grid > 0) {
        *store = CKDA_GPU_STORE_GRID;
        return true;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (a->state == known[i].format) {
            *store = known[i].store;
            return true;
        }
    return false;
}

/* Why the kernels cannot, or NULL. */
static const char *
complain(const ckda_tracker_t t, const ckda_rounded_t R)
{
    ckda_gpu_store store;
    if (R->n < CKDA_GPU_MIN_N || R->n > CKDA_GPU_MAX_N)
        return "expected states of dimension 2 to 5";
    if (R->arith.form != CKDA_FORM_KEY)
        return "expected the key form";
    if (!R->uses_fp32 && !R->uses_fp64)
        return "expected fp32 or fp64 as compute format, and parameters that it holds";
    if (!find_store(&store, &R->arith))
        return "expected a state in bf16, fp16, fp32, fp64 or on a grid";
    if (t->nstates > 65535 || t->nletters > 65535)
        return "expected at most 65535 states and letters";
    return NULL;
}

/* ---- copies ------------------------------------------------------------------------------ */

static void *
copy(const void *from, size_t count, size_t size)
{
    void *to = flint_malloc(count * size + 1);
    if (count > 0)
        memcpy(to, from, count * size);
    return to;
}

static void
copy_exact(ckda_gpu_automaton *a, const ckda_tracker_t t)
{
    const size_t states = t->nstates, n = (size_t)t->n;
    a->letters = t->nletters;
    a->states = t->nstates;
    a->next = copy(t->next, states * t->nletters, sizeof *a->next);
    a->element = copy(t->element, states, sizeof *a->element);
    a->value = copy(t->value, states * n * n, sizeof *a->value);
    a->margin = t->margin_low;
}

static void
copy_rounded(ckda_gpu_automaton *a, const ckda_rounded_t R)
{
    const size_t n = (size_t)R->n, steps = R->first[R->nletters];
    double *initial = flint_malloc(n * n * sizeof *initial);
    ckda_rounded_initial(initial, R);
    a->n = (int)R->n;
    a->micro_steps = (uint32_t)steps;
    a->first = copy(R->first, R->nletters + (size_t)1, sizeof *a->first);
    a->key = copy(R->key_value, steps * n, sizeof *a->key);
    a->scaled_key = copy(R->scaled_value, steps * n, sizeof *a->scaled_key);
    a->gate = copy(R->gate_value, steps * n, sizeof *a->gate);
    a->beta = copy(R->beta_value, steps, sizeof *a->beta);
    a->initial = initial;
    a->scale = R->scale;
    a->fp64 = R->uses_fp64;
    a->fma = R->arith.fma;
    a->rtz = R->arith.store == CKDA_FP_RTZ;
    a->beta_on_dot = R->arith.order == CKDA_BETA_ON_DOT;
    a->flush = R->arith.has_flush ? ldexp(1, -R->arith.flush) : 0;
}

/* ---- quaternions --------------------------------------------------------------------------- */

enum { MOST_PAIRS = 256 }; /* elements on one side: an index is a byte */

/* The elements met on one side, as unit quaternions, and their successors. */
typedef struct {
    uint32_t count, letters;
    double (*value)[4];
    uint8_t *next; /* next[letter * MOST_PAIRS + element] */
} side;

static void
multiply(double r[4], const double a[4], const double b[4])
{
    r[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    r[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    r[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    r[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* The index of q, appended if it is new; MOST_PAIRS when there is no room. */
static uint32_t
intern(side *s, const double q[4])
{
    for (uint32_t i = 0; i < s->count; i++) {
        double gap = 0;
        for (int c = 0; c < 4; c++)
            gap = fmax(gap, fabs(q[c] - s->value[i][c]));
        if (gap < 1e-6)
            return i;
    }
    if (s->count == MOST_PAIRS)
        return MOST_PAIRS;
    memcpy(s->value[s->count], q, 4 * sizeof *q);
    return s->count++;
}

/* All products of keys, each new key on the left or on the right. */
static bool
close_side(side *s, const double (*key)[4], bool on_the_left)
{
    const double one[4] = {1, 0, 0, 0};
    intern(s, one);
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t l = 0; l < s->letters; l++) {
            double product[4];
            multiply(product, on_the_left ? key[l] : s->value[i],
                     on_the_left ? s->value[i] : key[l]);
            const uint32_t to = intern(s, product);
            if (to == MOST_PAIRS)
                return false;
            s->next[l * MOST_PAIRS + i] = (uint8_t)to;
        }
    return true;
}

static double
to_double(const ckda_elem_t x, const ckda_field_t K)
{
    arb_t r;
    arb_init(r);
    ckda_elem_get_arb(r, x, K, 80);
    const double value = arf_get_d(arb_midref(r), ARF_RND_NEAR);
    arb_clear(r);
    return value;
}

/* The unit key of a letter, if it is the reflection with beta = 2 behind diag(-1,1,1,1). */
static bool
unit_key(double key[4], const ckda_tracker_t t, uint32_t letter)
{
    const ckda_trans_struct *x = &t->c->trans[t->element_of_letter[letter]];
    const ckda_field_struct *K = t->c->K;
    if (x->n != 4 || x->steps != 1 || ckda_elem_cmp_si(x->beta, 2, K) != 0)
        return false;
    double square = 0;
    for (int i = 0; i < 4; i++) {
        if (ckda_elem_cmp_si(x->gate + i, i == 0 ? -1 : 1, K) != 0)
            return false;
        key[i] = to_double(x->key + i, K);
        square += key[i] * key[i];
    }
    for (int i = 0; i < 4; i++)
        key[i] /= sqrt(square);
    return true;
}

/* Is the state x -> l x r, to 1e-9 in every entry? */
static bool
is_pair(const double *state, const double l[4], const double r[4])
{
    for (int j = 0; j < 4; j++) {
        double e[4] = {0}, lx[4], image[4];
        e[j] = 1;
        multiply(lx, l, e);
        multiply(image, lx, r);
        for (int i = 0; i < 4; i++)
            if (!(fabs(image[i] - state[4 * i + j]) < 1e-9))
                return false;
    }
    return true;
}

/* The state of every pair that is reached from (1, 1), or false when two ways to a pair
 * disagree.  pair holds MOST_PAIRS^2 entries, queue as many. */
static bool
label_pairs(uint32_t *pair, uint32_t *queue, const side *left, const side *right,
            const ckda_tracker_t t)
{
    size_t filled = 0;
    memset(pair, 0xff, (size_t)MOST_PAIRS * MOST_PAIRS * sizeof *pair);
    pair[0] = 0;
    queue[filled++] = 0;
    for (size_t i = 0; i < filled; i++) {
        const uint32_t l = queue[i] / MOST_PAIRS, r = queue[i] % MOST_PAIRS;
        const uint32_t state = pair[queue[i]];
        if (!is_pair(t->value + (size_t)state * 16, left->value[l], right->value[r]))
            return false;
        for (uint32_t x = 0; x < t->nletters; x++) {
            const uint32_t to = left->next[x * MOST_PAIRS + l] * (uint32_t)MOST_PAIRS
                                + right->next[x * MOST_PAIRS + r];
            const uint32_t want = t->next[(size_t)state * t->nletters + x];
            if (pair[to] == UINT32_MAX) {
                pair[to] = want;
                queue[filled++] = to;
            }
            if (pair[to] != want)
                return false;
        }
    }
    return true;
}

static void
side_init(side *s, uint32_t letters)
{
    s->count = 0;
    s->letters = letters;
    s->value = flint_calloc(MOST_PAIRS, sizeof *s->value);
    s->next = flint_calloc((size_t)letters * MOST_PAIRS, 1);
}

static void
side_clear(side *s)
{
    flint_free(s->value);
    flint_free(s->next);
}

/* From rows of MOST_PAIRS to rows of a->pairs. */
static uint8_t *
narrow(const side *s, uint32_t pairs)
{
    uint8_t *next = flint_calloc((size_t)s->letters * pairs, 1);
    for (uint32_t l = 0; l < s->letters; l++)
        memcpy(next + l * pairs, s->next + l * MOST_PAIRS, pairs);
    return next;
}

static void
keep_pairs(ckda_gpu_automaton *a, const side *left, const side *right,
           const uint32_t *pair)
{
    const uint32_t count = left->count > right->count ? left->count : right->count;
    uint32_t *table = flint_malloc((size_t)count * count * sizeof *table);
    for (uint32_t l = 0; l < count; l++)
        memcpy(table + (size_t)l * count, pair + (size_t)l * MOST_PAIRS,
               count * sizeof *table);
    a->pairs = count;
    a->pair = table;
    a->pair_start = 0;
    a->left = narrow(left, count);
    a->right = narrow(right, count);
    a->left_value = copy(left->value, 4 * (size_t)count, sizeof *a->left_value);
    a->right_value = copy(right->value, 4 * (size_t)count, sizeof *a->right_value);
}

static void
find_pairs(ckda_gpu_automaton *a, const ckda_tracker_t t)
{
    if (t->n != 4)
        return;
    side left, right;
    double(*key)[4] = flint_malloc(t->nletters * sizeof *key);
    bool good = true;
    for (uint32_t l = 0; l < t->nletters && good; l++)
        good = unit_key(key[l], t, l);
    side_init(&left, t->nletters);
    side_init(&right, t->nletters);
    good = good && close_side(&left, (const double(*)[4])key, true)
           && close_side(&right, (const double(*)[4])key, false);
    if (good) {
        const size_t cells = (size_t)MOST_PAIRS * MOST_PAIRS;
        uint32_t *pair = flint_malloc(cells * sizeof *pair);
        uint32_t *queue = flint_malloc(cells * sizeof *queue);
        if (label_pairs(pair, queue, &left, &right, t))
            keep_pairs(a, &left, &right, pair);
        flint_free(queue);
        flint_free(pair);
    }
    side_clear(&left);
    side_clear(&right);
    flint_free(key);
}

/* ---- life ------------------------------------------------------------------------------------- */

ckda_status
ckda_gpu_automaton_init(ckda_gpu_automaton *a, const ckda_tracker_t t,
                        const ckda_rounded_t R, ckda_error *err)
{
    const char *wrong = complain(t, R);
    if (wrong != NULL) {
        ckda_error_set(err, "the word kernels: %s", wrong);
        return CKDA_E_UNABLE;
    }
    memset(a, 0, sizeof *a);
    const bool known = find_store(&a->store, &R->arith);
    ckda_require(known, "asked before");
    copy_exact(a, t);
    copy_rounded(a, R);
    find_pairs(a, t);
    return CKDA_OK;
}

void
ckda_gpu_automaton_clear(ckda_gpu_automaton *a)
{
    const void *const owned[] = {a->first,      a->key,        a->scaled_key, a->gate,
                                 a->beta,       a->initial,    a->next,       a->element,
                                 a->value,      a->left,       a->right,      a->pair,
                                 a->left_value, a->right_value};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        flint_free((void *)(uintptr_t)owned[i]);
    memset(a, 0, sizeof *a);
}
