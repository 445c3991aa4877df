/* Building JSON for the files of this room.  Running out of memory aborts. */
#ifndef CKDA_SRC_REPORT_JSON_H
#define CKDA_SRC_REPORT_JSON_H
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include "ckda/claim.h"
#include "ckda/field.h"
#include "ckda/poly.h"

/* Sets a member to a value whose reference is taken over. */
void json_put(json_t *object, const char *key, json_t *value);
/* A string member; NULL gives null, bytes that are no UTF-8 become '?'. */
void json_put_text(json_t *object, const char *key, const char *text);
void json_put_count(json_t *object, const char *key, uint64_t n);
void json_put_bool(json_t *object, const char *key, bool b);
void json_append(json_t *array, json_t *value);
void json_append_text(json_t *array, const char *text);
/* A NULL-terminated list of texts as an array. */
json_t *json_texts(const char *const *texts);
/* {"generator","minpoly","root"}. */
json_t *json_field(const ckda_field_t K);
json_t *json_elem(const ckda_elem_t x, const ckda_field_t K);
/* {"document","where"}. */
json_t *json_source(const ckda_claim *c);
/* Writes the document and lets go of it. */
void json_print(FILE *out, json_t *document);

#endif
