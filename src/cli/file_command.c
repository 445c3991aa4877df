#include "file_command.h"

#include <stdio.h>

static const struct argp_option option_table[] = {
    {"json", 'j', NULL, 0, "One JSON document", 0}, {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    cli_file_options *o = state->input;
    switch (key) {
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

void
cli_parse_file(cli_file_options *o, int argc, char **argv, const char *doc)
{
    struct argp argp = {option_table, parse, "FILE", doc, NULL, NULL, NULL};
    *o = (cli_file_options){0};
    cli_parse(&argp, argc, argv, o);
}

int
cli_fail_on_file(ckda_status status, const char *file, ckda_error *err)
{
    if (err->text[0] == '\0')
        ckda_error_set(err, "expected a document that describes one square matrix");
    cli_name_file(err, file);
    return cli_fail(status, err);
}
