// JSON as text: what JSON.parse forgets (spelling of numbers, order and repetition of members) is
// what a lossless writer has to keep.

/** A tree of { type, … }: numbers keep their text, objects are lists of [name, value]. */
export function parseJsonText(text) {
    let at = 0;
    const space = /[ \t\n\r]*/y;
    const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{},:]/y;
    const next = () => {
        space.lastIndex = at;
        space.exec(text);
        token.lastIndex = space.lastIndex;
        const found = token.exec(text);
        if (!found) throw new SyntaxError(`no JSON token at ${space.lastIndex}`);
        at = token.lastIndex;
        return found[0];
    };
    const value = (first) => {
        if (first === '{') {
            const members = [];
            for (let name = next(); name !== '}'; name = next()) {
                if (name === ',') name = next();
                if (next() !== ':') throw new SyntaxError(`no colon at ${at}`);
                members.push([JSON.parse(name), value(next())]);
            }
            return { type: 'object', members };
        }
        if (first === '[') {
            const items = [];
            for (let item = next(); item !== ']'; item = next()) items.push(value(item === ',' ? next() : item));
            return { type: 'array', items };
        }
        if (first[0] === '"') return { type: 'string', text: JSON.parse(first) };
        if (/[-\d]/.test(first[0])) return { type: 'number', text: first };
        return { type: first };
    };
    const root = value(next());
    space.lastIndex = at;
    space.exec(text);
    if (space.lastIndex !== text.length) throw new SyntaxError(`more text at ${space.lastIndex}`);
    return root;
}

const show = (node) => (node.members ? '{…}' : node.items ? '[…]' : node.text ?? node.type);

/** JSON pointers where two trees differ, each with both sides. */
export function diffJson(a, b, pointer = '', found = []) {
    if (a.type !== b.type || a.text !== b.text) {
        found.push(`${pointer || '/'}: ${show(a)} became ${show(b)}`);
    } else if (a.items) {
        if (a.items.length !== b.items.length) found.push(`${pointer}: ${a.items.length} elements became ${b.items.length}`);
        for (let i = 0; i < Math.min(a.items.length, b.items.length); i++) diffJson(a.items[i], b.items[i], `${pointer}/${i}`, found);
    } else if (a.members) {
        const names = (node) => node.members.map(([name]) => name);
        if (names(a).join('\0') !== names(b).join('\0')) found.push(`${pointer || '/'}: members ${names(a)} became ${names(b)}`);
        else a.members.forEach(([name, value], i) => diffJson(value, b.members[i][1], `${pointer}/${name}`, found));
    }
    return found;
}
