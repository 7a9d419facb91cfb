import type { JobContext } from "../../../workers/job.ts";
import type { FsckId } from "../../object-checks/fsck.ts";
import { isOid, type ObjectType, type Oid } from "../../objects/types.ts";
import { ObjectStore } from "../../odb/store.ts";
import { ingestPack } from "../../receive/ingest.ts";
import type { ReceiveLimits } from "../../receive/limits.ts";
import type { Quarantined } from "../../receive/quarantine.ts";

export interface ReceiveInput {
  readonly repoDir: string;
  /** Created by the caller, who removes it in any case. */
  readonly quarantineDir: string;
  readonly newTips: readonly Oid[];
  /** The tips of all refs, one a line: a string crosses threads faster than a list. */
  readonly connectedTo: string;
  readonly limits: Partial<ReceiveLimits>;
  /** The pack comes over a connection that may stay open, so the end of the pack ends the input. */
  readonly packEndsItself?: boolean;
  /** Errors of `git fsck --strict` that do not get an object refused. */
  readonly accepted: readonly FsckId[];
}

export interface ReceivedPack {
  readonly quarantined: Quarantined;
  /** The type of each new tip. */
  readonly tipTypes: Readonly<Record<Oid, ObjectType>>;
}

/**
 * Receives the streamed pack into quarantine and verifies it, reporting progress.
 * @throws BadPack with a message for the client
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
