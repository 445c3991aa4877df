/* SHA-256 (FIPS 180-4), so that a reader can compare a file by sha256sum. */
#ifndef CKDA_SRC_REPORT_SHA256_H
#define CKDA_SRC_REPORT_SHA256_H
#include <stddef.h>

/* 64 hexadecimal digits and a NUL. */
void sha256_hex(char hex[65], const void *bytes, size_t size);

#endif
