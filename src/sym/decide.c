/* decide.c -- one statement: a look for a refuting point, the proof, a longer look.
 *
 * Nothing is called true without the proof and nothing false without a point.          */
#include <string.h>

#include "internal.h"

#define FIRST_POINTS 5 /* admissible points before the proof */
#define FIRST_DRAWS 300
#define LAST_POINTS 300 /* and when there is no proof */
#define LAST_DRAWS 6000

typedef struct {
    ckda_sym *s;
    sym_stmt *st;
    ckda_sym_answer *ans;
    ckda_rand rnd;
    sym_point pt;
    slong degree; /* divides: of f, modulo the relations; -1: not known */
} search;

/* ---- refutation at a point ---- */

static void
refuted(search *q, char *left, char *right, slong row, slong col)
{
    q->ans->truth = CKDA_FALSE;
    q->ans->point = ckda_sym_point_text(q->s, &q->pt);
    q->ans->left = left;
    q->ans->right = right;
    q->ans->row = (long)row + 1;
    q->ans->col = (long)col + 1;
}

static char *
text(search *q, const fmpq_poly_t x)
{
    return ckda_sym_num_text(q->s, x, &q->pt);
}

/* Each at_* : false when undefined at the point; sets ans->truth when it refutes. */
static bool
at_equal(search *q)
{
    const sym_nummat *l, *r;
    if (!ckda_sym_number(&l, q->s, q->st->left, &q->pt)
        || !ckda_sym_number(&r, q->s, q->st->right, &q->pt)
        || !ckda_sym_number(&l, q->s, q->st->left, &q->pt))
        return false;
    for (slong i = 0; i < l->rows * l->cols; i++)
        if (!fmpq_poly_equal(l->at + i, r->at + i)) {
            refuted(q, text(q, l->at + i), text(q, r->at + i), i / l->cols, i % l->cols);
            break;
        }
    return true;
}

static bool
at_compare(search *q)
{
    const sym_nummat *d, *l, *r;
    sym_stmt *st = q->st;
    if (!ckda_sym_number(&d, q->s, st->diff, &q->pt))
        return false;
    int sign = ckda_sym_num_sign(d->at, &q->pt);
    if (st->op == ST_NE ? sign != 0 : st->op == ST_GT ? sign > 0 : sign >= 0)
        return true;
    if (!ckda_sym_number(&l, q->s, st->left, &q->pt))
        return false;
    char *left = text(q, l->at);
    if (!ckda_sym_number(&r, q->s, st->right, &q->pt)) {
        flint_free(left);
        return false;
    }
    char *right = text(q, r->at);
    refuted(q, st->flipped ? right : left, st->flipped ? left : right, 0, 0);
    return true;
}

/* At an irrational point a negative diagonal entry refutes; nothing else is looked at. */
static void
at_diagonal(search *q, const sym_nummat *m)
{
    for (slong i = 0; i < m->rows; i++) {
        const fmpq_poly_struct *x = m->at + i * m->cols + i;
        if (ckda_sym_num_sign(x, &q->pt) < 0) {
            refuted(q, text(q, x), ckda_sym_copy("0", 1), i, i);
            return;
        }
    }
}

static bool
at_psd(search *q)
{
    const sym_nummat *m;
    char *v, *value;
    if (!ckda_sym_number(&m, q->s, q->st->left, &q->pt))
        return false;
    slong n = m->rows;
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < i; j++)
            if (!fmpq_poly_equal(m->at + i * n + j, m->at + j * n + i)) {
                /* not even symmetric: the entry and its mirror image */
                refuted(q, text(q, m->at + i * n + j), text(q, m->at + j * n + i), i, j);
                return true;
            }
    if (q->pt.modulus != NULL) {
        at_diagonal(q, m);
    } else if (ckda_sym_negative_vector(&v, &value, m)) {
        sym_buf b;
        ckda_sym_buf_init(&b);
        ckda_sym_buf_add(&b, "v'*M*v = %s with v = %s", value, v);
        refuted(q, b.text, ckda_sym_copy("0", 1), 0, 0);
        flint_free(v);
        flint_free(value);
    }
    return true;
}

/* The polynomial in the variable of the statement that num becomes at the point. */
static void
poly_at(fmpq_poly_t r, search *q, const fmpz_mpoly_t num)
{
    fmpz_mpoly_univar_t u;
    fmpq_poly_t c;
    fmpq_t x;
    fmpz_mpoly_univar_init(u, q->s->ctx);
    fmpq_poly_init(c);
    fmpq_init(x);
    fmpq_poly_zero(r);
    fmpz_mpoly_to_univar(u, num, q->st->var, q->s->ctx);
    for (slong i = 0; i < u->length; i++) {
        ckda_sym_poly_number(c, q->s, u->coeffs + i, &q->pt);
        fmpq_poly_get_coeff_fmpq(x, c, 0);
        fmpq_poly_set_coeff_fmpq(r, fmpz_mpoly_univar_get_term_exp_si(u, i, q->s->ctx),
                                 x);
    }
    fmpq_clear(x);
    fmpq_poly_clear(c);
    fmpz_mpoly_univar_clear(u, q->s->ctx);
}

/* Only points where f keeps its degree count: elsewhere nothing is claimed. */
static bool
at_divides(search *q)
{
    const sym_ratmat *f, *g;
    const sym_nummat *v;
    fmpq_poly_t a, b;
    if (q->pt.modulus != NULL || q->degree < 0
        || !ckda_sym_number(&v, q->s, q->st->left, &q->pt)
        || !ckda_sym_number(&v, q->s, q->st->right, &q->pt)
        || ckda_sym_value(&f, q->s, q->st->left, 1, NULL) != CKDA_OK
        || ckda_sym_value(&g, q->s, q->st->right, 1, NULL) != CKDA_OK)
        return false;
    fmpq_poly_init(a);
    fmpq_poly_init(b);
    poly_at(a, q, f->num);
    poly_at(b, q, g->num);
    bool defined = fmpq_poly_degree(a) == q->degree;
    if (defined) {
        const char *x = q->s->var[q->st->var];
        char *left = fmpq_poly_get_str_pretty(a, x),
             *right = fmpq_poly_get_str_pretty(b, x);
        fmpq_poly_rem(b, b, a);
        if (!fmpq_poly_is_zero(b)) {
            refuted(q, left, right, 0, 0);
        } else {
            flint_free(left);
            flint_free(right);
        }
    }
    fmpq_poly_clear(a);
    fmpq_poly_clear(b);
    return defined;
}

static void
look(search *q, long points, long draws)
{
    long found = 0;
    while (draws-- > 0 && found < points && q->ans->truth != CKDA_FALSE) {
        if (!ckda_sym_point_draw(&q->pt, q->s, &q->rnd))
            continue;
        bool defined = q->st->op == ST_EQ        ? at_equal(q)
                       : q->st->op == ST_PSD     ? at_psd(q)
                       : q->st->op == ST_DIVIDES ? at_divides(q)
                                                 : at_compare(q);
        found += defined ? 1 : 0;
    }
    q->ans->points += found;
}

/* ---- proofs ---- */

static bool
in_ideal(const fmpz_mpoly_t f, ckda_sym *s)
{
    fmpz_t scale;
    fmpz_mpoly_t r;
    fmpz_init(scale);
    fmpz_mpoly_init(r, s->ctx);
    ckda_sym_poly_reduce(scale, r, f, s);
    bool yes = fmpz_mpoly_is_zero(r, s->ctx);
    fmpz_mpoly_clear(r, s->ctx);
    fmpz_clear(scale);
    return yes;
}

/* f D^2 in the ideal proves f = 0 as well where D, the product of the divisors, does not
 * vanish: needed when a divisor is a zero divisor modulo the relations. */
static bool
vanishes(const fmpz_mpoly_t f, const fmpz_mpoly_vec_t divisors, ckda_sym *s)
{
    if (in_ideal(f, s))
        return true;
    if (s->basis->length == 0)
        return false;
    fmpz_t scale;
    fmpz_mpoly_t t;
    fmpz_init(scale);
    fmpz_mpoly_init(t, s->ctx);
    fmpz_mpoly_set(t, f, s->ctx);
    for (int twice = 0; twice < 2; twice++)
        for (slong i = 0; i < divisors->length; i++) {
            ckda_sym_poly_mul(t, t, divisors->p + i, s);
            ckda_sym_poly_reduce(scale, t, t, s);
        }
    bool yes = !s->too_big && fmpz_mpoly_is_zero(t, s->ctx);
    s->too_big = false;
    fmpz_mpoly_clear(t, s->ctx);
    fmpz_clear(scale);
    return yes;
}

static ckda_truth
prove_equal(ckda_sym *s, const sym_ratmat *d, const fmpz_mpoly_vec_t divisors)
{
    for (slong i = 0; i < d->rows * d->cols; i++)
        if (!vanishes(d->num + i, divisors, s))
            return CKDA_UNKNOWN;
    return CKDA_TRUE;
}

static ckda_truth
prove_sign(ckda_sym *s, const sym_stmt *st)
{
    unsigned known = ckda_sym_sign(s, st->diff);
    unsigned want = st->op == ST_NE   ? (unsigned)SIGN_NZ
                    : st->op == ST_GE ? (unsigned)SIGN_GE
                                      : SIGN_GE | (unsigned)SIGN_NZ;
    return (known & want) == want ? CKDA_TRUE : CKDA_UNKNOWN;
}

static void
leading(fmpz_mpoly_t lead, slong *deg, const fmpz_mpoly_t f, slong var, const ckda_sym *s)
{
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_univar_init(u, s->ctx);
    fmpz_mpoly_to_univar(u, f, var, s->ctx);
    *deg = u->length == 0 ? -1 : fmpz_mpoly_univar_get_term_exp_si(u, 0, s->ctx);
    if (u->length == 0)
        fmpz_mpoly_zero(lead, s->ctx);
    else
        fmpz_mpoly_set(lead, u->coeffs + 0, s->ctx);
    fmpz_mpoly_univar_clear(u, s->ctx);
}

/* r = lead(f)^k g mod f as polynomials in var, modulo the relations; lead = lead(f).
 * Returns the degree of f. */
static slong
pseudo_rem(fmpz_mpoly_t r, fmpz_mpoly_t lead, const fmpz_mpoly_t g, const fmpz_mpoly_t f0,
           slong var, ckda_sym *s)
{
    fmpz_mpoly_t f, lr, t, x;
    fmpz_t scale;
    slong df, dr;
    fmpz_mpoly_init(f, s->ctx);
    fmpz_mpoly_init(lr, s->ctx);
    fmpz_mpoly_init(t, s->ctx);
    fmpz_mpoly_init(x, s->ctx);
    fmpz_init(scale);
    ckda_sym_poly_reduce(scale, f, f0, s);
    ckda_sym_poly_reduce(scale, r, g, s);
    leading(lead, &df, f, var, s);
    leading(lr, &dr, r, var, s);
    while (df >= 0 && dr >= df && !s->too_big) {
        fmpz_mpoly_gen(x, var, s->ctx);
        ckda_sym_poly_pow(x, x, dr - df, s);
        ckda_sym_poly_mul(t, lr, x, s);
        ckda_sym_poly_mul(t, t, f, s);
        ckda_sym_poly_mul(r, r, lead, s);
        fmpz_mpoly_sub(r, r, t, s->ctx);
        ckda_sym_poly_reduce(scale, r, r, s);
        leading(lr, &dr, r, var, s);
    }
    fmpz_clear(scale);
    fmpz_mpoly_clear(f, s->ctx);
    fmpz_mpoly_clear(lr, s->ctx);
    fmpz_mpoly_clear(t, s->ctx);
    fmpz_mpoly_clear(x, s->ctx);
    return df;
}

static ckda_status
check_divides(ckda_sym *s, const sym_stmt *st, const sym_ratmat *f, const sym_ratmat *g,
              ckda_error *err)
{
    const char *name = s->var[st->var];
    if (fmpz_mpoly_degree_si(f->den, st->var, s->ctx) > 0
        || fmpz_mpoly_degree_si(g->den, st->var, s->ctx) > 0) {
        ckda_error_set(err, "divides: not a polynomial in %s", name);
        return CKDA_E_INPUT;
    }
    for (slong i = 0; i < s->nrelations; i++)
        if (s->relation[i]->vars >> st->var & 1) {
            ckda_error_set(err, "divides: a relation contains %s", name);
            return CKDA_E_INPUT;
        }
    return CKDA_OK;
}

/* Pseudo-division: no remainder means that f divides g for all values of the other
 * variables that leave f its leading coefficient (reported as a divisor). */
static ckda_status
prove_divides(search *q, fmpz_mpoly_vec_t divisors, ckda_error *err)
{
    ckda_sym *s = q->s;
    const sym_ratmat *f, *g;
    fmpz_mpoly_t lead, rest;
    ckda_status status = ckda_sym_value(&f, s, q->st->left, 1, err);
    if (status == CKDA_OK)
        status = ckda_sym_value(&g, s, q->st->right, 1, err);
    if (status == CKDA_OK)
        status = check_divides(s, q->st, f, g, err);
    if (status != CKDA_OK)
        return status;
    fmpz_mpoly_init(rest, s->ctx);
    fmpz_mpoly_init(lead, s->ctx);
    q->degree = pseudo_rem(rest, lead, g->num, f->num, q->st->var, s);
    if (s->too_big)
        status = CKDA_E_UNABLE;
    else if (fmpz_mpoly_is_zero(rest, s->ctx)) {
        q->ans->truth = CKDA_TRUE;
        if (!fmpz_mpoly_is_fmpz(lead, s->ctx)) {
            ckda_sym_poly_primitive(lead, s);
            fmpz_mpoly_vec_insert_unique(divisors, lead, s->ctx);
        }
    }
    fmpz_mpoly_clear(rest, s->ctx);
    fmpz_mpoly_clear(lead, s->ctx);
    return status;
}

static ckda_status
prove(search *q, fmpz_mpoly_vec_t divisors, ckda_error *err)
{
    ckda_sym *s = q->s;
    sym_stmt *st = q->st;
    const sym_ratmat *v;
    sym_node *part[3] = {st->left, st->right, st->op == ST_EQ ? st->diff : NULL};
    int mode = st->op == ST_DIVIDES ? 1 : 0;
    for (int k = 0; k < 3; k++) {
        ckda_status status =
            part[k] == NULL ? CKDA_OK : ckda_sym_value(&v, s, part[k], mode, err);
        if (status != CKDA_OK)
            return status;
        if (part[k] != NULL)
            ckda_sym_divisors(divisors, s, part[k], mode);
    }
    for (slong k = 0; k < s->nrelations; k++)
        ckda_sym_divisors(divisors, s, s->relation[k], 1);
    for (slong i = 0; i < divisors->length; i++)
        if (in_ideal(divisors->p + i, s)) {
            ckda_error_set(err,
                           "%s: divides by an expression that vanishes because of the "
                           "relations",
                           st->left->label);
            return CKDA_E_INPUT;
        }
    if (st->op == ST_DIVIDES)
        return prove_divides(q, divisors, err);
    if (st->op == ST_EQ) {
        q->ans->truth = prove_equal(s, v, divisors);
    } else if (st->op == ST_PSD) {
        q->ans->truth = ckda_sym_psd(s, st->left, 1) ? CKDA_TRUE : CKDA_UNKNOWN;
    } else {
        q->ans->truth = prove_sign(s, st);
    }
    return CKDA_OK;
}

/* The divisors that are not known to be non-zero already. */
static char *
assumed(const fmpz_mpoly_vec_t divisors, ckda_sym *s)
{
    sym_buf b;
    ckda_sym_buf_init(&b);
    for (slong i = 0; i < divisors->length; i++) {
        if (ckda_sym_sign_poly(s, divisors->p + i) & SIGN_NZ)
            continue;
        char *t = ckda_sym_poly_text(s, divisors->p + i);
        ckda_sym_buf_add(&b, "%s%s", b.len > 0 ? ", " : "", t);
        flint_free(t);
    }
    if (b.len > 0)
        return b.text;
    flint_free(b.text);
    return NULL;
}

static ckda_status
run(search *q, ckda_error *err)
{
    ckda_sym *s = q->s;
    fmpz_mpoly_vec_t divisors;
    q->ans->entries = q->st->op == ST_EQ ? q->st->left->rows * q->st->left->cols : 1;
    if (q->st->op != ST_DIVIDES)
        look(q, FIRST_POINTS, FIRST_DRAWS);
    if (q->ans->truth == CKDA_FALSE)
        return CKDA_OK;
    fmpz_mpoly_vec_init(divisors, 0, s->ctx);
    ckda_status status = prove(q, divisors, err);
    if (status == CKDA_E_UNABLE) { /* too large: no proof, points may still decide */
        s->too_big = false;
        status = CKDA_OK;
    }
    bool proved = q->ans->truth == CKDA_TRUE;
    if (status == CKDA_OK && proved)
        q->ans->assumed = assumed(divisors, s);
    if (status == CKDA_OK && !proved)
        look(q, LAST_POINTS, LAST_DRAWS);
    else if (status == CKDA_OK && q->st->op == ST_DIVIDES)
        look(q, FIRST_POINTS, FIRST_DRAWS); /* needs the degree that the proof found */
    ckda_require(!proved || q->ans->truth == CKDA_TRUE,
                 "a proved statement is false at a point");
    fmpz_mpoly_vec_clear(divisors, s->ctx);
    return status;
}

ckda_status
ckda_sym_decide(ckda_sym_answer *ans, ckda_sym *s, const char *line, uint64_t seed,
                ckda_error *err)
{
    sym_parser p;
    sym_stmt st;
    sym_node *mark = s->nodes;
    ckda_sym_answer found = {.truth = CKDA_UNKNOWN};
    ckda_status status = CKDA_E_INPUT;
    s->too_big = false;
    ckda_sym_parser_init(&p, s, line, "statement", err);
    if (ckda_sym_parse_statement(&st, &p))
        status = ckda_sym_basis(s, err);
    if (status == CKDA_OK)
        status = ckda_sym_plan_make(s, err);
    if (status == CKDA_OK) {
        search q = {.s = s, .st = &st, .ans = &found, .degree = -1};
        ckda_rand_init(&q.rnd, seed);
        ckda_sym_point_init(&q.pt, s);
        status = run(&q, err);
        ckda_sym_point_clear(&q.pt, s);
    }
    ckda_sym_release(s, mark);
    if (status == CKDA_OK)
        *ans = found;
    else
        ckda_sym_answer_clear(&found);
    return status;
}

void
ckda_sym_answer_clear(ckda_sym_answer *ans)
{
    flint_free(ans->assumed);
    flint_free(ans->point);
    flint_free(ans->left);
    flint_free(ans->right);
    ans->assumed = ans->point = ans->left = ans->right = NULL;
}
