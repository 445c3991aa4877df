/* The table of families. */
#include <string.h>
#include "trans_internal.h"

static const family_ranges families[CKDA_FAMILIES] = {
    [CKDA_DELTANET] = {"deltanet", 1, 1, 2, true, false},
    [CKDA_GDN] = {"gdn", 0, 1, 2, true, false},
    [CKDA_KDA] = {"kda", 0, 1, 1, false, false},
    [CKDA_CKDA] = {"ckda", -1, 1, 2, false, false},
    [CKDA_DELTAPRODUCT] = {"deltaproduct", -1, 1, 2, true, true},
    [CKDA_RWKV7] = {"rwkv7", 0, 1, 0, false, false},
    [CKDA_MDN] = {"mdn", 0, 1, 1, false, false},
    [CKDA_SFDA] = {"sfda", -1, 1, 1, false, false},
};

const family_ranges *
family_get(ckda_family f)
{
    ckda_require((unsigned)f < CKDA_FAMILIES, "family number %d", (int)f);
    return &families[f];
}

const char *
ckda_family_name(ckda_family f)
{
    return family_get(f)->name;
}

bool
ckda_family_has_scalar_gate(ckda_family f)
{
    return family_get(f)->scalar_gate;
}

bool
ckda_family_has_steps(ckda_family f)
{
    return (int)f < CKDA_STEP_FAMILIES;
}

ckda_status
ckda_family_parse(ckda_family *f, const char *name)
{
    for (int i = 0; i < CKDA_FAMILIES; i++) {
        if (strcmp(name, families[i].name) == 0) {
            *f = (ckda_family)i;
            return CKDA_OK;
        }
    }
    return CKDA_E_INPUT;
}
