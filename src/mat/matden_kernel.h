/* The int64 product, written once and compiled once for every instruction set.  Included
 * by matden_kernel.c with
 *     CLONE(name)   the name with the suffix of the instruction set,
 *     TARGET        the attribute that selects it (empty: the compiler's default).
 * No include guard, on purpose.
 *
 * A row of four coefficients is one vector; its arithmetic wraps, like uint64, and the
 * caller has proved that no wrap happens.                                              */

/* One row of a 4 x 4 product of degree d: acc[k] = sum over p + q = k, then the powers
 * a^d .. a^(2d-2) are replaced by their rows of the table. */
static inline TARGET ALWAYS_INLINE void
CLONE(four)(int64_t *restrict c, const int64_t *a, const int64_t *b, const int d,
            const int64_t *table)
{
    for (int i = 0; i < 4; i++) {
        four_t acc[2 * MAX_FIXED_DEGREE - 1];
        UNROLL
        for (int k = 0; k < 2 * d - 1; k++)
            acc[k] = (four_t){0, 0, 0, 0};
        UNROLL
        for (int pl = 0; pl < 4 * d; pl++) { /* p = pl / 4, l = pl mod 4 */
            uint64_t s = (uint64_t)a[16 * (pl / 4) + 4 * i + pl % 4];
            UNROLL
            for (int q = 0; q < d; q++) {
                four_t row;
                memcpy(&row, b + 16 * q + 4 * (pl % 4), sizeof row);
                acc[pl / 4 + q] += row * s;
            }
        }
        UNROLL
        for (int k = 0; k < d - 1; k++) {
            UNROLL
            for (int r = 0; r < d; r++)
                acc[r] += acc[d + k] * (uint64_t)table[k * d + r];
        }
        UNROLL
        for (int r = 0; r < d; r++)
            memcpy(c + 16 * r + 4 * i, &acc[r], sizeof acc[r]);
    }
}

static TARGET void
CLONE(four2)(int64_t *c, const int64_t *a, const int64_t *b, slong n, slong l, slong m,
             slong d, const int64_t *table)
{
    (void)n, (void)l, (void)m, (void)d;
    CLONE(four)(c, a, b, 2, table);
}

static TARGET void
CLONE(four4)(int64_t *c, const int64_t *a, const int64_t *b, slong n, slong l, slong m,
             slong d, const int64_t *table)
{
    (void)n, (void)l, (void)m, (void)d;
    CLONE(four)(c, a, b, 4, table);
}

static TARGET void
CLONE(four8)(int64_t *c, const int64_t *a, const int64_t *b, slong n, slong l, slong m,
             slong d, const int64_t *table)
{
    (void)n, (void)l, (void)m, (void)d;
    CLONE(four)(c, a, b, 8, table);
}

/* y[0 .. m-1] += s x[0 .. m-1] */
static inline TARGET ALWAYS_INLINE void
CLONE(axpy)(uint64_t *restrict y, const int64_t *restrict x, int64_t s, slong m)
{
    slong j = 0;
    for (; j + 4 <= m; j += 4) {
        four_t u, v;
        memcpy(&u, y + j, sizeof u);
        memcpy(&v, x + j, sizeof v);
        u += v * (uint64_t)s;
        memcpy(y + j, &u, sizeof u);
    }
    for (; j < m; j++)
        y[j] += (uint64_t)x[j] * (uint64_t)s;
}

static TARGET void
CLONE(any)(int64_t *c, const int64_t *a, const int64_t *b, slong n, slong l, slong m,
           slong d, const int64_t *table)
{
    uint64_t *acc = flint_malloc((size_t)((2 * d - 1) * m + 1) * sizeof *acc);
    for (slong i = 0; i < n; i++) {
        memset(acc, 0, (size_t)((2 * d - 1) * m) * sizeof *acc);
        for (slong p = 0; p < d; p++)
            for (slong h = 0; h < l; h++) {
                int64_t s = a[(p * n + i) * l + h];
                for (slong q = 0; s != 0 && q < d; q++)
                    CLONE(axpy)(acc + (p + q) * m, b + (q * l + h) * m, s, m);
            }
        for (slong k = 0; k < d - 1; k++)
            for (slong r = 0; r < d; r++)
                if (table[k * d + r] != 0)
                    CLONE(axpy)
        (acc + r * m, (const int64_t *)acc + (d + k) * m, table[k * d + r], m);
        for (slong r = 0; m > 0 && r < d; r++)
            memcpy(c + (r * n + i) * m, acc + r * m, (size_t)m * sizeof *c);
    }
    flint_free(acc);
}

static const ckda_matden_kernel CLONE(kernel) = {CLONE(any), CLONE(four2), CLONE(four4),
                                                 CLONE(four8)};
