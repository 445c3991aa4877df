/* Processes that share a search: what they agree on, by whatever means they talk. */
#include "ckda/ranks.h"

#include <stdlib.h>
#include <string.h>

#include "ranks_internal.h"

static const ckda_ranks_link *joined; /* NULL: alone */
static _Thread_local unsigned suspended;

static const ckda_ranks_link *
others(void)
{
    return suspended == 0 && joined != NULL && joined->count > 1 ? joined : NULL;
}

void
ckda_ranks_open(void)
{
    joined = ranks_link_open();
}

void
ckda_ranks_close(void)
{
    joined = NULL;
    ranks_link_close();
}

void
ckda_ranks_use(const ckda_ranks_link *link)
{
    joined = link;
}

void
ckda_ranks_suspend(void)
{
    suspended++;
}

void
ckda_ranks_resume(void)
{
    ckda_require(suspended > 0, "nothing was suspended");
    suspended--;
}

uint32_t
ckda_ranks_count(void)
{
    const ckda_ranks_link *l = others();
    return l == NULL ? 1 : l->count;
}

uint32_t
ckda_ranks_mine(void)
{
    const ckda_ranks_link *l = others();
    return l == NULL ? 0 : l->mine;
}

static void
combine(void *x, size_t count, size_t width, ckda_ranks_operation operation)
{
    const ckda_ranks_link *l = others();
    if (l != NULL)
        l->combine(l->data, x, count, width, operation);
}

void
ckda_ranks_sum(uint64_t *x, size_t count)
{
    combine(x, count, sizeof *x, CKDA_RANKS_SUM);
}

void
ckda_ranks_max(uint64_t *x, size_t count)
{
    combine(x, count, sizeof *x, CKDA_RANKS_MAX);
}

void
ckda_ranks_max32(uint32_t *x, size_t count)
{
    combine(x, count, sizeof *x, CKDA_RANKS_MAX);
}

void
ckda_ranks_max8(uint8_t *x, size_t count)
{
    combine(x, count, sizeof *x, CKDA_RANKS_MAX);
}

void
ckda_ranks_share(void *x, size_t size)
{
    const ckda_ranks_link *l = others();
    if (l != NULL)
        l->share(l->data, x, size);
}

uint8_t *
ckda_ranks_exchange(size_t *size, const uint8_t *data, const size_t *part)
{
    const ckda_ranks_link *l = others();
    if (l != NULL)
        return l->exchange(l->data, size, data, part);
    uint8_t *got = malloc(part[0] + 1);
    ckda_require_memory(got != NULL);
    memcpy(got, data, part[0]);
    *size = part[0];
    return got;
}

uint64_t
ckda_ranks_common(uint64_t x)
{
    uint64_t ends[2] = {x, ~x}; /* the largest, and the least */
    ckda_ranks_max(ends, 2);
    return ends[0] == ~ends[1] ? x : 0;
}

ckda_status
ckda_ranks_agree(ckda_status status, ckda_error *err)
{
    const uint32_t count = ckda_ranks_count(), mine = ckda_ranks_mine();
    if (count == 1)
        return status;
    uint64_t worst = status == CKDA_OK ? 0 : count - mine;
    ckda_ranks_max(&worst, 1);
    if (worst == 0)
        return CKDA_OK;
    uint32_t code = 0;
    ckda_error text = {""};
    if (count - mine == worst) {
        code = status;
        if (err != NULL)
            text = *err;
    }
    ckda_ranks_max32(&code, 1);
    ckda_ranks_max8((uint8_t *)text.text, sizeof text.text);
    if (err != NULL)
        *err = text;
    return (ckda_status)code;
}
