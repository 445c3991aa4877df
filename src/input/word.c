/* Words from the command line: letters, random:LENGTH, @FILE. */
#include <stdlib.h>
#include <string.h>
#include "input_internal.h"

/* The text of a word: what was given, or what the file holds (*owned, free()).  *file is
 * NULL where there is none. */
static ckda_status
fetch(const char **text, char **owned, const char **file, const char *given,
      ckda_error *err)
{
    size_t len;
    *owned = NULL;
    *file = NULL;
    *text = given;
    if (given[0] != '@')
        return CKDA_OK;
    *file = given + 1;
    const ckda_status st = ckda_file_read(owned, &len, *file, err);
    if (st != CKDA_OK)
        return st;
    if (memchr(*owned, '\0', len) != NULL) {
        ckda_error_set(err, "%.200s: expected letters, found a NUL byte", *file);
        free(*owned);
        return CKDA_E_INPUT;
    }
    *text = *owned;
    return CKDA_OK;
}

static ckda_status
finish(ckda_status st, char *owned, const char *file, ckda_error *err)
{
    free(owned);
    if (st != CKDA_OK)
        ckda_error_prefix(err, file != NULL ? file : "word");
    return st;
}

ckda_status
ckda_input_word_group(ckda_word_t w, const ckda_group_t G, const uint32_t *letters,
                      uint32_t nletters, const char *text, ckda_rand *r, ckda_error *err)
{
    char *owned;
    const char *file;
    ckda_status st = fetch(&text, &owned, &file, text, err);
    if (st != CKDA_OK)
        return st;
    st = ckda_word_parse(w, G, letters, nletters, text, r, err);
    return finish(st, owned, file, err);
}

ckda_status
ckda_input_word_names(ckda_word_t w, const char *const *names, uint32_t nnames,
                      const char *text, ckda_rand *r, ckda_error *err)
{
    char *owned;
    const char *file;
    ckda_status st = fetch(&text, &owned, &file, text, err);
    if (st != CKDA_OK)
        return st;
    st = ckda_word_parse_names(w, names, nnames, text, r, err);
    return finish(st, owned, file, err);
}

ckda_status
ckda_input_word(ckda_word_t w, const ckda_input_t in, const char *text, ckda_rand *r,
                ckda_error *err)
{
    switch (in->kind) {
    case CKDA_INPUT_GROUP:
        return ckda_input_word_group(w, in->G, in->all_letters ? NULL : in->G->generator,
                                     in->G->ngen, text, r, err);
    case CKDA_INPUT_DFA:
        return ckda_input_word_names(w, (const char *const *)in->dfa->letter,
                                     in->dfa->nletters, text, r, err);
    case CKDA_INPUT_WFA:
        return ckda_input_word_names(w, (const char *const *)in->wfa->letter,
                                     in->wfa->nletters, text, r, err);
    case CKDA_INPUT_AFFINE:
        return ckda_input_word_names(w, (const char *const *)in->letter, in->nletters,
                                     text, r, err);
    default:
        ckda_error_set(err,
                       "expected a group, an automaton or an affine system to read a "
                       "word, found a document of kind \"%s\"",
                       ckda_input_kind_name(in->kind));
        return CKDA_E_DOMAIN;
    }
}

/* From element indices to the letters that stand for them. */
static void
to_letters(ckda_word_t w, const ckda_input_system_t s)
{
    uint32_t *letter = flint_malloc(s->c->G->order * sizeof *letter);
    for (uint32_t i = s->sys->nletters; i-- > 0;) /* the first of equal ones stays */
        letter[s->element[i]] = i;
    for (size_t t = 0; t < w->length; t++)
        w->letter[t] = letter[w->letter[t]];
    flint_free(letter);
}

ckda_status
ckda_input_system_word(ckda_word_t w, const ckda_input_system_t s, const char *text,
                       ckda_rand *r, ckda_error *err)
{
    if (!s->constructed)
        return ckda_input_word_names(w, (const char *const *)s->letter, s->sys->nletters,
                                     text, r, err);
    const bool all = s->sys->nletters == s->c->G->order;
    const ckda_status st = ckda_input_word_group(w, s->c->G, all ? NULL : s->element,
                                                 s->sys->nletters, text, r, err);
    if (st == CKDA_OK)
        to_letters(w, s);
    return st;
}
