// Is every function that a public header declares to C++ the one that libckda exports under
// that name?  (A header without extern "C" does not link; one that declares too much has no
// symbol in the library.)  One TAP line a symbol.
#include <cstdio>
#include <dlfcn.h>

#include "symbols.def" // the headers

namespace {

struct entry {
    const char *header, *name;
    const void *seen;
};

template <typename T>
const void *
address(T *function)
{
    return reinterpret_cast<const void *>(function);
}

#define ENTRY(header, name) {header, #name, address(&name)},
const entry entries[] = {
#include "symbols.def" // the entries
};

} // namespace

int
main()
{
    const int count = sizeof entries / sizeof entries[0];
    int wrong = 0;
    std::printf("1..%d\n", count);
    for (int i = 0; i < count; i++) {
        const bool same = dlsym(RTLD_DEFAULT, entries[i].name) == entries[i].seen;
        wrong += same ? 0 : 1;
        std::printf("%s %d - %s: %s\n", same ? "ok" : "not ok", i + 1, entries[i].header, entries[i].name);
    }
    return wrong == 0 ? 0 : 1;
}
