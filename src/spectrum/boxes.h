/* Lists of eigenvalues under construction, shared by boxes.c and secular_boxes.c. */
#ifndef CKDA_SPECTRUM_BOXES_H
#define CKDA_SPECTRUM_BOXES_H
#include "internal.h"

typedef struct {
    ckda_eigenvalue *e;
    slong n, room;
} eigenvalues;

/* A new entry, everything 0; valid until the next call. */
ckda_eigenvalue *eigenvalues_add(eigenvalues *l, bool real, slong multiplicity);
/* "p/q"; free with free(). */
char *eigenvalue_text(const fmpq_t q);
/* Real ones ascending, then the pairs by real and imaginary part. */
void eigenvalues_sort(eigenvalues *l);

/* Enclosures before they get rational ends. */
enum { EIGENVALUE_LAST_PREC = 1 << 14 };
typedef struct {
    acb_t box;
    bool real;
    slong multiplicity;
    char *closed;
    bool rational; /* exactly `exact` */
    fmpq_t exact;
} eigenvalue_root;

typedef struct {
    eigenvalue_root *r;
    slong n;
} eigenvalue_roots;
eigenvalue_root *eigenvalue_roots_add(eigenvalue_roots *l);
/* Takes the entries from the n-th on away. */
void eigenvalue_roots_cut(eigenvalue_roots *l, slong n);
/* Adds the roots of the monic square-free f, deg f >= 1 and f(0) != 0, starting with prec
 * bits; false if EIGENVALUE_LAST_PREC does not tell them apart. */
bool eigenvalue_find_roots(eigenvalue_roots *l, const ckda_poly_t f, slong multiplicity,
                           slong prec, const ckda_field_t K);

/* The closed form of a root of an irreducible polynomial of small degree, or NULL; free
 * with free(). */
char *eigenvalue_closed_form(const qqbar_t x);
#endif
