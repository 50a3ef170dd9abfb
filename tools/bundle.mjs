// Bundles the pages into build/web/: the editor, and each folder of web/demos that has a main.ts into
// demos/NAME/, with the list of them at demos/. What they share (three.js, say) is bundled once.
import { build } from 'esbuild';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'build/web');
const demosFolder = join(root, 'web/demos');
const demos = readdirSync(demosFolder).filter((name) => existsSync(join(demosFolder, name, 'main.ts'))).sort();

/** Where each page comes from, where it goes, and the name of its script and styles there. */
const pages = [
    { source: 'web/editor', folder: '', name: 'editor' },
    ...demos.map((name) => ({ source: `web/demos/${name}`, folder: `demos/${name}`, name: 'main' })),
];

rmSync(target, { recursive: true, force: true });
const result = await build({
    entryPoints: [
        ...pages.map(({ source, folder, name }) => ({ in: join(root, source, 'main.ts'), out: join(folder, name) })),
        { in: join(demosFolder, 'index.css'), out: 'demos/index' },
    ],
    outdir: target,
    bundle: true,
    splitting: true,
    chunkNames: 'shared/[name]-[hash]',
    format: 'esm',
    target: 'es2022',
    minify: true,
    sourcemap: true,
    legalComments: 'linked',
    loader: { '.svg': 'text', '.woff2': 'file' },
    metafile: true,
    absWorkingDir: root,
});
for (const { source, folder } of pages)
    for (const name of readdirSync(join(root, source)))
        if (['.html', '.svg', '.png', '.ico', '.webmanifest'].includes(extname(name))) {
            mkdirSync(join(target, folder), { recursive: true });
            copyFileSync(join(root, source, name), join(target, folder, name));
        }

/** A demo as its own page introduces it: title, and what its description says. */
const introduce = (name) => {
    const page = readFileSync(join(demosFolder, name, 'index.html'), 'utf8');
    const title = /<title>([^<]*?)(?: · Sinew)?<\/title>/.exec(page)?.[1];
    const description = /<meta name="description" content="([^"]*)"/.exec(page)?.[1];
    if (!title || !description) throw new Error(`web/demos/${name}/index.html needs a title and a description`);
    return `<li><a href="${name}/"><h2>${title}</h2><p>${description}</p></a></li>`;
};
const list = readFileSync(join(demosFolder, 'index.html'), 'utf8').replace('<!-- the demos -->', demos.map(introduce).join('\n        '));
writeFileSync(join(target, 'demos/index.html'), list);

const wasm = join(root, 'build/wasm');
for (const name of existsSync(wasm) ? readdirSync(wasm).filter((file) => extname(file) === '.wasm') : []) {
    copyFileSync(join(wasm, name), join(target, name));
    console.log(`bundle: ${name} ${statSync(join(wasm, name)).size} bytes`);
}
for (const [name, { bytes }] of Object.entries(result.metafile.outputs))
    if (!name.endsWith('.map')) console.log(`bundle: ${name} ${bytes} bytes`);
