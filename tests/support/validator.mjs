// The Khronos glTF validator, as the judge of files that Sinew writes.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import validator from 'gltf-validator';

/** The validator's report on the bytes of a .glb or .gltf; external files are read from `folder`. */
export function validateBytes(bytes, folder) {
    return validator.validateBytes(new Uint8Array(bytes), {
        maxIssues: 1000,
        externalResourceFunction: (uri) => folder
            ? Promise.resolve(new Uint8Array(readFileSync(join(folder, decodeURIComponent(uri)))))
            : Promise.reject(new Error(`no folder to read ${uri} from`)),
    });
}

export const validateFile = (path) => validateBytes(readFileSync(path), dirname(path));

/** The messages of severity error in a report, as `CODE at /pointer: message`. */
export const errorsOf = (report) => report.issues.messages
    .filter((message) => message.severity === 0)
    .map((message) => `${message.code} at ${message.pointer ?? message.offset ?? '?'}: ${message.message}`);
