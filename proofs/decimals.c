/* proofs/decimals.c -- printed decimals of numbers made from logarithms and exponentials.
 *
 * Statement.  Each number of the document, a tree of + - * / exp log over the rationals,
 * rounds to the decimal printed beside it.
 *
 * Why the check suffices.  The number lies in a ball with a rigorous error bound, and
 * |number - printed| is proved to be below (or, for a refusal, above) half a unit of the
 * last printed place.  The precision doubles until one of the two is proved.
 *
 * Not shown here: a tie, exactly half a unit away; it stays undecided at the last
 * precision. */
#include <string.h>

#include "checks.h"

enum { FIRST_BITS = 64, LAST_BITS = 4096 };

#define TRY(call)                                                                        \
    do {                                                                                 \
        ckda_status try_status = (call);                                                 \
        if (try_status != CKDA_OK)                                                       \
            return try_status;                                                           \
    } while (0)

static ckda_status
read_rational(fmpq_t q, const ckda_node *at, ckda_error *err)
{
    char buf[32];
    const char *text;
    TRY(ckda_node_number(&text, buf, at, err));
    if (fmpq_set_str(q, text, 10) != 0 || fmpz_is_zero(fmpq_denref(q)))
        return ckda_node_fail(at, err, "a rational number", NULL);
    fmpq_canonicalise(q);
    return CKDA_OK;
}

static ckda_status evaluate(arb_t x, const ckda_node *at, slong bits, ckda_error *err);

/* ["-", a, b, ...] and the same with + * / */
static ckda_status
evaluate_list(arb_t x, const ckda_node *at, slong bits, ckda_error *err)
{
    ckda_node op, item;
    const char *name;
    size_t n;
    arb_t y;
    TRY(ckda_node_size(&n, at, err));
    if (n < 3)
        return ckda_node_fail(at, err, "an operator and two values or more", NULL);
    TRY(ckda_node_item(&op, at, 0, err));
    TRY(ckda_node_string(&name, &op, err));
    if (strlen(name) != 1 || strchr("+-*/", name[0]) == NULL)
        return ckda_node_fail(&op, err, "one of + - * /", NULL);
    TRY(ckda_node_item(&item, at, 1, err));
    TRY(evaluate(x, &item, bits, err));
    arb_init(y);
    ckda_status status = CKDA_OK;
    for (size_t i = 2; i < n && status == CKDA_OK; i++) {
        if ((status = ckda_node_item(&item, at, i, err)) != CKDA_OK
            || (status = evaluate(y, &item, bits, err)) != CKDA_OK)
            break;
        if (name[0] == '+')
            arb_add(x, x, y, bits);
        else if (name[0] == '-')
            arb_sub(x, x, y, bits);
        else if (name[0] == '*')
            arb_mul(x, x, y, bits);
        else
            arb_div(x, x, y, bits);
    }
    arb_clear(y);
    return status;
}

/* {"log": value} or {"exp": value} */
static ckda_status
evaluate_function(arb_t x, const ckda_node *at, slong bits, ckda_error *err)
{
    ckda_node of;
    bool log = ckda_node_has(at, "log");
    if (!log && !ckda_node_has(at, "exp"))
        return ckda_node_fail(at, err, "{\"log\": ...} or {\"exp\": ...}", NULL);
    TRY(ckda_node_member(&of, at, log ? "log" : "exp", err));
    TRY(evaluate(x, &of, bits, err));
    if (!log)
        arb_exp(x, x, bits);
    else if (arb_is_positive(x))
        arb_log(x, x, bits);
    else
        return ckda_node_fail(&of, err, "a positive number", NULL);
    return CKDA_OK;
}

/* x = a ball that holds the value. */
static ckda_status
evaluate(arb_t x, const ckda_node *at, slong bits, ckda_error *err)
{
    if (json_is_array(at->json))
        return evaluate_list(x, at, bits, err);
    if (json_is_object(at->json))
        return evaluate_function(x, at, bits, err);
    fmpq_t q;
    fmpq_init(q);
    ckda_status status = read_rational(q, at, err);
    arb_set_fmpq(x, q, bits);
    fmpq_clear(q);
    return status;
}

/* "6.58" as 658/100, half = 1/200. */
static ckda_status
read_printed(fmpq_t printed, fmpq_t half, const ckda_node *at, ckda_error *err)
{
    const char *text;
    char digits[64];
    size_t n = 0;
    ulong places = 0;
    bool point = false;
    TRY(ckda_node_string(&text, at, err));
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '.' && !point) {
            point = true;
            continue;
        }
        if (*c < '0' || *c > '9' || n + 1 >= sizeof digits)
            return ckda_node_fail(at, err, "digits with at most one point", NULL);
        digits[n++] = *c;
        places += point;
    }
    digits[n] = '\0';
    if (n == 0 || fmpz_set_str(fmpq_numref(printed), digits, 10) != 0)
        return ckda_node_fail(at, err, "digits with at most one point", NULL);
    fmpz_ui_pow_ui(fmpq_denref(printed), 10, places);
    fmpz_one(fmpq_numref(half));
    fmpz_mul_ui(fmpq_denref(half), fmpq_denref(printed), 2);
    fmpq_canonicalise(printed);
    return CKDA_OK;
}

/* Is |x - printed| < half?  UNKNOWN if the ball is too wide to tell. */
static ckda_truth
rounds_to(const arb_t x, const fmpq_t printed, const fmpq_t half, slong bits)
{
    ckda_truth truth = CKDA_UNKNOWN;
    arb_t p, h;
    arb_init(p);
    arb_init(h);
    arb_set_fmpq(p, printed, bits);
    arb_set_fmpq(h, half, bits);
    arb_sub(p, x, p, bits);
    arb_abs(p, p);
    if (arb_lt(p, h))
        truth = CKDA_TRUE;
    else if (arb_gt(p, h))
        truth = CKDA_FALSE;
    arb_clear(h);
    arb_clear(p);
    return truth;
}

static void
show(ckda_evidence *ev, const ckda_node *shown, const arb_t x)
{
    char *digits = arb_get_str(x, 20, ARB_STR_NO_RADIUS);
    ckda_evidence_fact(ev, "failed", "the value rounds to the printed decimal");
    ckda_evidence_fact(ev, "got", "%s", digits);
    ckda_evidence_fact(ev, "want", "%s", json_string_value(shown->json));
    flint_free(digits);
}

static ckda_truth
one_item(ckda_evidence *ev, const ckda_node *item)
{
    ckda_node value, shown;
    ckda_truth truth = CKDA_UNKNOWN;
    fmpq_t printed, half;
    arb_t x;
    if (ckda_node_member(&value, item, "value", &ev->problem) != CKDA_OK
        || ckda_node_member(&shown, item, "shown", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    fmpq_init(printed);
    fmpq_init(half);
    arb_init(x);
    if (read_printed(printed, half, &shown, &ev->problem) == CKDA_OK) {
        slong bits = FIRST_BITS;
        ckda_status status = CKDA_OK;
        for (; bits <= LAST_BITS && status == CKDA_OK && truth == CKDA_UNKNOWN;
             bits *= 2) {
            status = evaluate(x, &value, bits, &ev->problem);
            if (status == CKDA_OK)
                truth = rounds_to(x, printed, half, bits);
        }
        if (status == CKDA_OK && truth == CKDA_UNKNOWN)
            ckda_evidence_unable(ev, "a tie, or more than %d bits are needed", LAST_BITS);
    }
    if (truth == CKDA_FALSE)
        show(ev, &shown, x);
    ckda_evidence_count(ev, 1);
    arb_clear(x);
    fmpq_clear(half);
    fmpq_clear(printed);
    return truth;
}

ckda_truth
ckda_check_decimals(ckda_evidence *ev, const ckda_node *input)
{
    ckda_node list, item;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, input, "items", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, &ev->problem) == CKDA_OK
                    ? one_item(ev, &item)
                    : CKDA_UNKNOWN;
    ckda_evidence_scope(ev, "%zu printed decimal%s enclosed", n, n == 1 ? "" : "s");
    return truth;
}
