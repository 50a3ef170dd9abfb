// Bundles the editor into build/web/: the page, its script and styles, and sinew.wasm.
import { build } from 'esbuild';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'web/editor');
const target = join(root, 'build/web');
const entry = join(source, 'main.ts');
if (!existsSync(entry)) {
    console.log('bundle: web/editor/main.ts is not there, nothing to bundle');
    process.exit(0);
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const result = await build({
    entryPoints: [entry],
    outdir: target,
    entryNames: 'editor',
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    sourcemap: true,
    legalComments: 'linked',
    loader: { '.svg': 'text', '.woff2': 'file' },
    metafile: true,
    absWorkingDir: root,
});
for (const name of readdirSync(source))
    if (['.html', '.svg', '.png', '.ico', '.webmanifest'].includes(extname(name))) copyFileSync(join(source, name), join(target, name));
const wasm = join(root, 'build/wasm/sinew.wasm');
if (existsSync(wasm)) {
    copyFileSync(wasm, join(target, 'sinew.wasm'));
    console.log(`bundle: sinew.wasm ${statSync(wasm).size} bytes`);
}
for (const [name, { bytes }] of Object.entries(result.metafile.outputs))
    if (!name.endsWith('.map')) console.log(`bundle: ${name} ${bytes} bytes`);
