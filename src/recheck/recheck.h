/* ckda-recheck: a small checker of certificates, apart from everything that searches.
 *
 * It shares no code with the rest of this project: its own arithmetic and rounding on GMP
 * integers; jansson reads the JSON of a line.  Numbers are polynomials in a root of a monic
 * integer polynomial f over one denominator.  docs/certificates.md describes the format
 * and says for each kind what `s VERIFIED` means.
 *
 * Every array grows with what has been read, never with what a line announces.  Functions
 * that return bool return false after a refusal, whose reason is in the reader.          */
#ifndef CKDA_RECHECK_H
#define CKDA_RECHECK_H
#include <gmp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- reader.c: lines, members, numbers -------------------------------------------- */

typedef struct {
    FILE *file;
    char *text; /* the current line */
    size_t room;
    uint64_t line, first; /* number of the current line, of the first of this part */
    json_t *json;         /* the current line; the reader owns it */
    bool whole;           /* what is being checked is not on the current line */
    bool at_end, broken;  /* no more lines; the operating system failed */
    char reason[512];     /* why it was refused */
} reader;

/* The next line as a JSON object.  At the end of the file: refused, at_end is set. */
bool next_line(reader *in);
/* Keeps the first reason, with the number of the line in front unless in->whole; returns
 * false. */
bool refuse(reader *in, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Members of objects; refused unless they are there and of the right type.  `what` is how
 * the value is called in a reason. */
bool get_member(reader *in, json_t **out, const json_t *object, const char *key);
bool get_object(reader *in, json_t **out, const json_t *object, const char *key);
bool get_text(reader *in, const char **out, const json_t *object, const char *key);
/* An array of exactly `want` items (any number for SIZE_MAX). */
bool get_array(reader *in, json_t **out, const json_t *object, const char *key,
               size_t want);
/* low <= number <= high. */
bool get_count(reader *in, uint64_t *out, const json_t *object, const char *key,
               uint64_t low, uint64_t high);
bool as_count(reader *in, uint64_t *out, const json_t *value, const char *what, size_t i,
              uint64_t low, uint64_t high);
/* Refused unless the count, or the array, under `key` says what was found. */
bool expect_count(reader *in, const json_t *object, const char *key, uint64_t found);
bool expect_list(reader *in, const json_t *object, const char *key, const uint64_t *found,
                 size_t n);
/* The next line, which begins with "key": number. */
bool numbered_line(reader *in, const char *key, uint32_t number);
/* A JSON integer, or digits in a string with an optional minus sign. */
bool as_integer(reader *in, mpz_t out, const json_t *value, const char *what, size_t i);
/* "p" or "p/q" with q > 0, in a string. */
bool as_fraction(reader *in, mpq_t out, const json_t *value, const char *what);
void *grown(void *array, size_t count, size_t size); /* ends the program without memory */
/* Is the text the second of two choices? */
bool get_choice(reader *in, bool *second, const json_t *object, const char *key,
                const char *first_name, const char *second_name);

/* Byte strings, sorted by all_differ; false: neighbours number *at - 1 and *at are equal. */
typedef struct {
    const void *bytes;
    size_t size;
    uint32_t number;
} listed;
bool all_differ(uint32_t *at, listed *list, uint32_t count);

/* ---- ring.c: matrices over Q[x]/(f) ------------------------------------------------- */

/* count integers over one positive denominator; no common divisor of all of them. */
typedef struct {
    size_t count;
    mpz_t *num, den;
} matrix;

mpz_t *integers_new(size_t count);
void integers_free(mpz_t *v, size_t count); /* NULL is allowed */
void matrix_init(matrix *A, size_t count);
void matrix_clear(matrix *A);
/* To lowest terms; false: it was there. */
bool matrix_reduce(matrix *A);
/* {"den": 4, "num": [...]} with exactly `count` numbers, in lowest terms. */
bool matrix_read(reader *in, matrix *A, const json_t *object, const char *key,
                 size_t count);
/* One byte string for one integer, which ends itself: appended at *used, the array grows;
 * the other way returns what follows it. */
void pack_integer(uint8_t **bytes, size_t *room, size_t *used, const mpz_t x);
const uint8_t *unpack_integer(mpz_t x, const uint8_t *from);
/* The same for a matrix, from the start of the array; returns the bytes written. */
size_t matrix_pack(uint8_t **bytes, size_t *room, const matrix *A);
void matrix_unpack(matrix *A, const uint8_t *bytes);

typedef struct {
    uint32_t row, mid, power; /* of a coefficient that is not 0 */
    mpz_srcptr value;
} term;

typedef struct {
    matrix linear, offset; /* offset.count = 0: none */
    term *terms;
    size_t nterms;
    uint32_t element; /* of the group */
} letter;

typedef struct {
    size_t rows, cols, degree; /* of a state, of f */
    mpz_t *f;                  /* degree + 1, monic */
    mpq_t low, high;           /* the root: the only one between them */
    matrix initial;
    letter *letters;
    uint32_t nletters;
    uint64_t stated; /* letters that the header announces */
    /* the group: `order` permutations of `points` points */
    bool has_group;
    uint32_t points, order;
    uint16_t *image;
    mpz_t *work; /* rows cols (2 degree - 1) */
} instance;

/* x->terms from x->linear. */
void list_terms(letter *x, const instance *I);
/* T = A S + B. */
void step(matrix *T, instance *I, const letter *x, const matrix *S);

/* ---- instance.c, root.c -------------------------------------------------------------- */

void instance_clear(instance *I);
/* Shape, letters and group as the header has them; the beginning of the next line
 * "letter"; the lines "element", if there is a group. */
bool header_read(reader *in, instance *I, const json_t *header);
bool letter_begin(reader *in, instance *I);
bool group_read(reader *in, instance *I);
/* The header and the lines "field", "initial", "letter" and "element". */
bool instance_read(reader *in, instance *I, const json_t *header);
/* f changes sign between low and high and is monotone there, or low = high is a root. */
bool root_check(reader *in, const instance *I);
/* Narrows low .. high below 2^-bits / 2^16; floor[k] <= 2^bits a^k <= floor[k] + width[k], k < degree, arrays initialised. */
void root_powers(mpz_t *floor, mpz_t *width, instance *I, size_t bits);

/* ---- the kinds ------------------------------------------------------------------------ */

bool rounded_check(reader *in, char said[256], instance *I, const json_t *header);
bool infinite_check(reader *in, char said[256], instance *I);

/* closure.c: the lines "state" and what they say, for states that are exact matrices
 * (R == NULL) or rounded ones. */
typedef struct rounded rounded;
bool graph_check(reader *in, char said[256], instance *I, const json_t *header,
                 rounded *R);
/* rounded.c: the first state packed; the state to go on from; its successor by a letter (0
 * bytes after an overflow). */
size_t rounded_start(rounded *R, uint8_t **bytes, size_t *room);
void rounded_from(rounded *R, const uint8_t *bytes);
size_t rounded_to(rounded *R, uint32_t x, uint8_t **bytes, size_t *room);

/* States in packed form, by number. */
typedef struct {
    uint8_t *bytes;
    size_t used, room;
    uint64_t *at; /* UINT64_MAX: not known yet */
    uint32_t count;
} store;
/* distinct.c: all states of the store are different numbers. */
bool distinct_check(reader *in, instance *I, const store *states);

/* ---- check.c -------------------------------------------------------------------------- */

typedef enum { VERIFIED, REFUSED, UNREADABLE } verdict;
/* Comments ("c ...") go to `out` unless it is NULL; reason has room for 512 bytes. */
verdict recheck_stream(FILE *file, FILE *out, char *reason);

#endif
