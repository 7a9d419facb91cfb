import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import type { ReadCommit } from "../commits/service.ts";
import type { NamedCommit } from "../revisions/service.ts";
import type { FileEntry } from "./entry.ts";
import type { ListedEntry } from "./listing.ts";
import { type ContentsResource, contentsResource } from "./resource.ts";

/** The optional details of files that a request can ask for. */
export interface Includes {
  readonly content: boolean;
  readonly lfs: boolean;
  readonly commits: boolean;
  readonly messages: boolean;
}

export const everything: Includes = { content: true, lfs: true, commits: true, messages: false };

type Needed = Pick<Services, "files" | "history" | "commits" | "links">;

/**
 * One entry, with the requested details.
 * @param ref as given in the request, for URLs in the response
 */
export async function describeEntry(
  { files, history, commits, links }: Needed,
  seen: SeenRepo,
  at: NamedCommit,
  entry: FileEntry,
  ref: string,
  includes: Includes,
): Promise<ContentsResource> {
  const wantsCommit = includes.commits || includes.messages;
  const last = wantsCommit ? await history.lastCommit(seen, at.commit, entry.path) : undefined;
  return contentsResource(
    seen,
    at,
    entry,
    {
      ref,
      content: includes.content && entry.kind === "file" ? files.bytes(seen, entry.oid) : undefined,
      target: entry.kind === "symlink" ? files.linkTarget(seen, entry) : undefined,
      submoduleUrl: entry.kind === "submodule" ? files.submodules(seen, at.commit).get(entry.path) : undefined,
      lfs: includes.lfs || includes.content ? files.lfsPointer(seen, entry) : undefined,
      lastCommit: last === undefined ? undefined : commits.read(seen, last),
      withMetadata: includes.commits,
      withMessage: includes.messages,
    },
    links,
  );
}

/** Lists have no pages in this API. */
const MAX_ENTRIES = 20_000;

/** The entries of a directory, and a function that renders each without further reading. */
export interface DescribedDirectory {
  readonly entries: readonly ListedEntry[];
  show(entry: ListedEntry): ContentsResource;
}

/** The entries of a directory, each with its last commit if requested. */
export async function describeDirectory(
  { files, history, commits, links }: Needed,
  seen: SeenRepo,
  at: NamedCommit,
  directory: FileEntry,
  ref: string,
  includes: Includes,
): Promise<DescribedDirectory> {
  const wantsCommits = includes.commits || includes.messages;
  const lasts = wantsCommits ? await history.lastCommits(seen, at.commit, directory.path) : undefined;
  const wanted = { sizes: true, targets: true, lfs: includes.lfs, max: MAX_ENTRIES };
  const entries = await files.list(seen, directory, wanted);
  const submodules = entries.some((entry) => entry.kind === "submodule")
    ? files.submodules(seen, at.commit)
    : new Map<string, string>();
  const read = new Map<string, ReadCommit>();
  for (const found of commits.readAll(seen, [...new Set(lasts?.values() ?? [])])) read.set(found.oid, found);
  const show = (entry: ListedEntry) =>
    contentsResource(
      seen,
      at,
      entry,
      {
        ref,
        target: entry.target,
        submoduleUrl: submodules.get(entry.path),
        lfs: entry.lfs,
        lastCommit: read.get(lasts?.get(entry.name) ?? ""),
        withMetadata: includes.commits,
        withMessage: includes.messages,
      },
      links,
    );
  return { entries, show };
}
