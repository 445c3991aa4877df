/* How few factors can there be?  Certificates from below, and a search for small n. */
#include "factorise_internal.h"

bool
ckda_factor_minor_is_rigid(const slong *row, const slong *col, slong size,
                           const ckda_mat_t A, const ckda_field_t K)
{
    for (slong a = 0; a < size; a++) {
        if (row[a] < 0 || row[a] >= A->rows || col[a] < 0 || col[a] >= A->cols)
            return false;
        if (row[a] == col[a] || ckda_elem_is_zero(ckda_mat_entry(A, row[a], col[a]), K))
            return false;
        for (slong b = 0; b < a; b++)
            if (row[a] == col[b]
                || !ckda_elem_is_zero(ckda_mat_entry(A, row[a], col[b]), K))
                return false;
    }
    return true;
}

/* Is i the least point of a cycle whose columns are all taken?  Taken columns go to
 * different points, so a walk along them cannot run into a cycle that i is not on. */
static bool
least_of_taken_cycle(const bool *taken, const slong *image, slong i)
{
    slong j = i;
    while (taken[j] && image[j] > i)
        j = image[j];
    return taken[j] && image[j] == i;
}

/* taken[i]: column i belongs to the minor.  Each image point takes one column i != f(i)
 * that goes to it, off the cycle if it can; a cycle whose points all had to take their
 * cycle columns gives one of them back, so that taken columns form paths. */
static void
take_columns(bool *taken, const slong *image, slong n)
{
    bool *on_cycle = factorise_cycle_points(image, n);
    slong *from = flint_malloc(((size_t)n + 1) * sizeof *from);
    for (slong j = 0; j < n; j++)
        from[j] = -1;
    for (slong i = 0; i < n; i++) {
        const slong j = image[i];
        taken[i] = false;
        if (i != j && (from[j] < 0 || on_cycle[from[j]]))
            from[j] = i;
    }
    for (slong j = 0; j < n; j++)
        if (from[j] >= 0)
            taken[from[j]] = true;
    for (slong i = 0; i < n; i++)
        if (least_of_taken_cycle(taken, image, i))
            taken[i] = false;
    flint_free(from);
    flint_free(on_cycle);
}

slong
ckda_factor_map_minor(slong *row, slong *col, const slong *image, slong n)
{
    bool *taken = flint_malloc(((size_t)n + 1) * sizeof *taken);
    bool *entered = flint_calloc((size_t)n + 1, sizeof *entered);
    slong size = 0;
    ckda_require(factorise_is_map(image, n), "an image is not within 0 .. %ld",
                 (long)n - 1);
    take_columns(taken, image, n);
    for (slong i = 0; i < n; i++)
        if (taken[i])
            entered[image[i]] = true;
    for (slong i = 0; i < n; i++) {
        if (entered[i])
            continue; /* paths are walked from their beginnings */
        for (slong j = i; taken[j]; j = image[j]) {
            row[size] = image[j];
            col[size++] = j;
        }
    }
    flint_free(entered);
    flint_free(taken);
    return size;
}

/* Why 2: let (I - beta k k^T) Diag(alpha) be a map with f(j) != j.  Entry (j, j) of the
 * product, alpha_j (1 - beta k_j^2), is 0 with alpha_j != 0, so beta k_j^2 = 1; the zeros
 * of column j confine k to {j, f(j)}, the one puts f(j) in its support, and then column
 * f(j) has a nonzero entry at j.  So f swaps j with f(j) and fixes the rest. */
slong
ckda_factor_map_lower_bound(const slong *image, slong n)
{
    slong *row = flint_malloc(2 * ((size_t)n + 1) * sizeof *row), moved = 0;
    const slong size = ckda_factor_map_minor(row, row + n, image, n);
    for (slong i = 0; i < n; i++)
        moved += image[i] != i;
    const bool swap = moved == 2 && factorise_is_permutation(image, n);
    const slong least = moved == 0 ? 0 : swap ? 1 : 2;
    flint_free(row);
    return size > least ? size : least;
}

ckda_truth
ckda_factor_map_is_minimal(slong count, const slong *image, slong n, const ckda_field_t K)
{
    ckda_factors_t f;
    if (count == ckda_factor_map_lower_bound(image, n))
        return CKDA_TRUE;
    ckda_factors_init(f, n, K);
    factorise_must(ckda_factor_map(f, image, CKDA_FACTOR_SHORT, K));
    const bool fewer = f->count < count;
    ckda_factors_clear(f, K);
    return fewer ? CKDA_FALSE : CKDA_UNKNOWN;
}

ckda_truth
ckda_factor_rational_is_minimal(slong count, ckda_factor_scheme scheme)
{
    if (scheme == CKDA_FACTOR_PAPER)
        return CKDA_FALSE;
    /* The short scheme takes no factor for I, and only I needs none. */
    return count <= 1 ? CKDA_TRUE : CKDA_UNKNOWN;
}

/* Does the recipe multiply out to P, in as many factors as the minor certifies? */
static bool
bounds_meet(slong *count, const slong *image, const ckda_mat_t P, const ckda_field_t K)
{
    const slong n = P->rows;
    slong *row = flint_malloc(2 * ((size_t)n + 1) * sizeof *row);
    ckda_factors_t f;
    ckda_mat_t A;
    ckda_mat_init(A, n, n, K);
    ckda_factors_init(f, n, K);
    factorise_append_permutation(f, image, K);
    const slong size = ckda_factor_map_minor(row, row + n, image, n);
    const bool ok =
        size == f->count && ckda_factor_minor_is_rigid(row, row + n, size, P, K)
        && ckda_factors_product(A, f, K) == CKDA_OK && ckda_mat_equal(NULL, A, P, K);
    *count = size;
    ckda_factors_clear(f, K);
    ckda_mat_clear(A, K);
    flint_free(row);
    return ok;
}

ckda_status
ckda_factor_permutation_minimal(slong *count, const slong *image, slong n,
                                const ckda_field_t K)
{
    slong least = 0;
    ckda_mat_t P;
    if (!factorise_is_permutation(image, n))
        return CKDA_E_DOMAIN;
    ckda_mat_init(P, n, n, K);
    ckda_status status = ckda_mat_set_map(P, image, n, K);
    if (status == CKDA_OK)
        ckda_require(bounds_meet(&least, image, P, K), "bounds differ for %ld points",
                     (long)n);
    *count = least;
    ckda_mat_clear(P, K);
    return status;
}

/* ---- search over all maps ------------------------------------------------------- */

enum { SEARCH_MAX = 7 };

static slong
map_index(const slong *image, slong n)
{
    slong index = 0;
    for (slong i = n - 1; i >= 0; i--)
        index = index * n + image[i];
    return index;
}

/* The map after (d -> s, and s -> d too for a swap). */
static slong
index_after(slong index, slong d, slong s, bool swap, slong n)
{
    slong image[SEARCH_MAX];
    for (slong i = 0; i < n; i++, index /= n) {
        const slong j = index % n;
        image[i] = j == d ? s : j == s && swap ? d : j;
    }
    return map_index(image, n);
}

static bool
lower(slong *cost, slong to, slong value)
{
    if (cost[to] >= 0 && cost[to] <= value)
        return false;
    cost[to] = value;
    return true;
}

/* All maps of cost c are final; their neighbours are not above c + 1 and c + 2. */
static bool
relax(slong *cost, slong index, slong n)
{
    bool changed = false;
    for (slong d = 0; d < n; d++)
        for (slong s = 0; s < n; s++) {
            if (d == s)
                continue;
            const slong c = cost[index];
            changed |= lower(cost, index_after(index, d, s, false, n), c + 2);
            changed |= d < s && lower(cost, index_after(index, d, s, true, n), c + 1);
        }
    return changed;
}

ckda_status
ckda_factor_swap_merge_costs(slong *cost, slong n)
{
    slong identity[SEARCH_MAX], maps = 1, idle = 0;
    if (n < 0 || n > SEARCH_MAX)
        return CKDA_E_UNABLE;
    for (slong i = 0; i < n; i++) {
        identity[i] = i;
        maps *= n;
    }
    for (slong i = 0; i < maps; i++)
        cost[i] = -1;
    cost[map_index(identity, n)] = 0;
    for (slong c = 0; idle < 2; c++) { /* two costs without a change: nothing is left */
        bool changed = false;
        for (slong i = 0; i < maps; i++)
            if (cost[i] == c)
                changed |= relax(cost, i, n);
        idle = changed ? 0 : idle + 1;
    }
    return CKDA_OK;
}
