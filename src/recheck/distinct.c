/* All states are different real matrices.
 *
 * Each state goes to one real number, a sum of its entries with fixed, irregular weights,
 * enclosed in fixed point.  States whose enclosures are disjoint differ.  Sorting makes
 * neighbours of those that are near.  Nothing is assumed about f: two polynomials in the
 * root are told apart by their values. */
#include "recheck.h"

#include <stdlib.h>

typedef struct {
    mpz_t value;
    uint32_t state;
} key;

static int
compare_keys(const void *a, const void *b)
{
    const key *x = a, *y = b;
    return mpz_cmp(x->value, y->value);
}

/* A weight for entry e: mixes the bits of e (splitmix64), kept below 2^63. */
static unsigned long
weight(uint64_t e)
{
    uint64_t z = (e + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (unsigned long)((z ^ (z >> 31)) >> 1);
}

typedef struct {
    mpz_t *floor, *width; /* of the powers of the root */
    mpz_t sum, radius, worst;
} enclosure;

/* value = the weighted sum of the state, times 2^bits, up to `worst`, which is raised. */
static void
enclose(mpz_t value, enclosure *E, const matrix *S, size_t d)
{
    mpz_set_ui(value, 0);
    mpz_set_ui(E->radius, 0);
    for (size_t k = 0; k < d; k++) {
        mpz_set_ui(E->sum, 0);
        for (size_t e = 0; e < S->count / d; e++)
            mpz_addmul_ui(E->sum, S->num[e * d + k], weight(e));
        mpz_addmul(value, E->sum, E->floor[k]);
        mpz_abs(E->sum, E->sum);
        mpz_addmul(E->radius, E->sum, E->width[k]);
    }
    mpz_fdiv_q(value, value, S->den);
    mpz_cdiv_q(E->radius, E->radius, S->den);
    mpz_add_ui(E->radius, E->radius, 1);
    if (mpz_cmp(E->radius, E->worst) > 0)
        mpz_swap(E->worst, E->radius);
}

/* Number of a key that may be equal to the one before; 0: there is none. */
static uint32_t
find_touching(key *keys, uint32_t count, enclosure *E)
{
    mpz_mul_ui(E->worst, E->worst, 2);
    qsort(keys, count, sizeof *keys, compare_keys);
    for (uint32_t i = 1; i < count; i++) {
        mpz_sub(E->sum, keys[i].value, keys[i - 1].value);
        if (mpz_cmp(E->sum, E->worst) <= 0)
            return i;
    }
    return 0;
}

bool
distinct_check(reader *in, instance *I, const store *states)
{
    const size_t d = I->degree;
    uint32_t touching = 1;
    matrix S;
    enclosure E;
    key *keys = grown(NULL, states->count, sizeof *keys);
    matrix_init(&S, I->initial.count);
    E.floor = integers_new(d);
    E.width = integers_new(d);
    mpz_inits(E.sum, E.radius, E.worst, NULL);
    for (uint32_t i = 0; i < states->count; i++)
        mpz_init(keys[i].value);
    for (size_t bits = 192; touching != 0 && bits <= 12288; bits *= 8) {
        root_powers(E.floor, E.width, I, bits);
        mpz_set_ui(E.worst, 0);
        for (uint32_t i = 0; i < states->count; i++) {
            matrix_unpack(&S, states->bytes + states->at[i]);
            keys[i].state = i;
            enclose(keys[i].value, &E, &S, d);
        }
        touching = find_touching(keys, states->count, &E);
    }
    if (touching != 0)
        refuse(in, "states %u and %u are the same, or too near to be told apart",
               keys[touching - 1].state, keys[touching].state);
    for (uint32_t i = 0; i < states->count; i++)
        mpz_clear(keys[i].value);
    integers_free(E.floor, d);
    integers_free(E.width, d);
    mpz_clears(E.sum, E.radius, E.worst, NULL);
    matrix_clear(&S);
    free(keys);
    return touching == 0;
}
