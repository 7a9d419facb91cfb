import { atLeast } from "../access/levels.ts";
import type { AccessControl } from "../access/service.ts";
import { Forbidden } from "../kernel/errors.ts";
import type { Viewer } from "./store.ts";
import type { Package, SeenPackages } from "./types.ts";

/** The viewer: packages linked to a private repository are visible only to its readers and to publishers. */
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
 * Whether packages may be published, and the given ones changed. Packages created by a job belong to its repository,
 * and it may change no others: write access to one repository must not allow publishing in the name of another.
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

/** The repository that a new package of this principal belongs to; undefined if none. */
export const repoOfNew = ({ principal }: Pick<SeenPackages, "principal">): number | undefined =>
  principal.via === "job" ? principal.repoCredential?.repoId : undefined;
