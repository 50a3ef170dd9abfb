// Fails on an #include (or a web import) that goes against layers.txt.
//   node tools/check-layers.mjs [ROOT]
//
// A quoted include is a file beside the including one, "FOLDER/name.h" under src/, or
// "sinew/name.h" under include/; layers.txt says which folder a public header belongs to.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';

const root = process.argv[2] ?? join(import.meta.dirname ?? dirname(new URL(import.meta.url).pathname), '..');

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

function checkC(path, folder) {
    files++;
    for (const { at, quoted, name } of includesOf(path)) {
        if (runtime.includes(folder) && /gltf|json/i.test(name)) {
            problems.push(`${at}: ${folder} is runtime and may know no file format, but includes ${name}`);
            continue;
        }
        const isPublic = name.startsWith('sinew/');
        if (!quoted && !isPublic) continue;
        let target;
        if (isPublic) {
            const header = name.slice('sinew/'.length).replace(/\.h$/, '');
            if (header === 'sinew') {
                problems.push(`${at}: sinew/sinew.h includes everything; include the headers that are needed`);
                continue;
            }
            target = headers.get(header);
            if (!target) {
                problems.push(`${at}: ${noOwner(header)}`);
                continue;
            }
        } else if (name.includes('/')) {
            target = name.split('/')[0];
            if (!reach.has(target)) {
                problems.push(`${at}: ${name} is in no folder of layers.txt`);
                continue;
            }
        } else {
            if (!existsSync(join(dirname(path), name)))
                problems.push(`${at}: ${name} is not beside the file; write "FOLDER/${name}" or "sinew/${name}"`);
            continue;
        }
        if (target !== folder && !reach.get(folder).has(target))
            problems.push(`${at}: ${folder} may not include ${name} of ${target}; ` +
                `it stands on ${[...reach.get(folder)].join(', ') || 'nothing'}`);
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

// web/core knows neither three.js nor the folders built on it.
for (const path of walk(join(root, 'web', 'core'))) {
    if (!/\.(ts|mts|js|mjs)$/.test(path)) continue;
    files++;
    readFileSync(path, 'utf8').split('\n').forEach((line, i) => {
        const match = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/.exec(line);
        if (match && (/^three(\/|$)/.test(match[1]) || /\/(three|editor|viewer|demos)\//.test(match[1])))
            problems.push(`${relative(root, path)}:${i + 1}: web/core may not import ${match[1]}`);
    });
}

for (const problem of problems) console.error(problem);
if (problems.length) process.exit(1);
console.log(`layers: ${files} files keep to layers.txt`);
