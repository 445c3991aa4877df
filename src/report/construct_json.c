/* Results of construct as JSON (schemas ckda.construct/1 and ckda.letters/1). */
#include "construct.h"

#include <stdlib.h>
#include "ckda/input.h"
#include "json.h"

static json_t *
element_json(const ckda_group_t G, uint32_t g)
{
    char *name = ckda_input_element_name(G, g);
    json_t *text = json_string(name);
    free(name);
    return text;
}

static json_t *
truth_json(ckda_truth t)
{
    return t == CKDA_UNKNOWN ? json_null() : json_boolean(t == CKDA_TRUE);
}

/* ---- one layer ---------------------------------------------------------------------- */

static json_t *
isomorphism_json(const ckda_construct_result *r)
{
    const ckda_isomorphism_struct *f = r->isomorphism;
    if (f == NULL)
        return json_null();
    json_t *object = json_object(), *generators = json_object();
    for (uint32_t j = 0; j < f->T->ngen; j++)
        json_put(generators, f->T->genname[j],
                 element_json(r->G, f->image[f->T->generator[j]]));
    json_put_text(object, "group", f->name);
    json_put(object, "generators", generators);
    json_put_count(object, "products_compared", f->products);
    return object;
}

static json_t *
head_json(const char *group, const ckda_construction_struct *c)
{
    json_t *object = json_object();
    json_put_text(object, "group", group);
    json_put_text(object, "construction", c->name);
    json_put_count(object, "dimension", (uint64_t)c->n);
    return object;
}

static json_t *
heads_json(const ckda_construct_result *r)
{
    json_t *list = json_array();
    if (r->single != NULL)
        json_append(list, head_json(r->isomorphism->name, r->single));
    for (uint32_t h = 0; r->heads != NULL && h < r->heads->nheads; h++) {
        const ckda_head *head = &r->heads->head[h];
        json_append(list, head_json(head->name, head->c));
    }
    return list;
}

static void
put_closure(json_t *object, const ckda_realize_closure *c)
{
    json_put_count(object, "states", c->states);
    json_put_count(object, "edges", c->edges);
    json_put(object, "read_out_right", truth_json(c->read_out));
    json_put_text(object, "exactness", c->exactness);
    json_put_text(object, "limit", c->limit);
}

static json_t *
one_layer_json(const ckda_construct_result *r)
{
    static const char *const verdict[] = {"tracked", "impossible", "undecided"};
    json_t *object = json_object();
    json_put_text(object, "verdict", verdict[construct_verdict(r)]);
    json_put(object, "heads", heads_json(r));
    json_put_text(object, "method",
                  r->single != NULL  ? "isomorphism"
                  : r->heads != NULL ? r->heads->method
                                     : NULL);
    json_put(object, "field",
             r->single != NULL  ? json_field(r->single->K)
             : r->heads != NULL ? json_field(r->heads->K)
                                : json_null());
    if (r->closure != NULL)
        put_closure(object, r->closure);
    else
        json_put_text(object, "limit", r->heads_limit);
    return object;
}

static json_t *
obstruction_json(const ckda_construct_result *r)
{
    static const char *const human[] = {
        "Propositions 20 and 21: a finite tracker has an orthogonal homogeneous one "
        "inside",
        "two planes lie in R^4; the classification of finite subgroups of SO(3)",
        "the group of joint states maps onto the group that is tracked", NULL};
    const ckda_obstruction *o = r->obstruction;
    if (o == NULL)
        return json_null();
    json_t *object = json_object();
    json_put_text(object, "source", o->source);
    json_put_text(object, "rule", construct_rule(o));
    json_put_text(object, "hypotheses", construct_hypotheses);
    json_put(object, "human_steps", json_texts(human));
    json_put_count(object, "prime", o->p);
    json_put(object, "g", element_json(r->G, o->g));
    json_put_count(object, "order_of_g", o->order_g);
    json_put_count(object, "power", o->k);
    json_put(object, "R", element_json(r->G, o->power));
    json_put(object, "h", element_json(r->G, o->h));
    json_put(object, "conjugate", element_json(r->G, o->conjugate));
    json_put(object, "commutator", element_json(r->G, o->commutator));
    json_put_count(object, "order_of_commutator", o->order_commutator);
    json_put_count(object, "exponent", o->e);
    return object;
}

/* ---- several layers -------------------------------------------------------------------- */

static json_t *
layer_json(const ckda_series_layer *l, const ckda_group_t G)
{
    json_t *object = json_object(), *generators = json_array();
    for (uint32_t j = 0; j < l->ngen; j++)
        json_append(generators, element_json(G, l->generator[j]));
    json_put_text(object, "factor", l->factor);
    json_put_count(object, "factor_order", l->order);
    json_put_count(object, "subgroup_order", l->above);
    json_put(object, "subgroup_generators", generators);
    return object;
}

static json_t *
series_json(const ckda_construct_result *r)
{
    const ckda_series_struct *s = r->series;
    if (s == NULL)
        return json_null();
    json_t *object = json_object(), *layers = json_array(), *factors = json_array();
    for (uint32_t i = 0; s->exists == CKDA_TRUE && i < s->nlayers; i++)
        json_append(layers, layer_json(&s->layer[i], r->G));
    for (uint32_t i = 0; i < s->nfactors; i++)
        json_append(factors, json_integer(s->factor[i]));
    json_put(object, "exists", truth_json(s->exists));
    json_put(object, "layers", layers);
    json_put(object, "shortest",
             s->exists == CKDA_TRUE ? truth_json(s->shortest) : json_null());
    json_put(object, "composition_factors", factors);
    json_put(object, "obstacle", s->obstacle > 0 ? json_object() : json_null());
    if (s->obstacle > 0) {
        json_t *obstacle = json_object_get(object, "obstacle");
        json_put_count(obstacle, "order", s->obstacle);
        json_put_text(obstacle, "name", ckda_simple_name(s->obstacle));
    }
    json_put_text(object, "limit", s->limit);
    return object;
}

static json_t *
network_json(const ckda_construct_result *r)
{
    static const char *const verdict[] = {"refuted", "all lengths", "undecided"};
    json_t *object = json_object(), *heads = json_array();
    if (r->net == NULL) {
        json_put_text(object, "missing", r->net_missing);
        json_decref(heads);
        return object;
    }
    for (uint32_t h = 0; h < ckda_net_heads(r->net); h++) {
        const ckda_net_head *d = ckda_net_get_head(r->net, h);
        json_t *head = json_object();
        json_put_count(head, "layer", d->layer + 1u);
        json_put_text(head, "name", d->name);
        json_put_count(head, "dimension", (uint64_t)d->n);
        json_put(head, "field", json_field(d->K));
        json_append(heads, head);
    }
    json_put_text(object, "construction", ckda_net_construction(r->net));
    json_put_count(object, "layers", ckda_net_layers(r->net));
    json_put_count(object, "letters", ckda_net_letters(r->net));
    json_put(object, "heads", heads);
    json_put_text(object, "verdict", verdict[r->net_closure->right]);
    json_put_count(object, "states", r->net_closure->states);
    json_put_count(object, "edges", r->net_closure->edges);
    json_put_text(object, "limit", r->net_closure->limit);
    return object;
}

json_t *
construct_json(const ckda_construct_result *r)
{
    json_t *document = json_object();
    json_put_text(document, "schema", "ckda.construct/1");
    json_put_text(document, "system", r->system);
    json_put_count(document, "order", r->G->order);
    json_put(document, "so3", isomorphism_json(r));
    json_put(document, "one_layer", one_layer_json(r));
    json_put(document, "obstruction", obstruction_json(r));
    json_put(document, "series", series_json(r));
    json_put(document, "network",
             r->series != NULL && r->series->exists == CKDA_TRUE ? network_json(r)
                                                                 : json_null());
    json_put_text(document, "fallback", construct_fallback);
    json_put(document, "document",
             r->document != NULL ? json_incref(r->document) : json_null());
    json_put_text(document, "wrote", r->wrote);
    return document;
}

/* ---- letters of somebody's own ------------------------------------------------------------ */

static json_t *
steps_json(const ckda_letter_struct *l, const ckda_field_t K)
{
    json_t *list = json_array();
    for (slong i = 0; i < l->factors->count; i++)
        json_append(list, ckda_input_transition_json(&l->factors->step[i], K));
    return list;
}

static json_t *
letter_json(const ckda_letter_struct *l, const char *name, const ckda_field_t K)
{
    const ckda_decomposition_struct *one = l->one;
    json_t *object = json_object(), *key = json_array(), *signs = json_array();
    for (slong i = 0; one->verified && i < one->n; i++) {
        json_append(key, json_elem(one->key + i, K));
        json_append(signs, json_integer(one->signs[i]));
    }
    json_put_text(object, "letter", name);
    json_put_bool(object, "orthogonal", one->orthogonal);
    json_put_bool(object, "one_step", one->verified);
    json_put(object, "signs", signs);
    json_put(object, "key", key);
    json_put_count(object, "steps", (uint64_t)construct_letter_steps(l));
    json_put(object, "minimal",
             one->verified ? json_true()
             : l->factored ? truth_json(l->minimal)
                           : json_null());
    json_put(object, "factors", steps_json(l, K));
    json_put_text(object, "reason", one->reason);
    return object;
}

json_t *
construct_letters_json(const ckda_letters_result *r)
{
    json_t *document = json_object(), *letters = json_array();
    for (uint32_t i = 0; i < r->nletters; i++)
        json_append(letters, letter_json(&r->letter[i], r->name[i], r->K));
    json_put_text(document, "schema", "ckda.letters/1");
    json_put_text(document, "system", r->system);
    json_put_count(document, "dimension", (uint64_t)r->n);
    json_put(document, "letters", letters);
    json_put(document, "field", json_field(r->K));
    return document;
}
