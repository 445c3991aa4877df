/* Rules that kernels have been seen to follow in place of the stated one. */
#include "trace_internal.h"

const named_rule known_rules[] = {
    {"order-old-error",
     "the error is taken before the gate: D h + beta k (v - k^T h)",
     {.order = ORDER_OLD_ERROR}},
    {"order-gate-last",
     "the gate after the delta step: D (I - beta k k^T) h + beta k v",
     {.order = ORDER_GATE_LAST}},
    {"order-gate-all",
     "the gate after delta step and write: D ((I - beta k k^T) h + "
     "beta k v)",
     {.order = ORDER_GATE_ALL}},
    {"beta-bf16", "beta rounded to bf16", {.beta_to = &ckda_fp_bf16}},
    {"beta-fp16", "beta rounded to fp16", {.beta_to = &ckda_fp_fp16}},
    {"beta-doubled", "2 beta in place of beta", {.beta_double = 1}},
    {"beta-halved", "beta/2 in place of beta", {.beta_halve = 1}},
    {"beta-ignored", "beta = 1", {.no_beta = true}},
    {"gate-bf16", "the log gate rounded to bf16", {.gate_to = &ckda_fp_bf16}},
    {"alpha-bf16",
     "the gate alpha rounded to bf16 (1 - eps becomes 1)",
     {.alpha_to = &ckda_fp_bf16}},
    {"alpha-fp16", "the gate alpha rounded to fp16", {.alpha_to = &ckda_fp_fp16}},
    {"gate-ignored", "alpha = 1", {.no_gate = true}},
    {"gate-unsigned", "|alpha| in place of alpha", {.unsigned_gate = true}},
    {"gate-late", "the gate of the token before", {.gate_late = true}},
    {"key-unit", "keys normalised once more", {.key = KEY_UNIT}},
    {"key-raw", "keys not normalised", {.key = KEY_RAW}},
    {"scale-missing", "scale = 1", {.no_scale = true}},
    {"scale-twice", "scale applied twice", {.scale_twice = true}},
    {"initial-ignored", "the initial state ignored", {.no_initial = true}},
    {"read-before", "the output read before the update", {.read_before = true}},
    {"shift-by-one", "all inputs of the token before", {.inputs_late = true}},
    {"state-bf16", "the state rounded to bf16 each token", {.state_bits = 8}},
    {"state-fp16", "the state rounded to 11 bits (fp16) each token", {.state_bits = 11}},
};
const size_t known_rules_count = sizeof known_rules / sizeof known_rules[0];
