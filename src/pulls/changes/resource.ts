import { type Static, Type } from "@sinclair/typebox";
import type { FileDiff } from "../../git/diff/file-diff.ts";
import { text, whole } from "../../http/fields.ts";
import type { Links } from "../../kernel/links.ts";
import { segments } from "../../kernel/url-path.ts";
import { repoAddress, repoPage } from "../../repos/addresses.ts";
import type { SeenPull } from "../types.ts";

export const ChangedFileResource = Type.Object(
  {
    filename: text("Its path; for a deleted file, its former path."),
    previous_filename: Type.Optional(text("Its former path, if it was renamed.")),
    status: text("added, deleted, renamed, copied, changed or unchanged."),
    additions: whole("Lines added."),
    deletions: whole("Lines deleted."),
    changes: whole("Lines added and deleted in total."),
    html_url: text("Its page."),
    contents_url: text("API address of its content."),
    raw_url: text("Size in bytes."),
  },
  { $id: "ChangedFile", description: "A file that a pull request changes." },
);
export type ChangedFileResource = Static<typeof ChangedFileResource>;

export function changedFileResource({ pull, seen }: SeenPull, file: FileDiff, links: Links): ChangedFileResource {
  const { additions, deletions, newPath, oldPath } = file;
  const page = repoPage(seen, links);
  const path = segments(newPath);
  return {
    filename: newPath,
    ...(file.status === "renamed" ? { previous_filename: oldPath } : {}),
    status: statusOf(file),
    additions,
    deletions,
    changes: additions + deletions,
    html_url: `${page}/src/commit/${pull.headOid}/${path}`,
    contents_url: `${repoAddress(seen, links)}/contents/${path}?ref=${pull.headOid}`,
    raw_url: `${page}/raw/commit/${pull.headOid}/${path}`,
  };
}

function statusOf({ additions, deletions, status }: FileDiff): string {
  if (status === "added" || status === "deleted" || status === "renamed" || status === "copied") return status;
  return additions + deletions === 0 ? "unchanged" : "changed";
}
