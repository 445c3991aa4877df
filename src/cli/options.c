/* A guess for a long option that does not exist; getopt knows none. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
is_end(const struct argp_option *o)
{
    return o->name == NULL && o->key == 0 && o->doc == NULL && o->group == 0;
}

/* The first option of the command that begins with these letters, or has this key; every
 * name is offered to the guess. */
static const struct argp_option *
find(const struct argp *argp, const char *name, size_t length, int key, cli_guess *guess)
{
    for (const struct argp_option *o = argp->options; o != NULL && !is_end(o); o++) {
        if (name != NULL && o->name != NULL && strncmp(o->name, name, length) == 0)
            return o;
        if (name == NULL && o->key == key)
            return o;
        if (guess != NULL && o->name != NULL)
            cli_guess_add(guess, o->name);
    }
    for (const struct argp_child *c = argp->children; c != NULL && c->argp != NULL; c++) {
        const struct argp_option *o = find(c->argp, name, length, key, guess);
        if (o != NULL)
            return o;
    }
    return NULL;
}

static bool
wants_next_word(const struct argp_option *o)
{
    return o != NULL && o->arg != NULL && (o->flags & OPTION_ARG_OPTIONAL) == 0;
}

/* Of "-x" or "-xyz": is the next word an argument? */
static bool
short_takes_next(const struct argp *argp, const char *word)
{
    for (word++; *word != '\0'; word++)
        if (wants_next_word(find(argp, NULL, 0, *word, NULL)))
            return word[1] == '\0';
    return false;
}

static bool
short_has(const struct argp *argp, const char *word, int key)
{
    for (word++; *word != '\0'; word++) {
        if (*word == key)
            return true;
        if (wants_next_word(find(argp, NULL, 0, *word, NULL)))
            return false;
    }
    return false;
}

static const char *const built_in[] = {"help", "usage", "version"}; /* argp's own */

static bool
is_built_in(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof built_in / sizeof built_in[0]; i++)
        if (strncmp(built_in[i], name, length) == 0)
            return true;
    return false;
}

/* Does a long option exist?  Ends the program if not, and another one may be meant. */
static const struct argp_option *
long_option(const struct argp *argp, const char *program, const char *name, size_t length)
{
    char typed[64];
    cli_guess guess;
    snprintf(typed, sizeof typed, "%.*s", length < 60 ? (int)length : 60, name);
    cli_guess_init(&guess, typed);
    const struct argp_option *o = find(argp, name, length, 0, &guess);
    for (size_t i = 0; i < sizeof built_in / sizeof built_in[0]; i++)
        cli_guess_add(&guess, built_in[i]);
    if (o == NULL && !is_built_in(name, length) && guess.best != NULL) {
        fprintf(stderr,
                "%s: unrecognized option '--%s'; did you mean '--%s'?\n"
                "Try `%s --help' or `%s --usage' for more information.\n",
                program, typed, guess.best, program, program);
        exit(EXIT_USAGE);
    }
    return o;
}

void
cli_guess_options(const struct argp *argp, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *word = argv[i];
        if (strncmp(word, "--", 2) == 0) {
            const size_t length = strcspn(word + 2, "=");
            const struct argp_option *o = long_option(argp, argv[0], word + 2, length);
            i += wants_next_word(o) && word[2 + length] == '\0';
        } else if (word[0] == '-') {
            i += short_takes_next(argp, word);
        }
    }
}

bool
cli_has_option(const struct argp *argp, int argc, char **argv, int key)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *word = argv[i];
        if (strncmp(word, "--", 2) == 0) {
            const size_t length = strcspn(word + 2, "=");
            const struct argp_option *o = find(argp, word + 2, length, 0, NULL);
            if (o != NULL && o->key == key)
                return true;
            i += wants_next_word(o) && word[2 + length] == '\0';
        } else if (word[0] == '-') {
            if (short_has(argp, word, key))
                return true;
            i += short_takes_next(argp, word);
        }
    }
    return false;
}
