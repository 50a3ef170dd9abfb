// Runs every program of build/bench/, then every *.bench.mjs of bench/ and its folders, one after the other.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const list = (dir) => (existsSync(dir) ? readdirSync(dir).sort().map((name) => join(dir, name)) : []);
const programs = list(join(root, 'build/bench')).filter((path) => !path.includes('.') && statSync(path).isFile());
const folders = [join(root, 'bench'), ...list(join(root, 'bench')).filter((path) => statSync(path).isDirectory())];
const scripts = folders.flatMap(list).filter((path) => path.endsWith('.bench.mjs'));

let failed = 0;
for (const command of [...programs.map((path) => [path]), ...scripts.map((path) => [process.execPath, path])]) {
    console.log(`== ${command.at(-1).slice(root.length + 1)}`);
    const { status } = spawnSync(command[0], command.slice(1), { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0) failed++;
}
process.exit(failed ? 1 : 0);
