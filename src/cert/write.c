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

/* ---- pieces ---------------------------------------------------------------------------- */

static void
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

stream *
part_begin(ckda_cert_writer *w, const char *kind, const ckda_cert_about *about)
{
    stream *s = &w->out;
    ckda_require(w->part < w->parts, "all %u parts are there", w->parts);
    w->part++;
    w->before = s->lines;
    stream_put(s, "{\"schema\":\"ckda.cert/1\",\"kind\":\"%s\",\"part\":%u,\"parts\":%u,",
               kind, w->part, w->parts);
    put_about(s, about);
    return s;
}

void
part_end(ckda_cert_writer *w)
{
    stream *s = &w->out;
    stream_put(s, "{\"end\":%" PRIu64 "}\n", s->lines - w->before + 1);
}

void
put_shape(stream *s, slong rows, slong cols, slong degree, uint32_t letters)
{
    stream_put(s, ",\"rows\":%ld,\"cols\":%ld,\"degree\":%ld,\"letters\":%u", (long)rows,
               (long)cols, (long)degree, letters);
}

void
put_group(stream *s, const ckda_group_struct *G)
{
    stream_put(s, ",\"group\":{\"points\":%d,\"order\":%u}", G->degree, G->order);
}

void
put_levels(stream *s, const uint32_t *next, uint32_t states, uint32_t letters)
{
    uint32_t *queue = flint_malloc(states * sizeof *queue), tail = 1, end = 0;
    bool *met = flint_calloc(states, sizeof *met);
    met[0] = true;
    queue[0] = 0;
    stream_put(s, ",\"levels\":[");
    for (uint32_t head = 0; head < tail; head++) {
        if (head == end) { /* of a level */
            stream_put(s, end == 0 ? "%u" : ",%u", tail - end);
            end = tail;
        }
        for (uint32_t x = 0; x < letters; x++) {
            const uint32_t to = next[(size_t)queue[head] * letters + x];
            if (!met[to])
                queue[tail++] = to;
            met[to] = true;
        }
    }
    stream_put(s, "]");
    flint_free(met);
    flint_free(queue);
}

void
put_labels(stream *s, const uint32_t *label, uint64_t states, uint32_t kinds)
{
    uint64_t *count = flint_calloc(kinds, sizeof *count);
    uint64_t decoded = 0, least = UINT64_MAX, most = 0;
    for (uint64_t i = 0; i < states; i++)
        count[label[i]]++;
    for (uint32_t g = 0; g < kinds; g++) {
        if (count[g] == 0)
            continue;
        decoded++;
        least = count[g] < least ? count[g] : least;
        most = count[g] > most ? count[g] : most;
    }
    flint_free(count);
    stream_put(s,
               ",\"decoder\":\"consistent\",\"decoded\":%" PRIu64
               ",\"states_per_element\":[%" PRIu64 ",%" PRIu64 "]",
               decoded, least, most);
}

void
put_letter_begin(stream *s, uint32_t x, const char *name, int64_t element)
{
    stream_put(s, "{\"letter\":%u", x);
    if (name != NULL) {
        stream_put(s, ",\"name\":");
        stream_put_text(s, name);
    }
    if (element >= 0)
        stream_put(s, ",\"element\":%" PRId64, element);
}

static void
put_image(stream *s, const ckda_group_struct *G, uint32_t g)
{
    stream_put(s, "{\"element\":%u,\"image\":[", g);
    for (int i = 0; i < G->degree; i++)
        stream_put(s, i == 0 ? "%d" : ",%d", G->element[g].image[i]);
    stream_put(s, "]");
}

void
put_element(stream *s, const ckda_group_struct *G, uint32_t g)
{
    put_image(s, G, g);
    stream_put(s, "}\n");
}

void
put_state(stream *s, uint64_t state, const uint32_t *label, const uint32_t *next,
          uint32_t letters)
{
    stream_put(s, "{\"state\":%" PRIu64 ",", state);
    if (label != NULL)
        stream_put(s, "\"label\":%u,", *label);
    put_counts(s, "next", next, letters);
    stream_put(s, "}\n");
}

/* ---- the system ------------------------------------------------------------------------ */

/* c == NULL: the letters are given as matrices alone. */
static void
put_system(stream *s, const ckda_cert_about *about, const ckda_system_t sys,
           const ckda_construction_struct *c)
{
    const uint32_t order = sys->G != NULL ? sys->G->order : 0;
    put_field(s, sys->K);
    stream_put(s, "{\"initial\":");
    put_matrix(s, sys->initial, sys->K);
    stream_put(s, "}\n");
    for (uint32_t x = 0; x < sys->nletters; x++) {
        put_letter_begin(s, x, about->letter != NULL ? about->letter[x] : NULL,
                         sys->G != NULL ? (int64_t)sys->letter_element[x] : -1);
        stream_put(s, ",\"linear\":");
        put_matrix(s, sys->linear + x, sys->K);
        if (sys->offset != NULL) {
            stream_put(s, ",\"offset\":");
            put_matrix(s, sys->offset + x, sys->K);
        }
        if (c != NULL)
            put_steps(s, c->trans + sys->letter_element[x], 1, sys->K);
        stream_put(s, "}\n");
    }
    for (uint32_t g = 0; g < order; g++) {
        put_image(s, sys->G, g);
        if (c != NULL && c->decoder == CKDA_DECODE_F) {
            stream_put(s, ",\"value\":");
            put_matrix(s, c->rotation + g, sys->K);
        }
        stream_put(s, "}\n");
    }
}

enum { F_VALUES = 9, F_TERMS = 4 * F_VALUES };

/* f(S) = al C - s r^T - C [r]x of S = [[al, r^T], [s, C]], entry by entry. */
static void
put_f(stream *s)
{
    uint32_t number = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            /* column j of [r]x has r_l in row k and -r_k in row l */
            const int k = (j + 1) % 3, l = (j + 2) % 3, row = 4 * (i + 1);
            const int terms[4][3] = {{1, 0, row + 1 + j},
                                     {0, row, 1 + j},
                                     {0, row + 1 + k, 1 + l},
                                     {1, row + 1 + l, 1 + k}};
            for (int t = 0; t < 4; t++)
                stream_put(s, "{\"term\":%u,\"row\":[%d,%d,%d,%d]}\n", number++,
                           3 * i + j, terms[t][0], terms[t][1], terms[t][2]);
        }
}

/* The header up to what depends on the kind. */
static stream *
put_header(ckda_cert_writer *w, const char *kind, const ckda_cert_about *about,
           const ckda_system_t sys)
{
    stream *s = part_begin(w, kind, about);
    put_shape(s, sys->initial->rows, sys->initial->cols, sys->K->degree, sys->nletters);
    if (sys->G != NULL)
        put_group(s, sys->G);
    return s;
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
            const ckda_reach_t r, const ckda_construction_struct *c)
{
    ckda_require(r->next != NULL, "the search did not keep its graph");
    const bool reads = c != NULL && c->decoder == CKDA_DECODE_F;
    stream *s = put_header(w, "closure", about, sys);
    put_closure_header(s, sys, r);
    if (reads)
        stream_put(s, ",\"values\":%d,\"terms\":%d", F_VALUES, F_TERMS);
    stream_put(s, "}\n");
    put_system(s, about, sys, c);
    if (reads)
        put_f(s);
    uint32_t *label = sys->G != NULL ? tree_labels(sys, r) : NULL;
    for (uint64_t i = 0; i < r->states; i++)
        put_state(s, i, label != NULL ? label + i : NULL, r->next + i * sys->nletters,
                  sys->nletters);
    flint_free(label);
    part_end(w);
}

/* ---- infinitely many states ------------------------------------------------------------- */

static void
put_infinite(ckda_cert_writer *w, const ckda_cert_about *about, const ckda_system_t sys,
             const ckda_reach_t r)
{
    stream *s = put_header(w, "infinite", about, sys);
    stream_put(s, "}\n");
    put_system(s, about, sys, NULL);
    stream_put(s, "{");
    if (r->pump.nprefix > 0) {
        put_counts(s, "prefix", r->pump.prefix, r->pump.nprefix);
        stream_put(s, ",");
    }
    put_counts(s, "word", r->pump.word, r->pump.length);
    stream_put(s, ",\"prime\":%u}\n", r->pump.prime);
    part_end(w);
}

/* c == NULL for a system that is of no construction. */
static ckda_status
add_reach(ckda_cert_writer *w, const ckda_cert_about *about, const ckda_system_t sys,
          const ckda_reach_t r, const ckda_construction_struct *c, ckda_error *err)
{
    ckda_require(w->part < w->parts, "all %u parts are there", w->parts);
    if (r->finite == CKDA_UNKNOWN) {
        ckda_error_set(err, "no certificate: the search did not decide (limit: %s)",
                       r->limit != NULL ? r->limit : "none");
        return CKDA_E_DOMAIN;
    }
    if (r->finite == CKDA_TRUE)
        put_closure(w, about, sys, r, c);
    else
        put_infinite(w, about, sys, r);
    return CKDA_OK;
}

ckda_status
ckda_cert_add_reach(ckda_cert_writer *w, const ckda_cert_about *about,
                    const ckda_system_t sys, const ckda_reach_t r, ckda_error *err)
{
    return add_reach(w, about, sys, r, NULL, err);
}

ckda_status
ckda_cert_add_construction(ckda_cert_writer *w, const ckda_cert_about *about,
                           const ckda_construction_t c, const ckda_system_t sys,
                           const ckda_reach_t r, ckda_error *err)
{
    const bool all = r->finite == CKDA_TRUE && r->decoder_consistent == CKDA_TRUE;
    return add_reach(w, about, sys, r, all ? c : NULL, err);
}
