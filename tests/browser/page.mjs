// Driving the editor's page as a person does: by pointer, keys and what the page shows.
import assert from 'node:assert/strict';

/** A page that remembers what must not happen: requests to elsewhere, errors, blocked content. */
export async function openPage(t, browser, { width = 1200, height = 760, touch = false, colorScheme = 'dark', scale = 1 } = {}) {
    const context = await browser.newContext({
        viewport: { width, height }, hasTouch: touch, isMobile: touch, colorScheme, deviceScaleFactor: scale, acceptDownloads: true,
    });
    t.after(() => context.close());
    const page = await context.newPage();
    const troubles = [];
    page.on('request', (request) => {
        const url = new URL(request.url());
        if (!['blob:', 'data:'].includes(url.protocol) && url.hostname !== 'localhost') troubles.push(`request to ${url}`);
    });
    page.on('requestfailed', (request) => troubles.push(`failed request: ${request.url()}`));
    page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !/GPU stall|GL Driver Message/.test(message.text()))
            troubles.push(`console ${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => troubles.push(`page error: ${error.stack}`));
    await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) =>
            console.error(`content security policy: ${event.violatedDirective} ${event.blockedURI}`));
    });
    return { page, assertQuiet: () => assert.deepEqual(troubles, []) };
}

/** Waits until the file of this name is open and drawn. */
export async function opened(page, name) {
    await page.waitForFunction((wanted) => document.querySelector('.file-name')?.textContent === wanted
        && document.querySelector('#app.is-open') && document.querySelector('.busy').hidden, name);
    // The findings are counted once the model is drawn.
    await page.waitForFunction(() => document.querySelector('.findings-button').hasAttribute('aria-label'));
    await frames(page);
}

/** Asks until the answer is as wanted; a machine that is busy draws late. */
export async function eventually(ask, wanted, what = '') {
    const matches = (answer) => (wanted instanceof RegExp ? wanted.test(answer) : answer === wanted);
    const end = Date.now() + 20_000;
    for (;;) {
        const answer = await ask();
        if (matches(answer)) return;
        if (Date.now() > end) assert.fail(`${what || ask}: ${JSON.stringify(answer)} instead of ${wanted}`);
        await new Promise((done) => setTimeout(done, 40));
    }
}

/** Two pictures later everything shown is up to date. */
export const frames = (page) =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));

export const treeItem = (page, name) => page.locator('.tree-item', { has: page.locator('.tree-name', { hasText: new RegExp(`^${name}$`) }) });

export const selectedName = async (page) => (await page.locator('.tree-item[aria-selected=true] .tree-name').allTextContents())[0] ?? null;

/** Where the selected joint is on the page, from the tag that stands at it. */
export async function selectedPosition(page) {
    await page.locator('.joint-tag-selected').waitFor();
    await frames(page);
    const box = await page.locator('.viewport-surface').boundingBox();
    const at = await page.locator('.joint-tag-selected').evaluate((tag) => {
        const { e, f } = new DOMMatrix(getComputedStyle(tag).transform);
        return tag.hidden ? null : [e, f];
    });
    assert.ok(at, 'the selected joint has its tag in the view');
    return [box.x + at[0], box.y + at[1]];
}

const cursorOf = (page, selector) => page.locator(selector).evaluate((element) => element.style.cursor);

/** A point of the rotation gizmo's outer ring: outward from the joint until the pointer says "grab". */
export async function findRing(page, [x, y], angle = Math.PI / 4) {
    for (let radius = 84; radius < 120; radius += 2) {
        const point = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
        await page.mouse.move(...point);
        if ((await cursorOf(page, '.viewport-canvas')) === 'grab') return point;
    }
    assert.fail('no ring of the gizmo about the joint');
}

/** The lowest key in a column of the dope sheet. */
export async function findKey(page, x) {
    const box = await page.locator('.timeline-canvas').boundingBox();
    for (let y = box.y + box.height - 4; y > box.y + 30; y -= 5) {
        await page.mouse.move(x, y);
        if ((await cursorOf(page, '.timeline-canvas')) === 'grab') return [x, y];
    }
    assert.fail('no key in this column of the dope sheet');
}

export async function drag(page, from, to, { steps = 8, key } = {}) {
    await page.mouse.move(...from);
    if (key) await page.keyboard.down(key);
    await page.mouse.down();
    await page.mouse.move(...to, { steps });
    await frames(page);
    await page.mouse.up();
    if (key) await page.keyboard.up(key);
    await frames(page);
}
