/* The data of the page: ckda.report/1. */
#include "page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "allwords_print.h"
#include "ckda/memstream.h"
#include "computed.h"
#include "drift_internal.h"
#include "json.h"
#include "sha256.h"
#include "sweep_json.h"
#include "verify_json.h"

/* ---- evidence levels ------------------------------------------------------------------ */

typedef struct {
    const char *level, *meaning, *ladder;
} level;

/* Strongest first. */
static const level levels[] = {
    {"exhaustive", "a finite statement, every case decided exactly", "established"},
    {"symbolic",
     "an identity or inequality decided for all values of its parameters, at each named "
     "n "
     "or uniformly in n where the argument is",
     "established"},
    {"certificate", "for each input an object is constructed and re-checked exactly",
     "established, per input"},
    {"instances", "seeded exact instances and adversarial ones", "evidence, not proof"},
    {"measured", "seen on named hardware, committed trace", "measured"},
    {"reported", "the source says so; not evaluated here", "source-reported"},
    {"open", "listed, not checked yet; the reason is given", "not checked"}};
enum { LEVELS = sizeof levels / sizeof levels[0] };

/* What was reached counts; what was declared, where nothing was reached. */
static const char *
level_of(const ckda_outcome *o)
{
    const ckda_claim *c = o->claim;
    if (c->status == CKDA_OPEN)
        return "open";
    if (c->status == CKDA_STATUS_REPORTED)
        return "reported";
    return ckda_strength_name(o->truth == CKDA_TRUE ? o->evidence.strength : c->strength);
}

static bool
is_modulo(const ckda_outcome *o)
{
    return o->truth == CKDA_TRUE && o->claim->human_steps[0] != NULL;
}

static json_t *
level_json(const level *l, const ckda_verification *v)
{
    json_t *object = json_object();
    size_t n[3] = {0}, claims = 0, modulo = 0;
    for (size_t i = 0; i < v->nclaims; i++) {
        const ckda_outcome *o = &v->claims[i];
        if (strcmp(level_of(o), l->level) != 0)
            continue;
        claims++;
        if (o->claim->status == CKDA_CHECKED)
            n[o->truth]++;
        modulo += is_modulo(o);
    }
    json_put_text(object, "level", l->level);
    json_put_text(object, "meaning", l->meaning);
    json_put_text(object, "ladder", l->ladder);
    json_put_count(object, "claims", claims);
    json_put_count(object, "holds", n[CKDA_TRUE]);
    json_put_count(object, "refuted", n[CKDA_FALSE]);
    json_put_count(object, "undecided", n[CKDA_UNKNOWN]);
    json_put_count(object, "modulo", modulo);
    return object;
}

/* ---- claims --------------------------------------------------------------------------- */

static json_t *
mutant_json(const ckda_outcome *o)
{
    json_t *object = verify_mutant_json(o);
    char *to = o->mutant->to != NULL
                   ? json_dumps(o->mutant->to, JSON_ENCODE_ANY | JSON_COMPACT)
                   : NULL;
    json_put_text(object, "at", o->mutant->at);
    json_put_text(object, "to", to);
    free(to);
    return object;
}

/* What an id may hold beyond letters and digits is no part of a link. */
static json_t *
anchor_json(const char *id)
{
    char text[96];
    snprintf(text, sizeof text, "claim-%.80s", id);
    for (char *c = text; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && strchr(".-_", *c) == NULL)
            *c = '_';
    return json_string(text);
}

/* *m: the first mutant in v that was not taken yet. */
static json_t *
claim_json(const ckda_verification *v, const ckda_outcome *o, size_t *m)
{
    const ckda_claim *c = o->claim;
    json_t *object = verify_claim_json(o), *mutants = json_array();
    size_t refuted = 0, count = 0;
    for (; *m < v->nmutants && v->mutants[*m].claim == c; ++*m, count++) {
        json_append(mutants, mutant_json(&v->mutants[*m]));
        refuted += v->mutants[*m].truth == CKDA_FALSE;
    }
    json_put(object, "anchor", anchor_json(c->id));
    json_put_text(object, "level", level_of(o));
    json_put_text(object, "status", ckda_claim_status_name(c->status));
    json_put_text(object, "statement", c->statement);
    json_put_text(object, "why", c->why);
    json_put_text(object, "not_shown", c->not_shown);
    json_put(object, "aliases", json_texts(c->aliases));
    json_put(object, "mutants", mutants);
    json_put_count(object, "mutants_run", count);
    json_put_count(object, "mutants_refuted", refuted);
    return object;
}

static json_t *
summary_json(const ckda_verification *v)
{
    json_t *object = verify_summary_json(v);
    size_t checked = 0, modulo = 0;
    double seconds = 0;
    for (size_t i = 0; i < v->nclaims; i++) {
        checked += v->claims[i].claim->status == CKDA_CHECKED;
        modulo += is_modulo(&v->claims[i]);
        seconds += v->claims[i].seconds;
    }
    for (size_t i = 0; i < v->nmutants; i++)
        seconds += v->mutants[i].seconds;
    json_put_count(object, "checked", checked);
    json_put_count(object, "modulo", modulo);
    json_put(object, "seconds", json_real(seconds));
    return object;
}

static json_t *
target_json(const ckda_target *t)
{
    json_t *object = json_object();
    json_put_text(object, "name", t->name);
    json_put_text(object, "title", t->title);
    json_put_text(object, "where", t->where);
    return object;
}

static void
put_claims(json_t *doc, const ckda_verification *v)
{
    json_t *claims = json_array(), *targets = json_array(), *table = json_array();
    const char *last = "";
    size_t m = 0;
    for (size_t i = 0; i < v->nclaims; i++) {
        const char *target = v->claims[i].claim->target;
        json_append(claims, claim_json(v, &v->claims[i], &m));
        if (strcmp(target, last) != 0)
            json_append(targets, target_json(ckda_ledger_target(v->ledger, target)));
        last = target;
    }
    for (size_t i = 0; i < LEVELS; i++)
        json_append(table, level_json(levels + i, v));
    json_put(doc, "summary", summary_json(v));
    json_put(doc, "levels", table);
    json_put(doc, "targets", targets);
    json_put(doc, "claims", claims);
}

/* ---- the whole ------------------------------------------------------------------------ */

static json_t *
versions_json(void)
{
    json_t *object = json_object();
    json_put_text(object, "ckda", CKDA_VERSION);
    json_put_text(object, "flint", flint_version);
    json_put_text(object, "gmp", gmp_version);
    json_put_text(object, "mpfr", mpfr_get_version());
#ifdef __clang__
    json_put_text(object, "compiler", __VERSION__); /* begins with its name */
#else
    json_put_text(object, "compiler", "GCC " __VERSION__);
#endif
    return object;
}

static json_t *
certificates_json(void)
{
    json_t *object = json_object();
    json_put_text(object, "hash", "SHA-256");
    json_put_text(object, "note", NULL);
    json_put(object, "files", json_array());
    return object;
}

ckda_page *
ckda_page_open(const ckda_page_about *about, const ckda_verification *v)
{
    static const char *const lists[] = {"pictures", "sweeps", "reach",
                                        "bits",     "drift",  "rounded"};
    ckda_page *p = flint_malloc(sizeof *p);
    json_t *doc = json_object();
    *p = (ckda_page){.doc = doc};
    json_put_text(doc, "schema", "ckda.report/1");
    json_put(doc, "versions", versions_json());
    json_put_text(doc, "date", about->date);
    json_put_text(doc, "command", about->command);
    json_put_count(doc, "seed", v->seed);
    json_put_text(doc, "effort", verify_effort_name(v->effort));
    put_claims(doc, v);
    json_put_text(doc, "no_results", about->no_results);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        json_put(doc, lists[i], json_array());
    json_put(doc, "certificates", certificates_json());
    return p;
}

void
ckda_page_close(ckda_page **p)
{
    if (*p == NULL)
        return;
    for (size_t i = 0; i < (*p)->ndrawings; i++) {
        xmlFreeDoc((*p)->drawing[i].svg);
        free((*p)->drawing[i].name);
    }
    flint_free((*p)->drawing);
    json_decref((*p)->doc);
    flint_free(*p);
    *p = NULL;
}

/* ---- results -------------------------------------------------------------------------- */

static void
append(ckda_page *p, const char *list, json_t *value)
{
    json_append(json_object_get(p->doc, list), value);
}

void
ckda_page_add_sweep(ckda_page *p, const ckda_sweep_report *r)
{
    append(p, "sweeps", sweep_json(r));
}

void
ckda_page_add_reach(ckda_page *p, const ckda_reach_result *r)
{
    append(p, "reach", reach_json(r));
}

void
ckda_page_add_drift(ckda_page *p, const ckda_drift_report *r)
{
    append(p, "drift", drift_json(r));
}

/* What a reader types to have this row. */
static void
put_command(json_t *row, const ckda_allwords_report *r)
{
    ckda_memstream m;
    ckda_memstream_open(&m);
    FILE *out = m.out;
    fprintf(out, "ckda audit %s --construction %s", r->system, r->tracker->c->name);
    print_arithmetic_options(out, r->arith);
    fprintf(out, " --all-words --max-states %llu",
            (unsigned long long)r->limits->max_states);
    char *text = ckda_memstream_close(&m, NULL);
    json_put_text(row, "command", text);
    free(text);
}

void
ckda_page_add_rounded(ckda_page *p, const ckda_allwords_report *r, const char *note)
{
    json_t *row = allwords_json(r);
    json_put_text(row, "note", note);
    put_command(row, r);
    append(p, "rounded", row);
}

void
ckda_page_add_bits(ckda_page *p, const ckda_page_bits *b)
{
    json_t *object = json_object(), *bits = json_array();
    uint64_t most = 0;
    for (size_t i = 0; i < b->length; i++) {
        most = b->bits[i] > most ? b->bits[i] : most;
        json_append(bits, json_integer((json_int_t)b->bits[i]));
    }
    json_put_text(object, "title", b->title);
    json_put_text(object, "system", b->system);
    json_put_text(object, "construction", b->construction);
    json_put_text(object, "factoriser", b->factoriser);
    json_put_count(object, "seed", b->seed);
    json_put_count(object, "length", b->length);
    json_put_count(object, "max_bits", most);
    json_put_count(object, "last_bits", b->length > 0 ? b->bits[b->length - 1] : 0);
    json_put(object, "bits", bits);
    append(p, "bits", object);
}

void
ckda_page_add_certificate(ckda_page *p, const char *claim, const char *file,
                          const char *bytes, size_t size)
{
    json_t *object = json_object();
    char hex[65];
    sha256_hex(hex, bytes, size);
    json_put_text(object, "claim", claim);
    json_put_text(object, "file", file);
    json_put_count(object, "bytes", size);
    json_put_text(object, "sha256", hex);
    json_append(json_object_get(json_object_get(p->doc, "certificates"), "files"),
                object);
}

void
ckda_page_set_certificates_note(ckda_page *p, const char *note)
{
    json_put_text(json_object_get(p->doc, "certificates"), "note", note);
}

ckda_status
ckda_page_add_picture(ckda_page *p, const ckda_page_picture *d, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    page_drawing drawing = {strdup(d->name), NULL};
    ckda_require_memory(drawing.name != NULL);
    if (d->svg != NULL)
        st = page_svg_read(&drawing.svg, d, err);
    json_t *object = json_object();
    json_put_text(object, "name", d->name);
    json_put_text(object, "title", d->title);
    json_put_text(object, "caption", d->caption);
    json_put_text(object, "data", d->data);
    json_put_text(object, "script", d->script);
    json_put_bool(object, "drawn", drawing.svg != NULL);
    json_put_text(object, "missing",
                  st == CKDA_OK ? d->missing : "gnuplot wrote no well-formed SVG");
    append(p, "pictures", object);
    p->drawing = flint_realloc(p->drawing, (p->ndrawings + 1) * sizeof *p->drawing);
    p->drawing[p->ndrawings++] = drawing;
    return st;
}

char *
ckda_page_json(ckda_page *p, size_t *size)
{
    ckda_memstream m;
    ckda_memstream_open(&m);
    json_print(m.out, json_incref(p->doc));
    return ckda_memstream_close(&m, size);
}
