// The angler's session as the demo has it, and one who plays it.
import { importTypeScript } from './typescript.mjs';

export const session = await importTypeScript('web/demos/angler/session/session.ts');
export const { outputsOf } = await importTypeScript('web/demos/angler/session/outputs.ts');

/** Plays until `until(state)`, looking 30 times a second, and doing what a patient angler does: cast, strike
 * at the bite, reel, and let go while the line is pulled hard. `strikes: false` sleeps through the bite,
 * `careful: false` never lets go. */
export function play(seed, until, { aim = 0.14, held = 1.2, strikes = true, careful = true } = {}) {
    const { stateAt, extend } = session;
    let played = extend({ seed, events: [] }, { time: 0.5, kind: 'hold', aim });
    const act = (event) => (played = extend(played, event));
    let [phase, reels] = ['sit', false];
    for (let i = 1; i < 90 * 30; i++) {
        const time = i / 30;
        const state = stateAt(played, time);
        if (until(state)) return { session: played, end: time };
        const entered = state.phase !== phase;
        phase = state.phase;
        if (entered && phase === 'backcast') act({ time: time + held, kind: 'release', aim });
        if (entered && phase === 'bite' && strikes) act({ time: time + 0.3, kind: 'strike' });
        const tension = Math.hypot(...state.load);
        const wants = phase === 'fight' && (!careful || (reels ? tension < 11 : tension < 9));
        if (wants !== reels) act({ time: time + 0.02, kind: 'reel', on: (reels = wants) });
    }
    throw new Error(`seed ${seed}: never came to its end; in ${phase} after 90 s`);
}

export const isLanded = ({ phase, landed }) => phase === 'sit' && landed === 1;
