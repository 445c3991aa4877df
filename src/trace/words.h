/* The tables of a group-word trace, checked (tables.c), for words.c. */
#ifndef CKDA_SRC_TRACE_WORDS_H
#define CKDA_SRC_TRACE_WORDS_H
#include "icosian.h"
#include "trace_internal.h"

typedef struct {
    uint32_t n; /* elements */
    uint32_t identity;
    uint32_t *product;  /* [n * n]: product[a * n + b] is a after b */
    icosian_mat *mat;   /* [n]: the transition of a letter */
    icosian_rot *image; /* [n]: its read-out, a homomorphism on the table */
    double *image_d;    /* [9 * n] */
} word_tables;

/* CKDA_OK with *skipped set when the tables are of a kind that is not known here;
 * CKDA_E_INPUT when they contradict themselves or the letters. */
ckda_status tables_open(word_tables *g, const char **skipped, const ckda_trace *tr,
                        ckda_error *err);
void tables_clear(word_tables *g);
/* Element whose image this is, n if none. */
uint32_t tables_find(const word_tables *g, const icosian_rot *f);

enum { EXACT_GROUP = 8 };
/* All exact states that words of the letters reach from I (states.c). */
typedef struct {
    uint32_t count; /* 0: more than the limit, nothing kept */
    uint32_t *element;
    double *value; /* groups of EXACT_GROUP states, in each [16 * EXACT_GROUP] */
    double gap;    /* least distance between states of different elements */
} exact_states;
void states_open(exact_states *s, const word_tables *g);
void states_clear(exact_states *s);

#endif
