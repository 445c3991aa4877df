/* Exact numbers as text: a recursive descent over
 *
 *     sum     = product { ("+" | "-") product }
 *     product = factor { ("*" | "/") factor }
 *     factor  = ("-" | "+") factor | power
 *     power   = atom [ "^" exponent ]          so -2^2 is -4
 *     atom    = number | "(" sum ")" | symbol
 *             | "sqrt" "(" sum ")" | ("cos" | "sin") "(" sum ")"
 *             | "root" "(" sum "," sum ")"
 *
 * What a symbol is, and whether decimals may stand, depends on the place.             */
#include "value.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DEPTH 200
#define EXPONENT 10000       /* of a power */
#define FLOAT_EXPONENT 20000 /* of a hexadecimal float or a decimal hint */

typedef enum { PLACE_NUMBER, PLACE_POLY, PLACE_ANGLE, PLACE_HINT } place;

typedef struct {
    const char *text;
    size_t at;
    place where;
    int depth;
    const ckda_field_struct *K; /* or NULL */
    ckda_error *err;
} parser;

static bool parse_sum(value *v, parser *p);

/* Reports at column + 1 and returns false. */
static bool CKDA_PRINTF(3, 4) fail(parser *p, size_t column, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    ckda_error_set(p->err, "column %zu: %s", column + 1, text);
    return false;
}

static void
skip_space(parser *p)
{
    while (p->text[p->at] != '\0' && strchr(" \t\r\n", p->text[p->at]) != NULL)
        p->at++;
}

static size_t
word_length(const char *s)
{
    size_t n = 0;
    while (isalpha((unsigned char)s[n]))
        n++;
    return n;
}

/* "column 7: expected WHAT, found 'q'" for what stands at p->at. */
static bool
expected(parser *p, const char *what)
{
    const char *s = p->text + p->at;
    int n = (int)word_length(s);
    if (*s == '\0')
        return fail(p, p->at, "expected %s, found the end of the text", what);
    if (n == 0 && !isprint((unsigned char)*s))
        return fail(p, p->at, "expected %s, found the byte 0x%02x", what,
                    (unsigned)(unsigned char)*s);
    return fail(p, p->at, "expected %s, found '%.*s'", what,
                n == 0   ? 1
                : n > 40 ? 40
                         : n,
                s);
}

static bool
accept(parser *p, char c)
{
    skip_space(p);
    if (p->text[p->at] != c)
        return false;
    p->at++;
    return true;
}

static bool
demand(parser *p, char c)
{
    char what[4] = {'\'', c, '\'', '\0'};
    return accept(p, c) || expected(p, what);
}

/* ---- number tokens --------------------------------------------------------------- */

/* Scans a run of digits of the base into n (n = n base^run + run). */
static size_t
scan_digits(fmpz_t n, parser *p, int base)
{
    const char *s = p->text + p->at;
    size_t run = 0;
    while (base == 16 ? isxdigit((unsigned char)s[run]) : isdigit((unsigned char)s[run]))
        run++;
    if (run == 0)
        return 0;
    char *copy = flint_malloc(run + 1);
    fmpz_t low, shift;
    fmpz_init(low);
    fmpz_init(shift);
    memcpy(copy, s, run);
    copy[run] = '\0';
    fmpz_set_str(low, copy, base);
    fmpz_ui_pow_ui(shift, (ulong)base, run);
    fmpz_mul(n, n, shift);
    fmpz_add(n, n, low);
    fmpz_clear(shift);
    fmpz_clear(low);
    flint_free(copy);
    p->at += run;
    return run;
}

/* Reads mark [+-] digits, if it stands here.  *e stays within +-(FLOAT_EXPONENT + 1). */
static bool
scan_exponent(slong *e, parser *p, char mark)
{
    const char *s = p->text + p->at;
    if (tolower((unsigned char)s[0]) != mark)
        return false;
    size_t i = 1;
    bool negative = s[i] == '-';
    if (s[i] == '-' || s[i] == '+')
        i++;
    if (!isdigit((unsigned char)s[i]))
        return false;
    for (*e = 0; isdigit((unsigned char)s[i]); i++)
        *e = FLINT_MIN(10 * *e + (s[i] - '0'), FLOAT_EXPONENT + 1);
    if (negative)
        *e = -*e;
    p->at += i;
    return true;
}

/* q = n base^e. */
static void
scale(fmpq_t q, const fmpz_t n, ulong base, slong e)
{
    fmpz_t pow;
    fmpz_init(pow);
    fmpz_ui_pow_ui(pow, base, (ulong)(e < 0 ? -e : e));
    fmpq_set_fmpz(q, n);
    if (e < 0)
        fmpq_div_fmpz(q, q, pow);
    else
        fmpq_mul_fmpz(q, q, pow);
    fmpz_clear(pow);
}

static bool
refuse_decimal(parser *p, size_t from, const fmpq_t q)
{
    int n = (int)(p->at - from);
    char *s = fmpq_get_str(NULL, 10, q);
    if (n <= 60 && strlen(s) <= 120)
        fail(p, from, "%.*s is a decimal; write %s", n, p->text + from, s);
    else
        fail(p, from, "this is a decimal; write it as a fraction of integers");
    flint_free(s);
    return false;
}

/* The token at p->at, which starts with a digit or with a point and a digit. */
static bool
scan_number(fmpq_t q, parser *p)
{
    size_t from = p->at;
    const char *s = p->text + from;
    int base = s[0] == '0' && (s[1] == 'x' || s[1] == 'X') ? 16 : 10;
    fmpz_t n;
    slong e = 0;
    size_t tail = 0;
    bool ok = true, point = false;
    fmpz_init(n);
    p->at += base == 16 ? 2 : 0;
    size_t digits = scan_digits(n, p, base);
    if (p->text[p->at] == '.') {
        point = true;
        p->at++;
        tail = scan_digits(n, p, base);
    }
    bool exponent = scan_exponent(&e, p, base == 16 ? 'p' : 'e');
    if (digits + tail == 0) {
        ok = expected(p, "hexadecimal digits");
    } else if (FLINT_ABS(e) > FLOAT_EXPONENT) {
        ok = fail(p, from, "the exponent of this number is above %d", FLOAT_EXPONENT);
    } else {
        scale(q, n, base == 16 ? 2 : 10, e - (slong)tail * (base == 16 ? 4 : 1));
        if (base == 10 && (point || exponent) && p->where != PLACE_HINT)
            ok = refuse_decimal(p, from, q);
    }
    fmpz_clear(n);
    return ok;
}

/* ---- the grammar ------------------------------------------------------------------ */

static bool
report(parser *p, size_t column, const char *error)
{
    return error == NULL || fail(p, column, "%s", error);
}

/* A sum, read for the place; the caller asks for the comma or bracket behind it. */
static bool
parse_argument(value *v, parser *p, place where)
{
    place outer = p->where;
    p->where = where;
    bool ok = parse_sum(v, p);
    p->where = outer;
    return ok;
}

static bool
parse_trig(value *v, parser *p, bool sine)
{
    value angle;
    fmpq_t turns, rest;
    skip_space(p);
    size_t from = p->at;
    value_init(&angle, p->K);
    fmpq_init(turns);
    fmpq_init(rest);
    bool ok = parse_argument(&angle, p, PLACE_ANGLE);
    if (ok) {
        fmpq_poly_get_coeff_fmpq(turns, angle.poly, 1);
        fmpq_poly_get_coeff_fmpq(rest, angle.poly, 0);
        if (fmpq_poly_degree(angle.poly) > 1 || !fmpq_is_zero(rest))
            ok = fail(p, from, "expected a rational multiple of pi");
        else
            ok = report(p, from, value_trig(v, sine, turns, p->K));
    }
    fmpq_clear(rest);
    fmpq_clear(turns);
    value_clear(&angle, p->K);
    return ok;
}

static bool
parse_root(value *v, parser *p)
{
    value f, hint;
    fmpq_t near;
    skip_space(p);
    size_t from = p->at;
    value_init(&f, p->K);
    value_init(&hint, p->K);
    fmpq_init(near);
    bool ok = parse_argument(&f, p, PLACE_POLY) && demand(p, ',')
              && parse_argument(&hint, p, PLACE_HINT);
    if (ok) {
        fmpq_poly_get_coeff_fmpq(near, hint.poly, 0);
        ok = report(p, from, value_root(v, f.poly, near, p->K));
    }
    fmpq_clear(near);
    value_clear(&hint, p->K);
    value_clear(&f, p->K);
    return ok;
}

typedef enum { SQRT, COS, SIN, ROOT, FUNCTIONS } function;
static const char *const function_name[FUNCTIONS] = {"sqrt", "cos", "sin", "root"};

static bool
parse_function(value *v, parser *p, function which)
{
    size_t from = p->at;
    p->at += strlen(function_name[which]);
    if (!demand(p, '('))
        return false;
    bool ok;
    if (which == SQRT)
        ok = parse_sum(v, p) && report(p, from, value_sqrt(v, p->K));
    else if (which == ROOT)
        ok = parse_root(v, p);
    else
        ok = parse_trig(v, p, which == SIN);
    return ok && demand(p, ')');
}

static bool
is_word(const char *s, size_t n, const char *word)
{
    return n == strlen(word) && memcmp(s, word, n) == 0;
}

static bool
parse_word(value *v, parser *p)
{
    const char *s = p->text + p->at;
    size_t n = word_length(s);
    if ((p->where == PLACE_POLY && is_word(s, n, "x"))
        || (p->where == PLACE_ANGLE && is_word(s, n, "pi"))) {
        fmpq_poly_zero(v->poly);
        fmpq_poly_set_coeff_si(v->poly, 1, 1);
        p->at += n;
        return true;
    }
    if (is_word(s, n, "pi"))
        return fail(p, p->at, "pi may stand only inside cos() or sin()");
    if (p->where == PLACE_NUMBER) {
        for (function i = SQRT; i < FUNCTIONS; i++)
            if (is_word(s, n, function_name[i]))
                return parse_function(v, p, i);
        if (p->K != NULL && is_word(s, n, "a")) {
            ckda_elem_gen(v->elem, p->K);
            v->kind = VALUE_ELEM;
            p->at += n;
            return true;
        }
    }
    static const char *const what[] = {"a number", "a rational number or x",
                                       "a rational number or pi", "a rational number"};
    return expected(p, what[p->where]);
}

static bool
parse_atom(value *v, parser *p)
{
    skip_space(p);
    const char *s = p->text + p->at;
    if (isdigit((unsigned char)s[0]) || (s[0] == '.' && isdigit((unsigned char)s[1]))) {
        fmpq_t q;
        fmpq_init(q);
        bool ok = scan_number(q, p);
        if (ok)
            fmpq_poly_set_fmpq(v->poly, q);
        fmpq_clear(q);
        return ok;
    }
    if (accept(p, '('))
        return parse_sum(v, p) && demand(p, ')');
    return parse_word(v, p);
}

/* The exponent as an integer in the range that is allowed. */
static bool
parse_exponent(slong *e, parser *p)
{
    value v;
    fmpq_t q;
    value_init(&v, p->K);
    fmpq_init(q);
    bool negative = accept(p, '-');
    skip_space(p);
    size_t from = p->at;
    bool ok = parse_atom(&v, p);
    if (ok) {
        bool rational = value_is_rational(&v);
        if (rational)
            fmpq_poly_get_coeff_fmpq(q, v.poly, 0);
        if (!rational || !fmpz_is_one(fmpq_denref(q)))
            ok = fail(p, from, "expected an integer as exponent");
        else if (fmpz_bits(fmpq_numref(q)) > 30
                 || FLINT_ABS(fmpz_get_si(fmpq_numref(q))) > EXPONENT)
            ok = fail(p, from, "this exponent is above %d", EXPONENT);
        else
            *e = fmpz_get_si(fmpq_numref(q)) * (negative ? -1 : 1);
    }
    fmpq_clear(q);
    value_clear(&v, p->K);
    return ok;
}

static bool
parse_power(value *v, parser *p)
{
    skip_space(p);
    size_t from = p->at;
    slong e = 0;
    if (!parse_atom(v, p))
        return false;
    if (!accept(p, '^'))
        return true;
    if (!parse_exponent(&e, p) || !report(p, from, value_pow(v, e, p->K)))
        return false;
    skip_space(p);
    if (p->text[p->at] == '^')
        return fail(p, p->at, "expected brackets around one of two powers in a row");
    return true;
}

static bool
parse_factor(value *v, parser *p)
{
    bool negative = false;
    for (;;) {
        if (accept(p, '-'))
            negative = !negative;
        else if (!accept(p, '+'))
            break;
    }
    if (!parse_power(v, p))
        return false;
    if (negative)
        value_neg(v, p->K);
    return true;
}

/* operand { op operand } for the two operators in ops. */
static bool
parse_chain(value *v, parser *p, const char *ops, bool (*operand)(value *, parser *))
{
    if (!operand(v, p))
        return false;
    for (;;) {
        skip_space(p);
        size_t from = p->at;
        char op = p->text[from];
        if (op == '\0' || strchr(ops, op) == NULL)
            return true;
        p->at++;
        value w;
        value_init(&w, p->K);
        bool ok = operand(&w, p) && report(p, from, value_op(v, op, &w, p->K));
        value_clear(&w, p->K);
        if (!ok)
            return false;
    }
}

static bool
parse_product(value *v, parser *p)
{
    return parse_chain(v, p, "*/", parse_factor);
}

static bool
parse_sum(value *v, parser *p)
{
    if (p->depth == DEPTH)
        return fail(p, p->at, "brackets are nested more than %d deep", DEPTH);
    p->depth++;
    bool ok = parse_chain(v, p, "+-", parse_product);
    p->depth--;
    return ok;
}

bool
value_parse(value *v, const char *text, const ckda_field_struct *K, ckda_error *err)
{
    parser p = {.text = text, .where = PLACE_NUMBER, .K = K, .err = err};
    if (!parse_sum(v, &p))
        return false;
    skip_space(&p);
    return text[p.at] == '\0' || expected(&p, "an operator or the end of the text");
}
