// Bundles web/core and web/three into build/npm/: one module each, its WebAssembly beside it, types,
// and a package.json as npm wants it. What package.json there names as dependencies stays outside.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const version = /VERSION (\d+\.\d+\.\d+)/.exec(readFileSync(join(root, 'CMakeLists.txt'), 'utf8'))[1];
const modules = { core: 'sinew.wasm', three: 'sinew_rig.wasm' };

function run(command, ...args) {
    const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}:\n${stdout}`);
}

for (const [folder, wasm] of Object.entries(modules)) {
    const binary = join(root, 'build/wasm', wasm);
    if (!existsSync(binary)) {
        console.log(`packages: build/wasm/${wasm} is not built, no package of web/${folder}`);
        continue;
    }
    const source = join(root, 'web', folder);
    const target = join(root, 'build/npm', folder);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    const { private: _, exports: __, ...manifest } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
    await build({
        entryPoints: [join(source, 'index.ts')],
        outfile: join(target, 'index.js'),
        bundle: true,
        format: 'esm',
        target: 'es2022',
        sourcemap: true,
        external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
        absWorkingDir: root,
    });
    run('node_modules/.bin/tsc', '-p', source, '--noEmit', 'false', '--declaration', '--emitDeclarationOnly',
        '--rewriteRelativeImportExtensions', '--rootDir', 'web', '--outDir', join(target, 'types'));
    copyFileSync(binary, join(target, wasm));
    copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
    const files = { types: `./types/${folder}/index.d.ts`, default: './index.js' };
    writeFileSync(join(target, 'package.json'),
        `${JSON.stringify({ ...manifest, version, exports: { '.': files, [`./${wasm}`]: `./${wasm}` } }, null, 2)}\n`);
    console.log(`packages: build/npm/${folder} ${statSync(join(target, 'index.js')).size} bytes, ${wasm} ${statSync(binary).size} bytes`);
}
