/* GAP lists of permutations, in and out. */
#include <stdbool.h>
#include <stdio.h>
#include "ckda/gap.h"
#include "ckda/memstream.h"
#include "io_internal.h"

typedef struct {
    const char *text, *at, *end, *file;
    long max;
    long *image; /* max: the permutation that is being read */
    long *back;  /* max: its inverse, for products of cycles */
    long *cycle; /* max: the points of the cycle that is being read */
    bool *seen;  /* max */
    long n;      /* points so far */
    size_t line; /* of at */
    ckda_error *err;
} reader;

/* ---- places and complaints -------------------------------------------------------- */

static size_t
line_of(const reader *in, const char *at)
{
    size_t line = 1;
    for (const char *c = in->text; c < at; c++)
        line += *c == '\n';
    return line;
}

static size_t
column_of(const reader *in, const char *at)
{
    const char *c = at;
    while (c > in->text && c[-1] != '\n')
        c--;
    return (size_t)(at - c) + 1;
}

static ckda_status
complain(const reader *in, const char *at, const char *expected, const char *found)
{
    ckda_error_set(in->err, "%.200s: line %zu, column %zu: expected %s, found %s",
                   in->file, line_of(in, at), column_of(in, at), expected, found);
    return CKDA_E_INPUT;
}

/* The character that stands there. */
static ckda_status
unexpected(const reader *in, const char *expected)
{
    char found[32];
    if (in->at == in->end)
        return complain(in, in->at, expected, "the end");
    const unsigned char c = (unsigned char)*in->at;
    if (c > ' ' && c < 127)
        snprintf(found, sizeof found, "\"%c\"", c);
    else
        snprintf(found, sizeof found, "the byte 0x%02x", c);
    return complain(in, in->at, expected, found);
}

static void
skip(reader *in)
{
    while (in->at < in->end) {
        if (*in->at == '#')
            while (in->at < in->end && *in->at != '\n')
                in->at++;
        else if (memchr(" \t\r\n", *in->at, 4) != NULL)
            in->line += *in->at++ == '\n';
        else
            return;
    }
}

static bool
is_digit(const reader *in)
{
    return in->at < in->end && *in->at >= '0' && *in->at <= '9';
}

/* What stands next, after blanks; 0 at the end. */
static char
next(reader *in)
{
    skip(in);
    return in->at < in->end ? *in->at : '\0';
}

/* ---- points ------------------------------------------------------------------------ */

/* A point from 1 to max, as 0 .. max-1; *start is where it stands. */
static ckda_status
read_point(long *point, const char **start, reader *in)
{
    char expected[64], found[32];
    long v = 0;
    skip(in);
    *start = in->at;
    if (!is_digit(in))
        return unexpected(in, "a point");
    for (; is_digit(in); in->at++)
        if (v <= in->max)
            v = 10 * v + (*in->at - '0');
    if (v < 1 || v > in->max) {
        snprintf(expected, sizeof expected, "a point from 1 to %ld", in->max);
        snprintf(found, sizeof found, "%.*s",
                 (int)(in->at - *start < 20 ? in->at - *start : 20), *start);
        return complain(in, *start, expected, found);
    }
    *point = v - 1;
    return CKDA_OK;
}

static ckda_status
mark(const reader *in, long point, const char *start)
{
    char found[48];
    if (in->seen[point]) {
        snprintf(found, sizeof found, "%ld again", point + 1);
        return complain(in, start, "every point once (a permutation)", found);
    }
    in->seen[point] = true;
    return CKDA_OK;
}

/* ---- permutations ------------------------------------------------------------------ */

static void
begin(reader *in)
{
    for (long i = 0; i < in->max; i++) {
        in->image[i] = in->back[i] = i;
        in->seen[i] = false;
    }
    in->n = 1;
}

/* The cycle's points, between its brackets; in->at stands on the opening one. */
static ckda_status
read_points(long *length, reader *in)
{
    long n = 0, point = 0;
    const char *start;
    char c;
    in->at++;
    *length = 0;
    if (next(in) == ')') {
        in->at++;
        return CKDA_OK;
    }
    do {
        ckda_status st = read_point(&point, &start, in);
        if (st == CKDA_OK)
            st = mark(in, point, start);
        if (st != CKDA_OK)
            return st;
        in->cycle[n++] = point;
        in->n = point >= in->n ? point + 1 : in->n;
        c = next(in);
        if (c != ',' && c != ')')
            return unexpected(in, "\",\" or \")\"");
        in->at++;
    } while (c == ',');
    *length = n;
    return CKDA_OK;
}

/* What was read so far, then the cycle: GAP multiplies from left to right. */
static void
multiply(reader *in, long length)
{
    const long *c = in->cycle;
    long from = length > 0 ? in->back[c[0]] : 0; /* what leads to c[i] so far */
    for (long i = 0; i < length; i++) {
        const long to = c[i + 1 < length ? i + 1 : 0], next_from = in->back[to];
        in->image[from] = to;
        in->back[to] = from;
        in->seen[to] = false; /* another cycle may name it again */
        from = next_from;
    }
}

static ckda_status
read_cycles(reader *in)
{
    long length;
    ckda_status st = CKDA_OK;
    while (st == CKDA_OK && next(in) == '(') {
        st = read_points(&length, in);
        if (st == CKDA_OK)
            multiply(in, length);
    }
    return st;
}

/* [2,3,1]: a list of n different points among 1 .. n. */
static ckda_status
read_images(reader *in)
{
    char expected[96], found[48];
    const char *open = in->at, *start;
    long count = 0, largest = 0, point = 0;
    const char *where = open;
    do {
        in->at++;
        ckda_status st = count < in->max ? read_point(&point, &start, in)
                                         : unexpected(in, "fewer images");
        if (st == CKDA_OK)
            st = mark(in, point, start);
        if (st != CKDA_OK)
            return st;
        in->image[count++] = point;
        if (point >= largest) {
            largest = point + 1;
            where = start;
        }
    } while (next(in) == ',');
    if (in->at == in->end || *in->at != ']')
        return unexpected(in, "\",\" or \"]\"");
    in->at++;
    in->n = count;
    if (largest == count)
        return CKDA_OK;
    snprintf(expected, sizeof expected, "images from 1 to %ld in a list of %ld", count,
             count);
    snprintf(found, sizeof found, "%ld", largest);
    return complain(in, where, expected, found);
}

static ckda_status
read_perm(ckda_gap_perm *p, reader *in)
{
    static const char *const what =
        "a permutation (cycles such as (1,2,3) or a list of images such as [2,3,1])";
    const char c = next(in);
    const size_t line = in->line;
    begin(in);
    if (c >= '0' && c <= '9')
        return complain(
            in, in->at, what,
            "a number (a single list of images needs another pair of brackets)");
    if (c != '(' && c != '[')
        return unexpected(in, what);
    const ckda_status st = c == '(' ? read_cycles(in) : read_images(in);
    if (st != CKDA_OK)
        return st;
    p->n = in->n;
    p->line = line;
    p->image = checked_realloc(NULL, (size_t)in->n, sizeof *p->image);
    memcpy(p->image, in->image, (size_t)in->n * sizeof *p->image);
    return CKDA_OK;
}

/* ---- lists ------------------------------------------------------------------------- */

static ckda_status
read_list(ckda_gap_t L, reader *in)
{
    size_t room = 0;
    char most[48];
    if (next(in) != '[')
        return unexpected(in, "a GAP list of permutations, \"[\"");
    do {
        in->at++;
        if (L->count == CKDA_GAP_MAX) {
            snprintf(most, sizeof most, "at most %d permutations", CKDA_GAP_MAX);
            return complain(in, in->at, most, "more");
        }
        if (L->count == room) {
            room = 2 * room + 8;
            L->perm = checked_realloc(L->perm, room, sizeof *L->perm);
        }
        const ckda_status st = read_perm(&L->perm[L->count], in);
        if (st != CKDA_OK)
            return st;
        L->count++;
    } while (next(in) == ',');
    if (in->at == in->end || *in->at != ']')
        return unexpected(in, "\",\" or \"]\"");
    in->at++;
    if (next(in) == ';')
        in->at++;
    return next(in) == '\0' && in->at == in->end ? CKDA_OK : unexpected(in, "the end");
}

ckda_status
ckda_gap_parse(ckda_gap_t L, const char *text, size_t len, const char *file,
               long max_points, ckda_error *err)
{
    ckda_require(max_points >= 1, "%ld points", max_points);
    ckda_gap_t new = {{0, NULL}};
    reader in = {.text = text,
                 .at = text,
                 .end = text + len,
                 .file = file,
                 .max = max_points,
                 .line = 1,
                 .err = err};
    in.image = checked_realloc(NULL, (size_t)max_points, sizeof *in.image);
    in.back = checked_realloc(NULL, (size_t)max_points, sizeof *in.back);
    in.cycle = checked_realloc(NULL, (size_t)max_points, sizeof *in.cycle);
    in.seen = checked_realloc(NULL, (size_t)max_points, sizeof *in.seen);
    const ckda_status st = read_list(new, &in);
    free(in.image);
    free(in.back);
    free(in.cycle);
    free(in.seen);
    if (st == CKDA_OK)
        *L = *new;
    else
        ckda_gap_clear(new);
    return st;
}

void
ckda_gap_clear(ckda_gap_t L)
{
    for (size_t i = 0; i < L->count; i++)
        free(L->perm[i].image);
    free(L->perm);
}

/* ---- writing ----------------------------------------------------------------------- */

static void
write_perm(FILE *out, const ckda_gap_perm *p)
{
    bool *done = checked_realloc(NULL, (size_t)p->n, sizeof *done);
    bool any = false;
    memset(done, 0, (size_t)p->n * sizeof *done);
    for (long i = 0; i < p->n; i++) {
        if (done[i] || p->image[i] == i)
            continue;
        any = true;
        fprintf(out, "(%ld", i + 1);
        for (long j = p->image[i]; j != i; j = p->image[j]) {
            done[j] = true;
            fprintf(out, ",%ld", j + 1);
        }
        fprintf(out, ")");
    }
    fprintf(out, "%s", any ? "" : "()");
    free(done);
}

char *
ckda_gap_write(const ckda_gap_t L)
{
    ckda_memstream text;
    ckda_memstream_open(&text);
    FILE *out = text.out;
    for (size_t i = 0; i < L->count; i++) {
        fprintf(out, "%s", i == 0 ? "[ " : ",\n  ");
        write_perm(out, &L->perm[i]);
    }
    fprintf(out, "%s\n", L->count == 0 ? "[ ]" : " ]");
    return ckda_memstream_close(&text, NULL);
}
