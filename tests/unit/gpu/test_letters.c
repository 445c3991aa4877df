/* The random words and the hash: known numbers, ranges, statistics. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "letters.h"

enum { DRAWS = 1 << 20 };

static uint32_t
letter_at(uint64_t seed, uint64_t word, uint64_t step, uint32_t letters)
{
    const uint64_t key = ckda_gpu_word_key(seed, word);
    return ckda_gpu_letter(ckda_gpu_letter_bits(key, step / 4), (int)(step % 4), letters);
}

static void
the_mixer_is_splitmix64(void **state)
{
    (void)state;
    /* first two outputs of the generator from seed 0 */
    assert_true(ckda_gpu_mix(0) == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(ckda_gpu_mix(UINT64_C(0x9e3779b97f4a7c15))
                == UINT64_C(0x6e789e6aa1b965f4));
}

static void
letters_are_below_their_count(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 2, 3, 60, 120, 255, 256, 65535};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (uint64_t t = 0; t < 5000; t++)
            assert_true(letter_at(i, t % 7, t, counts[i]) < counts[i]);
}

static void
sixteen_ones_give_the_last_letter_and_zeros_the_first(void **state)
{
    (void)state;
    for (int place = 0; place < 4; place++) {
        assert_int_equal(ckda_gpu_letter(UINT64_MAX, place, 60), 59);
        assert_int_equal(ckda_gpu_letter(0, place, 60), 0);
        assert_int_equal(ckda_gpu_letter(UINT64_C(0xffff) << 16 * place, place, 3), 2);
        assert_int_equal(ckda_gpu_letter(~(UINT64_C(0xffff) << 16 * place), place, 3), 0);
    }
}

/* (sum (x - e)^2 / e - cells) / sqrt(2 cells): about normal. */
static double
surplus(const uint32_t *count, uint32_t cells)
{
    double sum = 0, expected = (double)DRAWS / cells;
    for (uint32_t i = 0; i < cells; i++)
        sum += (count[i] - expected) * (count[i] - expected) / expected;
    return (sum - (cells - 1)) / sqrt(2.0 * (cells - 1));
}

static void
letters_of_one_word_are_uniform(void **state)
{
    (void)state;
    uint32_t count[60] = {0};
    for (uint64_t t = 0; t < DRAWS; t++)
        count[letter_at(1, 0, t, 60)]++;
    assert_true(fabs(surplus(count, 60)) < 5);
}

static void
first_letters_of_many_words_are_uniform(void **state)
{
    (void)state;
    uint32_t count[60] = {0};
    for (uint64_t w = 0; w < DRAWS; w++)
        count[letter_at(1, w, 0, 60)]++;
    assert_true(fabs(surplus(count, 60)) < 5);
}

static void
neighbouring_letters_are_independent(void **state)
{
    (void)state;
    for (uint64_t gap = 1; gap <= 4; gap++) {
        uint32_t count[36] = {0};
        for (uint64_t t = 0; t < DRAWS; t++)
            count[6 * letter_at(2, 3, t, 6) + letter_at(2, 3, t + gap, 6)]++;
        assert_true(fabs(surplus(count, 36)) < 5);
    }
}

static void
neighbouring_words_and_seeds_are_independent(void **state)
{
    (void)state;
    uint32_t words[36] = {0}, seeds[36] = {0};
    for (uint64_t t = 0; t < DRAWS; t++) {
        const uint32_t x = letter_at(5, 8, t, 6);
        words[6 * x + letter_at(5, 9, t, 6)]++;
        seeds[6 * x + letter_at(6, 8, t, 6)]++;
    }
    assert_true(fabs(surplus(words, 36)) < 5);
    assert_true(fabs(surplus(seeds, 36)) < 5);
}

static void
the_hash_sees_every_bit_and_the_order(void **state)
{
    (void)state;
    const uint64_t h = ckda_gpu_hash(CKDA_GPU_HASH_START, 5);
    for (int bit = 0; bit < 32; bit++)
        assert_true(ckda_gpu_hash(CKDA_GPU_HASH_START, 5 ^ UINT32_C(1) << bit) != h);
    assert_true(ckda_gpu_hash(ckda_gpu_hash(CKDA_GPU_HASH_START, 1), 2)
                != ckda_gpu_hash(ckda_gpu_hash(CKDA_GPU_HASH_START, 2), 1));
}

static void
the_hash_of_one_byte_is_fnv1a(void **state)
{
    (void)state;
    /* the published value for "a" */
    assert_true(ckda_gpu_hash(CKDA_GPU_HASH_START, 'a') == UINT64_C(0xaf63dc4c8601ec8c));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mixer_is_splitmix64),
        cmocka_unit_test(letters_are_below_their_count),
        cmocka_unit_test(sixteen_ones_give_the_last_letter_and_zeros_the_first),
        cmocka_unit_test(letters_of_one_word_are_uniform),
        cmocka_unit_test(first_letters_of_many_words_are_uniform),
        cmocka_unit_test(neighbouring_letters_are_independent),
        cmocka_unit_test(neighbouring_words_and_seeds_are_independent),
        cmocka_unit_test(the_hash_sees_every_bit_and_the_order),
        cmocka_unit_test(the_hash_of_one_byte_is_fnv1a),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
