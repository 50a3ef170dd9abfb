// Fails on an #include (or a web import) that goes against layers.txt.
//   node tools/check-layers.mjs [ROOT]
//
// A quoted include is a file of the same folder, "FOLDER/name.h" under src/, or
// "sinew/name.h" under include/; layers.txt says which folder a public header belongs to.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..');

function readLayers(text) {
    const below = new Map();
    const headers = new Map();
    let runtime = [];
    for (const line of text.split('\n')) {
        const match = /^([a-z]+):([^|]*)\|?(.*)$/.exec(line);
        if (!match) continue;
        const name = match[1];
        const [folders, owned] = match.slice(2).map((text) => text.split(' ').filter(Boolean));
        if (name === 'runtime') runtime = folders;
        else below.set(name, folders);
        for (const header of owned) headers.set(header, name);
    }
    // What a folder's folders reach is open to it too.
    const reach = new Map();
    const visit = (name, path = []) => {
        if (path.includes(name)) throw new Error(`layers.txt: ${[...path, name].join(' -> ')} is a circle`);
        if (reach.has(name)) return reach.get(name);
        if (!below.has(name)) throw new Error(`layers.txt: ${path.at(-1)} stands on ${name}, which has no line`);
        const set = new Set(below.get(name));
        for (const next of below.get(name)) for (const far of visit(next, [...path, name])) set.add(far);
        reach.set(name, set);
        return set;
    };
    for (const name of below.keys()) visit(name);
    return { reach, headers, runtime };
}

function walk(dir) {
    if (!existsSync(dir)) return [];
    return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
        if (entry.name === 'node_modules' || entry.name.startsWith('.')) return [];
        const path = join(dir, entry.name);
        return entry.isDirectory() ? walk(path) : [path];
    });
}

const { reach, headers, runtime } = readLayers(readFileSync(join(root, 'layers.txt'), 'utf8'));
const folders = [...reach.keys()];
const folderDir = (name) => (existsSync(join(root, 'src', name)) ? join(root, 'src', name) : join(root, name));
const problems = [];
let files = 0;

const noOwner = (header) => `no folder of layers.txt has the public header ${header}`;

function includesOf(path) {
    const found = [];
    readFileSync(path, 'utf8').split('\n').forEach((line, i) => {
        const match = /^\s*#\s*include\s*(["<])([^">]+)[">]/.exec(line);
        if (match) found.push({ at: `${relative(root, path)}:${i + 1}`, quoted: match[1] === '"', name: match[2] });
    });
    return found;
}

const within = (path, dir) => existsSync(path) && !relative(dir, path).startsWith('..');

// Which folder an include leads to; throws with what is wrong when that cannot be told or may not be.
function includeTarget(path, folder, name) {
    if (runtime.includes(folder) && /gltf|json/i.test(name))
        throw new Error(`${folder} is runtime and may know no file format, but includes ${name}`);
    const [first, ...rest] = name.split('/');
    if (first === 'sinew') {
        const header = rest.join('/').replace(/\.h$/, '');
        if (header === 'sinew') {
            if (folderDir(folder) === join(root, folder)) return folder;
            throw new Error('sinew/sinew.h includes everything; include the headers that are needed');
        }
        if (!headers.has(header)) throw new Error(noOwner(header));
        return headers.get(header);
    }
    const home = folderDir(folder);
    if (within(join(dirname(path), name), home) || within(join(home, name), home)) return folder;
    if (rest.length && reach.has(first)) return first;
    throw new Error(`${name} is not in ${folder}; write "FOLDER/name.h" or "sinew/name.h"`);
}

function checkC(path, folder) {
    files++;
    for (const { at, quoted, name } of includesOf(path)) {
        if (!quoted && !name.startsWith('sinew/')) continue;
        try {
            const target = includeTarget(path, folder, name);
            if (target !== folder && !reach.get(folder).has(target))
                throw new Error(`${folder} may not include ${name} of ${target}; ` +
                    `it stands on ${[...reach.get(folder)].join(', ') || 'nothing'}`);
        } catch (error) {
            problems.push(`${at}: ${error.message}`);
        }
    }
}

for (const folder of folders)
    for (const path of walk(folderDir(folder)))
        if (['.c', '.h'].includes(extname(path))) checkC(path, folder);

for (const path of walk(join(root, 'include'))) {
    const name = basename(path, '.h');
    if (name === 'sinew') continue;
    const folder = headers.get(name);
    if (folder) checkC(path, folder);
    else problems.push(`${relative(root, path)}: ${noOwner(name)}`);
}

if (existsSync(join(root, 'src')))
    for (const name of readdirSync(join(root, 'src')))
        if (statSync(join(root, 'src', name)).isDirectory() && !reach.has(name))
            problems.push(`src/${name}: has no line in layers.txt`);

// web/core knows neither three.js nor the folders built on it; web/three stands on three.js and on
// the two files of web/core that know nothing of sinew.wasm.
const webRules = {
    core: (name) => !/^three(\/|$)/.test(name) && !/\/(three|editor|viewer|demos)\//.test(name),
    three: (name) => /^three(\/|$)/.test(name) || /^\.\/[^/]+$/.test(name) || /^\.\.\/core\/(compile|error)\.ts$/.test(name),
};
for (const [folder, allows] of Object.entries(webRules))
    for (const path of walk(join(root, 'web', folder))) {
        if (!/\.(ts|mts|js|mjs)$/.test(path)) continue;
        files++;
        readFileSync(path, 'utf8').split('\n').forEach((line, i) => {
            const match = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/.exec(line);
            if (match && !allows(match[1]))
                problems.push(`${relative(root, path)}:${i + 1}: web/${folder} may not import ${match[1]}`);
        });
    }

for (const problem of problems) console.error(problem);
if (problems.length) process.exit(1);
console.log(`layers: ${files} files keep to layers.txt`);
