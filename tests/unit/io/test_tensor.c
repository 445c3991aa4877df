/* Tensor files: what is written comes back bit for bit; what is broken is named. */
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ckda/tensor.h"

static char folder[] = "/tmp/ckda-test-tensor-XXXXXX";

static const char *
in_folder(const char *name)
{
    static char path[4][256];
    static int k;
    k = (k + 1) % 4;
    snprintf(path[k], sizeof path[k], "%s/%s", folder, name);
    return path[k];
}

static void
spill(const char *path, const void *bytes, size_t len)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

/* A safetensors file of this header and `data` zero bytes. */
static const char *
safe(const char *header, size_t data)
{
    const char *path = in_folder("x.safetensors");
    const size_t n = strlen(header);
    unsigned char *all = calloc(8 + n + data, 1);
    for (int i = 0; i < 8; i++)
        all[i] = (unsigned char)((uint64_t)n >> (8 * i) & 0xff);
    memcpy(all + 8, header, n);
    spill(path, all, 8 + n + data);
    free(all);
    return path;
}

static const char *
npy(const char *dict, size_t data)
{
    const char *path = in_folder("x.npy");
    const size_t n = strlen(dict);
    unsigned char *all = calloc(10 + n + data, 1);
    memcpy(all, "\x93NUMPY\x01\x00", 8);
    all[8] = (unsigned char)(n & 0xff);
    all[9] = (unsigned char)(n >> 8);
    memcpy(all + 10, dict, n);
    spill(path, all, 10 + n + data);
    free(all);
    return path;
}

/* Refused, with these words in the message, and the collection as it was. */
static void
refused(const char *path, const char *word, const char *word2)
{
    ckda_tensors ts;
    ckda_error err;
    const uint64_t shape[1] = {2};
    ckda_error_clear(&err);
    ckda_tensors_init(&ts);
    assert_int_equal(ckda_tensors_add(&ts, "old", CKDA_DTYPE_U8, 1, shape, "ab", NULL),
                     CKDA_OK);
    assert_int_equal(ckda_tensors_read(&ts, path, &err), CKDA_E_INPUT);
    if (strstr(err.text, word) == NULL || strstr(err.text, word2) == NULL)
        fail_msg("'%s' lacks '%s' or '%s'", err.text, word, word2);
    assert_non_null(strstr(err.text, folder));
    assert_int_equal(ts.ntensors, 1);
    assert_int_equal(ts.nmeta, 0);
    ckda_tensors_clear(&ts);
}

static void
sample(ckda_tensors *ts)
{
    static const unsigned char bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255, 128};
    ckda_tensors_init(ts);
    for (int d = 0; d < CKDA_DTYPES; d++) {
        const uint64_t shape[2] = {1, 16 / ckda_dtype_bytes((ckda_dtype)d)};
        assert_int_equal(ckda_tensors_add(ts, ckda_dtype_name((ckda_dtype)d),
                                          (ckda_dtype)d, 2, shape, bytes, NULL),
                         CKDA_OK);
    }
}

static void
same(const ckda_tensor *a, const ckda_tensor *b)
{
    assert_non_null(b);
    assert_int_equal(a->dtype, b->dtype);
    assert_int_equal(a->ndim, b->ndim);
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->ndim; i++)
        assert_int_equal(a->shape[i], b->shape[i]);
    assert_memory_equal(a->bytes, b->bytes, a->count * ckda_dtype_bytes(a->dtype));
}

/* ---- round trips ------------------------------------------------------------------- */

static void
safetensors_come_back(void **state)
{
    (void)state;
    ckda_tensors ts, back;
    sample(&ts);
    const uint64_t none[2] = {0, 3};
    assert_int_equal(ckda_tensors_add(&ts, "empty", CKDA_DTYPE_F32, 2, none, NULL, NULL),
                     CKDA_OK);
    assert_int_equal(
        ckda_tensors_add(&ts, "single", CKDA_DTYPE_F64, 0, NULL, "abcdefgh", NULL),
        CKDA_OK);
    ckda_tensors_set_meta(&ts, "what", "x");
    ckda_tensors_set_meta(&ts, "what", "a \"quoted\" text");
    const char *path = in_folder("a.safetensors");
    assert_int_equal(ckda_safetensors_write(path, &ts, NULL), CKDA_OK);
    ckda_tensors_init(&back);
    assert_int_equal(ckda_tensors_read(&back, path, NULL), CKDA_OK);
    assert_int_equal(back.ntensors, ts.ntensors);
    for (size_t i = 0; i < ts.ntensors; i++)
        same(&ts.tensor[i], ckda_tensors_find(&back, ts.tensor[i].name));
    assert_string_equal(ckda_tensors_meta(&back, "what"), "a \"quoted\" text");
    assert_null(ckda_tensors_meta(&back, "nothing"));
    ckda_tensors_clear(&back);
    ckda_tensors_clear(&ts);
}

static void
npy_comes_back_for_each_dtype(void **state)
{
    (void)state;
    ckda_tensors ts;
    sample(&ts);
    for (size_t i = 0; i < ts.ntensors; i++) {
        ckda_tensors back;
        char name[32];
        snprintf(name, sizeof name, "%s.npy", ts.tensor[i].name);
        assert_int_equal(ckda_npy_write(in_folder(name), &ts.tensor[i], NULL), CKDA_OK);
        ckda_tensors_init(&back);
        assert_int_equal(ckda_tensors_read(&back, in_folder(name), NULL), CKDA_OK);
        same(&ts.tensor[i], ckda_tensors_find(&back, ts.tensor[i].name));
        ckda_tensors_clear(&back);
    }
    ckda_tensors_clear(&ts);
}

static void
npy_header_ends_at_a_multiple_of_64(void **state)
{
    (void)state;
    ckda_tensors ts;
    struct stat s;
    ckda_tensors_init(&ts);
    const uint64_t shape[1] = {3};
    assert_int_equal(
        ckda_tensors_add(&ts, "o.fast", CKDA_DTYPE_F32, 1, shape, NULL, NULL), CKDA_OK);
    assert_int_equal(ckda_npy_write(in_folder("o.fast.npy"), &ts.tensor[0], NULL),
                     CKDA_OK);
    assert_int_equal(stat(in_folder("o.fast.npy"), &s), 0);
    assert_int_equal((s.st_size - 12) % 64, 0);
    ckda_tensors_clear(&ts);
}

static void
npy_is_named_after_its_file(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_tensors_init(&ts);
    assert_int_equal(ckda_tensors_read(&ts, in_folder("o.fast.npy"), NULL), CKDA_OK);
    assert_string_equal(ts.tensor[0].name, "o.fast");
    ckda_tensors_clear(&ts);
}

static void
npy_as_numpy_writes_it(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_tensors_init(&ts);
    const char *path =
        npy("{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }   \n", 6);
    assert_int_equal(ckda_tensors_read(&ts, path, NULL), CKDA_OK);
    assert_int_equal(ts.tensor[0].dtype, CKDA_DTYPE_I16);
    assert_int_equal(ts.tensor[0].shape[0], 3);
    ckda_tensors_clear(&ts);
}

static void
npy_of_a_single_number(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_tensors_init(&ts);
    const char *path =
        npy("{\"shape\": (), \"descr\": \"|b1\", \"fortran_order\": False}", 1);
    assert_int_equal(ckda_tensors_read(&ts, path, NULL), CKDA_OK);
    assert_int_equal(ts.tensor[0].ndim, 0);
    assert_int_equal(ts.tensor[0].count, 1);
    ckda_tensors_clear(&ts);
}

static void
npy_version_2_has_a_long_header(void **state)
{
    (void)state;
    static const char dict[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}";
    unsigned char all[128] = "\x93NUMPY\x02";
    ckda_tensors ts;
    all[8] = sizeof dict - 1;
    memcpy(all + 12, dict, sizeof dict - 1);
    memcpy(all + 12 + sizeof dict - 1, "\x07\x09", 2);
    spill(in_folder("v2.npy"), all, 12 + sizeof dict - 1 + 2);
    ckda_tensors_init(&ts);
    assert_int_equal(ckda_tensors_read(&ts, in_folder("v2.npy"), NULL), CKDA_OK);
    assert_int_equal(ckda_tensor_bits(&ts.tensor[0], 1), 9);
    ckda_tensors_clear(&ts);
}

static void
bits_are_little_endian(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_tensors_init(&ts);
    const uint64_t shape[1] = {2};
    assert_int_equal(
        ckda_tensors_add(&ts, "x", CKDA_DTYPE_BF16, 1, shape, "\x01\x02\x80\x3f", NULL),
        CKDA_OK);
    assert_int_equal(ckda_tensor_bits(&ts.tensor[0], 0), 0x0201);
    assert_int_equal(ckda_tensor_bits(&ts.tensor[0], 1), 0x3f80);
    ckda_tensors_clear(&ts);
}

static void
a_folder_is_read_with_its_metadata(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_tensors_init(&ts);
    assert_int_equal(mkdir(in_folder("trace"), 0700), 0);
    sample(&ts);
    assert_int_equal(ckda_npy_write(in_folder("trace/k.npy"), &ts.tensor[0], NULL),
                     CKDA_OK);
    assert_int_equal(ckda_npy_write(in_folder("trace/b.npy"), &ts.tensor[1], NULL),
                     CKDA_OK);
    spill(in_folder("trace/metadata.json"), "{\"scale\": \"0.5\"}", 16);
    spill(in_folder("trace/notes.txt"), "?", 1);
    ckda_tensors_clear(&ts);
    assert_int_equal(ckda_tensors_read(&ts, in_folder("trace"), NULL), CKDA_OK);
    assert_int_equal(ts.ntensors, 2);
    assert_string_equal(ts.tensor[0].name, "b");
    assert_string_equal(ckda_tensors_meta(&ts, "scale"), "0.5");
    ckda_tensors_clear(&ts);
}

static void
writing_is_all_or_nothing(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_error err;
    ckda_error_clear(&err);
    sample(&ts);
    assert_int_equal(ckda_safetensors_write(in_folder("no/such/folder.st"), &ts, &err),
                     CKDA_E_IO);
    assert_non_null(strstr(err.text, "no/such"));
    assert_int_equal(ckda_npy_write(folder, &ts.tensor[0], &err), CKDA_E_IO);
    ckda_tensors_clear(&ts);
}

/* ---- broken safetensors ------------------------------------------------------------ */

static void
fewer_than_8_bytes(void **state)
{
    (void)state;
    spill(in_folder("short"), "1234567", 7);
    refused(in_folder("short"), "fewer than 8 bytes", "");
    spill(in_folder("empty"), "", 0);
    refused(in_folder("empty"), "fewer than 8 bytes", "");
}

static void
a_huge_header_is_not_asked_for(void **state)
{
    (void)state;
    spill(in_folder("huge"), "\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10);
    refused(in_folder("huge"), "bytes 0-7", "9223372036854775807");
    spill(in_folder("huge2"), "\x03\0\0\0\0\0\0\0{}", 10);
    refused(in_folder("huge2"), "within the 2 bytes", "found 3");
}

static void
a_header_that_is_no_json_object(void **state)
{
    (void)state;
    refused(safe("[1]", 0), "byte 8", "'{'");
    refused(safe("", 0), "byte 8", "");
    refused(safe("{\"a\": ", 0), "line 1", "column");
}

static void
nan_in_json(void **state)
{
    (void)state;
    refused(safe("{\"a\":{\"dtype\":\"U8\",\"shape\":[NaN],\"data_offsets\":[0,1]}}", 1),
            "line 1", "NaN");
}

static void
duplicate_names(void **state)
{
    (void)state;
    refused(safe("{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                 "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
                 2),
            "duplicate", "line 1");
}

static void
unknown_dtype(void **state)
{
    (void)state;
    refused(
        safe("{\"a\":{\"dtype\":\"F8_E4M3\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1),
        "a.dtype", "F8_E4M3");
    refused(safe("{\"a\":{\"dtype\":7,\"shape\":[1],\"data_offsets\":[0,1]}}", 1),
            "a.dtype", "string");
}

static void
a_member_is_missing_or_unknown(void **state)
{
    (void)state;
    refused(safe("{\"a\":{\"dtype\":\"U8\",\"shape\":[1]}}", 1), "a", "data_offsets");
    refused(
        safe("{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1],\"x\":1}}",
             1),
        "a", "x");
    refused(safe("{\"a\":[]}", 0), "a", "object");
}

static void
a_negative_or_fractional_length(void **state)
{
    (void)state;
    refused(safe("{\"a\":{\"dtype\":\"U8\",\"shape\":[-1],\"data_offsets\":[0,1]}}", 1),
            "a.shape[0]", "-1");
    refused(safe("{\"a\":{\"dtype\":\"U8\",\"shape\":[1.5],\"data_offsets\":[0,1]}}", 1),
            "a.shape[0]", "1.5");
}

static void
a_shape_beyond_the_file(void **state)
{
    (void)state;
    refused(safe("{\"a\":{\"dtype\":\"F64\",\"shape\":[4611686018427387904,"
                 "4611686018427387904],\"data_offsets\":[0,8]}}",
                 8),
            "a", "no more bytes than the file has");
    refused(safe("{\"a\":{\"dtype\":\"F64\",\"shape\":[1,1,1,1,1,1,1,1,1],"
                 "\"data_offsets\":[0,8]}}",
                 8),
            "a.shape", "8 dimensions");
}

static void
offsets_unlike_the_shape(void **state)
{
    (void)state;
    refused(safe("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}", 8),
            "8 bytes apart", "4");
    refused(safe("{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,8]}}", 8),
            "4 bytes apart", "8");
    refused(safe("{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,0]}}", 8),
            "a.data_offsets[1]", "0");
    refused(safe("{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,400]}}", 4),
            "a.data_offsets[1]", "400");
}

static void
overlapping_tensors(void **state)
{
    (void)state;
    refused(safe("{\"a\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]},"
                 "\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[2,5]}}",
                 5),
            "b.data_offsets", "overlap");
}

static void
a_gap_between_tensors(void **state)
{
    (void)state;
    refused(safe("{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
                 "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[3,5]}}",
                 5),
            "b.data_offsets", "a gap");
}

static void
data_left_over_or_cut(void **state)
{
    (void)state;
    static const char header[] =
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]}}";
    refused(safe(header, 4), "expected 3 bytes", "found 4");
    refused(safe(header, 2), "a.data_offsets[1]", "3");
}

static void
metadata_must_be_texts(void **state)
{
    (void)state;
    refused(safe("{\"__metadata__\":{\"scale\":0.5}}", 0), "__metadata__.scale",
            "string");
    refused(safe("{\"__metadata__\":[]}", 0), "__metadata__", "object");
}

/* ---- broken npy -------------------------------------------------------------------- */

static void
fortran_order(void **state)
{
    (void)state;
    refused(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}", 16),
            "fortran_order False", "True");
}

static void
npy_big_endian_or_unknown_dtype(void **state)
{
    (void)state;
    refused(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", 4),
            "little-endian", ">f4");
    refused(npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", 8), "'<f4'",
            "<c8");
    refused(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", 4),
            "dtype such as", "");
}

static void
npy_dictionary_faults(void **state)
{
    (void)state;
    refused(npy("{'descr': '<f4', 'shape': (1,)}", 4), "fortran_order", "end");
    refused(npy("{'descr': '<f4', 'descr': '<f4'}", 4), "each once", "descr");
    refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", 4),
            "end of the header", "x");
    refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1", 4), "',' or ')'",
            "end");
    refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", 4),
            "a length", "-1");
    refused(npy("{'descr': '<f4", 4), "dtype", "<f4");
    refused(npy("", 0), "'{'", "end");
}

static void
npy_data_unlike_the_shape(void **state)
{
    (void)state;
    refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 4), "found 4",
            "shape");
    refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 12),
            "found 12", "");
    refused(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, "
                "99999999999)}",
                8),
            "found 8", "");
    refused(npy("{'descr': '<f8', 'fortran_order': False, 'shape': "
                "(99999999999999999999999999,)}",
                8),
            "2^60", "");
}

static void
npy_header_length_beyond_the_file(void **state)
{
    (void)state;
    spill(in_folder("l.npy"), "\x93NUMPY\x01\x00\xff\xff{}", 12);
    refused(in_folder("l.npy"), "at most 2 bytes", "65535");
    spill(in_folder("l.npy"), "\x93NUMPY\x09\x00\x02\x00{}", 12);
    refused(in_folder("l.npy"), "version", "9.0");
    spill(in_folder("l.npy"), "\x93NUMPY\x01", 7);
    refused(in_folder("l.npy"), "header", "7 bytes");
}

/* ---- collections ------------------------------------------------------------------- */

static void
names_do_not_repeat_across_files(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_error err;
    ckda_error_clear(&err);
    ckda_tensors_init(&ts);
    const char *path = in_folder("o.fast.npy");
    assert_int_equal(ckda_tensors_read(&ts, path, &err), CKDA_OK);
    assert_int_equal(ckda_tensors_read(&ts, path, &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "o.fast"));
    assert_int_equal(ts.ntensors, 1);
    ckda_tensors_clear(&ts);
}

static void
metadata_do_not_contradict(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_error err;
    ckda_error_clear(&err);
    ckda_tensors_init(&ts);
    ckda_tensors_set_meta(&ts, "scale", "1");
    const char *path = safe("{\"__metadata__\":{\"scale\":\"2\"}}", 0);
    assert_int_equal(ckda_tensors_read(&ts, path, &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "scale"));
    assert_string_equal(ckda_tensors_meta(&ts, "scale"), "1");
    ckda_tensors_clear(&ts);
}

static void
adding_refuses_bad_names_and_shapes(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_tensors_init(&ts);
    const uint64_t big[3] = {UINT64_MAX / 2, UINT64_MAX / 2, 2}, one[1] = {1};
    assert_int_equal(ckda_tensors_add(&ts, "", CKDA_DTYPE_U8, 1, one, NULL, NULL),
                     CKDA_E_INPUT);
    assert_int_equal(
        ckda_tensors_add(&ts, "__metadata__", CKDA_DTYPE_U8, 1, one, NULL, NULL),
        CKDA_E_INPUT);
    assert_int_equal(ckda_tensors_add(&ts, "x", CKDA_DTYPE_U8, 3, big, NULL, NULL),
                     CKDA_E_INPUT);
    assert_int_equal(ckda_tensors_add(&ts, "x", CKDA_DTYPE_U8, 9, big, NULL, NULL),
                     CKDA_E_INPUT);
    assert_int_equal(ckda_tensors_add(&ts, "x", CKDA_DTYPE_U8, 1, one, NULL, NULL),
                     CKDA_OK);
    assert_int_equal(ckda_tensors_add(&ts, "x", CKDA_DTYPE_U8, 1, one, NULL, NULL),
                     CKDA_E_INPUT);
    assert_int_equal(ts.ntensors, 1);
    ckda_tensors_clear(&ts);
}

static void
missing_files_and_devices(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_error err;
    ckda_error_clear(&err);
    ckda_tensors_init(&ts);
    assert_int_equal(ckda_tensors_read(&ts, in_folder("nothing.npy"), &err), CKDA_E_IO);
    assert_non_null(strstr(err.text, "nothing.npy"));
    assert_int_equal(ckda_tensors_read(&ts, "/dev/zero", &err), CKDA_E_IO);
    assert_non_null(strstr(err.text, "regular file"));
    assert_int_equal(mkdir(in_folder("bare"), 0700), 0);
    assert_int_equal(ckda_tensors_read(&ts, in_folder("bare"), &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, ".npy files"));
    ckda_tensors_clear(&ts);
}

static void
a_bad_folder_leaves_the_collection(void **state)
{
    (void)state;
    spill(in_folder("trace/z.npy"), "\x93NUMPY\x09\x00\x02\x00{}", 12);
    refused(in_folder("trace"), "z.npy", "version");
    unlink(in_folder("trace/z.npy"));
    spill(in_folder("trace/metadata.json"), "{\"scale\": 1}", 12);
    refused(in_folder("trace"), "metadata.json", "scale");
}

static int
make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int
remove_folder(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(safetensors_come_back),
        cmocka_unit_test(npy_comes_back_for_each_dtype),
        cmocka_unit_test(npy_header_ends_at_a_multiple_of_64),
        cmocka_unit_test(npy_is_named_after_its_file),
        cmocka_unit_test(npy_as_numpy_writes_it),
        cmocka_unit_test(npy_of_a_single_number),
        cmocka_unit_test(npy_version_2_has_a_long_header),
        cmocka_unit_test(bits_are_little_endian),
        cmocka_unit_test(a_folder_is_read_with_its_metadata),
        cmocka_unit_test(writing_is_all_or_nothing),
        cmocka_unit_test(fewer_than_8_bytes),
        cmocka_unit_test(a_huge_header_is_not_asked_for),
        cmocka_unit_test(a_header_that_is_no_json_object),
        cmocka_unit_test(nan_in_json),
        cmocka_unit_test(duplicate_names),
        cmocka_unit_test(unknown_dtype),
        cmocka_unit_test(a_member_is_missing_or_unknown),
        cmocka_unit_test(a_negative_or_fractional_length),
        cmocka_unit_test(a_shape_beyond_the_file),
        cmocka_unit_test(offsets_unlike_the_shape),
        cmocka_unit_test(overlapping_tensors),
        cmocka_unit_test(a_gap_between_tensors),
        cmocka_unit_test(data_left_over_or_cut),
        cmocka_unit_test(metadata_must_be_texts),
        cmocka_unit_test(fortran_order),
        cmocka_unit_test(npy_big_endian_or_unknown_dtype),
        cmocka_unit_test(npy_dictionary_faults),
        cmocka_unit_test(npy_data_unlike_the_shape),
        cmocka_unit_test(npy_header_length_beyond_the_file),
        cmocka_unit_test(names_do_not_repeat_across_files),
        cmocka_unit_test(metadata_do_not_contradict),
        cmocka_unit_test(adding_refuses_bad_names_and_shapes),
        cmocka_unit_test(missing_files_and_devices),
        cmocka_unit_test(a_bad_folder_leaves_the_collection),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
