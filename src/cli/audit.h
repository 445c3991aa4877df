/* The options of `ckda audit`, shared by its four modes. */
#ifndef CKDA_SRC_CLI_AUDIT_H
#define CKDA_SRC_CLI_AUDIT_H
#include "cli.h"

#include "ckda/arith.h"
#include "ckda/limits.h"
#include "ckda/rounded.h"

enum { AUDIT_MAX_FILES = 16, AUDIT_MAX_GRID = 1 << 22 };

typedef struct {
    bool json;
    uint64_t seed;
    int threads; /* 0: as OpenMP decides */
    const char *system, *construction;
    ckda_arith arith;
    bool beta_rule_given;  /* else a chunked kernel takes beta from the rounded key */
    bool starts_at_random; /* without a seed of its own: that of --seed */
    const char *preset;    /* NULL: none named */
    ckda_limits limits;
    /* a chunked kernel: 0 is none */
    uint64_t chunk;
    const char *split; /* NULL: FLA */
    bool direct;       /* W solved without the inverse */
    /* words */
    uint64_t length, words; /* 0: the mode's default */
    const char *word;       /* a WORD as `ckda run` takes it */
    const char *at;         /* "64,256,1024": where drift is shown */
    const char *decoder;    /* nearest, inner, paper; NULL: nearest */
    const char *svg;
    /* all words */
    bool all_words, columns;
    const char *checkpoint, *resume, *certificate;
    double checkpoint_seconds;
    /* the lemma */
    bool snap, search_scale, search_initial;
    uint64_t search_start; /* so many starts; 0: not asked */
    bool search_keys;      /* with keys and beta moved by up to so many values */
    int most_keys, most_beta;
    bool exhaustive; /* chunk: try every word of this length if the cap allows */
    /* traces */
    const char *trace[AUDIT_MAX_FILES];
    int ntraces;
} audit_options;

/* Why no word at all decodes wrongly, by the SNAP theorem for a grid or a flush; free(); NULL
 * where the theorem does not say so. */
char *audit_certificate(const ckda_tracker_t t, const ckda_rounded_t R);

/* --start, --move-keys, --move-beta, --search-keys: read arg, or say what is wrong with it. */
void audit_start(audit_options *o, const char *arg, struct argp_state *state);
void audit_move_keys(ckda_arith *a, const char *arg, struct argp_state *state);
void audit_move_beta(ckda_arith *a, const char *arg, struct argp_state *state);
void audit_search_keys(audit_options *o, const char *arg, struct argp_state *state);

/* Each prints its result and returns the exit code. */
int audit_words(const audit_options *o);    /* drift on words */
int audit_allwords(const audit_options *o); /* rounded reachability */
int audit_snap(const audit_options *o);  /* the SNAP theorem, with or without --chunk */
int audit_trace(const audit_options *o); /* somebody else's tensors */

#endif
