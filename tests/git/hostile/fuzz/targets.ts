import { join } from "node:path";
import { folderTargets, Templates } from "./folders.ts";
import { packTargets } from "./packs.ts";
import { patchTargets } from "./patches.ts";
import { protocolTargets } from "./protocol.ts";
import type { FuzzTarget } from "./target.ts";
import { textTargets } from "./texts.ts";

/** Everything that is fuzzed; the repositories that are damaged are made below `scratch`. */
export function allTargets(scratch: string): readonly FuzzTarget[] {
  const templates = new Templates(join(scratch, "templates"));
  return [
    ...packTargets,
    ...folderTargets(templates),
    ...protocolTargets(templates),
    ...textTargets(templates),
    ...patchTargets(templates),
  ];
}
