import type { Oid } from "../../objects/types.ts";
import type { RefResult } from "../../refs/types.ts";
import { PacketList } from "../../wire/pktline.ts";
import { BAND_DATA, framed, type SideBand } from "../../wire/sideband.ts";

/** The outcome of one command. `options` say what happened instead of what was requested (report-status-v2). */
export type CommandResult = RefResult & {
  readonly options?: {
    /** The ref that was changed. */
    readonly refname?: string;
    readonly oldOid?: Oid;
    readonly newOid?: Oid;
    readonly forcedUpdate?: boolean;
  };
};

/**
 * The report that ends a push (gitprotocol-pack, "Report Status"): whether the pack was accepted (`unpackError`
 * absent), then each ref in the order of the commands. Ends with a flush, and with another for the side band if there
 * is one.
 */
export function formatReport(
  report: "none" | "v1" | "v2",
  sideBand: SideBand | undefined,
  unpackError: string | undefined,
  results: readonly CommandResult[],
): Uint8Array<ArrayBuffer> {
  const end = new PacketList();
  if (report !== "none") {
    const lines = new PacketList().line(`unpack ${unpackError === undefined ? "ok" : oneLine(unpackError)}\n`);
    for (const result of results) {
      lines.line(result.ok ? `ok ${result.name}\n` : `ng ${result.name} ${oneLine(result.reason)}\n`);
      if (!result.ok || report !== "v2" || !result.options) continue;
      const { refname, oldOid, newOid, forcedUpdate } = result.options;
      if (refname !== undefined) lines.line(`option refname ${refname}\n`);
      if (oldOid !== undefined) lines.line(`option old-oid ${oldOid}\n`);
      if (newOid !== undefined) lines.line(`option new-oid ${newOid}\n`);
      if (forcedUpdate) lines.line("option forced-update\n");
    }
    const bytes = lines.flush().bytes();
    end.raw(sideBand ? framed(BAND_DATA, bytes, sideBand) : bytes);
  }
  if (sideBand) end.flush();
  return end.bytes();
}

/** A reason must be one line without control characters, short enough for a packet. */
function oneLine(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]+/g, " ").slice(0, 1000);
}
