/* Why the powers of a word never repeat, over K.
 *
 * The states S, T S, T^2 S, ... satisfy a shortest linear recurrence, with a 1 beside each
 * state when there are offsets; its polynomial mu is the characteristic polynomial of T on
 * their span.  They are finitely many iff mu = x^t times different cyclotomic factors, each
 * of them once.  So mu has a root that is neither 0 nor a root of unity, or a multiple
 * root of unity: that is the reason.  (That neither is so would contradict the proof
 * modulo the prime, and ends the program.)                                              */
#include "infinite_internal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIZE = 80, MOST_WORK = 2000000, MOST_LETTERS = 4096, LONGEST_POLY = 160 };

/* A := matrix, B := offset and S := state of a word are initialised by the caller. */
void
word_over_field(ckda_mat_t A, ckda_mat_t B, ckda_mat_t S, const ckda_pump *pump,
                const ckda_system_t sys)
{
    const ckda_field_struct *K = sys->K;
    ckda_status st = ckda_mat_set(S, sys->initial, K);
    if (st == CKDA_OK)
        st = ckda_mat_one(A, K);
    ckda_require(st == CKDA_OK, "the shapes were checked before");
    for (uint32_t i = 0; i < pump->nprefix; i++)
        exact_step(S, sys, pump->prefix[i]);
    ckda_mat_zero(B, K);
    for (uint32_t i = 0; i < pump->length; i++) {
        st = ckda_mat_mul(A, sys->linear + pump->word[i], A, K);
        ckda_require(st == CKDA_OK, "shapes");
        exact_step(B, sys, pump->word[i]);
    }
}

/* ---- the recurrence -------------------------------------------------------------------- */

/* One row of an echelon form: `width` entries, then what it is made of. */
typedef struct {
    ckda_elem_struct *entry;
    slong pivot;
} row;

/* v -= v[pivot] r, for r with 1 at its pivot. */
static void
eliminate(ckda_elem_struct *v, const row *r, slong width, const ckda_field_t K)
{
    ckda_elem_t c;
    ckda_elem_init(c, K);
    ckda_elem_set(c, v + r->pivot, K);
    for (slong j = 0; j < width && !ckda_elem_is_zero(c, K); j++)
        if (!ckda_elem_is_zero(r->entry + j, K))
            ckda_elem_submul(v + j, c, r->entry + j, K);
    ckda_elem_clear(c, K);
}

/* Divides v by its first entry that is not 0 among `count`; -1 if all are. */
static slong
normalise(ckda_elem_struct *v, slong count, slong width, const ckda_field_t K)
{
    slong at = 0;
    while (at < count && ckda_elem_is_zero(v + at, K))
        at++;
    if (at == count)
        return -1;
    ckda_elem_t c;
    ckda_elem_init(c, K);
    ckda_status st = ckda_elem_inv(c, v + at, K);
    ckda_require(st == CKDA_OK, "not zero");
    for (slong j = 0; j < width; j++)
        ckda_elem_mul(v + j, v + j, c, K);
    ckda_elem_clear(c, K);
    return at;
}

/* mu, monic, of the sequence S, T S, ...; S moves on. */
static void
recurrence(ckda_poly_t mu, const ckda_mat_t A, const ckda_mat_t B, ckda_mat_t S,
           bool with_one, const ckda_field_t K)
{
    const slong n = S->rows, nm = n * S->cols, most = n + 1; /* degree of mu */
    const slong count = nm + 1, width = count + most + 1;
    row *rows = flint_malloc((size_t)(most + 1) * sizeof *rows);
    slong k = 0;
    for (bool dependent = false; !dependent; k++) {
        ckda_require(k <= most, "a recurrence of order %ld at most", (long)most);
        ckda_elem_struct *v = ckda_elem_vec_new(width, K);
        for (slong e = 0; e < nm; e++)
            ckda_elem_set(v + e, S->entry + e, K);
        if (with_one)
            ckda_elem_one(v + nm, K);
        ckda_elem_one(v + count + k, K);
        for (slong i = 0; i < k; i++)
            eliminate(v, rows + i, width, K);
        rows[k] = (row){v, normalise(v, count, width, K)};
        dependent = rows[k].pivot < 0;
        ckda_status st = ckda_mat_mul(S, A, S, K);
        if (st == CKDA_OK)
            st = ckda_mat_add(S, S, B, K);
        ckda_require(st == CKDA_OK, "shapes");
    }
    ckda_poly_zero(mu, K);
    for (slong i = 0; i < k; i++)
        ckda_poly_set_coeff(mu, i, rows[k - 1].entry + count + i, K);
    ckda_poly_monic(mu, mu, K);
    for (slong i = 0; i < k; i++)
        ckda_elem_vec_free(rows[i].entry, width, K);
    flint_free(rows);
}

/* ---- its roots ------------------------------------------------------------------------- */

typedef struct {
    ckda_poly_t rest; /* monic: the roots that are neither 0 nor roots of unity */
    fmpz_t order;     /* least common order of the roots of unity */
    slong multiple;   /* greatest multiplicity of a root of unity ... */
    ulong of_order;   /* ... which has this order */
    bool only_ones;   /* no multiple one but 1 */
} root_kinds;

/* f /= g, which divides it. */
static void
divide(ckda_poly_t f, const ckda_poly_t g, const ckda_field_t K)
{
    ckda_poly_t q, r;
    ckda_poly_init(q, K);
    ckda_poly_init(r, K);
    const ckda_status st = ckda_poly_divrem(q, r, f, g, K);
    ckda_require(st == CKDA_OK && ckda_poly_is_zero(r), "it divides");
    ckda_poly_swap(f, q);
    ckda_poly_clear(q, K);
    ckda_poly_clear(r, K);
}

/* Image of a polynomial whose denominators are prime to p. */
static void
poly_image(nmod_poly_t f, const ckda_poly_t g, const ckda_modulus *mod,
           const ckda_field_t K)
{
    nmod_poly_zero(f);
    for (slong i = 0; i < g->length; i++) {
        uint32_t c = 0;
        const ckda_status st = ckda_modulus_elem(&c, g->coeff + i, mod, K);
        ckda_require(st == CKDA_OK, "the modulus avoids the denominators");
        nmod_poly_set_coeff_ui(f, i, c);
    }
}

/* Takes the roots of order N out of r->rest. */
static void
take_order(root_kinds *r, ulong N, const fmpz_poly_t phi, const ckda_field_t K)
{
    ckda_poly_t cyclotomic, common;
    slong times = 0;
    ckda_poly_init(cyclotomic, K);
    ckda_poly_init(common, K);
    for (slong i = 0; i < fmpz_poly_length(phi); i++)
        ckda_poly_set_coeff_si(cyclotomic, i, fmpz_poly_get_coeff_si(phi, i), K);
    for (;; times++) {
        ckda_poly_gcd(common, r->rest, cyclotomic, K);
        if (ckda_poly_degree(common) <= 0)
            break;
        divide(r->rest, common, K);
    }
    if (times > 0) {
        fmpz_t n;
        fmpz_init_set_ui(n, N);
        fmpz_lcm(r->order, r->order, n);
        fmpz_clear(n);
    }
    if (times > 1 && N > 1)
        r->only_ones = false;
    if (times > r->multiple) {
        r->multiple = times;
        r->of_order = N;
    }
    ckda_poly_clear(cyclotomic, K);
    ckda_poly_clear(common, K);
}

/* Takes the zero roots and the roots of unity out of r->rest.  A root of unity has degree
 * at most deg d over Q.  A common divisor over K has an image that divides both images
 * (its coefficients are algebraic integers), so most orders are done with at the prime. */
static void
take_roots_of_unity(root_kinds *r, const ckda_field_t K)
{
    ckda_modulus mod;
    fmpz_t den;
    ckda_poly_t x;
    ckda_poly_init(x, K);
    ckda_poly_set_coeff_si(x, 1, 1, K);
    while (r->rest->length > 1 && ckda_elem_is_zero(r->rest->coeff, K))
        divide(r->rest, x, K);
    ckda_poly_clear(x, K);
    fmpz_init_set_ui(den, 1);
    const ckda_mat_struct coefficients = {r->rest->coeff, r->rest->length, 1};
    raise_denominator(den, &coefficients, K);
    const ckda_status st = ckda_modulus_init(&mod, K, 0, den);
    ckda_require(st == CKDA_OK, "the search had a prime for this field");
    nmod_poly_t image, cyclotomic;
    fmpz_poly_t phi;
    nmod_poly_init(image, mod.p);
    nmod_poly_init(cyclotomic, mod.p);
    fmpz_poly_init(phi);
    poly_image(image, r->rest, &mod, K);
    const ulong most = (ulong)(ckda_poly_degree(r->rest) * K->degree);
    for (ulong N = 1; N <= 2 * most * most; N++) {
        if (n_euler_phi(N) > most)
            continue;
        fmpz_poly_cyclotomic(phi, N);
        fmpz_poly_get_nmod_poly(cyclotomic, phi);
        nmod_poly_gcd(cyclotomic, cyclotomic, image);
        if (nmod_poly_degree(cyclotomic) > 0)
            take_order(r, N, phi, K);
    }
    fmpz_poly_clear(phi);
    nmod_poly_clear(cyclotomic);
    nmod_poly_clear(image);
    ckda_modulus_clear(&mod);
    fmpz_clear(den);
}

/* Is x an algebraic integer?  Iff its characteristic polynomial over Q is integral. */
static bool
is_algebraic_integer(const ckda_elem_t x, const ckda_field_t K)
{
    if (ckda_elem_is_integral_form(x, K))
        return true;
    fmpq_mat_t times;
    fmpq_poly_t f;
    fmpq_mat_init(times, K->degree, K->degree);
    fmpq_poly_init(f);
    nf_elem_rep_mat(times, x, K->nf);
    fmpq_mat_charpoly(f, times);
    const bool integral = fmpz_is_one(fmpq_poly_denref(f));
    fmpq_poly_clear(f);
    fmpq_mat_clear(times);
    return integral;
}

/* ---- the reason ------------------------------------------------------------------------ */

static void say(ckda_pump *pump, ckda_pump_kind kind, const char *fmt, ...)
    CKDA_PRINTF(3, 4);
static void
say(ckda_pump *pump, ckda_pump_kind kind, const char *fmt, ...)
{
    char buf[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    pump->kind = kind;
    pump->reason = flint_malloc(strlen(buf) + 1);
    strcpy(pump->reason, buf);
}

/* The trace on the span of the differences T^(k+1) S - T^k S: with offsets one root 1 of mu
 * belongs to the 1 beside the states. */
static bool
trace_says(ckda_pump *pump, const ckda_poly_t mu, bool with_one, const ckda_field_t K)
{
    ckda_elem_t trace, one;
    ckda_elem_init(trace, K);
    ckda_elem_init(one, K);
    ckda_poly_get_coeff(trace, mu, ckda_poly_degree(mu) - 1, K);
    ckda_elem_neg(trace, trace, K);
    ckda_elem_one(one, K);
    if (with_one)
        ckda_elem_sub(trace, trace, one, K);
    const bool says = !is_algebraic_integer(trace, K);
    if (says) {
        char *text = ckda_elem_str(trace, K);
        const bool fits = strlen(text) <= LONGEST_POLY;
        say(pump, CKDA_PUMP_TRACE,
            "on the span of the states%s the word has the trace%s%s%s no algebraic "
            "integer",
            with_one ? "' differences" : "", fits ? " " : "", fits ? text : "",
            fits ? "," : ", which is");
        free(text);
    }
    ckda_elem_clear(trace, K);
    ckda_elem_clear(one, K);
    return says;
}

static void
say_eigenvalue(ckda_pump *pump, const root_kinds *r, const ckda_field_t K)
{
    const char *root =
        "on the span of the states the word has an eigenvalue that is no root "
        "of unity: a root of";
    char *text = ckda_poly_str(r->rest, "x", K);
    if (strlen(text) <= LONGEST_POLY)
        say(pump, CKDA_PUMP_EIGENVALUE, "%s %s", root, text);
    else
        say(pump, CKDA_PUMP_EIGENVALUE, "%s a polynomial of degree %ld", root,
            (long)ckda_poly_degree(r->rest));
    free(text);
}

/* Is 1 no root, or one without a Jordan block, of the whole of A? */
static bool
one_is_semisimple(const ckda_mat_t A, const ckda_field_t K)
{
    ckda_mat_t D, I;
    ckda_mat_init(D, A->rows, A->rows, K);
    ckda_mat_init(I, A->rows, A->rows, K);
    ckda_status st = ckda_mat_one(I, K);
    if (st == CKDA_OK)
        st = ckda_mat_sub(D, A, I, K);
    const slong rank = ckda_mat_rank(D, K);
    if (st == CKDA_OK)
        st = ckda_mat_mul(D, D, D, K);
    ckda_require(st == CKDA_OK, "square");
    const bool same = ckda_mat_rank(D, K) == rank;
    ckda_mat_clear(D, K);
    ckda_mat_clear(I, K);
    return same;
}

static void
say_multiple(ckda_pump *pump, const root_kinds *r, const ckda_mat_t A, bool with_one,
             const ckda_field_t K)
{
    ckda_require(r->multiple > 1, "a finite orbit contradicts the proof modulo %u",
                 pump->prime);
    if (with_one && r->only_ones && r->multiple == 2 && one_is_semisimple(A, K)) {
        char *order = fmpz_get_str(NULL, 10, r->order);
        say(pump, CKDA_PUMP_TRANSLATION,
            "from some power on, %s%s moves every state by the same vector, which is not "
            "0",
            fmpz_is_one(r->order) ? "the word" : "the word's power ",
            fmpz_is_one(r->order) ? "" : order);
        flint_free(order);
        return;
    }
    say(pump, CKDA_PUMP_JORDAN,
        "on the span of the states%s the word has a Jordan block of size %ld at a root "
        "of "
        "unity of order %lu",
        with_one ? ", with a 1 beside each," : "", (long)r->multiple, r->of_order);
}

static void
explain(ckda_pump *pump, const ckda_mat_t A, const ckda_mat_t B, ckda_mat_t S,
        bool with_one, const ckda_field_t K)
{
    bool equal = false;
    root_kinds r = {.only_ones = true};
    ckda_poly_t mu;
    ckda_poly_init(mu, K);
    ckda_poly_init(r.rest, K);
    fmpz_init_set_ui(r.order, 1);
    recurrence(mu, A, B, S, with_one, K);
    ckda_poly_set(r.rest, mu, K);
    take_roots_of_unity(&r, K);
    if (ckda_poly_degree(r.rest) == 0)
        say_multiple(pump, &r, A, with_one, K);
    else if (ckda_mat_is_contraction(&equal, A, K) && !equal)
        say(pump, CKDA_PUMP_CONTRACTION,
            "the word's linear part has norm below 1, and the states approach its fixed "
            "point without reaching it");
    else if (!trace_says(pump, mu, with_one, K))
        say_eigenvalue(pump, &r, K);
    fmpz_clear(r.order);
    ckda_poly_clear(r.rest, K);
    ckda_poly_clear(mu, K);
}

void
explain_pump(ckda_pump *pump, const ckda_system_t sys)
{
    const ckda_field_struct *K = sys->K;
    const slong n = sys->initial->rows, m = sys->initial->cols;
    const double size = (double)((n + 1) * K->degree);
    const double work = size * size * (double)(n * m);
    if (n * K->degree > MOST_SIZE || work > MOST_WORK
        || (pump->length + pump->nprefix) * (ulong)(n * m) > MOST_LETTERS) {
        say(pump, CKDA_PUMP_PERIOD,
            "after every period that a finite orbit could have the state is another one");
        return;
    }
    ckda_mat_t A, B, S;
    ckda_mat_init(A, n, n, K);
    ckda_mat_init(B, n, m, K);
    ckda_mat_init(S, n, m, K);
    word_over_field(A, B, S, pump, sys);
    explain(pump, A, B, S, sys->offset != NULL, K);
    ckda_mat_clear(A, K);
    ckda_mat_clear(B, K);
    ckda_mat_clear(S, K);
}
