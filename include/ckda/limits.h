/* ckda/limits.h -- how much a search may use, and which limit stopped it. */
#ifndef CKDA_LIMITS_H
#define CKDA_LIMITS_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 0 means "no limit" in every field. */
typedef struct {
    uint64_t max_states;
    uint64_t max_bytes;
    double max_seconds; /* wall time */
} ckda_limits;

/* Seconds on a clock that never goes back; only differences mean anything. */
double ckda_wall_seconds(void);

#ifdef __cplusplus
}
#endif
#endif
