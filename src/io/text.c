/* Guessing the word that was meant. */
#include <stdlib.h>
#include <string.h>
#include "ckda/doc.h"

enum {
    LONGEST = 32
}; /* names of members and systems are short; others are not guessed */

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, substitutions and swaps of neighbours that turn a into b. */
static size_t
distance(const char *a, const char *b)
{
    size_t d[LONGEST + 1][LONGEST + 1];
    const size_t m = strlen(a), n = strlen(b);
    for (size_t i = 0; i <= m; i++) {
        for (size_t j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = least(d[i][j], least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[m][n];
}

const char *
ckda_text_closest(const char *word, const char *const *known, size_t n)
{
    const size_t len = strlen(word);
    const char *best = NULL;
    size_t best_d = len <= 3 ? 2 : 3; /* short words: one error only */
    for (size_t i = 0; len <= LONGEST && i < n; i++) {
        if (strlen(known[i]) > LONGEST)
            continue;
        const size_t d = distance(word, known[i]);
        if (d < best_d && d < len) {
            best = known[i];
            best_d = d;
        }
    }
    return best;
}
