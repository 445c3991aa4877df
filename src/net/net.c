/* Networks as data: making, reading, closing. */
#include <stdlib.h>
#include "net_internal.h"

char *
net_copy_text(const char *text)
{
    const size_t len = strlen(text) + 1;
    return memcpy(flint_malloc(len), text, len);
}

ckda_net *
net_new(const char *construction, ckda_net_kind kind, uint32_t nletters)
{
    ckda_net *net = flint_calloc(1, sizeof *net);
    net->construction = net_copy_text(construction);
    net->kind = kind;
    net->nletters = nletters;
    net->letter = flint_calloc(nletters + 1u, sizeof *net->letter);
    net->first = flint_calloc(1, sizeof *net->first);
    ckda_field_init_rational(net->Q);
    return net;
}

ckda_net_head *
net_add_head(ckda_net *net, const char *name, bool new_layer, slong n, slong m, slong h,
             slong s, const ckda_field_t K)
{
    if (new_layer) {
        net->lookup =
            flint_realloc(net->lookup, (net->nlayers + 1) * sizeof *net->lookup);
        net->first = flint_realloc(net->first, (net->nlayers + 2) * sizeof *net->first);
        net->lookup[net->nlayers] = (net_lookup){0};
        net->nlayers++;
    }
    net->head = flint_realloc(net->head, (net->nheads + 1) * sizeof *net->head);
    ckda_net_head *head = net->head + net->nheads++;
    net->first[net->nlayers] = net->nheads;
    *head = (ckda_net_head){.name = net_copy_text(name),
                            .layer = net->nlayers - 1,
                            .n = n,
                            .m = m,
                            .h = h,
                            .s = s};
    ckda_field_init_set(head->K, K);
    ckda_mat_init(head->initial, n, m, head->K);
    return head;
}

net_lookup *
net_last_lookup(ckda_net *net)
{
    return net->lookup + net->nlayers - 1;
}

void
net_lookup_steps(ckda_net *net, net_lookup *l, uint32_t nsteps)
{
    const uint32_t layer = (uint32_t)(l - net->lookup), first = net->first[layer],
                   heads = net->first[layer + 1] - first;
    l->nsteps = nsteps;
    l->step = flint_malloc(((size_t)nsteps * heads + 1) * sizeof *l->step);
    for (uint32_t i = 0; i < nsteps; i++)
        for (uint32_t h = 0; h < heads; h++) {
            const ckda_net_head *d = net->head + first + h;
            ckda_net_step_init(l->step + (size_t)i * heads + h, d->n, d->m, d->h, d->s,
                               d->K);
        }
}

/* ---- the automaton ---------------------------------------------------------------- */

void
net_set_group(ckda_net *net, ckda_group_t G, const uint32_t *letters,
              const char *const *names)
{
    *net->G = *G;
    *G = (ckda_group_struct){0};
    net->element = flint_malloc((net->nletters + 1u) * sizeof *net->element);
    for (uint32_t x = 0; x < net->nletters; x++) {
        net->element[x] = letters[x];
        char *cycles = names == NULL ? ckda_perm_str(&net->G->element[letters[x]]) : NULL;
        net->letter[x] = net_copy_text(names == NULL ? cycles : names[x]);
        free(cycles);
    }
}

void
net_set_dfa(ckda_net *net, const ckda_dfa_t A)
{
    ckda_dfa_init(net->dfa, A->states, A->nletters);
    net->dfa->start = A->start;
    for (uint32_t q = 0; q < A->states; q++)
        net->dfa->accept[q] = A->accept[q];
    for (uint32_t x = 0; x < A->nletters; x++) {
        ckda_dfa_set_letter(net->dfa, x, A->letter[x]);
        net->letter[x] = net_copy_text(A->letter[x]);
        for (uint32_t q = 0; q < A->states; q++)
            net->dfa->next[(size_t)x * A->states + q] = ckda_dfa_step(A, q, x);
    }
}

void
net_set_wfa(ckda_net *net, const ckda_wfa_t A)
{
    ckda_wfa_init(net->wfa, A->n, A->nletters, net->Q);
    ckda_status st = ckda_mat_set(net->wfa->initial, A->initial, net->Q);
    if (st == CKDA_OK)
        st = ckda_mat_set(net->wfa->final, A->final, net->Q);
    for (uint32_t x = 0; st == CKDA_OK && x < A->nletters; x++) {
        ckda_wfa_set_letter(net->wfa, x, A->letter[x]);
        net->letter[x] = net_copy_text(A->letter[x]);
        st = ckda_mat_set(net->wfa->matrix + x, A->matrix + x, net->Q);
    }
    ckda_require(st == CKDA_OK, "a weighted automaton of unequal shapes");
}

/* ---- closing ---------------------------------------------------------------------- */

static void
clear_lookup(ckda_net *net, uint32_t layer)
{
    net_lookup *l = net->lookup + layer;
    const uint32_t first = net->first[layer], heads = net->first[layer + 1] - first;
    for (size_t i = 0; i < (size_t)l->nsteps * heads; i++)
        ckda_net_step_clear(l->step + i, net->head[first + i % heads].K);
    flint_free(l->step);
    if (layer > 0)
        net_reader_clear(&l->read, net->head[net->first[layer - 1]].K);
    net_blocks_clear(&l->blocks, net->Q);
    flint_free(l->before);
    flint_free(l->rep);
    flint_free(l->part);
    flint_free(l->kernel);
    flint_free(l->row);
}

/* last: the heads of the last layer. */
static void
clear_decoder(ckda_net *net, const ckda_net_head *last)
{
    net_decoder *d = &net->decoder;
    net_reader_clear(&d->read, last->K);
    net_joint_clear(d->joint, last);
    flint_free(d->rep);
    flint_free(d->part);
}

static void
clear_automaton(ckda_net *net)
{
    for (uint32_t x = 0; x < net->nletters; x++)
        flint_free(net->letter[x]);
    flint_free(net->letter);
    flint_free(net->element);
    if (net->G->order > 0)
        ckda_group_clear(net->G);
    ckda_dfa_struct *dfa = &net->dfa[0];
    ckda_wfa_struct *wfa = &net->wfa[0];
    if (dfa->states > 0)
        ckda_dfa_clear(dfa);
    if (wfa->n > 0)
        ckda_wfa_clear(wfa, net->Q);
}

void
ckda_net_close(ckda_net **pnet)
{
    ckda_net *net = *pnet;
    if (net == NULL)
        return;
    *pnet = NULL;
    for (uint32_t l = 0; l < net->nlayers; l++)
        clear_lookup(net, l);
    if (net->nlayers > 0)
        clear_decoder(net, net->head + net->first[net->nlayers - 1]);
    for (uint32_t h = 0; h < net->nheads; h++) {
        ckda_mat_clear(net->head[h].initial, net->head[h].K);
        ckda_field_clear(net->head[h].K);
        flint_free(net->head[h].name);
    }
    clear_automaton(net);
    flint_free(net->head);
    flint_free(net->first);
    flint_free(net->lookup);
    flint_free(net->construction);
    ckda_field_clear(net->Q);
    flint_free(net);
}

/* ---- reading ---------------------------------------------------------------------- */

uint32_t
ckda_net_layers(const ckda_net *net)
{
    return net->nlayers;
}

uint32_t
ckda_net_heads(const ckda_net *net)
{
    return net->nheads;
}

const ckda_net_head *
ckda_net_get_head(const ckda_net *net, uint32_t head)
{
    ckda_require(head < net->nheads, "head %u of %u", head, net->nheads);
    return net->head + head;
}

uint32_t
ckda_net_layer_heads(uint32_t *first, const ckda_net *net, uint32_t layer)
{
    ckda_require(layer < net->nlayers, "layer %u of %u", layer, net->nlayers);
    *first = net->first[layer];
    return net->first[layer + 1] - net->first[layer];
}

uint32_t
ckda_net_letters(const ckda_net *net)
{
    return net->nletters;
}

const char *
ckda_net_letter_name(const ckda_net *net, uint32_t letter)
{
    ckda_require(letter < net->nletters, "letter %u of %u", letter, net->nletters);
    return net->letter[letter];
}

const char *
ckda_net_construction(const ckda_net *net)
{
    return net->construction;
}

slong
ckda_net_block(const ckda_net *net)
{
    return net->block;
}

ckda_net_kind
ckda_net_get_kind(const ckda_net *net)
{
    return net->kind;
}

bool
ckda_net_accepts(const ckda_net *net, uint32_t state)
{
    return net->kind == CKDA_NET_DFA && state < net->dfa->states
           && net->dfa->accept[state];
}

const ckda_group_struct *
ckda_net_group(const ckda_net *net)
{
    return net->kind == CKDA_NET_GROUP ? net->G : NULL;
}

const ckda_dfa_struct *
ckda_net_dfa(const ckda_net *net)
{
    return net->kind == CKDA_NET_DFA ? net->dfa : NULL;
}

const ckda_wfa_struct *
ckda_net_wfa(const ckda_net *net)
{
    return net->kind == CKDA_NET_WFA ? net->wfa : NULL;
}

const uint32_t *
ckda_net_letter_elements(uint32_t *n, const ckda_net *net)
{
    ckda_require(net->kind == CKDA_NET_GROUP, "letters of no group");
    *n = net->nletters;
    return net->element;
}
