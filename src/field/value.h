/* The values that the number parser calculates with; inside the field room only. */
#ifndef CKDA_FIELD_VALUE_H
#define CKDA_FIELD_VALUE_H
#include "internal.h"

#define QQBAR_DEGREE 128      /* of one number outside a known field */
#define RATIONAL_BITS 4000000 /* of a rational number */
#define TOO_LARGE "this number is too large to calculate with"

/* The cheapest kind that can hold the value; rationals are constant polynomials. */
typedef enum {
    VALUE_POLY, /* rational polynomial in the one symbol of the place: x or pi */
    VALUE_ELEM, /* element of K, if the text is read for a known K */
    VALUE_QQBAR /* any algebraic number */
} value_kind;

typedef struct {
    value_kind kind;
    fmpq_poly_t poly;
    ckda_elem_t elem; /* initialised only if K is known */
    qqbar_t num;
} value;

/* K may be NULL in all of these.  The functions that can fail return NULL or a message
 * without a full stop; their value is then of no use. */
void value_init(value *v, const ckda_field_struct *K);
void value_clear(value *v, const ckda_field_struct *K);
/* v as a kind further down the list; v must not hold a symbol. */
void value_promote(value *v, value_kind kind, const ckda_field_struct *K);
bool value_is_rational(const value *v); /* as stored: without a search */
/* Moves v to the cheapest kind that holds it.  CKDA_E_UNABLE if membership in K stayed
 * open, CKDA_E_DOMAIN if v is not in K. */
ckda_status value_settle(value *v, const ckda_field_struct *K);
/* x = x op y with op one of + - * /; y is spoiled. */
const char *value_op(value *x, char op, value *y, const ckda_field_struct *K);
void value_neg(value *x, const ckda_field_struct *K);
const char *value_pow(value *x, slong e, const ckda_field_struct *K);
const char *value_sqrt(value *x, const ckda_field_struct *K);
/* x = cos or sin of (turns pi). */
const char *value_trig(value *x, bool sine, const fmpq_t turns,
                       const ckda_field_struct *K);
/* x = the real root of f that is nearest to hint. */
const char *value_root(value *x, const fmpq_poly_t f, const fmpq_t hint,
                       const ckda_field_struct *K);

/* The whole text as one value; errors say the column.  K: numbers of K are elements. */
bool value_parse(value *v, const char *text, const ckda_field_struct *K, ckda_error *err);
const char *value_elem_op(ckda_elem_t x, char op, const ckda_elem_t y,
                          const ckda_field_struct *K);
/* The same for numbers outside of a field: x = x op y, x^e, sqrt(x). */
const char *value_num_op(qqbar_t x, char op, const qqbar_t y);
void value_num_pow(qqbar_t x, ulong e);
const char *value_num_sqrt(qqbar_t x);

#endif
