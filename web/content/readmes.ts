import type { FileEntry } from "../../src/content/files/entry.ts";
import type { NamedCommit } from "../../src/content/revisions/service.ts";
import { isBinary } from "../../src/content/texts.ts";
import { documentKind, isTextKind } from "../../src/markup/kinds.ts";
import { README_DIRECTORIES, readmeCandidates } from "../../src/markup/readme.ts";
import type { MarkedHtml } from "../../src/markup/safe-html.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import { type RefName, refHref } from "../links.ts";
import type { ReadmeContent } from "./readme.tsx";
import type { Sources } from "./sources.ts";

/** Larger READMEs have to be opened as files. */
const LARGEST_BYTES = 1024 * 1024;
const MAX_LINK_STEPS = 10;

/** A cached README, the same for all readers. */
type MarkedReadme = ReadmeContent<MarkedHtml>;

/**
 * The rendered README of a directory; for a root without one, that of `docs`, `.gitea` or `.github`.
 * @param files the directory's entries
 * @param language the viewer's language code, such as `de-DE`: `README.de.md` then takes precedence
 */
export async function readmeOf(
  sources: Sources,
  place: { seen: SeenRepo; at: NamedCommit; ref: RefName; path: string },
  files: readonly FileEntry[],
  language: string,
): Promise<ReadmeContent | undefined> {
  const { seen, at, ref, path } = place;
  const key = JSON.stringify([seen.repo.id, seen.owner.login, seen.repo.name, at.commit, ref, path, language]);
  const known = sources.readmes.get(key);
  const readme = known ? known.readme : await findReadme(sources, place, files, language);
  if (!known) sources.readmes.set(key, { readme });
  if (readme === undefined || !("html" in readme)) return readme;
  return { ...readme, html: sources.rendered.forReader(seen, readme.html) };
}

async function findReadme(
  sources: Sources,
  place: { seen: SeenRepo; at: NamedCommit; ref: RefName; path: string },
  files: readonly FileEntry[],
  language: string,
): Promise<MarkedReadme | undefined> {
  const own = await firstShown(sources, place, files, language);
  if (own || place.path !== "") return own;
  for (const name of README_DIRECTORIES) {
    const directory = files.find((entry) => entry.name === name && entry.kind === "dir");
    if (!directory) continue;
    const inside = await sources.services.files.list(place.seen, directory);
    const found = await firstShown(sources, place, inside, language);
    if (found) return found;
  }
  return undefined;
}

async function firstShown(
  sources: Sources,
  place: { seen: SeenRepo; at: NamedCommit; ref: RefName },
  files: readonly FileEntry[],
  language: string,
): Promise<MarkedReadme | undefined> {
  const byName = new Map(files.map((entry) => [entry.name, entry]));
  for (const name of readmeCandidates([...byName.keys()], language)) {
    const entry = byName.get(name);
    const shown = entry && (await shownReadme(sources, place, entry));
    if (shown) return shown;
  }
  return undefined;
}

async function shownReadme(
  sources: Sources,
  { seen, at, ref }: { seen: SeenRepo; at: NamedCommit; ref: RefName },
  entry: FileEntry,
): Promise<MarkedReadme | undefined> {
  const { files } = sources.services;
  const file = entry.kind === "symlink" ? linkedFile(sources, seen, at, entry) : entry;
  if (file?.kind !== "file") return undefined;
  const about = {
    name: entry.name,
    href: refHref({ owner: seen.owner.login, name: seen.repo.name }, "src", ref, entry.path),
  };
  const bytes = files.bytes(seen, file.oid, LARGEST_BYTES);
  if (!bytes) return { ...about, tooLarge: true };
  if (isBinary(bytes)) return undefined;
  // The link's own name decides how it is rendered.
  const kind = documentKind(entry.name);
  if (!isTextKind(kind)) return { ...about, text: sources.rendered.text(seen, file) };
  return { ...about, html: await sources.rendered.marked(seen, file, ref, kind) };
}

/** The file a symlink points to within the tree; undefined when it is broken or points outside. */
export function linkedFile(
  { services }: Pick<Sources, "services">,
  seen: SeenRepo,
  at: NamedCommit,
  link: FileEntry,
): FileEntry | undefined {
  let entry: FileEntry | undefined = link;
  for (let step = 0; entry?.kind === "symlink" && step < MAX_LINK_STEPS; step++) {
    const path = linkedPath(entry.path, services.files.linkTarget(seen, entry));
    entry = path === undefined ? undefined : services.files.find(seen, at.commit, path);
  }
  return entry?.kind === "symlink" ? undefined : entry;
}

function linkedPath(from: string, target: string): string | undefined {
  if (target.startsWith("/") || target === "") return undefined;
  const parts = from.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}
