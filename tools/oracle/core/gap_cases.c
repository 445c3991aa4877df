/* Cases for checks.g: permutation groups and their conventions, and the matrix groups
 * that the transitions of the constructions generate. */
#include "cases.h"
#include "ckda/reach.h"

static ckda_rand rnd;

static void
print_perm(const ckda_perm *g)
{
    char *s = ckda_perm_str(g);
    fputs(s, stdout);
    free(s);
}

/* perms([g, h, g h, g^-1], image list of g, order of g, parity of g) */
static void
perm_line(const ckda_group_struct *G)
{
    const uint32_t g = (uint32_t)ckda_rand_below(&rnd, G->order);
    const uint32_t h = (uint32_t)ckda_rand_below(&rnd, G->order);
    const uint32_t list[4] = {g, h, ckda_group_mul(G, g, h), ckda_group_inv(G, g)};
    const ckda_perm *p = &G->element[g];
    printf("perms([");
    for (int i = 0; i < 4; i++) {
        print_perm(&G->element[list[i]]);
        printf(i < 3 ? "," : "],[");
    }
    for (int i = 0; i < p->n; i++)
        printf("%s%d", i > 0 ? "," : "", p->image[i] + 1);
    printf("],%lu,%d);\n", (unsigned long)ckda_perm_order(p), ckda_perm_parity(p));
}

/* word([letters in time order], their product), read from text. */
static void
word_line(const ckda_group_struct *G)
{
    char text[512] = "";
    size_t at = 0;
    ckda_word_t w;
    ckda_error err;
    printf("word([");
    for (int i = 0; i < 5; i++) {
        char *s = ckda_perm_str(&G->element[ckda_rand_below(&rnd, G->order)]);
        printf("%s%s", i > 0 ? "," : "", s);
        at += (size_t)snprintf(text + at, sizeof text - at, "%s ", s);
        free(s);
    }
    must(ckda_word_parse(w, G, NULL, 0, text, NULL, &err));
    printf("],");
    print_perm(&G->element[ckda_word_product(w, G)]);
    printf(");\n");
    ckda_word_clear(w);
}

/* times(g, h, what "g*h^-2" is read as) for two generators by name. */
static void
names_line(const ckda_group_struct *G)
{
    char text[128];
    uint32_t x;
    ckda_error err;
    const char *g = G->genname[0], *h = G->genname[G->ngen - 1];
    snprintf(text, sizeof text, "%s*%s^-2", g, h);
    must(ckda_group_parse(&x, G, text, &err));
    printf("times(");
    print_perm(&G->element[G->generator[0]]);
    printf(",");
    print_perm(&G->element[G->generator[G->ngen - 1]]);
    printf(",");
    print_perm(&G->element[x]);
    printf(");\n");
}

/* group("S4", [generators], order, [elements, if they are few]) */
static void
group_lines(const char *name)
{
    ckda_group_t G;
    ckda_error err;
    must(ckda_group_init_named(G, name, &err));
    printf("group(\"%s\",[", name);
    for (uint32_t j = 0; j < G->ngen; j++) {
        printf(j > 0 ? "," : "");
        print_perm(&G->element[G->generator[j]]);
    }
    printf("],%u,[", G->order);
    for (uint32_t g = 0; g < G->order && G->order <= 120; g++) {
        printf(g > 0 ? "," : "");
        print_perm(&G->element[g]);
    }
    printf("]);\n");
    for (int i = 0; i < 10; i++)
        perm_line(G);
    word_line(G);
    if (G->ngen > 0)
        names_line(G);
    ckda_group_clear(G);
}

/* The generator of K as a cyclotomic number. */
static void
field_line(const ckda_field_t K)
{
    if (K->is_cos > 0)
        printf("field(E(%d)+E(%d)^-1);\n", K->is_cos, K->is_cos);
    else if (K->degree == 2)
        printf("field(Sqrt(%ld));\n", -(long)fmpz_get_si(K->minpoly->coeffs));
    else
        printf("field(0);\n");
}

/* reach([letters], [their elements], states, elements decoded, consistent?) */
static void
reach_line(const ckda_system_t sys)
{
    ckda_reach_t r;
    ckda_error err;
    must(ckda_reach_run(r, sys, NULL, 0, &err));
    ckda_require(r->finite == CKDA_TRUE, "%s", r->exactness);
    printf("reach([");
    for (uint32_t x = 0; x < sys->nletters; x++) {
        printf(x > 0 ? "," : "");
        print_mat(sys->linear + x, sys->K);
    }
    printf("],[");
    for (uint32_t x = 0; x < sys->nletters; x++) {
        printf(x > 0 ? "," : "");
        print_perm(&sys->G->element[sys->letter_element[x]]);
    }
    printf("],%lu,%u,%s);\n", (unsigned long)r->states, r->decoded,
           r->decoder_consistent == CKDA_TRUE ? "true" : "false");
    ckda_reach_clear(r);
}

/* The construction as it is, and with the labels of two letters exchanged. */
static void
construction_lines(const char *system, const char *name)
{
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_error err;
    must(ckda_construct(c, system, name, &err));
    ckda_system_init_construct(sys, c);
    field_line(c->K);
    reach_line(sys);
    if (sys->nletters > 2) {
        const uint32_t *element = sys->letter_element;
        uint32_t *other = malloc(sys->nletters * sizeof *other);
        ckda_require_memory(other != NULL);
        for (uint32_t x = 0; x < sys->nletters; x++)
            other[x] = element[x == 0 ? 1 : x == 1 ? 0 : x];
        sys->letter_element = other;
        reach_line(sys);
        sys->letter_element = element;
        free(other);
    }
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

/* Two random letters of a finite group of signed permutation matrices, conjugated by a
 * rational orthogonal matrix: the denominators are real, the group is not one of the
 * constructions. */
static void
random_line(slong n)
{
    ckda_field_t K;
    ckda_system_t sys = {{0}};
    ckda_mat_struct letter[2];
    ckda_mat_t P, T;
    ckda_field_init_rational(K);
    ckda_mat_init(P, n, n, K);
    ckda_mat_init(T, n, n, K);
    ckda_mat_rand_orthogonal(P, &rnd, 1, K);
    must(ckda_mat_transpose(T, P, K));
    for (int x = 0; x < 2; x++) {
        slong image[8];
        ckda_mat_init(letter + x, n, n, K);
        for (slong i = 0; i < n; i++) { /* a random permutation, inside out */
            const slong j = (slong)ckda_rand_below(&rnd, (uint64_t)i + 1);
            image[i] = image[j];
            image[j] = i;
        }
        for (slong i = 0; i < n; i++)
            ckda_mat_set_entry_si(letter + x, image[i], i,
                                  ckda_rand_below(&rnd, 2) == 0 ? 1 : -1, K);
        must(ckda_mat_mul(letter + x, P, letter + x, K));
        must(ckda_mat_mul(letter + x, letter + x, T, K));
    }
    sys->K = K;
    sys->nletters = 2;
    sys->linear = letter;
    ckda_mat_init(sys->initial, n, n, K);
    must(ckda_mat_one(sys->initial, K));
    ckda_reach_t r;
    ckda_error err;
    must(ckda_reach_run(r, sys, NULL, 0, &err));
    ckda_require(r->finite == CKDA_TRUE, "%s", r->exactness);
    printf("reach([");
    print_mat(letter, K);
    printf(",");
    print_mat(letter + 1, K);
    printf("],[],%lu,0,false);\n", (unsigned long)r->states);
    ckda_reach_clear(r);
    ckda_mat_clear(sys->initial, K);
    ckda_mat_clear(letter, K);
    ckda_mat_clear(letter + 1, K);
    ckda_mat_clear(T, K);
    ckda_mat_clear(P, K);
    ckda_field_clear(K);
}

int
main(void)
{
    static const char *const groups[] = {"Z1", "Z2", "Z6", "Z12", "D1", "D2", "D3",
                                         "D4", "D7", "D9", "S2",  "S3", "S4", "S5",
                                         "S6", "A3", "A4", "A5",  "A6", "A7"};
    static const struct {
        const char *system, *name;
    } built[] = {{"Z5", "planar"},      {"Z8", "planar"},     {"D3", "planar"},
                 {"D5", "planar"},      {"D12", "planar"},    {"A4", "cube"},
                 {"S4", "cube"},        {"Z3", "quaternion"}, {"D4", "quaternion"},
                 {"D5", "quaternion"},  {"D7", "quaternion"}, {"A4", "quaternion"},
                 {"S4", "quaternion"},  {"A5", "quaternion"}, {"D6", "householder"},
                 {"A5", "householder"}, {"S5", "householder"}};
    ckda_rand_init(&rnd, 20260402);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        group_lines(groups[i]);
    for (size_t i = 0; i < sizeof built / sizeof *built; i++)
        construction_lines(built[i].system, built[i].name);
    printf("field(0);\n");
    for (int i = 0; i < 20; i++)
        random_line(2 + i % 4);
    flint_cleanup();
    return 0;
}
