/* From the outputs of the last layer to what the network says. */
#include <stdlib.h>
#include "net_internal.h"

void
ckda_net_output_init(ckda_net_output *out)
{
    *out = (ckda_net_output){0};
    fmpq_init(out->number);
}

void
ckda_net_output_clear(ckda_net_output *out)
{
    fmpq_clear(out->number);
}

bool
ckda_net_output_equal(const ckda_net *net, const ckda_net_output *a,
                      const ckda_net_output *b)
{
    if (!a->valid || !b->valid)
        return false;
    return net->kind == CKDA_NET_WFA ? fmpq_equal(a->number, b->number)
                                     : a->index == b->index;
}

char *
ckda_net_output_str(const ckda_net *net, const ckda_net_output *out)
{
    char text[24];
    if (out->valid && net->kind == CKDA_NET_GROUP)
        return ckda_perm_str(&net->G->element[out->index]);
    if (out->valid && net->kind == CKDA_NET_WFA) {
        char *number = fmpq_get_str(NULL, 10, out->number), *copy = strdup(number);
        ckda_require_memory(copy != NULL);
        flint_free(number);
        return copy;
    }
    snprintf(text, sizeof text, out->valid ? "%u" : "none", out->index);
    char *copy = strdup(text);
    ckda_require_memory(copy != NULL);
    return copy;
}

/* Digit i+1 in place j (base n+1, places from the lowest) says that i goes to j. */
static void
decode_digits(ckda_net_output *out, const ckda_net *net, const ckda_elem_struct *o)
{
    const int n = net->G->degree;
    ckda_perm p = {.n = n, .image = {0}};
    bool seen[CKDA_PERM_MAX] = {false};
    out->valid = false;
    if (!fmpz_is_one(LNF_ELEM_DENREF(o)) || fmpz_sgn(LNF_ELEM_NUMREF(o)) < 0)
        return;
    fmpz_t rest;
    fmpz_init_set(rest, LNF_ELEM_NUMREF(o));
    bool good = true;
    for (int j = 0; good && j < n; j++) {
        const ulong digit = fmpz_fdiv_ui(rest, (ulong)n + 1);
        fmpz_fdiv_q_ui(rest, rest, (ulong)n + 1);
        good = digit > 0 && !seen[digit - 1];
        if (good) {
            seen[digit - 1] = true;
            p.image[digit - 1] = (uint8_t)j;
        }
    }
    good = good && fmpz_is_zero(rest);
    fmpz_clear(rest);
    const int64_t found = good ? ckda_group_find(net->G, &p) : -1;
    out->valid = found >= 0;
    out->index = found >= 0 ? (uint32_t)found : 0;
}

static void
decode_state(ckda_net_output *out, const ckda_net *net, const ckda_elem_struct *o)
{
    const fmpz *number = LNF_ELEM_NUMREF(o);
    out->valid = fmpz_is_one(LNF_ELEM_DENREF(o)) && fmpz_sgn(number) >= 0
                 && fmpz_cmp_ui(number, net->dfa->states) < 0;
    out->index = out->valid ? (uint32_t)fmpz_get_ui(number) : 0;
}

void
ckda_net_decode(ckda_net_output *out, const ckda_net *net,
                const ckda_mat_struct *const *o, slong r)
{
    const net_decoder *d = &net->decoder;
    const ckda_net_head *last = net->head + net->first[net->nlayers - 1];
    int64_t found;
    switch (d->kind) {
    case DECODE_DIGITS:
        decode_digits(out, net, o[0]->entry);
        return;
    case DECODE_STATE:
        decode_state(out, net, o[0]->entry);
        return;
    case DECODE_NUMBER:
        fmpq_set_fmpz_frac(out->number, LNF_ELEM_NUMREF(o[0]->entry),
                           LNF_ELEM_DENREF(o[0]->entry));
        out->valid = true;
        return;
    case DECODE_JOINT:
        found = net_joint_find(d->joint, o, last);
        out->valid = found >= 0;
        out->index = out->valid ? (uint32_t)found : 0;
        return;
    case DECODE_COSET:
    default:
        found = net_reader_find(&d->read, o[0], last->K);
        out->valid = found >= 0 && r >= 0 && r < (slong)d->nrep;
        out->index = out->valid ? ckda_group_mul(net->G, d->rep[r], d->part[found]) : 0;
    }
}

/* ---- the direct product ----------------------------------------------------------- */

static void
read_wfa(ckda_net_target *t, const ckda_net *net)
{
    ckda_elem_t y;
    ckda_elem_init(y, net->Q);
    ckda_wfa_read(y, net->wfa, t->state, net->Q);
    fmpq_set_fmpz_frac(t->now.number, LNF_ELEM_NUMREF(y), LNF_ELEM_DENREF(y));
    ckda_elem_clear(y, net->Q);
}

void
ckda_net_target_init(ckda_net_target *t, const ckda_net *net)
{
    ckda_net_output_init(&t->now);
    t->now.valid = true;
    if (net->kind == CKDA_NET_DFA)
        t->now.index = net->dfa->start;
    if (net->kind == CKDA_NET_WFA) {
        ckda_mat_init_set(t->state, net->wfa->initial, net->Q);
        read_wfa(t, net);
    }
}

void
ckda_net_target_clear(ckda_net_target *t, const ckda_net *net)
{
    if (net->kind == CKDA_NET_WFA)
        ckda_mat_clear(t->state, net->Q);
    ckda_net_output_clear(&t->now);
}

void
ckda_net_target_step(ckda_net_target *t, uint32_t letter, const ckda_net *net)
{
    ckda_require(letter < net->nletters, "letter %u of %u", letter, net->nletters);
    if (net->kind == CKDA_NET_GROUP)
        t->now.index = ckda_group_mul(net->G, net->element[letter], t->now.index);
    else if (net->kind == CKDA_NET_DFA)
        t->now.index = ckda_dfa_step(net->dfa, t->now.index, letter);
    else {
        ckda_wfa_step(t->state, net->wfa, letter, net->Q);
        read_wfa(t, net);
    }
}
