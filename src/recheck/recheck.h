/* ckda-recheck: a small checker of certificates, apart from everything that searches.
 *
 * It shares no code with the rest of this project: its own arithmetic and rounding on GMP
 * integers; jansson reads the JSON of a line.  Numbers are polynomials in a root of a monic
 * integer polynomial f over one denominator.  docs/certificates.md describes the format
 * and says for each kind what `s VERIFIED` means.
 *
 * Every array grows with what has been read, never with what a line announces.  A refusal
 * does not return: it jumps out of the check, and all memory of the check, which is kept in
 * one list, is released there. */
#ifndef CKDA_RECHECK_H
#define CKDA_RECHECK_H
#include <gmp.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- reader.c: memory, lines, members, numbers ------------------------------------ */

/* Without memory these end the program with exit code 3: no verdict. */
void *resized(void *old, size_t old_size, size_t size); /* a plain block */
void *grown(void *array, size_t count, size_t size);
/* An array that is filled one by one, number `at` being the next: its room doubles. */
void *doubled(void *array, size_t at, size_t size);
void release(void *array); /* integers in it too; NULL is allowed */
void release_all(void);
mpz_t *integers_new(size_t count);
mpq_t *fractions_new(size_t count);

typedef struct {
    FILE *file;
    char *text;           /* the current line */
    uint64_t line, first; /* number of the current line, of the first of this part */
    json_t *json;         /* the current line; the reader owns it */
    json_t *kept;         /* an array of lines that are needed longer */
    bool whole;           /* what is being checked is not on the current line */
    bool broken;          /* the operating system failed */
    char reason[512];
    jmp_buf leave;
} reader;

/* If something is wrong, leaves the check with a reason, the number of the line in front
 * unless in->whole. */
void refuse(reader *in, bool wrong, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The next line as a JSON object; refused at the end of the file, or false there. */
void next_line(reader *in);
bool more_lines(reader *in);

/* Members of objects; refused unless they are there and of the right type.  `what` is how
 * the value is called in a reason. */
json_t *get_member(reader *in, const json_t *object, const char *key);
/* An array of exactly `want` items (any number for SIZE_MAX). */
json_t *get_array(reader *in, const json_t *object, const char *key, size_t want);
/* low <= number <= high. */
uint64_t get_count(reader *in, const json_t *object, const char *key, uint64_t low,
                   uint64_t high);
uint64_t as_count(reader *in, const json_t *value, const char *what, uint64_t low,
                  uint64_t high);
/* An array of `want` numbers, each at most high. */
void get_counts(reader *in, uint32_t *out, const json_t *object, const char *key,
                size_t want, uint64_t high);
/* An array of letters, *length of them. */
uint32_t *get_word(reader *in, size_t *length, const char *key, uint32_t nletters);
/* Refused unless the member under `key` is what was found, which is taken over. */
void expect(reader *in, const json_t *object, const char *key, json_t *found);
/* The next line, which begins with "key": number. */
void numbered_line(reader *in, const char *key, uint32_t number);
/* Is the text the second of two choices? */
bool get_choice(reader *in, const json_t *object, const char *key, const char *first,
                const char *second);
const char *text_of(const json_t *object, const char *key); /* "" if there is none */
/* A JSON integer, or digits in a string with an optional minus sign. */
void as_integer(reader *in, mpz_t out, const json_t *value, const char *what);
/* "p" or "p/q" with q > 0, in a string. */
void as_fraction(reader *in, mpq_t out, const json_t *value, const char *what);

/* ---- ring.c: matrices over Q[x]/(f) ------------------------------------------------- */

/* count integers over one positive denominator, num[count]; no common divisor of all. */
typedef struct {
    size_t count;
    mpz_t *num;
    mpz_ptr den;
} matrix;

void matrix_init(matrix *A, size_t count);
void matrix_clear(matrix *A);
/* To lowest terms; false: it was there. */
bool matrix_reduce(matrix *A);
/* {"den": 4, "num": [...]} with exactly `count` numbers, in lowest terms. */
void as_matrix(reader *in, matrix *A, const json_t *body, const char *what, size_t count);
void matrix_read(reader *in, matrix *A, const json_t *object, const char *key,
                 size_t count);

typedef struct {
    uint8_t *bytes;
    size_t used, room;
} buffer;
void append(buffer *to, const void *bytes, size_t size);
/* Matrices as byte strings that end themselves: equal in their length means equal. */
void matrix_pack(buffer *to, const matrix *A);
const uint8_t *matrix_unpack(matrix *A, const uint8_t *bytes); /* what follows it */
bool begins_with(const buffer *b, uint64_t at, const buffer *what);

typedef struct {
    const void *bytes;
    size_t size;
    uint32_t number;
} listed;
int compare_listed(const void *a, const void *b);
/* The number of one in a list that all_differ has sorted, or UINT32_MAX. */
uint32_t find_listed(const listed *list, uint32_t count, const void *bytes, size_t size);
/* Matrices one after the other, and where each is. */
typedef struct {
    buffer all;
    uint64_t *at;
    uint32_t count;
} packed;
void add_packed(packed *list, const matrix *A);
listed *list_packed(const packed *list);

typedef struct {
    matrix linear, offset, query; /* count = 0: none; a query is transposed */
    uint32_t element;             /* of the group */
} letter;

typedef struct {
    size_t rows, cols, degree; /* of a state, of f */
    mpz_t *f;                  /* degree + 1, monic */
    mpq_t *root;               /* the only one between root[0] and root[1] */
    mpz_t *floor, *width;      /* of its powers, see root_powers */
    size_t bits;
    matrix initial;
    letter *letters;
    uint32_t nletters;
    uint64_t stated;  /* letters that the header announces */
    uint64_t queries; /* of a head of a network, for each letter */
    mpq_t *range;     /* steps have betas between range[0] and range[1], gates between */
    bool signs;       /* range[2] = -1 and range[3] = 1, or only these */
    size_t steps;     /* that were multiplied out */
    /* the group: `order` permutations of `points` points; or an automaton: a map of
     * `points` states for each letter, from the state `start` on */
    bool has_group, is_automaton;
    uint32_t points, order, start;
    uint16_t *image;
    uint64_t nvalues; /* of a read-out for each element */
    packed values;
    mpz_t *work; /* 2 degree - 1 integers, 0 between any two uses */
} instance;

/* T = A S + B; A with I->rows rows, no B for a count of 0. */
void step(matrix *T, const instance *I, const matrix *A, const matrix *B,
          const matrix *S);
/* sum += a b for polynomials with `degree` coefficients; x = sum modulo f, sum = 0. */
void add_times(mpz_t *sum, mpz_t *a, mpz_t *b, const instance *I);
void settle(mpz_t *x, mpz_t *sum, const instance *I);

/* ---- instance.c, root.c, distinct.c, steps.c -------------------------------------------- */

/* Group and number of letters as the header has them; shape of the states; the beginning
 * of the next line "letter"; the lines "element". */
void header_read(reader *in, instance *I, const json_t *header);
void shape_read(reader *in, instance *I, const json_t *header);
letter *letter_begin(reader *in, instance *I);
void group_read(reader *in, instance *I);
/* Shape, the lines "field", "initial" if there are states, and "letter". */
void system_read(reader *in, instance *I, const json_t *header, bool has_states);
/* The header, the system, and the lines "element". */
void instance_read(reader *in, instance *I, const json_t *header);
/* f changes sign over the interval and is monotone there, or it is one point, a root. */
void root_check(reader *in, const instance *I);
enum { FIRST_BITS = 192, MOST_BITS = 12288, UNDECIDED = 2 };
/* Narrows the interval below 2^-bits / 2^16; floor[k] <= 2^bits a^k <= floor[k] + width[k]. */
void root_powers(instance *I, size_t bits);
/* 1, 0 or -1, or UNDECIDED: of a polynomial at the root. */
int sign_of(instance *I, mpz_t *p);
/* Sorts the list and refuses equal bytes (with `repeated` they count once); then, unless I
 * is NULL, different bytes must be packed matrices, of `size` numbers, that differ. */
void all_differ(reader *in, instance *I, const char *what, size_t size, listed *list,
                uint32_t count, bool repeated);
/* The first `top` rows of the product of the steps on the line are the letter's matrix. */
void steps_check(reader *in, instance *I, const letter *x, size_t top);

/* ---- closure.c: a closed graph of any system ------------------------------------------ */

enum { MOST_PARTS = 16 };

/* One matrix of a state; I == NULL: equal only if all its integers are. */
typedef struct {
    instance *I;
    matrix initial, S, T; /* the state that is looked at, and its successor */
} piece;

/* How states are computed: `to` makes T of S in every part, with the label that the system
 * itself says (if it says any), and returns NULL, or why it cannot. */
typedef struct {
    size_t nparts;
    piece part[MOST_PARTS];
    void *data;
    const char *(*to)(void *data, uint32_t x, uint32_t *said);
} engine;

typedef struct {
    uint32_t count;         /* states */
    uint32_t *next, *label; /* [state][letter]; elements or states of an automaton, */
    uint32_t kinds;         /* and how many of them there are: 0 without labels */
    uint32_t *queue, tail;  /* states in the order in which they are met */
    buffer states, packed;  /* all states; the one just computed */
    uint64_t *at;           /* UINT64_MAX: not known yet */
    bool inconsistent;      /* claimed of the labels */
    uint64_t wrong_labels;
} graph;

/* The lines "state" and what they and the header say. */
void graph_check(reader *in, graph *g, instance *I, const json_t *header, engine *e);
void graph_says(char said[256], const graph *g, const instance *I, const char *what,
                const char *how);
/* All lines of a closure: states are exact matrices. */
void exact_check(reader *in, graph *g, instance *I, const json_t *header);

/* ---- the kinds ------------------------------------------------------------------------ */

/* Checks a part; what was verified goes to `said`. */
typedef void kind_check(reader *in, char said[256], instance *I, const json_t *header);
kind_check closure_check, product_check, infinite_check, network_check, rounded_check,
    failing_check;

/* ---- check.c -------------------------------------------------------------------------- */

typedef enum { VERIFIED, REFUSED, UNREADABLE } verdict;
/* Comments ("c ...") go to `out` unless it is NULL; reason has room for 512 bytes. */
verdict recheck_stream(FILE *file, FILE *out, char *reason);

#endif
