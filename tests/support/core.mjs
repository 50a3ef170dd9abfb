// The WebAssembly core as a page has it.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './files.mjs';
import { importTypeScript } from './typescript.mjs';

const wasm = join(ROOT, 'build/wasm/sinew.wasm');

/** For node:test: `{ skip: coreMissing }`; false when the module is built. */
export const coreMissing = existsSync(wasm) ? false : 'build/wasm/sinew.wasm is not built (make web)';

/** What web/core exports; loadCore() of it with the built module is `core`. */
export const api = coreMissing ? {} : await importTypeScript('web/core/index.ts');
export const core = coreMissing ? null : await api.loadCore(readFileSync(wasm));

/** Opens a file of the disk and the files beside it that it names and that are there. */
export function openFile(path, options = {}) {
    const bytes = readFileSync(path);
    const resources = new Map();
    for (const name of core.listResources(bytes)) {
        const beside = join(dirname(path), name);
        if (existsSync(beside)) resources.set(name, readFileSync(beside));
    }
    return core.open(bytes, { resources, ...options });
}
