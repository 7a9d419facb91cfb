import { atLeast } from "../../access/levels.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { ExcerptResolver } from "../../references/excerpts.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { RevisionService } from "../revisions/service.ts";
import { decodeText, isBinary } from "../texts.ts";
import type { FileService } from "./service.ts";

/** More of a page stay addresses: each reads a file while the page waits. */
const MAX_EXCERPTS = 10;
const MAX_FILE_BYTES = 512 * 1024;
const MAX_LINES = 50;
const MAX_LINE_CHARACTERS = 500;

/** Lines of files that texts quote by their address, of repositories whose code the reader may read. */
export function excerptLines(repos: RepoService, revisions: RevisionService, files: FileService): ExcerptResolver {
  return ({ principal }, places) => {
    const asked = places.slice(0, MAX_EXCERPTS);
    const keyOf = (owner: string, name: string) => `${owner}/${name}`.toLowerCase();
    const seenRepos = repos.seeNamed(
      principal,
      asked.map(({ repo }) => [repo.owner, repo.name] as const),
    );
    return places.map((place, at) => {
      const seen = at < MAX_EXCERPTS ? seenRepos.get(keyOf(place.repo.owner, place.repo.name)) : undefined;
      if (!seen || !atLeast(seen.access.on("code"), "read") || !revisions.mayShow(seen, place.commit)) return undefined;
      const lines = linesOf(files, seen, place.commit, place.path)?.slice(place.first - 1, place.last);
      return lines?.length ? lines.slice(0, MAX_LINES).map((line) => line.slice(0, MAX_LINE_CHARACTERS)) : undefined;
    });
  };
}

function linesOf(files: FileService, seen: SeenRepo, commit: string, path: string): string[] | undefined {
  try {
    const entry = files.find(seen, commit, path);
    const bytes = entry?.kind === "file" ? files.bytes(seen, entry.oid, MAX_FILE_BYTES) : undefined;
    if (!bytes || isBinary(bytes)) return undefined;
    return decodeText(bytes)
      .replace(/\r?\n$/, "")
      .split(/\r?\n/);
  } catch (error) {
    // An id of something else than a commit has no files.
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
