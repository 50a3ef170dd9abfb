// The page of the follower, driven by mouse and touch: where the head turns, by a formula of its own.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { browserMissing, openBrowser, serve } from '../support/browser.mjs';
import { ROOT } from '../support/files.mjs';
import { sinew } from '../support/sinew.mjs';
import { importTypeScript } from '../support/typescript.mjs';
import { eventually, openPage } from './page.mjs';

const model = join(ROOT, 'build/samples/mannequin.glb');
const missing = [model, join(ROOT, 'build/web/demos/follow/main.js')].find((path) => !existsSync(path));
const skip = browserMissing || (missing ? `no ${missing}` : false);
const { CAMERAS, FIELD_OF_VIEW, stepBack } = await importTypeScript('web/demos/follow/cameras.ts');

/** With SINEW_SCREENSHOTS the pictures stay there, to be looked at. */
async function picture(page, name) {
    const folder = process.env.SINEW_SCREENSHOTS;
    if (folder) mkdirSync(folder, { recursive: true });
    const bytes = await page.screenshot(folder ? { path: join(folder, `follow-${name}.png`) } : {});
    assert.ok(bytes.length > 20_000, 'a page with something on it');
    return bytes;
}

async function headAt() {
    const { stdout } = await sinew(['pose', model, '--clip', 'idle', '--time', '0', '--json']);
    return JSON.parse(stdout).nodes.find(({ name }) => name === 'head').world.slice(12, 15);
}

/** Degrees that the head turns to: the pointer's ray meets a plane 2.4 m before the head or, nearer, half way to the
 * camera of the portrait, which looks along -z. */
function wanted(head, { width, height }, [x, y]) {
    const { from, to } = CAMERAS.portrait;
    const camera = from.map((value, i) => to[i] + (value - to[i]) * stepBack(width / height));
    const half = Math.tan((FIELD_OF_VIEW / 2) * (Math.PI / 180));
    const depth = camera[2] - head[2];
    const distance = Math.min(2.4, depth / 2);
    const right = camera[0] + x * half * (width / height) * (depth - distance) - head[0];
    const above = camera[1] + y * half * (depth - distance) - head[1];
    const degrees = (radians) => (radians * 180) / Math.PI;
    const limit = (angle, least, most) => Math.min(most, Math.max(least, angle));
    return [
        limit(degrees(Math.atan2(right, distance)), -20, 20),
        limit(degrees(Math.atan2(above, Math.hypot(right, distance))), -10, 12),
    ];
}

async function open(t, options) {
    const url = await serve(t, [model]);
    const { page, assertQuiet } = await openPage(t, await openBrowser(t), options);
    await page.goto(new URL('/demos/follow/', url).href);
    await page.locator('canvas').waitFor();
    const box = await page.locator('.demo-scene').boundingBox();
    return {
        page, assertQuiet, box,
        /** Page coordinates of normalised device coordinates. */
        at: ([x, y]) => [box.x + ((x + 1) / 2) * box.width, box.y + ((1 - y) / 2) * box.height],
        value: async (name) => Number((await page.locator(`[data-value="${name}"]`).textContent()).replace('−', '-').replace('°', '')),
        near: (name, expected, tolerance = 0.06) => // shown to a tenth
            eventually(async () => {
                const text = await page.locator(`[data-value="${name}"]`).textContent();
                const value = Number(text.replace('−', '-').replace('°', ''));
                return Math.abs(value - expected) <= tolerance ? 'near' : value;
            }, 'near', `${name} is ${expected}`),
    };
}

test('the head turns to the pointer in four corners, and not before it moves', { skip }, async (t) => {
    const { page, box, at, near, value, assertQuiet } = await open(t, { width: 1280, height: 800 });
    const head = await headAt();
    await page.getByText('Until then, nothing moves').waitFor();
    for (const name of ['head yaw', 'head pitch', 'eyes yaw', 'eyes pitch', 'weight']) assert.equal(await value(name), 0);
    const untouched = await picture(page, 'untouched');
    for (const [name, corner] of Object.entries({ 'right-up': [0.6, 0.8], 'left-up': [-0.95, 0.6], 'left-down': [-0.6, -0.8], 'right-down': [0.5, -0.3] })) {
        await page.mouse.move(...at(corner));
        const [yaw, pitch] = wanted(head, box, corner);
        await near('head yaw', yaw);
        await near('head pitch', pitch);
        await near('weight', 1, 0);
        assert.equal(Math.sign(yaw), Math.sign(corner[0]));
        assert.notDeepEqual(await picture(page, name), untouched);
    }
    assert.equal(await page.getByText('Until then, nothing moves').count(), 0);
    assertQuiet();
});

test('what else moves the character, fading, reset, parameters', { skip }, async (t) => {
    const { page, at, near, value, assertQuiet } = await open(t, { width: 1280, height: 800 });
    await page.mouse.move(...at([0.95, 0.2]));
    await near('head yaw', 20);
    for (const [name, weight] of [['Idle', 0.7], ['Drag', 0.15], ['Action', 0], ['Still', 1]]) {
        await page.getByRole('button', { name, exact: true }).click();
        await near('weight', weight, 0);
        assert.equal(await page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed'), 'true');
        if (name === 'Action') await picture(page, 'action');
    }
    const follow = page.getByLabel('Follow', { exact: true });
    await follow.uncheck();
    await near('weight', 0, 0);
    await near('eyes yaw', 0, 0);
    await follow.check();
    await page.mouse.move(...at([0.95, 0.2]));
    await near('head yaw', 20);

    const side = page.getByLabel('Head and neck: To a side');
    await side.fill('5');
    await near('head yaw', 5);
    await page.getByRole('button', { name: 'Defaults of all parameters' }).click();
    assert.equal(await side.inputValue(), '20');
    await page.mouse.move(...at([0.95, 0.2]));
    await near('head yaw', 20);

    await page.getByRole('button', { name: 'Reset' }).click();
    await near('weight', 0, 0);
    for (const name of ['head yaw', 'head pitch', 'eyes yaw']) assert.equal(await value(name), 0);
    await page.mouse.move(...at([-0.5, 0]));
    await near('weight', 1, 0);

    await page.getByLabel('Lines of sight').check();
    await page.getByRole('button', { name: 'View: Side' }).click();
    await picture(page, 'side');
    assertQuiet();
});

test('pressing on the body drags the character for as long', { skip }, async (t) => {
    const { page, at, near, assertQuiet } = await open(t, { width: 1280, height: 800 });
    await page.mouse.move(...at([0, -0.6]));
    await near('weight', 1, 0);
    await page.mouse.down();
    await page.mouse.move(...at([0.4, -0.6]), { steps: 5 });
    await near('weight', 0.15, 0);
    assert.equal(await page.getByRole('button', { name: 'Drag', exact: true }).getAttribute('aria-pressed'), 'true');
    await picture(page, 'drag');
    await page.mouse.up();
    await near('weight', 1, 0);
    assert.equal(await page.getByRole('button', { name: 'Still', exact: true }).getAttribute('aria-pressed'), 'true');
    assertQuiet();
});

test('without a pointer: the arrow keys, the focus seen', { skip }, async (t) => {
    const { page, box, near, assertQuiet } = await open(t, { width: 1280, height: 800 });
    const head = await headAt();
    await eventually(async () => {
        await page.keyboard.press('Tab');
        return page.evaluate(() => document.activeElement.tagName);
    }, 'CANVAS', 'the scene is reached by Tab');
    const outline = () => page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.equal(await outline(), 'solid');
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp']) await page.keyboard.press(key);
    const [yaw, pitch] = wanted(head, box, [0.2, 0.1]);
    await near('head yaw', yaw);
    await near('head pitch', pitch);
    assert.equal(await page.getByText('Until then, nothing moves').count(), 0);

    await page.getByLabel('Lines of sight').focus();
    await page.keyboard.press('Space');
    assert.ok(await page.getByLabel('Lines of sight').isChecked());
    assertQuiet();
});

test('on a phone: a finger, and nothing wider than the screen', { skip }, async (t) => {
    const { page, box, at, near, assertQuiet } = await open(t, { width: 390, height: 844, touch: true });
    const head = await headAt();
    for (const corner of [[0.8, 0.7], [-0.8, -0.2]]) {
        await page.touchscreen.tap(...at(corner));
        const [yaw, pitch] = wanted(head, box, corner);
        await near('head yaw', yaw);
        await near('head pitch', pitch);
    }
    await picture(page, 'phone');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    const outside = await page.evaluate(() => [...document.querySelectorAll('.demo *')]
        .filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.className));
    assert.deepEqual(outside, []);
    assertQuiet();
});
