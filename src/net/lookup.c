/* The maps between the layers: pure functions of (o, r, x).
 *
 * A net_lookup is const here and a signal holds no state, so that nothing in this file
 * can remember anything. */
#include "net_internal.h"

static ckda_status
no_entry(ckda_error *err, const char *what)
{
    ckda_error_set(err, "the lookup has no entry for this %s", what);
    return CKDA_E_DOMAIN;
}

static ckda_status
by_letter(ckda_net_step *step, const ckda_net *net, uint32_t layer,
          const ckda_net_signal *in)
{
    const net_lookup *l = net->lookup + layer;
    const uint32_t first = net->first[layer], heads = net->first[layer + 1] - first;
    const ckda_net_step *row = l->step + (l->nsteps == 1 ? 0 : (size_t)in->x * heads);
    for (uint32_t h = 0; h < heads; h++)
        ckda_net_step_set(step + h, row + h, net->head[first + h].K);
    return CKDA_OK;
}

/* ---- three layers ----------------------------------------------------------------- */

/* Key e_r, beta 1, value one-hot(x): row r becomes the letter.  Query 1, 2, 4, ... */
static ckda_status
write_slot(ckda_net_step *t, slong *r, const net_lookup *l, const ckda_net_signal *in,
           const ckda_field_t K, const ckda_field_t below, ckda_error *err)
{
    const int64_t slot = net_reader_find(&l->read, in->o[0], below);
    if (slot < 0 || slot >= t->n)
        return no_entry(err, "output of the clock");
    fmpz_t power;
    fmpq_t q;
    fmpz_init(power);
    fmpq_init(q);
    for (slong i = 0; i < t->n; i++) {
        ckda_elem_set_si(t->key + i, i == slot, K);
        ckda_elem_one(t->gate + i, K);
        fmpz_one_2exp(power, (ulong)i);
        fmpq_set_fmpz(q, power);
        ckda_elem_set_fmpq(t->query + i, q, K);
    }
    for (slong c = 0; c < t->m; c++)
        ckda_elem_set_si(t->value + c, c == (slong)in->x, K);
    ckda_elem_one(t->beta, K);
    ckda_elem_one(t->scale, K); /* the key has length 1 */
    fmpq_clear(q);
    fmpz_clear(power);
    *r = (slong)slot;
    return CKDA_OK;
}

/* A rational output as an integer >= 0. */
static const fmpz *
whole(const ckda_elem_struct *x)
{
    const fmpz *num = LNF_ELEM_NUMREF(x);
    return fmpz_is_one(LNF_ELEM_DENREF(x)) && fmpz_sgn(num) >= 0 ? num : NULL;
}

#define EMPTY UINT32_MAX

/* slot[i] = the letter in slot i, or EMPTY.  Bit i of o_a says that slot i holds a. */
static bool
read_buffer(uint32_t *slot, slong slots, const ckda_mat_struct *o)
{
    for (slong i = 0; i < slots; i++)
        slot[i] = EMPTY;
    for (slong a = 0; a < o->rows; a++) {
        const fmpz *bits = whole(o->entry + a);
        if (bits == NULL || (slong)fmpz_bits(bits) > slots)
            return false;
        if (fmpz_is_zero(bits))
            continue;
        for (slong i = 0; i < slots; i++) {
            if (!fmpz_tstbit(bits, (ulong)i))
                continue;
            if (slot[i] != EMPTY)
                return false;
            slot[i] = (uint32_t)a;
        }
    }
    return true;
}

/* to[t] = slot[(from + t) mod slots]; how many of them are filled? */
static slong
copy_slots(uint32_t *to, slong count, const uint32_t *slot, slong from, slong slots)
{
    slong filled = 0;
    for (slong t = 0; t < count; t++) {
        slong i = (from + t) % slots;
        to[t] = slot[i < 0 ? i + slots : i];
        filled += to[t] != EMPTY;
    }
    return filled;
}

static ckda_status
by_block(ckda_net_step *t, const net_lookup *l, const ckda_net_signal *in,
         const ckda_field_t K, ckda_error *err)
{
    const slong m = l->blocks.m, r = in->r, j = (r + 2 * m - 1) % m + 1;
    uint32_t *slot = flint_malloc(4 * (size_t)m * sizeof *slot);
    uint32_t *after = slot + 2 * m, *block = after + m;
    bool good = read_buffer(slot, 2 * m, in->o[0]);
    good = good && copy_slots(after, j, slot, r - j + 1, 2 * m) == j;
    const slong filled = good ? copy_slots(block, m, slot, r - j - m + 1, 2 * m) : 0;
    good = good && (filled == 0 || filled == m);
    const net_tokens w = {filled == m ? block : NULL, after, j, j - 1};
    const ckda_status st = good ? net_blocks_step(t, &l->blocks, &w, K, err)
                                : no_entry(err, "output of the buffer");
    flint_free(slot);
    return st;
}

/* ---- two layers ------------------------------------------------------------------- */

/* The last three letters, newest first, from the digits of o in base 1 + letters; 0
 * stands for no letter. */
static bool
read_window(uint32_t last[3], const ckda_mat_struct *o, uint32_t nletters)
{
    const fmpz *number = whole(o->entry);
    if (number == NULL || fmpz_bits(number) > 100)
        return false;
    fmpz_t rest;
    fmpz_init_set(rest, number);
    for (int i = 0; i < 3; i++) {
        const ulong digit = fmpz_fdiv_ui(rest, nletters + 1ul);
        last[i] = digit == 0 ? EMPTY : (uint32_t)digit - 1;
        fmpz_fdiv_q_ui(rest, rest, nletters + 1ul);
    }
    const bool good = fmpz_is_zero(rest);
    fmpz_clear(rest);
    return good;
}

/* Block length 2: at even positions the newest two letters are a block and its first
 * factor is applied; at odd ones its second, with one letter behind the block. */
static ckda_status
by_window(ckda_net_step *t, const net_lookup *l, const ckda_net_signal *in,
          const ckda_field_t K, const ckda_field_t below, ckda_error *err)
{
    uint32_t last[3];
    const int64_t odd = net_reader_find(&l->read, in->o[0], below);
    if (odd < 0 || odd > 1 || !read_window(last, in->o[1], l->blocks.nletters)
        || last[0] == EMPTY)
        return no_entry(err, "output of the window");
    const uint32_t block[2] = {last[odd + 1], last[odd]};
    const bool full = block[0] != EMPTY && block[1] != EMPTY;
    if (!full && (odd == 0 || block[0] != block[1]))
        return no_entry(err, "output of the window");
    const net_tokens w = {full ? block : NULL, last, odd, odd};
    return net_blocks_step(t, &l->blocks, &w, K, err);
}

static ckda_status
by_coset(ckda_net_step *t, slong *r, const net_lookup *l, const ckda_net_signal *in,
         const ckda_field_t K, const ckda_field_t below, ckda_error *err)
{
    const int64_t found = net_reader_find(&l->read, in->o[0], below);
    const slong s = in->r * (slong)l->read.count + (slong)found;
    if (found < 0 || in->r < 0 || s >= (slong)l->nrep)
        return no_entry(err, "output of the layer below");
    ckda_net_step_set(t, l->step + l->row[(size_t)in->x * l->nrep + (size_t)s], K);
    *r = s;
    return CKDA_OK;
}

ckda_status
ckda_net_lookup(ckda_net_step *step, slong *r, const ckda_net *net, uint32_t layer,
                const ckda_net_signal *in, ckda_error *err)
{
    ckda_require(layer < net->nlayers && in->x < net->nletters, "layer %u, letter %u",
                 layer, in->x);
    const net_lookup *l = net->lookup + layer;
    const ckda_field_struct *K = net->head[net->first[layer]].K;
    const ckda_field_struct *below =
        layer > 0 ? net->head[net->first[layer - 1]].K : NULL;
    *r = in->r;
    switch (l->kind) {
    case LOOKUP_SLOT:
        return write_slot(step, r, l, in, K, below, err);
    case LOOKUP_BLOCK:
        return by_block(step, l, in, K, err);
    case LOOKUP_WINDOW:
        return by_window(step, l, in, K, below, err);
    case LOOKUP_COSET:
        return by_coset(step, r, l, in, K, below, err);
    case LOOKUP_LETTER:
    default:
        return by_letter(step, net, layer, in);
    }
}
