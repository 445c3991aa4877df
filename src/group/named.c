/* Z_m, D_m, S_n and A_n. */
#include "group_internal.h"

bool
ckda_group_name_split(char *kind, uint32_t *number, const char *name)
{
    if (name[0] == '\0' || strchr("ZDSA", name[0]) == NULL)
        return false;
    if (!is_digit(name[1]) || name[1] == '0')
        return false;
    uint32_t v = 0;
    for (const char *s = name + 1; *s != '\0'; s++) {
        if (!is_digit(*s) || v > 99999999u)
            return false;
        v = 10 * v + (uint32_t)(*s - '0');
    }
    *kind = name[0];
    *number = v;
    return true;
}

/* The cycle first -> first+1 -> ... -> last -> first, points from 0. */
static void
set_cycle(ckda_perm *p, int degree, int first, int last)
{
    ckda_perm_one(p, degree);
    for (int i = first; i < last; i++)
        p->image[i] = (uint8_t)(i + 1);
    p->image[last] = (uint8_t)first;
}

/* Order, or max + 1 if it is larger. */
static uint64_t
order_of(char kind, uint32_t m, uint64_t max)
{
    if (kind == 'Z' || kind == 'D')
        return kind == 'Z' ? m : 2 * (uint64_t)m;
    uint64_t order = 1;
    for (uint32_t i = kind == 'A' ? 3 : 2; i <= m; i++) {
        order *= i;
        if (order > max)
            return max + 1;
    }
    return order;
}

/* Rotation and reflection of the m-gon whose vertex 0 is fixed by the reflection. */
static uint32_t
dihedral(ckda_perm *gen, const char **name, int m)
{
    uint32_t n = 0;
    if (m == 2) {
        gen[0] = (ckda_perm){4, {1, 0, 3, 2}};
        gen[1] = (ckda_perm){4, {2, 3, 0, 1}};
    } else if (m > 2) {
        set_cycle(&gen[0], m, 0, m - 1);
        ckda_perm_one(&gen[1], m);
        for (int i = 1; i < m; i++)
            gen[1].image[i] = (uint8_t)(m - i);
    }
    if (m >= 2)
        name[n++] = "r";
    else
        set_cycle(&gen[0], 2, 0, 1);
    name[n++] = "s";
    return n;
}

static uint32_t
symmetric(ckda_perm *gen, int n)
{
    if (n < 2)
        return 0;
    set_cycle(&gen[0], n, 0, 1);
    set_cycle(&gen[1], n, 0, n - 1);
    return n == 2 ? 1 : 2;
}

/* (1,2,3) with (1,...,n) or (2,...,n), whichever is odd in length. */
static uint32_t
alternating(ckda_perm *gen, int n)
{
    if (n < 3)
        return 0;
    set_cycle(&gen[0], n, 0, 2);
    set_cycle(&gen[1], n, n % 2 == 1 ? 0 : 1, n - 1);
    return n == 3 ? 1 : 2;
}

ckda_status
ckda_group_init_named(ckda_group_t G, const char *name, ckda_error *err)
{
    char kind;
    uint32_t m;
    if (!ckda_group_name_split(&kind, &m, name)) {
        ckda_error_set(err,
                       "expected a group Z1, Z2, ..., D1, ..., S1, ..., A1, ..., found "
                       "\"%.40s\"",
                       name);
        return CKDA_E_INPUT;
    }
    if ((kind == 'Z' || kind == 'D') && m > CKDA_PERM_MAX) {
        ckda_error_set(err, "%s: expected a number up to %d, found %u", name,
                       CKDA_PERM_MAX, m);
        return CKDA_E_INPUT;
    }
    if (order_of(kind, m, CKDA_GROUP_MAX_ORDER) > CKDA_GROUP_MAX_ORDER) {
        ckda_error_set(err, "%s has more than %u elements", name, CKDA_GROUP_MAX_ORDER);
        return CKDA_E_UNABLE;
    }
    ckda_perm gen[2];
    const char *gen_name[2] = {"r", "s"};
    const bool has_names = kind == 'Z' || kind == 'D';
    uint32_t ngen;
    if (kind == 'Z') {
        set_cycle(&gen[0], (int)m, 0, (int)m - 1);
        ngen = m == 1 ? 0 : 1;
    } else if (kind == 'D') {
        ngen = dihedral(gen, gen_name, (int)m);
    } else {
        ngen = kind == 'S' ? symmetric(gen, (int)m) : alternating(gen, (int)m);
    }
    ckda_require(ngen > 0 || m <= 2, "%s has no generators", name);
    if (ngen == 0) { /* the trivial group on m points */
        ckda_perm_one(&gen[0], (int)m);
        return ckda_group_init_generated(G, name, gen, NULL, 1, 1, err);
    }
    return ckda_group_init_generated(G, name, gen, has_names ? gen_name : NULL, ngen,
                                     CKDA_GROUP_MAX_ORDER, err);
}
