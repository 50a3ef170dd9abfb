// What npm would publish: build/npm/three, as another project has it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/files.mjs';
import { temporaryFolder } from '../support/sinew.mjs';

const built = join(ROOT, 'build/npm/three');
const skip = existsSync(built) ? false : 'build/npm/three is not built (make web)';

test('the example of the documentation runs', { skip }, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['docs/three/two-bone-ik.example.mjs'], { cwd: ROOT, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const lines = stdout.trimEnd().split('\n');
    assert.equal(lines.length, 8);
    assert.ok(lines.some((line) => line.endsWith('reached')));
    assert.ok(lines.some((line) => /mm short: .*softened/.test(line)));
});

test('the example of following a pointer runs', { skip }, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['docs/three/cursor-follow.example.mjs'], { cwd: ROOT, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const yaws = stdout.trimEnd().split('\n').map((line) => Number(/s +(-?[\d.]+)° to its left/.exec(line)[1]));
    assert.equal(yaws.length, 13);
    assert.ok(yaws.every((yaw, i) => i === 0 || yaw >= yaws[i - 1]) && yaws[1] === 0 && yaws[12] > 10, stdout);
});

const program = `
import { loadRig, TwoBoneIK, type TwoBoneFlag } from "@sinew/three";
import { Object3D, Vector3 } from "three";
const [root, mid, end] = [new Object3D(), new Object3D(), new Object3D()];
const ik = new TwoBoneIK(await loadRig(), { root, mid, end }, { pole: { direction: new Vector3(0, 0, 1) } });
const flag: TwoBoneFlag | undefined = [...ik.flags][0];
ik.weight = 0.5;
ik.update(1 / 60);
// @ts-expect-error there is no such roll
ik.roll = "none";
export { flag };
`;

test('its types serve a strict project', { skip }, (t) => {
    const folder = temporaryFolder(t);
    mkdirSync(join(folder, 'node_modules/@sinew'), { recursive: true });
    cpSync(built, join(folder, 'node_modules/@sinew/three'), { recursive: true });
    for (const name of ['three', '@types'])
        symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    writeFileSync(join(folder, 'main.ts'), program);
    const options = { strict: true, noEmit: true, target: 'ES2022', module: 'ESNext', moduleResolution: 'Bundler', types: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['main.ts'] }));
    const { status, stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
});
