/* Elements: assignment and arithmetic.  antic stores degree 1, degree 2 and the rest in
 * three different ways; only the three accessors below look inside. */
#include "internal.h"

const fmpz *
ckda_elem_num(slong *len, const ckda_elem_t x, const ckda_field_t K)
{
    if (K->nf->flag & NF_LINEAR) {
        *len = 1;
        return LNF_ELEM_NUMREF(x);
    }
    if (K->nf->flag & NF_QUADRATIC) {
        *len = 2;
        return QNF_ELEM_NUMREF(x);
    }
    *len = NF_ELEM(x)->length;
    return NF_ELEM(x)->coeffs;
}

const fmpz *
ckda_elem_den(const ckda_elem_t x, const ckda_field_t K)
{
    if (K->nf->flag & NF_LINEAR)
        return LNF_ELEM_DENREF(x);
    if (K->nf->flag & NF_QUADRATIC)
        return QNF_ELEM_DENREF(x);
    return NF_ELEM_DENREF(x);
}

void
field_elem_constant(fmpq_t q, const ckda_elem_t x, const ckda_field_t K)
{
    slong len;
    const fmpz *num = ckda_elem_num(&len, x, K);
    if (len == 0)
        fmpq_zero(q);
    else
        fmpq_set_fmpz_frac(q, num, ckda_elem_den(x, K));
}

void
ckda_elem_init(ckda_elem_t x, const ckda_field_t K)
{
    nf_elem_init(x, K->nf);
}

void
ckda_elem_clear(ckda_elem_t x, const ckda_field_t K)
{
    nf_elem_clear(x, K->nf);
}

ckda_elem_struct *
ckda_elem_vec_new(slong n, const ckda_field_t K)
{
    ckda_elem_struct *v = flint_malloc((size_t)(n + 1) * sizeof *v);
    for (slong i = 0; i < n; i++)
        ckda_elem_init(v + i, K);
    return v;
}

void
ckda_elem_vec_free(ckda_elem_struct *v, slong n, const ckda_field_t K)
{
    for (slong i = 0; i < n; i++)
        ckda_elem_clear(v + i, K);
    flint_free(v);
}

void
ckda_elem_swap(ckda_elem_t x, ckda_elem_t y, const ckda_field_t K)
{
    (void)K;
    ckda_elem_struct t = *x;
    *x = *y;
    *y = t;
}

void
ckda_elem_set(ckda_elem_t x, const ckda_elem_t y, const ckda_field_t K)
{
    nf_elem_set(x, y, K->nf);
}

void
ckda_elem_zero(ckda_elem_t x, const ckda_field_t K)
{
    nf_elem_zero(x, K->nf);
}

void
ckda_elem_one(ckda_elem_t x, const ckda_field_t K)
{
    nf_elem_one(x, K->nf);
}

void
ckda_elem_gen(ckda_elem_t x, const ckda_field_t K)
{
    nf_elem_gen(x, K->nf);
}

void
ckda_elem_set_si(ckda_elem_t x, slong n, const ckda_field_t K)
{
    nf_elem_set_si(x, n, K->nf);
}

void
ckda_elem_set_frac(ckda_elem_t x, slong p, slong q, const ckda_field_t K)
{
    fmpz_t num, den;
    fmpq_t f;
    ckda_require(q != 0, "%ld/0", (long)p);
    fmpz_init_set_si(num, p);
    fmpz_init_set_si(den, q);
    fmpq_init(f);
    fmpq_set_fmpz_frac(f, num, den);
    nf_elem_set_fmpq(x, f, K->nf);
    fmpq_clear(f);
    fmpz_clear(den);
    fmpz_clear(num);
}

void
ckda_elem_set_fmpq(ckda_elem_t x, const fmpq_t q, const ckda_field_t K)
{
    nf_elem_set_fmpq(x, q, K->nf);
}

void
ckda_elem_set_fmpq_poly(ckda_elem_t x, const fmpq_poly_t f, const ckda_field_t K)
{
    fmpq_poly_t g, r;
    fmpq_poly_init(g);
    fmpq_poly_init(r);
    fmpq_poly_set_fmpz_poly(g, K->minpoly);
    fmpq_poly_rem(r, f, g);
    nf_elem_set_fmpq_poly(x, r, K->nf);
    fmpq_poly_clear(r);
    fmpq_poly_clear(g);
}

void
ckda_elem_get_fmpq_poly(fmpq_poly_t f, const ckda_elem_t x, const ckda_field_t K)
{
    nf_elem_get_fmpq_poly(f, x, K->nf);
}

void
ckda_elem_add(ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y,
              const ckda_field_t K)
{
    if (!field_small_add(z, x, 1, y, K))
        nf_elem_add(z, x, y, K->nf);
}

void
ckda_elem_sub(ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y,
              const ckda_field_t K)
{
    if (!field_small_add(z, x, -1, y, K))
        nf_elem_sub(z, x, y, K->nf);
}

void
ckda_elem_neg(ckda_elem_t z, const ckda_elem_t x, const ckda_field_t K)
{
    nf_elem_neg(z, x, K->nf);
}

void
ckda_elem_mul(ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y,
              const ckda_field_t K)
{
    if (!field_small_mul(z, x, y, K))
        nf_elem_mul(z, x, y, K->nf);
}

void
ckda_elem_mul_si(ckda_elem_t z, const ckda_elem_t x, slong n, const ckda_field_t K)
{
    nf_elem_scalar_mul_si(z, x, n, K->nf);
}

void
ckda_elem_addmul(ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y,
                 const ckda_field_t K)
{
    if (field_small_addmul(z, 1, x, y, K))
        return;
    ckda_elem_t t;
    ckda_elem_init(t, K);
    nf_elem_mul(t, x, y, K->nf);
    nf_elem_add(z, z, t, K->nf);
    ckda_elem_clear(t, K);
}

void
ckda_elem_submul(ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y,
                 const ckda_field_t K)
{
    if (field_small_addmul(z, -1, x, y, K))
        return;
    ckda_elem_t t;
    ckda_elem_init(t, K);
    nf_elem_mul(t, x, y, K->nf);
    nf_elem_sub(z, z, t, K->nf);
    ckda_elem_clear(t, K);
}

ckda_status
ckda_elem_inv(ckda_elem_t z, const ckda_elem_t x, const ckda_field_t K)
{
    if (ckda_elem_is_zero(x, K))
        return CKDA_E_DOMAIN;
    if (!field_small_inv(z, x, K))
        nf_elem_inv(z, x, K->nf);
    return CKDA_OK;
}

ckda_status
ckda_elem_div(ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y,
              const ckda_field_t K)
{
    ckda_elem_t t;
    ckda_elem_init(t, K);
    const ckda_status st = ckda_elem_inv(t, y, K);
    if (st == CKDA_OK)
        ckda_elem_mul(z, x, t, K);
    ckda_elem_clear(t, K);
    return st;
}

void
ckda_elem_pow_ui(ckda_elem_t z, const ckda_elem_t x, ulong e, const ckda_field_t K)
{
    ckda_elem_t base, acc;
    ckda_elem_init(base, K);
    ckda_elem_init(acc, K);
    nf_elem_set(base, x, K->nf);
    nf_elem_one(acc, K->nf);
    for (; e != 0; e >>= 1) {
        if (e & 1)
            nf_elem_mul(acc, acc, base, K->nf);
        if (e > 1)
            nf_elem_mul(base, base, base, K->nf);
    }
    ckda_elem_swap(z, acc, K);
    ckda_elem_clear(acc, K);
    ckda_elem_clear(base, K);
}

bool
ckda_elem_is_zero(const ckda_elem_t x, const ckda_field_t K)
{
    return nf_elem_is_zero(x, K->nf);
}

bool
ckda_elem_is_one(const ckda_elem_t x, const ckda_field_t K)
{
    return nf_elem_is_one(x, K->nf);
}

bool
ckda_elem_is_rational(const ckda_elem_t x, const ckda_field_t K)
{
    slong len;
    const fmpz *num = ckda_elem_num(&len, x, K);
    return len <= 1 || _fmpz_vec_is_zero(num + 1, len - 1);
}

bool
ckda_elem_is_integral_form(const ckda_elem_t x, const ckda_field_t K)
{
    return fmpz_is_one(ckda_elem_den(x, K));
}

bool
ckda_elem_equal(const ckda_elem_t x, const ckda_elem_t y, const ckda_field_t K)
{
    return nf_elem_equal(x, y, K->nf);
}

/* Mixes the residue modulo one 63-bit prime and the sign of c into h. */
static uint64_t
mix(uint64_t h, const fmpz_t c)
{
    uint64_t v = fmpz_fdiv_ui(c, UWORD(0x7fffffffffffffe7))
                 ^ (fmpz_sgn(c) < 0 ? UINT64_C(1) << 63 : 0);
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return h ^ (h >> 29);
}

uint64_t
ckda_elem_hash(const ckda_elem_t x, const ckda_field_t K)
{
    slong len;
    const fmpz *num = ckda_elem_num(&len, x, K);
    while (len > 0 && fmpz_is_zero(num + len - 1))
        len--;
    uint64_t h = mix(UINT64_C(0x51a7), ckda_elem_den(x, K));
    for (slong i = 0; i < len; i++)
        h = mix(h, num + i);
    return h;
}

void
ckda_elem_rand(ckda_elem_t x, ckda_rand *r, slong bound, slong den_bound,
               const ckda_field_t K)
{
    fmpq_poly_t f;
    fmpq_poly_init(f);
    for (slong i = 0; i < K->degree; i++)
        fmpq_poly_set_coeff_si(f, i, ckda_rand_range(r, -bound, bound));
    fmpq_poly_scalar_div_si(f, f, ckda_rand_range(r, 1, den_bound));
    nf_elem_set_fmpq_poly(x, f, K->nf);
    fmpq_poly_clear(f);
}
