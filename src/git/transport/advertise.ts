import type { ObjectFormat } from "../objects/format.ts";
import { FLUSH, packet } from "../wire/pktline.ts";
import {
  AGENT,
  formatCapability,
  type ProtocolVersion,
  RECEIVE_CAPABILITIES,
  type Service,
  UPLOAD_CAPABILITIES,
  v2Capabilities,
} from "./protocol.ts";
import type { RefFraming, RefSnapshot } from "./ref-snapshot.ts";

/** The refs a client may see. Read only when an answer needs them. */
export interface RefSource {
  snapshot(): RefSnapshot;
  /** The ref HEAD points to (`refs/heads/main`), whether or not it exists. */
  head(): string;
}

export interface AdvertiseOptions {
  readonly service: Service;
  readonly version: ProtocolVersion;
  readonly refs: RefSource;
  /** The repository's object format; clients that use another are refused. */
  readonly format: ObjectFormat;
  /** Whether to begin with `# service=…` and a flush, as smart HTTP does and SSH does not. */
  readonly http: boolean;
}

/**
 * The answer to `info/refs?service=…`: refs and capabilities in protocol 0 and 1, only capabilities in 2. Receive-pack
 * has no version 2. Yields pieces of about 64 KiB.
 */
export function* advertise(options: AdvertiseOptions): Generator<Uint8Array, void, undefined> {
  const { service, refs, format } = options;
  const version = service === "git-receive-pack" && options.version === 2 ? 0 : options.version;
  if (options.http) {
    yield packet(`# service=${service}\n`);
    yield FLUSH;
  }
  if (version === 2) {
    yield packet("version 2\n");
    for (const line of v2Capabilities(format)) yield packet(`${line}\n`);
    yield FLUSH;
    return;
  }
  if (version === 1) yield packet("version 1\n");
  yield* gathered(service === "git-upload-pack" ? uploadRefs(refs, format) : receiveRefs(refs, format));
}

function* uploadRefs(refs: RefSource, format: ObjectFormat): Generator<Uint8Array> {
  const all = refs.snapshot();
  const head = refs.head();
  const born = all.find(head);
  const symbolic = born ? [`symref=HEAD:${head}`] : [];
  const capabilities = [...UPLOAD_CAPABILITIES, formatCapability(format), ...symbolic, `agent=${AGENT}`].join(" ");
  if (born) {
    yield packet(`${born.oid} HEAD\0${capabilities}\n`);
    yield* all.packetsBelow([""], "dereferenced");
    yield FLUSH;
  } else yield* withCapabilities(all, "dereferenced", capabilities, format);
}

function receiveRefs(refs: RefSource, format: ObjectFormat): Generator<Uint8Array> {
  const capabilities = [...RECEIVE_CAPABILITIES, formatCapability(format), `agent=${AGENT}`].join(" ");
  return withCapabilities(refs.snapshot(), "plain", capabilities, format);
}

/** The first ref's packet carries the capabilities; if there are no refs, a placeholder does. */
function* withCapabilities(
  all: RefSnapshot,
  framing: RefFraming,
  capabilities: string,
  format: ObjectFormat,
): Generator<Uint8Array> {
  const [first = packet(`${format.zeroOid} capabilities^{}\n`), ...rest] = all.packetsBelow([""], framing);
  const lineEnd = first.indexOf(LINE_FEED);
  yield packet(Buffer.concat([first.subarray(LENGTH_DIGITS, lineEnd), Buffer.from(`\0${capabilities}\n`)]));
  yield first.subarray(lineEnd + 1);
  yield* rest;
  yield FLUSH;
}

const LENGTH_DIGITS = 4;
const LINE_FEED = 0x0a;
const PIECE_BYTES = 64 * 1024;

/** Joins many small pieces into a few large ones. */
export function* gathered(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void, undefined> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    held.push(piece);
    bytes += piece.byteLength;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}

/** A pull stream of an iterator's values; ends the iterator when the reader cancels. */
export function streamOf(pieces: Iterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const step = pieces.next();
        if (step.done) controller.close();
        else controller.enqueue(step.value);
      },
      cancel() {
        pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
