/* ckda/reduce.h -- the orthogonal tracker inside a non-expansive affine one.
 *
 * Heads h = 1 .. H, each S -> A_x S + B_x on n_h x m_h matrices with one alphabet, all of
 * norm at most 1, with finitely many joint states and a joint decoder into a group.  Let V
 * be the span of the differences of reachable joint states.  Some power z of a word acts on
 * V as an orthogonal projection E that commutes with every letter, and every letter is an
 * isometry of its image [source: Props. 20 and 21].  So the heads restricted to the images,
 * centred, track the same group homogeneously: that tracker is found here, over K, in a
 * basis with orthogonal columns (unit columns would need square roots).
 *
 * ckda_reduce finds it; ckda_reduction_check verifies it again from the system and the result
 * alone.  Conventions of ckda/mat.h; nothing here prints.                              */
#ifndef CKDA_REDUCE_H
#define CKDA_REDUCE_H
#include "ckda/reach.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The heads share K, nletters and the group: head[0]'s G and letter_element are the joint
 * decoder (both may be NULL: then nothing is decoded), the other heads' are not read. */
typedef struct {
    const ckda_system_struct *head;
    uint32_t nheads;
} ckda_heads;

typedef enum {
    CKDA_REDUCE_DONE,
    CKDA_REDUCE_EXPANSIVE,  /* a letter of norm above 1 */
    CKDA_REDUCE_INFINITE,   /* infinitely many joint states */
    CKDA_REDUCE_NO_DECODER, /* two words lead to one joint state, their products differ */
    CKDA_REDUCE_LIMIT       /* not decided; see `reason` */
} ckda_reduce_end;

/* One head of the tracker: X -> letter[x] X from `initial`; S = centre + basis X. */
typedef struct {
    slong n, m, r;
    ckda_mat_t basis;        /* n x r, columns orthogonal to each other */
    ckda_mat_t gram;         /* r x r, diagonal: basis^T basis */
    ckda_mat_struct *letter; /* nletters, r x r: A basis = basis letter,
                                letter^T gram letter = gram */
    ckda_mat_t initial;      /* r x m */
    ckda_mat_t centre;       /* n x m */
} ckda_reduced_head;

typedef struct {
    const ckda_field_struct *K; /* borrowed from the heads, must outlive the result */
    ckda_reduce_end end;
    uint32_t nheads, nletters;
    uint64_t states; /* reachable joint states */
    /* ---- CKDA_REDUCE_DONE ---- */
    slong span, core;        /* dim V and dim im E, of the joint heads */
    uint32_t *word;          /* z is this word (in time order, maybe empty) ... */
    size_t nword;            /* ... */
    uint64_t power;          /* ... to this power, at least 1 */
    ckda_reduced_head *head; /* nheads */
    uint64_t tracker_states; /* joint states of the tracker */
    uint64_t group_order;    /* of the matrix group of the joint letters; 0: a limit */
    uint32_t decoded;        /* group elements that occur; 0 without a decoder */
    /* ---- EXPANSIVE: |A x| > |x| for letter bad_letter of head bad_head */
    uint32_t bad_head, bad_letter;
    ckda_elem_struct *witness; /* x, of length nwitness */
    slong nwitness;
    /* ---- NO_DECODER: two words to one state, and their products in G.  INFINITE: after
     * `first`, the powers of `second` never repeat a state. */
    uint32_t *first, *second;
    size_t nfirst, nsecond;
    uint32_t first_product, second_product;
    char *reason; /* INFINITE, LIMIT: for people, flint_malloc'ed; else NULL */
} ckda_reduction_struct;
typedef ckda_reduction_struct ckda_reduction_t[1];

/* limits are those of each search, but max_seconds is for all of it (NULL: none).  red is
 * initialised here on CKDA_OK, which is also the answer when a hypothesis fails or a limit
 * was reached.  CKDA_E_SHAPE when the matrices do not fit or the alphabets differ. */
CKDA_MUST_CHECK ckda_status ckda_reduce(ckda_reduction_t red, const ckda_heads *heads,
                                        const ckda_limits *limits, ckda_error *err);
void ckda_reduction_clear(ckda_reduction_t red);

/* Verifies a result of end CKDA_REDUCE_DONE: for every letter of every head the identities
 * above, that the characteristic polynomial of the restriction divides that of the letter;
 * that z is idempotent on the states, decodes to e and sends the initial state to centre +
 * basis initial; that T_z T_x fixes the centre; that E is a self-adjoint idempotent on V, that
 * it commutes with the letters and that its image is the span of the tracker's states
 * (the subspaces of Prop. 20 and of Prop. 21); that the tracker has tracker_states states and
 * decodes rightly on every edge.  *decisions (may be NULL): equalities decided.  CKDA_FALSE
 * names in err what fails; CKDA_UNKNOWN: a limit, or another end. */
CKDA_MUST_CHECK ckda_truth ckda_reduction_check(uint64_t *decisions,
                                                const ckda_reduction_t red,
                                                const ckda_heads *heads,
                                                const ckda_limits *limits,
                                                ckda_error *err);

/* The heads as one system: states and letters in diagonal blocks of rows, columns padded with
 * zeros to the widest head.  J owns its matrices and borrows K and the decoder. */
typedef struct {
    ckda_system_t sys;
    ckda_mat_struct *linear, *offset; /* what sys points to */
    slong *row;                       /* nheads + 1: head h has the rows from row[h] on */
    uint32_t nheads;
} ckda_joint_struct;
typedef ckda_joint_struct ckda_joint_t[1];
CKDA_MUST_CHECK ckda_status ckda_joint_init(ckda_joint_t J, const ckda_heads *heads,
                                            ckda_error *err);
void ckda_joint_clear(ckda_joint_t J);

#ifdef __cplusplus
}
#endif
#endif
