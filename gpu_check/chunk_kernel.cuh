/* The chunked CKDA forward kernel: one CTA walks one (sequence, head, slice of d_v).
 *
 * Sixteen tokens are a chunk.  With E_r = product of the gates of rows 1..r of the chunk
 * (signed: the gauge of Lemma 27 rides in the product, and starts afresh in each chunk)
 *
 *     k^ = k E,  q^ = q E,  kv = k / E,  k_end = k E_16 / E       (rows, channel by channel)
 *     A = k^ kv^T (strictly lower),  B = q^ kv^T (lower)
 *     T = (I + diag(beta) A)^-1 diag(beta)                        (fp32 substitution)
 *     X = V - k^ S,   U = T X,   O = scale (q^ S + B U),   S' = E_16 S + k_end^T U
 *
 * Three kinds of warps around a ring of stages in shared memory: the loader copies raw
 * rows, each producer warp turns a whole chunk into k^, q^, k_end, T, B (nothing of which
 * needs the state, so producers run ahead), and each consumer warp keeps 16 * MT columns
 * of the state, transposed, in registers for the whole sequence.  The accumulator layout
 * of one matrix product is the operand layout of the next, so the chain
 * S -> X -> U -> S goes through registers only. */
#ifndef CKDA_GPU_CHUNK_KERNEL_CUH
#define CKDA_GPU_CHUNK_KERNEL_CUH
#include "chunk_consumer.cuh"
#include "chunk_producer.cuh"

namespace ckda
{

/* OVERLAP: a consumer takes the state to the next chunk and multiplies it with the rows of
 * that chunk in one pass over its channels, so that neither waits for the other's end: pays
 * where a consumer has a sub-core to itself and registers to spare.
 * APART: two consumers and the loader on sub-cores 0 and 1, producers on 2 and 3 (a warp's
 * sub-core is its number modulo 4): where few consumers carry the whole state, issue slots
 * taken by producers are what holds them up. */
template <int DK_, int DVS_, int MT_, int CONSUMERS_, int PRODUCERS_, int STAGES_,
          bool APART_ = false, bool OVERLAP_ = false>
struct shape {
    static constexpr int DK = DK_, DVS = DVS_, MT = MT_, CONSUMERS = CONSUMERS_,
                         PRODUCERS = PRODUCERS_, STAGES = STAGES_;
    static constexpr bool APART = APART_, OVERLAP = OVERLAP_;
    static constexpr int THREADS =
        APART ? 64 * PRODUCERS : 32 * (CONSUMERS + PRODUCERS + 1);
    static_assert(!APART || (CONSUMERS == 2 && PRODUCERS % 2 == 0 && PRODUCERS >= 4),
                  "sub-cores 0 and 1 hold two consumers and the loader");
    /* 0 .. CONSUMERS-1: consumer; then the producers; then the loader; then nothing */
    static __device__ __forceinline__ int
    role(int warp)
    {
        if (!APART)
            return warp;
        if (warp % 4 >= 2)
            return CONSUMERS + warp / 4 * 2 + warp % 4 - 2;
        return warp < 2    ? warp
               : warp == 4 ? CONSUMERS + PRODUCERS
                           : CONSUMERS + PRODUCERS + 1;
    }
    static constexpr int
    shared(bool pairs)
    {
        return STAGES
                   * (pairs ? stage_layout<DK, DVS, true>::bytes
                            : stage_layout<DK, DVS, false>::bytes)
               + PRODUCERS * scratch_layout<DK>::bytes + STAGES * 3 * 8;
    }
    static_assert(CONSUMERS * MT * 16 == DVS, "consumers cover the slice");
    /* a stage always belongs to one producer: otherwise a parity wait can be one phase off */
    static_assert(STAGES % PRODUCERS == 0, "stages are shared out evenly");
    static_assert(STAGES >= 2, "a consumer holds a chunk while it waits for the next");
};

template <class SH, int SPLIT, int GATE, bool SNAP>
__global__ void
__launch_bounds__(SH::THREADS, 1) chunk_kernel(const __grid_constant__ chunk_params p)
{
    constexpr int DK = SH::DK, DVS = SH::DVS, MT = SH::MT, STAGES = SH::STAGES;
    constexpr bool OVERLAP = SH::OVERLAP;
    constexpr bool PAIRS = SPLIT != 0;
    using S = stage_layout<DK, DVS, PAIRS>;
    extern __shared__ __align__(128) uint8_t shared[];
    uint8_t *scratch = shared + STAGES * S::bytes;
    const uint32_t ring = kept(shared_address(shared)),
                   bars = ring + STAGES * S::bytes
                          + SH::PRODUCERS * scratch_layout<DK>::bytes;
    const auto raw_bar = [=](int s) { return bars + 8 * s; };
    const auto full_bar = [=](int s) { return bars + 8 * (STAGES + s); };
    const auto empty_bar = [=](int s) { return bars + 8 * (2 * STAGES + s); };
    const int warp = SH::role(threadIdx.x / 32), lane = threadIdx.x % 32;
    const int slice = blockIdx.x, head = blockIdx.y % p.heads, seq = blockIdx.y / p.heads;
    const int64_t start = p.cu_seqlens ? p.cu_seqlens[seq] : (int64_t)seq * p.tokens;
    const int64_t length = p.cu_seqlens ? p.cu_seqlens[seq + 1] - start : p.tokens;
    const int chunks = (int)((length + CHUNK - 1) / CHUNK);

    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++) {
            barrier_init(raw_bar(s), 32);
            barrier_init(full_bar(s), 32);
            barrier_init(empty_bar(s), 32 * SH::CONSUMERS);
        }
    __syncthreads();

    const int64_t kq_stride = (int64_t)p.heads * DK, v_stride = (int64_t)p.heads * p.dv;
    if (warp == SH::CONSUMERS + SH::PRODUCERS) {
        const uint8_t *k =
            reinterpret_cast<const uint8_t *>(p.k + start * kq_stride + head * DK);
        const uint8_t *q =
            reinterpret_cast<const uint8_t *>(p.q + start * kq_stride + head * DK);
        const uint8_t *g =
            reinterpret_cast<const uint8_t *>(p.gate + start * kq_stride + head * DK);
        const uint8_t *v = reinterpret_cast<const uint8_t *>(p.v + start * v_stride
                                                             + head * p.dv + slice * DVS);
        const float *beta = p.beta + start * p.heads + head;
        for (int c = 0; c < chunks; c++) {
            const int s = c % STAGES;
            const int rows = (int)min((int64_t)CHUNK, length - (int64_t)c * CHUNK);
            if (c >= STAGES)
                barrier_wait(empty_bar(s), (c / STAGES - 1) & 1);
            const uint32_t to = ring + s * S::bytes;
            load_tile<DK / 8>(to + S::gate, g, kq_stride * 2, rows, lane);
            load_tile<DK / 8>(to + S::k, k, kq_stride * 2, rows, lane);
            load_tile<DK / 8>(to + S::q, q, kq_stride * 2, rows, lane);
            load_tile<DVS / 8>(to + S::v, v, v_stride * 2, rows, lane);
            if (lane < CHUNK)
                copy4(to + S::beta + lane * 4, beta + (lane < rows ? lane : 0) * p.heads,
                      lane < rows);
            arrive_when_copied(raw_bar(s));
            k += CHUNK * kq_stride * 2;
            q += CHUNK * kq_stride * 2;
            g += CHUNK * kq_stride * 2;
            v += CHUNK * v_stride * 2;
            beta += CHUNK * p.heads;
        }
    } else if (warp > SH::CONSUMERS + SH::PRODUCERS) {
        return;
    } else if (warp >= SH::CONSUMERS) {
        const int me = warp - SH::CONSUMERS;
        uint8_t *mine = scratch + me * scratch_layout<DK>::bytes;
        bool in_range = true;
        for (int c = me; c < chunks; c += SH::PRODUCERS) {
            const int s = c % STAGES;
            uint8_t *stage = shared + s * S::bytes;
            barrier_wait(raw_bar(s), (c / STAGES) & 1);
            const int64_t left = length - (int64_t)c * CHUNK;
            if (left < CHUNK)
                fill_gates<DK, GATE>(stage, (int)left, lane);
            in_range = scale_rows<DK, GATE>(stage, mine, lane) && in_range;
            __syncwarp();
            inner_products<DK, DVS, PAIRS>(stage, mine, lane);
            __syncwarp();
            invert<DK, DVS, PAIRS>(stage, mine, lane);
            __syncwarp();
            barrier_arrive(full_bar(s));
        }
        if (!in_range)
            *p.out_of_range = 1;
    } else {
        state<DK, MT> st;
        const int first = warp * MT * 16;
        const int64_t matrix = ((int64_t)seq * p.heads + head) * DK * p.dv;
        const int column0 = slice * DVS + first;
        const float grid = SNAP ? p.grid : 1.0f;
        for_each_entry<DK, MT>(lane, [&](int m, int tile, int c, int row, int ch) {
            const float x =
                p.initial ? p.initial[matrix + (int64_t)ch * p.dv + column0 + row] : 0.0f;
            st.s[m][tile][c] = SNAP ? rintf(x * grid) : x;
        });
        const places<DK, DVS, MT, PAIRS> at(lane, first);
        __nv_bfloat16 *row[2];
        const int token = kept(lane / 4); /* and token + 8 */
        row[0] = p.o + (start + token) * v_stride + (int64_t)head * p.dv + column0
                 + lane % 4 * 2;
        row[1] = row[0] + 8 * v_stride;
        const float scale = SNAP ? p.scale / grid : p.scale;
        products<MT> product = {};
        if (chunks > 0) {
            barrier_wait(full_bar(0), 0);
#pragma unroll
            for (int step = 0; step < DK / 16; step++)
                multiply_state<DK, DVS, MT, SPLIT>(product, st, step, ring, at);
        }
        const int tail = (int)(length - (int64_t)(chunks - 1) * CHUNK);
        uint32_t here = ring;
        bool ready = false;
        for (int c = 0, stage = 0, parity = 0; c < chunks; c++) {
            /* the next chunk; after the last one its products are not looked at */
            const bool more = c + 1 < chunks;
            const int next = stage + 1 < STAGES ? stage + 1 : 0;
            const uint32_t there = more ? ring + (uint32_t)(next * S::bytes) : here;
            parity ^= next == 0;
            float out[MT][2][4];
            pairs<MT> u;
            if (!OVERLAP)
                ready = barrier_test(full_bar(next), parity);
            else if (more && !ready)
                barrier_wait(full_bar(next), parity);
            solve<DK, DVS, MT, SPLIT>(u, product, here, at, grid);
            start_output<MT>(out, product);
            product = {};
            if (OVERLAP) {
                const int after = next + 1 < STAGES ? next + 1 : 0;
                ready = barrier_test(full_bar(after), parity ^ (after == 0));
            }
            constexpr int STEPS = DK / 16, TERMS = SPLIT & SPLIT_U ? 3 : 1;
#pragma unroll
            for (int i = 0; i < (STEPS >= TERMS ? STEPS + 1 : TERMS); i++) {
                if (i < TERMS)
                    add_output<DK, DVS, MT, SPLIT>(out, u, i, here, at);
                if (i < STEPS)
                    advance_state<DK, DVS, MT, SPLIT, SNAP>(st, u, i, here, at);
                if (OVERLAP && i > 0 && i <= STEPS)
                    multiply_state<DK, DVS, MT, SPLIT>(product, st, i - 1, there, at);
            }
            barrier_arrive(empty_bar(stage));
            const bool exists[2] = {more || token < tail, more || token + 8 < tail};
            store_output<MT>(row, exists, out, scale);
            row[0] += CHUNK * v_stride;
            row[1] += CHUNK * v_stride;
            if (!OVERLAP && more) {
                if (!ready)
                    barrier_wait(full_bar(next), parity);
#pragma unroll
                for (int i = 0; i < STEPS; i++)
                    multiply_state<DK, DVS, MT, SPLIT>(product, st, i, there, at);
            }
            here = there;
            stage = next;
        }
        if (p.final_state)
            for_each_entry<DK, MT>(lane, [&](int m, int tile, int c, int row, int ch) {
                p.final_state[matrix + (int64_t)ch * p.dv + column0 + row] =
                    SNAP ? __fdiv_rn(st.s[m][tile][c], grid) : st.s[m][tile][c];
            });
    }
}

} // namespace ckda
#endif
