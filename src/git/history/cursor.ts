import { GitError } from "../errors.ts";
import type { Commits } from "../graph/commits.ts";
import { oidAt } from "../objects/hash.ts";
import { decodeName, encodeName } from "../objects/names.ts";
import type { Oid } from "../objects/types.ts";
import type { TakenBounds } from "./walk/state.ts";

/** Where a paged history goes on. */
export interface Standing {
  /** What the first page was asked of: a branch may have moved since. */
  readonly tips: readonly Oid[];
  readonly not: readonly Oid[];
  /** Commits on the pages so far. */
  readonly shown: number;
  /** The commits the walk has before it; undefined: it is to be walked again from the start. */
  readonly frontier?: { readonly commits: readonly Oid[]; readonly taken: TakenBounds } | undefined;
  /** What a followed file is called by now. */
  readonly path?: string | undefined;
}

/** The text is no cursor of this engine, or one of another question or repository. */
export class BadCursor extends GitError {
  override name = "BadCursor";
}

const VERSION = 1;
const DIGEST_BYTES = 8;
const HEADER_BYTES = 4 + DIGEST_BYTES + 4 + 16 + 4;
/** A cursor travels in addresses: with larger ones the walk begins anew. */
const MAX_FRONTIER = 150;
const MAX_STARTS = 50;
const MAX_TEXT = 16_384;
const MAX_PATH_BYTES = 4096;

/**
 * Writes a cursor: a header, ids and a path, in base64url.
 *
 *     version, 0, 0, 0 | digest of the question | shown (4) | least time (8) | least generation (8)
 *     | tips, not (1 each) | frontier (2; 0xffff: none) | ids | path
 *
 * @param question what else was asked, as text: a cursor of another question is refused
 * @returns undefined when the walk began at too many commits to be written down
 */
export function writeCursor(standing: Standing, question: string): string | undefined {
  const { tips, not, shown, path } = standing;
  if (tips.length + not.length > MAX_STARTS) return undefined;
  const known = standing.frontier && standing.frontier.commits.length <= MAX_FRONTIER ? standing.frontier : undefined;
  const head = Buffer.alloc(HEADER_BYTES);
  head[0] = VERSION;
  head.set(digestOf(question), 4);
  head.writeUInt32BE(shown, 4 + DIGEST_BYTES);
  head.writeDoubleBE(known?.taken.time ?? 0, 8 + DIGEST_BYTES);
  head.writeDoubleBE(known?.taken.generation ?? 0, 16 + DIGEST_BYTES);
  head[HEADER_BYTES - 4] = tips.length;
  head[HEADER_BYTES - 3] = not.length;
  head.writeUInt16BE(known?.commits.length ?? 0xffff, HEADER_BYTES - 2);
  const oids = [...tips, ...not, ...(known?.commits ?? [])].map((oid) => Buffer.from(oid, "hex"));
  const name = path === undefined ? [] : [encodeName(path)];
  return Buffer.concat([head, ...oids, ...name]).toString("base64url");
}

/** Reads a cursor. @throws BadCursor */
export function readCursor(commits: Commits, text: string, question: string): Standing {
  const bytes = text.length <= MAX_TEXT && /^[\w-]+$/.test(text) ? Buffer.from(text, "base64url") : Buffer.alloc(0);
  if (bytes.length < HEADER_BYTES || bytes[0] !== VERSION) throw new BadCursor("this is no cursor");
  if (!bytes.subarray(4, 4 + DIGEST_BYTES).equals(digestOf(question)))
    throw new BadCursor("the cursor belongs to another question");
  const { format } = commits.store;
  const counts = [bytes[HEADER_BYTES - 4]!, bytes[HEADER_BYTES - 3]!, bytes.readUInt16BE(HEADER_BYTES - 2)] as const;
  const hasFrontier = counts[2] !== 0xffff;
  const total = counts[0] + counts[1] + (hasFrontier ? counts[2] : 0);
  const end = HEADER_BYTES + total * format.oidBytes;
  if (total > MAX_STARTS + MAX_FRONTIER || bytes.length < end || bytes.length > end + MAX_PATH_BYTES)
    throw new BadCursor("this is no cursor");
  const oids = Array.from({ length: total }, (_, i) => oidAt(format, bytes, HEADER_BYTES + i * format.oidBytes));
  for (const oid of oids)
    if (commits.store.header(oid)?.type !== "commit") throw new BadCursor("the cursor names commits that are not here");
  const taken = { time: bytes.readDoubleBE(8 + DIGEST_BYTES), generation: bytes.readDoubleBE(16 + DIGEST_BYTES) };
  return {
    tips: oids.slice(0, counts[0]),
    not: oids.slice(counts[0], counts[0] + counts[1]),
    shown: bytes.readUInt32BE(4 + DIGEST_BYTES),
    frontier: hasFrontier ? { commits: oids.slice(counts[0] + counts[1]), taken } : undefined,
    path: bytes.length > end ? decodeName(bytes, end) : undefined,
  };
}

function digestOf(question: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(question).digest().subarray(0, DIGEST_BYTES);
}
