// The same calls through WebAssembly and natively: a rig that records what goes into each call of
// its module and what comes out, and build/tests/rig/rig_native, which runs the calls again.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './files.mjs';
import { api, rigFile } from './rig.mjs';

const program = join(ROOT, 'build/tests/rig/rig_native');
const MODULES = ['two_bone']; // in the order of rig_native.c
const TRANSFORM = 40;
const ROOT_BYTES = 48;
const ID_SIZE = 32;

export const nativeMissing = existsSync(program) ? false : 'build/tests/rig/rig_native is not built (make test PARTS=build)';

/** `rig`, for the modules of web/three, and the `calls` made with it. */
export async function recordingRig() {
    const rig = await api.loadRig(readFileSync(rigFile));
    const native = rig.exports;
    const calls = [];
    const bytes = (address, size) => Buffer.from(new Uint8Array(native.memory.buffer, address, size));
    rig.exports = { ...native };
    MODULES.forEach((name, module) => {
        const size = native[`${name}_size`]();
        rig.exports[`${name}_solve`] = (block, joints, error) => {
            const count = rig.words[joints / 4];
            const local = native.joints_local(joints);
            const input = Buffer.concat([
                Buffer.from(new Uint32Array([module, count]).buffer),
                bytes(native.joints_parents(joints), count * 4),
                bytes(native.joints_rest(joints), count * TRANSFORM),
                bytes(local, count * TRANSFORM),
                bytes(native.joints_root(joints), ROOT_BYTES),
                bytes(block, size),
            ]);
            const result = native[`${name}_solve`](block, joints, error);
            const id = result ? rig.string(native.error_id(error)) : '';
            const output = Buffer.concat([bytes(local, count * TRANSFORM), bytes(block, size)]);
            calls.push({ input, output, result, id });
            return result;
        };
    });
    return { rig, calls };
}

/** Runs the calls natively and compares pose and block float by float: within `tolerance`, relative to
 * 1 or the larger value; integers are compared as such. Gives the share of calls equal bit for bit. */
export function compareWithNative(calls, tolerance = 1e-6) {
    const { stdout, stderr, status } = spawnSync(program, [], {
        input: Buffer.concat(calls.map(({ input }) => input)),
        maxBuffer: 2 ** 30,
    });
    assert.equal(status, 0, String(stderr));
    let offset = 0;
    let same = 0;
    for (const [i, { output, result, id }] of calls.entries()) {
        assert.equal(stdout.readUInt32LE(offset), result, `result of call ${i}`);
        const there = stdout.subarray(offset + 4, offset + 4 + output.length);
        offset += 4 + output.length + ID_SIZE;
        assert.equal(stdout.toString('latin1', offset - ID_SIZE, offset).replace(/\0+$/, ''), id, `error of call ${i}`);
        if (there.equals(output)) {
            same++;
            continue;
        }
        for (let at = 0; at < output.length; at += 4) {
            if (there.readUInt32LE(at) === output.readUInt32LE(at)) continue;
            const [a, b] = [there.readFloatLE(at), output.readFloatLE(at)];
            const scale = Math.max(1, Math.abs(a), Math.abs(b));
            // Flags and indices are floats far below this, and differ only if they are wrong.
            const isFloat = Math.abs(a) > 1e-30 || Math.abs(b) > 1e-30;
            assert.ok(isFloat && Math.abs(a - b) <= tolerance * scale, `call ${i}, byte ${at}: ${a} natively, ${b}`);
        }
    }
    assert.equal(offset, stdout.length);
    return same / calls.length;
}
