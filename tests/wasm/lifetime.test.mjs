// Opening and disposing, and what happens when memory or the module itself ends.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { makeCharacter } from '../../bench/web/character.mjs';
import { api, core, coreMissing } from '../support/core.mjs';
import { ROOT } from '../support/files.mjs';
import { importTypeScript } from '../support/typescript.mjs';

const skip = coreMissing;
const glb = makeCharacter({ joints: 20, vertices: 500 });

const use = (session) => {
    session.evaluate(0, 0.3);
    session.evaluate(0, 0.4);
    session.skin(20, 0);
    session.apply({ op: 'clip.rename', clip: 0, name: 'other' });
    session.clips();
    session.save('glb');
};

test('a thousand sessions leave the memory as the second one left it', { skip }, () => {
    let reserved;
    for (let i = 0; i < 1000; i++) {
        const session = core.open(glb);
        if (i % 10 === 0) use(session);
        if (i === 20) reserved = session.memory().reserved;
        if (i > 20) assert.equal(session.memory().reserved, reserved, `session ${i}`);
        session.dispose();
    }
});

test('every session uses the same number of bytes, and edits give theirs back', { skip }, () => {
    const used = new Set();
    for (let i = 0; i < 3; i++) {
        const session = core.open(glb);
        used.add(session.memory().used);
        use(session);
        session.dispose();
    }
    assert.equal(used.size, 1);
});

test('a session that is dropped is collected', { skip }, async () => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc');
    const dropped = Array.from({ length: 5 }, () => {
        const session = core.open(glb);
        use(session);
        session.crowd(2);
        return new WeakRef(session);
    });
    for (let i = 0; i < 20 && dropped.some((ref) => ref.deref()); i++) {
        await new Promise((next) => setTimeout(next, 5));
        gc();
    }
    assert.deepEqual(dropped.map((ref) => ref.deref()), dropped.map(() => undefined));
});

test('a disposed session says so, whatever is called', { skip }, () => {
    const session = core.open(glb);
    const crowd = session.crowd(2);
    session.dispose();
    session.dispose();
    const calls = {
        clips: () => session.clips(),
        key: () => session.key(0, 0, 0),
        values: () => session.values(0, 0),
        check: () => session.check(),
        modifiers: () => session.modifiers(),
        sample: () => session.sample(null, 0),
        evaluate: () => session.evaluate(null, 0),
        world: () => session.world(),
        jointMatrices: () => session.jointMatrices(0),
        local: () => session.local(0),
        weights: () => session.weights(0),
        skin: () => session.skin(20, 0),
        crowd: () => session.crowd(1),
        apply: () => session.apply({ op: 'clip.remove', clip: 0 }),
        begin: () => session.begin(),
        end: () => session.end(),
        cancel: () => session.cancel(),
        undo: () => session.undo(),
        redo: () => session.redo(),
        undoCount: () => session.undoCount,
        redoCount: () => session.redoCount,
        commands: () => session.commands(),
        save: () => session.save('glb'),
        memory: () => session.memory(),
        'crowd.clips': () => crowd.clips(),
        'crowd.times': () => crowd.times(),
        'crowd.roots': () => crowd.roots(),
        'crowd.evaluate': () => crowd.evaluate(),
        'crowd.jointMatrices': () => crowd.jointMatrices(),
    };
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(session)))
        assert.ok(name in calls || ['constructor', 'dispose'].includes(name), `${name} is not tried here`);
    for (const [name, call] of Object.entries(calls)) assert.throws(call, { name: 'SinewError', id: 'session.disposed' }, name);
    crowd.dispose();
});

test('sessions know nothing of each other', { skip }, () => {
    const a = core.open(glb);
    const b = core.open(glb);
    b.evaluate(0, 0.5);
    const before = b.world().slice();
    a.evaluate(0, 1);
    a.apply({ op: 'clip.remove', clip: 0 });
    a.dispose();
    assert.deepEqual(b.world(), before);
    assert.equal(b.clips().length, 1);
    b.dispose();
});

test('a byte limit gives an error and no harm, wherever it strikes', { skip }, () => {
    const free = core.open(glb);
    const enough = free.memory().used * 4;
    free.dispose();
    let refused = 0;
    let opened = 0;
    for (let limit = 1000; limit < enough; limit = Math.ceil(limit * 1.02)) {
        let session;
        try {
            session = core.open(glb, { memoryLimit: limit });
            opened++;
            use(session);
        } catch (error) {
            assert.ok(['memory', 'limit.memory'].includes(error.id), `${limit}: ${error.id} ${error.stack}`);
            refused++;
        } finally {
            session?.dispose();
        }
    }
    assert.ok(refused > 50 && opened > 5, `${refused} refused, ${opened} opened`);
    const session = core.open(glb);
    use(session);
    session.dispose();
});

test('a module whose memory is full gives an error', { skip }, async () => {
    // A module may have 4 GiB; a page that has none left is the same to it.
    const { memory, exports } = await exhaustedModule();
    const session = exports.session_create(0);
    assert.notEqual(session, 0, 'the little that is left is enough for the session itself');
    assert.equal(exports.session_block(session, 32 << 20), 0);
    const block = exports.session_block(session, glb.length);
    assert.notEqual(block, 0);
    new Uint8Array(memory.buffer, block >>> 0, glb.length).set(glb);
    exports.session_give(session, block, glb.length);
    let blocks = 0;
    while (exports.session_block(session, 4096)) blocks++;
    assert.notEqual(exports.session_open(session), 0);
    const id = exports.session_error_id(session);
    const bytes = new Uint8Array(memory.buffer);
    assert.equal(Buffer.from(bytes.slice(id, bytes.indexOf(0, id))).toString(), 'memory', `${blocks} blocks`);
});

async function exhaustedModule() {
    const { instance } = await WebAssembly.instantiate(readFileSync(join(ROOT, 'build/wasm/sinew.wasm')), {});
    const { memory } = instance.exports;
    instance.exports._initialize();
    const warm = instance.exports.session_create(0);
    const block = instance.exports.session_block(warm, 1 << 20);
    instance.exports.session_block_free(warm, block, 1 << 20);
    memory.grow(65536 - memory.buffer.byteLength / 65536);
    return { memory, exports: instance.exports };
}

// (module (memory (export "memory") 1) (func (export "boom") (result i32) unreachable)
//   (func (export "fine") (result i32) (i32.const 7)))
const trapping = Uint8Array.from([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7f, 3, 3, 2, 0, 0, 5, 3, 1, 0, 1,
    7, 0x18, 3, 6, ...Buffer.from('memory'), 2, 0, 4, ...Buffer.from('boom'), 0, 0, 4, ...Buffer.from('fine'), 0, 1,
    10, 10, 2, 3, 0, 0, 0x0b, 4, 0, 0x41, 7, 0x0b,
]);

test('an instance that trapped is never called again, the next one is fresh', { skip }, async () => {
    const { Native, NativePool } = await importTypeScript('web/core/native.ts');
    const module = await WebAssembly.compile(trapping);
    const pool = new NativePool(module, await WebAssembly.instantiate(module));
    const first = pool.acquire();
    const second = pool.acquire();
    assert.ok(first instanceof Native && second !== first);
    assert.equal(first.exports.fine(), 7);
    assert.throws(() => first.exports.boom(), (error) =>
        error.name === 'SinewError' && error.id === 'session.broken' && error.cause instanceof WebAssembly.RuntimeError);
    assert.throws(() => first.exports.fine(), { id: 'session.broken' });
    assert.equal(second.exports.fine(), 7, 'the other session goes on');
    pool.release(first);
    assert.notEqual(pool.acquire(), first);
    pool.release(second);
    assert.equal(pool.acquire(), second, 'a sound instance is used again');
});

test('a worker opens files with the module that this thread compiled', { skip }, async () => {
    const worker = new Worker(`
        const { parentPort, workerData } = require('node:worker_threads');
        import(workerData.path).then(async ({ loadCore }) => {
            const session = (await loadCore(workerData.module)).open(workerData.glb);
            session.evaluate(0, 0.5);
            parentPort.postMessage(session.world().slice());
        });`, {
        eval: true,
        workerData: {
            path: pathToFileURL(join(ROOT, 'build/test-modules/web/core/index.mjs')).href,
            module: await WebAssembly.compile(readFileSync(join(ROOT, 'build/wasm/sinew.wasm'))),
            glb,
        },
    });
    const [world] = await once(worker, 'message');
    await worker.terminate();
    const session = core.open(glb);
    session.evaluate(0, 0.5);
    assert.deepEqual(world, session.world());
    session.dispose();
});

test('a module that is not the core is refused', { skip }, async () => {
    const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    await assert.rejects(api.loadCore(empty), { name: 'SinewError', id: 'session.module' });
    await assert.rejects(api.loadCore(new Response(empty)), { id: 'session.module' });
});

test('the module comes from bytes, a response, a file or another thread', { skip }, async () => {
    const path = join(ROOT, 'build/wasm/sinew.wasm');
    const bytes = readFileSync(path);
    const sources = {
        bytes,
        response: new Response(bytes, { headers: { 'content-type': 'application/wasm' } }),
        'response of another type': new Response(bytes),
        file: new URL(`file://${path}`),
        module: await WebAssembly.compile(bytes),
    };
    for (const [name, source] of Object.entries(sources)) {
        const loaded = await api.loadCore(source);
        assert.equal(loaded.kernel, 'wasm-simd128', name);
        assert.match(loaded.version, /^\d+\.\d+\.\d+/, name);
        loaded.open(glb).dispose();
    }
    await assert.rejects(api.loadCore(new Response('', { status: 404 })), { id: 'io.read' });
});
