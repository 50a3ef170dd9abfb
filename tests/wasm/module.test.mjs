// What a page relies on before it calls anything: a module stands alone and stays small.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/files.mjs';

const limits = { 'sinew.wasm': 512 * 1024, 'sinew_rig.wasm': 144 * 1024 };

for (const [name, limit] of Object.entries(limits)) {
    const path = join(ROOT, 'build/wasm', name);
    const skip = existsSync(path) ? false : `build/wasm/${name} is not built`;

    test(`${name} imports nothing and starts`, { skip }, async () => {
        const module = await WebAssembly.compile(readFileSync(path));
        const imports = WebAssembly.Module.imports(module).map((entry) => entry.name);
        assert.deepEqual(imports, [], 'fd_* come from stdio.h: snprintf, printf, assert');
        const names = WebAssembly.Module.exports(module).map((entry) => entry.name);
        assert.ok(names.includes('memory'));
        const instance = await WebAssembly.instantiate(module, {});
        instance.exports._initialize?.();
    });

    test(`${name} stays below its size limit`, { skip }, (t) => {
        const size = readFileSync(path).length;
        t.diagnostic(`${name} is ${size} bytes`);
        assert.ok(size <= limit, `${size} bytes, at most ${limit} are allowed`);
    });
}
