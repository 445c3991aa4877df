/* Several processes made by fork that talk through sockets (a star around number 0): what
 * they share is tested without MPI. */
#ifndef CKDA_TEST_FORKED_RANKS_H
#define CKDA_TEST_FORKED_RANKS_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ckda/ranks.h"

enum { MOST_RANKS = 8 };

typedef struct {
    uint32_t count, mine;
    int to[MOST_RANKS]; /* number 0: a socket to each; the others: to[0] */
} star;

/* A process whose partner is gone ends; number 0 leaves the call, and its test fails. */
static inline bool
move_bytes(const star *s, int fd, void *data, size_t size, bool out)
{
    for (char *at = data; size > 0;) {
        const ssize_t n = out ? send(fd, at, size, MSG_NOSIGNAL) : recv(fd, at, size, 0);
        if (n <= 0) {
            if (s->mine != 0)
                _exit(3);
            return false;
        }
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static inline void
star_combine(void *data, void *x, size_t count, size_t width,
             ckda_ranks_operation operation)
{
    const star *s = data;
    if (s->mine != 0) {
        move_bytes(s, s->to[0], x, count * width, true);
        move_bytes(s, s->to[0], x, count * width, false);
        return;
    }
    uint8_t *mine = x, *other = malloc(count * width + 1);
    for (uint32_t i = 1; i < s->count; i++) {
        move_bytes(s, s->to[i], other, count * width, false);
        for (size_t k = 0; k < count; k++) {
            uint64_t a = 0, b = 0; /* the low bytes first, as everywhere here */
            memcpy(&a, mine + k * width, width);
            memcpy(&b, other + k * width, width);
            a = operation == CKDA_RANKS_SUM ? a + b : a > b ? a : b;
            memcpy(mine + k * width, &a, width);
        }
    }
    for (uint32_t i = 1; i < s->count; i++)
        move_bytes(s, s->to[i], mine, count * width, true);
    free(other);
}

static inline void
star_share(void *data, void *x, size_t size)
{
    const star *s = data;
    if (s->mine != 0)
        move_bytes(s, s->to[0], x, size, false);
    for (uint32_t i = 1; s->mine == 0 && i < s->count; i++)
        move_bytes(s, s->to[i], x, size, true);
}

static inline size_t
sum_of(const size_t *part, uint32_t count)
{
    size_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += part[i];
    return sum;
}

/* Number 0 has all messages and hands them out. */
static inline uint8_t *
star_hand_out(const star *s, size_t *size, uint8_t *const *from,
              size_t part[][MOST_RANKS])
{
    uint8_t *own = NULL;
    for (uint32_t to = 0; to < s->count; to++) {
        size_t total = 0;
        for (uint32_t i = 0; i < s->count; i++)
            total += part[i][to];
        uint8_t *got = malloc(total + 1), *at = got;
        for (uint32_t i = 0; i < s->count; i++) {
            memcpy(at, from[i] + sum_of(part[i], to), part[i][to]);
            at += part[i][to];
        }
        if (to == 0) {
            own = got;
            *size = total;
            continue;
        }
        move_bytes(s, s->to[to], &total, sizeof total, true);
        move_bytes(s, s->to[to], got, total, true);
        free(got);
    }
    return own;
}

static inline uint8_t *
star_exchange(void *data, size_t *size, const uint8_t *bytes, const size_t *mine)
{
    const star *s = data;
    size_t part[MOST_RANKS][MOST_RANKS] = {{0}};
    uint8_t *from[MOST_RANKS];
    const size_t own = sum_of(mine, s->count);
    memcpy(part[0], mine, s->count * sizeof *mine);
    from[0] = malloc(own + 1);
    memcpy(from[0], bytes, own);
    uint8_t *got;
    if (s->mine != 0) {
        move_bytes(s, s->to[0], part[0], sizeof part[0], true);
        move_bytes(s, s->to[0], from[0], own, true);
        move_bytes(s, s->to[0], size, sizeof *size, false);
        got = malloc(*size + 1);
        move_bytes(s, s->to[0], got, *size, false);
        free(from[0]);
        return got;
    }
    for (uint32_t i = 1; i < s->count; i++) {
        move_bytes(s, s->to[i], part[i], sizeof part[i], false);
        from[i] = malloc(sum_of(part[i], s->count) + 1);
        move_bytes(s, s->to[i], from[i], sum_of(part[i], s->count), false);
    }
    got = star_hand_out(s, size, from, part);
    for (uint32_t i = 0; i < s->count; i++)
        free(from[i]);
    return got;
}

/* Runs body in count processes together, this one as number 0.  True: it was true in all of
 * them.  Body asserts in number 0 only: the others must come back from it. */
static inline bool
in_processes(uint32_t count, bool (*body)(void *data), void *data)
{
    star s = {.count = count};
    pid_t child[MOST_RANKS];
    const ckda_ranks_link talk = {.data = &s,
                                  .combine = star_combine,
                                  .share = star_share,
                                  .exchange = star_exchange};
    ckda_ranks_link link = talk;
    link.count = count;
    for (uint32_t i = 1; i < count; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
            return false;
        child[i] = fork();
        if (child[i] == 0) {
            s.mine = link.mine = i;
            s.to[0] = pair[1];
            close(pair[0]);
            for (uint32_t k = 1; k < i; k++)
                close(s.to[k]);
            ckda_ranks_use(&link);
            _exit(body(data) ? 0 : 1);
        }
        close(pair[1]);
        s.to[i] = pair[0];
    }
    ckda_ranks_use(&link);
    bool good = body(data);
    ckda_ranks_use(NULL);
    for (uint32_t i = 1; i < count; i++) {
        int status;
        close(s.to[i]);
        good = waitpid(child[i], &status, 0) == child[i] && WIFEXITED(status)
               && WEXITSTATUS(status) == 0 && good;
    }
    return good;
}

/* ---- the checkpoints of a test in several processes, in the working folder ---- */

static char rank_path[64];

static inline void
remove_rank_files(void)
{
    for (uint32_t count = 2; count <= 3; count++)
        for (uint32_t mine = 0; mine < count; mine++)
            for (uint32_t turn = 0; turn < 2; turn++) {
                char name[128];
                snprintf(name, sizeof name, "%s.%u-of-%u.%u", rank_path, (unsigned)mine,
                         (unsigned)count, (unsigned)turn);
                unlink(name);
            }
    unlink(rank_path);
}

/* Set-up and teardown of such a test. */
static inline int
name_rank_file(void **state)
{
    (void)state;
    snprintf(rank_path, sizeof rank_path, "ranks-%ld.bin", (long)getpid());
    return 0;
}

static inline int
no_rank_files(void **state)
{
    (void)state;
    remove_rank_files();
    return 0;
}

#endif
