/* Group words through the kernels, as a trace with every state. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckda_gpu.h"
#include "dump.h"
#include "gpu_cli.h"
#include "letters.h"

/* Letters of all words as elements, what they multiply to, and the inputs they stand for. */
static void
fill_words(dump_arrays *a, uint8_t *letters, uint8_t *elements, const gpu_system *s,
           const dump_options *o)
{
    const ckda_tracker_struct *t = s->tracker;
    const uint64_t n = (uint64_t)t->n, d = o->dk;
    for (uint64_t word = 0; word < o->batch; word++) {
        const uint64_t key = ckda_gpu_word_key(o->seed, word);
        uint32_t state = 0;
        for (uint64_t i = 0; i < o->tokens; i++) {
            const uint64_t row = word * o->tokens + i;
            const uint32_t l = ckda_gpu_letter_at(key, i, t->nletters);
            state = t->next[(size_t)state * t->nletters + l];
            letters[row] = (uint8_t)t->element_of_letter[l];
            elements[row] = (uint8_t)t->element[state];
            a->beta[row] = (float)s->automaton.beta[l];
            for (uint64_t c = 0; c < d; c++) {
                a->k[row * d + c] = c < n ? dump_bf16(s->automaton.key[l * n + c]) : 0;
                a->gate[row * d + c] =
                    dump_bf16(c < n ? s->automaton.gate[l * n + c] : 1);
            }
        }
        for (uint64_t c = 0; c < d; c++)
            a->initial[(word * d + c) * d + c] = 1;
    }
}

/* Rows 0 .. n-1 of every state: as many passes, each with another query. */
static int
all_rows(uint16_t *out, dump_arrays *a, const dump_variant *v, uint64_t n,
         const dump_options *o)
{
    const uint64_t d = o->dk;
    int code = CKDA_GPU_OK;
    for (uint64_t r = 0; r < n && code == CKDA_GPU_OK; r++) {
        for (uint64_t i = 0; i < a->rows * d; i++)
            a->q[i] = i % d == r ? 0x3f80 : 0;
        code = dump_forward(a, v, 1, o);
        for (uint64_t i = 0; i < a->rows; i++)
            memcpy(out + (i * n + r) * n, a->o + i * d, n * sizeof *out);
    }
    return code;
}

/* What an outsider needs to make the words again: the group, keys and signs before rounding. */
static void
add_tables(ckda_tensors *ts, ckda_status *st, ckda_error *err, const gpu_system *s)
{
    const ckda_tracker_struct *t = s->tracker;
    const uint64_t order = t->c->G->order, n = (uint64_t)t->n;
    const uint64_t square[] = {order, order}, table[] = {order, n};
    ckda_arith a = ckda_arith_default;
    ckda_rounded_t R;
    if (*st != CKDA_OK || order > 256 || t->nletters != order || n != 4)
        return;
    a.keys = a.beta = a.compute = a.state = &ckda_fp_fp64;
    *st = ckda_rounded_init(R, t, &a, err);
    if (*st != CKDA_OK)
        return;
    int16_t *product = gpu_room(order * order, sizeof *product);
    for (uint32_t x = 0; x < order; x++)
        for (uint32_t y = 0; y < order; y++)
            product[x * order + y] = (int16_t)ckda_group_mul(t->c->G, x, y);
    dump_add(ts, st, err, "product_table", CKDA_DTYPE_I16, 2, square, product);
    dump_add(ts, st, err, "keys_table", CKDA_DTYPE_F64, 2, table, R->key_value);
    dump_add(ts, st, err, "signs_table", CKDA_DTYPE_F64, 2, table, R->gate_value);
    free(product);
    ckda_rounded_clear(R);
}

static int
add_word_outputs(ckda_tensors *ts, ckda_status *st, ckda_error *err, dump_arrays *a,
                 uint64_t n, const dump_options *o)
{
    const uint64_t rows[] = {o->batch, o->tokens, n, n}, states[] = {o->batch, 16, 16};
    const dump_variant snapped = {"chunk_honest_snap", false, CKDA_GPU_HONEST, o->snap};
    const size_t count = DUMP_VARIANTS + (o->snap > 0);
    uint16_t *out = gpu_room(a->rows * n * n, sizeof *out);
    char name[64];
    int code = CKDA_GPU_OK;
    for (size_t i = 0; i < count && code == CKDA_GPU_OK; i++) {
        const dump_variant *v = i < DUMP_VARIANTS ? &dump_variants[i] : &snapped;
        code = all_rows(out, a, v, n, o);
        snprintf(name, sizeof name, "o.%s", v->name);
        dump_add(ts, st, err, name, CKDA_DTYPE_BF16, 4, rows, out);
        snprintf(name, sizeof name, "final_state.%s", v->name);
        dump_add(ts, st, err, name, CKDA_DTYPE_F32, 3, states, a->final);
    }
    free(out);
    return code;
}

int
dump_words(ckda_tensors *ts, ckda_status *st, ckda_error *err, const gpu_system *s,
           const dump_options *given)
{
    dump_options o = *given;
    o.dk = o.dv = 16;
    o.heads = 1;
    const uint64_t tokens[] = {o.batch, o.tokens}, keys[] = {o.batch, o.tokens, 16};
    dump_arrays a;
    dump_arrays_init(&a, &o);
    uint8_t *letters = gpu_room(a.rows, 1), *elements = gpu_room(a.rows, 1);
    fill_words(&a, letters, elements, s, &o);
    dump_add(ts, st, err, "k", CKDA_DTYPE_BF16, 3, keys, a.k);
    dump_add(ts, st, err, "alpha", CKDA_DTYPE_BF16, 3, keys, a.gate);
    dump_add(ts, st, err, "beta", CKDA_DTYPE_F32, 2, tokens, a.beta);
    dump_add(ts, st, err, "letters", CKDA_DTYPE_U8, 2, tokens, letters);
    dump_add(ts, st, err, "element", CKDA_DTYPE_U8, 2, tokens, elements);
    add_tables(ts, st, err, s);
    ckda_tensors_set_meta(ts, "initial_state", "identity");
    ckda_tensors_set_meta(ts, "what",
                          "H_t=(I-beta k k^T)diag(alpha)H_{t-1}, H_0=I (16x16, the group "
                          "acts on the first coordinates); o[b,t,h,:]=row h of H_t");
    const int code = add_word_outputs(ts, st, err, &a, (uint64_t)s->tracker->n, &o);
    free(letters);
    free(elements);
    dump_arrays_clear(&a);
    return code;
}
