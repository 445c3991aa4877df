/* Exact numbers, permutations and words as text. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "ckda/field.h"
#include "ckda/group.h"

/* The number as an element of its own field, written and read there. */
static void
number_again(const qqbar_t x)
{
    ckda_error err = {""};
    ckda_field_t K;
    ckda_elem_t e, f;
    qqbar_t y;
    const ckda_status st = ckda_field_init_qqbar(K, x);
    fuzz_check((st == CKDA_OK) == qqbar_is_real(x), "status %d", (int)st);
    if (st != CKDA_OK)
        return;
    ckda_elem_init(e, K);
    ckda_elem_init(f, K);
    qqbar_init(y);
    if (ckda_elem_set_qqbar(e, x, K) == CKDA_OK) {
        char *text = ckda_elem_str(e, K);
        const ckda_status again = ckda_elem_set_str(f, text, K, &err);
        fuzz_check(again == CKDA_OK, "%s: %s", text, err.text);
        fuzz_check(ckda_elem_equal(e, f, K), "%s is read as another number", text);
        ckda_elem_get_qqbar(y, f, K);
        fuzz_check(qqbar_equal(x, y), "%s is another number", text);
        free(text);
    }
    qqbar_clear(y);
    ckda_elem_clear(f, K);
    ckda_elem_clear(e, K);
    ckda_field_clear(K);
}

bool
fuzz_number(const uint8_t *data, size_t size)
{
    ckda_error err = {""};
    qqbar_t x;
    char *text = fuzz_text(data, size);
    qqbar_init(x);
    const bool ok = fuzz_read(ckda_number_parse(x, text, &err), &err, "column ");
    if (ok && qqbar_degree(x) <= 16 && qqbar_height_bits(x) <= 2000) /* what is quick */
        number_again(x);
    qqbar_clear(x);
    free(text);
    return ok;
}

/* By the first byte: Q, Q(sqrt 5), Q(2 cos(2 pi/7)), Q(2 cos(2 pi/24)), Q(2^(1/3)). */
static void
open_field(ckda_field_t K, uint8_t which)
{
    switch (which % 5) {
    case 0:
        ckda_field_init_rational(K);
        break;
    case 1:
        ckda_field_init_sqrt(K, 5);
        break;
    case 2:
        ckda_field_init_cos(K, 7);
        break;
    case 3:
        ckda_field_init_cos(K, 24);
        break;
    default: {
        qqbar_t x;
        qqbar_init(x);
        qqbar_set_ui(x, 2);
        qqbar_root_ui(x, x, 3);
        fuzz_check(ckda_field_init_qqbar(K, x) == CKDA_OK, "a real number");
        qqbar_clear(x);
    }
    }
}

bool
fuzz_element(const uint8_t *data, size_t size)
{
    ckda_error err = {""};
    ckda_field_t K;
    ckda_elem_t x, y;
    if (size == 0)
        return false;
    open_field(K, data[0]);
    ckda_elem_init(x, K);
    ckda_elem_init(y, K);
    char *text = fuzz_text(data + 1, size - 1);
    const bool ok = fuzz_read(ckda_elem_set_str(x, text, K, &err), &err, "column ");
    free(text);
    if (ok) {
        text = ckda_elem_str(x, K);
        const ckda_status again = ckda_elem_set_str(y, text, K, &err);
        fuzz_check(again == CKDA_OK, "%s: %s", text, err.text);
        fuzz_check(ckda_elem_equal(x, y, K), "%s is read as another number", text);
        fuzz_check(ckda_elem_hash(x, K) == ckda_elem_hash(y, K), "%s", text);
        free(text);
    }
    ckda_elem_clear(y, K);
    ckda_elem_clear(x, K);
    ckda_field_clear(K);
    return ok;
}

/* ---- permutations and words ------------------------------------------------------------ */

static bool
read_permutation(int n, const char *text)
{
    ckda_error err = {""};
    ckda_perm p, q;
    if (!fuzz_read(ckda_perm_parse(&p, n, text, &err), &err, ""))
        return false;
    char *cycles = ckda_perm_str(&p);
    fuzz_check(ckda_perm_parse(&q, n, cycles, &err) == CKDA_OK, "%s: %s", cycles,
               err.text);
    fuzz_check(ckda_perm_equal(&p, &q), "%s is read as another permutation", cycles);
    free(cycles);
    return true;
}

/* The word again, each letter by its cycles. */
static void
word_again(const ckda_word_t w, const ckda_group_t G)
{
    for (size_t t = 0; t < w->length && t < 100; t++) {
        ckda_error err = {""};
        uint32_t g;
        char *cycles = ckda_perm_str(&G->element[w->letter[t]]);
        fuzz_check(ckda_group_parse(&g, G, cycles, &err) == CKDA_OK, "%s: %s", cycles,
                   err.text);
        fuzz_check(g == w->letter[t], "%s is read as another element", cycles);
        free(cycles);
    }
    fuzz_check(ckda_word_product(w, G) < G->order, "a product outside of the group");
}

static bool
read_word(const ckda_group_t G, const char *text)
{
    static const char *const names[] = {"a", "b", "(1,2)"};
    ckda_error err = {""};
    ckda_word_t w;
    ckda_rand r;
    ckda_rand_init(&r, 1);
    bool ok = fuzz_read(ckda_word_parse(w, G, NULL, 0, text, &r, &err), &err, "");
    if (ok) {
        word_again(w, G);
        ckda_word_clear(w);
    }
    if (fuzz_read(ckda_word_parse_names(w, names, 3, text, &r, &err), &err, "")) {
        for (size_t t = 0; t < w->length; t++)
            fuzz_check(w->letter[t] < 3, "letter %zu", t);
        ckda_word_clear(w);
        ok = true;
    }
    return ok;
}

/* A hundred million letters are allowed, but not here. */
static bool
long_random_word(const char *text)
{
    const char *length = strstr(text, "random:");
    return length != NULL && strspn(length + 7, "0123456789") > 4;
}

/* By the first byte: a word of one of four groups, the name of a group, a permutation. */
bool
fuzz_word(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"Z12", "S4", "D5", "A5"};
    ckda_error err = {""};
    ckda_group_t G;
    if (size == 0)
        return false;
    char *text = fuzz_text(data + 1, size - 1);
    bool ok = false;
    if (data[0] >= 128) {
        ok = read_permutation(1 + 2 * (data[0] - 128), text);
    } else if (data[0] >= 4) {
        ok = fuzz_read(ckda_group_init_named(G, text, &err), &err, "");
        if (ok)
            ckda_group_clear(G);
    } else if (ckda_group_init_named(G, names[data[0]], &err) == CKDA_OK) {
        ok = !long_random_word(text) && read_word(G, text);
        ckda_group_clear(G);
    }
    free(text);
    return ok;
}
