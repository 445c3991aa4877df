/* Random transitions that like the corners of their family. */
#include "trans_internal.h"

/* x in [lo, hi], half of the time a whole number; irrational now and then. */
static void
rand_within(ckda_elem_t x, ckda_rand *r, int lo, int hi, const ckda_field_t K)
{
    if (lo == hi || ckda_rand_below(r, 2) == 0) {
        ckda_elem_set_si(x, (slong)ckda_rand_range(r, lo, hi), K);
        return;
    }
    if (K->degree > 1 && ckda_rand_below(r, 2) == 0) {
        ckda_elem_rand(x, r, 3, 4, K);
        if (ckda_elem_cmp_si(x, lo, K) >= 0 && ckda_elem_cmp_si(x, hi, K) <= 0)
            return;
    }
    const slong den = (slong)ckda_rand_range(r, 2, 9);
    ckda_elem_set_frac(x, (slong)ckda_rand_range(r, lo * den, hi * den), den, K);
}

static void
rand_key(ckda_elem_struct *w, slong n, ckda_rand *r, const ckda_field_t K)
{
    bool zero = true;
    for (slong i = 0; i < n; i++) {
        if (ckda_rand_below(r, 4) == 0)
            ckda_elem_zero(w + i, K);
        else
            ckda_elem_rand(w + i, r, 4, 3, K);
        zero = zero && ckda_elem_is_zero(w + i, K);
    }
    if (zero)
        ckda_elem_one(w + ckda_rand_below(r, (uint64_t)n), K);
}

void
ckda_trans_rand(ckda_trans_t t, ckda_rand *r, const ckda_field_t K)
{
    const family_ranges *f = family_get(t->family);
    for (slong j = 0; j < t->steps; j++) {
        rand_within(t->beta + j, r, 0, f->beta_hi, K);
        rand_key(trans_key(t, j), t->n, r, K);
    }
    for (slong i = 0; i < t->n; i++) {
        if (i > 0 && (f->scalar_gate || ckda_rand_below(r, 3) == 0))
            ckda_elem_set(t->gate + i, t->gate + ckda_rand_below(r, (uint64_t)i), K);
        else
            rand_within(t->gate + i, r, f->gate_lo, f->gate_hi, K);
    }
}
