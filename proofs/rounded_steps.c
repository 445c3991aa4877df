/* proofs/rounded_steps.c -- expressions whose every operation is rounded once.
 *
 * Statement.  Each item compares two expressions, trees of + - * / exp tanh over the
 * rationals, after every number and every operation in them was rounded to the nearest
 * number of the format (ties to even), as a machine with correctly rounded operations
 * does.
 *
 * Why the check suffices.  MPFR computes each operation with the format's precision and
 * returns the correctly rounded result; overflow is added here.  The comparison of two
 * such numbers is exact.
 *
 * Not shown here: a library whose exp or tanh is not correctly rounded.  Results below
 * the normal range of the format stay undecided. */
#include <mpfr.h>
#include <string.h>

#include "checks.h"

#define TRY(call)                                                                        \
    do {                                                                                 \
        ckda_status try_status = (call);                                                 \
        if (try_status != CKDA_OK)                                                       \
            return try_status;                                                           \
    } while (0)

typedef struct {
    long precision, emin, emax; /* normal numbers: 2^emin <= |x| < 2^(emax+1) */
} format;

/* x was rounded to the precision: overflow becomes infinite, subnormals are refused. */
static ckda_status
finish(mpfr_t x, const format *f, const ckda_node *at, ckda_error *err)
{
    if (!mpfr_regular_p(x))
        return CKDA_OK;
    if (mpfr_get_exp(x) - 1 > f->emax)
        mpfr_set_inf(x, mpfr_signbit(x) != 0 ? -1 : 1);
    else if (mpfr_get_exp(x) - 1 < f->emin)
        return ckda_node_fail(at, err, "a result in the normal range",
                              "a subnormal number");
    return CKDA_OK;
}

static ckda_status
set_rational(mpfr_t x, const ckda_node *at, ckda_error *err)
{
    char buf[32];
    const char *text;
    mpq_t q;
    TRY(ckda_node_number(&text, buf, at, err));
    mpq_init(q);
    const bool good = mpq_set_str(q, text, 10) == 0 && mpz_sgn(mpq_denref(q)) != 0;
    if (good) {
        mpq_canonicalize(q);
        mpfr_set_q(x, q, MPFR_RNDN);
    }
    mpq_clear(q);
    return good ? CKDA_OK : ckda_node_fail(at, err, "a rational number", NULL);
}

static ckda_status evaluate(mpfr_t x, const ckda_node *at, const format *f,
                            ckda_error *err);

/* ["*", a, b] */
static ckda_status
evaluate_pair(mpfr_t x, const ckda_node *at, const format *f, ckda_error *err)
{
    ckda_node op, left, right;
    const char *name;
    size_t n;
    mpfr_t y;
    TRY(ckda_node_size(&n, at, err));
    if (n != 3)
        return ckda_node_fail(at, err, "an operator and two values", NULL);
    TRY(ckda_node_item(&op, at, 0, err));
    TRY(ckda_node_string(&name, &op, err));
    TRY(ckda_node_item(&left, at, 1, err));
    TRY(ckda_node_item(&right, at, 2, err));
    if (strlen(name) != 1 || strchr("+-*/", name[0]) == NULL)
        return ckda_node_fail(&op, err, "one of + - * /", NULL);
    mpfr_init2(y, f->precision);
    ckda_status status = evaluate(x, &left, f, err);
    if (status == CKDA_OK)
        status = evaluate(y, &right, f, err);
    if (status == CKDA_OK && name[0] == '+')
        mpfr_add(x, x, y, MPFR_RNDN);
    else if (status == CKDA_OK && name[0] == '-')
        mpfr_sub(x, x, y, MPFR_RNDN);
    else if (status == CKDA_OK && name[0] == '*')
        mpfr_mul(x, x, y, MPFR_RNDN);
    else if (status == CKDA_OK)
        mpfr_div(x, x, y, MPFR_RNDN);
    mpfr_clear(y);
    return status;
}

/* {"exp": value} or {"tanh": value} */
static ckda_status
evaluate_function(mpfr_t x, const ckda_node *at, const format *f, ckda_error *err)
{
    ckda_node of;
    const bool tanh = ckda_node_has(at, "tanh");
    if (!tanh && !ckda_node_has(at, "exp"))
        return ckda_node_fail(at, err, "{\"exp\": ...} or {\"tanh\": ...}", NULL);
    TRY(ckda_node_member(&of, at, tanh ? "tanh" : "exp", err));
    TRY(evaluate(x, &of, f, err));
    if (tanh)
        mpfr_tanh(x, x, MPFR_RNDN);
    else
        mpfr_exp(x, x, MPFR_RNDN);
    return CKDA_OK;
}

static ckda_status
evaluate(mpfr_t x, const ckda_node *at, const format *f, ckda_error *err)
{
    if (json_is_array(at->json))
        TRY(evaluate_pair(x, at, f, err));
    else if (json_is_object(at->json))
        TRY(evaluate_function(x, at, f, err));
    else
        TRY(set_rational(x, at, err));
    return finish(x, f, at, err);
}

static void
fact(ckda_evidence *ev, const char *key, const mpfr_t x)
{
    char *text = NULL;
    if (mpfr_asprintf(&text, "%Ra", x) < 0)
        return;
    ckda_evidence_fact(ev, key, "%s", text);
    mpfr_free_str(text);
}

/* left is right, is below it or differs from it? */
static ckda_truth
compare(ckda_evidence *ev, const ckda_node *at, const char *is, const mpfr_t left,
        const mpfr_t right)
{
    char place[256];
    bool holds;
    if (mpfr_nan_p(left) || mpfr_nan_p(right))
        return ckda_evidence_unable(ev, "not a number");
    if (strcmp(is, "==") == 0)
        holds = mpfr_equal_p(left, right) != 0;
    else if (strcmp(is, "<") == 0)
        holds = mpfr_less_p(left, right) != 0;
    else if (strcmp(is, "!=") == 0)
        holds = mpfr_lessgreater_p(left, right) != 0;
    else
        return ckda_evidence_unable(ev, "\"is\": expected ==, < or !=");
    ckda_node_place(place, sizeof place, at);
    const ckda_truth truth = ckda_evidence_expect(ev, holds, "left %s right", is);
    if (truth == CKDA_FALSE) {
        ckda_evidence_fact(ev, "at", "%s", place);
        fact(ev, "left", left);
        fact(ev, "right", right);
    }
    return truth;
}

static ckda_truth
check_item(ckda_evidence *ev, const ckda_node *at, const format *f)
{
    ckda_node left, right;
    const char *is;
    mpfr_t x, y;
    if (ckda_node_member(&left, at, "left", &ev->problem) != CKDA_OK
        || ckda_node_member(&right, at, "right", &ev->problem) != CKDA_OK
        || ckda_node_get_string(&is, at, "is", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    mpfr_init2(x, f->precision);
    mpfr_init2(y, f->precision);
    ckda_truth truth = CKDA_UNKNOWN;
    if (evaluate(x, &left, f, &ev->problem) == CKDA_OK
        && evaluate(y, &right, f, &ev->problem) == CKDA_OK)
        truth = compare(ev, at, is, x, y);
    mpfr_clear(y);
    mpfr_clear(x);
    return truth;
}

ckda_truth
ckda_check_rounded_steps(ckda_evidence *ev, const ckda_node *in)
{
    ckda_node at, list, item;
    format f;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    ckda_error *err = &ev->problem;
    if (ckda_node_member(&at, in, "format", err) != CKDA_OK
        || ckda_node_get_long(&f.precision, &at, "precision", 2, 1000, err) != CKDA_OK
        || ckda_node_get_long(&f.emin, &at, "emin", -100000, 0, err) != CKDA_OK
        || ckda_node_get_long(&f.emax, &at, "emax", 1, 100000, err) != CKDA_OK
        || ckda_node_member(&list, in, "items", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, err) == CKDA_OK
                    ? check_item(ev, &item, &f)
                    : CKDA_UNKNOWN;
    ckda_evidence_scope(ev, "%zu comparisons, %ld bits", n, f.precision);
    mpfr_free_cache();
    return truth;
}
