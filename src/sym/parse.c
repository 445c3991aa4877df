/* parse.c -- the text of an expression becomes a graph.
 *
 *   expr      := term (('+' | '-') term)*
 *
 *   term      := unary (('*' | '/') unary)*
 *
 *   unary     := '-' unary | '+' unary | postfix
 *
 *   postfix   := primary ("'" | '^' exponent | '[' integer (',' integer)? ']')*
 *
 *   exponent  := integer | '-' integer | '(' expr ')'
 *
 *   primary   := integer | name | call | '(' expr ')' | '[' rows ']'
 */
#include <stdarg.h>
#include <string.h>

#include "internal.h"

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- messages ---- */

sym_node *
ckda_sym_fail(sym_parser *p, size_t at, const char *fmt, ...)
{
    if (p->failed)
        return NULL; /* the first message is the useful one */
    char what[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    /* Show at most 80 characters of the text around the place. */
    size_t from = at > 40 ? at - 40 : 0;
    ckda_error_set(p->err, "%s: character %lu of \"%s%.80s%s\": %s", p->label,
                   (unsigned long)at + 1, from > 0 ? "..." : "", p->text + from,
                   strlen(p->text + from) > 80 ? "..." : "", what);
    p->failed = true;
    return NULL;
}

sym_node *
ckda_sym_expected(sym_parser *p, const char *what)
{
    if (p->tok == TOK_END)
        return ckda_sym_fail(p, p->at, "expected %s, found the end", what);
    if (p->tok == TOK_BAD && p->text[p->at] == '.')
        return ckda_sym_fail(p, p->at,
                             "expected %s, found '.': numbers are exact, "
                             "write 1/2 and not 0.5",
                             what);
    return ckda_sym_fail(p, p->at, "expected %s, found '%.*s'", what,
                         (int)(p->end - p->at), p->text + p->at);
}

/* ---- tokens ---- */

void
ckda_sym_next(sym_parser *p)
{
    const char *t = p->text;
    size_t i = p->end;
    while (t[i] == ' ' || t[i] == '\t' || t[i] == '\n' || t[i] == '\r')
        i++;
    p->at = i;
    if (t[i] == '\0') {
        p->tok = TOK_END;
    } else if (is_digit(t[i])) {
        p->tok = TOK_INT;
        while (is_digit(t[i]))
            i++;
    } else if (is_letter(t[i])) {
        p->tok = TOK_NAME;
        while (is_letter(t[i]) || is_digit(t[i]))
            i++;
    } else if (strchr("=!<>", t[i]) != NULL) {
        /* "=" and "!" alone are signs too: no rule takes them, so the message shows them
         */
        p->tok = TOK_SIGN;
        i += t[i + 1] == '=' ? 2 : 1;
    } else {
        p->tok = strchr("+-*/^'()[],;", t[i]) != NULL ? TOK_SIGN : TOK_BAD;
        i++;
        while (p->tok == TOK_BAD && ((unsigned char)t[i] & 0xc0) == 0x80)
            i++; /* a whole UTF-8 character */
    }
    p->end = i;
}

void
ckda_sym_parser_init(sym_parser *p, ckda_sym *s, const char *text, const char *label,
                     ckda_error *err)
{
    memset(p, 0, sizeof *p);
    p->s = s;
    p->text = text;
    p->label = label;
    p->err = err;
    ckda_sym_next(p);
}

bool
ckda_sym_is(const sym_parser *p, const char *sign)
{
    return p->tok == TOK_SIGN && strlen(sign) == p->end - p->at
           && memcmp(sign, p->text + p->at, p->end - p->at) == 0;
}

bool
ckda_sym_eat(sym_parser *p, const char *sign)
{
    if (!ckda_sym_is(p, sign))
        return false;
    ckda_sym_next(p);
    return true;
}

bool
ckda_sym_name_is(const sym_parser *p, const char *name)
{
    return p->tok == TOK_NAME && strlen(name) == p->end - p->at
           && memcmp(name, p->text + p->at, p->end - p->at) == 0;
}

bool
ckda_sym_int(slong *out, sym_parser *p, size_t at, const sym_node *n, slong lo, slong hi,
             const char *what)
{
    if (n == NULL)
        return false;
    if (n->kind != NODE_NUM || !fmpz_is_one(fmpq_denref(n->num))) {
        ckda_sym_fail(p, at, "expected an integer constant as %s", what);
        return false;
    }
    if (fmpz_cmp_si(fmpq_numref(n->num), lo) < 0
        || fmpz_cmp_si(fmpq_numref(n->num), hi) > 0) {
        ckda_sym_fail(p, at, "%s must be between %ld and %ld", what, (long)lo, (long)hi);
        return false;
    }
    *out = fmpz_get_si(fmpq_numref(n->num));
    return true;
}

/* ---- names ---- */

static slong
find(char *const *names, slong n, const char *name, size_t len)
{
    for (slong i = 0; i < n; i++)
        if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
            return i;
    return -1;
}

slong
ckda_sym_find_var(const ckda_sym *s, const char *name, size_t len)
{
    return find(s->var, s->nvars, name, len);
}

slong
ckda_sym_find_param(const ckda_sym *s, const char *name, size_t len)
{
    return find(s->param, s->nparams, name, len);
}

slong
ckda_sym_find_def(const ckda_sym *s, const char *name, size_t len)
{
    for (slong i = 0; i < s->ndefs; i++)
        if (strlen(s->def[i].name) == len && memcmp(s->def[i].name, name, len) == 0)
            return i;
    return -1;
}

static sym_node *
parse_name(sym_parser *p)
{
    const char *name = p->text + p->at;
    size_t len = p->end - p->at, at = p->at;
    for (int i = p->nbinders - 1; i >= 0; i--)
        if (p->binder[i].len == len && memcmp(p->binder[i].name, name, len) == 0) {
            ckda_sym_next(p);
            return ckda_sym_num_si(p, p->binder[i].value);
        }
    if (ckda_sym_is_builtin(name, len))
        return ckda_sym_parse_call(p);
    slong i;
    if ((i = ckda_sym_find_var(p->s, name, len)) >= 0) {
        ckda_sym_next(p);
        return ckda_sym_leaf(p, NODE_VAR, 1, 1, i);
    }
    if ((i = ckda_sym_find_def(p->s, name, len)) >= 0) {
        ckda_sym_next(p);
        return p->s->def[i].node;
    }
    if ((i = ckda_sym_find_param(p->s, name, len)) >= 0) {
        if (!p->params)
            return ckda_sym_fail(p, at,
                                 "the parameter '%.*s' may only occur in sample "
                                 "expressions",
                                 (int)len, name);
        ckda_sym_next(p);
        return ckda_sym_leaf(p, NODE_PARAM, 1, 1, i);
    }
    return ckda_sym_fail(p, at, "unknown name '%.*s'", (int)len, name);
}

/* ---- expressions ---- */

static sym_node *
parse_int(sym_parser *p)
{
    char *digits = ckda_sym_copy(p->text + p->at, p->end - p->at);
    fmpq_t x;
    fmpq_init(x);
    sym_node *n = NULL;
    if (fmpz_set_str(fmpq_numref(x), digits, 10) == 0) {
        ckda_sym_next(p);
        n = ckda_sym_num(p, x);
    } else {
        ckda_sym_expected(p, "an integer");
    }
    fmpq_clear(x);
    flint_free(digits);
    return n;
}

/* '[' has been read. */
static sym_node *
parse_matrix(sym_parser *p, size_t at)
{
    sym_node **block = NULL, *n = NULL;
    slong *count = NULL, nblocks = 0, nrows = 0;
    bool ok = true, row = true;
    while (ok && row) {
        count = flint_realloc(count, (size_t)(nrows + 1) * sizeof *count);
        count[nrows] = 0;
        do {
            sym_node *b = ckda_sym_parse_expr(p);
            ok = b != NULL;
            block = flint_realloc(block, (size_t)(nblocks + 1) * sizeof *block);
            block[nblocks++] = b;
            count[nrows]++;
        } while (ok && ckda_sym_eat(p, ","));
        nrows++;
        row = ok && ckda_sym_eat(p, ";");
    }
    if (ok && !ckda_sym_eat(p, "]"))
        ckda_sym_expected(p, "',', ';' or ']'");
    else if (ok)
        n = ckda_sym_mat(p, at, block, count, nrows);
    flint_free(block);
    flint_free(count);
    return n;
}

static sym_node *
parse_primary(sym_parser *p)
{
    size_t at = p->at;
    if (p->tok == TOK_INT)
        return parse_int(p);
    if (p->tok == TOK_NAME)
        return parse_name(p);
    if (ckda_sym_eat(p, "(")) {
        sym_node *n = ckda_sym_parse_expr(p);
        if (n != NULL && !ckda_sym_eat(p, ")"))
            return ckda_sym_expected(p, "')'");
        return n;
    }
    if (ckda_sym_eat(p, "["))
        return parse_matrix(p, at);
    return ckda_sym_expected(p, "a number, a name, '(' or '['");
}

static sym_node *
parse_exponent(slong *e, sym_parser *p)
{
    size_t at = p->at;
    bool minus = ckda_sym_eat(p, "-");
    sym_node *n;
    if (p->tok != TOK_INT && p->tok != TOK_NAME && !ckda_sym_is(p, "("))
        return ckda_sym_expected(p, "an integer exponent");
    n = parse_primary(p);
    if (!ckda_sym_int(e, p, at, n, -SYM_MAX_POWER, SYM_MAX_POWER, "the exponent"))
        return NULL;
    *e = minus ? -*e : *e;
    if (ckda_sym_is(p, "^"))
        return ckda_sym_fail(p, p->at, "'^' after '^': write parentheses");
    return n;
}

/* '[' has been read: v[i] of a row or column, A[i,j]. */
static sym_node *
parse_index(sym_parser *p, sym_node *a)
{
    slong i, j = 0;
    size_t at = p->at;
    bool column = a->cols == 1;
    if (!ckda_sym_int(&i, p, at, ckda_sym_parse_expr(p), 1,
                      column || a->rows > 1 ? a->rows : a->cols, "the index"))
        return NULL;
    if (ckda_sym_eat(p, ",")) {
        at = p->at;
        if (!ckda_sym_int(&j, p, at, ckda_sym_parse_expr(p), 1, a->cols, "the column"))
            return NULL;
        if (i > a->rows)
            return ckda_sym_fail(p, at, "the row must be between 1 and %ld",
                                 (long)a->rows);
    } else if (column || a->rows == 1) {
        j = column ? 1 : i;
        i = column ? i : 1;
    }
    if (!ckda_sym_is(p, "]"))
        return ckda_sym_expected(p, j == 0 ? "','" : "']'");
    if (j == 0)
        return ckda_sym_fail(p, p->at, "a %ldx%ld matrix needs two indices",
                             (long)a->rows, (long)a->cols);
    ckda_sym_next(p);
    return ckda_sym_entry(p, a, i - 1, j - 1);
}

static sym_node *
parse_postfix(sym_parser *p)
{
    sym_node *n = parse_primary(p);
    while (n != NULL) {
        size_t at = p->at;
        slong e = 0;
        if (ckda_sym_eat(p, "'"))
            n = ckda_sym_trans(p, n);
        else if (ckda_sym_eat(p, "^"))
            n = parse_exponent(&e, p) == NULL ? NULL : ckda_sym_pow(p, at, n, e);
        else if (ckda_sym_eat(p, "["))
            n = parse_index(p, n);
        else
            break;
    }
    return n;
}

static sym_node *
parse_unary(sym_parser *p)
{
    bool minus = false;
    while (ckda_sym_is(p, "-") || ckda_sym_is(p, "+")) {
        minus = minus != ckda_sym_is(p, "-");
        ckda_sym_next(p);
    }
    sym_node *n = parse_postfix(p);
    return minus ? ckda_sym_neg(p, n) : n;
}

static sym_node *
parse_term(sym_parser *p)
{
    sym_node *n = parse_unary(p);
    while (n != NULL && (ckda_sym_is(p, "*") || ckda_sym_is(p, "/"))) {
        bool times = ckda_sym_is(p, "*");
        size_t at = p->at;
        ckda_sym_next(p);
        sym_node *m = parse_unary(p);
        n = times ? ckda_sym_mul(p, at, n, m) : ckda_sym_div(p, at, n, m);
    }
    return n;
}

sym_node *
ckda_sym_parse_expr(sym_parser *p)
{
    if (++p->nesting > SYM_MAX_NESTING)
        return ckda_sym_fail(p, p->at, "nested deeper than %d", SYM_MAX_NESTING);
    sym_node *n = parse_term(p);
    while (n != NULL && (ckda_sym_is(p, "+") || ckda_sym_is(p, "-"))) {
        bool plus = ckda_sym_is(p, "+");
        size_t at = p->at;
        ckda_sym_next(p);
        sym_node *m = parse_term(p);
        n = plus ? ckda_sym_add(p, at, n, m) : ckda_sym_sub(p, at, n, m);
    }
    p->nesting--;
    return n;
}

sym_node *
ckda_sym_parse_all(sym_parser *p)
{
    sym_node *n = ckda_sym_parse_expr(p);
    if (n != NULL && p->tok != TOK_END)
        return ckda_sym_expected(p, "an operator or the end");
    return n;
}
