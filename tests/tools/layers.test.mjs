// The check on layers.txt must fail on what it forbids, or it protects nothing.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/files.mjs';
import { temporaryFolder } from '../support/sinew.mjs';

// A tree with one private header in each folder it uses, and the given files.
function checkTree(t, files) {
    const root = temporaryFolder(t);
    copyFileSync(join(ROOT, 'layers.txt'), join(root, 'layers.txt'));
    const all = { 'src/math/lanes.h': '', 'src/gltf/accessor.h': '', 'src/base/json.h': '', ...files };
    for (const [name, text] of Object.entries(all)) {
        mkdirSync(dirname(join(root, name)), { recursive: true });
        writeFileSync(join(root, name), text);
    }
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools/check-layers.mjs'), root], { encoding: 'utf8' });
    return { status, stderr };
}

const allowed = {
    'a folder below': { 'src/anim/pose.c': '#include "math/lanes.h"\n' },
    'a folder further below': { 'src/ops/bake.c': '#include "math/lanes.h"\n#include <stdlib.h>\n' },
    'a public header of a folder below': {
        'include/sinew/pose.h': '#include "sinew/result.h"\n',
        'include/sinew/result.h': '',
        'src/skin/skin.c': '#include "sinew/pose.h"\n',
    },
    'sinew.h in a program on top': { 'cli/main.c': '#include "sinew/sinew.h"\n', 'include/sinew/sinew.h': '' },
    'a header beside the file': { 'src/model/model.c': '#include "model.h"\n', 'src/model/model.h': '' },
};
for (const [what, files] of Object.entries(allowed))
    test(`allowed: ${what}`, (t) => assert.deepEqual(checkTree(t, files), { status: 0, stderr: '' }));

const forbidden = {
    'a folder above': [{ 'src/model/model.c': '#include "gltf/accessor.h"\n' }, /src\/model\/model\.c:1: model may not include/],
    'a folder at the same height': [{ 'src/check/check.c': '#include "gltf/accessor.h"\n' }, /check may not include/],
    'a public header of a folder above': [
        { 'include/sinew/skin.h': '', 'src/anim/pose.c': '\n#include <sinew/skin.h>\n' },
        /src\/anim\/pose\.c:2: anim may not include/],
    'a public header that includes upwards': [
        { 'include/sinew/skin.h': '', 'include/sinew/pose.h': '#include "sinew/skin.h"\n' },
        /include\/sinew\/pose\.h:1: anim may not include/],
    'a path that leaves the folder': [{ 'src/model/model.c': '#include "../gltf/accessor.h"\n' }, /is not in model/],
    'JSON in the runtime': [{ 'src/anim/clip.c': '#include "base/json.h"\n' }, /runtime and may know no file format/],
    'sinew.h inside the core': [{ 'src/ops/trim.c': '#include "sinew/sinew.h"\n', 'include/sinew/sinew.h': '' }, /include the headers/],
    'a header that no folder owns': [{ 'include/sinew/lost.h': '' }, /no folder of layers.txt has the public header lost/],
    'a folder without a line': [{ 'src/extra/a.c': '' }, /src\/extra: has no line/],
    'three.js in web/core': [{ 'web/core/a.ts': "import { Mesh } from 'three';\n" }, /web\/core may not import three/],
    'sinew.wasm in web/three': [{ 'web/three/a.ts': 'import { loadCore } from "../core/index.ts";\n' }, /web\/three may not import/],
};
for (const [what, [files, message]] of Object.entries(forbidden))
    test(`forbidden: ${what}`, (t) => {
        const { status, stderr } = checkTree(t, files);
        assert.equal(status, 1);
        assert.match(stderr, message);
    });
