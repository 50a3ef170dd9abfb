// Times functions against each other in one process.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

export const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** Bytes of JavaScript objects and array buffers after a collection. */
export function memoryInUse() {
    gc();
    const { heapUsed, arrayBuffers, external } = process.memoryUsage();
    return heapUsed + Math.max(arrayBuffers, external);
}

// Calls enough for one sample to take `milliseconds`, after a tenth of a second to warm up.
function callsFor(f, milliseconds) {
    const start = performance.now();
    let calls = 0;
    for (; performance.now() - start < 100; calls++) f();
    return Math.max(1, Math.round((calls * milliseconds) / (performance.now() - start)));
}

/**
 * Nanoseconds a call of each function, the median of `rounds` samples. Functions take turns, so that
 * what else the machine does meets all of them alike: the ratios hold, the times mean little. Samples
 * are short, so that most of them are not interrupted.
 */
export function compare(functions, { rounds = 301, milliseconds = 2 } = {}) {
    const entries = Object.entries(functions).map(([name, f]) => ({ name, f, calls: callsFor(f, milliseconds), samples: [] }));
    for (let round = 0; round < rounds; round++)
        for (const { f, calls, samples } of entries) {
            const start = performance.now();
            for (let i = 0; i < calls; i++) f();
            samples.push(((performance.now() - start) * 1e6) / calls);
        }
    return Object.fromEntries(entries.map(({ name, samples }) => [name, median(samples)]));
}

export function time(nanoseconds) {
    if (nanoseconds < 1e3) return `${nanoseconds.toFixed(1)} ns`;
    if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toFixed(2)} us`;
    return `${(nanoseconds / 1e6).toFixed(2)} ms`;
}

export const bytes = (count) => `${(count / 1024 / (count < 1 << 20 ? 1 : 1024)).toFixed(1)} ${count < 1 << 20 ? 'KiB' : 'MiB'}`;
