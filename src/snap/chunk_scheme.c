/* Chunk schemes: names and checks. */
#include "chunk_int.h"

const ckda_chunk_split ckda_chunk_splits[] = {
    {"FLA", 8, 8, 8, 8, 8},           {"T32", 8, 24, 24, 8, 8},
    {"pair", 8, 24, 24, 16, 16},      {"fp16", 11, 11, 11, 11, 11},
    {"fp16-T32", 11, 24, 24, 11, 11}, {"k32", 24, 24, 24, 8, 8},
    {"k32-vpair", 24, 24, 24, 8, 16}, {"k32-pair", 24, 24, 24, 16, 16},
    {"all-pair", 16, 16, 16, 16, 16}, {NULL, 0, 0, 0, 0, 0}};

const ckda_chunk_scheme ckda_chunk_scheme_default = {
    .length = 64,
    .split = {"FLA", 8, 8, 8, 8, 8},
    .direct = false,
    .key = CKDA_KEY_UNIT,
    .beta_rule = CKDA_BETA_FROM_KEY,
    .grid = 0,
    .state = &ckda_fp_fp32,
};

ckda_status
ckda_chunk_split_named(ckda_chunk_split *s, const char *name, ckda_error *err)
{
    char list[200] = "";
    size_t used = 0;
    for (const ckda_chunk_split *x = ckda_chunk_splits; x->name != NULL; x++) {
        if (strcmp(x->name, name) == 0) {
            *s = *x;
            return CKDA_OK;
        }
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 used > 0 ? ", " : "", x->name);
    }
    ckda_error_set(err, "split: expected one of %s, found '%s'", list, name);
    return CKDA_E_INPUT;
}

static bool
are_bits(const ckda_chunk_split *s)
{
    const int all[] = {s->key, s->t, s->beta_key, s->w, s->v};
    for (int i = 0; i < 5; i++)
        if (all[i] < 2 || all[i] > 24)
            return false;
    return true;
}

ckda_status
ckda_chunk_scheme_check(const ckda_chunk_scheme *s, ckda_error *err)
{
    if (s->length < 1 || s->length > CHUNK_MAX_LENGTH) {
        ckda_error_set(err, "chunk: expected 1 to %d tokens, found %u", CHUNK_MAX_LENGTH,
                       s->length);
        return CKDA_E_INPUT;
    }
    if (!are_bits(&s->split)) {
        ckda_error_set(err, "split: expected 2 to 24 bits in each place");
        return CKDA_E_INPUT;
    }
    if (s->grid < 0 || s->grid > 1 << 20) {
        ckda_error_set(err, "grid: expected 0 (none) to 2^20, found %lld",
                       (long long)s->grid);
        return CKDA_E_INPUT;
    }
    /* fp32 must hold every value of the state exactly */
    if (s->grid == 0
        && (s->state == NULL || s->state->precision > 24 || s->state->emax > 127
            || s->state->emin - s->state->precision < -150)) {
        ckda_error_set(err, "chunk: the state must be kept in fp32 or a narrower format");
        return CKDA_E_INPUT;
    }
    return CKDA_OK;
}

ckda_fp_format
chunk_format(int bits)
{
    const int fraction = bits - 1;
    const uint64_t top = UINT64_C(0xff) << fraction;
    return (ckda_fp_format){.name = "chunk",
                            .width = 9 + fraction,
                            .precision = bits,
                            .emin = -126,
                            .emax = 127,
                            .has_infinity = true,
                            .sign = UINT64_C(1) << (8 + fraction),
                            .largest = top - 1,
                            .infinity = top,
                            .nan = top | UINT64_C(1) << (fraction - 1)};
}
