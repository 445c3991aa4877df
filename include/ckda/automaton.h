/* ckda/automaton.h -- deterministic finite automata.  No matrices here.
 *
 * States and letters are numbered from 0; letters have names.                          */
#ifndef CKDA_AUTOMATON_H
#define CKDA_AUTOMATON_H
#include <stdbool.h>
#include <stdint.h>
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

#ifdef __cplusplus
}
#endif
#endif
