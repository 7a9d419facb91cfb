import { type Static, Type } from "@sinclair/typebox";
import type { LfsPointer } from "../../git/lfs/pointer.ts";
import { text, textOrNull, whole } from "../../http/fields.ts";
import { rfc3339In } from "../../kernel/clock.ts";
import type { Links } from "../../kernel/links.ts";
import { VerificationResource } from "../../keys/verification/resource.ts";
import { repoAddress, repoPage } from "../../repos/addresses.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { FileCommitResource } from "../commits/resource.ts";
import type { ReadCommit } from "../commits/service.ts";
import { encodePath } from "../paths.ts";
import type { NamedCommit } from "../revisions/service.ts";
import type { FileEntry } from "./entry.ts";

export const ContentsResource = Type.Object(
  {
    name: text("Last element of the path."),
    path: text("Path from the root."),
    sha: text("Id of the blob or tree, or the commit of a submodule."),
    last_commit_sha: Type.Optional(text("The newest commit that changed it.")),
    last_committer_date: Type.Optional(text("When that commit was committed, in its own zone.")),
    last_author_date: Type.Optional(text("When that commit was written, in its own zone.")),
    last_commit_message: Type.Optional(text("Message of that commit.")),
    type: text("file, dir, symlink or submodule."),
    size: whole("Bytes; 0 for directories and submodules."),
    encoding: textOrNull("base64 if there is content."),
    content: textOrNull("The content; null for directories, links, submodules and large files."),
    target: textOrNull("Target of a symbolic link."),
    url: textOrNull("API address."),
    html_url: textOrNull("Its page; null for submodules."),
    git_url: textOrNull("API address of the object; null for submodules."),
    download_url: textOrNull("Address of the bytes; files and links only."),
    submodule_git_url: textOrNull("Address of a submodule."),
    _links: Type.Object(
      {
        self: textOrNull("API address."),
        git: textOrNull("API address of the object."),
        html: textOrNull("Its page."),
      },
      { description: "The same addresses again." },
    ),
    lfs_oid: Type.Optional(text("SHA-256 of the content an LFS pointer stands for.")),
    lfs_size: Type.Optional(whole("Bytes of the content an LFS pointer stands for.")),
  },
  { $id: "ContentsResponse", description: "A file, directory, link or submodule." },
);
export type ContentsResource = Static<typeof ContentsResource>;

export const ContentsExtResource = Type.Object(
  {
    file_contents: Type.Optional(ContentsResource),
    dir_contents: Type.Optional(Type.Array(ContentsResource, { description: "The entries of a directory." })),
  },
  { $id: "ContentsExtResponse", description: "A file, or the entries of a directory." },
);

export const FileAnswerResource = Type.Object(
  {
    content: Type.Union([ContentsResource, Type.Null()], {
      description: "The file as it is now; null if it was deleted.",
    }),
    commit: FileCommitResource,
    verification: VerificationResource,
  },
  { $id: "FileResponse", description: "A file that was changed, and the commit." },
);

export const FilesAnswerResource = Type.Object(
  {
    files: Type.Array(Type.Union([ContentsResource, Type.Null()]), {
      description: "The files as they are now, in the order of the operations; null for deleted ones.",
    }),
    commit: FileCommitResource,
    verification: VerificationResource,
  },
  { $id: "FilesResponse", description: "Files that were changed, and the commit." },
);

/** The optional details of an entry. */
export interface EntryDetails {
  /** The ref as given in the request; by default the name of the default branch. */
  readonly ref: string;
  readonly content?: Uint8Array | undefined;
  readonly target?: string | undefined;
  readonly submoduleUrl?: string | undefined;
  readonly lfs?: LfsPointer | undefined;
  readonly lastCommit?: ReadCommit | undefined;
  /** What to include about the last commit. */
  readonly withMetadata?: boolean;
  readonly withMessage?: boolean;
}

/** An entry in the API's format (contract git-content.md 3.1). */
export function contentsResource(
  seen: SeenRepo,
  at: NamedCommit,
  entry: FileEntry,
  details: EntryDetails,
  links: Links,
): ContentsResource {
  const { lastCommit, lfs } = details;
  const api = repoAddress(seen, links);
  const page = repoPage(seen, links);
  const path = encodePath(entry.path);
  const place = `${at.kind}/${encodePath(at.name)}/${path}`;
  const isSubmodule = entry.kind === "submodule";
  const hasBytes = entry.kind === "file" || entry.kind === "symlink";
  const url = `${api}/contents/${path}?ref=${encodeURIComponent(details.ref)}`;
  const htmlUrl = isSubmodule ? null : `${page}/src/${place}`;
  const gitUrl = isSubmodule ? null : `${api}/git/blobs/${entry.oid}`;
  return {
    name: entry.name,
    path: entry.path,
    sha: entry.oid,
    ...(lastCommit && details.withMetadata
      ? {
          last_commit_sha: lastCommit.oid,
          last_committer_date: dateOf(lastCommit.commit.committer),
          last_author_date: dateOf(lastCommit.commit.author),
        }
      : {}),
    ...(lastCommit && details.withMessage ? { last_commit_message: lastCommit.commit.message } : {}),
    type: entry.kind,
    size: entry.sizeBytes,
    encoding: details.content ? "base64" : null,
    content: details.content ? Buffer.from(details.content).toString("base64") : null,
    target: details.target ?? null,
    url,
    html_url: htmlUrl,
    git_url: gitUrl,
    download_url: hasBytes ? `${page}/raw/${place}` : null,
    submodule_git_url: details.submoduleUrl ?? null,
    _links: { self: url, git: gitUrl, html: htmlUrl },
    ...(lfs ? { lfs_oid: lfs.oid, lfs_size: lfs.sizeBytes } : {}),
  };
}

function dateOf(person: { timestamp: number; offsetMinutes: number }): string {
  return rfc3339In(person.timestamp, person.offsetMinutes);
}
