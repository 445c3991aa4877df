/* Matrices are different real ones.
 *
 * Each goes to one real number, a sum of its entries with fixed, irregular weights,
 * enclosed in fixed point.  Those whose enclosures are disjoint differ.  Sorting makes
 * neighbours of those that are near.  Nothing is assumed about f: two polynomials in the
 * root are told apart by their values. */
#include "recheck.h"

#include <stdlib.h>

typedef struct {
    mpz_ptr value;
    uint32_t number;
} key;

static int
compare_keys(const void *a, const void *b)
{
    return mpz_cmp(((const key *)a)->value, ((const key *)b)->value);
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

/* value = the weighted sum of the entries, times 2^bits, up to worst[0], which is raised;
 * worst[1] and worst[2] are work. */
static void
enclose(mpz_t value, mpz_t *worst, const matrix *S, const instance *I)
{
    const size_t d = I->degree;
    mpz_ptr radius = worst[1], sum = worst[2];
    mpz_set_ui(value, 0);
    mpz_set_ui(radius, 0);
    for (size_t k = 0; k < d; k++) {
        mpz_set_ui(sum, 0);
        for (size_t e = 0; e < S->count / d; e++)
            mpz_addmul_ui(sum, S->num[e * d + k], weight(e));
        mpz_addmul(value, sum, I->floor[k]);
        mpz_abs(sum, sum);
        mpz_addmul(radius, sum, I->width[k]);
    }
    mpz_fdiv_q(value, value, S->den);
    mpz_cdiv_q(radius, radius, S->den);
    mpz_add_ui(radius, radius, 1);
    if (mpz_cmp(radius, worst[0]) > 0)
        mpz_set(worst[0], radius);
}

static void
all_apart(reader *in, instance *I, const char *what, size_t size, const listed *list,
          uint32_t count)
{
    uint32_t bad = 1; /* the number of a key that may be equal to the one before, or 0 */
    matrix S;
    mpz_t *worst = integers_new(3), *value = integers_new(count);
    key *keys = grown(NULL, count + 1, sizeof *keys);
    matrix_init(&S, size);
    for (size_t bits = FIRST_BITS; bad != 0 && bits <= MOST_BITS; bits *= 8) {
        root_powers(I, bits);
        mpz_set_ui(worst[0], 0);
        for (uint32_t i = 0; i < count; i++) {
            matrix_unpack(&S, list[i].bytes);
            keys[i] = (key){value[i], list[i].number};
            enclose(value[i], worst, &S, I);
        }
        mpz_mul_ui(worst[0], worst[0], 2);
        qsort(keys, count, sizeof *keys, compare_keys);
        bad = 0;
        for (uint32_t i = 1; bad == 0 && i < count; i++) {
            mpz_sub(worst[2], keys[i].value, keys[i - 1].value);
            bad = mpz_cmp(worst[2], worst[0]) <= 0 ? i : 0;
        }
    }
    refuse(in, bad != 0, "%s %u and %u are the same, or too near to be told apart", what,
           bad != 0 ? keys[bad - 1].number : 0, keys[bad].number);
    release(value);
    release(keys);
}

void
all_differ(reader *in, instance *I, const char *what, size_t size, listed *list,
           uint32_t count, bool repeated)
{
    uint32_t kept = count > 0;
    qsort(list, count, sizeof *list, compare_listed);
    for (uint32_t i = 1; i < count; i++) {
        if (compare_listed(list + kept - 1, list + i) != 0)
            list[kept++] = list[i];
        else
            refuse(in, !repeated, "%s %u and %u are the same", what,
                   list[kept - 1].number, list[i].number);
    }
    if (I != NULL)
        all_apart(in, I, what, size, list, kept);
}
