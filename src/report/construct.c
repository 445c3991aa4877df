/* Results of construct as text. */
#include "construct.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/input.h"
#include "computed.h"
#include "json.h"

enum { SHOWN_LETTERS = 24 };

const char construct_hypotheses[] =
    "finitely many heads with updates S -> A S + B, |A|_2 <= 1, every A with at most one "
    "non-real pair of eigenvalues on |z| = 1 (with multiplicity), letters that generate "
    "the "
    "group, g among them, finitely many states of each head from a fixed start, a "
    "decoder "
    "of the joint state";
static const char construct_human[] =
    "Propositions 20 and 21 and the list of finite subgroups of SO(3)";
const char construct_fallback[] = "ckda compile SYSTEM --layers 3: clock, buffer and "
                                  "accumulator on permutation matrices "
                                  "[Theorem 5], for every finite group";

one_layer
construct_verdict(const ckda_construct_result *r)
{
    if (r->closure != NULL && r->closure->right == CKDA_TRUE)
        return ONE_LAYER_TRACKED;
    return r->obstruction != NULL ? ONE_LAYER_IMPOSSIBLE : ONE_LAYER_UNDECIDED;
}

const char *
construct_rule(const ckda_obstruction *o)
{
    if (o->e == 10)
        return "the commutator of g with a conjugate must have an order that divides 10 "
               "for "
               "g of order 5^a";
    return o->k == 1   ? "g of order p^a, p >= 7, must commute with its conjugates"
           : o->p == 5 ? "g^5 must commute with its conjugates for g of order 5^a (turns "
                         "of order >= "
                         "6 do)"
           : o->p == 3 ? "g^3 must commute with its conjugates for g of order 3^a (turns "
                         "of order >= "
                         "6 do)"
                       : "g^8 must commute with its conjugates for g of order 2^a (turns "
                         "of order >= "
                         "6 do)";
}

slong
construct_letter_steps(const ckda_letter_struct *l)
{
    if (l->one->verified)
        return 1;
    return l->factored ? l->factors->count : 0;
}

/* ---- pieces ----------------------------------------------------------------------- */

static void
print_element(FILE *out, const ckda_group_t G, uint32_t g)
{
    char *name = ckda_input_element_name(G, g);
    fputs(name, out);
    free(name);
}

/* Behind the labels, in lines of about 110 characters. */
static void
print_wrapped(FILE *out, const char *first, const char *text)
{
    int column = fprintf(out, "             %s", first);
    const char *before = "";
    while (*text != '\0') {
        const size_t len = strcspn(text, " ");
        if (column + (int)len > 110) {
            column = fprintf(out, "\n             ") - 1;
            before = "";
        }
        column += fprintf(out, "%s%.*s", before, (int)len, text);
        before = " ";
        text += len + (text[len] == ' ');
    }
    fputc('\n', out);
}

static void
print_elem(FILE *out, const ckda_elem_t x, const ckda_field_t K)
{
    char *text = ckda_elem_str(x, K);
    fputs(text, out);
    free(text);
}

static void
print_vector(FILE *out, const ckda_elem_struct *x, slong n, const ckda_field_t K)
{
    fputc('[', out);
    for (slong i = 0; i < n; i++) {
        fputs(i > 0 ? ", " : "", out);
        print_elem(out, x + i, K);
    }
    fputc(']', out);
}

static void
print_step(FILE *out, const ckda_trans_struct *t, const ckda_field_t K)
{
    fputs("beta ", out);
    print_elem(out, t->beta, K);
    fputs(", key ", out);
    print_vector(out, t->key, t->n, K);
    fputs(", gate ", out);
    print_vector(out, t->gate, t->n, K);
}

static void
print_letters(FILE *out, const ckda_trans_struct *trans, const ckda_group_t G,
              const ckda_field_t K)
{
    const uint32_t shown = G->order < SHOWN_LETTERS ? G->order : SHOWN_LETTERS;
    for (uint32_t g = 0; g < shown; g++) {
        fputs("    ", out);
        print_element(out, G, g);
        fputs(": ", out);
        print_step(out, &trans[g], K);
        fputc('\n', out);
    }
    if (shown < G->order)
        fprintf(out, "    and %u more (all of them with --json or -o FILE)\n",
                G->order - shown);
}

/* ---- one layer ---------------------------------------------------------------------- */

static void
print_isomorphism(FILE *out, const ckda_construct_result *r)
{
    const ckda_isomorphism_struct *f = r->isomorphism;
    if (f == NULL) {
        fputs("  SO(3)      no finite subgroup of SO(3) is isomorphic to it\n", out);
        return;
    }
    fprintf(out, "  SO(3)      isomorphic to %s", f->name);
    for (uint32_t j = 0; j < f->T->ngen; j++) {
        fprintf(out, "%s %s = ", j == 0 ? ":" : ",", f->T->genname[j]);
        print_element(out, r->G, f->image[f->T->generator[j]]);
    }
    fprintf(out, "\n             a bijection, %" PRIu64 " products compared\n",
            f->products);
}

static void
print_closure(FILE *out, const ckda_construct_result *r)
{
    const ckda_realize_closure *c = r->closure;
    const bool sums = r->heads != NULL && strcmp(r->heads->method, "quotients") == 0;
    if (c->right != CKDA_TRUE) {
        fprintf(out, "             not proved: %s (%" PRIu64 " states found)\n",
                c->limit != NULL ? c->limit : "the decoder is not consistent", c->states);
        return;
    }
    fprintf(out,
            "             %" PRIu64 " states%s, %" PRIu64
            " edges, closed: right on words "
            "of every length\n",
            c->states, sums ? " in all heads" : "", c->edges);
    if (c->read_out == CKDA_TRUE)
        fputs("             the explicit decoder returns the element of every state\n",
              out);
}

static void
print_single(FILE *out, const ckda_construct_result *r)
{
    const ckda_construction_struct *c = r->single;
    fprintf(out, "  one layer  %s, one head of dimension %ld\n", c->name, (long)c->n);
    print_closure(out, r);
    print_letters(out, c->trans, r->G, c->K);
    report_field_line(out, c->K);
}

static void
print_heads(FILE *out, const ckda_construct_result *r)
{
    const ckda_heads_struct *heads = r->heads;
    fprintf(out, "  one layer  %u heads (%s)\n", heads->nheads, heads->method);
    print_closure(out, r);
    for (uint32_t h = 0; h < heads->nheads; h++) {
        fprintf(out, "  head %u     %s by %s, dimension %ld\n", h + 1,
                heads->head[h].name, heads->head[h].c->name, (long)heads->head[h].c->n);
        print_letters(out, heads->head[h].trans, r->G, heads->K);
    }
    report_field_line(out, heads->K);
}

static void
print_obstruction(FILE *out, const ckda_construct_result *r)
{
    const ckda_obstruction *o = r->obstruction;
    fprintf(out, "  one layer  impossible [%s]\n", o->source);
    print_wrapped(out, "", construct_rule(o));
    fputs("             g = ", out);
    print_element(out, r->G, o->g);
    fprintf(out, " of order %" PRIu64 ", h = ", o->order_g);
    print_element(out, r->G, o->h);
    if (o->k > 1) {
        fprintf(out, "\n             R = g^%u = ", o->k);
        print_element(out, r->G, o->power);
    }
    const char *name = o->k > 1 ? "R" : "g";
    fprintf(out, "\n             h %s h^-1 = ", name);
    print_element(out, r->G, o->conjugate);
    fprintf(out, "\n             [%s, h %s h^-1] = ", name, name);
    print_element(out, r->G, o->commutator);
    fprintf(out, " of order %" PRIu64 ", multiplied out again\n", o->order_commutator);
    print_wrapped(out, "for ", construct_hypotheses);
    print_wrapped(out, "modulo ", construct_human);
}

static void
print_one_layer(FILE *out, const ckda_construct_result *r)
{
    if (r->single != NULL)
        print_single(out, r);
    else if (r->obstruction != NULL)
        print_obstruction(out, r);
    else if (r->heads != NULL)
        print_heads(out, r);
    else
        fprintf(out, "  one layer  undecided: %s\n",
                r->heads_limit != NULL
                    ? r->heads_limit
                    : "no quotients inside SO(3) tell the elements apart, and no "
                      "commutator forbids it");
}

/* ---- several layers -------------------------------------------------------------------- */

static void
print_series(FILE *out, const ckda_construct_result *r)
{
    const ckda_series_struct *s = r->series;
    if (s->exists == CKDA_UNKNOWN) {
        fprintf(out, "  series     not searched: %s\n", s->limit);
        return;
    }
    if (s->exists == CKDA_FALSE) {
        const char *name = ckda_simple_name(s->obstacle);
        fprintf(
            out,
            "  series     none with factors inside SO(3): a composition factor is simple "
            "of order %u%s%s, not cyclic and not A5\n",
            s->obstacle, name != NULL ? ", so " : "", name != NULL ? name : "");
        return;
    }
    fprintf(out, "  series     %u layers, ", s->nlayers);
    fputs(s->shortest == CKDA_TRUE ? "as few as there can be:"
                                   : "perhaps not the fewest:",
          out);
    for (uint32_t i = 0; i < s->nlayers; i++)
        fprintf(out, "%s %s", i > 0 ? "," : "", s->layer[i].factor);
    fputc('\n', out);
    for (uint32_t i = 1; i < s->nlayers; i++) {
        fprintf(out, "             N%u of order %u:", i, s->layer[i].above);
        for (uint32_t j = 0; j < s->layer[i].ngen; j++) {
            fputs(j > 0 ? ", " : " ", out);
            print_element(out, r->G, s->layer[i].generator[j]);
        }
        fputc('\n', out);
    }
}

static void
print_network(FILE *out, const ckda_construct_result *r)
{
    const ckda_net_closure *c = r->net_closure;
    if (r->net == NULL) {
        fprintf(out, "  network    not built: %s\n", r->net_missing);
        return;
    }
    fprintf(out, "  network    %u layers, %u letters", ckda_net_layers(r->net),
            ckda_net_letters(r->net));
    for (uint32_t h = 0; h < ckda_net_heads(r->net); h++) {
        const ckda_net_head *d = ckda_net_get_head(r->net, h);
        fprintf(out, "%s %s of dimension %ld", h == 0 ? ":" : ",", d->name, (long)d->n);
    }
    fprintf(out,
            "\n             %" PRIu64 " joint states, %" PRIu64 " edges: ", c->states,
            c->edges);
    if (c->right == CKDA_TRUE)
        fputs("closed, every output right on words of every length\n", out);
    else if (c->right == CKDA_FALSE)
        fputs("a word fails\n", out);
    else
        fprintf(out, "not closed, stopped by the limit on %s\n", c->limit);
}

void
ckda_report_construct(FILE *out, bool json, const ckda_construct_result *r)
{
    if (json) {
        json_print(out, construct_json(r));
        return;
    }
    fprintf(out, "%s: %u element%s\n", r->system, r->G->order,
            report_plural(r->G->order));
    print_isomorphism(out, r);
    print_one_layer(out, r);
    if (r->series != NULL)
        print_series(out, r);
    if (r->series != NULL && r->series->exists == CKDA_TRUE)
        print_network(out, r);
    if (r->series != NULL && (r->net == NULL || r->net_closure->right != CKDA_TRUE)
        && construct_verdict(r) != ONE_LAYER_TRACKED)
        fprintf(out, "  fallback   %s\n", construct_fallback);
    if (r->wrote != NULL)
        fprintf(out, "  wrote      %s\n", r->wrote);
}

/* ---- letters of somebody's own ------------------------------------------------------------ */

static void
print_letter(FILE *out, const ckda_letter_struct *l, const ckda_field_t K)
{
    const ckda_decomposition_struct *one = l->one;
    if (one->verified) {
        fputs("one CKDA step, beta 2: S = diag(", out);
        for (slong i = 0; i < one->n; i++)
            fprintf(out, "%s%d", i > 0 ? ", " : "", one->signs[i]);
        fputs("), w = ", out);
        print_vector(out, one->key, one->n, K);
        fputc('\n', out);
    } else if (l->factored) {
        fprintf(out, "%ld CKDA steps%s\n", (long)l->factors->count,
                l->minimal == CKDA_TRUE    ? ", no fewer"
                : l->minimal == CKDA_FALSE ? ", not the fewest"
                                           : "");
        for (slong i = 0; i < l->factors->count; i++) {
            fprintf(out, "    step %ld: ", (long)i + 1);
            print_step(out, &l->factors->step[i], K);
            fputc('\n', out);
        }
    } else {
        fprintf(out, "no: %s, at [%ld, %ld]: ", one->reason, (long)one->at.row,
                (long)one->at.col);
        print_elem(out, &one->got, K);
        fputs(" instead of ", out);
        print_elem(out, &one->want, K);
        fputc('\n', out);
    }
}

void
ckda_report_letters(FILE *out, bool json, const ckda_letters_result *r)
{
    if (json) {
        json_print(out, construct_letters_json(r));
        return;
    }
    fprintf(out, "%s: %u letter%s of dimension %ld\n", r->system, r->nletters,
            report_plural(r->nletters), (long)r->n);
    for (uint32_t i = 0; i < r->nletters; i++) {
        fprintf(out, "  %s: ", r->name[i]);
        print_letter(out, &r->letter[i], r->K);
    }
    report_field_line(out, r->K);
}
