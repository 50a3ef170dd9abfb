// Using the TypeScript of web/ from a node test.
import { build } from 'esbuild';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './files.mjs';

/** Imports a TypeScript module, given relative to the root of the repository, with all that it imports
 * but the `external` packages, which it then shares with the test. */
export async function importTypeScript(path, { external = [] } = {}) {
    const outfile = join(ROOT, 'build/test-modules', path.replace(/\.ts$/, '.mjs'));
    // Test files run side by side and may want the same module: each replaces it in one step.
    const fresh = `${outfile}.${process.pid}`;
    await build({
        entryPoints: [join(ROOT, path)],
        outfile: fresh,
        bundle: true,
        format: 'esm',
        platform: 'node',
        target: 'node18',
        external,
        sourcemap: 'inline',
        loader: { '.svg': 'text', '.css': 'empty' },
        logLevel: 'error',
    });
    renameSync(fresh, outfile);
    return import(pathToFileURL(outfile));
}
