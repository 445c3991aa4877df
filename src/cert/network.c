/* The closed graph of joint states of a network. */
#include <inttypes.h>
#include "cert_internal.h"

/* ---- one head ------------------------------------------------------------------------------ */

/* "linear" and "offset": the step on (I 0), which gives (A B). */
static void
put_map(stream *s, const ckda_net_step *t, const ckda_field_t K)
{
    const slong n = t->n, m = t->m, wide = n + m;
    ckda_net_step u;
    ckda_mat_t H, o, A, B;
    ckda_net_step_init(&u, n, wide, 1, t->s, K);
    ckda_mat_init(H, n, wide, K);
    ckda_mat_init(o, wide, 1, K);
    ckda_mat_init(A, n, n, K);
    ckda_mat_init(B, n, m, K);
    for (slong j = 0; j < t->s; j++) {
        ckda_elem_set(u.beta + j, t->beta + j, K);
        ckda_elem_set(u.scale + j, t->scale + j, K);
        for (slong i = 0; i < n; i++)
            ckda_elem_set(u.key + j * n + i, t->key + j * n + i, K);
        for (slong i = 0; i < m; i++)
            ckda_elem_set(u.value + j * wide + n + i, t->value + j * m + i, K);
    }
    for (slong i = 0; i < n; i++) {
        ckda_elem_set(u.gate + i, t->gate + i, K);
        ckda_elem_one(ckda_mat_entry(H, i, i), K);
    }
    ckda_net_recur(H, o, &u, K);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < wide; j++)
            ckda_elem_set(j < n ? ckda_mat_entry(A, i, j) : ckda_mat_entry(B, i, j - n),
                          ckda_mat_entry(H, i, j), K);
    stream_put(s, ",\"linear\":");
    put_matrix(s, A, K);
    stream_put(s, ",\"offset\":");
    put_matrix(s, B, K);
    ckda_mat_clear(A, K);
    ckda_mat_clear(B, K);
    ckda_mat_clear(H, K);
    ckda_mat_clear(o, K);
    ckda_net_step_clear(&u, K);
}

/* The transpose of x, rows x cols. */
static void
put_transposed(stream *s, const ckda_elem_struct *x, slong rows, slong cols,
               const ckda_field_t K)
{
    ckda_elem_struct *y = ckda_elem_vec_new(rows * cols, K);
    for (slong i = 0; i < rows; i++)
        for (slong j = 0; j < cols; j++)
            ckda_elem_set(y + j * rows + i, x + i * cols + j, K);
    put_row(s, y, rows * cols, K);
    ckda_elem_vec_free(y, rows * cols, K);
}

static void
put_head_step(stream *s, const ckda_net_step *t, uint32_t number, const ckda_field_t K)
{
    put_letter_begin(s, number, NULL, -1);
    put_map(s, t, K);
    stream_put(s, ",\"steps\":[");
    for (slong j = 0; j < t->s; j++) {
        if (j > 0)
            stream_put(s, ",");
        put_step(s, t->scale + j, t->key + j * t->n, j == 0 ? t->gate : NULL,
                 t->value + j * t->m, t->n, t->m, K);
    }
    stream_put(s, "],\"query\":");
    put_transposed(s, t->query, t->n, t->h, K);
    stream_put(s, "}\n");
}

/* An integer that no beta of the head is above; at least 2. */
static slong
beta_bound(const ckda_net_graph *g, uint32_t head, const ckda_field_t K)
{
    slong bound = 2;
    for (uint32_t i = 0; i < ckda_net_graph_steps(g, head); i++) {
        const ckda_net_step *t = ckda_net_graph_step(g, head, i);
        for (slong j = 0; j < t->s; j++)
            while (ckda_elem_cmp_si(t->beta + j, bound, K) > 0)
                bound++;
    }
    return bound;
}

static void
put_head(stream *s, const ckda_net *net, const ckda_net_graph *g, uint32_t head)
{
    const ckda_net_head *d = ckda_net_get_head(net, head);
    const ckda_field_struct *K = d->K;
    const uint32_t steps = ckda_net_graph_steps(g, head),
                   outputs = ckda_net_graph_outputs(g, head);
    stream_put(s, "{\"head\":%u,\"name\":", head);
    stream_put_text(s, d->name);
    put_shape(s, d->n, d->m, K->degree, steps);
    stream_put(s, ",\"queries\":%ld,\"outputs\":%u,\"beta\":[\"0\",\"%ld\"]}\n",
               (long)d->h, outputs, (long)beta_bound(g, head, K));
    put_field(s, K);
    stream_put(s, "{\"initial\":");
    put_matrix(s, d->initial, K);
    stream_put(s, "}\n");
    for (uint32_t i = 0; i < steps; i++)
        put_head_step(s, ckda_net_graph_step(g, head, i), i, K);
    for (uint32_t i = 0; i < outputs; i++) {
        const ckda_mat_struct *o = ckda_net_graph_output(g, head, i);
        stream_put(s, "{\"output\":%u,\"value\":", i);
        put_transposed(s, o->entry, o->rows, o->cols, K);
        stream_put(s, "}\n");
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void
put_automaton(stream *s, const ckda_net *net)
{
    const ckda_group_struct *G = ckda_net_group(net);
    const ckda_dfa_struct *D = ckda_net_dfa(net);
    const uint32_t letters = ckda_net_letters(net);
    uint32_t n;
    const uint32_t *element = G != NULL ? ckda_net_letter_elements(&n, net) : NULL;
    for (uint32_t x = 0; x < letters; x++) {
        put_letter_begin(s, x, ckda_net_letter_name(net, x),
                         element != NULL ? (int64_t)element[x] : -1);
        stream_put(s, "}\n");
    }
    for (uint32_t g = 0; G != NULL && g < G->order; g++)
        put_element(s, G, g);
    for (uint32_t x = 0; D != NULL && x < letters; x++) {
        stream_put(s, "{\"element\":%u,", x);
        put_counts(s, "image", D->next + (size_t)x * D->states, D->states);
        stream_put(s, "}\n");
    }
}

/* Everything about the closed graph that the header says. */
static void
put_network_header(stream *s, const ckda_net *net, const ckda_net_graph *g,
                   const uint32_t *label, const uint32_t *next)
{
    const ckda_group_struct *G = ckda_net_group(net);
    const ckda_dfa_struct *D = ckda_net_dfa(net);
    const uint32_t layers = ckda_net_layers(net), states = ckda_net_graph_states(g);
    uint32_t first;
    stream_put(s, ",\"letters\":%u", ckda_net_letters(net));
    if (G != NULL)
        put_group(s, G);
    else
        stream_put(s, ",\"automaton\":{\"states\":%u,\"start\":%u}", D->states, D->start);
    for (uint32_t l = 0; l < layers; l++)
        stream_put(s, l == 0 ? ",\"layers\":[%u" : ",%u",
                   ckda_net_layer_heads(&first, net, l));
    for (uint32_t l = 0; l <= layers; l++)
        stream_put(s, l == 0 ? "],\"tables\":[%u" : ",%u", ckda_net_graph_rows(g, l));
    stream_put(s, "],\"states\":%u", states);
    put_levels(s, next, states, ckda_net_letters(net));
    put_labels(s, label, states, G != NULL ? G->order : D->states);
    stream_put(s, "}\n");
}

static void
put_tables(stream *s, const ckda_net *net, const ckda_net_graph *g)
{
    uint32_t row[CKDA_NET_GRAPH_ROW];
    for (uint32_t l = 0; l <= ckda_net_layers(net); l++)
        for (uint32_t i = 0; i < ckda_net_graph_rows(g, l); i++) {
            const uint32_t width = ckda_net_graph_row(row, g, l, i);
            stream_put(s, "{\"table\":%u,", l);
            put_counts(s, "row", row, width);
            stream_put(s, "}\n");
        }
}

ckda_status
ckda_cert_add_network(ckda_cert_writer *w, const ckda_cert_about *about,
                      const ckda_net *net, ckda_net_graph *g, ckda_error *err)
{
    const uint32_t letters = ckda_net_letters(net), states = ckda_net_graph_states(g);
    if (ckda_net_get_kind(net) == CKDA_NET_WFA) {
        ckda_error_set(err, "no certificate: for networks of groups and automata only");
        return CKDA_E_DOMAIN;
    }
    uint32_t *label = flint_malloc(states * sizeof *label);
    uint32_t *next = flint_malloc(((size_t)states * letters + 1) * sizeof *next);
    for (uint32_t i = 0; i < states; i++) {
        label[i] = ckda_net_graph_label(g, i)->index;
        for (uint32_t x = 0; x < letters; x++)
            next[(size_t)i * letters + x] = ckda_net_graph_next(g, i, x);
    }
    stream *s = part_begin(w, "network", about);
    put_network_header(s, net, g, label, next);
    for (uint32_t h = 0; h < ckda_net_heads(net); h++)
        put_head(s, net, g, h);
    put_automaton(s, net);
    put_tables(s, net, g);
    for (uint32_t i = 0; i < states; i++)
        put_state(s, i, label + i, next + (size_t)i * letters, letters);
    part_end(w);
    flint_free(label);
    flint_free(next);
    return CKDA_OK;
}
