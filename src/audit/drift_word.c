/* Words, letter by letter. */
#include "drift_internal.h"

/* Two rounds of the mixer between seed and stream: streams of one seed begin at unrelated
 * places of the generator's one long orbit. */
static void
open_stream(ckda_rand *r, uint64_t seed, uint64_t index)
{
    ckda_rand_init(r, seed);
    ckda_rand_init(r, ckda_rand_u64(r) + index);
    ckda_rand_init(r, ckda_rand_u64(r));
}

void
drift_word_open(drift_word *w, const ckda_drift_options *o, uint64_t index,
                uint32_t nletters)
{
    *w = (drift_word){.fixed = o->word, .length = o->word_length, .nletters = nletters};
    open_stream(&w->rand, o->seed, index);
}

uint32_t
drift_word_next(drift_word *w)
{
    if (w->fixed == NULL)
        return (uint32_t)ckda_rand_below(&w->rand, w->nletters);
    const uint32_t letter = w->fixed[w->at];
    w->at = w->at + 1 == w->length ? 0 : w->at + 1;
    return letter;
}

void
ckda_drift_random_word(uint32_t *letter, uint64_t count, uint64_t seed, uint64_t index,
                       uint32_t nletters)
{
    ckda_rand r;
    open_stream(&r, seed, index);
    for (uint64_t i = 0; i < count; i++)
        letter[i] = (uint32_t)ckda_rand_below(&r, nletters);
}
