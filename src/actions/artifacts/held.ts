import type { Database } from "../../db/database.ts";
import type { Links } from "../../kernel/links.ts";
import { segment } from "../../kernel/url-path.ts";
import type { HeldFileSource } from "../../quotas/held-files.ts";
import { artifactsOfOwner, countOfOwner } from "./store.ts";

/** The artifacts that count towards an account's storage. */
export function heldArtifacts(db: Database, { rootUrl }: Links): HeldFileSource {
  return {
    count: ({ id }) => countOfOwner(db, id),
    list: ({ id, login }, limit, offset) =>
      artifactsOfOwner(db, id, { limit, offset }).map(({ name, repo, runId, sizeBytes }) => ({
        name,
        sizeBytes,
        url: `${rootUrl}${segment(login)}/${segment(repo)}/actions/runs/${runId}`,
      })),
  };
}
