/* ckda-recheck: a small checker of certificates, apart from everything that searches.
 *
 * It shares no code with the rest of this project: its own reader of lines (JSON of one
 * line by jansson), its own arithmetic on GMP integers, its own rounding.  Numbers are
 * polynomials in a root of a monic integer polynomial f, divided by an integer: equality
 * in Q[x]/(f) is equality of coefficients.  docs/certificates.md describes the format and
 * says for each kind what `s VERIFIED` means.
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

#define LONGEST_LINE ((size_t)1 << 28)

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

void reader_init(reader *in, FILE *file);
void reader_clear(reader *in);
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
/* 0 <= number <= max. */
bool get_count(reader *in, uint64_t *out, const json_t *object, const char *key,
               uint64_t max);
bool as_count(reader *in, uint64_t *out, const json_t *value, const char *what, size_t i,
              uint64_t max);
/* A JSON integer, or digits in a string with an optional minus sign. */
bool as_integer(reader *in, mpz_t out, const json_t *value, const char *what, size_t i);
/* "p" or "p/q" with q > 0, in a string. */
bool as_fraction(reader *in, mpq_t out, const json_t *value, const char *what);
void *grown(void *array, size_t count, size_t size); /* ends the program without memory */

/* ---- ring.c: matrices over Q[x]/(f) ------------------------------------------------- */

/* count integers over one positive denominator; no common divisor of all of them. */
typedef struct {
    size_t count;
    mpz_t *num, den;
} matrix;

void matrix_init(matrix *A, size_t count);
void matrix_clear(matrix *A);
void matrix_reduce(matrix *A);
/* {"den": 4, "num": [...]} with exactly `count` numbers, in lowest terms. */
bool matrix_read(reader *in, matrix *A, const json_t *object, const char *key,
                 size_t count);
/* One byte string for one value: compared with memcmp.  Returns the bytes written into
 * *bytes, which grows. */
size_t matrix_pack(uint8_t **bytes, size_t *room, const matrix *A);
void matrix_unpack(matrix *A, const uint8_t *bytes);

typedef struct {
    uint32_t row, mid, power; /* of a coefficient that is not 0 */
    uint64_t small;           /* its absolute value if it fits, else 0 */
    bool minus;
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
    /* the group: `order` permutations of `points` points */
    bool has_group;
    uint32_t points, order;
    uint16_t *image;
    mpz_t *work; /* rows cols (2 degree - 1) */
} instance;

/* T = A S + B. */
void step(matrix *T, instance *I, const letter *x, const matrix *S);

/* ---- instance.c, root.c -------------------------------------------------------------- */

void instance_init(instance *I);
void instance_clear(instance *I);
/* The lines "field", "initial", "letter" and "element" of a part with this header. */
bool instance_read(reader *in, instance *I, const json_t *header);
/* f changes sign between low and high and is monotone there, or low = high is a root. */
bool root_check(reader *in, const instance *I);
/* Narrows low .. high below 2^-bits. */
void root_refine(instance *I, size_t bits);
/* floor[k] <= 2^bits a^k <= floor[k] + width[k], k < degree, arrays initialised. */
void root_powers(mpz_t *floor, mpz_t *width, instance *I, size_t bits);

/* ---- the kinds ------------------------------------------------------------------------ */

/* What was verified, for people. */
typedef struct {
    char text[256];
} summary;

bool closure_check(reader *in, summary *said, instance *I, const json_t *header);
bool infinite_check(reader *in, summary *said, instance *I);

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
verdict recheck_file(const char *path, FILE *out, char *reason);

#endif
