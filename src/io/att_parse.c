/* AT&T text to a table. */
#include <jansson.h>
#include <stdio.h>
#include "att_internal.h"

enum { FIELDS = 4 }; /* of the longest line: from to label weight */

typedef struct {
    ckda_att_struct *T;
    size_t line;
    int count; /* fields of this line, also beyond FIELDS */
    char *field[FIELDS + 1];
    ckda_error *err;
} reader;

static ckda_status
complain(const reader *in, const char *expected, const char *found)
{
    ckda_error_set(in->err, "%.200s: line %zu: expected %s, found %s", in->T->file,
                   in->line, expected, found);
    return CKDA_E_INPUT;
}

static void
clear_fields(reader *in)
{
    for (int i = 0; i < in->count && i <= FIELDS; i++)
        free(in->field[i]);
    in->count = 0;
}

/* Names go into documents, which are UTF-8. */
static ckda_status
check_name(const reader *in, const char *name)
{
    json_t *text = json_string(name);
    char found[96];
    if (text != NULL) {
        json_decref(text);
        return CKDA_OK;
    }
    snprintf(found, sizeof found, "\"%.40s\" in another encoding", name);
    return complain(in, "UTF-8", found);
}

/* Splits text[0 .. len-1], one line, into fields. */
static ckda_status
split_line(reader *in, const char *text, size_t len)
{
    char found[40];
    in->count = 0;
    for (size_t i = 0; i < len;) {
        if (att_is_blank(text[i])) {
            i++;
            continue;
        }
        if (text[i] == '#')
            break;
        const size_t start = i;
        for (; i < len && !att_is_blank(text[i]); i++) {
            const unsigned char c = (unsigned char)text[i];
            if (c < ' ' || c == 127) {
                snprintf(found, sizeof found, "the byte 0x%02x", c);
                return complain(in, "text", found);
            }
        }
        if (in->count++ > FIELDS)
            continue;
        in->field[in->count - 1] = copy_text(text + start, i - start);
        const ckda_status st = check_name(in, in->field[in->count - 1]);
        if (st != CKDA_OK)
            return st;
    }
    return CKDA_OK;
}

static ckda_status
add_final(const reader *in)
{
    const uint32_t q = ckda_att_add_state(in->T, in->field[0], in->line);
    ckda_att_add_final(in->T, q, in->count == 2 ? in->field[1] : NULL, in->line);
    return CKDA_OK;
}

static ckda_status
add_arc(const reader *in)
{
    char found[96];
    if (att_is_epsilon(in->field[2])) {
        snprintf(found, sizeof found, "the empty word's label \"%s\"", in->field[2]);
        return complain(in, "a letter", found);
    }
    const uint32_t from = ckda_att_add_state(in->T, in->field[0], in->line);
    const uint32_t to = ckda_att_add_state(in->T, in->field[1], in->line);
    const uint32_t label = ckda_att_add_label(in->T, in->field[2], in->line);
    ckda_att_add_arc(in->T, from, to, label, in->count == 4 ? in->field[3] : NULL,
                     in->line);
    return CKDA_OK;
}

static ckda_status
add_line(const reader *in)
{
    char found[96];
    if (in->count == 0)
        return CKDA_OK;
    if (in->count <= 2)
        return add_final(in);
    if (in->count <= FIELDS)
        return add_arc(in);
    snprintf(found, sizeof found,
             "%d fields (a transducer has two labels, an automaton one)", in->count);
    return complain(in, "\"from to label\" or \"from to label weight\"", found);
}

/* ---- the whole table -------------------------------------------------------------- */

/* A weight of a final state in a table without weights is most likely a transition whose
 * label was forgotten; a state that is final twice is most likely a typing error. */
static ckda_status
check_finals(reader *in)
{
    const ckda_att_struct *T = in->T;
    char found[160];
    ckda_status st = CKDA_OK;
    size_t *seen = checked_realloc(NULL, T->state.count, sizeof *seen);
    memset(seen, 0, T->state.count * sizeof *seen);
    for (size_t i = 0; i < T->nfinals && st == CKDA_OK; i++) {
        const ckda_att_final *f = &T->final[i];
        in->line = f->line;
        if (f->weight != NULL && !T->weighted) {
            snprintf(
                found, sizeof found,
                "two fields, \"%.40s %.40s\" (a final weight needs a transition with "
                "a weight)",
                T->state.name[f->state], f->weight);
            st = complain(in, "\"from to label\" or a final state alone", found);
        } else if (seen[f->state] != 0) {
            snprintf(found, sizeof found, "\"%.60s\" again (first in line %zu)",
                     T->state.name[f->state], seen[f->state]);
            st = complain(in, "every final state once", found);
        }
        seen[f->state] = f->line;
    }
    free(seen);
    return st;
}

/* The number that a name of 0 .. n-1 says, or n.  Leading zeros make another name. */
static uint32_t
number_of(const char *name, uint32_t n)
{
    uint64_t v = 0;
    const char *c = name;
    if (*c == '0' && c[1] != '\0')
        return n;
    for (; *c >= '0' && *c <= '9' && v < n; c++)
        v = 10 * v + (uint64_t)(*c - '0');
    return c != name && *c == '\0' && v < n ? (uint32_t)v : n;
}

/* States called 0 .. n-1 get the numbers that their names say.  The names differ, so n of
 * them below n are all of them. */
static void
number_states(ckda_att_t T)
{
    const uint32_t n = T->state.count;
    uint32_t *to = checked_realloc(NULL, n, sizeof *to);
    bool all = true;
    for (uint32_t q = 0; q < n && all; q++) {
        to[q] = number_of(T->state.name[q], n);
        all = to[q] < n;
    }
    if (all) {
        ckda_att_names old = T->state;
        const uint32_t room = (old.mask + 1) / 2; /* as when names are added */
        T->state.name = checked_realloc(NULL, room, sizeof *T->state.name);
        T->state.line = checked_realloc(NULL, room, sizeof *T->state.line);
        for (uint32_t q = 0; q < n; q++) {
            T->state.name[to[q]] = old.name[q];
            T->state.line[to[q]] = old.line[q];
        }
        for (uint32_t s = 0; s <= old.mask; s++)
            if (old.slot[s] != 0)
                T->state.slot[s] = to[old.slot[s] - 1] + 1;
        for (size_t i = 0; i < T->narcs; i++) {
            T->arc[i].from = to[T->arc[i].from];
            T->arc[i].to = to[T->arc[i].to];
        }
        for (size_t i = 0; i < T->nfinals; i++)
            T->final[i].state = to[T->final[i].state];
        T->start = to[T->start];
        free(old.name);
        free(old.line);
    }
    free(to);
}

static ckda_status
read_lines(reader *in, const char *text, size_t len)
{
    ckda_status st = CKDA_OK;
    for (const char *end = text + len; text < end && st == CKDA_OK;) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop != NULL ? stop : end;
        in->line++;
        st = split_line(in, text, (size_t)(stop - text));
        if (st == CKDA_OK)
            st = add_line(in);
        clear_fields(in);
        text = stop + 1;
    }
    return st;
}

ckda_status
ckda_att_parse(ckda_att_t T, const char *text, size_t len, const char *file,
               ckda_error *err)
{
    ckda_att_t new;
    ckda_att_init(new, file);
    reader in = {.T = new, .err = err};
    ckda_status st = read_lines(&in, text, len);
    if (st == CKDA_OK && new->narcs == 0) {
        ckda_error_set(
            err, "%.200s: expected an automaton (lines \"from to label\"), found %s",
            file, new->nfinals == 0 ? "nothing" : "no transition");
        st = CKDA_E_INPUT;
    }
    if (st == CKDA_OK)
        st = check_finals(&in);
    if (st != CKDA_OK) {
        ckda_att_clear(new);
        return st;
    }
    number_states(new);
    *T = *new;
    return CKDA_OK;
}
