/* JSON pointers (RFC 6901) and the one change that makes a mutant. */
#include "ckda/claim.h"

#include <stdlib.h>
#include <string.h>

/* Decodes one reference token ("~1" is "/", "~0" is "~") from *rest up to the next slash;
 * false for a tilde that stands for nothing. */
static bool
next_token(char *token, const char **rest)
{
    const char *s = *rest;
    while (*s != '\0' && *s != '/') {
        char c = *s++;
        if (c == '~') {
            if (*s != '0' && *s != '1')
                return false;
            c = *s++ == '0' ? '~' : '/';
        }
        *token++ = c;
    }
    *token = '\0';
    *rest = s;
    return true;
}

/* Array index: digits only, no leading zero, within the array; else -1. */
static long
array_index(const json_t *array, const char *token)
{
    size_t digits = strspn(token, "0123456789");
    if (digits == 0 || digits > 9 || token[digits] != '\0'
        || (token[0] == '0' && digits > 1))
        return -1;
    long i = strtol(token, NULL, 10);
    return (size_t)i < json_array_size(array) ? i : -1;
}

static json_t *
child(const json_t *tree, const char *token)
{
    if (json_is_object(tree))
        return json_object_get(tree, token);
    if (json_is_array(tree)) {
        long i = array_index(tree, token);
        return i < 0 ? NULL : json_array_get(tree, (size_t)i);
    }
    return NULL;
}

static int
change(json_t *tree, const char *token, const json_t *to)
{
    json_t *value = json_deep_copy(to);
    if (json_is_object(tree))
        return to == NULL ? json_object_del(tree, token)
                          : json_object_set_new(tree, token, value);
    size_t i = (size_t)array_index(tree, token);
    return to == NULL ? json_array_remove(tree, i) : json_array_set_new(tree, i, value);
}

json_t *
ckda_json_patched(const json_t *tree, const char *pointer, const json_t *to)
{
    if (pointer[0] != '/')
        return NULL;
    char *token = flint_malloc(strlen(pointer) + 1);
    json_t *copy = json_deep_copy(tree);
    json_t *in = copy;
    const char *rest = pointer;
    for (;;) {
        rest++; /* the slash */
        json_t *at = next_token(token, &rest) ? child(in, token) : NULL;
        if (at == NULL || (*rest == '\0' && to != NULL && json_equal(at, to))) {
            json_decref(copy);
            copy = NULL;
            break;
        }
        if (*rest == '\0') {
            int failed = change(in, token, to);
            ckda_require(failed == 0, "the change at %s was refused", pointer);
            break;
        }
        in = at;
    }
    flint_free(token);
    return copy;
}

json_t *
ckda_mutant_input(const ckda_claim *c, const ckda_mutant *m)
{
    json_t *input = ckda_json_patched(c->input, m->at, m->to);
    /* The ledger tried the pointer when it was opened. */
    ckda_require(input != NULL, "mutant %s does not apply to its input", m->name);
    return input;
}
