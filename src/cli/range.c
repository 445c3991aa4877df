/* ckda range */
#include "cli.h"

#include <stdio.h>

#include "ckda/range.h"
#include "ckda/report_range.h"
#include "file_command.h"

int
cli_range(int argc, char **argv)
{
    cli_file_options o;
    ckda_range_t r;
    ckda_error err;
    cli_parse_file(
        &o, argc, argv,
        "Does a chunk scheme fit its formats?  FILE describes a scheme with a "
        "box of inputs, or with given inputs; or logits of gates; or one inner "
        "product (docs/range.md)."
        "\vExit code 0: everything fits (proved); 1: something breaks, and the "
        "input that breaks it is printed; 3: undecided.");
    ckda_error_clear(&err);
    const ckda_status status = ckda_range_open(r, o.file, &err);
    if (status != CKDA_OK)
        return cli_fail_on_file(status, o.file, &err);
    ckda_report_range(stdout, o.json, r);
    const int code = r->verdict == CKDA_TRUE    ? EXIT_HOLDS
                     : r->verdict == CKDA_FALSE ? EXIT_REFUTED
                                                : EXIT_UNDECIDED;
    ckda_range_clear(r);
    return code;
}
