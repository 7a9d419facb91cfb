import type { Database } from "../../db/database.ts";
import type { Links } from "../../kernel/links.ts";
import { segment } from "../../kernel/url-path.ts";
import type { HeldFileSource } from "../../quotas/held-files.ts";
import { assetsOfOwner, countAssetsOfOwner } from "./store.ts";

/** Release files that count towards an account's quota. */
export function heldAssets(db: Database, { rootUrl }: Links): HeldFileSource {
  return {
    count: ({ id }) => countAssetsOfOwner(db, id),
    list: ({ id, login }, limit, offset) =>
      assetsOfOwner(db, id, { limit, offset }).map((file) => {
        const repo = `${segment(login)}/${segment(file.repo)}`;
        const release = `${rootUrl}api/v1/repos/${repo}/releases/${file.releaseId}`;
        return {
          name: file.name,
          sizeBytes: file.sizeBytes,
          url: `${rootUrl}attachments/${file.uuid}`,
          apiUrl: `${release}/assets/${file.id}`,
          container: { url: `${rootUrl}${repo}/releases/tag/${segment(file.tag)}`, apiUrl: release },
        };
      }),
  };
}
