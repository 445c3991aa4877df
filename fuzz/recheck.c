/* Certificates, as the checker reads them: it must answer, with a reason for every refusal. */
#include "fuzz.h"

#include <stdio.h>

#include "recheck.h"

bool
fuzz_recheck(const uint8_t *data, size_t size)
{
    char reason[512];
    if (size == 0)
        return false;
    FILE *file = fmemopen((void *)(uintptr_t)data, size, "rb");
    if (file == NULL)
        return false;
    const verdict v = recheck_stream(file, NULL, reason);
    fclose(file);
    fuzz_check((v == VERIFIED) == (reason[0] == '\0'), "verdict %d: %s", (int)v, reason);
    return v == VERIFIED;
}
