/* ckda/flint_compat.h -- the one place that knows which FLINT this is.
 *
 * FLINT 2.9 ships Arb, Antic and Calcium as separate libraries; FLINT 3 holds them all.
 * Every other file includes this header and no FLINT header of its own.               */
#ifndef CKDA_FLINT_COMPAT_H
#define CKDA_FLINT_COMPAT_H

#include <stdio.h> /* FLINT declares its *_fprint functions only if this came first */
#include <gmp.h>
#include <mpfr.h>

#include <flint/flint.h>
#include <flint/ulong_extras.h>
#include <flint/nmod_vec.h>
#include <flint/nmod_poly.h>
#include <flint/nmod_poly_factor.h>
#include <flint/nmod_mat.h>
#include <flint/fmpz.h>
#include <flint/fmpz_factor.h>
#include <flint/fmpz_vec.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>
#include <flint/fmpz_mat.h>
#include <flint/fmpz_lll.h>
#include <flint/fmpz_mpoly.h>
#include <flint/fq_nmod.h>
#include <flint/fq_nmod_poly.h>
#include <flint/fq_nmod_poly_factor.h>
#include <flint/fmpq.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpq_mat.h>
#include <flint/fmpq_mpoly.h>

#if __FLINT_RELEASE >= 30000
#include <flint/nmod.h>
#include <flint/nf.h>
#include <flint/nf_elem.h>
#include <flint/arf.h>
#include <flint/arb.h>
#include <flint/arb_poly.h>
#include <flint/arb_fmpz_poly.h>
#include <flint/acb.h>
#include <flint/fmpz_mpoly_q.h>
#include <flint/qqbar.h>
#else
#if defined(__cplusplus)
/* Calcium 0.4 assigns void pointers in inline functions of its headers, which C++ refuses.
 * While they are read, the allocators give a pointer that converts to any other.        */
struct ckda_any_pointer {
    void *p;
    template <typename T>
    operator T *() const
    {
        return static_cast<T *>(p);
    }
};
static inline ckda_any_pointer
ckda_any_pointer_of(void *p)
{
    ckda_any_pointer any = {p};
    return any;
}
#define flint_malloc(size) ckda_any_pointer_of(flint_malloc(size))
#define flint_realloc(old, size) ckda_any_pointer_of(flint_realloc(old, size))
#define flint_calloc(count, size) ckda_any_pointer_of(flint_calloc(count, size))
#endif
#include <antic/nf.h>
#include <antic/nf_elem.h>
#include <arf.h>
#include <arb.h>
#include <arb_poly.h>
#include <arb_fmpz_poly.h>
#include <acb.h>
#include <calcium/utils_flint.h> /* fmpz_mpoly_vec and Groebner bases */
#include <calcium/fmpz_mpoly_q.h>
#include <calcium/qqbar.h>
#if defined(__cplusplus)
#undef flint_malloc
#undef flint_realloc
#undef flint_calloc
#endif
#endif

#endif
