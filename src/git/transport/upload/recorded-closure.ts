import type { PackFile } from "../../packs/pack-file.ts";
import type { PackClosure } from "../pack/closures.ts";

/** The closure record of a stored pack; undefined when there is none. */
export function readRecordedClosure(_repoDir: string, _pack: PackFile): PackClosure | undefined {
  return undefined;
}
