import type { Database } from "../../db/database.ts";
import type { Links } from "../../kernel/links.ts";
import { segment } from "../../kernel/url-path.ts";
import type { HeldFileSource } from "../../quotas/held-files.ts";
import { attachmentsOfOwner, countAttachmentsOfOwner } from "./store.ts";

/** Attachments that count towards an account's quota; an unused one links to its repository. */
export function heldAttachments(db: Database, { rootUrl }: Links): HeldFileSource {
  return {
    count: ({ id }) => countAttachmentsOfOwner(db, id),
    list: ({ id, login }, limit, offset) =>
      attachmentsOfOwner(db, id, { limit, offset }).map((file) => {
        const repo = `${segment(login)}/${segment(file.repo)}`;
        const api = `${rootUrl}api/v1/repos/${repo}`;
        const issue = `${api}/issues/${file.number}`;
        const container =
          file.number === null
            ? { url: `${rootUrl}${repo}`, apiUrl: api }
            : { url: `${rootUrl}${repo}/${file.isPull ? "pulls" : "issues"}/${file.number}`, apiUrl: issue };
        return {
          name: file.name,
          sizeBytes: file.sizeBytes,
          url: `${rootUrl}attachments/${file.uuid}`,
          apiUrl: file.number === null ? "" : `${issue}/assets/${file.id}`,
          container,
        };
      }),
  };
}
