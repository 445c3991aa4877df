/* ckda/input_heads.h -- several affine heads with a joint decoder, from a document.
 *
 *     {"heads": [{"initial": [[1], [0]], "letters": {"a": {"matrix": [[...]]}, ...}}, ...],
 *      "decoder": {"group": "S3", "letters": {"a": "(1,2)", ...}}}
 *
 * Every head has the same letters (in any order), its own dimension and its own states.  The
 * decoder names a group (a built-in name or {"generators": {...}}) and the element of each
 * letter; it may be left out.  "affine" in place of "heads" is a single head.  Errors and
 * ownership as in ckda/input.h.                                                        */
#ifndef CKDA_INPUT_HEADS_H
#define CKDA_INPUT_HEADS_H
#include "ckda/input.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Do not move it: the heads borrow from inside. */
typedef struct {
    ckda_system_struct *head; /* nheads, one alphabet, one K; with the decoder if there is
                                 one.  For ckda_joint_init and ckda_reduce. */
    uint32_t nheads, nletters;
    char **letter; /* names */
    /* who owns what */
    ckda_field_t K;
    ckda_group_t G;
    bool has_field, has_group;
    uint32_t *element;
    ckda_input_struct *part;
    void **arrays;
    uint32_t nparts, narrays;
    ckda_input_system_struct *one; /* a system of another kind, or NULL */
} ckda_input_heads_struct;
typedef ckda_input_heads_struct ckda_input_heads_t[1];

/* h is initialised here.  A document as above, or anything that ckda_input_system_open reads:
 * then there is one head. */
CKDA_MUST_CHECK ckda_status ckda_input_heads_open(ckda_input_heads_t h,
                                                  const char *system, ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_input_heads_read(ckda_input_heads_t h,
                                                  const ckda_node *at, ckda_error *err);
void ckda_input_heads_clear(ckda_input_heads_t h);

#ifdef __cplusplus
}
#endif
#endif
