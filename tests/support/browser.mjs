// A headless Chromium, and the editor as `sinew serve` gives it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { SINEW } from './sinew.mjs';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** For node:test: `test(name, { skip: browserMissing }, …)`; false when there is a browser. */
export const browserMissing = executablePath ? false : 'no Chromium is installed';

/** A browser that draws WebGL on the CPU; closed when the test `t` ends. */
export async function openBrowser(t) {
    const browser = await chromium.launch({
        executablePath,
        // Root, as in a container, has no sandbox to use.
        args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
            '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-dev-shm-usage'],
    });
    t.after(() => browser.close());
    return browser;
}

/** Starts `sinew serve ARGS…` on a free port and resolves to the URL it prints; ended with the test `t`. */
export function serve(t, args, { timeout = 20_000 } = {}) {
    const child = spawn(SINEW, ['serve', '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    t.after(() => child.kill());
    return new Promise((done, failed) => {
        let output = '';
        const give = (why) => failed(new Error(`sinew serve ${args.join(' ')}: ${why}\n${output}`));
        const timer = setTimeout(() => give(`no URL within ${timeout} ms`), timeout);
        const read = (chunk) => {
            output += chunk;
            const url = /http:\/\/[\w.:[\]-]+\S*/.exec(output);
            if (!url) return;
            clearTimeout(timer);
            done(url[0]);
        };
        child.stdout.on('data', read);
        child.stderr.on('data', read);
        child.on('error', (error) => give(error.message));
        child.on('exit', (code) => give(`ended with ${code}`));
    });
}
