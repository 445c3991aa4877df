/* Two layers for tasks whose two-letter products need at most two factors [source: part
 * D, B2]: a clock mod 2 and the last three letters, then an accumulator.
 *
 * The head of Lemma 2 has key direction (1, 1, 1), beta 3/2 and gates (1, -1, 0), so that
 * A (1,1,1) = (1,-1,0), A (1,-1,0) = (0,0,-1), A (0,0,-1) = 0.  Writing the number v_t of
 * each letter gives the state (v_t (1,1,1) + v_(t-1) (1,-1,0) + v_(t-2) (0,0,-1)) / 2,
 * and the query (1+B+B^2, 1-B+B^2, -2B^2) reads v_t + B v_(t-1) + B^2 v_(t-2). */
#include "net_internal.h"

static void
set_vector(ckda_elem_struct *x, const slong *v, slong n, const ckda_field_t K)
{
    for (slong i = 0; i < n; i++)
        ckda_elem_set_si(x + i, v[i], K);
}

static void
set_window_step(ckda_net_step *t, slong letter, slong B, const ckda_field_t K)
{
    const slong q[3] = {1 + B + B * B, 1 - B + B * B, -2 * B * B};
    ckda_elem_set_frac(t->beta, 3, 2, K);
    set_vector(t->key, (const slong[]){1, 1, 1}, 3, K);
    set_vector(t->gate, (const slong[]){1, -1, 0}, 3, K);
    set_vector(t->query, q, 3, K);
    ckda_elem_set_si(t->value, letter + 1, K);
    const ckda_status st = ckda_net_step_ready(t, K);
    ckda_require(st == CKDA_OK, "the key (1, 1, 1) is not zero");
}

static void
add_heads(ckda_net *net)
{
    ckda_net_head *clock = net_add_head(net, "clock", true, 1, 1, 1, 1, net->Q);
    ckda_mat_set_entry_si(clock->initial, 0, 0, 1, net->Q);
    net_add_head(net, "window", false, 3, 1, 1, 1, net->Q);
    net_lookup *l = net_last_lookup(net);
    l->kind = LOOKUP_LETTER;
    net_lookup_steps(net, l, net->nletters);
    for (uint32_t x = 0; x < net->nletters; x++) {
        ckda_net_step *c = l->step + 2 * (size_t)x;
        ckda_elem_set_si(c->gate, -1, net->Q);
        ckda_elem_one(c->query, net->Q);
        set_window_step(c + 1, x, (slong)net->nletters + 1, net->Q);
    }
}

/* Does every product of two letters have at most two factors? */
static bool
two_factors(const net_blocks *b, const ckda_field_t K)
{
    slong *image = flint_malloc((size_t)b->n * sizeof *image);
    bool good = true;
    ckda_factors_t f;
    ckda_factors_init(f, b->N, K);
    for (uint32_t x = 0; good && x < b->nletters; x++)
        for (uint32_t y = 0; good && y < b->nletters; y++) {
            for (slong i = 0; i < b->n; i++)
                image[i] = b->image[(slong)y * b->n + b->image[(slong)x * b->n + i]];
            good = ckda_factor_map(f, image, b->scheme, K) == CKDA_OK && f->count <= 2;
        }
    ckda_factors_clear(f, K);
    flint_free(image);
    return good;
}

ckda_status
net_make_window(ckda_net *net, const ckda_net_options *opt, ckda_error *err)
{
    const slong n =
        net->kind == CKDA_NET_GROUP ? net->G->degree : (slong)net->dfa->states;
    if (net->nletters > 2000) {
        ckda_error_set(err, "window: %u letters have too many products to look at",
                       net->nletters);
        return CKDA_E_UNABLE;
    }
    add_heads(net);
    net_add_accumulator(net, LOOKUP_WINDOW, opt->scheme, n, 2);
    net_lookup *l = net_last_lookup(net);
    if (!two_factors(&l->blocks, net->Q)) {
        ckda_error_set(err, "window: some product of two letters needs more than two "
                            "factors");
        return CKDA_E_DOMAIN;
    }
    ckda_mat_struct *o = flint_malloc(2 * sizeof *o);
    for (slong r = 0; r < 2; r++) {
        ckda_mat_init(o + r, 1, 1, net->Q);
        ckda_mat_set_entry_si(o + r, 0, 0, r == 0 ? 1 : -1, net->Q);
    }
    const bool different = net_reader_init(&l->read, false, o, 2, net->Q);
    ckda_require(different, "1 and -1 are different");
    return CKDA_OK;
}
