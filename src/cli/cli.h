/* The command line: commands, exit codes, helpers.  Parsing of arguments only; the work
 * is done by the rooms below, and results are written by the report room. */
#ifndef CKDA_SRC_CLI_CLI_H
#define CKDA_SRC_CLI_CLI_H
#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "ckda/claim.h"
#include "ckda/limits.h"
#include "ckda/status.h"

/* Exit codes that users rely on. */
enum {
    EXIT_HOLDS = 0,
    EXIT_REFUTED = 1,
    EXIT_USAGE = 2,
    EXIT_UNDECIDED = 3,
    EXIT_BAD_INPUT = 4, /* or an error of the operating system */
    EXIT_INTERNAL = 5
};

/* The whole program; main only calls it. */
int ckda_cli_main(int argc, char **argv);

/* Each command gets its own arguments, argv[0] being "ckda NAME", and returns the exit
 * code. */
int cli_list(int argc, char **argv);
int cli_explain(int argc, char **argv);
int cli_verify(int argc, char **argv);
int cli_decompose(int argc, char **argv);
int cli_spectrum(int argc, char **argv);
int cli_factor(int argc, char **argv);
int cli_sweep(int argc, char **argv);
int cli_reach(int argc, char **argv);
int cli_compile(int argc, char **argv);
int cli_construct(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_audit(int argc, char **argv);
int cli_range(int argc, char **argv);
int cli_report(int argc, char **argv);
int cli_reduce(int argc, char **argv);

/* ---- fatal.c ---- */

/* A failed requirement, or a crash below, ends the program with EXIT_INTERNAL, a lack of
 * memory with EXIT_UNDECIDED; no unfinished file is left, nor after a signal that kills. */
void cli_catch_fatal(void);
/* What the message names, and whether a TAP stream must be ended ("Bail out!"). */
void cli_working_on(const char *what, bool tap);
/* A handler of signals that kill: what is unfinished goes, then the program. */
void cli_on_kill(int signal_number);
/* The exit code that follows is the command's own. */
void cli_has_answered(void);
/* At exit: anything that could not be written to stdout makes EXIT_BAD_INPUT. */
void cli_check_stdout_at_exit(void);

/* ---- memory.c ---- */

/* Before anything else: allocations of the libraries that fail end the program with
 * EXIT_UNDECIDED instead of theirs, or of nothing at all. */
void cli_watch_memory(void);

/* ---- common.c ---- */

/* "ckda: message" on stderr; returns the exit code that belongs to the status. */
int cli_fail(ckda_status status, const ckda_error *err);
/* The same, but the exit code is that of wrong usage. */
int cli_fail_usage(const ckda_error *err);
/* Puts the file's name in front of a message that does not begin with it. */
void cli_name_file(ckda_error *err, const char *file);
/* Opens the ledger or ends the program with EXIT_INTERNAL: it is part of the build. */
ckda_ledger *cli_open_ledger(void);
/* The options of the command, and --quiet.  What argp_parse answers beyond its own exits is
 * a shortage of memory. */
void cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Edits (insert, delete, replace, swap of neighbours) from one word to the other. */
size_t cli_distance(const char *a, const char *b);
/* The word nearest to what was typed, kept over several calls of cli_guess_add; best is
 * NULL while nothing is near enough to be meant. */
typedef struct {
    const char *typed, *best;
    size_t distance;
} cli_guess;
void cli_guess_init(cli_guess *g, const char *typed);
void cli_guess_add(cli_guess *g, const char *word);
/* All names of the ledger: ids, aliases, targets. */
void cli_guess_add_ledger(cli_guess *g, const ckda_ledger *l);
/* "; did you mean `x'?" or "", in a static buffer. */
const char *cli_guess_text(const cli_guess *g);
/* The same for a system that is neither a built-in name nor a file, else "". */
const char *cli_system_guess(const char *typed);
/* Adds it to a message. */
void cli_guess_system(ckda_error *err, const char *typed);

/* "ckda WHAT 'typed'" with a guess from the ledger on stderr; returns EXIT_USAGE. */
int cli_no_match(const char *what, const ckda_ledger *l, const char *typed);
/* EXIT_HOLDS, or EXIT_USAGE with a message when a pattern matches no claim. */
int cli_check_patterns(const char *command, const ckda_ledger *l, char **patterns, int n);

/* Ends the program with EXIT_USAGE and a guess at the first long option that the parser does
 * not have, if one of its own may be meant. */
void cli_guess_options(const struct argp *argp, int argc, char **argv);
/* Is the option of that key among the arguments, abbreviated or not? */
bool cli_has_option(const struct argp *argp, int argc, char **argv, int key);

/* Option values; false for anything but a whole number in range, a size such as 64M or 2G
 * (powers of 1024), a time such as 10, 1.5, 90s, 5m, 1h. */
bool cli_read_count(uint64_t *n, const char *text);
bool cli_read_size(uint64_t *bytes, const char *text);
bool cli_read_seconds(double *seconds, const char *text);

/* The one operand of a command ("SYSTEM", "FILE"): what parsers do with ARGP_KEY_ARG and
 * ARGP_KEY_NO_ARGS.  A second or a missing one ends the program through argp_error. */
error_t cli_parse_operand(const char **operand, const char *what, int key, char *arg,
                          struct argp_state *state);

/* A WORD that was given as the operand or option `name`: "@" alone names no file. */
void cli_check_word(const char *name, const char *word, struct argp_state *state);
/* Is it a construction of some group, or one of `more` (up to NULL; or NULL: no more)? */
void cli_check_construction(const char *name, const char *const *more,
                            struct argp_state *state);

/* Can these files be made, or made anew?  NULL where none was asked for; asked before
 * anything long is run.  CKDA_E_IO as for cli_check_parent. */
ckda_status cli_check_outputs(const char *const *files, size_t n, ckda_error *err);
/* Can a new name be made where `path` stands?  Asked before anything long is run: CKDA_E_IO
 * where its folder is not there or may not be written to. */
ckda_status cli_check_parent(const char *path, ckda_error *err);

/* Keys of --max-states, --max-memory and --max-time in the option table of a command. */
enum { CLI_KEY_MAX_STATES = 0x10000, CLI_KEY_MAX_MEMORY, CLI_KEY_MAX_TIME };
/* Reads one of them (none may be zero); ARGP_ERR_UNKNOWN for every other key.  A bad value
 * ends the program through argp_error. */
error_t cli_parse_limit(ckda_limits *limits, int key, const char *arg,
                        struct argp_state *state);
/* The program itself takes about 15 MiB (code, libraries, tables of its own).  A limit that
 * is large beside that is one on the whole process, a smaller one on the search alone; a
 * constant, so that the same limit stops a search at the same state everywhere. */
#define CLI_MEMORY_OF_PROGRAM (UINT64_C(15) << 20)
/* After the system was read, which takes part of the limits: the time since the program
 * began, and of memory, where it is large, `times` as much as is held now (2: the search
 * makes a copy).  In memory.c. */
void cli_charge_for_system(ckda_limits *limits, unsigned times);

#endif
