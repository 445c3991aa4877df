/* ckda audit SYSTEM: drift on words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit.h"
#include "ckda/chunk.h"
#include "ckda/doc.h"
#include "ckda/drift.h"
#include "ckda/input.h"
#include "ckda/report_drift.h"
#include "picture.h"
#include "tracker_source.h"
#include "watch.h"

enum {
    DEFAULT_LENGTH = 10000,
    DEFAULT_WORDS = 100,
    SPLIT_WORDS = 3,
    SPLIT_LENGTH = 100000,
    CAUSE_LENGTH = 1 << 20
};

/* Everything of one run. */
typedef struct {
    const audit_options *o;
    ckda_tracker_t tracker;
    ckda_rounded_t rounded;
    ckda_word_t word; /* letters of the tracker; length 0: random words */
    uint64_t at[CKDA_DRIFT_MAX_ROWS];
    ckda_drift_options options;
    ckda_drift_report report;
    ckda_arith arith; /* with a chunk: what its keys come to */
    ckda_chunk_t chunk;
    ckda_drift_kernel kernel;
    char kernel_text[160];
} run;

/* ---- what is asked -------------------------------------------------------------------- */

/* The tracker's letters of --word. */
static ckda_status
read_word(run *r, ckda_error *err)
{
    ckda_rand random;
    ckda_rand_init(&random, r->o->seed);
    r->word->letter = NULL;
    r->word->length = 0;
    if (r->o->word == NULL)
        return CKDA_OK;
    const ckda_tracker_struct *t = r->tracker;
    const ckda_status st = ckda_input_word_group(r->word, t->c->G, t->element_of_letter,
                                                 t->nletters, r->o->word, &random, err);
    if (st != CKDA_OK)
        return st;
    for (size_t i = 0; i < r->word->length; i++)
        r->word->letter[i] = (uint32_t)ckda_tracker_letter(t, r->word->letter[i]);
    if (r->word->length > 0)
        return CKDA_OK;
    ckda_word_clear(r->word);
    ckda_error_set(err, "word: expected letters, found the empty word");
    return CKDA_E_INPUT;
}

/* "64,256,1024", in increasing order up to length. */
static bool
read_places(run *r, uint64_t length)
{
    const char *text = r->o->at;
    size_t n = 0;
    while (*text != '\0') {
        char item[24];
        const size_t len = strcspn(text, ",");
        uint64_t t = 0;
        if (len < sizeof item) {
            memcpy(item, text, len);
            item[len] = '\0';
        }
        if (len >= sizeof item || n == CKDA_DRIFT_MAX_ROWS || !cli_read_count(&t, item)
            || t < 1 || t > length || (n > 0 && t <= r->at[n - 1])) {
            ckda_error err;
            ckda_error_set(&err,
                           "--at: expected at most %d increasing numbers from 1 to the "
                           "length %llu, found '%.200s'",
                           CKDA_DRIFT_MAX_ROWS, (unsigned long long)length, r->o->at);
            (void)cli_fail_usage(&err);
            return false;
        }
        r->at[n++] = t;
        text += len + (text[len] == ',');
    }
    r->options.nat = n;
    return true;
}

/* Powers of ten, with 2 and 5 times as much for a picture, and the end. */
static void
usual_places(run *r, uint64_t length)
{
    static const uint64_t fine[] = {1, 2, 5}, coarse[] = {1};
    const uint64_t *factor = r->o->svg != NULL ? fine : coarse;
    const size_t nfactors = r->o->svg != NULL ? 3 : 1;
    size_t n = 0;
    for (uint64_t power = r->o->svg != NULL ? 1 : 10; power <= length; power *= 10)
        for (size_t i = 0; i < nfactors && power * factor[i] < length; i++)
            r->at[n++] = power * factor[i];
    r->at[n++] = length;
    r->options.nat = n;
}

static ckda_drift_decoder
decoder(const char *name)
{
    if (name != NULL && strcmp(name, "paper") == 0)
        return CKDA_DRIFT_PAPER;
    return name != NULL && strcmp(name, "inner") == 0 ? CKDA_DRIFT_INNER
                                                      : CKDA_DRIFT_NEAREST;
}

static void
show_progress(const ckda_drift_progress *p, void *data)
{
    (void)data;
    const double rate = p->seconds > 0 ? (double)p->tokens / p->seconds : 0;
    if (p->parts)
        cli_progress("drift: parts, %.0f s", p->seconds);
    else
        cli_progress("drift: %.3g of %.3g tokens, %.3g tokens/s, %.0f s",
                     (double)p->tokens, (double)p->all, rate, p->seconds);
}

static bool
set_options(run *r)
{
    const audit_options *o = r->o;
    const bool given = o->word != NULL;
    const uint64_t usual = given ? r->word->length : DEFAULT_LENGTH;
    r->options = (ckda_drift_options){
        .seed = o->seed,
        .words = given           ? 1
                 : o->words != 0 ? o->words
                                 : DEFAULT_WORDS,
        .length = o->length != 0 ? o->length : usual,
        .word = given ? r->word->letter : NULL,
        .word_length = r->word->length,
        .at = r->at,
        .decoder = decoder(o->decoder),
        .threads = o->threads,
        .split_words = SPLIT_WORDS,
        .split_length = SPLIT_LENGTH,
        .cause_length = CAUSE_LENGTH,
        .limits = &o->limits,
        .progress = cli_shows_progress() ? show_progress : NULL,
    };
    if (o->at != NULL)
        return read_places(r, r->options.length);
    usual_places(r, r->options.length);
    return true;
}

/* ---- chunked kernels -------------------------------------------------------------------- */

static ckda_status
read_scheme(ckda_chunk_scheme *s, const audit_options *o, ckda_error *err)
{
    *s = ckda_chunk_scheme_default;
    s->length = (uint32_t)o->chunk;
    s->direct = o->direct;
    s->key = o->arith.key;
    s->beta_rule = o->arith.beta_rule;
    s->grid = o->arith.grid;
    s->state = o->arith.state;
    const ckda_status st =
        ckda_chunk_split_named(&s->split, o->split != NULL ? o->split : "FLA", err);
    return st == CKDA_OK ? ckda_chunk_scheme_check(s, err) : st;
}

/* The chunk's parameters as those of a token-by-token arithmetic, where it has a format of
 * that precision: for the norm law and the exact recurrence on rounded inputs. */
static void
adapt_arithmetic(run *r, const ckda_chunk_scheme *s)
{
    static const ckda_fp_format *const formats[] = {&ckda_fp_bf16, &ckda_fp_fp16,
                                                    &ckda_fp_fp32};
    r->arith.keys = r->arith.beta = r->arith.compute = &ckda_fp_fp32;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i]->precision == s->split.key)
            r->arith.keys = formats[i];
    r->arith.fma = false;
}

static void
describe(run *r, const ckda_chunk_scheme *s)
{
    const ckda_chunk_split *p = &s->split;
    snprintf(
        r->kernel_text, sizeof r->kernel_text,
        "chunks of %lu tokens (WY), %s: %d bits of key, %d T, %d beta k, %d W, %d v%s",
        (unsigned long)s->length, p->name, p->key, p->t, p->beta_key, p->w, p->v,
        s->direct ? ", W without the inverse" : "");
}

/* Makes the chunk's kernel that of the run. */
static ckda_status
open_chunk(run *r, const ckda_chunk_scheme *s, ckda_error *err)
{
    const ckda_status st = ckda_chunk_init(r->chunk, r->tracker, s, err);
    if (st != CKDA_OK)
        return st;
    r->kernel = ckda_drift_chunk_kernel(r->chunk);
    r->options.kernel = &r->kernel;
    describe(r, s);
    r->report.kernel = r->kernel_text;
    r->report.other_parameters = !ckda_drift_chunk_agrees(r->chunk, r->rounded);
    if (r->report.other_parameters)
        r->options.split_words = r->options.cause_length = 0;
    return CKDA_OK;
}

/* ---- the picture ------------------------------------------------------------------------ */

static void
print_data(FILE *out, const void *of)
{
    ckda_report_drift_data(out, of);
}

static void
print_script(FILE *out, const char *data, const void *of)
{
    ckda_report_drift_script(out, data, of);
}

static ckda_status
picture(const ckda_drift_report *r, const char *svg, ckda_error *err)
{
    const cli_picture p = {print_data, print_script, r};
    return cli_draw(svg, &p, err);
}

/* ---- the run ---------------------------------------------------------------------------- */

/* cli_fail, but what does not exist is refuted and a wrong option is wrong usage. */
static int
failed(ckda_status st, bool option, const ckda_error *err)
{
    const int code = cli_fail(st, err);
    if (st == CKDA_E_DOMAIN)
        return EXIT_REFUTED;
    return st == CKDA_E_INPUT && option ? EXIT_USAGE : code;
}

static int
judge(run *r)
{
    ckda_drift_result_t drift;
    ckda_error err;
    ckda_error_clear(&err);
    ckda_status st = ckda_drift_run(drift, r->tracker, r->rounded, &r->options, &err);
    cli_end_progress();
    if (st != CKDA_OK)
        return failed(st, true, &err); /* the word was checked before */
    r->report.system = r->o->system;
    r->report.tracker = r->tracker;
    r->report.rounded = r->rounded;
    r->report.options = &r->options;
    r->report.drift = drift;
    r->report.word = r->o->word;
    char *certificate =
        r->o->chunk == 0 ? audit_certificate(r->tracker, r->rounded) : NULL;
    r->report.certificate = certificate;
    ckda_report_drift(stdout, r->o->json, &r->report);
    int code = drift->failed > 0 ? EXIT_REFUTED : EXIT_HOLDS;
    if (r->o->svg != NULL) {
        st = picture(&r->report, r->o->svg, &err);
        if (st != CKDA_OK)
            code = cli_fail(st, &err);
    }
    free(certificate);
    ckda_drift_clear(drift);
    return code;
}

static int
with_rounded(run *r, const ckda_chunk_scheme *scheme)
{
    ckda_error err;
    ckda_error_clear(&err);
    if (!set_options(r))
        return EXIT_USAGE;
    if (scheme == NULL)
        return judge(r);
    const ckda_status st = open_chunk(r, scheme, &err);
    if (st != CKDA_OK)
        return failed(st, true, &err);
    const int code = judge(r);
    ckda_chunk_clear(r->chunk);
    return code;
}

static int
with_word(run *r)
{
    ckda_chunk_scheme scheme;
    ckda_error err;
    ckda_status st = CKDA_OK;
    ckda_error_clear(&err);
    if (r->o->chunk > 0) {
        st = read_scheme(&scheme, r->o, &err);
        if (st == CKDA_OK)
            adapt_arithmetic(r, &scheme);
    }
    if (st == CKDA_OK)
        st = ckda_rounded_init(r->rounded, r->tracker, &r->arith, &err);
    if (st != CKDA_OK)
        return failed(st, true, &err);
    const int code = with_rounded(r, r->o->chunk > 0 ? &scheme : NULL);
    ckda_rounded_clear(r->rounded);
    return code;
}

int
audit_words(const audit_options *o)
{
    run r = {.o = o, .arith = o->arith};
    ckda_error err;
    ckda_error_clear(&err);
    ckda_status st =
        cli_tracker_open(r.tracker, o->system, o->construction, &o->limits, &err);
    if (st != CKDA_OK)
        return failed(st, true, &err);
    ckda_tracker_set_start(r.tracker, o->arith.start);
    st = read_word(&r, &err);
    const int code = st == CKDA_OK ? with_word(&r) : failed(st, false, &err);
    if (st == CKDA_OK)
        ckda_word_clear(r.word);
    ckda_tracker_clear(r.tracker);
    return code;
}
