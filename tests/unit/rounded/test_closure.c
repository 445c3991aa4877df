/* Searches over all words that close: numbers of states, depths, errors, ties. */
#include "machine.h"

/* ---- closures ---------------------------------------------------------------------- */

typedef struct {
    size_t states;
    size_t depth;
    double error, tie; /* largest distance from scale * exact, least from a boundary */
    bool closed, decoded;
} closure;

enum { SLOTS = 1 << 17, CAP = 20000 };

typedef struct {
    const machine *x;
    size_t bytes, count;
    unsigned char *key; /* CAP packed states, and the exact state with each */
    uint32_t *exact;
    size_t slot[SLOTS]; /* index + 1 */
} table;

/* Index of the packed state in the table, which takes it if it is new. */
static size_t
intern(table *b, const double *H, uint32_t exact)
{
    unsigned char packed[512];
    const slong entries = b->x->R->n * b->x->R->n;
    assert_true(ckda_rounded_pack(packed, H, entries, b->x->R));
    uint64_t hash = exact;
    for (size_t i = 0; i < b->bytes; i++)
        hash = (hash ^ packed[i]) * UINT64_C(0x100000001b3);
    size_t at = (size_t)(hash ^ hash >> 29) % SLOTS;
    for (; b->slot[at] != 0; at = (at + 1) % SLOTS) {
        const size_t i = b->slot[at] - 1;
        if (b->exact[i] == exact && memcmp(b->key + i * b->bytes, packed, b->bytes) == 0)
            return i;
    }
    memcpy(b->key + b->count * b->bytes, packed, b->bytes);
    b->exact[b->count] = exact;
    b->slot[at] = ++b->count;
    return b->count - 1;
}

static void
explore(closure *c, table *b)
{
    const ckda_rounded_struct *R = b->x->R;
    const ckda_tracker_struct *t = b->x->t;
    const slong size = R->n * R->n;
    double H[64], *out = malloc(R->nletters * (size_t)size * sizeof *out);
    ckda_rounded_initial(H, R);
    intern(b, H, 0);
    size_t level = 1;
    for (size_t i = 0; i < b->count && b->count + R->nletters <= CAP; i++) {
        if (i == level) {
            c->depth++;
            level = b->count;
        }
        ckda_rounded_unpack(H, b->key + i * b->bytes, size, R);
        double error;
        if (!ckda_tracker_is_near(&error, H, R->scale, b->exact[i], t))
            c->decoded = false;
        c->error = error > c->error ? error : c->error;
        ckda_rounded_expand(out, &c->tie, H, R->n, R);
        for (uint32_t l = 0; l < R->nletters; l++)
            intern(b, out + l * size, t->next[b->exact[i] * R->nletters + l]);
        c->closed = i + 1 == b->count;
    }
    free(out);
}

static closure
close_states(const char *system, const char *construction, const ckda_arith *a)
{
    machine x;
    open_machine(&x, system, construction, a);
    closure c = {.tie = 1, .decoded = true};
    table *b = calloc(1, sizeof *b);
    b->x = &x;
    b->bytes = ckda_rounded_entry_bytes(x.R) * (size_t)(x.R->n * x.R->n);
    b->key = malloc(CAP * b->bytes);
    b->exact = malloc(CAP * sizeof *b->exact);
    explore(&c, b);
    c.states = b->count;
    free(b->key);
    free(b->exact);
    free(b);
    close_machine(&x);
    return c;
}

static void
z3_in_fp32_without_fma_has_three_states(void **state)
{
    (void)state;
    const ckda_arith a = formats(&ckda_fp_fp32, &ckda_fp_fp32, &ckda_fp_fp32, false);
    const closure c = close_states("Z3", NULL, &a);
    assert_true(c.closed && c.decoded);
    assert_int_equal(c.states, 3);
    assert_int_equal(c.depth, 1);
}

static void
z3_in_bf16_has_five_states(void **state)
{
    (void)state;
    for (int fma = 0; fma < 2; fma++) {
        const ckda_arith a = formats(&ckda_fp_bf16, &ckda_fp_fp32, &ckda_fp_fp32, fma);
        const closure c = close_states("Z3", NULL, &a);
        assert_true(c.closed && c.decoded);
        assert_int_equal(c.states, 5);
        assert_int_equal(c.depth, 2);
        assert_true(fabs(c.error - .001643) < 5e-7);
    }
}

static void
z4_in_bf16_has_4398_states(void **state)
{
    (void)state;
    const ckda_arith a = formats(&ckda_fp_bf16, &ckda_fp_bf16, &ckda_fp_fp32, true);
    const closure c = close_states("Z4", NULL, &a);
    assert_true(c.closed && c.decoded);
    assert_int_equal(c.states, 4398);
    assert_int_equal(c.depth, 277);
    assert_true(fabs(c.error - .08839) < 5e-6);
}

static void
a5_on_the_grid_of_16_has_the_exact_states(void **state)
{
    (void)state;
    ckda_arith a;
    assert_int_equal(ckda_arith_preset(&a, "grid", NULL), CKDA_OK);
    const closure c = close_states("A5", NULL, &a);
    assert_true(c.closed && c.decoded);
    assert_int_equal(c.states, 7200);
    assert_int_equal(c.depth, 3);
    assert_true(fabs(c.error - .1576) < 5e-5);
    assert_true(fabs(c.tie - .406) < 5e-4);
}

static void
dyadic_d3_is_exact(void **state)
{
    (void)state;
    const ckda_arith a = formats(&ckda_fp_bf16, &ckda_fp_bf16, &ckda_fp_fp32, true);
    const closure c = close_states("S3", "dyadic", &a);
    assert_true(c.closed && c.decoded);
    assert_int_equal(c.states, 6);
    assert_true(c.error < 1e-14);
}

/* Rows of the published table: the number of states of a closed search. */
static const struct {
    const char *system, *construction;
    const ckda_fp_format *state, *keys;
    bool fma, matrix;
    size_t states;
} row[] = {
    {"Z3", NULL, &ckda_fp_fp16, &ckda_fp_fp32, true, false, 5},
    {"Z4", NULL, &ckda_fp_bf16, &ckda_fp_fp32, true, false, 10},
    {"Z4", NULL, &ckda_fp_bf16, &ckda_fp_fp32, false, false, 20},
    {"Z4", NULL, &ckda_fp_fp16, &ckda_fp_fp32, true, false, 18},
    {"Z4", NULL, &ckda_fp_fp32, &ckda_fp_fp32, false, false, 62},
    {"Z4", NULL, &ckda_fp_bf16, &ckda_fp_bf16, true, true, 4},
    {"Z5", NULL, &ckda_fp_fp16, &ckda_fp_fp32, true, false, 9},
    {"Z6", NULL, &ckda_fp_fp32, &ckda_fp_fp32, false, false, 6},
    {"Z8", NULL, &ckda_fp_bf16, &ckda_fp_fp32, true, false, 46},
    {"Z8", NULL, &ckda_fp_bf16, &ckda_fp_fp32, false, false, 40},
    {"Z8", NULL, &ckda_fp_fp32, &ckda_fp_fp32, true, true, 28},
    {"Z12", NULL, &ckda_fp_bf16, &ckda_fp_fp32, true, false, 26},
    {"Z12", NULL, &ckda_fp_bf16, &ckda_fp_fp32, false, false, 36},
    {"Z12", NULL, &ckda_fp_fp16, &ckda_fp_fp32, true, false, 98},
    {"D4", NULL, &ckda_fp_fp32, &ckda_fp_fp32, false, false, 124},
    {"D5", NULL, &ckda_fp_fp16, &ckda_fp_fp32, true, false, 18},
    {"A4", "cube", &ckda_fp_bf16, &ckda_fp_fp32, true, false, 114},
    {"A4", "cube", &ckda_fp_bf16, &ckda_fp_fp32, false, false, 212},
    {"A4", "cube", &ckda_fp_bf16, &ckda_fp_bf16, true, true, 20},
    {"A4", "cube", &ckda_fp_fp16, &ckda_fp_fp32, true, false, 106},
    {"S4", "cube", &ckda_fp_bf16, &ckda_fp_fp32, true, false, 228},
    {"S4", "cube", &ckda_fp_bf16, &ckda_fp_fp32, false, false, 424},
    {"S4", "cube-standard", &ckda_fp_fp16, &ckda_fp_fp32, true, false, 2788},
    {"S4", "quaternion", &ckda_fp_bf16, &ckda_fp_bf16, true, true, 576},
    {"A4", "quaternion", &ckda_fp_bf16, &ckda_fp_bf16, true, false, 96},
    {"S5", NULL, &ckda_fp_bf16, &ckda_fp_bf16, true, true, 120},
};

static void
published_searches_close_with_the_published_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        ckda_arith a = formats(row[i].state, row[i].keys, &ckda_fp_fp32, row[i].fma);
        a.form = row[i].matrix ? CKDA_FORM_MATRIX : CKDA_FORM_KEY;
        const closure c = close_states(row[i].system, row[i].construction, &a);
        if (!c.closed || !c.decoded || c.states != row[i].states) {
            char *text = ckda_arith_str(&a);
            fail_msg("%s, %s: %zu states%s, expected %zu", row[i].system, text, c.states,
                     c.closed ? "" : " and more", row[i].states);
        }
    }
}

static void
integer_directions_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *system, *construction;
        size_t states;
    } exact[] = {{"Z4", NULL, 4},
                 {"D4", NULL, 8},
                 {"S4", "quaternion", 576},
                 {"S4", "cube-standard", 24},
                 {"S5", NULL, 120}};
    for (int i = 0; i < 10; i++) {
        ckda_arith a = formats(&ckda_fp_bf16, &ckda_fp_bf16, &ckda_fp_fp32, true);
        a.key = CKDA_KEY_DIRECTION;
        a.store = i < 5 ? CKDA_FP_RNE : CKDA_FP_RTZ;
        const closure c =
            close_states(exact[i % 5].system, exact[i % 5].construction, &a);
        assert_true(c.closed && c.decoded && c.error < 1e-14);
        assert_int_equal(c.states, exact[i % 5].states);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(z3_in_fp32_without_fma_has_three_states),
        cmocka_unit_test(z3_in_bf16_has_five_states),
        cmocka_unit_test(z4_in_bf16_has_4398_states),
        cmocka_unit_test(a5_on_the_grid_of_16_has_the_exact_states),
        cmocka_unit_test(dyadic_d3_is_exact),
        cmocka_unit_test(published_searches_close_with_the_published_counts),
        cmocka_unit_test(integer_directions_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
