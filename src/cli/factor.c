/* ckda factor */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/factor_norm.h"
#include "ckda/factorise.h"
#include "ckda/input.h"
#include "factor_print.h"
#include "file_command.h"
#include "one_certificate.h"

/* Numbers in the keys (or the gates) of one factorisation. */
enum { MAX_ENTRIES = 2000000 };

typedef enum { PERMUTATION, MAP, ORTHOGONAL, CONTRACTION, RATIONAL, KINDS } factor_kind;
static const char *const kind_names[KINDS] = {"permutation", "map", "orthogonal",
                                              "contraction", "rational"};

typedef struct {
    bool json, has_kind, has_scheme;
    factor_kind kind;
    ckda_factor_scheme scheme;
    const char *max_beta, *file, *certificate;
} options;

enum { KEY_KIND = 0x100, KEY_FACTORISER, KEY_MAX_BETA, KEY_CERTIFICATE };

static const struct argp_option option_table[] = {
    {"kind", KEY_KIND, "KIND", 0,
     "permutation, map, rational, or of a matrix: orthogonal, contraction (beta <= 2, "
     "gates "
     "within [-1, 1], no scratch); what FILE holds says which of the first three if this "
     "is "
     "left out",
     0},
    {"factoriser", KEY_FACTORISER, "NAME", 0,
     "paper (default): the recipes of Proposition 25; short: ours, maps of n >= 3 points "
     "in n-1 factors with beta <= 5/2, matrices in 4n factors; for an orthogonal matrix: "
     "paper is Proposition 10, short (default) as few factors as there can be",
     0},
    {"max-beta", KEY_MAX_BETA, "B", 0,
     "Is every beta at most the exact number B?  Exit code 1 if not", 0},
    {"certificate", KEY_CERTIFICATE, "OUT", 0,
     "The factors and their product for ckda-recheck, into OUT", 0},
    {"json", 'j', NULL, 0, "One JSON document", 0},
    {0}};

static void
set_kind(options *o, const char *arg, struct argp_state *state)
{
    for (int k = 0; k < KINDS; k++)
        if (strcmp(arg, kind_names[k]) == 0) {
            o->kind = (factor_kind)k;
            o->has_kind = true;
            return;
        }
    argp_error(state,
               "--kind: expected permutation, map, orthogonal, contraction or rational, "
               "found '%s'",
               arg);
}

static void
set_factoriser(options *o, const char *arg, struct argp_state *state)
{
    o->has_scheme = true;
    if (strcmp(arg, "paper") == 0)
        o->scheme = CKDA_FACTOR_PAPER;
    else if (strcmp(arg, "short") == 0)
        o->scheme = CKDA_FACTOR_SHORT;
    else
        argp_error(state, "--factoriser: expected paper or short, found '%s'", arg);
}

static void
set_max_beta(options *o, const char *arg, struct argp_state *state)
{
    qqbar_t limit;
    ckda_error err;
    ckda_error_clear(&err);
    qqbar_init(limit);
    if (ckda_number_parse(limit, arg, &err) != CKDA_OK)
        argp_error(state, "--max-beta: %s", err.text);
    else if (!qqbar_is_real(limit))
        argp_error(state, "--max-beta: expected a real number, found '%s'", arg);
    qqbar_clear(limit);
    o->max_beta = arg;
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case KEY_KIND:
        set_kind(o, arg, state);
        return 0;
    case KEY_FACTORISER:
        set_factoriser(o, arg, state);
        return 0;
    case KEY_MAX_BETA:
        set_max_beta(o, arg, state);
        return 0;
    case KEY_CERTIFICATE:
        o->certificate = arg;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
    case ARGP_KEY_NO_ARGS:
        return cli_parse_operand(&o->file, "FILE", key, arg, state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- does the input have the property asked for? -------------------------------- */

/* What is to be factored: n points with images, or the n x n matrix M. */
typedef struct {
    slong n;
    slong *image;
    ckda_mat_t M;
    ckda_error reason; /* with text: it cannot be, because of what stands at[] */
    slong at[2];
    ckda_elem_struct
        *witness; /* n + 2: x, |x|^2, |Mx|^2; NULL unless the norm is above 1 */
} subject;

/* Column j as a unit vector: its index, or -1 with *row the first entry that is wrong. */
static slong
unit_index(slong *row, const ckda_mat_t M, slong j, const ckda_field_t K)
{
    slong found = -1;
    for (*row = 0; *row < M->rows; ++*row) {
        const ckda_elem_struct *x = ckda_mat_entry(M, *row, j);
        if (ckda_elem_is_zero(x, K))
            continue;
        if (found >= 0 || !ckda_elem_is_one(x, K))
            return -1;
        found = *row;
    }
    *row = 0; /* a column of zeros */
    return found;
}

static void
refuse(subject *s, slong a, slong b)
{
    s->at[0] = a;
    s->at[1] = b;
}

static void
read_map(subject *s, const ckda_field_t K)
{
    for (slong j = 0; j < s->n && s->reason.text[0] == '\0'; j++) {
        slong row;
        s->image[j] = unit_index(&row, s->M, j, K);
        if (s->image[j] >= 0)
            continue;
        refuse(s, row, j);
        ckda_error_set(
            &s->reason,
            "column %ld is not a unit vector (entry [%ld, %ld]), so the matrix "
            "is no map",
            (long)j, (long)row, (long)j);
    }
}

static void
require_permutation(subject *s)
{
    slong *from = flint_malloc(((size_t)s->n + 1) * sizeof *from);
    for (slong i = 0; i < s->n; i++)
        from[i] = -1;
    for (slong i = 0; i < s->n && s->reason.text[0] == '\0'; i++) {
        const slong j = s->image[i];
        if (from[j] >= 0) {
            refuse(s, from[j], i);
            ckda_error_set(
                &s->reason,
                "points %ld and %ld both go to %ld, so the map is no permutation",
                (long)from[j], (long)i, (long)j);
        }
        from[j] = i;
    }
    flint_free(from);
}

static void
require_rational(subject *s, const ckda_field_t K)
{
    for (slong i = 0; i < s->n * s->n && s->reason.text[0] == '\0'; i++)
        if (!ckda_elem_is_rational(s->M->entry + i, K)) {
            refuse(s, i / s->n, i % s->n);
            ckda_error_set(&s->reason, "entry [%ld, %ld] is irrational", (long)s->at[0],
                           (long)s->at[1]);
        }
}

static void
require_orthogonal(subject *s, const ckda_field_t K)
{
    ckda_index at;
    ckda_elem_t got;
    if (ckda_mat_is_orthogonal(&at, s->M, K))
        return;
    refuse(s, at.row, at.col);
    ckda_elem_init(got, K);
    for (slong i = 0; i < s->n; i++)
        ckda_elem_addmul(got, ckda_mat_entry(s->M, i, at.row),
                         ckda_mat_entry(s->M, i, at.col), K);
    char *text = ckda_elem_str(got, K);
    ckda_error_set(&s->reason,
                   "entry [%ld, %ld] of A^T A is %.200s, not %d, so the matrix is not "
                   "orthogonal",
                   (long)at.row, (long)at.col, text, at.row == at.col);
    free(text);
    ckda_elem_clear(got, K);
}

static void
require_contraction(subject *s, const ckda_field_t K)
{
    bool equal;
    ckda_elem_t y;
    if (ckda_mat_is_contraction(&equal, s->M, K))
        return;
    refuse(s, -1, -1);
    ckda_error_set(&s->reason, "the norm is above 1: |Ax| > |x| for the vector x");
    s->witness = ckda_elem_vec_new(s->n + 2, K);
    const ckda_status status = ckda_norm_witness(s->witness, s->M, K);
    ckda_require(status == CKDA_OK, "no witness of a norm above 1");
    ckda_elem_init(y, K);
    for (slong i = 0; i < s->n; i++) {
        ckda_elem_addmul(s->witness + s->n, s->witness + i, s->witness + i, K);
        ckda_elem_zero(y, K);
        for (slong j = 0; j < s->n; j++)
            ckda_elem_addmul(y, ckda_mat_entry(s->M, i, j), s->witness + j, K);
        ckda_elem_addmul(s->witness + s->n + 1, y, y, K);
    }
    ckda_elem_clear(y, K);
}

/* s->M is the matrix of the document. */
static void
examine(subject *s, factor_kind kind, const ckda_field_t K)
{
    s->n = s->M->rows;
    s->witness = NULL;
    s->image = flint_calloc((size_t)s->n + 1, sizeof *s->image);
    ckda_error_clear(&s->reason);
    if (kind == RATIONAL)
        require_rational(s, K);
    else if (kind == ORTHOGONAL)
        require_orthogonal(s, K);
    else if (kind == CONTRACTION)
        require_contraction(s, K);
    else
        read_map(s, K);
    if (kind == PERMUTATION && s->reason.text[0] == '\0')
        require_permutation(s);
}

static void
subject_clear(subject *s, const ckda_field_t K)
{
    if (s->witness != NULL)
        ckda_elem_vec_free(s->witness, s->n + 2, K);
    ckda_mat_clear(s->M, K);
    flint_free(s->image);
}

/* ---- factors, and what is known about them ---------------------------------------- */

static slong
dimension(slong n, const options *o)
{
    return o->kind != RATIONAL ? n : o->scheme == CKDA_FACTOR_PAPER ? 2 * n + 1 : 2 * n;
}

static slong
bound(slong n, const options *o)
{
    if (o->kind == RATIONAL)
        return ckda_factor_rational_bound(n, o->scheme);
    if (o->kind == ORTHOGONAL)
        return ckda_factor_orthogonal_bound(n);
    if (o->kind == CONTRACTION)
        return ckda_factor_contraction_bound(n);
    return o->kind == MAP ? ckda_factor_map_bound(n, o->scheme)
                          : ckda_factor_permutation_bound(n);
}

static ckda_truth
minimal(const ckda_factors_t f, const subject *s, const options *o, const ckda_field_t K)
{
    slong least = -1;
    if (o->kind == RATIONAL)
        return ckda_factor_rational_is_minimal(f->count, o->scheme);
    if (o->kind == MAP)
        return ckda_factor_map_is_minimal(f->count, s->image, s->n, K);
    const ckda_status status = ckda_factor_permutation_minimal(&least, s->image, s->n, K);
    return status == CKDA_OK && least == f->count ? CKDA_TRUE : CKDA_UNKNOWN;
}

static slong
largest_beta(const ckda_factors_t f, const ckda_field_t K)
{
    slong best = f->count > 0 ? 0 : -1;
    for (slong i = 1; i < f->count; i++)
        if (ckda_elem_cmp(f->step[i].beta, f->step[best].beta, K) > 0)
            best = i;
    return best;
}

static bool
beta_within(const factor_result *r)
{
    qqbar_t beta, limit;
    qqbar_init(beta); /* 0 */
    qqbar_init(limit);
    if (r->largest >= 0)
        ckda_elem_get_qqbar(beta, r->factors->step[r->largest].beta, r->K);
    const ckda_status status = ckda_number_parse(limit, r->limit, NULL);
    ckda_require(status == CKDA_OK, "--max-beta was read before");
    const bool within = qqbar_cmp_re(beta, limit) <= 0;
    qqbar_clear(limit);
    qqbar_clear(beta);
    return within;
}

/* What is left once r->factors, verified, enclosed and minimal are there. */
static int
finish(factor_result *r, const options *o)
{
    r->largest = largest_beta(r->factors, r->K);
    r->limit = o->max_beta;
    r->within = o->max_beta == NULL || beta_within(r);
    return (r->verified || r->enclosed) && r->within ? EXIT_HOLDS : EXIT_REFUTED;
}

static int
factor(factor_result *r, ckda_factors_t f, const subject *s, const options *o)
{
    const ckda_field_struct *K = r->K;
    ckda_status status;
    if (o->kind == RATIONAL)
        status = ckda_factor_rational(f, s->M, o->scheme, K);
    else if (o->kind == ORTHOGONAL)
        status = ckda_factor_orthogonal(f, &r->minimal, s->M, o->scheme, K);
    else
        status = ckda_factor_map(f, s->image, o->scheme, K);
    ckda_require(status == CKDA_OK, "the input was examined; status %d", (int)status);
    r->factors = f;
    r->verified = ckda_factors_simulate(f, s->M, K);
    if (o->kind == ORTHOGONAL)
        r->method = o->scheme == CKDA_FACTOR_PAPER ? "columns to unit vectors"
                                                   : "columns of A S to unit vectors";
    else
        r->minimal = minimal(f, s, o, K);
    return cli_certify_factors(o->certificate, o->file, s->M, r, finish(r, o));
}

static int
factor_contraction(factor_result *r, const subject *s, const options *o)
{
    ckda_contraction_t c;
    ckda_error err;
    const ckda_status status = ckda_factor_contraction(c, s->M, r->K);
    if (status != CKDA_OK) {
        ckda_require(status == CKDA_E_UNABLE, "the input was examined; status %d",
                     (int)status);
        ckda_error_set(
            &err,
            "limit reached: no exact way is known for this matrix, and singular "
            "value decompositions are made up to dimension %d",
            CKDA_FACTOR_BALLS_MAX);
        return cli_fail(status, &err);
    }
    r->K = c->K;
    r->factors = c->factors;
    r->verified = c->exact && ckda_factors_simulate(c->factors, c->A, c->K);
    r->enclosed = !c->exact;
    r->residual = c->residual;
    r->method = c->method;
    r->minimal = c->minimal;
    const int code = cli_certify_factors(o->certificate, o->file, c->A, r, finish(r, o));
    cli_print_factors(stdout, o->json, r);
    ckda_contraction_clear(c);
    return code;
}

/* Asked before anything of that size is made. */
static ckda_status
check_size(slong n, const options *o, ckda_error *err)
{
    if (n < 1 || bound(n, o) <= MAX_ENTRIES / dimension(n, o))
        return CKDA_OK;
    ckda_error_set(err,
                   "limit reached: %ld factors of dimension %ld are more than %d numbers",
                   (long)bound(n, o), (long)dimension(n, o), (int)MAX_ENTRIES);
    return CKDA_E_UNABLE;
}

static int
work(subject *s, const options *o, const ckda_field_struct *K)
{
    factor_result r = {.kind = kind_names[o->kind],
                       .factoriser = o->scheme == CKDA_FACTOR_PAPER ? "paper" : "short",
                       .points = s->n,
                       .dimension = dimension(s->n, o),
                       .bound = bound(s->n, o),
                       .K = K};
    ckda_factors_t f;
    int code = EXIT_REFUTED;
    ckda_factors_init(f, r.dimension, K);
    if (s->reason.text[0] != '\0') {
        r.reason = s->reason.text;
        memcpy(r.at, s->at, sizeof r.at);
        r.witness = s->witness;
        r.squares = s->witness != NULL ? s->witness + s->n : NULL;
    } else if (o->kind == CONTRACTION) {
        code = factor_contraction(&r, s, o);
    } else {
        code = factor(&r, f, s, o);
    }
    if (r.reason != NULL || o->kind != CONTRACTION)
        cli_print_factors(stdout, o->json, &r);
    ckda_factors_clear(f, K);
    return code;
}

static factor_kind
kind_of(const ckda_input_t in)
{
    return in->kind == CKDA_INPUT_PERMUTATION ? PERMUTATION
           : in->kind == CKDA_INPUT_MAP       ? MAP
                                              : RATIONAL;
}

int
cli_factor(int argc, char **argv)
{
    static const struct argp argp = {
        option_table,
        parse,
        "FILE",
        "Writes a permutation, a map, an orthogonal matrix, a contraction or a rational "
        "matrix as a product of CKDA factors (I - beta k k^T) Diag(gate), exactly, "
        "multiplies it out again, and says how the count compares with what is needed.  "
        "FILE is a JSON document; a rational matrix needs scratch coordinates behind its "
        "own.  A contraction for which no exact way is known is approximated, with a "
        "proved bound of the difference.\vExit code 0: done; 1: the input is not what "
        "--kind says, or a beta is above --max-beta; 3: a limit was reached.",
        NULL,
        NULL,
        NULL};
    options o = {0};
    subject s;
    ckda_input_t in;
    ckda_error err;
    ckda_error_clear(&err);
    cli_parse(&argp, argc, argv, &o);
    ckda_status status = ckda_input_open(in, o.file, &err);
    if (status != CKDA_OK)
        return cli_fail(status, &err);
    if (!o.has_kind)
        o.kind = kind_of(in);
    if (!o.has_scheme && (o.kind == ORTHOGONAL || o.kind == CONTRACTION))
        o.scheme = CKDA_FACTOR_SHORT;
    int code;
    status = check_size(in->n, &o, &err);
    if (status == CKDA_OK)
        status = ckda_input_matrix(s.M, in, &err);
    if (status == CKDA_OK) {
        examine(&s, o.kind, in->K);
        code = work(&s, &o, in->K);
        subject_clear(&s, in->K);
    } else {
        code = cli_fail_on_file(status, o.file, &err);
    }
    ckda_input_clear(in);
    return code;
}
