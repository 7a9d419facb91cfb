import type { JobContext } from "../../../workers/job.ts";
import type { FsckId } from "../../object-checks/fsck.ts";
import { isOid, type ObjectType, type Oid } from "../../objects/types.ts";
import { ObjectStore } from "../../odb/store.ts";
import { ingestPack } from "../../receive/ingest.ts";
import type { ReceiveLimits } from "../../receive/limits.ts";
import type { Quarantined } from "../../receive/quarantine.ts";

export interface ReceiveInput {
  readonly repoDir: string;
  /** Made by the caller, who removes it whatever happens here. */
  readonly quarantineDir: string;
  readonly newTips: readonly Oid[];
  /** The tips of all refs, one a line: a text crosses threads faster than a list. */
  readonly connectedTo: string;
  readonly limits: Partial<ReceiveLimits>;
  /** The pack comes over a connection that may stay open: its own end is the end. */
  readonly packEndsItself?: boolean;
  /** What `git fsck --strict` calls an error, and no object is refused for. */
  readonly accepted: readonly FsckId[];
}

export interface ReceivedPack {
  readonly quarantined: Quarantined;
  /** What each new tip is. */
  readonly tipTypes: Readonly<Record<Oid, ObjectType>>;
}

/**
 * Takes the pack that is streamed in into quarantine and verifies it; tells how far it is.
 * @throws BadPack with words for the client
 */
export async function run(input: ReceiveInput, context: JobContext): Promise<ReceivedPack> {
  const quarantined = await ingestPack({
    ...input,
    connectedTo: input.connectedTo.split("\n").filter(isOid),
    pack: context.input,
    strict: true,
    onProgress: (text) => context.tell(text),
    signal: context.signal,
    beforeLargeObjects: context.takeLargeObjects,
    crashPoint: context.crash,
  });
  return { quarantined, tipTypes: typesOf(input) };
}

function typesOf({ repoDir, quarantineDir, newTips }: ReceiveInput): Record<Oid, ObjectType> {
  const store = ObjectStore.open(repoDir, { extraPackDirs: [quarantineDir] });
  try {
    const types: Record<Oid, ObjectType> = {};
    for (const oid of newTips) {
      const header = store.header(oid);
      if (header) types[oid] = header.type;
    }
    return types;
  } finally {
    store.close();
  }
}
