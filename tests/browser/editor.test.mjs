// The whole path in a real browser: open, pose, key, undo, redo, move, save, and what the file says then.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { browserMissing, openBrowser, serve } from '../support/browser.mjs';
import { CORPUS, corpusMissing, ROOT } from '../support/files.mjs';
import { sinew, SINEW, temporaryFolder } from '../support/sinew.mjs';
import { errorsOf, validateFile } from '../support/validator.mjs';
import { drag, eventually, findKey, findRing, frames, opened, openPage, selectedName, selectedPosition, treeItem } from './page.mjs';
import { resolve } from './resolved.mjs';

const robot = join(CORPUS, 'raylib/models/gltf/robot.glb');
const box = join(CORPUS, 'khronos-sample-models/BoxAnimated/glTF');
const cube = join(CORPUS, 'khronos-sample-models/AnimatedCube/glTF');
const built = existsSync(SINEW) && existsSync(join(ROOT, 'build/web/sinew.wasm')) ? false : 'the command or the page is not built';
const skip = browserMissing || corpusMissing || built;

const pose = async (file, clip, time) => {
    const { code, stdout, stderr } = await sinew(['pose', file, '--clip', clip, '--time', String(time), '--json']);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
};

const pickFiles = (page, files) => page.locator('input[aria-label="Files to open"]').setInputFiles(files);
const clipIs = (page, name) => eventually(() => page.locator('.clip[aria-selected=true] .clip-name').textContent(), name, 'selected clip');
const nodeIs = (page, name, what) => eventually(() => selectedName(page), name, what ?? 'selected node');
const keyButton = (page) => page.locator('.path-row[aria-label=Rotation] .path-key');
const keyIs = (page, state) => eventually(() => keyButton(page).getAttribute('data-state'), state, 'rotation key');

/** Selects Robot_Wave and LowerArm.L, shows its keys alone, and puts the playhead between two of them. */
async function prepare(page) {
    await page.locator('.clip', { hasText: 'Robot_Wave' }).click();
    await clipIs(page, 'Robot_Wave');
    await treeItem(page, 'LowerArm.L').last().click();
    await page.getByRole('button', { name: /Only the selected joint/ }).click();
    const sheet = await page.locator('.timeline-canvas').boundingBox();
    const at = [sheet.x + sheet.width * 0.55, sheet.y + 12];
    await page.mouse.move(...at);
    await page.keyboard.down('Control');
    for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -240);
    await page.keyboard.up('Control');
    await frames(page);
    // Alt: not on a frame, since the keys of this file are on frames.
    await page.keyboard.down('Alt');
    for (let x = at[0]; x < at[0] + 400; x += 16) {
        await page.mouse.click(x, at[1]);
        const part = Number((await page.locator('.time-frame').textContent()).replace('frame ', '')) % 1;
        if (part < 0.35 || part > 0.65) continue;
        await page.keyboard.up('Alt');
        await keyIs(page, 'track');
        return x;
    }
    assert.fail('no place between two keys');
}

test('a key is set, moved and saved, and nothing else changes', { skip, timeout: 240_000 }, async (t) => {
    const browser = await openBrowser(t);
    const folder = temporaryFolder(t);
    const url = await serve(t, []);
    const { page, assertQuiet } = await openPage(t, browser);
    await page.goto(url);
    await pickFiles(page, robot);
    await opened(page, 'robot.glb');
    const undo = page.getByRole('button', { name: /^Undo/ });
    const redo = page.getByRole('button', { name: /^Redo/ });
    const x = await prepare(page);
    await eventually(() => undo.isDisabled(), true, 'nothing to undo');

    // Select the joint by clicking it in the view.
    const joint = await selectedPosition(page);
    await treeItem(page, 'Foot.R').last().click();
    await page.mouse.click(...joint);
    await frames(page);
    await nodeIs(page, 'LowerArm.L');
    const view = await page.locator('.viewport-surface').boundingBox();
    await page.mouse.click(view.x + 30, view.y + view.height - 30);
    await frames(page);
    await nodeIs(page, null, 'a click on nothing selects nothing');
    await page.mouse.click(joint[0] + 5, joint[1] - 5);
    await frames(page);
    await nodeIs(page, 'LowerArm.L', 'a click near a joint selects it');

    // Rotate it without auto key: the pose waits for its key.
    await page.keyboard.press('k');
    await keyIs(page, 'track');
    const ring = await findRing(page, await selectedPosition(page));
    await drag(page, ring, [ring[0] - 90, ring[1] + 30]);
    await keyIs(page, 'pending');
    assert.ok(await undo.isEnabled(), 'undo gives the pending pose up');
    assert.ok(await page.locator('.file-unsaved').isHidden(), 'a pending pose is no edit');

    // Set the key; undo and redo.
    await page.keyboard.press('i');
    await keyIs(page, 'here');
    const posed = await page.locator('.path-row[aria-label=Rotation] input').evaluateAll((inputs) => inputs.map((input) => Number(input.value)));
    await page.keyboard.press('Control+z');
    await keyIs(page, 'track');
    await eventually(() => undo.isDisabled(), true, 'nothing to undo');
    await page.keyboard.press('Control+Shift+z');
    await keyIs(page, 'here');
    await eventually(() => redo.isDisabled(), true, 'nothing to redo');

    // Move the key in the dope sheet, a little, without snapping.
    const key = await findKey(page, x);
    const time = () => page.getByRole('textbox', { name: 'Key time, seconds' }).inputValue();
    await page.mouse.click(...key);
    await frames(page);
    const before = Number(await time());
    await drag(page, key, [key[0] + 6, key[1]], { key: 'Alt' });
    await eventually(async () => Number(await time()) > before, true, 'the key moves');
    const after = Number(await time());
    await eventually(() => undo.getAttribute('title'), /Move keys/);

    // Save.
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
    assert.equal(download.suggestedFilename(), 'robot-edited.glb');
    const saved = join(folder, 'robot-edited.glb');
    await download.saveAs(saved);
    await page.locator('.file-unsaved').waitFor({ state: 'hidden' });
    assertQuiet();

    // The file: this channel alone is another.
    const [old, now] = [resolve(readFileSync(robot)), resolve(readFileSync(saved))];
    assert.deepEqual(now.tree, old.tree);
    const changed = [...new Set([...old.channels.keys(), ...now.channels.keys()])].filter((id) =>
        JSON.stringify(old.channels.get(id)) !== JSON.stringify(now.channels.get(id)));
    const json = JSON.parse(readFileSync(robot).subarray(20, 20 + readFileSync(robot).readUInt32LE(12)));
    const node = json.nodes.findIndex(({ name }) => name === 'LowerArm.L');
    const clip = json.animations.findIndex(({ name }) => name === 'Robot_Wave');
    assert.deepEqual(changed, [`${clip}/${node}/rotation`]);
    assert.equal(now.channels.get(changed[0]).input.count, old.channels.get(changed[0]).input.count + 1);
    assert.deepEqual(errorsOf(await validateFile(saved)), errorsOf(await validateFile(robot)));

    // The pose: at the key, this node's rotation alone is another, by what the page showed.
    const [was, is] = [await pose(robot, 'Robot_Wave', after), await pose(saved, 'Robot_Wave', after)];
    const other = (a, b) => a.nodes.filter((n, i) => ['translation', 'rotation', 'scale'].some((path) => JSON.stringify(n[path]) !== JSON.stringify(b.nodes[i][path])));
    assert.deepEqual(other(was, is).map(({ index }) => index), [node]);
    assert.deepEqual(is.nodes[node].translation, was.nodes[node].translation);
    assert.deepEqual(is.nodes[node].scale, was.nodes[node].scale);
    const { fromDegrees } = await (await import('../support/typescript.mjs')).importTypeScript('web/editor/euler.ts');
    const wanted = fromDegrees(posed);
    const dot = Math.abs(wanted.reduce((sum, w, i) => sum + w * is.nodes[node].rotation[i], 0));
    assert.ok(2 * Math.acos(Math.min(1, dot)) < 1e-3, `rotation is as posed: ${is.nodes[node].rotation}, ${wanted}`);
    const turned = Math.abs(was.nodes[node].rotation.reduce((sum, w, i) => sum + w * is.nodes[node].rotation[i], 0));
    assert.ok(2 * Math.acos(Math.min(1, turned)) > 0.2, 'the drag turned the joint');

    // Elsewhere nothing moved, nor in another clip.
    for (const [name, at] of [['Robot_Wave', 0], ['Robot_Wave', was.nodes.length ? 1e9 : 0], ['Robot_Idle', 0.7], ['Robot_Walking', 0.3]])
        assert.deepEqual((await pose(saved, name, at)).nodes, (await pose(robot, name, at)).nodes, `${name} at ${at}`);
});

test('a drag that is given up, and one that ends where it began, leave no trace', { skip, timeout: 240_000 }, async (t) => {
    const browser = await openBrowser(t);
    const { page, assertQuiet } = await openPage(t, browser);
    await page.goto(await serve(t, [robot]));
    await opened(page, 'robot.glb');
    const undo = page.getByRole('button', { name: /^Undo/ });
    const x = await prepare(page);
    const ring = await findRing(page, await selectedPosition(page));
    await page.mouse.move(...ring);
    await page.mouse.down();
    await page.mouse.move(ring[0] - 60, ring[1] + 60, { steps: 4 });
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await keyIs(page, 'track');
    await eventually(() => undo.isDisabled(), true, 'nothing to undo');

    // With auto key a drag is a key, and one step of the history.
    await drag(page, ring, [ring[0] - 60, ring[1] + 60]);
    await keyIs(page, 'here');
    await eventually(() => undo.getAttribute('title'), /Set key/);
    const key = await findKey(page, x);
    await page.mouse.click(...key);
    const time = await page.getByRole('textbox', { name: 'Key time, seconds' }).inputValue();
    await page.mouse.move(...key);
    await page.keyboard.down('Alt');
    await page.mouse.down();
    await page.mouse.move(key[0] + 20, key[1], { steps: 4 });
    await page.mouse.move(...key, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Alt');
    await frames(page);
    await eventually(() => page.getByRole('textbox', { name: 'Key time, seconds' }).inputValue(), time, 'time of the key');
    await eventually(() => undo.getAttribute('title'), /Set key/, 'a key dragged back to its place is no step');

    await page.mouse.move(...key);
    await page.mouse.down();
    await page.mouse.move(key[0] + 60, key[1], { steps: 4 });
    await eventually(async () => (await page.getByRole('textbox', { name: 'Key time, seconds' }).inputValue()) !== time, true, 'the key is dragged');
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await eventually(() => page.getByRole('textbox', { name: 'Key time, seconds' }).inputValue(), time, 'Escape puts the key back');
    await eventually(() => undo.getAttribute('title'), /Set key/);

    // A box about the key selects it, Delete removes it, undo brings it back.
    await page.keyboard.press('Escape');
    await page.locator('.key-section').waitFor({ state: 'hidden' });
    await drag(page, [key[0] - 12, key[1] - 8], [key[0] + 12, key[1] + 8]);
    await page.locator('.key-section').waitFor();
    await page.keyboard.press('Delete');
    await keyIs(page, 'track');
    await page.keyboard.press('Control+z');
    await keyIs(page, 'here');

    // Numbers: one typed value is one step.
    const field = page.getByRole('textbox', { name: 'Rotation Y, degrees' });
    await field.fill('12.5');
    await field.press('Enter');
    await frames(page);
    await eventually(() => field.inputValue(), '12.5', 'typed angle');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await frames(page);
    await eventually(() => undo.isDisabled(), true, 'nothing to undo');
    assertQuiet();
});

test('a reload brings unsaved work back', { skip, timeout: 240_000 }, async (t) => {
    const browser = await openBrowser(t);
    const { page, assertQuiet } = await openPage(t, browser);
    await page.goto(await serve(t, []));
    await pickFiles(page, robot);
    await opened(page, 'robot.glb');
    await treeItem(page, 'Head').last().click();
    await page.getByRole('button', { name: 'Add clip' }).click();
    await clipIs(page, 'New clip');
    const field = page.getByRole('textbox', { name: 'Rotation X, degrees' });
    await field.fill('33');
    await field.press('Enter');
    await page.reload();
    await opened(page, 'robot.glb');
    assert.match(await page.locator('.toast').textContent(), /unsaved work on robot\.glb is back: 2 edits/);
    await clipIs(page, 'New clip');
    await nodeIs(page, 'Head');
    await eventually(() => field.inputValue(), '33', 'restored angle');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await frames(page);
    assert.equal(await page.locator('.clip', { hasText: 'New clip' }).count(), 0, 'the history came back too');
    await page.keyboard.press('Control+y');
    await clipIs(page, 'Robot_Dance');
    await page.locator('.clip', { hasText: 'New clip' }).waitFor();

    // From the start page, in another tab of the same browser.
    const again = await page.context().newPage();
    await again.goto(new URL('/', page.url()).href);
    await again.getByRole('button', { name: 'Go on with robot.glb' }).click();
    await opened(again, 'robot.glb');
    await again.locator('.clip', { hasText: 'New clip' }).waitFor();
    await again.locator('.toast').getByRole('button', { name: 'Discard the edits' }).click();
    await again.locator('.clip', { hasText: 'New clip' }).waitFor({ state: 'detached' });
    await again.reload();
    await again.locator('.start').waitFor();
    assert.equal(await again.getByRole('button', { name: /^Go on with/ }).count(), 0);
    assertQuiet();
});

test('a bad file says what is wrong and where, and leaves what is open alone', { skip, timeout: 240_000 }, async (t) => {
    const browser = await openBrowser(t);
    const folder = temporaryFolder(t);
    const { page, assertQuiet } = await openPage(t, browser);
    await page.goto(await serve(t, []));
    await pickFiles(page, robot);
    await opened(page, 'robot.glb');

    const broken = join(folder, 'broken.gltf');
    writeFileSync(broken, '{"asset": {"version": "2.0"},\n "nodes": [{"children": [0]}]\n');
    await pickFiles(page, broken);
    const dialog = page.locator('dialog');
    await dialog.waitFor();
    const { stderr } = await sinew(['info', broken]);
    const said = await dialog.textContent();
    assert.match(said, /broken\.gltf cannot be opened/);
    assert.match(said, /line 3/);
    assert.match(said, /json\./);
    assert.ok(stderr.length > 0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    writeFileSync(broken, '{"asset": {"version": "2.0"}, "nodes": [{"children": [0]}]}');
    await pickFiles(page, broken);
    await dialog.waitFor();
    assert.match(await dialog.textContent(), /\/nodes\/0/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    writeFileSync(join(folder, 'notes.txt'), 'no model');
    await pickFiles(page, join(folder, 'notes.txt'));
    await dialog.waitFor();
    assert.match(await dialog.textContent(), /None of these files is a model/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // A .gltf without its buffer says which file is missing.
    await pickFiles(page, join(box, 'BoxAnimated.gltf'));
    await dialog.waitFor();
    assert.match(await dialog.textContent(), /BoxAnimated0\.bin/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    assert.equal(await page.locator('.file-name').textContent(), 'robot.glb');
    assertQuiet();
});

test('files that belong together open together, picked or dropped', { skip, timeout: 240_000 }, async (t) => {
    const browser = await openBrowser(t);
    const { page, assertQuiet } = await openPage(t, browser);
    await page.goto(await serve(t, []));
    const names = ['BoxAnimated.gltf', 'BoxAnimated0.bin'];
    await pickFiles(page, names.map((name) => join(box, name)));
    await opened(page, 'BoxAnimated.gltf');

    await page.reload();
    const files = names.map((name) => [name, readFileSync(join(box, name)).toString('base64')]);
    const data = await page.evaluateHandle((list) => {
        const transfer = new DataTransfer();
        for (const [name, text] of list) transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
        return transfer;
    }, files);
    await page.dispatchEvent('.start', 'dragenter', { dataTransfer: data });
    assert.ok(await page.locator('.drop-hint').isVisible());
    await page.dispatchEvent('.start', 'drop', { dataTransfer: data });
    await opened(page, 'BoxAnimated.gltf');
    assert.ok(await page.locator('.drop-hint').isHidden());

    // With its images; a saved GLB names those that stay beside it.
    const images = ['AnimatedCube_BaseColor.png', 'AnimatedCube_MetallicRoughness.png'];
    await pickFiles(page, ['AnimatedCube.gltf', 'AnimatedCube.bin', ...images].map((name) => join(cube, name)));
    await opened(page, 'AnimatedCube.gltf');
    const toast = page.locator('.toast');
    assert.ok(await toast.isHidden(), 'nothing is missing');
    await page.keyboard.press('Control+s');
    await toast.waitFor();
    assert.match(await toast.textContent(), new RegExp(images.join(', ')));
    await pickFiles(page, ['AnimatedCube.gltf', 'AnimatedCube.bin'].map((name) => join(cube, name)));
    await eventually(() => toast.textContent(), /AnimatedCube_BaseColor\.png was not opened/);

    // And plays.
    await page.keyboard.press('Space');
    await page.waitForFunction(() => parseFloat(document.querySelector('.time-now').textContent) > 0.2);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    assertQuiet();
});

test('the editor works on a phone', { skip, timeout: 240_000 }, async (t) => {
    const browser = await openBrowser(t);
    const { page, assertQuiet } = await openPage(t, browser, { width: 390, height: 844, touch: true });
    await page.goto(await serve(t, [robot]));
    await opened(page, 'robot.glb');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
    for (const name of ['Timeline', 'Inspector', 'Nodes', 'Clips']) {
        await page.locator('.tab', { hasText: name }).tap();
        assert.ok(await page.locator(`.panel[aria-label=${name}]`).isVisible(), name);
    }
    await page.locator('.clip', { hasText: 'Robot_Wave' }).tap();
    await page.locator('.tab', { hasText: 'Nodes' }).tap();
    await treeItem(page, 'LowerArm.L').last().tap();
    await nodeIs(page, 'LowerArm.L');
    for (let i = 0; i < 3; i++) await frames(page); // the pose of the clip is drawn before it is measured
    const [x, y] = await selectedPosition(page);
    await treeItem(page, 'Foot.R').last().tap();
    await nodeIs(page, 'Foot.R');
    // A finger is less exact than a mouse: 18 pixels off is still this joint.
    await page.touchscreen.tap(x + 13, y - 12);
    await frames(page);
    await nodeIs(page, 'LowerArm.L');

    // Scrub with a finger on the ruler.
    await page.locator('.tab', { hasText: 'Timeline' }).tap();
    const sheet = await page.locator('.timeline-canvas').boundingBox();
    await page.touchscreen.tap(sheet.x + sheet.width * 0.6, sheet.y + 12);
    await frames(page);
    assert.ok(parseFloat(await page.locator('.time-now').textContent()) > 0.2);
    for (const target of await page.locator('.transport .button, .tab, .viewbar .button').all()) {
        const size = await target.boundingBox();
        if (size) assert.ok(size.width >= 24 && size.height >= 24, `${await target.getAttribute('aria-label')} is large enough for a finger`);
    }
    assertQuiet();
});
