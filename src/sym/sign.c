/* sign.c -- the rules of signs for scalars.
 *
 * What is known is a set: SIGN_GE (never negative), SIGN_LE (never positive), SIGN_NZ
 * (never zero), for all admissible values.  First the text is read as it stands; where
 * that says too little, the polynomial behind it is compared with the assumptions:
 * f = c F + rest with F an assumption or a product of two, and rest signed term by term.
 */
#include "internal.h"

#define MAX_PAIR_FACTS 12

unsigned
ckda_sym_sign_times(unsigned a, unsigned b)
{
    unsigned r = a & b & SIGN_NZ;
    if (((a & SIGN_GE) && (b & SIGN_GE)) || ((a & SIGN_LE) && (b & SIGN_LE)))
        r |= SIGN_GE;
    if (((a & SIGN_GE) && (b & SIGN_LE)) || ((a & SIGN_LE) && (b & SIGN_GE)))
        r |= SIGN_LE;
    return r;
}

unsigned
ckda_sym_sign_negate(unsigned a)
{
    return (a & SIGN_NZ) | ((a & SIGN_GE) ? SIGN_LE : 0u)
           | ((a & SIGN_LE) ? SIGN_GE : 0u);
}

static unsigned
plus(unsigned a, unsigned b)
{
    unsigned r = a & b & (SIGN_GE | SIGN_LE);
    return r != 0 && ((a | b) & SIGN_NZ) ? r | SIGN_NZ : r;
}

static unsigned
of_int(int sign)
{
    return sign == 0 ? SIGN_GE | SIGN_LE
                     : (sign > 0 ? SIGN_GE : SIGN_LE) | (unsigned)SIGN_NZ;
}

/* ---- polynomials against assumptions ---- */

/* The polynomial with the sign of assumption k, in normal form; false when unavailable.
 */
static bool
fact_poly(fmpz_mpoly_t f, ckda_sym *s, slong k)
{
    const sym_ratmat *v;
    fmpz_t scale;
    if (ckda_sym_value(&v, s, s->fact[k].node, 0, NULL) != CKDA_OK) {
        s->too_big = false;
        return false;
    }
    fmpz_init(scale);
    ckda_sym_poly_mul(f, v->num, v->den, s);
    ckda_sym_poly_reduce(scale, f, f, s);
    if (fmpz_sgn(scale) < 0)
        fmpz_mpoly_neg(f, f, s->ctx);
    fmpz_clear(scale);
    return !fmpz_mpoly_is_zero(f, s->ctx);
}

/* If f = a x + b with a > 0 says x >= -b/a >= 0 (or x <= 0 for a < 0): a sign of x. */
static void
learn_variable(unsigned *var, const fmpz_mpoly_t f, unsigned sign, const ckda_sym *s)
{
    ulong e[SYM_MAX_VARS];
    slong len = fmpz_mpoly_length(f, s->ctx), x = -1;
    if (len < 1 || len > 2)
        return;
    fmpz_mpoly_get_term_exp_ui(e, f, 0, s->ctx);
    for (slong v = 0; v < s->nvars; v++)
        if (e[v] > 1 || (e[v] == 1 && x >= 0))
            return;
        else if (e[v] == 1)
            x = v;
    if (x < 0)
        return;
    int a = fmpz_sgn(f->coeffs + 0), b = len == 2 ? fmpz_sgn(f->coeffs + 1) : 0;
    if (len == 2) {
        fmpz_mpoly_get_term_exp_ui(e, f, 1, s->ctx);
        for (slong v = 0; v < s->nvars; v++)
            if (e[v] != 0)
                return;
    }
    if (!(sign & SIGN_GE)) { /* x + b != 0 tells the sign of nothing; x != 0 does */
        var[x] |= b == 0 ? sign & SIGN_NZ : 0u;
        return;
    }
    if (b > 0) /* x >= -b/a < 0: nothing */
        return;
    unsigned known = SIGN_GE | (b < 0 ? SIGN_NZ : sign & SIGN_NZ);
    var[x] |= a > 0 ? known : ckda_sym_sign_negate(known);
}

static unsigned
term_signs(const fmpz_mpoly_t f, const unsigned *var, const ckda_sym *s)
{
    ulong e[SYM_MAX_VARS];
    unsigned sum = SIGN_GE | SIGN_LE;
    for (slong i = 0; i < fmpz_mpoly_length(f, s->ctx) && sum != 0; i++) {
        fmpz_mpoly_get_term_exp_ui(e, f, i, s->ctx);
        unsigned term = of_int(fmpz_sgn(f->coeffs + i));
        for (slong v = 0; v < s->nvars; v++) {
            unsigned even = SIGN_GE | (var[v] & SIGN_NZ);
            if (e[v] != 0)
                term = ckda_sym_sign_times(term, e[v] % 2 == 0 ? even : var[v]);
        }
        sum = plus(sum, term);
    }
    return sum;
}

/* What f = c F + rest says, for each c that removes one term of F from f. */
static unsigned
against(const fmpz_mpoly_t f, const fmpz_mpoly_t F, unsigned sign, const unsigned *var,
        const ckda_sym *s)
{
    unsigned known = 0;
    fmpz_mpoly_t m, rest, t;
    fmpz_t a;
    fmpq_t c;
    fmpz_mpoly_init(m, s->ctx);
    fmpz_mpoly_init(rest, s->ctx);
    fmpz_mpoly_init(t, s->ctx);
    fmpz_init(a);
    fmpq_init(c);
    for (slong i = 0; i < FLINT_MIN(fmpz_mpoly_length(F, s->ctx), 16); i++) {
        fmpz_mpoly_get_term_monomial(m, F, i, s->ctx);
        fmpz_mpoly_get_coeff_fmpz_monomial(a, f, m, s->ctx);
        if (fmpz_is_zero(a))
            continue;
        fmpq_set_fmpz_frac(c, a, F->coeffs + i);
        fmpz_mpoly_scalar_mul_fmpz(rest, f, fmpq_denref(c), s->ctx);
        fmpz_mpoly_scalar_mul_fmpz(t, F, fmpq_numref(c), s->ctx);
        fmpz_mpoly_sub(rest, rest, t, s->ctx);
        unsigned scaled = ckda_sym_sign_times(of_int(fmpq_sgn(c)), sign);
        /* rest = 0: f is a multiple of F, whatever is known of F holds for f */
        known |= fmpz_mpoly_is_zero(rest, s->ctx)
                     ? scaled
                     : plus(scaled, term_signs(rest, var, s));
    }
    fmpz_mpoly_clear(m, s->ctx);
    fmpz_mpoly_clear(rest, s->ctx);
    fmpz_mpoly_clear(t, s->ctx);
    fmpz_clear(a);
    fmpq_clear(c);
    return known;
}

static bool
enough(unsigned known)
{
    return (known & SIGN_NZ) && (known & (SIGN_GE | SIGN_LE));
}

static unsigned
compare_facts(const fmpz_mpoly_t f, const fmpz_mpoly_struct *F, const bool *have,
              const unsigned *var, unsigned known, ckda_sym *s)
{
    fmpz_mpoly_t t;
    fmpz_t scale;
    for (slong i = 0; i < s->nfacts && !enough(known); i++)
        if (have[i])
            known |= against(f, F + i, s->fact[i].sign, var, s);
    fmpz_mpoly_init(t, s->ctx);
    fmpz_init(scale);
    for (slong i = 0; i < FLINT_MIN(s->nfacts, MAX_PAIR_FACTS); i++)
        for (slong j = 0; j <= i && !enough(known); j++) {
            if (!have[i] || !have[j])
                continue;
            ckda_sym_poly_mul(t, F + i, F + j, s);
            ckda_sym_poly_reduce(scale, t, t, s);
            if (fmpz_sgn(scale) < 0)
                fmpz_mpoly_neg(t, t, s->ctx);
            unsigned sign = ckda_sym_sign_times(s->fact[i].sign, s->fact[j].sign);
            known |= against(f, t, i == j ? sign | SIGN_GE : sign, var, s);
        }
    fmpz_mpoly_clear(t, s->ctx);
    fmpz_clear(scale);
    return known;
}

unsigned
ckda_sym_sign_poly(ckda_sym *s, const fmpz_mpoly_t f)
{
    unsigned var[SYM_MAX_VARS] = {0};
    fmpz_mpoly_struct *F = flint_malloc((size_t)(s->nfacts + 1) * sizeof *F);
    bool *have = flint_malloc((size_t)s->nfacts + 1);
    for (slong i = 0; i < s->nfacts; i++) {
        fmpz_mpoly_init(F + i, s->ctx);
        have[i] = fact_poly(F + i, s, i);
        if (have[i])
            learn_variable(var, F + i, s->fact[i].sign, s);
    }
    unsigned known = term_signs(f, var, s);
    known = compare_facts(f, F, have, var, known, s);
    for (slong i = 0; i < s->nfacts; i++)
        fmpz_mpoly_clear(F + i, s->ctx);
    flint_free(F);
    flint_free(have);
    return known;
}

/* ---- the text as it stands ---- */

static unsigned
behind(ckda_sym *s, sym_node *n)
{
    const sym_ratmat *v;
    if (ckda_sym_value(&v, s, n, 0, NULL) != CKDA_OK) {
        s->too_big = false;
        return 0;
    }
    /* the denominator does not vanish at admissible values: see value.c */
    return ckda_sym_sign_times(ckda_sym_sign_poly(s, v->num),
                               ckda_sym_sign_poly(s, v->den) | SIGN_NZ);
}

static unsigned
syntactic(ckda_sym *s, sym_node *n)
{
    unsigned a;
    switch (n->kind) {
    case NODE_NUM:
        return of_int(fmpq_sgn(n->num));
    case NODE_ADD:
        return plus(ckda_sym_sign(s, n->kid[0]), ckda_sym_sign(s, n->kid[1]));
    case NODE_SUB:
        return plus(ckda_sym_sign(s, n->kid[0]),
                    ckda_sym_sign_negate(ckda_sym_sign(s, n->kid[1])));
    case NODE_NEG:
        return ckda_sym_sign_negate(ckda_sym_sign(s, n->kid[0]));
    case NODE_MUL:
        if (n->kid[0]->cols != 1 || n->kid[0]->rows != 1)
            return ckda_sym_sign_product(s, n);
        a = ckda_sym_sign(s, n->kid[0]);
        if (n->kid[0] == n->kid[1])
            return SIGN_GE | (a & SIGN_NZ);
        return ckda_sym_sign_times(a, ckda_sym_sign(s, n->kid[1]));
    case NODE_DIV:
        return ckda_sym_sign_times(ckda_sym_sign(s, n->kid[0]),
                                   ckda_sym_sign(s, n->kid[1]) | SIGN_NZ);
    case NODE_POW:
        a = ckda_sym_sign(s, n->kid[0]);
        return n->arg[0] % 2 == 0 ? SIGN_GE | (a & SIGN_NZ) : a;
    case NODE_DET:
        return ckda_sym_psd(s, n->kid[0], 1) ? SIGN_GE : 0;
    case NODE_PART:
        return n->arg[0] == n->arg[1] && n->kid[0]->rows == n->kid[0]->cols
                       && ckda_sym_psd(s, n->kid[0], 1)
                   ? SIGN_GE
                   : 0;
    default:
        return 0;
    }
}

unsigned
ckda_sym_sign(ckda_sym *s, sym_node *n)
{
    ckda_require(n->rows == 1 && n->cols == 1, "sign of a %ldx%ld matrix", (long)n->rows,
                 (long)n->cols);
    if (n->sign_version != s->version) {
        n->sign = syntactic(s, n);
        if (!enough(n->sign))
            n->sign |= behind(s, n);
        n->sign_version = s->version;
    }
    return n->sign;
}
