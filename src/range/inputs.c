/* Given inputs: every intermediate computed in the field (or in balls) and compared. */
#include <stdlib.h>
#include <string.h>

#include "range_internal.h"

enum { START_PREC = 256, LAST_PREC = 4096 };

void
rg_inputs_clear(rg_inputs *in, const ckda_field_t K)
{
    const struct {
        ckda_elem_struct *x;
        slong n;
    } list[] = {{in->keys, in->n * in->d},    {in->betas, in->n},
                {in->gram, in->n * in->n},    {in->gates, in->n * in->gate_width},
                {in->values, in->n * in->dv}, {in->initial, in->d * in->dv}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (list[i].x != NULL)
            ckda_elem_vec_free(list[i].x, list[i].n, K);
}

/* The largest magnitudes of one intermediate over the chunks. */
typedef struct {
    char name[40];
    const char *about;
    const ckda_fp_format *format;
    rg_value largest;
    slong chunk, row, col;
} summary;

typedef struct {
    summary *s;
    slong n, chunk;
    const rg_ctx *c;
} summaries;

/* Takes the largest of rows x cols entries into the summary of this name; gives the summary
 * if that entry is the largest so far, else NULL. */
static summary *
add(summaries *all, const char *name, const char *about, const ckda_fp_format *f,
    const rg_num *x, slong rows, slong cols, slong row0)
{
    slong k = 0, at;
    rg_value v;
    while (k < all->n && strcmp(all->s[k].name, name) != 0)
        k++;
    if (k == all->n) {
        all->s = flint_realloc(all->s, (size_t)(k + 1) * sizeof *all->s);
        all->s[k] = (summary){.about = about, .format = f, .chunk = -1};
        snprintf(all->s[k].name, sizeof all->s[k].name, "%s", name);
        rg_value_init(&all->s[k].largest);
        all->n++;
    }
    summary *s = all->s + k;
    rg_value_init(&v);
    rg_largest(&v, &at, x, rows * cols, all->c);
    const bool larger =
        at >= 0 && (s->chunk < 0 || rg_value_less(&s->largest, &v) != CKDA_FALSE);
    if (larger) {
        rg_value_set(&s->largest, &v);
        s->chunk = all->chunk;
        s->row = row0 + at / cols;
        s->col = (rows == cols ? row0 : 0) + at % cols;
    }
    rg_value_clear(&v);
    return larger ? s : NULL;
}

/* Powers and products of one diagonal block of n tokens. */
static void
neumann(summaries *all, const rg_num *L, slong n, slong row0, const ckda_range_scheme *s)
{
    const rg_ctx *c = all->c;
    char name[40];
    rg_num *P = rg_new(n * n, c), *Q = rg_new(n * n, c), *X = rg_new(n * n, c),
           *Y = rg_new(n * n, c);
    for (slong i = 0; i < n * n; i++) {
        rg_set(P + i, L + i, c);
        rg_neg(X + i, L + i, c);
        if (i % (n + 1) == 0)
            rg_one(X + i, c);
    }
    for (slong m = 2; m < n; m *= 2) {
        rg_matmul(Q, P, P, n, n, n, c);
        rg_num *swap = P;
        P = Q;
        Q = swap;
        snprintf(name, sizeof name, "L^%ld", (long)m);
        add(all, name, "power of L in the Neumann product", s->matrix, P, n, n, row0);
        rg_matmul(Y, X, P, n, n, n, c);
        for (slong i = 0; i < n * n; i++)
            rg_add(X + i, X + i, Y + i, c);
        if (2 * m < n) {
            snprintf(name, sizeof name, "product to L^%ld", (long)m);
            add(all, name, "(I - L)(I + L^2)... up to this factor", s->matrix, X, n, n,
                row0);
        }
    }
    rg_free(P, n * n, c);
    rg_free(Q, n * n, c);
    rg_free(X, n * n, c);
    rg_free(Y, n * n, c);
}

/* The n x n block at row0 of an N x N matrix. */
static rg_num *
block_of(const rg_num *A, slong N, slong row0, slong n, const rg_ctx *c)
{
    rg_num *B = rg_new(n * n, c);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++)
            rg_set(B + i * n + j, A + (row0 + i) * N + row0 + j, c);
    return B;
}

/* Partial sums of L_il T_lj over l, ascending: those of row i of T in one list. */
static void
partial_sums(summaries *all, const rg_num *L, const rg_num *T, slong n, slong row0,
             const ckda_range_scheme *s)
{
    const rg_ctx *c = all->c;
    rg_num *sum = rg_new(n * n, c);
    for (slong i = 1; i < n; i++) {
        for (slong l = 0; l < i; l++)
            for (slong j = 0; j < i; j++) {
                rg_num *x = sum + l * i + j;
                if (l == 0)
                    rg_zero(x, c);
                else
                    rg_set(x, x - i, c);
                if (j <= l)
                    rg_addmul(x, L + i * n + l, T + l * n + j, c);
            }
        summary *largest =
            add(all, "partial sums", "sums of the substitution, terms in ascending order",
                s->matrix, sum, i, i, row0);
        if (largest != NULL)
            largest->row = row0 + i;
    }
    rg_free(sum, n * n, c);
}

/* Is a worse news than b? */
static bool
is_worse(const ckda_range_emulation *a, const ckda_range_emulation *b)
{
    if (!b->present || a->fits == b->fits)
        return !b->present || a->nonfinite > b->nonfinite;
    return a->fits == CKDA_FALSE || b->fits == CKDA_TRUE;
}

static void
emulate(ckda_range_chunk *r, const rg_num *L, const rg_num *T, slong n,
        const fmpq_t tolerance, const rg_ctx *c)
{
    ckda_range_emulation e = {0};
    uint64_t *l = flint_calloc((size_t)(2 * n * n), sizeof *l), *t = l + n * n;
    bool decided = true;
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < i; j++)
            decided =
                rg_round(l + i * n + j, L + i * n + j, r->scheme.matrix, c) == CKDA_OK
                && decided;
    if (decided) {
        rg_emulate(t, l, n, &r->scheme);
        rg_emulation_judge(&e, t, T, n, tolerance, &r->scheme, c);
    } else {
        e = (ckda_range_emulation){.present = true, .fits = CKDA_UNKNOWN, .tokens = n};
    }
    if (is_worse(&e, &r->emulation)) {
        rg_emulation_clear(&r->emulation);
        r->emulation = e;
    } else {
        rg_emulation_clear(&e);
    }
    flint_free(l);
}

static void
judge_chunk(ckda_range_chunk *r, summaries *all, const rg_inputs *in, slong first,
            slong n, const fmpq_t tolerance)
{
    const ckda_range_scheme *s = &r->scheme;
    const rg_ctx *c = all->c;
    rg_chunk k;
    rg_chunk_init(&k, in, first, n, false, c);
    add(all, "L", "beta_i times decayed inner product of the keys", s->matrix, k.L, n, n,
        0);
    for (slong row0 = 0; row0 < n; row0 += s->block) {
        const slong b = row0 + s->block < n ? s->block : n - row0;
        rg_num *L = block_of(k.L, n, row0, b, c), *T = block_of(k.T, n, row0, b, c);
        if (s->inverse == CKDA_INVERSE_NEUMANN)
            neumann(all, L, b, row0, s);
        else
            partial_sums(all, L, T, b, row0, s);
        emulate(r, L, T, b, tolerance, c);
        rg_free(L, b * b, c);
        rg_free(T, b * b, c);
    }
    add(all, "T", "(I + L)^-1", s->matrix, k.T, n, n, 0);
    if (k.d > 0)
        add(all, "W", "T diag(beta) times decayed keys", s->wy, k.W, n, k.d, 0);
    if (k.dv > 0)
        add(all, "U", "T diag(beta) times values", s->wy, k.U, n, k.dv, 0);
    rg_chunk_clear(&k, c);
}

static void
judge_at(ckda_range_chunk *r, const rg_inputs *in, const rg_ctx *c,
         const fmpq_t tolerance)
{
    summaries all = {.c = c};
    if (in->gates != NULL)
        rg_factors_judge(r, in, c);
    for (slong first = 0; first < in->n; first += r->scheme.length) {
        all.chunk = first / r->scheme.length;
        judge_chunk(r, &all, in, first,
                    first + r->scheme.length < in->n ? r->scheme.length : in->n - first,
                    tolerance);
    }
    for (slong k = 0; k < all.n; k++) {
        summary *s = all.s + k;
        ckda_range_item *i = rg_new_item(r, s->name, s->about, s->format);
        rg_item_judge(i, &s->largest, &s->largest);
        i->chunk = s->chunk;
        i->row = s->row;
        i->col = s->col;
        rg_value_clear(&s->largest);
    }
    flint_free(all.s);
    rg_laws_judge(&r->laws, in, r->scheme.length, c);
}

static void
forget(ckda_range_chunk *r)
{
    for (size_t i = 0; i < r->nitems; i++)
        rg_item_clear(r->item + i);
    r->nitems = 0;
    rg_emulation_clear(&r->emulation);
    flint_free(r->laws.state);
    r->laws = (ckda_range_laws){0};
}

static bool
all_decided(const ckda_range_chunk *r)
{
    bool decided = !r->emulation.present || r->emulation.fits != CKDA_UNKNOWN;
    for (size_t i = 0; i < r->nitems; i++)
        decided = decided && r->item[i].fits != CKDA_UNKNOWN;
    return decided;
}

void
rg_inputs_judge(ckda_range_chunk *r, const rg_inputs *in, const ckda_field_t K,
                const fmpq_t tolerance)
{
    rg_ctx c = {.exact = in->gates == NULL || in->alpha, .K = K, .prec = START_PREC};
    r->balls = !c.exact;
    judge_at(r, in, &c, tolerance);
    while (!c.exact && !all_decided(r) && c.prec < LAST_PREC) {
        c.prec *= 4;
        forget(r);
        judge_at(r, in, &c, tolerance);
    }
}
