import type { JobContext } from "../../workers/job.ts";
import { Commits } from "../graph/commits.ts";
import { hashObject } from "../objects/hash.ts";
import type { ObjectSource } from "../objects/source.ts";
import { type GitObject, isOid } from "../objects/types.ts";
import { Overlay } from "../odb/overlay.ts";
import { ObjectStore } from "../odb/store.ts";
import type { RefChange } from "../refs/types.ts";
import { ChangeInspector } from "./changes.ts";
import {
  type ChangeFacts,
  type ContentPattern,
  DEFAULT_INSPECT_LIMITS,
  type Fact,
  type InspectLimits,
  type PathQuery,
  type ReceivedFacts,
} from "./facts.ts";
import { inspectReceived, type ReceivedBlob } from "./received.ts";

export interface InspectInput {
  readonly repoDir: string;
  /** The directory with the verified pack of a push. */
  readonly quarantineDir?: string | undefined;
  /** Objects that Hearth has created but not stored yet. */
  readonly objects?: readonly GitObject[] | undefined;
  readonly changes: readonly InspectedChange[];
  /** The tips of all refs, one per line: text is transferred between threads faster than a list. */
  readonly knownTips: string;
  readonly patterns: readonly ContentPattern[];
  readonly limits?: Partial<InspectLimits>;
}

export interface InspectedChange extends RefChange {
  readonly facts: readonly Fact[];
  readonly pathQueries?: readonly PathQuery[];
}

export interface Inspection {
  /** In the order of the changes. */
  readonly changes: readonly ChangeFacts[];
  /** Set if any change asked for `blobs`. */
  readonly received: ReceivedFacts | undefined;
}

/** How many bytes one inspection may spend on absurdly expensive objects: some seconds of a thread. */
const MAX_WASTED_BYTES = 4 * 1024 ** 3;

/**
 * Determines what a push or an edit would change, before any of it takes effect.
 * @throws CorruptObject if an object is missing; RE2JSSyntaxException if a pattern is invalid
 */
export async function run(input: InspectInput, { signal }: Pick<JobContext, "signal">): Promise<Inspection> {
  const { repoDir, quarantineDir } = input;
  const limits = { ...DEFAULT_INSPECT_LIMITS, ...input.limits };
  const stored = ObjectStore.open(repoDir);
  const joined = ObjectStore.open(repoDir, quarantineDir === undefined ? {} : { extraPackDirs: [quarantineDir] });
  joined.limitWaste(MAX_WASTED_BYTES);
  try {
    const objects = new Overlay(joined);
    for (const { type, data } of input.objects ?? []) objects.put(type, data);
    const knownTips = input.knownTips.split("\n").filter(isOid);
    const commits = Commits.open(repoDir, objects);
    const inspector = new ChangeInspector(objects, commits, knownTips, limits, signal);
    const changes = input.changes.map((change) => inspector.inspect(change, change.facts, change.pathQueries));
    const bringing = input.changes.filter(({ facts }) => facts.includes("blobs"));
    if (bringing.length === 0) return { changes, received: undefined };
    const blobs = receivedBlobs(input, stored, joined);
    const pathsOf = (named: ReadonlySet<string>) => inspector.pathsOf(named, bringing);
    const received = await inspectReceived(objects, blobs, input.patterns, limits, pathsOf, signal);
    return { changes, received };
  } finally {
    joined.close();
    stored.close();
  }
}

/** The files in the pack, or among the given objects, that the repository does not have yet. */
function* receivedBlobs(input: InspectInput, stored: ObjectSource, joined: ObjectStore): Generator<ReceivedBlob> {
  for (const { type, data } of input.objects ?? []) {
    const oid = hashObject(stored.format, type, data);
    if (type === "blob" && !stored.has(oid)) yield { oid, sizeBytes: data.length };
  }
  const { quarantineDir } = input;
  if (quarantineDir === undefined) return;
  for (const pack of joined.packs()) {
    if (!pack.stem.startsWith(`${quarantineDir}/`)) continue;
    for (let row = 0; row < pack.index.objectCount; row++) {
      const { type, sizeBytes } = pack.objectHeader(pack.index.offsetOf(row));
      if (type !== "blob") continue;
      const oid = pack.index.oidOf(row);
      if (!stored.has(oid)) yield { oid, sizeBytes };
    }
  }
}
