// Where things are, and the files of the corpus.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Real files to test on; kept outside the repository. */
export const CORPUS = resolve(process.env.SINEW_CORPUS ?? join(ROOT, '../shared/corpus'));

/** Reference poses for them, one .json of the same path each. */
export const GOLDEN = resolve(process.env.SINEW_GOLDEN ?? join(CORPUS, '../golden'));

/** Every file below dir, sorted; none when dir is not there. */
export function walk(dir) {
    if (!existsSync(dir)) return [];
    return readdirSync(dir, { withFileTypes: true })
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .flatMap((entry) => {
            if (entry.name === 'node_modules') return [];
            const path = join(dir, entry.name);
            return entry.isDirectory() ? walk(path) : [path];
        });
}

/**
 * The corpus files with these extensions (such as '.glb'), below the folder `under`, as
 * { path, name, golden }: name is relative to the corpus, golden the reference file or null.
 */
export function corpusFiles(extensions, under = '') {
    return walk(join(CORPUS, under))
        .filter((path) => extensions.includes(extname(path).toLowerCase()))
        .map((path) => {
            const name = relative(CORPUS, path);
            const golden = join(GOLDEN, name.replace(/\.[^.]+$/, '.json'));
            return { path, name, golden: existsSync(golden) ? golden : null };
        });
}

/** For node:test: `test(name, { skip: corpusMissing }, …)`; false when the corpus is there. */
export const corpusMissing = existsSync(CORPUS) ? false : `no corpus at ${CORPUS} (SINEW_CORPUS names its folder)`;
