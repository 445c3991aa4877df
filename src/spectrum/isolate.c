/* Isolation of real roots into disjoint intervals with rational ends, and its check. */
#include "internal.h"

/* What the search knows about the current polynomial. */
typedef struct {
    ckda_poly_t f; /* square-free */
    ckda_spectrum_chain chain;
    const ckda_field_struct *K;
    ckda_root_interval *out;
    slong n;
} search;

static int
sign_at(const ckda_poly_t f, const fmpq_t x, const ckda_field_t K)
{
    ckda_elem_t e;
    int s;

    ckda_elem_init(e, K);
    ckda_elem_set_fmpq(e, x, K);
    s = ckda_spectrum_sign_at(f, e, K);
    ckda_elem_clear(e, K);
    return s;
}

static slong
variations_at(const search *s, const fmpq_t x)
{
    ckda_elem_t e;
    slong v;

    ckda_elem_init(e, s->K);
    ckda_elem_set_fmpq(e, x, s->K);
    v = ckda_spectrum_chain_var(&s->chain, e, 0, s->K);
    ckda_elem_clear(e, s->K);
    return v;
}

static void
midpoint(fmpq_t m, const fmpq_t lo, const fmpq_t hi)
{
    fmpq_add(m, lo, hi);
    fmpq_div_2exp(m, m, 1);
}

/* Exactly one root lies in (lo, hi].  Makes it a point or an open interval whose ends are
 * no roots; ends because the root is above lo. */
static void
emit(search *s, fmpq_t lo, fmpq_t hi, slong vlo)
{
    ckda_root_interval *r;
    fmpq_t mid;

    fmpq_init(mid);
    while (sign_at(s->f, hi, s->K) != 0 && sign_at(s->f, lo, s->K) == 0) {
        slong vmid;

        midpoint(mid, lo, hi);
        vmid = variations_at(s, mid);
        if (vlo - vmid == 1) {
            fmpq_set(hi, mid);
        } else {
            fmpq_set(lo, mid);
            vlo = vmid;
        }
    }
    r = s->out + s->n++;
    fmpq_init(r->lo);
    fmpq_init(r->hi);
    fmpq_set(r->hi, hi);
    fmpq_set(r->lo, sign_at(s->f, hi, s->K) == 0 ? hi : lo);
    fmpq_clear(mid);
}

typedef struct {
    fmpq_t lo, hi;
    slong vlo, vhi;
} piece;

static void
piece_init(piece *p, const fmpq_t lo, const fmpq_t hi, slong vlo, slong vhi)
{
    fmpq_init(p->lo);
    fmpq_init(p->hi);
    fmpq_set(p->lo, lo);
    fmpq_set(p->hi, hi);
    p->vlo = vlo;
    p->vhi = vhi;
}

/* Splits (lo, hi] until each piece holds one root, leftmost first.  Every piece kept on
 * the stack holds at least one root, so there are never more than `total` of them. */
static void
bisect(search *s, const fmpq_t lo, const fmpq_t hi, slong total)
{
    piece *todo = flint_malloc((size_t)(total + 2) * sizeof *todo);
    slong n = 0;
    fmpq_t mid;

    fmpq_init(mid);
    piece_init(todo + n++, lo, hi, variations_at(s, lo), variations_at(s, hi));
    while (n > 0) {
        piece p = todo[--n];

        if (p.vlo - p.vhi == 1) {
            emit(s, p.lo, p.hi, p.vlo);
        } else {
            slong vmid;

            midpoint(mid, p.lo, p.hi);
            vmid = variations_at(s, mid);
            if (vmid - p.vhi > 0)
                piece_init(todo + n++, mid, p.hi, vmid, p.vhi);
            if (p.vlo - vmid > 0)
                piece_init(todo + n++, p.lo, mid, p.vlo, vmid);
        }
        fmpq_clear(p.lo);
        fmpq_clear(p.hi);
    }
    fmpq_clear(mid);
    flint_free(todo);
}

/* Yun part j holds the root of an interval iff it changes sign there (or vanishes at the
 * point); each part has at most that one root inside. */
static slong
multiplicity(const ckda_root_interval *r, const ckda_poly_struct *parts, slong count,
             const ckda_field_t K)
{
    for (slong j = 0; j < count; j++) {
        int lo = sign_at(parts + j, r->lo, K), hi = sign_at(parts + j, r->hi, K);

        if (fmpq_equal(r->lo, r->hi) ? lo == 0 : lo * hi < 0)
            return j + 1;
    }
    return 0;
}

static void
set_multiplicities(ckda_root_interval *r, slong n, const ckda_poly_t f,
                   const ckda_field_t K)
{
    ckda_poly_struct *parts;
    slong count;

    ckda_poly_squarefree(&parts, &count, f, K);
    for (slong i = 0; i < n; i++)
        r[i].multiplicity = multiplicity(r + i, parts, count, K);
    ckda_poly_parts_free(&parts, count, K);
}

void
ckda_poly_isolate_real(ckda_root_interval **roots, slong *count, const ckda_poly_t f,
                       const ckda_field_t K)
{
    search s = {.K = K};
    fmpq_t lo, hi;
    slong total;

    ckda_poly_init(s.f, K);
    ckda_poly_squarefree_part(s.f, f, K);
    ckda_spectrum_chain_init(&s.chain, s.f, K);
    total = ckda_spectrum_chain_var(&s.chain, NULL, -1, K)
            - ckda_spectrum_chain_var(&s.chain, NULL, 1, K);
    if (total > 0) {
        s.out = flint_malloc((size_t)total * sizeof *s.out);
        fmpq_init(lo);
        fmpq_init(hi);
        fmpq_set_si(hi, 1, 1);
        fmpq_neg(lo, hi);
        while (variations_at(&s, lo) - variations_at(&s, hi) < total) {
            fmpq_mul_2exp(hi, hi, 1);
            fmpq_neg(lo, hi);
        }
        bisect(&s, lo, hi, total);
        ckda_require(s.n == total, "isolated %ld of %ld real roots", (long)s.n,
                     (long)total);
        set_multiplicities(s.out, s.n, f, K);
        fmpq_clear(hi);
        fmpq_clear(lo);
    }
    *roots = s.out;
    *count = total;
    ckda_spectrum_chain_clear(&s.chain, K);
    ckda_poly_clear(s.f, K);
}

void
ckda_root_intervals_free(ckda_root_interval **roots, slong count)
{
    for (slong i = 0; i < count; i++) {
        fmpq_clear((*roots)[i].lo);
        fmpq_clear((*roots)[i].hi);
    }
    flint_free(*roots);
    *roots = NULL;
}

bool
ckda_poly_isolation_verify(const ckda_root_interval *roots, slong count,
                           const ckda_poly_t f, const ckda_field_t K)
{
    bool ok = count == ckda_poly_real_roots_hankel(f, K);
    ckda_poly_struct *parts;
    slong nparts;
    ckda_poly_t h;

    ckda_poly_init(h, K);
    ckda_poly_squarefree_part(h, f, K);
    ckda_poly_squarefree(&parts, &nparts, f, K);
    for (slong i = 0; ok && i < count; i++) {
        const ckda_root_interval *r = roots + i;
        int lo = sign_at(h, r->lo, K), hi = sign_at(h, r->hi, K);
        int order = fmpq_cmp(r->lo, r->hi);

        ok = (order == 0 && lo == 0) || (order < 0 && lo * hi < 0);
        /* neighbours may share an end only if that end is no root, i.e. no point */
        if (ok && i > 0) {
            int gap = fmpq_cmp(roots[i - 1].hi, r->lo);

            ok = gap < 0 || (gap == 0 && lo != 0);
        }
        ok = ok && r->multiplicity == multiplicity(r, parts, nparts, K);
    }
    ckda_poly_parts_free(&parts, nparts, K);
    ckda_poly_clear(h, K);
    return ok;
}
