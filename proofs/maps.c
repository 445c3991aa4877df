/* proofs/maps.c -- see maps.h. */
#include "maps.h"

#include <string.h>

#include "ckda/input.h"

#define TRY(call)                                                                        \
    do {                                                                                 \
        ckda_status try_status = (call);                                                 \
        if (try_status != CKDA_OK)                                                       \
            return try_status;                                                           \
    } while (0)

ckda_status
maps_read_span(maps_span *s, const ckda_node *in, const char *key, ckda_evidence *ev)
{
    ckda_node at;
    TRY(ckda_node_member(&at, in, key, &ev->problem));
    const bool full = ev->effort != CKDA_QUICK && ckda_node_has(&at, "to_full");
    TRY(ckda_node_get_long(&s->from, &at, "from", 1, MAPS_MAX, &ev->problem));
    return ckda_node_get_long(&s->to, &at, full ? "to_full" : "to", s->from, MAPS_MAX,
                              &ev->problem);
}

ckda_status
maps_read_elem(ckda_elem_t x, const ckda_node *in, const char *key, const ckda_field_t K,
               ckda_error *err)
{
    ckda_node at;
    TRY(ckda_node_member(&at, in, key, err));
    return ckda_input_read_elem(x, &at, K, err);
}

ckda_status
maps_read_scheme(ckda_factor_scheme *scheme, const ckda_node *in, ckda_error *err)
{
    const char *name;
    ckda_node at;
    TRY(ckda_node_member(&at, in, "scheme", err));
    TRY(ckda_node_string(&name, &at, err));
    if (strcmp(name, "paper") != 0 && strcmp(name, "short") != 0)
        return ckda_node_fail(&at, err, "\"paper\" or \"short\"", NULL);
    *scheme = strcmp(name, "paper") == 0 ? CKDA_FACTOR_PAPER : CKDA_FACTOR_SHORT;
    return CKDA_OK;
}

bool
maps_next(slong *image, slong n)
{
    for (slong i = 0; i < n; i++) {
        if (++image[i] < n)
            return true;
        image[i] = 0;
    }
    return false;
}

void
maps_cycles(slong *points, slong *cycles, const slong *image, slong n)
{
    *points = *cycles = 0;
    for (slong i = 0; i < n; i++) {
        slong j = image[i];
        bool least = true;
        for (slong t = 1; t < n && j != i; t++, j = image[j])
            least = least && j > i;
        if (j != i)
            continue; /* i is not on a cycle */
        ++*points;
        *cycles += least;
    }
}

ckda_truth
maps_blame(ckda_evidence *ev, const slong *image, slong n, ckda_truth truth)
{
    char text[4 * MAPS_MAX + 4] = "[";
    if (truth != CKDA_FALSE)
        return truth;
    for (slong i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%ld",
                 i > 0 ? "," : "", (long)image[i]);
    ckda_evidence_fact(ev, "map", "%s]", text);
    return truth;
}

ckda_truth
maps_check_factors(ckda_evidence *ev, const ckda_factors_t f, const ckda_mat_t P,
                   const ckda_elem_t most, const ckda_field_t K)
{
    ckda_error why;
    ckda_elem_t beta;
    ckda_mat_t A;
    ckda_error_clear(&why);
    ckda_truth truth = ckda_evidence_expect(ev, ckda_factors_check(f, K, &why) == CKDA_OK,
                                            "an admissible factor: %s", why.text);
    if (truth != CKDA_TRUE)
        return truth;
    ckda_elem_init(beta, K);
    ckda_factors_max_beta(beta, f, K);
    if (ckda_elem_cmp(beta, most, K) > 0) {
        ckda_evidence_fact(ev, "failed", "every beta is within the stated bound");
        ckda_evidence_fact_elem(ev, "beta", beta, K);
        truth = CKDA_FALSE;
    }
    ckda_elem_clear(beta, K);
    if (truth != CKDA_TRUE)
        return truth;
    ckda_mat_init(A, f->n, f->n, K);
    truth = ckda_factors_product(A, f, K) == CKDA_OK
                ? ckda_evidence_expect_mat(ev, "product of the factors", A, P, K)
                : ckda_evidence_unable(ev, "the factors have no product");
    ckda_mat_clear(A, K);
    return truth;
}

static bool
is_permutation(const slong *image, slong n)
{
    unsigned hit = 0;
    for (slong i = 0; i < n; i++)
        hit |= 1u << image[i];
    return hit == (1u << n) - 1;
}

ckda_truth
maps_all_permutations(ckda_evidence *ev, const ckda_node *in,
                      maps_permutation_check check, const char *also)
{
    ckda_field_t K;
    maps_span n;
    long per_cycle;
    ckda_truth truth = CKDA_TRUE;
    if (maps_read_span(&n, in, "n", ev) != CKDA_OK
        || ckda_node_get_long(&per_cycle, in, "per_cycle", -2, 2, &ev->problem)
               != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_field_init_rational(K);
    for (long i = n.from; i <= n.to && truth == CKDA_TRUE; i++) {
        slong image[MAPS_MAX] = {0};
        do
            if (is_permutation(image, i))
                truth = check(ev, image, i, per_cycle, K);
        while (truth == CKDA_TRUE && maps_next(image, i));
    }
    ckda_evidence_scope(ev, "all permutations of %ld .. %ld points%s", n.from, n.to,
                        also);
    ckda_field_clear(K);
    return truth;
}
