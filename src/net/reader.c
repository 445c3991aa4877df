/* A finite table from outputs to numbers, by exact equality. */
#include "net_internal.h"

static bool
insert(net_reader *r, uint32_t index, const ckda_field_t K)
{
    uint32_t at = (uint32_t)ckda_mat_hash(r->entry + index, K) & r->mask;
    for (; r->bucket[at] != 0; at = (at + 1) & r->mask)
        if (ckda_mat_equal(NULL, r->entry + (r->bucket[at] - 1), r->entry + index, K))
            return false;
    r->bucket[at] = index + 1;
    return true;
}

bool
net_reader_init(net_reader *r, bool quaternion, ckda_mat_struct *entry, uint32_t count,
                const ckda_field_t K)
{
    uint32_t size = 4;
    while (size < 2 * count)
        size *= 2;
    *r = (net_reader){quaternion, count, entry, flint_calloc(size, sizeof(uint32_t)),
                      size - 1};
    bool different = true;
    for (uint32_t i = 0; different && i < count; i++)
        different = insert(r, i, K);
    return different;
}

void
net_reader_clear(net_reader *r, const ckda_field_t K)
{
    for (uint32_t i = 0; i < r->count; i++)
        ckda_mat_clear(r->entry + i, K);
    flint_free(r->entry);
    flint_free(r->bucket);
    *r = (net_reader){0};
}

static int64_t
find(const net_reader *r, const ckda_mat_t o, const ckda_field_t K)
{
    uint32_t at = (uint32_t)ckda_mat_hash(o, K) & r->mask;
    for (; r->bucket[at] != 0; at = (at + 1) & r->mask)
        if (ckda_mat_equal(NULL, r->entry + (r->bucket[at] - 1), o, K))
            return r->bucket[at] - 1;
    return -1;
}

int64_t
net_reader_find(const net_reader *r, const ckda_mat_t o, const ckda_field_t K)
{
    if (!r->quaternion)
        return find(r, o, K);
    ckda_mat_t S, R;
    ckda_mat_init(S, o->cols, o->rows, K);
    ckda_mat_init(R, 3, 3, K);
    ckda_status st = ckda_mat_transpose(S, o, K);
    if (st == CKDA_OK)
        st = ckda_quaternion_decode(R, S, K);
    const int64_t found = st == CKDA_OK ? find(r, R, K) : -1;
    ckda_mat_clear(R, K);
    ckda_mat_clear(S, K);
    return found;
}
