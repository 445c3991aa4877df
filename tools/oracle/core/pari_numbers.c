/* Exact numbers as text: what the parser and the field make of a random expression, as a
 * decimal that PARI compares with its own value of the same text. */
#include <string.h>

#include "pari_cases.h"

typedef struct {
    ckda_rand *rnd;
    char *from, *at;
    size_t room;
} writer;

static void
put(writer *w, const char *text)
{
    const size_t n = strlen(text);
    ckda_require(n < w->room, "the expression is too long");
    memcpy(w->at, text, n + 1);
    w->at += n;
    w->room -= n;
}

static void
put_number(writer *w, int64_t lo, int64_t hi)
{
    char text[32];
    snprintf(text, sizeof text, "%ld", (long)ckda_rand_range(w->rnd, lo, hi));
    put(w, text);
}

static void
put_atom(writer *w)
{
    static const char *const angle[] = {"pi/3",   "2*pi/5", "-pi/4",
                                        "3*pi/8", "pi/12",  "7*pi/10"};
    static const char *const root[] = {"root(x^3-x-1, 1.3)", "root(x^2-x-1, -0.6)",
                                       "root(2*x^3-3*x+5/7, -1.3)", "root(x^4-2, 1)"};
    switch (ckda_rand_below(w->rnd, 6)) {
    case 0:
        put(w, "sqrt(");
        put_number(w, 0, 12);
        put(w, ")");
        break;
    case 1:
    case 2:
        put(w, ckda_rand_below(w->rnd, 2) == 0 ? "cos(" : "sin(");
        put(w, angle[ckda_rand_below(w->rnd, sizeof angle / sizeof *angle)]);
        put(w, ")");
        break;
    case 3:
        put(w, root[ckda_rand_below(w->rnd, sizeof root / sizeof *root)]);
        break;
    default:
        put_number(w, 1, 30);
    }
}

/* depth operators, precedence and brackets by chance */
static void
put_sum(writer *w, int depth)
{
    static const char *const op[] = {"+", "-", "*", "/", " -", " + "};
    const bool brackets = ckda_rand_below(w->rnd, 3) == 0;
    if (ckda_rand_below(w->rnd, 5) == 0 && (w->at == w->from || w->at[-1] != '-'))
        put(w, "-"); /* "--" means something else to PARI, which ignores blanks */
    if (brackets)
        put(w, "(");
    put_atom(w);
    if (ckda_rand_below(w->rnd, 4) == 0) {
        put(w, "^");
        put_number(w, -2, 3);
    }
    if (depth > 0) {
        put(w, op[ckda_rand_below(w->rnd, sizeof op / sizeof *op)]);
        put_sum(w, depth - 1);
    }
    if (brackets)
        put(w, ")");
}

/* number(the text, 25 digits) if the text is a real number */
static void
number_line(const char *text)
{
    qqbar_t x;
    ckda_error err;
    ckda_field_t K;
    ckda_elem_t e;
    qqbar_init(x);
    if (ckda_number_parse(x, text, &err) == CKDA_OK && qqbar_is_real(x)) {
        must(ckda_field_init_numbers(K, e, x, 1, 0));
        char *decimal = ckda_elem_decimal(e, 25, K);
        printf("number(%s, %s)\n", text, decimal);
        free(decimal);
        ckda_elem_clear(e, K);
        ckda_field_clear(K);
    }
    qqbar_clear(x);
}

void
number_lines(ckda_rand *rnd, int count)
{
    for (int i = 0; i < count; i++) {
        char text[256];
        writer w = {rnd, text, text, sizeof text};
        put_sum(&w, i % 4);
        number_line(text);
    }
}
