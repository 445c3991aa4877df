/* ckda/input.h -- input files as exact, checked objects.
 *
 * A file is recognised by its content: JSON begins with {, a GAP list of permutations with
 * [, everything else is AT&T text of an automaton (blanks and lines of comments # before do
 * not count).  A JSON document is read twice: once to find the smallest field that holds all its numbers,
 * once to write them in it.  Shapes, ranges and spelling are checked on the way; every
 * complaint names the file, the JSON path, what was expected and what was found.
 *
 * Readers return CKDA_E_INPUT (the document is wrong), CKDA_E_UNABLE (a stated limit: the
 * degree of the field, the order of a group) or, where a file is opened, CKDA_E_IO.
 * Results named "initialised here" exist only after CKDA_OK; all others keep the values
 * they had when anything else is returned.                                            */
#ifndef CKDA_INPUT_H
#define CKDA_INPUT_H
#include "ckda/att.h"
#include "ckda/automaton.h"
#include "ckda/construct.h"
#include "ckda/doc.h"
#include "ckda/gap.h"
#include "ckda/group.h"
#include "ckda/mat.h"
#include "ckda/reach.h"
#include "ckda/trans.h"
#include "ckda/wfa.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CKDA_INPUT_MAX_DEGREE 64 /* of the field that holds the numbers of a document */
#define CKDA_INPUT_MAX_JOINT_DEGREE 16 /* of one that none of its numbers generates */
#define CKDA_INPUT_MAX_BITS 10000 /* of a number of degree above 2: degree times height */
#define CKDA_INPUT_SMALL_BITS 256 /* such a number may have any degree */
#define CKDA_INPUT_MAX_POINTS 4096 /* of a permutation or map */
#define CKDA_INPUT_MAX_HEADS 16    /* of a tracker */
#define CKDA_INPUT_MAX_STEPS                                                             \
    100000 /* transitions of a product, steps of a deltaproduct */
#define CKDA_INPUT_MAX_ENTRIES                                                           \
    4000000 /* of all matrices of a group or WFA, transitions of a DFA */

/* ---- whole documents --------------------------------------------------------------- */

typedef enum {
    CKDA_INPUT_TRANSITION,  /* {"family": ..., ...} */
    CKDA_INPUT_PRODUCT,     /* {"product": [transition, ...]}, first one applied first */
    CKDA_INPUT_DPR1,        /* {"diagonal": [...], "u": [...], "v": [...]}: D + u v^T */
    CKDA_INPUT_MATRIX,      /* {"matrix": [[...], ...]}, square */
    CKDA_INPUT_PERMUTATION, /* {"permutation": [1, 2, 0]} or "(1,2,3)" */
    CKDA_INPUT_MAP,         /* {"map": [0, 0, 1]} */
    CKDA_INPUT_GROUP, /* {"group": {"generators": {...} or "table": [...], "letters": ...,
                          "tracker": {...}}}, GAP list */
    CKDA_INPUT_AFFINE, /* {"affine": {"initial": [[...]], "letters": {...}}} */
    CKDA_INPUT_DFA,    /* {"dfa": {"states": 3, ...}}, AT&T text without weights */
    CKDA_INPUT_WFA     /* {"wfa": {"initial": [...], ...}}, AT&T text with weights */
} ckda_input_kind;
/* "transition", "product", "dpr1", ... */
const char *ckda_input_kind_name(ckda_input_kind kind);

/* Read freely; only the members of the kind are filled, the others are NULL or 0 x 0.
 * Every document may also carry "field" (see ckda_input_field) and "comment". */
typedef struct {
    ckda_input_kind kind;
    ckda_field_t K;
    slong n;                  /* dimension, or number of points or states */
    ckda_trans_struct *trans; /* transition (1), product, trackers of a group */
    slong ntrans;
    ckda_elem_struct *diagonal, *u, *v; /* dpr1, n each */
    ckda_mat_t matrix;                  /* matrix, n x n */
    slong *image; /* permutation and map: point j goes to image[j] */
    bool has_group;
    ckda_group_t G;       /* group */
    bool all_letters;     /* group: all elements are letters, not generators only */
    uint32_t nheads;      /* group: heads of its tracker, 0 without one; then trans holds
                           G->order transitions a head over K, element by element */
    ckda_decoder decoder; /* group with a tracker of one head */
    ckda_mat_t initial;   /* affine, n x m */
    uint32_t nletters;
    char **letter;           /* affine: names, in the order of the file */
    ckda_mat_struct *linear; /* affine, n x n each */
    ckda_mat_struct *offset; /* affine, n x m each; NULL when no letter has one */
    bool has_dfa;
    ckda_dfa_t dfa;
    bool has_wfa;
    ckda_wfa_t wfa; /* over K = Q */
} ckda_input_struct;
typedef ckda_input_struct ckda_input_t[1];

/* in is initialised here. */
CKDA_MUST_CHECK ckda_status ckda_input_open(ckda_input_t in, const char *file,
                                            ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_input_read(ckda_input_t in, const ckda_node *at,
                                            ckda_error *err);
/* The same with options; system may also be a built-in name ("S5", ...), which is a group all
 * of whose elements are letters.  CKDA_E_INPUT for something that is neither a name nor a
 * file. */
typedef enum {
    CKDA_INPUT_STRICT = 0,
    CKDA_INPUT_DEAD_STATE = 1 /* AT&T text: missing transitions of a DFA go to a new last
                               * state, which accepts nothing; otherwise they are refused */
} ckda_input_options;
CKDA_MUST_CHECK ckda_status ckda_input_open_system(ckda_input_t in, const char *system,
                                                   ckda_input_options options,
                                                   ckda_error *err);
void ckda_input_clear(ckda_input_t in);
/* The n x n matrix that the document describes (a product multiplied out); A is
 * initialised here.  CKDA_E_DOMAIN for groups, affine systems and automata, which are many. */
CKDA_MUST_CHECK ckda_status ckda_input_matrix(ckda_mat_t A, const ckda_input_t in,
                                              ckda_error *err);

/* ---- parts of other documents -------------------------------------------------------- */

/* K is initialised here.  If `at` has a member "field", that field:
 *     "Q", {"sqrt": 5}, {"cos": 12} (Q(2 cos(2 pi/12))), {"of": ["sqrt(2)", "sqrt(3)"]};
 * otherwise the smallest field of all numbers below `at` that stand under the members of
 * transitions, matrices and affine systems (beta, key, gate, diagonal, u, v, matrix,
 * initial, offset, value and their plurals).  If `at` is no object, everything below it is
 * a number. */
CKDA_MUST_CHECK ckda_status ckda_input_field(ckda_field_t K, const ckda_node *at,
                                             ckda_error *err);
/* The same with the caller's list of members that hold numbers. */
CKDA_MUST_CHECK ckda_status ckda_input_field_of(ckda_field_t K, const ckda_node *at,
                                                const char *const *members,
                                                size_t nmembers, ckda_error *err);

CKDA_MUST_CHECK ckda_status ckda_input_read_elem(ckda_elem_t x, const ckda_node *at,
                                                 const ckda_field_t K, ckda_error *err);
/* A list of `want` numbers, any length from 1 on for want < 0.  *x (initialised here, *n
 * elements) goes back with ckda_input_free_vector. */
CKDA_MUST_CHECK ckda_status ckda_input_read_vector(ckda_elem_struct **x, slong *n,
                                                   const ckda_node *at, slong want,
                                                   const ckda_field_t K, ckda_error *err);
void ckda_input_free_vector(ckda_elem_struct *x, slong n, const ckda_field_t K);
/* A list of rows of equal length; rows or cols < 0: any number from 1 on.  A is
 * initialised here. */
CKDA_MUST_CHECK ckda_status ckda_input_read_matrix(ckda_mat_t A, const ckda_node *at,
                                                   slong rows, slong cols,
                                                   const ckda_field_t K, ckda_error *err);
/* The same, n x n with n >= 1 free. */
CKDA_MUST_CHECK ckda_status ckda_input_read_square(ckda_mat_t A, const ckda_node *at,
                                                   const ckda_field_t K, ckda_error *err);
/* {"family": "ckda", "beta": b, "key": [...], "gate": [...]} and likewise kda; deltanet and gdn
 * with one number as gate; deltaproduct with "betas" and "keys" (a list of keys);
 *     {"family": "rwkv7", "decay": [...], "key": [...], "erase": [...]}
 *     {"family": "mdn", "alpha": a, "beta": b, "eta": e, "mu": m, "key": [...]}
 *     {"family": "sfda", "beta": b, "key": [...], "gate": [...]}, complex numbers, each a
 *         number or a pair [x, y] for x + iy
 * (ckda/trans.h says what they mean; an mdn or sfda key of m entries gives dimension 2m).
 * Ranges are checked unless "unchecked" is true, zero keys are refused always.  t is
 * initialised here. */
CKDA_MUST_CHECK ckda_status ckda_input_read_transition(ckda_trans_t t,
                                                       const ckda_node *at,
                                                       const ckda_field_t K,
                                                       ckda_error *err);
/* A list of transitions of one dimension; *t is an array of *count, initialised here. */
CKDA_MUST_CHECK ckda_status ckda_input_read_product(ckda_trans_struct **t, slong *count,
                                                    const ckda_node *at,
                                                    const ckda_field_t K,
                                                    ckda_error *err);
void ckda_input_free_product(ckda_trans_struct *t, slong count, const ckda_field_t K);
/* A = t[count-1] ... t[0], of one dimension; A is initialised here.  CKDA_E_DOMAIN for a
 * zero key, CKDA_E_SHAPE for count = 0 or unequal dimensions. */
CKDA_MUST_CHECK ckda_status ckda_input_multiply(ckda_mat_t A, const ckda_trans_struct *t,
                                                slong count, const ckda_field_t K);
/* {"generators": {...}, "letters": "all" | "generators"}, or instead of generators a Cayley
 * table "table", [i][j] = the product i j, with "names" of the elements (g0, g1, ... if left
 * out): all group axioms are decided, elements become the permutations x -> a x, and every
 * one is a named generator.  A member "tracker" is left alone.  G is initialised here. */
CKDA_MUST_CHECK ckda_status ckda_input_read_group(ckda_group_t G, bool *all_letters,
                                                  const ckda_node *at, ckda_error *err);

/* ---- trackers of a group --------------------------------------------------------------- */

/* The construction "given" of a group with a tracker.  On success it owns what in held of
 * it, and in is only fit for ckda_input_clear.  CKDA_E_INPUT for several heads. */
CKDA_MUST_CHECK ckda_status ckda_input_tracker(ckda_construction_t c, ckda_input_t in,
                                               ckda_error *err);
/* The transition of element g in all heads, as one matrix of blocks; A is initialised
 * here. */
void ckda_input_heads_matrix(ckda_mat_t A, const ckda_input_t in, uint32_t g);
/* The document of a group with transitions (one ckda step each) for its elements in each
 * head; decoder is written for one head.  K must be Q, a square root's or a cosine's field.
 * comment may be NULL.  A new reference. */
json_t *ckda_input_tracker_json(const ckda_group_t G, bool all_letters,
                                const ckda_trans_struct *const *heads, uint32_t nheads,
                                ckda_decoder decoder, const ckda_field_t K,
                                const char *comment);
/* An exact number as a document spells it, and a list of n of them: new references. */
json_t *ckda_input_number_json(const ckda_elem_t x, const ckda_field_t K);
json_t *ckda_input_numbers_json(const ckda_elem_struct *x, slong n, const ckda_field_t K);
/* {"family": "ckda", "beta": ..., "key": [...], "gate": [...]}: a new reference. */
json_t *ckda_input_transition_json(const ckda_trans_t t, const ckda_field_t K);
/* The name of an element in a group all of whose elements are named generators, else its
 * cycles; free with free(). */
char *ckda_input_element_name(const ckda_group_t G, uint32_t g);

/* {"states": 3, "start": 0, "accept": [2], "transitions": {"a": [1, 1, 2], ...}}; A is
 * initialised here. */
CKDA_MUST_CHECK ckda_status ckda_input_read_dfa(ckda_dfa_t A, const ckda_node *at,
                                                ckda_error *err);
/* {"initial": [...], "final": [...], "matrices": {"a": [[...], ...], ...}}, all numbers
 * rational; K = Q; A is initialised here. */
CKDA_MUST_CHECK ckda_status ckda_input_read_wfa(ckda_wfa_t A, const ckda_node *at,
                                                const ckda_field_t K, ckda_error *err);

/* ---- automata and groups in other people's formats -------------------------------------- */

/* A (initialised here) from a table without weights.  CKDA_E_INPUT for a second transition
 * from a state by a letter and, unless dead_state is given, for a missing one; the message
 * names line, state and letter. */
CKDA_MUST_CHECK ckda_status ckda_input_att_dfa(ckda_dfa_t A, const ckda_att_t T,
                                               ckda_input_options options,
                                               ckda_error *err);
/* A (initialised here) from a table, K = Q: the start has initial weight 1, weights left out
 * are 1, what is not there is 0 and weights of equal transitions add up. */
CKDA_MUST_CHECK ckda_status ckda_input_att_wfa(ckda_wfa_t A, const ckda_att_t T,
                                               const ckda_field_t K, ckda_error *err);
/* AT&T text that reads back as an equal automaton; *text goes back with free().
 * CKDA_E_DOMAIN for what the format cannot say: no letters, a letter such as "#", initial
 * weights other than a single 1. */
CKDA_MUST_CHECK ckda_status ckda_input_write_dfa(char **text, const ckda_dfa_t A,
                                                 ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_input_write_wfa(char **text, const ckda_wfa_t A,
                                                 const ckda_field_t K, ckda_error *err);
/* The group that a list generates; G is initialised here.  The generators are called a, b, c,
 * d, f, ..., z, a2, b2, ... (e is the identity); shorter permutations fix the points that they
 * do not name. */
CKDA_MUST_CHECK ckda_status ckda_input_gap_group(ckda_group_t G, const ckda_gap_t L,
                                                 ckda_error *err);
/* The generators as a GAP list; free with free(). */
char *ckda_input_write_group(const ckda_group_t G);

/* ---- systems: letters that act on states ---------------------------------------------- */

/* What a search or a run works on.  sys borrows from the other members and from inside the
 * struct itself: do not move or copy it. */
typedef struct {
    char *name;               /* as it was given: "A5", "my.json" */
    const char *construction; /* "quaternion", or NULL where there is none */
    char **letter;            /* sys->nletters names */
    ckda_system_t sys;
    bool constructed; /* is there c, or is there only in? */
    ckda_construction_t c;
    bool has_document;
    ckda_input_t in;
    ckda_mat_struct *linear; /* shallow copies, entries owned by c or in unless ... */
    bool owns_linear;        /* ... several heads were put together */
    uint32_t *element;       /* of each letter in the group */
} ckda_input_system_struct;
typedef ckda_input_system_struct ckda_input_system_t[1];

/* system: a built-in name (every element of the group is a letter; construction as in
 * ckda_construct) or a file.  Documents give:
 *     group      its letters, construction "householder" (also for NULL) with permutation
 *                matrices, one DeltaProduct transition a letter; with a tracker and
 *                construction NULL the transitions that stand there ("given")
 *     affine     its letters (construction must be NULL)
 *     dfa, wfa   CKDA_E_INPUT: they have no matrices, or no states to list
 *     the others: one letter "a", the document's matrix, from the initial state I
 * s is initialised here.  CKDA_E_INPUT for something that is neither a name nor a file. */
CKDA_MUST_CHECK ckda_status ckda_input_system_open(ckda_input_system_t s,
                                                   const char *system,
                                                   const char *construction,
                                                   ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_input_system_read(ckda_input_system_t s,
                                                   const ckda_node *at,
                                                   const char *construction,
                                                   ckda_error *err);
void ckda_input_system_clear(ckda_input_system_t s);
/* The letter called `text`: its name, or for a construction whatever ckda_group_parse
 * reads, if that element is a letter. */
CKDA_MUST_CHECK ckda_status ckda_input_system_letter(uint32_t *letter,
                                                     const ckda_input_system_t s,
                                                     const char *text, ckda_error *err);

/* ---- words ----------------------------------------------------------------------------- */

/* A word as people write it: letters separated by blanks, "random:LENGTH", or "@FILE", a
 * file that holds one of these.  Time order; w is initialised here (ckda_word_clear).  r may
 * be NULL only where the text is known not to be random.  CKDA_E_INPUT names the place of a
 * letter that does not exist, CKDA_E_IO a file that cannot be read. */

/* Element indices; letters as in ckda_word_parse. */
CKDA_MUST_CHECK ckda_status ckda_input_word_group(ckda_word_t w, const ckda_group_t G,
                                                  const uint32_t *letters,
                                                  uint32_t nletters, const char *text,
                                                  ckda_rand *r, ckda_error *err);
/* Indices into names. */
CKDA_MUST_CHECK ckda_status ckda_input_word_names(ckda_word_t w, const char *const *names,
                                                  uint32_t nnames, const char *text,
                                                  ckda_rand *r, ckda_error *err);
/* For a group element indices (of its generators only, if only these are letters), for an
 * automaton or an affine system letter indices; CKDA_E_DOMAIN for other documents. */
CKDA_MUST_CHECK ckda_status ckda_input_word(ckda_word_t w, const ckda_input_t in,
                                            const char *text, ckda_rand *r,
                                            ckda_error *err);
/* Letter indices of the system. */
CKDA_MUST_CHECK ckda_status ckda_input_system_word(ckda_word_t w,
                                                   const ckda_input_system_t s,
                                                   const char *text, ckda_rand *r,
                                                   ckda_error *err);

#ifdef __cplusplus
}
#endif
#endif
