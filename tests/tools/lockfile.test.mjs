// The lock file pins what is installed, not where it comes from: every machine has its own registry.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/files.mjs';

test('package-lock.json has a hash for every package and no download address', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    for (const [path, entry] of Object.entries(packages)) {
        if (path === '') continue;
        assert.ok(entry.integrity, `${path} has no integrity`);
        assert.ok(!entry.resolved, `${path} has an address; npm install with this repository's .npmrc leaves it out`);
    }
});

test('dependencies are pinned exactly', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
        assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
});
