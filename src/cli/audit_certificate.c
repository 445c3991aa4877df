/* ckda audit on words: when the SNAP theorem covers the arithmetic, say so beside the drift. */
#include "audit.h"

#include <stdio.h>
#include <stdlib.h>

#include "ckda/snap.h"

/* The theorem's text once the slack is known, or NULL. */
static char *
text_of(const ckda_slack_t slack, const ckda_snap_delta *d, int64_t grid)
{
    enum { ROOM = 400 };
    if (d->stays != CKDA_TRUE || !slack->separates)
        return NULL;
    char *text = malloc(ROOM);
    ckda_require_memory(text != NULL);
    char *sigma = ckda_elem_decimal(slack->sigma, 6, slack->K);
    if (grid > 0)
        snprintf(
            text, ROOM,
            "for every word of every length the stored state is the exact one rounded "
            "to the grid: sigma = %s, an entry is computed to within %.3g, and %.3g "
            "grid units stay free (ckda audit --snap)",
            sigma, d->delta, d->free);
    else
        snprintf(
            text, ROOM,
            "for every word of every length the stored state is the exact one rounded "
            "to the format: %.3g of a unit stays free (ckda audit --snap)",
            d->free);
    free(sigma);
    return text;
}

static char *
with_slack(const ckda_snap_t s, const ckda_quantiser *Q, const ckda_rounded_t R)
{
    ckda_slack_t slack;
    ckda_snap_delta delta;
    ckda_error err;
    ckda_error_clear(&err);
    if (ckda_slack_init(slack, s, Q, &err) != CKDA_OK)
        return NULL;
    char *text = NULL;
    if (slack->sign > 0 && ckda_snap_delta_bound(&delta, s, Q, R, &err) == CKDA_OK)
        text = text_of(slack, &delta, R->arith.grid);
    ckda_slack_clear(slack);
    return text;
}

char *
audit_certificate(const ckda_tracker_t t, const ckda_rounded_t R)
{
    ckda_quantiser Q;
    ckda_snap_t s;
    ckda_error err;
    ckda_error_clear(&err);
    if ((R->arith.grid == 0 && !R->arith.has_flush)
        || ckda_quantiser_of(&Q, &R->arith, &err) != CKDA_OK
        || ckda_snap_init(s, t, &err) != CKDA_OK)
        return NULL;
    char *text = with_slack(s, &Q, R);
    ckda_snap_clear(s);
    return text;
}
