// Takes the pictures of docs/images anew: the editor with the sample mannequin, on a desk and on a phone, and demos.
//   node tools/take-screenshots.mjs      after make build samples web
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, serve } from '../tests/support/browser.mjs';
import { ROOT } from '../tests/support/files.mjs';
import { drag, findRing, frames, opened, openPage, selectedPosition, treeItem } from '../tests/browser/page.mjs';

const images = join(ROOT, 'docs/images');
mkdirSync(images, { recursive: true });

// The test helpers tidy up when their test ends; here that is the end of this script.
const tidy = [];
const scope = { after: (work) => tidy.unshift(work) };

async function take(page, name) {
    await frames(page);
    // A picture at rest is drawn in full a moment after the last movement.
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(images, `${name}.png`) });
    console.log(`docs/images/${name}.png`);
}

/** The mannequin in its wave, with a joint selected. */
async function pose(page, joint, time) {
    await opened(page, 'mannequin.glb');
    await page.locator('.clip', { hasText: 'wave' }).click();
    await treeItem(page, joint).click();
    const sheet = await page.locator('.timeline-canvas').boundingBox();
    await page.mouse.click(sheet.x + sheet.width * time, sheet.y + 12);
    await frames(page);
}

try {
    const browser = await openBrowser(scope);
    const url = await serve(scope, [join(ROOT, 'build/samples/mannequin.glb')]);

    for (const colorScheme of ['dark', 'light']) {
        const { page } = await openPage(scope, browser, { width: 1440, height: 900, colorScheme });
        await page.goto(url);
        await pose(page, 'rightLowerArm', 0.48);
        const ring = await findRing(page, await selectedPosition(page));
        await drag(page, ring, [ring[0] - 30, ring[1] + 12]);
        await page.mouse.move(...(await selectedPosition(page)));
        await take(page, colorScheme === 'dark' ? 'editor' : 'editor-light');
        if (colorScheme === 'dark') {
            const turn = await findRing(page, await selectedPosition(page), -Math.PI / 3);
            await page.mouse.move(...turn);
            await page.mouse.down();
            await page.mouse.move(turn[0] + 40, turn[1] + 50, { steps: 6 });
            await take(page, 'editor-posing');
            await page.keyboard.press('Escape');
            await page.mouse.up();
        }
    }

    const phone = await openPage(scope, browser, { width: 390, height: 844, touch: true, scale: 2 });
    await phone.page.goto(url);
    await opened(phone.page, 'mannequin.glb');
    await phone.page.locator('.tab', { hasText: 'Clips' }).tap();
    await phone.page.locator('.clip', { hasText: 'wave' }).tap();
    await phone.page.locator('.tab', { hasText: 'Nodes' }).tap();
    await treeItem(phone.page, 'rightLowerArm').tap();
    await phone.page.locator('.tab', { hasText: 'Timeline' }).tap();
    const sheet = await phone.page.locator('.timeline-canvas').boundingBox();
    await phone.page.touchscreen.tap(sheet.x + sheet.width * 0.62, sheet.y + 12);
    await take(phone.page, 'editor-phone');

    const { page: follow } = await openPage(scope, browser, { width: 1280, height: 800 });
    await follow.goto(new URL('/demos/follow/', url).href);
    await follow.locator('canvas').waitFor();
    await follow.getByLabel('Lines of sight').check();
    const scene = await follow.locator('.demo-scene').boundingBox();
    await follow.mouse.move(scene.x + scene.width * 0.82, scene.y + scene.height * 0.24);
    await follow.locator('[data-value="weight"]', { hasText: '1.00' }).waitFor();
    await take(follow, 'follow');

    // A session is its seed and what was done; this one fights a fish at 14 s.
    const { page: angler } = await openPage(scope, browser, { width: 1280, height: 800 });
    await angler.goto(new URL('/demos/angler/#seed=14&events=h0.5,0.14;r3.6,0.14;s11.3;w11.8;u17', url).href);
    await angler.locator('.status-phase[data-phase]').waitFor();
    await angler.locator('.time-slider').fill('14');
    await angler.getByLabel('Marks at the joints').check();
    await take(angler, 'angler');
} finally {
    for (const work of tidy) await work();
}
