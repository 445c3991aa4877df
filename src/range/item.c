/* Items and the results of chunk documents. */
#include <string.h>

#include "range_internal.h"

void
rg_witness_init(ckda_range_witness *w)
{
    fmpq_init(w->beta);
    fmpq_init(w->rho);
    fmpq_init(w->norm);
    fmpq_init(w->log_gate);
}

void
rg_witness_clear(ckda_range_witness *w)
{
    fmpq_clear(w->beta);
    fmpq_clear(w->rho);
    fmpq_clear(w->norm);
    fmpq_clear(w->log_gate);
}

void
rg_witness_set(ckda_range_witness *w, slong n, const fmpq_t beta,
               const ckda_range_chunk *r)
{
    w->present = true;
    w->tokens = n;
    w->open = -1;
    fmpq_set(w->beta, beta);
    fmpq_set(w->rho, r->correlation_max);
    fmpq_set(w->norm, r->norm_max);
}

ckda_range_item *
rg_new_item(ckda_range_chunk *r, const char *name, const char *about,
            const ckda_fp_format *f)
{
    r->item = flint_realloc(r->item, (r->nitems + 1) * sizeof *r->item);
    ckda_range_item *i = r->item + r->nitems++;
    *i = (ckda_range_item){.about = about, .format = f, .fits = CKDA_UNKNOWN};
    snprintf(i->name, sizeof i->name, "%s", name);
    i->chunk = i->row = i->col = -1;
    rg_witness_init(&i->least);
    rg_witness_init(&i->shortest);
    return i;
}

void
rg_item_clear(ckda_range_item *i)
{
    rg_number_clear(&i->largest);
    rg_number_clear(&i->reached);
    rg_number_clear(&i->smallest);
    flint_free(i->bound_that_fits);
    rg_witness_clear(&i->least);
    rg_witness_clear(&i->shortest);
}

void
rg_item_judge(ckda_range_item *i, const rg_value *upper, const rg_value *reached)
{
    rg_value_text(&i->largest, upper);
    i->attained = upper == reached
                  || (rg_value_less(upper, reached) == CKDA_FALSE
                      && rg_value_less(reached, upper) == CKDA_FALSE);
    if (!i->attained)
        rg_value_text(&i->reached, reached);
    i->fits = rg_value_fits(upper, i->format);
    if (i->fits == CKDA_FALSE && rg_value_fits(reached, i->format) != CKDA_FALSE)
        i->fits = CKDA_UNKNOWN;
    i->why = i->fits == CKDA_FALSE ? CKDA_BREAK_OVERFLOW : CKDA_BREAK_NONE;
    i->integers_lost = rg_value_loses_integers(upper, i->format);
    if (i->integers_lost == CKDA_TRUE
        && rg_value_loses_integers(reached, i->format) != CKDA_TRUE)
        i->integers_lost = CKDA_UNKNOWN;
}

void
rg_next_beta(fmpq_t beta, const ckda_range_chunk *r)
{
    fmpq_add(beta, beta, r->grid);
}

static ckda_truth
worst(ckda_truth a, ckda_truth b)
{
    return ckda_truth_and(a, b);
}

ckda_truth
rg_chunk_verdict(const ckda_range_chunk *r)
{
    ckda_truth all = CKDA_TRUE;
    for (size_t i = 0; i < r->nitems; i++)
        all = worst(all, r->item[i].fits);
    if (r->emulation.present)
        all = worst(all, r->emulation.fits);
    if (!r->box && r->laws.has_values && !r->balls)
        all = worst(all, r->laws.chunk_equals_recurrence);
    if (!r->box && r->laws.compared)
        all = worst(all, r->laws.ungated);
    return all;
}

void
rg_chunk_result_clear(ckda_range_chunk *r)
{
    for (size_t i = 0; i < r->nitems; i++)
        rg_item_clear(r->item + i);
    flint_free(r->item);
    rg_emulation_clear(&r->emulation);
    flint_free(r->laws.state);
    fmpq_clear(r->beta_max);
    fmpq_clear(r->correlation_max);
    fmpq_clear(r->norm_max);
    fmpq_clear(r->value_max);
    fmpq_clear(r->gate_bound);
    fmpq_clear(r->grid);
}
