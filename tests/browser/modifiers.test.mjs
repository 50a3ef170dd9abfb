// A file's modifiers on the page: added from a file, seen in the view, turned off and on, removed, undone, saved.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { browserMissing, openBrowser, serve } from '../support/browser.mjs';
import { ROOT } from '../support/files.mjs';
import { sinew, SINEW, temporaryFolder } from '../support/sinew.mjs';
import { eventually, frames, opened, openPage, selectedPosition, treeItem } from './page.mjs';

const mannequin = join(ROOT, 'build/samples/mannequin.glb');
const reach = join(ROOT, 'samples/mannequin/reach.json');
const skip = browserMissing
    || ([SINEW, mannequin, join(ROOT, 'build/web/sinew.wasm')].every(existsSync) ? false : 'the command, the page or the sample is not built');

const run = async (...args) => {
    const { code, stdout, stderr } = await sinew(args);
    assert.equal(code, 0, stderr);
    return stdout;
};
const poseAtEnd = async (file, ...more) => JSON.parse(await run('pose', file, '--clip', 'wave', '--time', '1e9', '--json', ...more));
const addFrom = (page, file) => page.locator('input[aria-label="File of modifiers to add"]').setInputFiles(file);
const count = (page, wanted) => eventually(() => page.locator('.modifier').count(), wanted, 'modifiers listed');
const stateIs = (page, wanted) => eventually(() => page.locator('.modifier-state').first().textContent(), wanted, 'state of the modifier');

/** Shows the end of the wave with the left hand selected. */
async function showHand(page) {
    await page.locator('.clip', { hasText: 'wave' }).click();
    await treeItem(page, 'leftHand').click();
    // In the tree the key would go to its end.
    await page.locator('.viewport-canvas').focus();
    await page.keyboard.press('End');
    await frames(page);
}

/** Where the hand is drawn is measured until it stands still. */
async function handPosition(page) {
    let last = await selectedPosition(page);
    for (;;) {
        await frames(page);
        const now = await selectedPosition(page);
        if (distance(now, last) === 0) return now;
        last = now;
    }
}
const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

test('modifiers are added from a file, turned off, removed, undone and saved', { skip, timeout: 240_000 }, async (t) => {
    const browser = await openBrowser(t);
    const folder = temporaryFolder(t);
    const { page, assertQuiet } = await openPage(t, browser);
    await page.goto(await serve(t, [mannequin]));
    await opened(page, 'mannequin.glb');
    await count(page, 0);
    await showHand(page);
    const without = await handPosition(page);

    await addFrom(page, reach);
    await count(page, 1);
    assert.equal(await page.locator('.modifier-name').textContent(), 'left hand');
    const bent = await poseAtEnd(mannequin, '--rig', reach);
    assert.equal(bent.modifiers[0].reached, true);
    await stateIs(page, 'reached');
    const reaching = await handPosition(page);
    assert.ok(distance(reaching, without) > 20, `the hand moves: ${without} to ${reaching}`);

    // At the first key its weight is 0.
    await page.keyboard.press('Shift+ArrowLeft');
    await stateIs(page, /^weight 0/);
    await page.keyboard.press('End');
    await stateIs(page, 'reached');

    // Off and on, by pointer and by keyboard; each is a step of undo.
    const enabled = page.getByRole('checkbox', { name: 'Run left hand' });
    await enabled.click();
    await stateIs(page, 'off');
    assert.deepEqual(await handPosition(page), without);
    await page.keyboard.press('Control+z');
    await stateIs(page, 'reached');
    assert.ok(await enabled.isChecked());
    assert.deepEqual(await handPosition(page), reaching);
    await enabled.focus();
    await page.keyboard.press('Space');
    await stateIs(page, 'off');
    await page.keyboard.press('Space');
    await stateIs(page, 'reached');

    // Removed, and brought back.
    await page.getByRole('button', { name: 'Remove left hand' }).click();
    await count(page, 0);
    assert.deepEqual(await handPosition(page), without);
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await count(page, 1);
    await stateIs(page, 'reached');

    // What cannot be added says why, and nothing of it is added.
    const [good] = JSON.parse(readFileSync(reach)).modifiers;
    const bad = join(folder, 'bad.json');
    for (const [text, words] of [
        [JSON.stringify({ modifiers: [good, { ...good, end: 'leftHnd' }] }), /leftHnd.*\/commands\/1\/modifier\/end/s],
        ['{"modifiers": [', /bad\.json: This is no JSON/],
        ['[]', /bad\.json: This has no list of modifiers/],
        ['{"modifiers": []}', /empty/],
    ]) {
        writeFileSync(bad, text);
        await addFrom(page, bad);
        await eventually(() => page.locator('.toast[role=alert]').textContent(), words, 'the message');
        await count(page, 1);
    }

    // A target out of reach.
    const far = join(folder, 'far.json');
    writeFileSync(far, JSON.stringify({ modifiers: [{ ...good, name: 'far', target: { position: [5, 1, 0] } }] }));
    await addFrom(page, far);
    await count(page, 2);
    const report = (await poseAtEnd(mannequin, '--rig', far)).modifiers[0];
    assert.deepEqual(report.flags, ['too_far']);
    await eventually(() => page.locator('.modifier-state').nth(1).textContent(), /^not reached: too far; [\d.]+ mm missing$/);
    const missing = parseFloat((await page.locator('.modifier-state').nth(1).textContent()).split('; ')[1]);
    assert.ok(Math.abs(missing - report.residual * 1000) <= 0.6, `${missing} mm, ${report.residual} m`);
    await page.keyboard.press('Control+z');
    await count(page, 1);

    // The saved file has the extension, and the pose that the command gives with the file of modifiers.
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
    const saved = join(folder, 'saved.glb');
    await download.saveAs(saved);
    const bytes = readFileSync(saved);
    const json = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)));
    assert.deepEqual(json.extensions.SINEW_modifiers.modifiers.map(({ enabled: _, ...fields }) => fields), [good]);
    assert.ok(json.extensionsUsed.includes('SINEW_modifiers'));
    assert.deepEqual((await poseAtEnd(saved)).nodes, bent.nodes);
    assertQuiet();

    // The same hand in a file whose keys were made by the command is drawn at the same place.
    const baked = join(folder, 'baked.glb');
    await run('bake', mannequin, '--rig', reach, '-o', baked);
    const other = await openPage(t, browser);
    await other.page.goto(await serve(t, [baked]));
    await opened(other.page, 'baked.glb');
    await showHand(other.page);
    const drawn = await handPosition(other.page);
    assert.ok(distance(drawn, reaching) <= 1.5, `the hand is at ${reaching}, and in the baked file at ${drawn}`);
    other.assertQuiet();
});

test('modifiers on a phone', { skip, timeout: 120_000 }, async (t) => {
    const browser = await openBrowser(t);
    const { page, assertQuiet } = await openPage(t, browser, { width: 390, height: 844, touch: true });
    await page.goto(await serve(t, [mannequin]));
    await opened(page, 'mannequin.glb');
    await page.locator('.tab', { hasText: 'Clips' }).tap();
    await addFrom(page, reach);
    await stateIs(page, /^weight 0/);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
    for (const target of await page.locator('.modifier label, .panel-modifiers .button').all()) {
        const { width, height } = await target.boundingBox();
        assert.ok(width >= 34 && height >= 34, `${width} by ${height} pixels are enough for a finger`);
    }
    await page.locator('.modifier label').tap();
    await stateIs(page, 'off');
    assertQuiet();
});
