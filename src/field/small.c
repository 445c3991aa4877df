/* Sums, products and inverses in fields of degree 1 and 2 whose numbers are small: on machine words, with one
 * division by a common factor at the end.  Most letters of trackers are such numbers, and
 * the general functions spend their time on the canonical forms of parts. */
#include "internal.h"

__extension__ typedef __int128 wide;

/* (c[0] + c[1] a) / den; |c[i]|, den < 2^20 when read, < 2^62 when written. */
typedef struct {
    int64_t c[2], den;
} small;

enum { READ_BITS = 20 };

static bool
read_word(int64_t *to, const fmpz *from)
{
    const slong word = *from; /* a pointer looks large */
    *to = word;
    return word > -(WORD(1) << READ_BITS) && word < WORD(1) << READ_BITS;
}

static bool
read_small(small *s, const ckda_elem_t x, const ckda_field_t K)
{
    slong len;
    const fmpz *num = ckda_elem_num(&len, x, K);
    s->c[1] = 0;
    return read_word(s->c, num) && (len < 2 || read_word(s->c + 1, num + 1))
           && read_word(&s->den, ckda_elem_den(x, K));
}

/* f = x^2 + f[1] x + f[0] */
static bool
read_minpoly(int64_t f[2], const ckda_field_t K)
{
    f[0] = f[1] = 0; /* degree 1: there is no a^2 */
    return K->degree == 1
           || (read_word(f, K->minpoly->coeffs)
               && read_word(f + 1, K->minpoly->coeffs + 1));
}

static bool
fits(wide x)
{
    const wide most = (wide)1 << 61;
    return x > -most && x < most;
}

/* In lowest terms, for a denominator that is a power of two. */
static void
halve(small *s)
{
    const int twos = __builtin_ctzll((ulong)s->den | (ulong)s->c[0] | (ulong)s->c[1]);
    const int64_t g = INT64_C(1) << twos;
    if (s->c[0] == 0 && s->c[1] == 0)
        s->den = 1;
    else if (twos > 0)
        *s = (small){{s->c[0] / g, s->c[1] / g}, s->den >> twos};
}

/* In lowest terms; false: does not fit. */
static bool
reduce(small *s, const wide c[2], wide den)
{
    if (!fits(c[0]) || !fits(c[1]) || !fits(den))
        return false;
    *s = (small){{(int64_t)c[0], (int64_t)c[1]}, (int64_t)den};
    if ((s->den & (s->den - 1)) == 0) {
        halve(s);
        return true;
    }
    ulong g = (ulong)den;
    for (int i = 0; i < 2 && g > 1; i++)
        if (s->c[i] != 0)
            g = n_gcd(g, (ulong)(s->c[i] < 0 ? -s->c[i] : s->c[i]));
    if (s->c[0] == 0 && s->c[1] == 0)
        s->den = 1;
    else if (g > 1)
        *s = (small){{s->c[0] / (slong)g, s->c[1] / (slong)g}, s->den / (slong)g};
    return true;
}

static void
write_small(ckda_elem_t x, const small *s, const ckda_field_t K)
{
    slong len;
    fmpz *num = (fmpz *)(uintptr_t)ckda_elem_num(&len, x, K);
    fmpz_set_si(num, s->c[0]);
    if (len > 1)
        fmpz_set_si(num + 1, s->c[1]);
    fmpz_set_si((fmpz *)(uintptr_t)ckda_elem_den(x, K), s->den);
}

/* c = sign p / dp + q / dq for numerators below 2^61 and 2^20, with their denominators
 * below 2^40 and 2^20. */
static bool
write_sum(ckda_elem_t z, int sign, const int64_t p[2], int64_t dp, const small *q,
          const ckda_field_t K)
{
    wide c[2];
    small s;
    for (int i = 0; i < 2; i++)
        c[i] = (wide)sign * p[i] * q->den + (wide)q->c[i] * dp;
    if (!reduce(&s, c, (wide)dp * q->den))
        return false;
    write_small(z, &s, K);
    return true;
}

/* z = q + sign x y */
static bool
add_product(ckda_elem_t z, const small *q, int sign, const ckda_elem_t x,
            const ckda_elem_t y, const ckda_field_t K)
{
    small s, t;
    int64_t f[2];
    if (!read_small(&s, x, K) || !read_small(&t, y, K) || !read_minpoly(f, K))
        return false;
    const int64_t high = s.c[1] * t.c[1]; /* of a^2 = -f[0] - f[1] a */
    const int64_t p[2] = {s.c[0] * t.c[0] - high * f[0],
                          s.c[0] * t.c[1] + s.c[1] * t.c[0] - high * f[1]};
    return write_sum(z, sign, p, s.den * t.den, q, K);
}

bool
field_small_addmul(ckda_elem_t z, int sign, const ckda_elem_t x, const ckda_elem_t y,
                   const ckda_field_t K)
{
    small q;
    return K->degree <= 2 && read_small(&q, z, K) && add_product(z, &q, sign, x, y, K);
}

bool
field_small_mul(ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y,
                const ckda_field_t K)
{
    static const small zero = {{0, 0}, 1};
    return K->degree <= 2 && add_product(z, &zero, 1, x, y, K);
}

bool
field_small_add(ckda_elem_t z, const ckda_elem_t x, int sign, const ckda_elem_t y,
                const ckda_field_t K)
{
    small s, t;
    return K->degree <= 2 && read_small(&s, x, K) && read_small(&t, y, K)
           && write_sum(z, sign, t.c, t.den, &s, K);
}

/* With the other root -f[1] - a: the norm of c[0] + c[1] a is below 2^62. */
bool
field_small_inv(ckda_elem_t z, const ckda_elem_t y, const ckda_field_t K)
{
    small s, t;
    int64_t f[2];
    if (K->degree > 2 || !read_small(&s, y, K) || !read_minpoly(f, K))
        return false;
    const int64_t other = s.c[0] - s.c[1] * f[1];
    const int64_t norm =
        K->degree == 1 ? s.c[0] : s.c[0] * other + s.c[1] * s.c[1] * f[0];
    const int64_t sign = norm < 0 ? -1 : 1;
    const wide c[2] = {(wide)sign * s.den * (K->degree == 1 ? 1 : other),
                       (wide)-sign * s.den * s.c[1]};
    if (!reduce(&t, c, (wide)sign * norm))
        return false;
    write_small(z, &t, K);
    return true;
}
