// Running the command.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ROOT } from './files.mjs';

export const SINEW = resolve(process.env.SINEW_BIN ?? join(ROOT, 'build/sinew'));

/** Runs `sinew ARGS…` and resolves to { code, stdout, stderr }; stdout is a Buffer with { binary: true }. */
export function sinew(args, { input, binary = false, cwd, env, timeout = 60_000, program = SINEW } = {}) {
    return new Promise((done, failed) => {
        const options = { encoding: 'buffer', maxBuffer: 1 << 30, cwd, env: { ...process.env, ...env }, timeout };
        const child = execFile(program, args, options, (error, stdout, stderr) => {
            // An exit code is a result; not starting, a signal or a time-out is not.
            if (error && typeof error.code !== 'number') {
                error.message += `\n${stderr}`;
                return failed(error);
            }
            done({ code: error ? error.code : 0, stdout: binary ? stdout : stdout.toString(), stderr: stderr.toString() });
        });
        child.stdin.on('error', () => {});
        child.stdin.end(input);
    });
}

/** A new empty folder, removed when the test `t` ends. */
export function temporaryFolder(t) {
    const dir = mkdtempSync(join(tmpdir(), 'sinew-test-'));
    t.after(() => rmSync(dir, { recursive: true, force: true }));
    return dir;
}
