/* The table of targets. */
#include "fuzz.h"

const fuzz_target fuzz_targets[] = {
#define FUZZ_TARGET(name, what) {#name, fuzz_##name},
#include "targets.def"
#undef FUZZ_TARGET
    {NULL, NULL}};
