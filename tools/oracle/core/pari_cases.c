/* Cases for checks.gp: number field arithmetic, matrices, root counts, numbers as text. */
#include "pari_cases.h"

static ckda_rand rnd;

static void
field_line(const ckda_field_t K)
{
    char *f = fmpz_poly_get_str_pretty(K->minpoly, "a"),
         *root = ckda_field_root_decimal(K);
    printf("field(%s, %s)\n", f, root);
    flint_free(f);
    free(root);
}

/* y = x, or something that x is hard to tell from, or something else. */
static void
second_element(ckda_elem_t y, const ckda_elem_t x, const ckda_field_t K)
{
    const slong scale = 1000000000000000;
    ckda_elem_rand(y, &rnd, 50, 12, K);
    if (ckda_rand_below(&rnd, 3) == 0 && ckda_elem_cmp_si(x, 900, K) < 0
        && ckda_elem_cmp_si(x, -900, K) > 0)
        ckda_elem_set_frac(y, (slong)(ckda_elem_approx(x, K) * (double)scale), scale, K);
    else if (ckda_rand_below(&rnd, 20) == 0)
        ckda_elem_set(y, x, K);
    else if (ckda_rand_below(&rnd, 20) == 0)
        ckda_elem_zero(y, K);
}

static void
element_line(const ckda_field_t K)
{
    ckda_elem_struct e[6]; /* x, y, x + y, x - y, x y, x / y */
    for (int i = 0; i < 6; i++)
        ckda_elem_init(e + i, K);
    ckda_elem_rand(e, &rnd, 50, 12, K);
    second_element(e + 1, e, K);
    ckda_elem_add(e + 2, e, e + 1, K);
    ckda_elem_sub(e + 3, e, e + 1, K);
    ckda_elem_mul(e + 4, e, e + 1, K);
    const ckda_status st = ckda_elem_div(e + 5, e, e + 1, K);
    printf("elements([");
    for (int i = 0; i < 6; i++) {
        print_elem(e + i, K);
        printf(i < 5 ? ", " : "], ");
    }
    printf("%d, %d, %d)\n", st == CKDA_OK, ckda_elem_sgn(e, K),
           ckda_elem_cmp(e, e + 1, K));
    for (int i = 0; i < 6; i++)
        ckda_elem_clear(e + i, K);
}

/* Entries are small so that singular matrices occur. */
static void
matrix_line(slong n, const ckda_field_t K)
{
    ckda_mat_t A, B;
    ckda_poly_t f;
    ckda_elem_t d;
    ckda_mat_init(A, n, n, K);
    ckda_mat_init(B, n, n, K);
    ckda_poly_init(f, K);
    ckda_elem_init(d, K);
    ckda_mat_rand(A, &rnd, 1, 2, K);
    must(ckda_mat_charpoly(f, A, K));
    must(ckda_mat_det(d, A, K));
    const ckda_status st = ckda_mat_inv(B, A, K);
    printf("mat(");
    print_mat(A, K);
    printf(", ");
    print_poly(f, K);
    printf(", ");
    print_elem(d, K);
    printf(", %ld, %d, ", (long)ckda_mat_rank(A, K), st == CKDA_OK);
    print_mat(B, K);
    printf(")\n");
    ckda_elem_clear(d, K);
    ckda_poly_clear(f, K);
    ckda_mat_clear(B, K);
    ckda_mat_clear(A, K);
}

static void
in_field(ckda_field_t K, int elements, int polynomials)
{
    field_line(K);
    for (int i = 0; i < elements; i++)
        element_line(K);
    for (int i = 0; i < 8; i++)
        matrix_line(1 + i % 4, K);
    root_lines(&rnd, polynomials, K);
    ckda_field_clear(K);
}

/* A field that only a root names. */
static void
root_field(ckda_field_t K, const char *text)
{
    qqbar_t x;
    ckda_error err;
    qqbar_init(x);
    must(ckda_number_parse(x, text, &err));
    must(ckda_field_init_qqbar(K, x));
    qqbar_clear(x);
}

int
main(void)
{
    ckda_field_t K;
    ckda_rand_init(&rnd, 20260401);
    ckda_field_init_rational(K);
    in_field(K, 40, 60);
    ckda_field_init_sqrt(K, 5);
    in_field(K, 60, 10);
    ckda_field_init_cos(K, 7);
    in_field(K, 60, 6);
    ckda_field_init_cos(K, 24);
    in_field(K, 60, 4);
    root_field(K, "root(2*x^3-3*x+5/7, -1.3)"); /* not totally real */
    in_field(K, 60, 6);
    root_field(K, "root(x^8-2*(1000000*x-1)^2, 0.000001)"); /* two roots nearly collide */
    in_field(K, 40, 0);
    ckda_field_init_cos(K, 60);
    in_field(K, 40, 0);
    number_lines(&rnd, 300);
    flint_cleanup();
    return 0;
}
