/* When states stand for elements of the generated monoid or group.
 *
 * A S0 determines A iff S0 has rank n.  Without that, an orbit can be smaller than the group
 * that acts on it: its size is a number of states and nothing else.                      */
#include "reach_internal.h"

bool
ckda_system_tells_elements(const ckda_system_t sys)
{
    return sys->offset == NULL
           && ckda_mat_rank(sys->initial, sys->K) == sys->initial->rows;
}

bool
ckda_system_is_invertible(const ckda_system_t sys)
{
    for (uint32_t x = 0; x < sys->nletters; x++)
        if (ckda_mat_rank(sys->linear + x, sys->K) < sys->linear[x].rows)
            return false;
    return true;
}
