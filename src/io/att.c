/* Tables of automata in AT&T text: names, building, writing. */
#include <stdio.h>
#include "att_internal.h"
#include "ckda/memstream.h"

/* ---- names ------------------------------------------------------------------------- */

static uint32_t
hash_name(const char *name)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (; *name != '\0'; name++)
        h = (h ^ (unsigned char)*name) * 16777619u;
    return h ^ h >> 15;
}

static uint32_t
find_slot(const ckda_att_names *t, const char *name)
{
    uint32_t slot = hash_name(name) & t->mask;
    while (t->slot[slot] != 0 && strcmp(t->name[t->slot[slot] - 1], name) != 0)
        slot = (slot + 1) & t->mask;
    return slot;
}

/* Twice the slots; at most half of them are in use, so that every probe ends. */
static void
grow_names(ckda_att_names *t)
{
    const uint32_t room = t->slot == NULL ? 32 : t->mask + 1;
    t->mask = 2 * room - 1;
    t->name = checked_realloc(t->name, room, sizeof *t->name);
    t->line = checked_realloc(t->line, room, sizeof *t->line);
    t->slot = checked_realloc(t->slot, 2 * (size_t)room, sizeof *t->slot);
    memset(t->slot, 0, 2 * (size_t)room * sizeof *t->slot);
    for (uint32_t i = 0; i < t->count; i++)
        t->slot[find_slot(t, t->name[i])] = i + 1;
}

static uint32_t
intern(ckda_att_names *t, const char *name, size_t line)
{
    if (t->slot == NULL || 2 * (t->count + 1) > t->mask)
        grow_names(t);
    const uint32_t slot = find_slot(t, name);
    if (t->slot[slot] != 0)
        return t->slot[slot] - 1;
    t->name[t->count] = copy_text(name, strlen(name));
    t->line[t->count] = line;
    t->slot[slot] = ++t->count;
    return t->count - 1;
}

static void
clear_names(ckda_att_names *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        free(t->name[i]);
    free(t->name);
    free(t->line);
    free(t->slot);
}

/* ---- building ---------------------------------------------------------------------- */

void
ckda_att_init(ckda_att_t T, const char *file)
{
    memset(T, 0, sizeof *T);
    T->file = copy_text(file, strlen(file));
}

void
ckda_att_clear(ckda_att_t T)
{
    for (size_t i = 0; i < T->narcs; i++)
        free(T->arc[i].weight);
    for (size_t i = 0; i < T->nfinals; i++)
        free(T->final[i].weight);
    free(T->arc);
    free(T->final);
    clear_names(&T->state);
    clear_names(&T->label);
    free(T->file);
}

uint32_t
ckda_att_add_state(ckda_att_t T, const char *name, size_t line)
{
    return intern(&T->state, name, line);
}

uint32_t
ckda_att_add_label(ckda_att_t T, const char *name, size_t line)
{
    return intern(&T->label, name, line);
}

static char *
copy_weight(const char *weight)
{
    return weight != NULL ? copy_text(weight, strlen(weight)) : NULL;
}

void
ckda_att_add_arc(ckda_att_t T, uint32_t from, uint32_t to, uint32_t label,
                 const char *weight, size_t line)
{
    ckda_require(from < T->state.count && to < T->state.count && label < T->label.count,
                 "states %u, %u of %u, label %u of %u", from, to, T->state.count, label,
                 T->label.count);
    if (T->narcs == T->arcs_room) {
        T->arcs_room = 2 * T->arcs_room + 16;
        T->arc = checked_realloc(T->arc, T->arcs_room, sizeof *T->arc);
    }
    T->arc[T->narcs++] = (ckda_att_arc){from, to, label, copy_weight(weight), line};
    T->weighted = T->weighted || weight != NULL;
}

void
ckda_att_add_final(ckda_att_t T, uint32_t state, const char *weight, size_t line)
{
    ckda_require(state < T->state.count, "state %u of %u", state, T->state.count);
    if (T->nfinals == T->finals_room) {
        T->finals_room = 2 * T->finals_room + 16;
        T->final = checked_realloc(T->final, T->finals_room, sizeof *T->final);
    }
    T->final[T->nfinals++] = (ckda_att_final){state, copy_weight(weight), line};
}

/* ---- writing ----------------------------------------------------------------------- */

bool
att_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool
att_is_epsilon(const char *label)
{
    return strcmp(label, "<eps>") == 0 || strcmp(label, "<epsilon>") == 0;
}

static ckda_status
check_word(const char *word, const char *what, ckda_error *err)
{
    bool good = *word != '\0' && *word != '#';
    for (const char *c = word; *c != '\0'; c++)
        good = good && (unsigned char)*c > ' ' && *c != 127;
    if (good)
        return CKDA_OK;
    ckda_error_set(err,
                   "AT&T text: expected a %s without blanks that does not begin with #, "
                   "found \"%.60s\"",
                   what, word);
    return CKDA_E_DOMAIN;
}

static ckda_status
check_names(const ckda_att_t T, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    for (uint32_t i = 0; i < T->state.count && st == CKDA_OK; i++)
        st = check_word(T->state.name[i], "state", err);
    for (uint32_t i = 0; i < T->label.count && st == CKDA_OK; i++) {
        st = check_word(T->label.name[i], "label", err);
        if (st == CKDA_OK && att_is_epsilon(T->label.name[i])) {
            ckda_error_set(err, "AT&T text: expected letters, found \"%s\"",
                           T->label.name[i]);
            st = CKDA_E_DOMAIN;
        }
    }
    return st;
}

static void
write_weight(FILE *out, const char *weight)
{
    fprintf(out, "%s%s\n", weight != NULL ? " " : "", weight != NULL ? weight : "");
}

ckda_status
ckda_att_write(char **text, const ckda_att_t T, ckda_error *err)
{
    ckda_memstream m;
    const ckda_status st = check_names(T, err);
    if (st != CKDA_OK)
        return st;
    if (T->narcs == 0 || T->arc[0].from != T->start) {
        ckda_error_set(err,
                       "AT&T text: expected a first transition from the start state");
        return CKDA_E_DOMAIN;
    }
    ckda_memstream_open(&m);
    FILE *out = m.out;
    for (size_t i = 0; i < T->narcs; i++) {
        const ckda_att_arc *a = &T->arc[i];
        fprintf(out, "%s %s %s", T->state.name[a->from], T->state.name[a->to],
                T->label.name[a->label]);
        write_weight(out, a->weight);
    }
    for (size_t i = 0; i < T->nfinals; i++) {
        fprintf(out, "%s", T->state.name[T->final[i].state]);
        write_weight(out, T->final[i].weight);
    }
    *text = ckda_memstream_close(&m, NULL);
    return CKDA_OK;
}
