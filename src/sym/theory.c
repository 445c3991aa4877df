/* theory.c -- variables, relations, assumptions, samples and definitions. */
#include <string.h>

#include "internal.h"

static bool
is_name(const char *t, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        bool letter =
            (t[i] >= 'a' && t[i] <= 'z') || (t[i] >= 'A' && t[i] <= 'Z') || t[i] == '_';
        if (!letter && (i == 0 || t[i] < '0' || t[i] > '9'))
            return false;
    }
    return len > 0;
}

/* A fresh name: well formed, not a function, not taken. */
static ckda_status
check_name(const ckda_sym *s, const char *name, size_t len, ckda_error *err)
{
    const char *problem = NULL;
    if (!is_name(name, len))
        problem = "is not a name (letters, digits, underscore; first a letter)";
    else if (ckda_sym_is_builtin(name, len))
        problem = "is the name of a function";
    else if (ckda_sym_find_var(s, name, len) >= 0 || ckda_sym_find_def(s, name, len) >= 0
             || ckda_sym_find_param(s, name, len) >= 0)
        problem = "is already defined";
    if (problem == NULL)
        return CKDA_OK;
    ckda_error_set(err, "'%.*s' %s", (int)(len < 80 ? len : 80), name, problem);
    return CKDA_E_INPUT;
}

static ckda_status
add_var(ckda_sym *s, const char *name, size_t len, ckda_error *err)
{
    ckda_status st = check_name(s, name, len, err);
    if (st != CKDA_OK)
        return st;
    if (s->nvars == SYM_MAX_VARS) {
        ckda_error_set(err, "more than %d variables", SYM_MAX_VARS);
        return CKDA_E_INPUT;
    }
    s->var[s->nvars++] = ckda_sym_copy(name, len);
    return CKDA_OK;
}

/* "a[3]" or "q[2,3]": reads the sizes; size[1] = 0 for one index. */
static bool
read_sizes(slong *size, const char *t)
{
    for (int k = 0; k < 2; k++) {
        size[k] = 0;
        for (; *t >= '0' && *t <= '9' && size[k] <= SYM_MAX_VARS; t++)
            size[k] = 10 * size[k] + (*t - '0');
        if (size[k] < 1 || size[k] > SYM_MAX_VARS)
            return false;
        if (k == 0 && *t == ']' && t[1] == '\0') {
            size[1] = 0;
            return true;
        }
        if (*t != (k == 0 ? ',' : ']'))
            return false;
        t++;
        while (*t == ' ')
            t++;
    }
    return *t == '\0';
}

static ckda_status
add_vars(ckda_sym *s, const char *text, ckda_error *err)
{
    const char *bracket = strchr(text, '[');
    slong size[2];
    ckda_status st = CKDA_OK;
    if (bracket == NULL)
        return add_var(s, text, strlen(text), err);
    if (!read_sizes(size, bracket + 1)) {
        ckda_error_set(err, "'%.80s': expected a name, name[n] or name[m,n]", text);
        return CKDA_E_INPUT;
    }
    const char *gap = size[0] > 9 || size[1] > 9 ? "_" : "";
    for (slong i = 1; i <= size[0] && st == CKDA_OK; i++)
        for (slong j = 1; j <= FLINT_MAX(size[1], 1) && st == CKDA_OK; j++) {
            sym_buf b;
            ckda_sym_buf_init(&b);
            ckda_sym_buf_add(&b, "%.*s%ld", (int)(bracket - text), text, (long)i);
            if (size[1] > 0)
                ckda_sym_buf_add(&b, "%s%ld", gap, (long)j);
            st = add_var(s, b.text, b.len, err);
            flint_free(b.text);
        }
    return st;
}

ckda_status
ckda_sym_open(ckda_sym **out, const char *const *vars, size_t nvars, ckda_error *err)
{
    ckda_sym *s = flint_calloc(1, sizeof *s);
    ckda_status st = CKDA_OK;
    s->var = flint_calloc(SYM_MAX_VARS, sizeof *s->var);
    for (size_t i = 0; i < nvars && st == CKDA_OK; i++)
        st = add_vars(s, vars[i], err);
    if (st != CKDA_OK) {
        for (slong i = 0; i < s->nvars; i++)
            flint_free(s->var[i]);
        flint_free(s->var);
        flint_free(s);
        return st;
    }
    fmpz_mpoly_ctx_init(s->ctx, s->nvars, ORD_DEGREVLEX);
    fmpz_mpoly_vec_init(s->basis, 0, s->ctx);
    *out = s;
    return CKDA_OK;
}

void
ckda_sym_close(ckda_sym **ps)
{
    ckda_sym *s = *ps;
    if (s == NULL)
        return;
    ckda_sym_plan_free(s);
    ckda_sym_release(s, NULL);
    fmpz_mpoly_vec_clear(s->basis, s->ctx);
    fmpz_mpoly_ctx_clear(s->ctx);
    for (slong i = 0; i < s->nvars; i++)
        flint_free(s->var[i]);
    for (slong i = 0; i < s->nparams; i++)
        flint_free(s->param[i]);
    for (slong i = 0; i < s->ndefs; i++)
        flint_free(s->def[i].name);
    for (slong i = 0; i < s->nlabels; i++)
        flint_free(s->label[i]);
    flint_free(s->var);
    flint_free(s->param);
    flint_free(s->def);
    flint_free(s->label);
    flint_free(s->relation);
    flint_free(s->fact);
    flint_free(s->sample);
    flint_free(s);
    *ps = NULL;
}

/* ---- texts ---- */

#define PUSH(array, count, value)                                                        \
    ((array) = flint_realloc((array), (size_t)((count) + 1) * sizeof *(array)),          \
     (array)[(count)++] = (value))

/* What messages about this text begin with; lives as long as the theory. */
static const char *
new_label(ckda_sym *s, const char *kind, const char *name)
{
    sym_buf b;
    ckda_sym_buf_init(&b);
    ckda_sym_buf_add(&b, "%s%.80s", kind, name);
    PUSH(s->label, s->nlabels, b.text);
    return b.text;
}

static ckda_status
read_statement(sym_stmt *st, ckda_sym *s, const char *text, const char *label,
               ckda_error *err)
{
    sym_parser p;
    sym_node *mark = s->nodes;
    ckda_sym_parser_init(&p, s, text, label, err);
    if (ckda_sym_parse_statement(st, &p))
        return CKDA_OK;
    ckda_sym_release(s, mark);
    return CKDA_E_INPUT;
}

ckda_status
ckda_sym_relation(ckda_sym *s, const char *text, ckda_error *err)
{
    sym_stmt st;
    sym_node *mark = s->nodes;
    const sym_ratmat *v;
    ckda_status status = read_statement(&st, s, text, new_label(s, "relation", ""), err);
    if (status != CKDA_OK)
        return status;
    if (st.op != ST_EQ) {
        ckda_error_set(err, "relation \"%.80s\": expected ==", text);
        ckda_sym_release(s, mark);
        return CKDA_E_INPUT;
    }
    s->too_big = false;
    status = ckda_sym_value(&v, s, st.diff, 1, err);
    if (status != CKDA_OK) {
        ckda_sym_release(s, mark);
        return status;
    }
    PUSH(s->relation, s->nrelations, st.diff);
    s->basis_ready = false;
    s->version++;
    ckda_sym_plan_free(s);
    return CKDA_OK;
}

ckda_status
ckda_sym_assume(ckda_sym *s, const char *text, ckda_error *err)
{
    sym_stmt st;
    sym_node *mark = s->nodes;
    ckda_status status =
        read_statement(&st, s, text, new_label(s, "assumption", ""), err);
    if (status != CKDA_OK)
        return status;
    if (st.op != ST_GE && st.op != ST_GT && st.op != ST_NE) {
        ckda_error_set(err, "assumption \"%.80s\": expected one of >= > <= < !=", text);
        ckda_sym_release(s, mark);
        return CKDA_E_INPUT;
    }
    sym_fact fact = {st.diff, st.op == ST_GE   ? SIGN_GE
                              : st.op == ST_GT ? SIGN_GE | SIGN_NZ
                                               : (unsigned)SIGN_NZ};
    PUSH(s->fact, s->nfacts, fact);
    s->version++;
    ckda_sym_plan_free(s);
    return CKDA_OK;
}

ckda_status
ckda_sym_parameter(ckda_sym *s, const char *name, ckda_error *err)
{
    ckda_status st = check_name(s, name, strlen(name), err);
    if (st != CKDA_OK)
        return st;
    PUSH(s->param, s->nparams, ckda_sym_copy(name, strlen(name)));
    return CKDA_OK;
}

ckda_status
ckda_sym_sample(ckda_sym *s, const char *var, const char *expr, ckda_error *err)
{
    sym_parser p;
    sym_node *mark = s->nodes;
    sym_sample sample = {ckda_sym_find_var(s, var, strlen(var)), NULL};
    if (sample.var < 0) {
        ckda_error_set(err, "sample: '%.80s' is not a variable", var);
        return CKDA_E_INPUT;
    }
    for (slong i = 0; i < s->nsamples; i++)
        if (s->sample[i].var == sample.var) {
            ckda_error_set(err, "sample: '%.80s' has two expressions", var);
            return CKDA_E_INPUT;
        }
    ckda_sym_parser_init(&p, s, expr, new_label(s, "sample ", var), err);
    p.params = true;
    sample.node = ckda_sym_parse_all(&p);
    if (sample.node != NULL && sample.node->rows * sample.node->cols != 1)
        sample.node = ckda_sym_fail(&p, 0, "expected a scalar, found %ldx%ld",
                                    (long)sample.node->rows, (long)sample.node->cols);
    if (sample.node == NULL) {
        ckda_sym_release(s, mark);
        return CKDA_E_INPUT;
    }
    PUSH(s->sample, s->nsamples, sample);
    ckda_sym_plan_free(s);
    return CKDA_OK;
}

ckda_status
ckda_sym_define(ckda_sym *s, const char *name, const char *expr, ckda_error *err)
{
    sym_parser p;
    sym_node *mark = s->nodes;
    ckda_status st = check_name(s, name, strlen(name), err);
    if (st != CKDA_OK)
        return st;
    ckda_sym_parser_init(&p, s, expr, new_label(s, "let ", name), err);
    sym_def def = {NULL, ckda_sym_parse_all(&p)};
    if (def.node == NULL) {
        ckda_sym_release(s, mark);
        return CKDA_E_INPUT;
    }
    def.name = ckda_sym_copy(name, strlen(name));
    PUSH(s->def, s->ndefs, def);
    return CKDA_OK;
}
