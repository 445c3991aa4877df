#include "tracker_source.h"

#include <string.h>
#include <unistd.h>
#include "ckda/input.h"
#include "cli.h"

/* What is wrong in a file is no wrong usage: its exit code is that of a file that cannot be
 * read. */
static ckda_status
in_file(ckda_status st)
{
    return st == CKDA_E_INPUT ? CKDA_E_IO : st;
}

ckda_status
cli_tracker_open(ckda_tracker_t t, const char *system, const char *construction,
                 const ckda_limits *limits, ckda_error *err)
{
    char kind;
    uint32_t number;
    ckda_input_t in;
    ckda_construction_t c;
    ckda_status st;
    const bool absent = access(system, F_OK) != 0;
    if (absent && strpbrk(system, "/.") != NULL) { /* was meant as a file */
        ckda_error_set(err, "%.900s: cannot be read: no such file", system);
        return CKDA_E_IO;
    }
    if (ckda_group_name_split(&kind, &number, system) || absent) {
        st = ckda_tracker_init(t, system, construction, limits, err);
        if (st == CKDA_E_INPUT)
            cli_guess_system(err, system);
        return st;
    }
    st = ckda_input_open(in, system, err);
    if (st != CKDA_OK)
        return in_file(st);
    if (in->kind != CKDA_INPUT_GROUP || (in->nheads == 0 && construction == NULL)) {
        ckda_error_set(err, "expected a group with transitions (a member \"tracker\", as "
                            "`ckda construct' writes it), found none");
        st = CKDA_E_INPUT;
    } else if (construction != NULL) {
        st = ckda_construct_generated(c, in->G, construction, err);
    } else {
        st = ckda_input_tracker(c, in, err);
    }
    in->has_group = in->has_group && in->G->order > 0; /* it may have moved */
    ckda_input_clear(in);
    if (st != CKDA_OK) {
        cli_name_file(err, system);
        return in_file(st);
    }
    return ckda_tracker_init_construction(t, c, limits, err);
}
