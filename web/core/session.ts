import { WasmCrowd } from "./crowd.ts";
import { readClips, readModel } from "./description.ts";
import { decodeView, type CompressedView } from "./meshopt.ts";
import { encode, type Address, type Exports, type Native, type NativePool } from "./native.ts";
import { REST_POSE, SinewError } from "./types.ts";
import type { ClipInfo, Command, Crowd, Finding, KeyValue, ModelInfo } from "./types.ts";
import type { Modifiers, OpenOptions, OutputFile, Session, TrackInfo, Transform } from "./types.ts";

/** The failure that a session describes. */
function failure(native: Native, session: Address): SinewError {
  const x = native.exports;
  return new SinewError(
    native.string(x.session_error_id(session)),
    native.string(x.session_error_text(session)),
    native.string(x.session_error_pointer(session)),
    x.session_error_line(session),
    x.session_error_column(session),
  );
}

function noMemory(): SinewError {
  return new SinewError("memory", "there is not enough memory");
}

/** A block of the session that holds `bytes`. */
function copyIn(native: Native, session: Address, bytes: Uint8Array): Address {
  const address = native.exports.session_block(session, bytes.length);
  if (!address) throw noMemory();
  native.write(address, bytes);
  return address;
}

/** Runs `f` with a session and closes the session unless `f` gives it away. */
function withSession<T>(
  pool: NativePool,
  limit: number,
  f: (native: Native, session: Address) => { value: T; keep: boolean },
): T {
  const native = pool.acquire();
  let session = 0;
  let keep = false;
  try {
    session = native.exports.session_create(limit);
    if (!session) throw noMemory();
    const result = f(native, session);
    keep = result.keep;
    return result.value;
  } finally {
    if (!keep) {
      if (session && !native.broken) native.exports.session_free(session);
      pool.release(native);
    }
  }
}

function text(native: Native, session: Address): string {
  const x = native.exports;
  return native.text(x.session_text(session), x.session_text_length(session));
}

/** Gives the session the bytes of its file. */
function give(native: Native, session: Address, bytes: Uint8Array): void {
  native.exports.session_give(session, copyIn(native, session, bytes), bytes.length);
}

export function listResources(pool: NativePool, bytes: Uint8Array): string[] {
  return withSession(pool, 0, (native, session) => {
    give(native, session, bytes);
    if (native.exports.session_list_resources(session)) throw failure(native, session);
    return { value: JSON.parse(text(native, session)) as string[], keep: false };
  });
}

function supplyFile(native: Native, session: Address, path: string, content: Uint8Array): void {
  const x = native.exports;
  const name = encode(`${path}\0`);
  const nameAt = copyIn(native, session, name);
  let contentAt;
  try {
    contentAt = copyIn(native, session, content);
  } catch (error) {
    // The session does not know of a block before it is supplied.
    x.session_block_free(session, nameAt, name.length);
    throw error;
  }
  if (x.session_supply_file(session, nameAt, name.length, contentAt, content.length))
    throw failure(native, session);
}

/** What the module cannot do alone: it imports nothing, so it can call no decoder. */
function decodeViews(native: Native, session: Address): void {
  const x = native.exports;
  if (x.session_list_views(session)) throw failure(native, session);
  for (const view of JSON.parse(text(native, session)) as CompressedView[]) {
    const decoded = decodeView(view, native);
    // One that is broken matters only if something uses it: the reader then says so.
    if (!decoded) continue;
    const block = copyIn(native, session, decoded);
    if (x.session_supply_view(session, view[0], block, decoded.length))
      throw failure(native, session);
  }
}

export function openSession(pool: NativePool, bytes: Uint8Array, options: OpenOptions): Session {
  return withSession(pool, options.memoryLimit ?? 0, (native, session) => {
    const x = native.exports;
    give(native, session, bytes);
    for (const [path, content] of options.resources ?? []) supplyFile(native, session, path, content);
    let result = x.session_open(session);
    if (result && x.session_lacks_views(session)) {
      decodeViews(native, session);
      result = x.session_open(session);
    }
    if (result) throw failure(native, session);
    return { value: new WasmSession(pool, native, session), keep: true };
  });
}

class WasmSession implements Session {
  readonly model: ModelInfo;
  readonly isBinary: boolean;

  readonly #pool: NativePool;
  readonly #native: Native;
  readonly #x: Exports;
  #address: Address;

  readonly #crowds = new Set<WasmCrowd>();
  #clips: ClipInfo[] = [];
  /** The document that #clips describe; the core keeps it, so its address stays its own. */
  #described: Address = 0;

  readonly #worldAt: Address;
  readonly #jointMatricesAt: Address[];
  #world: Float32Array | undefined;
  #jointMatrices: (Float32Array | undefined)[] = [];

  constructor(pool: NativePool, native: Native, session: Address) {
    this.#pool = pool;
    this.#native = native;
    this.#x = native.exports;
    this.#address = session;
    const x = this.#x;
    this.#check(x.session_describe_model(session));
    this.model = readModel(this.#text());
    this.isBinary = x.session_is_binary(session) !== 0;
    this.#worldAt = x.session_world(session);
    this.#jointMatricesAt = this.model.skins.map((_, i) => x.session_joint_matrices(session, i));
  }

  // ---- Calls ----

  get #session(): Address {
    if (!this.#address)
      throw new SinewError("session.disposed", "this session was disposed; open the file again");
    return this.#address;
  }

  #check = (result: number): void => {
    if (result !== 0) throw failure(this.#native, this.#address);
  };

  #text(): string {
    return text(this.#native, this.#session);
  }

  #argument(message: string): SinewError {
    return new SinewError("argument", message);
  }

  // ---- Description ----

  clips(): readonly ClipInfo[] {
    const document = this.#x.session_document(this.#session);
    if (document !== this.#described) {
      this.#check(this.#x.session_describe_clips(this.#session));
      this.#clips = readClips(this.#native, this.#text(), this.#clips);
      this.#described = document;
    }
    return this.#clips;
  }

  #track(clip: number, track: number): { info: TrackInfo; address: Address } {
    const info = this.clips()[clip]?.tracks[track];
    if (!info) throw this.#argument(`there is no track ${track} of a clip ${clip}`);
    return { info, address: this.#x.session_track_values(this.#session, clip, track) };
  }

  key(clip: number, track: number, key: number): KeyValue {
    const { info, address } = this.#track(clip, track);
    const time = info.times[key];
    if (time === undefined)
      throw this.#argument(`there is no key ${key}, the track has ${info.keyCount}`);
    const { width } = info;
    const row = (i: number): number[] => [
      ...this.#native.floats(address + i * width * 4, width),
    ];
    if (info.interpolation !== "CUBICSPLINE") return { time, value: row(key) };
    return {
      time,
      inTangent: row(key * 3),
      value: row(key * 3 + 1),
      outTangent: row(key * 3 + 2),
    };
  }

  values(clip: number, track: number): Float32Array {
    const { info, address } = this.#track(clip, track);
    const rows = info.interpolation === "CUBICSPLINE" ? 3 : 1;
    return this.#native.floats(address, info.keyCount * info.width * rows).slice();
  }

  modifiers(): Modifiers {
    this.#check(this.#x.session_describe_modifiers(this.#session));
    return JSON.parse(this.#text()) as Modifiers;
  }

  check(): Finding[] {
    this.#check(this.#x.session_check(this.#session));
    return JSON.parse(this.#text()) as Finding[];
  }

  // ---- Evaluation ----

  sample(clip: number | null, time: number): void {
    if (!Number.isFinite(time)) throw this.#argument(`${time} is no time in seconds`);
    this.#check(this.#x.session_sample(this.#session, clip ?? REST_POSE, time));
  }

  evaluate(clip: number | null, time: number, seconds = 0): void {
    if (!Number.isFinite(time)) throw this.#argument(`${time} is no time in seconds`);
    if (!(seconds >= 0 && seconds < Infinity))
      throw this.#argument(`${seconds} seconds cannot have passed`);
    this.#check(this.#x.session_evaluate(this.#session, clip ?? REST_POSE, time, seconds));
  }

  world(): Float32Array {
    void this.#session;
    const count = this.model.nodes.length * 16;
    this.#world = this.#native.refresh(this.#world, this.#worldAt, count);
    return this.#world;
  }

  jointMatrices(skin: number): Float32Array {
    void this.#session;
    const info = this.model.skins[skin];
    if (!info) throw this.#argument(`there is no skin ${skin}`);
    const address = this.#jointMatricesAt[skin]!;
    const count = info.joints.length * 16;
    return (this.#jointMatrices[skin] = this.#native.refresh(
      this.#jointMatrices[skin],
      address,
      count,
    ));
  }

  #node(node: number) {
    const info = this.model.nodes[node];
    if (!info) throw this.#argument(`there is no node ${node}`);
    return info;
  }

  local(node: number): Transform {
    this.#node(node);
    const [tx, ty, tz, qx, qy, qz, qw, sx, sy, sz] = this.#native.floats(
      this.#x.session_local(this.#session, node),
      10,
    ) as unknown as [number, number, number, number, number, number, number, number, number, number];
    return { translation: [tx, ty, tz], rotation: [qx, qy, qz, qw], scale: [sx, sy, sz] };
  }

  weights(node: number): Float32Array {
    const { weightCount } = this.#node(node);
    return this.#native.floats(this.#x.session_weights(this.#session, node), weightCount);
  }

  skin(node: number, primitive: number, out?: Float32Array): Float32Array {
    const x = this.#x;
    this.#check(x.session_skin(this.#session, node, primitive));
    const count = x.session_vertex_count(this.#session) * 3;
    const positions = this.#native.floats(x.session_vertices(this.#session), count);
    if (!out) return positions.slice();
    if (out.length !== count)
      throw this.#argument(`the vertices take ${count} floats, not ${out.length}`);
    out.set(positions);
    return out;
  }

  crowd(count: number): Crowd {
    if (!Number.isInteger(count) || count < 1) throw this.#argument(`a crowd of ${count}`);
    const address = this.#x.crowd_create(this.#session, count);
    if (!address) throw failure(this.#native, this.#session);
    const matrices = this.model.skins.reduce((sum, skin) => sum + skin.joints.length, 0);
    const crowd = new WasmCrowd(count, matrices, this.#native, address, this.#check, (gone) =>
      this.#crowds.delete(gone),
    );
    this.#crowds.add(crowd);
    return crowd;
  }

  // ---- Edits ----

  apply(command: Command): void {
    const bytes = encode(JSON.stringify(command));
    const block = copyIn(this.#native, this.#session, bytes);
    const result = this.#x.session_apply(this.#session, block, bytes.length);
    this.#x.session_block_free(this.#session, block, bytes.length);
    this.#check(result);
  }

  begin(): void {
    this.#x.session_begin(this.#session);
  }

  end(): void {
    this.#x.session_end(this.#session);
  }

  cancel(): void {
    this.#x.session_cancel(this.#session);
  }

  undo(): boolean {
    return this.#x.session_undo(this.#session) !== 0;
  }

  redo(): boolean {
    return this.#x.session_redo(this.#session) !== 0;
  }

  get undoCount(): number {
    return this.#x.session_undo_count(this.#session);
  }

  get redoCount(): number {
    return this.#x.session_redo_count(this.#session);
  }

  commands(): Command[] {
    this.#check(this.#x.session_describe_commands(this.#session));
    return JSON.parse(this.#text()) as Command[];
  }

  // ---- The end ----

  save(container: "glb" | "gltf"): OutputFile[] {
    const x = this.#x;
    this.#check(x.session_save(this.#session, container === "glb" ? 0 : 1));
    const files: OutputFile[] = [];
    for (let i = 0; i < x.session_output_count(this.#session); i++)
      files.push({
        path: this.#native.string(x.session_output_path(this.#session, i)),
        bytes: this.#native.bytes(
          x.session_output_bytes(this.#session, i),
          x.session_output_size(this.#session, i),
        ),
      });
    x.session_output_release(this.#session);
    return files;
  }

  memory(): { used: number; reserved: number } {
    const used = this.#x.session_bytes(this.#session);
    return { used, reserved: this.#native.memory.buffer.byteLength };
  }

  dispose(): void {
    if (!this.#address) return;
    for (const crowd of this.#crowds) crowd.dispose();
    const address = this.#address;
    this.#address = 0;
    if (!this.#native.broken) this.#x.session_free(address);
    this.#pool.release(this.#native);
  }
}
