/* Deterministic finite automata. */
#include "group_internal.h"

#include <stdio.h>
#include "ckda/automaton.h"

void
ckda_dfa_init(ckda_dfa_t A, uint32_t states, uint32_t nletters)
{
    char name[32];
    ckda_require(states >= 1, "an automaton has a state");
    A->states = states;
    A->start = 0;
    A->nletters = nletters;
    A->letter = checked_alloc(nletters, sizeof *A->letter);
    A->next = checked_alloc((size_t)states * nletters, sizeof *A->next);
    A->accept = checked_alloc(states, sizeof *A->accept);
    for (uint32_t x = 0; x < nletters; x++) {
        const int len = snprintf(name, sizeof name, "%u", x);
        A->letter[x] = copy_text(name, (size_t)len);
    }
}

void
ckda_dfa_clear(ckda_dfa_t A)
{
    for (uint32_t x = 0; x < A->nletters; x++)
        free(A->letter[x]);
    free(A->letter);
    free(A->next);
    free(A->accept);
}

void
ckda_dfa_set_letter(ckda_dfa_t A, uint32_t letter, const char *name)
{
    ckda_require(letter < A->nletters, "letter %u of %u", letter, A->nletters);
    char *copy = copy_text(name, strlen(name));
    free(A->letter[letter]);
    A->letter[letter] = copy;
}

int64_t
ckda_dfa_letter(const ckda_dfa_t A, const char *name)
{
    for (uint32_t x = 0; x < A->nletters; x++)
        if (strcmp(A->letter[x], name) == 0)
            return x;
    return -1;
}

uint32_t
ckda_dfa_step(const ckda_dfa_t A, uint32_t state, uint32_t letter)
{
    ckda_require(state < A->states && letter < A->nletters,
                 "state %u of %u, letter %u of %u", state, A->states, letter,
                 A->nletters);
    return A->next[(size_t)letter * A->states + state];
}

uint32_t
ckda_dfa_run(const ckda_dfa_t A, uint32_t state, const ckda_word_t w)
{
    for (size_t t = 0; t < w->length; t++)
        state = ckda_dfa_step(A, state, w->letter[t]);
    return state;
}

bool
ckda_dfa_equal(const ckda_dfa_t A, const ckda_dfa_t B)
{
    if (A->states != B->states || A->start != B->start || A->nletters != B->nletters)
        return false;
    for (uint32_t x = 0; x < A->nletters; x++)
        if (strcmp(A->letter[x], B->letter[x]) != 0)
            return false;
    const size_t edges = (size_t)A->states * A->nletters;
    return memcmp(A->next, B->next, edges * sizeof *A->next) == 0
           && memcmp(A->accept, B->accept, A->states * sizeof *A->accept) == 0;
}

/* ---- letters as maps of the states ------------------------------------------------- */

void
ckda_dfa_letter_map(long *image, const ckda_dfa_t A, uint32_t letter)
{
    for (uint32_t q = 0; q < A->states; q++)
        image[q] = (long)ckda_dfa_step(A, q, letter);
}

/* Two states that the letter sends to one; false for a permutation. */
static bool
find_merge(uint32_t *p, uint32_t *q, const ckda_dfa_t A, uint32_t letter)
{
    uint32_t *from = checked_alloc(A->states, sizeof *from); /* state + 1, 0 = none */
    bool found = false;
    for (uint32_t i = 0; i < A->states && !found; i++) {
        const uint32_t to = ckda_dfa_step(A, i, letter);
        found = from[to] != 0;
        if (found) {
            *p = from[to] - 1;
            *q = i;
        }
        from[to] = i + 1;
    }
    free(from);
    return found;
}

bool
ckda_dfa_letter_is_permutation(const ckda_dfa_t A, uint32_t letter)
{
    uint32_t p, q;
    return !find_merge(&p, &q, A, letter);
}

bool
ckda_dfa_is_group(uint32_t *at, const ckda_dfa_t A)
{
    for (uint32_t x = 0; x < A->nletters; x++) {
        if (ckda_dfa_letter_is_permutation(A, x))
            continue;
        if (at != NULL)
            *at = x;
        return false;
    }
    return true;
}

ckda_status
ckda_dfa_group(ckda_group_t G, const ckda_dfa_t A, uint32_t max_order, ckda_error *err)
{
    uint32_t x = 0, p = 0, q = 0;
    if (!ckda_dfa_is_group(&x, A)) {
        (void)find_merge(&p, &q, A, x);
        ckda_error_set(err,
                       "expected letters that permute the states, found \"%.60s\", which "
                       "sends both %u and %u to %u",
                       A->letter[x], p, q, ckda_dfa_step(A, q, x));
        return CKDA_E_DOMAIN;
    }
    if (A->states > CKDA_PERM_MAX) {
        ckda_error_set(err, "expected at most %d states to permute, found %u",
                       CKDA_PERM_MAX, A->states);
        return CKDA_E_UNABLE;
    }
    ckda_perm *gens = checked_alloc(A->nletters, sizeof *gens);
    for (x = 0; x < A->nletters; x++) {
        gens[x].n = (int)A->states;
        for (q = 0; q < A->states; q++)
            gens[x].image[q] = (uint8_t)ckda_dfa_step(A, q, x);
    }
    const ckda_status st = ckda_group_init_generated(
        G, "letters", gens, (const char *const *)A->letter, A->nletters, max_order, err);
    free(gens);
    return st;
}
