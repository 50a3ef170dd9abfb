// The demo of the angler in a real browser: from cast to catch by mouse and by finger, back and forth in
// time, and recorded as a file that another program poses the same.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { browserMissing, openBrowser, serve } from '../support/browser.mjs';
import { ROOT } from '../support/files.mjs';
import { sinew, SINEW, temporaryFolder } from '../support/sinew.mjs';
import { errorsOf, validateFile } from '../support/validator.mjs';
import { eventually, frames, openPage } from './page.mjs';

const built = [SINEW, join(ROOT, 'build/web/demos/angler/main.js'), join(ROOT, 'build/samples/mannequin.glb')].every(existsSync)
    ? false : 'the command, the page or the samples are not built';
const skip = browserMissing || built;
const shots = join(ROOT, 'build/screenshots');
const SIZE = 1.75; // of the mannequin, metres

async function openDemo(t, browser, fragment, options) {
    const url = await serve(t, []);
    const opened = await openPage(t, browser, options);
    await opened.page.goto(new URL(`demos/angler/#${fragment}`, url).href);
    await opened.page.locator('.status-phase[data-phase]').waitFor({ timeout: 30_000 });
    return opened;
}

const phaseIs = (page, ...wanted) =>
    page.waitForFunction((names) => names.includes(document.querySelector('.status-phase').dataset.phase), wanted, { timeout: 60_000 });
const value = (page, name) => page.locator(`[data-value=${name}]`).textContent();
const centre = async (locator) => {
    const box = await locator.boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
};

async function picture(page, name) {
    mkdirSync(shots, { recursive: true });
    await frames(page);
    return page.screenshot({ path: join(shots, `angler-${name}.png`) });
}

/** Puts the session at a time, and gives where the right arm's joints are. */
async function armAt(page, time) {
    await page.locator('.time-slider').fill(String(time));
    await eventually(() => page.locator('.time-text').textContent(), new RegExp(`^${time.toFixed(2)} /`), 'the time');
    await frames(page);
    return page.locator('[data-place]').evaluateAll((cells) =>
        Object.fromEntries(cells.map((cell) => [cell.dataset.place, cell.textContent.trim().split(/\s+/).map(Number)])));
}

const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

test('from cast to catch by mouse; scrubbed, recorded and posed again', { skip, timeout: 300_000 }, async (t) => {
    const browser = await openBrowser(t);
    const { page, assertQuiet } = await openDemo(t, browser, 'seed=14', { width: 800, height: 480 });
    await page.getByLabel('Speed').selectOption('2');
    const [cast, strike, reel] = ['Cast', 'Strike', 'Reel'].map((name) => page.locator('.action', { hasText: name }));
    const sitting = await picture(page, 'sit');
    assert.ok(await strike.isDisabled() && await reel.isDisabled(), 'nothing to strike at yet');

    // A short press takes the rod up, and says what is missing.
    await page.mouse.move(...await centre(cast));
    await page.mouse.down();
    await phaseIs(page, 'reach');
    await page.mouse.up();
    await eventually(() => page.locator('.status-message').textContent(), /too early: hold Cast/, 'what to do');
    await phaseIs(page, 'ready');

    // Hold, and let go once there is some power.
    await page.mouse.down();
    await phaseIs(page, 'backcast');
    await page.waitForFunction(() => document.querySelector('.bar meter[aria-label=Power]').value > 0.5);
    const casting = await picture(page, 'backcast');
    await page.mouse.up();
    await phaseIs(page, 'wait', 'bite');
    await page.getByLabel('Speed').selectOption('1');
    await phaseIs(page, 'bite');
    await strike.click();
    await phaseIs(page, 'fight');
    await page.getByLabel('Speed').selectOption('2');

    // Reel, but not while the line is pulled too hard.
    await page.mouse.move(...await centre(reel));
    await page.mouse.down();
    let pictured = false;
    for (;;) {
        const answer = await page.waitForFunction(() => {
            const { phase } = document.querySelector('.status-phase').dataset;
            return phase !== 'fight' ? phase : document.querySelector('.bar-danger') ? 'danger' : document.querySelector('.bar meter[aria-label=Line]').value > 0.4 ? 'steady' : null;
        });
        const what = await answer.jsonValue();
        if (what === 'danger') {
            await page.mouse.up();
            await page.waitForFunction(() => !document.querySelector('.bar-danger'));
            await page.mouse.down();
        } else if (what === 'steady') {
            if (!pictured) await picture(page, 'fight');
            pictured = true;
            await frames(page);
        } else break;
    }
    await page.mouse.up();
    await phaseIs(page, 'show');
    const landed = await picture(page, 'show');
    await phaseIs(page, 'sit');
    assert.match(await page.locator('.status-landed').textContent(), /1 landed/);
    for (const shot of [sitting, casting, landed]) assert.ok(shot.length > 60_000, 'there is something in the picture');
    assert.ok(!sitting.equals(casting) && !casting.equals(landed));

    // Forth and back: the same pose to the last digit shown, and the hands on the rod.
    await page.getByRole('button', { name: 'Pause' }).click();
    const end = Number(/\/ ([\d.]+)/.exec(await page.locator('.time-text').textContent())[1]);
    const times = Array.from({ length: 5 }, (_, i) => Math.round(end * (i + 0.5) / 5 * 10) / 10);
    const seen = new Map();
    for (const time of times) {
        seen.set(time, await armAt(page, time));
        for (const side of ['right', 'left']) assert.match(await value(page, side), /^0\.\d+ µm$/, `${side} at ${time}`);
        assert.equal(await value(page, 'flags'), 'none');
    }
    for (const time of [...times].reverse()) assert.deepEqual(await armAt(page, time), seen.get(time));
    assert.ok(distance(seen.get(times[0]).wrist, seen.get(times[3]).wrist) > 0.05, 'the hand has moved');

    // Recorded, and posed by the command: the same, at the times of keys.
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Record a GLB' }).click()]);
    assert.equal(download.suggestedFilename(), 'angler.glb');
    const file = join(temporaryFolder(t), 'angler.glb');
    await download.saveAs(file);
    assert.deepEqual(errorsOf(await validateFile(file)), []);
    const joints = { shoulder: 'rightUpperArm', elbow: 'rightLowerArm', wrist: 'rightHand' };
    for (const time of times) {
        const { code, stdout, stderr } = await sinew(['pose', file, '--clip', 'angler', '--time', String(time), '--json']);
        assert.equal(code, 0, stderr);
        const nodes = new Map(JSON.parse(stdout).nodes.map((node) => [node.name, node.world.slice(12, 15)]));
        for (const [place, name] of Object.entries(joints)) {
            const off = distance(nodes.get(name), seen.get(time)[place]);
            assert.ok(off < 1e-4 * SIZE, `${name} at ${time}: ${off} m`);
        }
    }
    const { stdout } = await sinew(['info', file, '--json']);
    const clips = JSON.parse(stdout).clips.map(({ name }) => name);
    assert.deepEqual(clips, ['idle', 'walk', 'wave', 'angler']);

    // What breaks when something is left out.
    await armAt(page, times[2]);
    await page.getByLabel('Target out of reach').click();
    await eventually(() => value(page, 'flags'), 'too_far');
    assert.match(await value(page, 'right'), /^0\.[1-6]\d+ m$/);
    await page.getByLabel('Target out of reach').click();
    await eventually(() => value(page, 'flags'), 'none');
    await page.getByLabel('Restore the base pose').click();
    for (const time of [...times, times[0]]) await armAt(page, time);
    assert.ok(parseFloat(await value(page, 'creep')) > 0.05, `the roll creeps: ${await value(page, 'creep')}`);
    await page.getByLabel('Restore the base pose').click();
    await eventually(() => value(page, 'creep'), '0.00°');
    for (const time of [times[2], times[4]]) assert.deepEqual(await armAt(page, time), seen.get(time), 'and is gone with the base pose back');
    await page.getByLabel('Marks at the joints').click();
    await page.getByLabel('A second angler beside').click();
    await picture(page, 'beside');
    assert.deepEqual(await armAt(page, times[4]), seen.get(times[4]), 'the copy has bones of its own');
    assertQuiet();
});

test('on a phone: held by a finger, nothing cut off', { skip, timeout: 120_000 }, async (t) => {
    const browser = await openBrowser(t);
    const { page, assertQuiet } = await openDemo(t, browser, 'seed=14', { width: 390, height: 844, touch: true });
    const touch = await page.context().newCDPSession(page);
    const finger = (type, points) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
    await page.getByLabel('Speed').selectOption('2');
    await finger('touchStart', [await centre(page.locator('.action', { hasText: 'Cast' }))]);
    await phaseIs(page, 'backcast');
    await page.waitForFunction(() => document.querySelector('.bar meter[aria-label=Power]').value > 0.3);
    await picture(page, 'phone');
    await finger('touchEnd', []);
    await phaseIs(page, 'wait', 'bite');
    const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.equal(wide[0], wide[1], 'nothing sticks out');
    for (const button of await page.locator('.action').all()) {
        const box = await button.boundingBox();
        assert.ok(box.height >= 44 && box.width >= 44 && box.x >= 0 && box.x + box.width <= 390, 'large enough for a finger');
    }
    assertQuiet();
});

test('the space bar pauses, but where a control needs it', { skip, timeout: 60_000 }, async (t) => {
    const { page, assertQuiet } = await openDemo(t, await openBrowser(t), 'seed=1', { width: 800, height: 480 });
    const marks = page.getByLabel('Marks at the joints');
    await marks.focus();
    await page.keyboard.press('Space');
    assert.ok(await marks.isChecked());
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.locator('.time-slider').focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play' }).waitFor();
    assertQuiet();
});

test('the list of demos leads to it, and the editor leads to the list', { skip, timeout: 60_000 }, async (t) => {
    const browser = await openBrowser(t);
    const url = await serve(t, []);
    const { page, assertQuiet } = await openPage(t, browser, { width: 800, height: 480 });
    await page.goto(url);
    await page.getByRole('link', { name: 'Demos' }).click();
    await page.getByRole('link', { name: /Angler/ }).click();
    await page.locator('.status-phase[data-phase]').waitFor({ timeout: 30_000 });
    await page.getByRole('link', { name: 'All demos' }).click();
    await page.getByRole('heading', { name: 'Demos' }).waitFor();
    assertQuiet();
});
