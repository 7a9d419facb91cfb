import { atLeast } from "../access/levels.ts";
import type { AccessControl } from "../access/service.ts";
import type { Viewer } from "./store.ts";
import type { SeenPackages } from "./types.ts";

/** Who asks: what is linked to a private repository is for who may read that, and for who publishes. */
export function viewerOf(
  access: AccessControl,
  { level, principal }: Pick<SeenPackages, "level" | "principal">,
): Viewer {
  const writes = atLeast(level, "write") && principal.scope?.publicOnly !== true ? 1 : 0;
  return {
    isVisible: `($writes OR repositories.id IS NULL OR repositories.binned_at IS NOT NULL
      OR repositories.is_private = 0 OR ${access.repoCondition({ unit: "packages" })})`,
    params: { ...access.params(principal), writes },
  };
}
