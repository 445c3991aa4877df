/* Network documents. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "ckda/net.h"

enum { LETTERS = 6 };

/* The outputs after some letters, as texts. */
static void
run(char *output[LETTERS], const ckda_net *net)
{
    ckda_net_run *r = ckda_net_run_open(net);
    for (uint32_t t = 0; t < LETTERS; t++) {
        ckda_net_run_step(r, t * t % ckda_net_letters(net), NULL);
        output[t] = ckda_net_output_str(net, ckda_net_run_output(r));
    }
    ckda_net_run_close(&r);
}

/* The same again, from its own document. */
static void
network_again(const ckda_net *net)
{
    ckda_error err = {""};
    ckda_net *again = NULL;
    char *a[LETTERS], *b[LETTERS];
    json_t *written = ckda_net_json(net);
    ckda_doc *doc = ckda_doc_wrap(written, "written");
    const ckda_node root = ckda_doc_root(doc);
    fuzz_check(ckda_net_read(&again, &root, &err) == CKDA_OK, "%s", err.text);
    json_t *twice = ckda_net_json(again);
    fuzz_check(json_equal(written, twice), "another network");
    if (ckda_net_letters(net) > 0) {
        run(a, net);
        run(b, again);
        for (uint32_t t = 0; t < LETTERS; t++) {
            fuzz_check(strcmp(a[t], b[t]) == 0, "output %u: %s and %s", t, a[t], b[t]);
            free(a[t]);
            free(b[t]);
        }
    }
    json_decref(twice);
    ckda_net_close(&again);
    ckda_doc_close(&doc);
    json_decref(written);
}

bool
fuzz_network(const uint8_t *data, size_t size)
{
    ckda_error err = {""};
    ckda_net *net = NULL;
    ckda_doc *doc = fuzz_parse(data, size);
    if (doc == NULL)
        return false;
    const ckda_node root = ckda_doc_root(doc);
    const bool ok = fuzz_read(ckda_net_read(&net, &root, &err), &err, FUZZ_NAME ": ");
    fuzz_check(ok == (net != NULL), "a network");
    if (ok)
        network_again(net);
    ckda_net_close(&net);
    ckda_doc_close(&doc);
    return ok;
}
