import { atLeast } from "../access/levels.ts";
import type { AccessControl } from "../access/service.ts";
import { Forbidden } from "../kernel/errors.ts";
import type { Viewer } from "./store.ts";
import type { Package, SeenPackages } from "./types.ts";

/** Who asks: what is linked to a private repository is for who may read that, and for who publishes. */
export function viewerOf(
  access: AccessControl,
  { level, principal }: Pick<SeenPackages, "level" | "principal">,
): Viewer {
  const isPublisher = atLeast(level, "write") && principal.scope?.publicOnly !== true && principal.via !== "job";
  const writes = isPublisher ? 1 : 0;
  return {
    isVisible: `($writes OR repositories.id IS NULL OR repositories.binned_at IS NOT NULL
      OR repositories.is_private = 0 OR ${access.repoCondition({ unit: "packages" })})`,
    params: { ...access.params(principal), writes },
  };
}

/**
 * Whether packages may be published, and those may be changed. What a job makes belongs to its repository; it changes no
 * other: whoever may push to one repository publishes nothing in the name of another.
 * @throws Forbidden
 */
export function requireWrite(
  { level, principal }: Pick<SeenPackages, "level" | "principal">,
  ...changed: readonly Pick<Package, "repoId">[]
): void {
  if (!atLeast(level, "write")) throw new Forbidden("packages.api-needs-access");
  if (principal.via !== "job") return;
  if (changed.some(({ repoId }) => repoId !== principal.repoCredential?.repoId))
    throw new Forbidden("packages.of-other-repository");
}

/** The repository to which a package belongs that the principal makes; undefined: to none. */
export const repoOfNew = ({ principal }: Pick<SeenPackages, "principal">): number | undefined =>
  principal.via === "job" ? principal.repoCredential?.repoId : undefined;
