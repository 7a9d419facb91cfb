import { atLeast } from "../../access/levels.ts";
import { NotFound } from "../../kernel/errors.ts";
import { type SafeHtml, trustHtml } from "../../markup/safe-html.ts";
import type { Markup } from "../../markup/service.ts";
import type { ExcerptPlace, ExcerptResolver } from "../../references/excerpts.ts";
import type { RepoService } from "../../repos/service.ts";
import { Deferred } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { RevisionService } from "../revisions/service.ts";
import { decodeText, isBinary } from "../texts.ts";
import type { FileService } from "./service.ts";

/** Any beyond this on one page remain links: each reads a file while the page waits. */
const MAX_EXCERPTS = 10;
const MAX_FILE_BYTES = 512 * 1024;
const MAX_LINES = 50;
const MAX_LINE_CHARACTERS = 500;
/** Number of highlighted excerpts kept in memory. */
const MAX_COLOURED = 500;

/** Highlighted lines of files that texts quote by URL, from repositories whose code the reader may read. */
export function excerptLines(
  repos: RepoService,
  revisions: RevisionService,
  files: FileService,
  markup: Markup,
): ExcerptResolver {
  const colours = new ExcerptColours(markup);
  return ({ principal }, places) => {
    const asked = places.slice(0, MAX_EXCERPTS);
    const keyOf = (owner: string, name: string) => `${owner}/${name}`.toLowerCase();
    const seenRepos = repos.seeNamed(
      principal,
      asked.map(({ repo }) => [repo.owner, repo.name] as const),
    );
    const sources = asked.map((place) => {
      const seen = seenRepos.get(keyOf(place.repo.owner, place.repo.name));
      if (!seen || !atLeast(seen.access.on("code"), "read") || !revisions.mayShow(seen, place.commit)) return undefined;
      return sourceOf(files, seen, place);
    });
    return colours.of(sources);
  };
}

interface Source extends Pick<ExcerptPlace, "path" | "first" | "last"> {
  readonly oid: string;
  readonly text: string;
}

function sourceOf(files: FileService, seen: SeenRepo, { commit, first, last, path }: ExcerptPlace): Source | undefined {
  try {
    const entry = files.find(seen, commit, path);
    const bytes = entry?.kind === "file" ? files.bytes(seen, entry.oid, MAX_FILE_BYTES) : undefined;
    return entry && bytes && !isBinary(bytes)
      ? { oid: entry.oid, text: decodeText(bytes), path, first, last }
      : undefined;
  } catch (error) {
    // An id of something other than a commit has no files.
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/** Highlights quoted lines. The whole file is read: the context of a line depends on what precedes it. */
class ExcerptColours {
  /** Oldest first. Not part of the cache budget: without it a page would ask again and again. */
  private readonly coloured = new Map<string, readonly SafeHtml[]>();

  constructor(private readonly markup: Markup) {}

  /** The lines of each; undefined if there are none. @throws Deferred */
  of(sources: readonly (Source | undefined)[]): (readonly SafeHtml[] | undefined)[] {
    const missing = sources.flatMap((source) => (source && !this.coloured.has(keyOf(source)) ? source : []));
    if (missing.length > 0)
      throw new Deferred(async () => {
        await Promise.all(missing.map((source) => this.add(source)));
      });
    return sources.map((source) => {
      const lines = source && this.coloured.get(keyOf(source));
      return lines?.length ? lines : undefined;
    });
  }

  private async add(source: Source): Promise<void> {
    const { first, last, path, text } = source;
    const { lines } = await this.markup.highlight(text, { fileName: nameOf(path) });
    const end = Math.min(last, first - 1 + MAX_LINES);
    const plain = text.split(/\r?\n/).slice(first - 1, end);
    const shown = lines
      .slice(first - 1, end)
      .map((line, at) => ((plain[at] ?? "").length > MAX_LINE_CHARACTERS ? cut(plain[at] ?? "") : line));
    this.coloured.set(keyOf(source), shown);
    const [oldest] = this.coloured.keys();
    if (this.coloured.size > MAX_COLOURED && oldest !== undefined) this.coloured.delete(oldest);
  }
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

const keyOf = ({ oid, path, first, last }: Source) => `${oid} ${nameOf(path)} ${first}-${last}`;

const cut = (line: string) => trustHtml(Bun.escapeHTML(line.slice(0, MAX_LINE_CHARACTERS)));
