/* What the two helpers agree on. */
#ifndef CKDA_TESTS_FAULT_H
#define CKDA_TESTS_FAULT_H

/* prctl(FAULT_BEGIN), which does nothing: main begins. */
#define FAULT_BEGIN 0x464c54
/* Exit code of fail_call: this system does not let itself be traced. */
enum { FAULT_CANNOT = 77 };

#endif
