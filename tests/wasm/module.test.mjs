// What a page relies on before it calls anything: the module stands alone and stays small.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/files.mjs';

const path = join(ROOT, 'build/wasm/sinew.wasm');
const skip = existsSync(path) ? false : 'build/wasm/sinew.wasm is not built';
const limit = 300 * 1024;

test('sinew.wasm imports nothing and starts', { skip }, async () => {
    const module = await WebAssembly.compile(readFileSync(path));
    const imports = WebAssembly.Module.imports(module).map((entry) => entry.name);
    assert.deepEqual(imports, [], 'fd_* come from stdio.h: snprintf, printf, assert');
    const names = WebAssembly.Module.exports(module).map((entry) => entry.name);
    assert.ok(names.includes('memory'));
    const instance = await WebAssembly.instantiate(module, {});
    instance.exports._initialize?.();
});

test('sinew.wasm stays below its size limit', { skip }, (t) => {
    const size = readFileSync(path).length;
    t.diagnostic(`sinew.wasm is ${size} bytes`);
    assert.ok(size <= limit, `${size} bytes, at most ${limit} are allowed`);
});
