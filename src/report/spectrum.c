/* Results of spectrum. */
#include "ckda/report.h"

#include <stdlib.h>
#include "computed.h"
#include "json.h"

/* Up to this many eigenvalues are printed as text; all of them stand in the JSON. */
enum { SHOWN = 64 };

static json_t *
rational(const fmpq_t q)
{
    char *text = fmpq_get_str(NULL, 10, q);
    json_t *value = json_string(text);
    flint_free(text);
    return value;
}

static json_t *
interval(const fmpq_t lo, const fmpq_t hi)
{
    json_t *array = json_array();
    json_append(array, rational(lo));
    json_append(array, rational(hi));
    return array;
}

static json_t *
ball(const arb_t x)
{
    fmpq_t lo, hi;
    arf_t a, b;
    fmpq_init(lo);
    fmpq_init(hi);
    arf_init(a);
    arf_init(b);
    arb_get_interval_arf(a, b, x, 64);
    arf_get_fmpq(lo, a);
    arf_get_fmpq(hi, b);
    json_t *value = interval(lo, hi);
    arf_clear(b);
    arf_clear(a);
    fmpq_clear(hi);
    fmpq_clear(lo);
    return value;
}

static double
middle(const fmpq_t lo, const fmpq_t hi)
{
    return fmpq_get_d(lo) + (fmpq_get_d(hi) - fmpq_get_d(lo)) / 2;
}

/* ---- JSON ---- */

static json_t *
deflation_json(const ckda_secular_struct *s)
{
    static const char *const excess[] = {"below 1", "1", "above 1"};
    json_t *d = json_object();
    json_put(d, "zero_keys", json_integer(s->zero_keys));
    json_put(d, "repeated_gates", json_integer(s->repeated_gates));
    json_put(d, "zero_gates", json_integer(s->zero_gates));
    json_put(d, "left", json_integer(s->m));
    json_put(d, "negative_gates", json_integer(s->negative));
    json_put_text(d, "effective_beta", s->m > 0 ? excess[1 + s->excess] : NULL);
    return d;
}

static json_t *
certificate_json(const ckda_spectrum_result *r)
{
    const ckda_secular_struct *s = r->secular;
    json_t *c = json_object();
    if (s == NULL) {
        json_put_text(c, "kind", "polynomial");
        json_put_bool(c, "counted_twice", true);
        return c;
    }
    json_put_text(c, "kind", ckda_secular_kind_name(s->kind));
    json_put(c, "placed_by_signs", json_integer(s->placed));
    json_put_bool(c, "counted_twice", r->counted_by_polynomial);
    if (s->kind == CKDA_SECULAR_BOX)
        json_put(c, "box",
                 json_pack("{s:o, s:o}", "re", ball(acb_realref(s->box)), "im",
                           ball(acb_imagref(s->box))));
    if (s->npoints > 0) {
        json_t *points = json_array();
        for (slong i = 0; i < s->npoints; i++)
            json_append(points, rational(s->point + i));
        json_put(c, "points", points);
    }
    if (s->prec > 0)
        json_put(c, "bits", json_integer(s->prec));
    return c;
}

static json_t *
eigenvalue_json(const ckda_eigenvalue *e)
{
    json_t *v = json_object();
    json_put_bool(v, "real", e->real);
    json_put(v, "multiplicity", json_integer(e->multiplicity));
    json_put(v, "re", interval(e->re_lo, e->re_hi));
    json_put(v, "im", interval(e->im_lo, e->im_hi));
    json_put_text(v, "closed_form", e->closed);
    json_put(v, "near",
             json_pack("[f, f]", middle(e->re_lo, e->re_hi), middle(e->im_lo, e->im_hi)));
    return v;
}

static json_t *
factors_json(const ckda_spectrum_result *r)
{
    json_t *factors = json_array();
    for (size_t i = 0; i < r->nfactors; i++) {
        json_t *f = json_object();
        json_put(f, "nonreal_pairs", json_integer(r->factors[i].nonreal_pairs));
        json_put(f, "unit_circle_pairs", json_integer(r->factors[i].unit_circle_pairs));
        json_put(f, "real_roots", json_integer(r->factors[i].real_roots));
        if (r->factor_certificates != NULL)
            json_put_text(f, "certificate", r->factor_certificates[i]);
        json_append(factors, f);
    }
    return factors;
}

static json_t *
charpoly_json(const ckda_spectrum_result *r)
{
    if (r->charpoly == NULL)
        return json_null();
    json_t *chi = json_array();
    for (slong i = 0; i < r->charpoly->length; i++)
        json_append(chi, json_elem(r->charpoly->coeff + i, r->K));
    return chi;
}

static json_t *
spectrum_json(const ckda_spectrum_result *r)
{
    json_t *document = json_object();
    json_put_text(document, "schema", "ckda.spectrum/1");
    json_put(document, "charpoly", charpoly_json(r));
    json_put(document, "nonreal_pairs", json_integer(r->counts.nonreal_pairs));
    json_put(document, "unit_circle_pairs", json_integer(r->counts.unit_circle_pairs));
    json_put(document, "real_roots", json_integer(r->counts.real_roots));
    json_put_bool(document, "norm_at_most_1", r->norm_at_most_1);
    json_put_bool(document, "norm_equals_1", r->norm_equals_1);
    json_put(document, "field", json_field(r->K));
    if (r->factors != NULL)
        json_put(document, "factors", factors_json(r));
    json_put(document, "dimension", json_integer(r->counts.degree));
    json_put(document, "deflation",
             r->secular != NULL ? deflation_json(r->secular) : json_null());
    json_put(document, "certificate", certificate_json(r));
    if (r->eigenvalues != NULL) {
        json_t *list = json_array();
        for (size_t i = 0; i < r->neigenvalues; i++)
            json_append(list, eigenvalue_json(r->eigenvalues + i));
        json_put(document, "eigenvalues", list);
    }
    return document;
}

/* ---- text ---- */

static void
deflation_text(FILE *out, const ckda_secular_struct *s)
{
    fprintf(out, "  deflation  %ld of %ld dimensions left", (long)s->m, (long)s->n);
    if (s->m < s->n)
        fprintf(out, "; out: %ld zero key%s, %ld repeated gate%s, %ld zero gate%s",
                (long)s->zero_keys, report_plural((uint64_t)s->zero_keys),
                (long)s->repeated_gates, report_plural((uint64_t)s->repeated_gates),
                (long)s->zero_gates, report_plural((uint64_t)s->zero_gates));
    if (s->m > 0)
        fprintf(out, "; %ld negative gate%s, effective beta %s", (long)s->negative,
                report_plural((uint64_t)s->negative),
                s->excess > 0   ? "above 1"
                : s->excess < 0 ? "below 1"
                                : "exactly 1");
    fputc('\n', out);
}

static void
point(FILE *out, const char *before, const fmpq_t q)
{
    fprintf(out, "%s%.10g", before, fmpq_get_d(q));
}

static void
last_two_text(FILE *out, const ckda_secular_struct *s)
{
    switch (s->kind) {
    case CKDA_SECULAR_BOX: {
        char *box = arb_get_str(acb_realref(s->box), 10, ARB_STR_NO_RADIUS);
        fprintf(out, "the last two: a pair, in a box near %s", box);
        flint_free(box);
        box = arb_get_str(acb_imagref(s->box), 10, ARB_STR_NO_RADIUS);
        fprintf(out, " + %s i by an interval Newton step", box);
        flint_free(box);
        break;
    }
    case CKDA_SECULAR_POINTS:
        fputs("the last two: real, by signs at", out);
        for (slong i = 0; i < s->npoints; i++)
            point(out, i > 0 ? " and " : " ", s->point + i);
        break;
    case CKDA_SECULAR_MULTIPLE:
        fputs("the last two: real, a multiple root at", out);
        point(out, " ", s->point);
        break;
    case CKDA_SECULAR_EXACT_COUNT:
        fputs("the last two: by an exact count of the deflated polynomial", out);
        break;
    case CKDA_SECULAR_DIAGONAL:
    case CKDA_SECULAR_SIGNS:
        fputs("one more by parity", out);
        break;
    }
    if (s->prec > 0)
        fprintf(out, " (%ld bits)", (long)s->prec);
}

static void
certificate_text(FILE *out, const ckda_spectrum_result *r)
{
    const ckda_secular_struct *s = r->secular;
    fputs("  certified  ", out);
    if (s == NULL) {
        fputs("square-free parts, their real roots counted in two ways that agree\n",
              out);
        return;
    }
    if (s->kind == CKDA_SECULAR_DIAGONAL)
        fputs("every eigenvalue is a gate", out);
    else
        fprintf(out, "%ld root%s placed by exact signs at the gates and 0",
                (long)s->placed, report_plural((uint64_t)s->placed));
    if (s->placed < s->m) {
        fputs("; ", out);
        last_two_text(out, s);
    }
    if (r->counted_by_polynomial)
        fputs("; the counters of the polynomial agree", out);
    fputc('\n', out);
}

static void
eigenvalue_text(FILE *out, const ckda_eigenvalue *e)
{
    fprintf(out, "    %.10g", middle(e->re_lo, e->re_hi));
    if (!e->real)
        fprintf(out, " +- %.10g i", middle(e->im_lo, e->im_hi));
    if (e->closed != NULL)
        fprintf(out, "  = %s", e->closed);
    else
        fprintf(out, "  in a box of width %.2g",
                fmpq_get_d(e->re_hi) - fmpq_get_d(e->re_lo));
    if (e->multiplicity > 1)
        fprintf(out, "  (%ld times)", (long)e->multiplicity);
    fputc('\n', out);
}

static void
spectrum_text(FILE *out, const ckda_spectrum_result *r)
{
    const slong pairs = r->counts.nonreal_pairs;
    if (r->charpoly != NULL) {
        char *chi = ckda_poly_str(r->charpoly, "x", r->K);
        fprintf(out, "charpoly %s\n", chi);
        free(chi);
    } else {
        fprintf(out, "charpoly not printed (n = %ld; --charpoly prints it)\n",
                (long)r->counts.degree);
    }
    report_field_line(out, r->K);
    fprintf(out,
            "  eigenvalues, with multiplicity: %ld real, %ld non-real pair%s, %ld of "
            "them on |z| = 1\n",
            (long)r->counts.real_roots, (long)pairs, report_plural((uint64_t)pairs),
            (long)r->counts.unit_circle_pairs);
    fprintf(out, "  norm       %s\n",
            r->norm_equals_1    ? "exactly 1"
            : r->norm_at_most_1 ? "less than 1"
                                : "greater than 1");
    for (size_t i = 0; i < r->nfactors; i++)
        fprintf(out, "  factor %-3zu %ld non-real pair%s\n", i + 1,
                (long)r->factors[i].nonreal_pairs,
                report_plural((uint64_t)r->factors[i].nonreal_pairs));
    if (r->secular != NULL)
        deflation_text(out, r->secular);
    certificate_text(out, r);
    for (size_t i = 0; i < r->neigenvalues && i < SHOWN; i++)
        eigenvalue_text(out, r->eigenvalues + i);
    if (r->neigenvalues > SHOWN)
        fprintf(out, "    ... and %zu more (--json gives all)\n",
                r->neigenvalues - SHOWN);
}

void
ckda_report_spectrum(FILE *out, bool json, const ckda_spectrum_result *r)
{
    if (json)
        json_print(out, spectrum_json(r));
    else
        spectrum_text(out, r);
}
