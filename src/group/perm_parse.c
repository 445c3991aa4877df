/* Reading permutations: 1-based disjoint cycles or a 0-based image list. */
#include "group_internal.h"

#include <stdlib.h>

typedef struct {
    const char *text, *at;
    int n;
    ckda_error *err;
} reader;

static ckda_status
complain(const reader *in, const char *expected)
{
    const int column = (int)(in->at - in->text) + 1;
    if (*in->at == '\0')
        ckda_error_set(in->err,
                       "permutation \"%.80s\": column %d: expected %s, found the end",
                       in->text, column, expected);
    else
        ckda_error_set(in->err,
                       "permutation \"%.80s\": column %d: expected %s, found \"%.1s\"",
                       in->text, column, expected, in->at);
    return CKDA_E_INPUT;
}

static void
skip_space(reader *in)
{
    while (is_space(*in->at))
        in->at++;
}

/* A point within lo .. hi. */
static ckda_status
read_point(int *point, reader *in, int lo, int hi)
{
    skip_space(in);
    const char *start = in->at;
    int v = 0;
    if (!is_digit(*start))
        return complain(in, "a point");
    for (; is_digit(*in->at); in->at++)
        if (v <= CKDA_PERM_MAX)
            v = 10 * v + (*in->at - '0');
    if (v < lo || v > hi) {
        ckda_error_set(
            in->err,
            "permutation \"%.80s\": column %d: expected a point from %d to %d, "
            "found %.*s",
            in->text, (int)(start - in->text) + 1, lo, hi,
            (int)(in->at - start < 20 ? in->at - start : 20), start);
        return CKDA_E_INPUT;
    }
    *point = v;
    skip_space(in);
    return CKDA_OK;
}

static ckda_status
mark(bool *seen, int index, int shown, const reader *in)
{
    if (seen[index]) {
        ckda_error_set(
            in->err,
            "permutation \"%.80s\": column %d: expected every point at most once, "
            "found %d again",
            in->text, (int)(in->at - in->text), shown);
        return CKDA_E_INPUT;
    }
    seen[index] = true;
    return CKDA_OK;
}

/* What is known after some cycles. */
typedef struct {
    ckda_perm first_first, last_first; /* their product in both orders */
    bool used[CKDA_PERM_MAX];          /* by one of them */
    const char *again;                 /* the first point that a later one names too */
    int point;
} cycles;

/* One cycle; in->at stands on its opening bracket. */
static ckda_status
read_cycle(ckda_perm *p, cycles *all, reader *in)
{
    bool seen[CKDA_PERM_MAX] = {false};
    int first = -1, last = -1, point;
    ckda_perm_one(p, in->n);
    in->at++;
    skip_space(in);
    if (*in->at == ')') {
        in->at++;
        return CKDA_OK;
    }
    for (;;) {
        ckda_status st = read_point(&point, in, 1, in->n);
        if (st == CKDA_OK)
            st = mark(seen, point - 1, point, in);
        if (st != CKDA_OK)
            return st;
        if (all->used[point - 1] && all->again == NULL) {
            all->again = in->at;
            all->point = point;
        }
        if (first < 0)
            first = point - 1;
        else
            p->image[last] = (uint8_t)(point - 1);
        last = point - 1;
        if (*in->at == ')')
            break;
        if (*in->at != ',')
            return complain(in, "\",\" or \")\"");
        in->at++;
    }
    p->image[last] = (uint8_t)first;
    in->at++;
    for (int i = 0; i < in->n; i++)
        all->used[i] = all->used[i] || seen[i];
    return CKDA_OK;
}

/* GAP applies the first cycle first, most books the last one: nobody should have to know
 * which of them is meant here. */
static ckda_status
not_disjoint(const cycles *all, const reader *in)
{
    char *gap = ckda_perm_str(&all->first_first),
         *other = ckda_perm_str(&all->last_first);
    ckda_error_set(in->err,
                   "permutation \"%.80s\": column %d: expected disjoint cycles, found %d "
                   "again; with the first cycle first, as in GAP, the product is %.200s, "
                   "with the last one first %.200s: write the one that is meant",
                   in->text, (int)(all->again - in->text), all->point, gap, other);
    free(gap);
    free(other);
    return CKDA_E_INPUT;
}

static ckda_status
read_cycles(ckda_perm *p, reader *in)
{
    cycles all = {.again = NULL};
    ckda_perm one;
    ckda_status st = CKDA_OK;
    ckda_perm_one(&all.first_first, in->n);
    ckda_perm_one(&all.last_first, in->n);
    while (st == CKDA_OK && *in->at == '(') {
        st = read_cycle(&one, &all, in);
        if (st != CKDA_OK)
            return st;
        ckda_perm before = all.first_first;
        ckda_perm_mul(&all.first_first, &one, &before);
        before = all.last_first;
        ckda_perm_mul(&all.last_first, &before, &one);
        skip_space(in);
    }
    if (*in->at != '\0')
        return complain(in, "the end");
    if (all.again != NULL)
        return not_disjoint(&all, in);
    *p = all.first_first;
    return CKDA_OK;
}

static ckda_status
read_images(ckda_perm *p, reader *in)
{
    bool seen[CKDA_PERM_MAX] = {false};
    in->at++;
    for (int i = 0; i < in->n; i++) {
        int point;
        ckda_status st = read_point(&point, in, 0, in->n - 1);
        if (st == CKDA_OK)
            st = mark(seen, point, point, in);
        if (st != CKDA_OK)
            return st;
        p->image[i] = (uint8_t)point;
        const char want = i + 1 < in->n ? ',' : ']';
        if (*in->at != want) {
            ckda_error_set(in->err, "permutation \"%.80s\": expected %d images, found %s",
                           in->text, in->n, want == ',' ? "fewer" : "more");
            return CKDA_E_INPUT;
        }
        in->at++;
    }
    return CKDA_OK;
}

ckda_status
ckda_perm_parse(ckda_perm *p, int n, const char *text, ckda_error *err)
{
    ckda_require(n >= 1 && n <= CKDA_PERM_MAX, "degree %d", n);
    reader in = {text, text, n, err};
    ckda_perm q;
    ckda_status st = CKDA_OK;
    ckda_perm_one(&q, n);
    skip_space(&in);
    if (*in.at == '[') {
        st = read_images(&q, &in);
    } else if (*in.at == '(') {
        st = read_cycles(&q, &in);
    } else {
        return complain(&in, "\"(\" or \"[\"");
    }
    if (st != CKDA_OK)
        return st;
    skip_space(&in);
    if (*in.at != '\0')
        return complain(&in, "the end");
    *p = q;
    return CKDA_OK;
}
