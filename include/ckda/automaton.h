/* ckda/automaton.h -- deterministic finite automata.  No matrices here.
 *
 * States and letters are numbered from 0; letters have names.  When a function returns
 * anything but CKDA_OK its results keep the values they had.                            */
#ifndef CKDA_AUTOMATON_H
#define CKDA_AUTOMATON_H
#include <stdbool.h>
#include <stdint.h>
#include "ckda/group.h"
#include "ckda/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t states, start, nletters;
    char **letter;  /* names, owned */
    uint32_t *next; /* next[letter * states + state]; complete */
    bool *accept;   /* states */
} ckda_dfa_struct;
typedef ckda_dfa_struct ckda_dfa_t[1];

/* All transitions to state 0, nothing accepted, letters named "0", "1", ...; states >= 1. */
void ckda_dfa_init(ckda_dfa_t A, uint32_t states, uint32_t nletters);
void ckda_dfa_clear(ckda_dfa_t A);
/* Copies the name. */
void ckda_dfa_set_letter(ckda_dfa_t A, uint32_t letter, const char *name);
/* The letter of this name, or -1. */
int64_t ckda_dfa_letter(const ckda_dfa_t A, const char *name);
uint32_t ckda_dfa_step(const ckda_dfa_t A, uint32_t state, uint32_t letter);
/* The state that a word (letter indices, in time order) leads to from `state`. */
uint32_t ckda_dfa_run(const ckda_dfa_t A, uint32_t state, const ckda_word_t w);
/* The same numbers, names, transitions and accepting states? */
bool ckda_dfa_equal(const ckda_dfa_t A, const ckda_dfa_t B);

/* image[q] = step(q, letter), `states` of them: the transformation of a letter as the image
 * list that ckda_mat_set_map and ckda_factor_map read (long is FLINT's slong). */
void ckda_dfa_letter_map(long *image, const ckda_dfa_t A, uint32_t letter);
bool ckda_dfa_letter_is_permutation(const ckda_dfa_t A, uint32_t letter);
/* Is every letter a permutation of the states?  If not and at != NULL, *at is the first
 * letter that is none. */
bool ckda_dfa_is_group(uint32_t *at, const ckda_dfa_t A);
/* The group that the letters generate, letters as named generators; G is initialised here.
 * CKDA_E_DOMAIN when a letter is no permutation (the message names it and two states that
 * meet), CKDA_E_UNABLE beyond CKDA_PERM_MAX states or max_order elements. */
CKDA_MUST_CHECK ckda_status ckda_dfa_group(ckda_group_t G, const ckda_dfa_t A,
                                           uint32_t max_order, ckda_error *err);

#ifdef __cplusplus
}
#endif
#endif
