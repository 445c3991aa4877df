/* Exact numbers, one transition, Theorem 1: the matrix of a CKDA step with beta = 2 and
 * signs for gates is read back as a signed Householder matrix.
 *
 *     cc exact.c $(pkg-config --cflags --libs ckda) -o exact && ./exact                  */
#include <stdio.h>
#include <stdlib.h>

#include <ckda/factor.h>
#include <ckda/trans.h>

enum { N = 3 };

/* beta = 2, key (1, golden ratio, 0), gates (-1, 1, 1) over K = Q(sqrt 5). */
static ckda_status
build(ckda_mat_t A, const ckda_field_t K, ckda_error *err)
{
    ckda_trans_t t;
    ckda_trans_init(t, CKDA_CKDA, N, 1, K);
    ckda_elem_set_si(t->beta, 2, K);
    ckda_status status = ckda_elem_set_str(t->key + 1, "(1+sqrt(5))/2", K, err);
    ckda_elem_set_si(t->gate, -1, K);
    if (status == CKDA_OK)
        status = ckda_trans_check(t, K, err);
    if (status == CKDA_OK)
        status = ckda_trans_matrix(A, t, K);
    ckda_trans_clear(t, K);
    return status;
}

static void
print(const char *before, const ckda_elem_t x, const char *after, const ckda_field_t K)
{
    char *text = ckda_elem_str(x, K);
    printf("%s%s%s", before, text, after);
    free(text);
}

static void
show(const ckda_mat_t A, const ckda_decomposition_t dec, const ckda_field_t K)
{
    for (slong i = 0; i < N; i++)
        for (slong j = 0; j < N; j++)
            print(j == 0 ? "[" : "", ckda_mat_entry(A, i, j), j == N - 1 ? "]\n" : ", ",
                  K);
    printf("signed Householder: %s\n",
           dec->verified ? "yes, multiplied out again" : dec->reason);
    for (slong i = 0; dec->verified && i < N; i++) {
        printf("  sign %+d", dec->signs[i]);
        print("  key ", dec->key + i, "\n", K);
    }
}

int
main(void)
{
    ckda_field_t K;
    ckda_mat_t A;
    ckda_decomposition_t dec;
    ckda_error err;
    ckda_error_clear(&err);
    ckda_field_init_sqrt(K, 5);
    ckda_mat_init(A, N, N, K);
    ckda_decomposition_init(dec, K);
    ckda_status status = build(A, K, &err);
    if (status == CKDA_OK)
        status = ckda_decompose_matrix(dec, A, K);
    if (status == CKDA_OK)
        show(A, dec, K);
    else
        fprintf(stderr, "exact: %s\n", err.text);
    ckda_decomposition_clear(dec, K);
    ckda_mat_clear(A, K);
    ckda_field_clear(K);
    flint_cleanup();
    return status == CKDA_OK ? 0 : 1;
}
