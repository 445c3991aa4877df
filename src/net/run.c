/* A network on a word, one letter at a time. */
#include "net_internal.h"

struct ckda_net_run {
    const ckda_net *net;
    ckda_mat_struct *state, *output; /* of each head */
    const ckda_mat_struct **view;    /* pointers to the outputs */
    ckda_net_step *step;
    ckda_elem_struct *max_beta;
    ckda_net_output decoded;
    bool over; /* a lookup had no entry */
};

ckda_net_run *
ckda_net_run_open(const ckda_net *net)
{
    const size_t heads = net->nheads;
    ckda_net_run *run = flint_calloc(1, sizeof *run);
    run->net = net;
    run->state = flint_malloc(heads * sizeof *run->state);
    run->output = flint_malloc(heads * sizeof *run->output);
    run->view = flint_malloc(heads * sizeof *run->view);
    run->step = flint_malloc(heads * sizeof *run->step);
    run->max_beta = flint_malloc(heads * sizeof *run->max_beta);
    for (uint32_t h = 0; h < net->nheads; h++) {
        const ckda_net_head *d = net->head + h;
        ckda_mat_init_set(run->state + h, d->initial, d->K);
        ckda_mat_init(run->output + h, d->m, d->h, d->K);
        run->view[h] = run->output + h;
        ckda_net_step_init(run->step + h, d->n, d->m, d->h, d->s, d->K);
        ckda_elem_init(run->max_beta + h, d->K);
    }
    ckda_net_output_init(&run->decoded);
    return run;
}

void
ckda_net_run_close(ckda_net_run **prun)
{
    ckda_net_run *run = *prun;
    if (run == NULL)
        return;
    *prun = NULL;
    for (uint32_t h = 0; h < run->net->nheads; h++) {
        const ckda_field_struct *K = run->net->head[h].K;
        ckda_mat_clear(run->state + h, K);
        ckda_mat_clear(run->output + h, K);
        ckda_net_step_clear(run->step + h, K);
        ckda_elem_clear(run->max_beta + h, K);
    }
    ckda_net_output_clear(&run->decoded);
    flint_free(run->state);
    flint_free(run->output);
    flint_free(run->view);
    flint_free(run->step);
    flint_free(run->max_beta);
    flint_free(run);
}

/* The heads of one layer, after their lookup. */
static void
run_layer(ckda_net_run *run, uint32_t layer)
{
    const ckda_net *net = run->net;
    for (uint32_t h = net->first[layer]; h < net->first[layer + 1]; h++) {
        const ckda_field_struct *K = net->head[h].K;
        const ckda_net_step *t = run->step + h;
        ckda_net_recur(run->state + h, run->output + h, t, K);
        for (slong j = 0; j < t->s; j++)
            if (!ckda_elem_equal(t->beta + j, run->max_beta + h, K)
                && ckda_elem_cmp(t->beta + j, run->max_beta + h, K) > 0)
                ckda_elem_set(run->max_beta + h, t->beta + j, K);
    }
}

void
ckda_net_run_step(ckda_net_run *run, uint32_t letter, ckda_error *err)
{
    const ckda_net *net = run->net;
    ckda_net_signal in = {NULL, 0, letter};
    for (uint32_t l = 0; !run->over && l < net->nlayers; l++) {
        slong r;
        if (ckda_net_lookup(run->step + net->first[l], &r, net, l, &in, err) != CKDA_OK) {
            char where[40];
            snprintf(where, sizeof where, "layer %u", l + 1);
            ckda_error_prefix(err, where);
            run->over = true;
            break;
        }
        run_layer(run, l);
        in.o = run->view + net->first[l];
        in.r = r;
    }
    if (run->over)
        run->decoded.valid = false;
    else
        ckda_net_decode(&run->decoded, net, in.o, in.r);
}

const ckda_net_output *
ckda_net_run_output(const ckda_net_run *run)
{
    return &run->decoded;
}

const ckda_mat_struct *
ckda_net_run_state(const ckda_net_run *run, uint32_t head)
{
    ckda_require(head < run->net->nheads, "head %u of %u", head, run->net->nheads);
    return run->state + head;
}

const ckda_elem_struct *
ckda_net_run_max_beta(const ckda_net_run *run, uint32_t head)
{
    ckda_require(head < run->net->nheads, "head %u of %u", head, run->net->nheads);
    return run->max_beta + head;
}

/* ---- sizes ------------------------------------------------------------------------ */

static ulong
elem_bits(const ckda_elem_struct *x, const ckda_field_t K)
{
    const fmpz *num, *den;
    slong len;
    if (K->nf->flag & NF_LINEAR) {
        num = LNF_ELEM_NUMREF(x);
        den = LNF_ELEM_DENREF(x);
        len = 1;
    } else if (K->nf->flag & NF_QUADRATIC) {
        num = QNF_ELEM_NUMREF(x);
        den = QNF_ELEM_DENREF(x);
        len = 2;
    } else {
        num = NF_ELEM_NUMREF(x);
        den = NF_ELEM_DENREF(x);
        len = NF_ELEM(x)->length;
    }
    ulong bits = fmpz_bits(den);
    for (slong i = 0; i < len; i++)
        if (fmpz_bits(num + i) > bits)
            bits = fmpz_bits(num + i);
    return bits;
}

ulong
ckda_net_mat_bits(const ckda_mat_t A, const ckda_field_t K)
{
    ulong bits = 0;
    for (slong i = 0; i < A->rows * A->cols; i++) {
        const ulong b = elem_bits(A->entry + i, K);
        bits = b > bits ? b : bits;
    }
    return bits;
}

ulong
ckda_net_run_bits(const ckda_net_run *run, uint32_t head)
{
    return ckda_net_mat_bits(ckda_net_run_state(run, head), run->net->head[head].K);
}
