// The server: what it gives, what it keeps to itself, and how it starts and ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { SINEW, sinew, temporaryFolder } from '../support/sinew.mjs';

const gltf = (name, members) => [name, JSON.stringify({ asset: { version: '2.0' }, ...members })];

// A folder with a page, models and things that nobody should get.
function makeFolders(t) {
    const root = temporaryFolder(t);
    const files = new Map([
        ['web/index.html', '<!doctype html><title>page</title>'],
        ['web/editor.js', 'export {};'],
        ['web/styles/editor.css', 'body {}'],
        ['web/sinew.wasm', 'wasm'],
        ['web/demos/index.html', '<!doctype html><title>demos</title>'],
        ['web/demos/some demo/index.html', '<!doctype html><title>demo</title>'],
        ['web/empty/notes.txt', 'no page'],
        gltf('models/a.gltf', {
            buffers: [{ byteLength: 3, uri: 'textures/../a.bin' }, { byteLength: 1, uri: 'data:,x' }],
            images: [{ uri: 'textures/skin%20one.png' }, { uri: '../secret.txt' }, { uri: '/etc/hostname' },
                { uri: 'https://example.org/x.png' }, { uri: './100%.png' }, { uri: 'page.html' }, { uri: 'outside.png' }],
        }),
        ['models/a.bin', 'bin'],
        ['models/other.bin', 'no model names it'],
        ['models/notes.txt', 'notes'],
        ['models/page.html', '<script src="x.js"></script>'],
        ['models/textures/skin one.png', 'png'],
        ['models/100%.png', 'hundred'],
        ['models/B.GLB', 'glTF'],
        ['models/deep/inner.glb', 'not at the top'],
        ['secret.txt', 'secret'],
    ]);
    for (const [name, text] of files) {
        mkdirSync(join(root, name, '..'), { recursive: true });
        writeFileSync(join(root, name), text);
    }
    symlinkSync('../secret.txt', join(root, 'models/outside.png'));
    symlinkSync('../secret.txt', join(root, 'models/link.glb'));
    symlinkSync('../secret.txt', join(root, 'web/link.txt'));
    return root;
}

// Starts the server; resolves to { url, child, ended } once it prints where it is.
function start(t, args) {
    const child = spawn(SINEW, ['serve', '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise((done) => child.on('exit', (code, signal) => done({ code, signal })));
    t.after(() => child.kill('SIGKILL'));
    return new Promise((done, failed) => {
        let out = '';
        let err = '';
        child.stderr.on('data', (chunk) => (err += chunk));
        child.stdout.on('data', (chunk) => {
            out += chunk;
            if (out.endsWith('\n')) done({ url: out.trim(), child, ended, stderr: () => err });
        });
        ended.then(({ code }) => failed(new Error(`ended with ${code}: ${err}`)));
    });
}

const serveModels = async (t) => {
    const root = makeFolders(t);
    return { root, ...await start(t, ['--web', join(root, 'web'), join(root, 'models')]) };
};

// A request as raw text, since fetch() tidies paths and headers; resolves to the raw answer.
function raw(url, text) {
    return new Promise((done, failed) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
        let answer = '';
        socket.on('data', (chunk) => (answer += chunk));
        socket.on('error', failed);
        socket.on('close', () => done(answer));
    });
}

const statusOf = async (url, path, headers = 'Host: localhost') =>
    Number((await raw(url, `GET ${path} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`)).split(' ')[1]);

test('serves the page and its parts with their types', async (t) => {
    const { url } = await serveModels(t);
    const types = {
        '': 'text/html; charset=utf-8',
        'index.html': 'text/html; charset=utf-8',
        'editor.js': 'text/javascript; charset=utf-8',
        'styles/editor.css': 'text/css; charset=utf-8',
        'sinew.wasm': 'application/wasm',
    };
    for (const [path, type] of Object.entries(types)) {
        const response = await fetch(new URL(path, url));
        assert.equal(response.status, 200, path);
        assert.equal(response.headers.get('content-type'), type);
    }
});

test('a folder of the page is its index.html, at the address with a slash', async (t) => {
    const { url } = await serveModels(t);
    for (const path of ['demos/', 'demos/some%20demo/']) {
        const response = await fetch(new URL(path, url));
        assert.equal(response.status, 200, path);
        assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
        const bare = await fetch(new URL(path.slice(0, -1), url), { redirect: 'manual' });
        assert.equal(bare.status, 301, path);
        assert.equal(bare.headers.get('location'), `/${path}`);
        assert.match(bare.headers.get('content-security-policy'), /default-src 'none'/);
    }
    for (const path of ['/empty', '/empty/', '/demos//', '//demos/', '//', '/files/', '/files', '/demos/none/', '/index.html/', '/demos/%2e%2e/'])
        assert.equal(await statusOf(url, path), 404, path);
});

test('every answer carries the strict headers', async (t) => {
    const { url } = await serveModels(t);
    for (const path of ['', 'api/files', 'files/a.gltf', 'files/none.glb']) {
        const { headers } = await fetch(new URL(path, url));
        const policy = headers.get('content-security-policy').split(';').map((part) => part.trim());
        assert.deepEqual(policy, ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'",
            "img-src 'self' blob: data:", "connect-src 'self' blob: data:", "worker-src 'self' blob:",
            "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]);
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.equal(headers.get('referrer-policy'), 'no-referrer');
        assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
        assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
        assert.equal(headers.get('cache-control'), 'no-cache');
        assert.equal(headers.get('access-control-allow-origin'), null);
    }
});

test('lists the models of a folder as they come and go', async (t) => {
    const { url, root } = await serveModels(t);
    const list = async () => (await (await fetch(new URL('api/files', url))).json()).files;
    const files = await list();
    assert.deepEqual(files.map((file) => file.name), ['B.GLB', 'a.gltf']);
    assert.deepEqual(files[0], { name: 'B.GLB', size: 4, url: '/files/B.GLB' });
    writeFileSync(join(root, 'models/new ü.vrm'), 'glTF');
    assert.equal((await list()).at(-1).url, '/files/new%20%C3%BC.vrm');
    assert.equal(await (await fetch(new URL((await list()).at(-1).url, url))).text(), 'glTF');
});

test('lists no name that it would not give', async (t) => {
    const { url, root } = await serveModels(t);
    for (const name of ['line\nbreak.glb', 'back\\slash.glb', 'quote" <&>%#?.glb']) writeFileSync(join(root, 'models', name), 'glTF');
    const { files } = await (await fetch(new URL('api/files', url))).json();
    assert.deepEqual(files.map((file) => file.name), ['B.GLB', 'a.gltf', 'quote" <&>%#?.glb']);
    for (const file of files) assert.equal((await fetch(new URL(file.url, url))).status, 200, file.name);
});

test('a file of a folder of thousands is given without a look at the others', async (t) => {
    const { url, root } = await serveModels(t);
    for (let i = 0; i < 3000; i++) writeFileSync(join(root, `models/${i}.glb`), 'glTF');
    const get = async (path) => assert.equal((await fetch(new URL(`files/${path}`, url))).status, 200, path);
    await get('a.bin'); // the look that finds which model names it
    const start = performance.now();
    for (let i = 0; i < 100; i++) await Promise.all([get(`${i}.glb`), get('a.bin')]);
    // Looking at each file for each request takes over 10 s here, a hundred times what is needed.
    assert.ok(performance.now() - start < 4000, `${performance.now() - start} ms`);
});

test('gives models and what they name, and nothing else of the folder', async (t) => {
    const { url, root } = await serveModels(t);
    const get = async (path) => {
        const response = await fetch(new URL(`files/${path}`, url));
        return response.status === 200 ? response.text() : response.status;
    };
    assert.equal(await get('a.bin'), 'bin');
    assert.equal(await get('textures/skin%20one.png'), 'png');
    assert.equal(await get('100%25.png'), 'hundred');
    assert.equal(await get('B.GLB'), 'glTF');
    for (const path of ['other.bin', 'notes.txt', 'deep/inner.glb', 'outside.png', 'link.glb', 'secret.txt', 'textures', ''])
        assert.equal(await get(path), 404, path);
    // A model that changes names other files.
    writeFileSync(join(root, 'models/a.gltf'), gltf('', { images: [{ uri: 'other.bin' }] })[1]);
    assert.equal(await get('other.bin'), 'no model names it');
    assert.equal(await get('a.bin'), 404);
});

test('a page that a model names is not served as one', async (t) => {
    const { url } = await serveModels(t);
    const { headers } = await fetch(new URL('files/page.html', url));
    assert.equal(headers.get('content-type'), 'application/octet-stream');
});

test('paths do not lead out of the folders, however they are written', async (t) => {
    const { url } = await serveModels(t);
    const ways = ['../secret.txt', '%2e%2e/secret.txt', '..%2fsecret.txt', '%2e%2e%2fsecret.txt', '..%5csecret.txt',
        './/../secret.txt', '%252e%252e/secret.txt', '..\\secret.txt', 'x/../../secret.txt', '%00', 'a.gltf%00.txt',
        '/etc/passwd', '/', '.', '%'];
    for (const folder of ['/', '/files/', '/samples/', '/api/'])
        for (const way of ways) {
            // "/%" and "//" are no files either; "/." is not the page.
            assert.equal(await statusOf(url, folder + way), 404, folder + way);
        }
    assert.equal(await statusOf(url, '/link.txt'), 404);
});

test('answers to no host name but its own, against DNS rebinding', async (t) => {
    const { url } = await serveModels(t);
    for (const host of ['localhost', 'LOCALHOST:1234', '127.0.0.1', '127.0.0.1:8630', '[::1]:8630', '192.168.1.20'])
        assert.equal(await statusOf(url, '/', `Host: ${host}`), 200, host);
    for (const host of ['evil.example', 'localhost.evil.example', 'evil.example:8630', '127.0.0.1.evil.example', '', 'localhost:x'])
        assert.equal(await statusOf(url, '/', `Host: ${host}`), 421, host);
    assert.match(await raw(url, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 4\d\d /);
});

test('HEAD, other methods and entity tags', async (t) => {
    const { url, root } = await serveModels(t);
    const head = await fetch(new URL('files/a.gltf', url), { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.ok(Number(head.headers.get('content-length')) > 100);
    assert.equal(await head.text(), '');
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
        const response = await fetch(url, { method, body: method === 'POST' ? 'x'.repeat(1 << 20) : undefined }).catch(() => null);
        if (!response) continue; // closed before the whole body was sent
        assert.equal(response.status, 405, method);
        assert.equal(response.headers.get('allow'), 'GET, HEAD');
    }
    const etag = head.headers.get('etag');
    const again = (tag) => fetch(new URL('files/a.gltf', url), { headers: { 'If-None-Match': tag } });
    assert.equal((await again(etag)).status, 304);
    assert.equal((await again(`"other", W/${etag}`)).status, 304);
    assert.equal((await again('"other"')).status, 200);
    writeFileSync(join(root, 'models/a.gltf'), gltf('', {})[1]);
    assert.equal((await again(etag)).status, 200);
});

test('one connection serves many requests', async (t) => {
    const { url } = await serveModels(t);
    const one = 'GET /files/a.bin HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const last = 'GET /files/a.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const answer = await raw(url, one + one + last);
    assert.equal(answer.match(/HTTP\/1\.1 200 /g).length, 3);
});

test('one file: only it and what it names, and the address opens it', async (t) => {
    const root = makeFolders(t);
    writeFileSync(join(root, 'models/my model.gltf'), gltf('', { buffers: [{ byteLength: 3, uri: 'a.bin' }] })[1]);
    const { url } = await start(t, ['--web', join(root, 'web'), join(root, 'models/my model.gltf')]);
    assert.match(url, /^http:\/\/localhost:\d+\/\?open=\/files\/my%20model\.gltf$/);
    const status = async (path) => (await fetch(new URL(path, url))).status;
    assert.equal(await status(new URL(url).searchParams.get('open')), 200);
    assert.equal(await status('/files/a.bin'), 200);
    assert.equal(await status('/files/a.gltf'), 404);
    assert.equal(await status('/files/B.GLB'), 404);
    const { files } = await (await fetch(new URL('/api/files', url))).json();
    assert.deepEqual(files.map((file) => file.name), ['my model.gltf']);
});

test('without a file there is the page alone', async (t) => {
    const root = makeFolders(t);
    const { url } = await start(t, ['--web', join(root, 'web')]);
    assert.match(url, /^http:\/\/localhost:\d+\/$/);
    assert.deepEqual((await (await fetch(new URL('/api/files', url))).json()).files, []);
    assert.equal((await fetch(new URL('/files/a.gltf', url))).status, 404);
});

test('SIGINT and SIGTERM end it cleanly, with a request under way', async (t) => {
    for (const signal of ['SIGINT', 'SIGTERM']) {
        const { url, child, ended, stderr } = await serveModels(t);
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        await new Promise((done) => socket.on('connect', done));
        socket.on('error', () => {});
        socket.write('GET /files/a.gltf HTTP/1.1\r\nHost: loc');
        child.kill(signal);
        assert.deepEqual(await ended, { code: 0, signal: null });
        assert.equal(stderr(), '');
        socket.destroy();
    }
});

test('a port that is taken, and other things that cannot be served, are said in one line', async (t) => {
    const root = makeFolders(t);
    const web = ['--web', join(root, 'web')];
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => other.on('listening', done));
    t.after(() => other.close());
    const cases = [
        [['--port', String(other.address().port), ...web], /^sinew: serve: port \d+ of 127\.0\.0\.1 is in use; .*--port.*\n$/],
        [['--port', '70000', ...web], /^sinew: serve: .*65535.*\n$/],
        [['--host', '203.0.113.7', '--port', '0', ...web], /^sinew: serve: .*203\.0\.113\.7.*\n$/],
        [['--port', '0', ...web, join(root, 'none.glb')], /^sinew: serve: .*none\.glb.*\n$/],
        [['--port', '0', ...web, join(root, 'secret.txt')], /^sinew: serve: .*\.gltf, \.glb.*\n$/],
        [['--port', '0', '--web', join(root, 'models')], /^sinew: serve: .*models\/index\.html.*\n$/],
    ];
    for (const [args, message] of cases) {
        const { code, stdout, stderr } = await sinew(['serve', ...args]);
        assert.equal(code, 2, args.join(' '));
        assert.equal(stdout, '');
        assert.match(stderr, message);
    }
});

test('listening to others is warned of', async (t) => {
    const root = makeFolders(t);
    const { url, stderr } = await start(t, ['--host', '0.0.0.0', '--web', join(root, 'web')]);
    assert.match(url, /^http:\/\/localhost:/);
    for (let i = 0; i < 100 && !stderr(); i++) await new Promise((next) => setTimeout(next, 20)); // a pipe of its own
    assert.match(stderr(), /^sinew: serve: warning: .*0\.0\.0\.0/);
});
