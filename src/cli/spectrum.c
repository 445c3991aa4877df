/* ckda spectrum */
#include "cli.h"

#include "ckda/input.h"
#include "ckda/report.h"
#include "ckda/spectrum.h"
#include "file_command.h"

enum {
    PRINTED_DEGREE =
        64, /* the polynomial is printed up to here without being asked for */
    /* One transition is counted a second time through its polynomial up to here. */
    SECOND_COUNT_RATIONAL = 32,
    SECOND_COUNT = 8
};

/* ---- options ---- */

typedef struct {
    cli_file_options file;
    bool charpoly, eigenvalues;
} options;

enum { OPT_CHARPOLY = 256, OPT_EIGENVALUES };

static const struct argp_option option_table[] = {
    {"json", 'j', NULL, 0, "One JSON document", 0},
    {"charpoly", OPT_CHARPOLY, NULL, 0,
     "Print the characteristic polynomial above dimension 64, too", 0},
    {"eigenvalues", OPT_EIGENVALUES, NULL, 0,
     "Isolating boxes of all eigenvalues, and closed forms where the degree is small", 0},
    {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 'j':
        o->file.json = true;
        return 0;
    case OPT_CHARPOLY:
        o->charpoly = true;
        return 0;
    case OPT_EIGENVALUES:
        o->eigenvalues = true;
        return 0;
    case ARGP_KEY_ARG:
    case ARGP_KEY_NO_ARGS:
        return cli_parse_operand(&o->file.file, "FILE", key, arg, state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- results ---- */

/* What a result of the report room borrows. */
typedef struct {
    ckda_spectrum_result result;
    ckda_poly_t chi; /* zero while it is not formed */
    ckda_secular_t secular;
    ckda_eigenvalue *eigenvalues;
    slong neigenvalues;
    ckda_root_counts *factors;
    const char **certificates;
} work;

static void
work_init(work *w, const ckda_input_t in)
{
    *w = (work){.result = {.K = in->K}};
    ckda_poly_init(w->chi, in->K);
    w->factors = flint_calloc((size_t)in->ntrans + 1, sizeof *w->factors);
    w->certificates = flint_calloc((size_t)in->ntrans + 1, sizeof *w->certificates);
}

static void
work_clear(work *w, const ckda_input_t in)
{
    if (w->result.secular != NULL)
        ckda_secular_clear(w->secular);
    ckda_eigenvalues_free(&w->eigenvalues, w->neigenvalues);
    ckda_poly_clear(w->chi, in->K);
    flint_free(w->factors);
    flint_free(w->certificates);
}

/* ---- one transition ---- */

static ckda_status
undecided(ckda_error *err, const char *what)
{
    ckda_error_set(err, "%s", what);
    return CKDA_E_UNABLE;
}

/* Sturm's chain and a second way on the polynomial must find what the signs say. */
static void
count_again(work *w)
{
    ckda_root_counts c;
    ckda_poly_count_roots(&c, w->chi, w->result.K);
    ckda_require(c.real_roots == w->secular->counts.real_roots
                     && c.unit_circle_pairs == w->secular->counts.unit_circle_pairs,
                 "the polynomial has %ld real roots, the secular function %ld",
                 (long)c.real_roots, (long)w->secular->counts.real_roots);
    w->result.counted_by_polynomial = true;
}

static ckda_status
examine_transition(work *w, const options *o, const ckda_input_t in, ckda_error *err)
{
    const ckda_trans_struct *t = in->trans;
    const bool small = in->n <= PRINTED_DEGREE;
    ckda_status status = ckda_secular_count(w->secular, t, in->K);
    if (status == CKDA_E_UNABLE)
        return undecided(err, "no certificate for the last two eigenvalues was found up "
                              "to 8192 bits, and an exact count is made up to dimension "
                              "256");
    if (status != CKDA_OK)
        return status;
    w->result.secular = w->secular;
    w->result.counts = w->secular->counts;
    status = ckda_trans_norm_test(&w->result.norm_at_most_1, &w->result.norm_equals_1, t,
                                  in->K);
    if (status == CKDA_OK && (small || o->charpoly)) {
        status = ckda_secular_charpoly(w->chi, t, in->K);
        w->result.charpoly = w->chi;
    }
    if (status == CKDA_OK
        && in->n <= (in->K->degree == 1 ? SECOND_COUNT_RATIONAL : SECOND_COUNT))
        count_again(w);
    if (status == CKDA_OK && o->eigenvalues) {
        status = small ? ckda_poly_eigenvalues(&w->eigenvalues, &w->neigenvalues, w->chi,
                                               in->K)
                       : ckda_secular_eigenvalues(&w->eigenvalues, &w->neigenvalues,
                                                  w->secular, t, in->K);
        if (status == CKDA_E_UNABLE)
            return undecided(err, "boxes of more than 64 eigenvalues are made only for "
                                  "rational gates and without a multiple root");
    }
    return status;
}

/* ---- matrices and products ---- */

static ckda_status
count_factor(ckda_root_counts *counts, const char **certificate,
             const ckda_trans_struct *t, const ckda_field_t K)
{
    if (ckda_trans_is_secular(t)) {
        ckda_secular_t s;
        const ckda_status st = ckda_secular_count(s, t, K);
        if (st == CKDA_OK) {
            *counts = s->counts;
            *certificate = ckda_secular_kind_name(s->kind);
            ckda_secular_clear(s);
        }
        return st;
    }
    ckda_mat_t A;
    ckda_mat_init(A, t->n, t->n, K);
    ckda_status status = ckda_trans_matrix(A, t, K);
    if (status == CKDA_OK)
        status = ckda_mat_count_eigenvalues(counts, A, K);
    ckda_mat_clear(A, K);
    *certificate = "polynomial";
    return status;
}

static ckda_status
count_factors(work *w, const ckda_input_t in)
{
    ckda_status status = CKDA_OK;
    for (slong i = 0; i < in->ntrans && status == CKDA_OK; i++)
        status = count_factor(w->factors + i, w->certificates + i, in->trans + i, in->K);
    w->result.factors = w->factors;
    w->result.factor_certificates = w->certificates;
    w->result.nfactors = (size_t)in->ntrans;
    return status;
}

static ckda_status
examine_matrix(work *w, const options *o, const ckda_input_t in, ckda_error *err)
{
    ckda_spectrum_result *r = &w->result;
    ckda_mat_t A;
    ckda_status status = ckda_input_matrix(A, in, err);
    if (status != CKDA_OK)
        return status;
    status = ckda_mat_charpoly(w->chi, A, in->K);
    if (status == CKDA_OK) {
        ckda_poly_count_roots(&r->counts, w->chi, in->K);
        r->counted_by_polynomial = true;
        r->norm_at_most_1 = ckda_mat_is_contraction(&r->norm_equals_1, A, in->K);
        r->norm_equals_1 = r->norm_equals_1 && r->norm_at_most_1;
        if (in->n <= PRINTED_DEGREE || o->charpoly)
            r->charpoly = w->chi;
    }
    ckda_mat_clear(A, in->K);
    if (status == CKDA_OK && o->eigenvalues)
        status = ckda_poly_eigenvalues(&w->eigenvalues, &w->neigenvalues, w->chi, in->K);
    if (status == CKDA_OK && in->kind == CKDA_INPUT_PRODUCT)
        status = count_factors(w, in);
    return status;
}

static ckda_status
examine(work *w, const options *o, const ckda_input_t in, ckda_error *err)
{
    const bool one =
        in->kind == CKDA_INPUT_TRANSITION && ckda_trans_is_secular(in->trans);
    const ckda_status status =
        one ? examine_transition(w, o, in, err) : examine_matrix(w, o, in, err);
    w->result.eigenvalues = w->eigenvalues;
    w->result.neigenvalues = (size_t)w->neigenvalues;
    return status;
}

int
cli_spectrum(int argc, char **argv)
{
    static const char doc[] =
        "The exact characteristic polynomial of the matrix in FILE, how many of its "
        "eigenvalues are real, non-real and on the unit circle (with multiplicity), and "
        "whether its norm is at most 1.  One transition may have any dimension: its "
        "counts "
        "need no polynomial, which is printed up to dimension 64 only.";
    struct argp argp = {option_table, parse, "FILE", doc, NULL, NULL, NULL};
    options o = {{false, NULL}, false, false};
    ckda_input_t in;
    ckda_error err;
    cli_parse(&argp, argc, argv, &o);
    ckda_error_clear(&err);
    ckda_status status = ckda_input_open(in, o.file.file, &err);
    if (status != CKDA_OK)
        return cli_fail(status, &err);
    work w;
    work_init(&w, in);
    status = examine(&w, &o, in, &err);
    int code = EXIT_HOLDS;
    if (status == CKDA_OK)
        ckda_report_spectrum(stdout, o.file.json, &w.result);
    else
        code = cli_fail_on_file(status, o.file.file, &err);
    work_clear(&w, in);
    ckda_input_clear(in);
    return code;
}
