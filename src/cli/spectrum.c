/* ckda spectrum */
#include "cli.h"

#include "ckda/input.h"
#include "ckda/report.h"
#include "ckda/spectrum.h"
#include "file_command.h"

/* The counts of each transition of a product. */
static ckda_status
count_factors(ckda_root_counts *counts, const ckda_input_t in)
{
    ckda_status status = CKDA_OK;
    for (slong i = 0; i < in->ntrans && status == CKDA_OK; i++) {
        ckda_mat_t A;
        ckda_mat_init(A, in->n, in->n, in->K);
        status = ckda_trans_matrix(A, in->trans + i, in->K);
        if (status == CKDA_OK)
            status = ckda_mat_count_eigenvalues(counts + i, A, in->K);
        ckda_mat_clear(A, in->K);
    }
    return status;
}

static ckda_status
examine(ckda_spectrum_result *s, ckda_poly_t chi, ckda_root_counts *factors,
        const ckda_input_t in, ckda_error *err)
{
    ckda_mat_t A;
    ckda_status status = ckda_input_matrix(A, in, err);
    if (status != CKDA_OK)
        return status;
    status = ckda_mat_charpoly(chi, A, in->K);
    if (status == CKDA_OK) {
        ckda_poly_count_roots(&s->counts, chi, in->K);
        s->norm_at_most_1 = ckda_mat_is_contraction(&s->norm_equals_1, A, in->K);
        s->norm_equals_1 = s->norm_equals_1 && s->norm_at_most_1;
    }
    if (status == CKDA_OK && in->kind == CKDA_INPUT_PRODUCT) {
        s->factors = factors;
        s->nfactors = (size_t)in->ntrans;
        status = count_factors(factors, in);
    }
    ckda_mat_clear(A, in->K);
    return status;
}

int
cli_spectrum(int argc, char **argv)
{
    cli_file_options o;
    ckda_input_t in;
    ckda_error err;
    cli_parse_file(
        &o, argc, argv,
        "The exact characteristic polynomial of the matrix in FILE, how many of its "
        "eigenvalues are real, non-real and on the unit circle (with "
        "multiplicity), and whether its norm is at most 1.");
    ckda_error_clear(&err);
    ckda_status status = ckda_input_open(in, o.file, &err);
    if (status != CKDA_OK)
        return cli_fail(status, &err);
    ckda_poly_t chi;
    ckda_spectrum_result s = {.K = in->K, .charpoly = chi};
    ckda_root_counts *factors = flint_calloc((size_t)in->ntrans + 1, sizeof *factors);
    ckda_poly_init(chi, in->K);
    status = examine(&s, chi, factors, in, &err);
    int code = EXIT_HOLDS;
    if (status == CKDA_OK)
        ckda_report_spectrum(stdout, o.json, &s);
    else
        code = cli_fail_on_file(status, o.file, &err);
    ckda_poly_clear(chi, in->K);
    flint_free(factors);
    ckda_input_clear(in);
    return code;
}
