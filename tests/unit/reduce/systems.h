/* Small heads with what comes of them. */
#ifndef CKDA_TEST_REDUCE_SYSTEMS_H
#define CKDA_TEST_REDUCE_SYSTEMS_H
#include "../reach/fixture.h"
#include "ckda/reduce.h"

/* The square's symmetries on rows 1 and 2, about the point (1, 1) in column 1 and (0, 0) in
 * column 2; row 3 remembers the last letter. */
static inline void
square_open(small_system *s)
{
    static const slong start[] = {3, 0, 0, 1, 5, 7};
    static const slong swap[] = {0, 1, 0, 1, 0, 0, 0, 0, 0},
                       flip[] = {1, 0, 0, 0, -1, 0, 0, 0, 0};
    static const slong after_swap[] = {0, 0, 0, 0, 1, 0},
                       after_flip[] = {0, 0, 2, 0, 0, 3};
    small_open(s, 3, 2, start);
    small_letter(s, swap, 1, after_swap);
    small_letter(s, flip, 1, after_flip);
}

/* D4 with the elements of the two letters. */
static inline void
square_decoder(small_system *s, ckda_group_t G, uint32_t element[2])
{
    assert_int_equal(ckda_group_init_named(G, "D4", NULL), CKDA_OK);
    assert_int_equal(ckda_group_parse(&element[0], G, "(1,2)(3,4)", NULL), CKDA_OK);
    assert_int_equal(ckda_group_parse(&element[1], G, "(2,4)", NULL), CKDA_OK);
    s->sys->G = G;
    s->sys->letter_element = element;
}

static inline void
reduce_one(ckda_reduction_t red, const ckda_system_struct *sys)
{
    const ckda_heads heads = {sys, 1};
    ckda_error err;
    ckda_error_clear(&err);
    if (ckda_reduce(red, &heads, NULL, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static inline void
verify_one(const ckda_reduction_t red, const ckda_system_struct *sys, uint32_t nheads)
{
    const ckda_heads heads = {sys, nheads};
    ckda_error err;
    uint64_t decisions = 0;
    ckda_error_clear(&err);
    if (ckda_reduction_check(&decisions, red, &heads, NULL, &err) != CKDA_TRUE)
        fail_msg("%s", err.text);
    assert_true(decisions > 10);
}

#endif
