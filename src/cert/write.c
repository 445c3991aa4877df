/* Parts of a certificate, line by line. */
#include "cert_internal.h"

#include <inttypes.h>
#include <string.h>

ckda_status
ckda_cert_open(ckda_cert_writer **w, const char *path, uint32_t parts, ckda_error *err)
{
    ckda_require(parts >= 1, "a certificate has at least one part");
    ckda_cert_writer new = {.parts = parts};
    const ckda_status st = stream_open(&new.out, path, err);
    if (st != CKDA_OK)
        return st;
    *w = flint_malloc(sizeof **w);
    **w = new;
    return CKDA_OK;
}

ckda_status
ckda_cert_close(ckda_cert_writer **w, ckda_error *err)
{
    ckda_require((*w)->part == (*w)->parts, "%u of %u parts", (*w)->part, (*w)->parts);
    const ckda_status st = stream_close(&(*w)->out, err);
    flint_free(*w);
    *w = NULL;
    return st;
}

void
ckda_cert_abandon(ckda_cert_writer **w)
{
    if (*w == NULL)
        return;
    stream_abandon(&(*w)->out);
    flint_free(*w);
    *w = NULL;
}

/* ---- the system ------------------------------------------------------------------------ */

void
put_about(stream *s, const ckda_cert_about *about)
{
    const struct {
        const char *key, *text;
    } member[] = {{"claim", about->claim},
                  {"system", about->system},
                  {"construction", about->construction}};
    const char *comma = "";
    stream_put(s, "\"about\":{");
    for (size_t i = 0; i < sizeof member / sizeof *member; i++) {
        if (member[i].text == NULL)
            continue;
        stream_put(s, "%s\"%s\":", comma, member[i].key);
        stream_put_text(s, member[i].text);
        comma = ",";
    }
    stream_put(s, "}");
}

/* The header up to what depends on the kind. */
static void
put_header(ckda_cert_writer *w, const char *kind, const ckda_cert_about *about,
           const ckda_system_t sys)
{
    stream *s = &w->out;
    stream_put(s, "{\"schema\":\"ckda.cert/1\",\"kind\":\"%s\",\"part\":%u,\"parts\":%u,",
               kind, w->part, w->parts);
    put_about(s, about);
    stream_put(s, ",\"rows\":%ld,\"cols\":%ld,\"degree\":%ld,\"letters\":%u",
               (long)sys->initial->rows, (long)sys->initial->cols, (long)sys->K->degree,
               sys->nletters);
    if (sys->G != NULL)
        stream_put(s, ",\"group\":{\"points\":%d,\"order\":%u}", sys->G->degree,
                   sys->G->order);
}

static void
put_letter(stream *s, const ckda_system_t sys, uint32_t x, const char *name)
{
    stream_put(s, "{\"letter\":%u", x);
    if (name != NULL) {
        stream_put(s, ",\"name\":");
        stream_put_text(s, name);
    }
    if (sys->G != NULL)
        stream_put(s, ",\"element\":%u", sys->letter_element[x]);
    stream_put(s, ",\"linear\":");
    put_matrix(s, sys->linear + x, sys->K);
    if (sys->offset != NULL) {
        stream_put(s, ",\"offset\":");
        put_matrix(s, sys->offset + x, sys->K);
    }
    stream_put(s, "}\n");
}

void
put_element(stream *s, const ckda_group_struct *G, uint32_t g)
{
    stream_put(s, "{\"element\":%u,\"image\":[", g);
    for (int i = 0; i < G->degree; i++)
        stream_put(s, i == 0 ? "%d" : ",%d", G->element[g].image[i]);
    stream_put(s, "]}\n");
}

/* Returns how many lines it wrote. */
static uint64_t
put_system(stream *s, const ckda_cert_about *about, const ckda_system_t sys)
{
    const uint32_t order = sys->G != NULL ? sys->G->order : 0;
    put_field(s, sys->K);
    stream_put(s, "{\"initial\":");
    put_matrix(s, sys->initial, sys->K);
    stream_put(s, "}\n");
    for (uint32_t x = 0; x < sys->nletters; x++)
        put_letter(s, sys, x, about->letter != NULL ? about->letter[x] : NULL);
    for (uint32_t g = 0; g < order; g++)
        put_element(s, sys->G, g);
    return 2 + (uint64_t)sys->nletters + order;
}

/* ---- a closed graph --------------------------------------------------------------------- */

/* Labels along the first edge into each state, in breadth-first order from state 0: where
 * the labels are inconsistent, those of another tree would be another refutation. */
static uint32_t *
tree_labels(const ckda_system_t sys, const ckda_reach_t r)
{
    const uint32_t count = (uint32_t)r->states;
    uint32_t *label = flint_malloc(count * sizeof *label), tail = 1;
    uint32_t *queue = flint_malloc(count * sizeof *queue);
    memset(label, 0xff, count * sizeof *label);
    label[0] = queue[0] = 0;
    for (uint32_t head = 0; head < tail; head++)
        for (uint32_t x = 0; x < sys->nletters; x++) {
            const uint32_t s = queue[head], to = r->next[(size_t)s * sys->nletters + x];
            if (label[to] != UINT32_MAX)
                continue;
            label[to] = ckda_group_mul(sys->G, sys->letter_element[x], label[s]);
            queue[tail++] = to;
        }
    flint_free(queue);
    ckda_require(tail == count, "every state is reached from state 0");
    return label;
}

static void
put_closure_header(stream *s, const ckda_system_t sys, const ckda_reach_t r)
{
    stream_put(s, ",\"states\":%" PRIu64 ",\"levels\":[", r->states);
    for (uint32_t i = 0; i < r->nlevels; i++)
        stream_put(s, i == 0 ? "%" PRIu64 : ",%" PRIu64, r->level[i]);
    stream_put(s, "]");
    if (sys->G == NULL)
        return;
    const bool consistent = r->decoder_consistent == CKDA_TRUE;
    stream_put(s, ",\"decoder\":\"%s\"", consistent ? "consistent" : "inconsistent");
    if (consistent)
        stream_put(s, ",\"decoded\":%u,\"states_per_element\":[%" PRIu64 ",%" PRIu64 "]",
                   r->decoded, r->min_per_element, r->max_per_element);
}

static void
put_closure(ckda_cert_writer *w, const ckda_cert_about *about, const ckda_system_t sys,
            const ckda_reach_t r)
{
    stream *s = &w->out;
    ckda_require(r->next != NULL, "the search did not keep its graph");
    put_header(w, "closure", about, sys);
    put_closure_header(s, sys, r);
    stream_put(s, "}\n");
    const uint64_t lines = put_system(s, about, sys);
    uint32_t *label = sys->G != NULL ? tree_labels(sys, r) : NULL;
    for (uint64_t i = 0; i < r->states; i++) {
        stream_put(s, "{\"state\":%" PRIu64, i);
        if (label != NULL)
            stream_put(s, ",\"label\":%u", label[i]);
        stream_put(s, ",\"next\":[");
        for (uint32_t x = 0; x < sys->nletters; x++)
            stream_put(s, x == 0 ? "%u" : ",%u", r->next[i * sys->nletters + x]);
        stream_put(s, "]}\n");
    }
    flint_free(label);
    stream_put(s, "{\"end\":%" PRIu64 "}\n", lines + r->states + 2);
}

/* ---- infinitely many states ------------------------------------------------------------- */

static void
put_infinite(ckda_cert_writer *w, const ckda_cert_about *about, const ckda_system_t sys,
             const ckda_reach_t r)
{
    stream *s = &w->out;
    put_header(w, "infinite", about, sys);
    stream_put(s, "}\n");
    const uint64_t lines = put_system(s, about, sys);
    stream_put(s, "{\"word\":[");
    for (uint32_t i = 0; i < r->npump; i++)
        stream_put(s, i == 0 ? "%u" : ",%u", r->pump[i]);
    stream_put(s, "],\"prime\":%u}\n{\"end\":%" PRIu64 "}\n", certificate_prime(sys),
               lines + 3);
}

ckda_status
ckda_cert_add_reach(ckda_cert_writer *w, const ckda_cert_about *about,
                    const ckda_system_t sys, const ckda_reach_t r, ckda_error *err)
{
    ckda_require(w->part < w->parts, "all %u parts are there", w->parts);
    if (r->finite == CKDA_UNKNOWN) {
        ckda_error_set(err, "no certificate: the search did not decide (limit: %s)",
                       r->limit != NULL ? r->limit : "none");
        return CKDA_E_DOMAIN;
    }
    w->part++;
    if (r->finite == CKDA_TRUE)
        put_closure(w, about, sys, r);
    else
        put_infinite(w, about, sys, r);
    return CKDA_OK;
}
