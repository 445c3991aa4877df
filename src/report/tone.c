/* Colours of verdicts; they say nothing that the word does not say. */
#include "ckda/report.h"

static bool color;

void
ckda_report_set_color(bool on)
{
    color = on;
}

const char *
ckda_report_tone(ckda_truth verdict)
{
    static const char *const codes[] = {[CKDA_FALSE] = "\033[1;31m",
                                        [CKDA_TRUE] = "\033[32m",
                                        [CKDA_UNKNOWN] = "\033[33m"};
    return color ? codes[verdict] : "";
}

const char *
ckda_report_tone_end(void)
{
    return color ? "\033[0m" : "";
}
