import { availableParallelism } from 'node:os';

/** Runs `work(item)` for every item, a few at a time, and resolves to the results in order. */
export async function inParallel(items, work, jobs = availableParallelism() + 1) {
    const results = new Array(items.length);
    let next = 0;
    await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, async () => {
        while (next < items.length) {
            const i = next++;
            results[i] = await work(items[i]);
        }
    }));
    return results;
}
