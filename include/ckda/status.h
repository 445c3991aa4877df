/* ckda/status.h -- the answers that functions give.
 *
 * Two vocabularies, never mixed:
 *   ckda_status  did the call succeed?  "undefined" (E_DOMAIN: the inverse of a singular
 *                matrix) is not "unable" (E_UNABLE: a stated limit was reached).
 *   ckda_truth   is the statement true?  CKDA_UNKNOWN is an honest "not decided" and is
 *                never shown as a pass.
 *
 * A caller's bug (a broken precondition) is neither: ckda_require prints it and aborts.
 * Running out of memory aborts as well, as in FLINT, unless the program chose another
 * end (ckda_on_out_of_memory); a library never chooses.                               */
#ifndef CKDA_STATUS_H
#define CKDA_STATUS_H

#if defined(__GNUC__) || defined(__clang__)
#define CKDA_MUST_CHECK __attribute__((warn_unused_result))
#define CKDA_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define CKDA_NORETURN __attribute__((noreturn))
#else
#define CKDA_MUST_CHECK
#define CKDA_PRINTF(fmt, first)
#define CKDA_NORETURN
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CKDA_OK = 0,
    CKDA_E_SHAPE,  /* the shapes of the arguments do not fit */
    CKDA_E_DOMAIN, /* no such object exists: inverse of 0, key of length 0, ... */
    CKDA_E_UNABLE, /* a limit was reached before the answer */
    CKDA_E_INPUT,  /* the user's text, document or word is wrong; see ckda_error */
    CKDA_E_IO      /* the operating system said no; see ckda_error */
} ckda_status;

typedef enum { CKDA_FALSE = 0, CKDA_TRUE = 1, CKDA_UNKNOWN = 2 } ckda_truth;

/* Three-valued and: FALSE beats UNKNOWN beats TRUE. */
ckda_truth ckda_truth_and(ckda_truth a, ckda_truth b);

/* One message for a person: what is wrong, where, what was expected, what stood there.
 * A plain value; no ownership.  Long messages are cut at the end; control characters and
 * bytes that are no UTF-8 (both may be quoted from a file) become question marks.       */
typedef struct {
    char text[1024];
} ckda_error;

/* All three accept err == NULL (the message is dropped). */
void ckda_error_clear(ckda_error *err);
void ckda_error_set(ckda_error *err, const char *fmt, ...) CKDA_PRINTF(2, 3);
/* Puts "where: " in front of the message that is there. */
void ckda_error_prefix(ckda_error *err, const char *where);

/* A precondition of the caller: prints function, condition and message, then aborts. */
#define ckda_require(cond, ...)                                                          \
    ((cond) ? (void)0 : ckda_require_failed(__func__, #cond, __VA_ARGS__))
void ckda_require_failed(const char *func, const char *cond, const char *fmt, ...)
    CKDA_PRINTF(3, 4) CKDA_NORETURN;

/* What a call got of the system's memory: ckda_require_memory(p != NULL). */
#define ckda_require_memory(cond) ((cond) ? (void)0 : ckda_out_of_memory())
/* The end that was chosen, else a line on stderr and abort. */
void ckda_out_of_memory(void) CKDA_NORETURN;
/* For programs, before other threads exist: `end` is called instead, in the thread that
 * ran out, and must not return.  NULL: abort again. */
void ckda_on_out_of_memory(void (*end)(void));

#ifdef __cplusplus
}
#endif
#endif
