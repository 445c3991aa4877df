/* A search saved to a file, whole or not at all.
 *
 *   magic (8 bytes)  version  byte order mark
 *   identity of system and arithmetic (XXH3 of every parameter), and their text
 *   counters, level starts
 *   the nodes' arrays: bits, exact, parent, via
 *   XXH3 of everything before it
 *
 * Reading checks the sum, the identity, every index, and recomputes each node from its
 * parent: what is gone on from is a tree of words, whatever the file says. */
#define _XOPEN_SOURCE 700
#include "allwords_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char magic[8] = {'C', 'K', 'D', 'A', 'w', 'o', 'r', 'd'};
enum { VERSION = 1, ORDER_MARK = 0x01020304, TEXT = 512 };

/* Plain data, the same on every machine of one byte order. */
typedef struct {
    char magic[8];
    uint32_t version, order_mark;
    uint64_t identity;
    char text[TEXT];
    uint64_t bytes; /* of a packed state */
    uint32_t count, next, nlevels, letters;
    uint64_t aliased;
    double error, seconds;
} header;

/* ---- which search is it? --------------------------------------------------------------- */

static void
add(XXH3_state_t *x, const void *data, size_t size)
{
    if (data != NULL)
        XXH3_64bits_update(x, data, size);
}

static void
add_arithmetic(XXH3_state_t *x, const ckda_rounded_t R)
{
    const ckda_arith *a = &R->arith;
    const int64_t plain[] = {a->fma,
                             a->form,
                             a->order,
                             a->store,
                             a->grid,
                             a->has_flush,
                             a->has_flush ? a->flush : 0};
    const size_t steps = R->first[R->nletters], n = (size_t)R->n;
    add(x, plain, sizeof plain);
    add(x, a->state->name, strlen(a->state->name) + 1);
    add(x, a->keys->name, strlen(a->keys->name) + 1);
    add(x, a->beta->name, strlen(a->beta->name) + 1);
    add(x, a->compute->name, strlen(a->compute->name) + 1);
    add(x, &R->scale, sizeof R->scale);
    add(x, R->first, (R->nletters + 1) * sizeof *R->first);
    if (a->form == CKDA_FORM_MATRIX) {
        add(x, R->matrix, R->nletters * n * n * sizeof *R->matrix);
        return;
    }
    add(x, R->key, steps * n * sizeof *R->key);
    add(x, R->gate, steps * n * sizeof *R->gate);
    add(x, R->beta, steps * sizeof *R->beta);
}

static uint64_t
identity(const search *S)
{
    const ckda_tracker_struct *t = S->t;
    const size_t edges = (size_t)t->nstates * t->nletters;
    XXH3_state_t *x = XXH3_createState();
    ckda_require(x != NULL, "out of memory");
    XXH3_64bits_reset(x);
    add(x, &t->nletters, sizeof t->nletters);
    add(x, t->next, edges * sizeof *t->next);
    add(x, t->element, t->nstates * sizeof *t->element);
    add_arithmetic(x, S->R);
    const uint64_t id = XXH3_64bits_digest(x);
    XXH3_freeState(x);
    return id;
}

static void
describe(char *text, const search *S)
{
    const ckda_construction_struct *c = S->t->c;
    char *arith = ckda_arith_str(&S->R->arith);
    memset(text, 0, TEXT);
    snprintf(text, TEXT, "%s by %s, %s", c->G->name, c->name, arith);
    free(arith);
}

static void
fill_header(header *h, const search *S)
{
    memset(h, 0, sizeof *h); /* no stray bytes between members */
    memcpy(h->magic, magic, sizeof magic);
    h->version = VERSION;
    h->order_mark = ORDER_MARK;
    h->identity = identity(S);
    describe(h->text, S);
    h->bytes = S->s.bytes;
    h->count = S->s.count;
    h->next = S->p.next;
    h->nlevels = S->p.nlevels;
    h->letters = S->R->nletters;
    h->aliased = S->p.aliased;
    h->error = S->p.error;
    h->seconds = S->before + ckda_wall_seconds() - S->began;
}

/* ---- a stream that sums what passes ------------------------------------------------------ */

typedef struct {
    FILE *file;
    XXH3_state_t *sum;
    bool failed;
} stream;

static void
stream_open(stream *f, FILE *file)
{
    *f = (stream){.file = file, .sum = XXH3_createState()};
    ckda_require(f->sum != NULL, "out of memory");
    XXH3_64bits_reset(f->sum);
}

static void
put(stream *f, const void *data, size_t size)
{
    XXH3_64bits_update(f->sum, data, size);
    f->failed = f->failed || fwrite(data, 1, size, f->file) != size;
}

static void
get(stream *f, void *data, size_t size)
{
    f->failed = f->failed || fread(data, 1, size, f->file) != size;
    if (!f->failed)
        XXH3_64bits_update(f->sum, data, size);
}

static uint64_t
stream_close(stream *f)
{
    const uint64_t sum = XXH3_64bits_digest(f->sum);
    XXH3_freeState(f->sum);
    return sum;
}

/* ---- writing ------------------------------------------------------------------------------ */

static ckda_status
io_error(ckda_error *err, const char *path, const char *what)
{
    ckda_error_set(err, "%s: %s: %s", path, what, strerror(errno));
    return CKDA_E_IO;
}

static bool
write_search(FILE *file, const search *S)
{
    header h;
    stream f;
    const size_t count = S->s.count;
    fill_header(&h, S);
    stream_open(&f, file);
    put(&f, &h, sizeof h);
    put(&f, S->p.level_start, S->p.nlevels * sizeof *S->p.level_start);
    put(&f, S->s.bits, count * S->s.bytes);
    put(&f, S->s.exact, count * sizeof *S->s.exact);
    put(&f, S->s.parent, count * sizeof *S->s.parent);
    put(&f, S->s.via, count * sizeof *S->s.via);
    const bool failed = f.failed;
    const uint64_t sum = stream_close(&f);
    return !failed && fwrite(&sum, 1, sizeof sum, file) == sizeof sum;
}

/* The new file stands beside the old one until it is whole and on the disk; a search of
 * gigabytes is not copied into one buffer for it. */
ckda_status
allwords_checkpoint_write(const search *S, const char *path, ckda_error *err)
{
    const size_t size = strlen(path) + 48;
    char *name = allwords_memory(size);
    snprintf(name, size, "%s.%ld.tmp", path, (long)getpid());
    FILE *file = fopen(name, "wb");
    if (file == NULL) {
        free(name);
        return io_error(err, path, "cannot be created");
    }
    bool good = write_search(file, S) && fflush(file) == 0
                && (fsync(fileno(file)) == 0 || errno == EINVAL || errno == ENOTSUP);
    int why = errno;
    if (fclose(file) != 0 && good) {
        good = false;
        why = errno;
    }
    if (good && rename(name, path) != 0) {
        good = false;
        why = errno;
    }
    if (!good)
        unlink(name);
    free(name);
    errno = why;
    return good ? CKDA_OK : io_error(err, path, "cannot be written");
}

/* ---- reading ------------------------------------------------------------------------------ */

static ckda_status
damaged(ckda_error *err, const char *path, const char *expected, const char *found)
{
    ckda_error_set(err, "%s: expected %s, found %s", path, expected, found);
    return CKDA_E_INPUT;
}

static ckda_status
check_header(header *h, const search *S, const char *path, ckda_error *err)
{
    char text[TEXT], found[32];
    if (memcmp(h->magic, magic, sizeof magic) != 0)
        return damaged(err, path, "a saved search of all words", "another kind of file");
    if (h->order_mark != ORDER_MARK)
        return damaged(err, path, "a file of this machine's byte order",
                       "the other order");
    snprintf(found, sizeof found, "%" PRIu32, h->version);
    if (h->version != VERSION)
        return damaged(err, path, "version 1 of the format", found);
    h->text[TEXT - 1] = '\0';
    describe(text, S);
    if (h->identity != identity(S))
        return damaged(
            err, path, text,
            strcmp(text, h->text) != 0 ? h->text : "the same name with other parameters");
    if (h->bytes != S->s.bytes || h->letters != S->R->nletters || h->count == 0
        || h->next > h->count || h->nlevels == 0 || h->nlevels > h->count + 1)
        return damaged(err, path, "counts that fit", "others");
    return CKDA_OK;
}

/* A file cut short must not make us ask for the memory it promised. */
static bool
long_enough(FILE *file, const header *h)
{
    const uint64_t node = h->bytes + 2 * sizeof(uint32_t) + sizeof(uint16_t);
    const uint64_t want =
        sizeof *h + h->nlevels * sizeof(uint32_t) + h->count * node + sizeof(uint64_t);
    if (fseeko(file, 0, SEEK_END) != 0)
        return false;
    const off_t size = ftello(file);
    return size >= 0 && (uint64_t)size == want
           && fseeko(file, (off_t)sizeof *h, SEEK_SET) == 0;
}

static ckda_status
read_arrays(stream *f, search *S, const header *h, const char *path, ckda_error *err)
{
    uint64_t sum;
    const size_t count = h->count;
    if (!allwords_nodes_reserve(&S->s, h->count)) {
        ckda_error_set(err, "%s: its %" PRIu32 " states are beyond the limit on %s", path,
                       h->count, S->s.limit);
        return CKDA_E_UNABLE;
    }
    S->p.level_room = h->nlevels;
    S->p.level_start = allwords_memory(h->nlevels * sizeof *S->p.level_start);
    get(f, S->p.level_start, h->nlevels * sizeof *S->p.level_start);
    get(f, S->s.bits, count * S->s.bytes);
    get(f, S->s.exact, count * sizeof *S->s.exact);
    get(f, S->s.parent, count * sizeof *S->s.parent);
    get(f, S->s.via, count * sizeof *S->s.via);
    const bool whole = !f->failed && fread(&sum, 1, sizeof sum, f->file) == sizeof sum;
    return whole && sum == XXH3_64bits_digest(f->sum)
               ? CKDA_OK
               : damaged(err, path, "the sum that closes the file", "a damaged file");
}

static bool
levels_fit(const search *S, const header *h)
{
    const uint32_t *start = S->p.level_start;
    if (start[0] != 0)
        return false;
    for (uint32_t k = 1; k < h->nlevels; k++)
        if (start[k] <= start[k - 1] || start[k] > h->count)
            return false;
    /* the node to go on with stands in the last level but one, or begins the last */
    return h->nlevels == 1 ? h->next == 0
                           : h->next >= start[h->nlevels - 2] && h->next <= h->count
                                 && (h->next <= start[h->nlevels - 1]);
}

/* Node i is one letter after its parent, in bits and in the exact table. */
static bool
node_fits(const search *S, uint32_t i, double *H, uint8_t *bits)
{
    const nodes *s = &S->s;
    const slong entries = (slong)S->entries;
    if (s->parent[i] >= i || s->via[i] >= S->R->nletters
        || s->exact[i] != allwords_next_exact(S, s->exact[s->parent[i]], s->via[i]))
        return false;
    ckda_rounded_unpack(H, s->bits + (size_t)s->parent[i] * s->bytes, entries, S->R);
    ckda_rounded_step(H, S->m, s->via[i], S->R);
    return ckda_rounded_pack(bits, H, entries, S->R)
           && memcmp(bits, s->bits + (size_t)i * s->bytes, s->bytes) == 0;
}

/* Node 0 is H_0 and every other one follows from its parent. */
static bool
tree_fits(const search *S)
{
    double *H = allwords_memory(S->entries * sizeof *H);
    uint8_t *bits = allwords_memory(S->s.bytes);
    ckda_rounded_initial(H, S->R);
    bool fits = ckda_rounded_pack(bits, H, (slong)S->entries, S->R)
                && memcmp(bits, S->s.bits, S->s.bytes) == 0 && S->s.exact[0] == 0;
    for (uint32_t i = 1; fits && i < S->s.count; i++)
        fits = node_fits(S, i, H, bits);
    free(H);
    free(bits);
    return fits;
}

static ckda_status
read_search(stream *f, search *S, const char *path, ckda_error *err)
{
    header h;
    memset(&h, 0, sizeof h);
    get(f, &h, sizeof h);
    if (f->failed)
        return damaged(err, path, "a saved search of all words", "a shorter file");
    ckda_status st = check_header(&h, S, path, err);
    if (st != CKDA_OK)
        return st;
    if (!long_enough(f->file, &h))
        return damaged(err, path, "as many bytes as its counts ask for",
                       "a file cut short, or longer");
    st = read_arrays(f, S, &h, path, err);
    if (st != CKDA_OK)
        return st;
    S->s.count = h.count;
    S->p.next = h.next;
    S->p.nlevels = h.nlevels;
    S->p.aliased = h.aliased;
    S->p.error = h.error;
    S->before = h.seconds;
    if (!levels_fit(S, &h) || !tree_fits(S) || !allwords_nodes_index(&S->s))
        return damaged(err, path, "a tree of words", "states that do not follow");
    return CKDA_OK;
}

ckda_status
allwords_checkpoint_read(search *S, const char *path, ckda_error *err)
{
    stream f;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return io_error(err, path, "cannot be opened");
    stream_open(&f, file);
    const ckda_status st = read_search(&f, S, path, err);
    (void)stream_close(&f);
    fclose(file);
    return st;
}
