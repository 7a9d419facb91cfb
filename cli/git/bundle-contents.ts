import type { BundleHeader } from "../../src/git/bundle/header.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelTags } from "../../src/git/graph/peel.ts";
import { RevisionWalk } from "../../src/git/history/walk/walk.ts";
import { encodeName, toLatin1 } from "../../src/git/objects/names.ts";
import type { ObjectSource } from "../../src/git/objects/source.ts";
import { parseTagLink } from "../../src/git/objects/tag.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { expansionsOf } from "../../src/git/refs/names.ts";
import { Fatal, type Terminal } from "./command.ts";
import { historyOptions, readHistoryOptions } from "./history-options.ts";
import { headOf } from "./pretty.ts";
import { readRange, splitRevisionWords } from "./revision-words.ts";

/**
 * What `git bundle create` writes to the header for these words: the included refs, and the prerequisite commits at
 * which their history is cut off.
 * @throws Fatal when a word names nothing
 */
export function bundleContents(
  repository: RepositoryFolder,
  words: readonly string[],
  terminal: Terminal,
): Pick<BundleHeader, "prerequisites" | "refs"> {
  const typed = splitRevisionWords(words, historyOptions);
  const { starts, parsed, paths, asked: named } = readRange(repository, terminal.directory, typed);
  if (paths.length > 0) throw new Fatal("a bundle of paths cannot be made");
  const { commits, store } = repository;
  const { reverse: isReversed, ...options } = readHistoryOptions(typed.options);
  const walk = new RevisionWalk(commits, { ...options, starts, parsed, boundary: true });
  const shown = new Set<Oid>();
  const prerequisites: { oid: Oid; comment: string }[] = [];
  for (const number of walk) {
    const oid = commits.oidOf(number);
    if (walk.isBoundary(number)) prerequisites.push({ oid, comment: titleOf(repository, oid) });
    else shown.add(oid);
  }
  if (isReversed) prerequisites.reverse();
  const refs: { oid: Oid; name: string }[] = [];
  const asked = named.filter(({ uninteresting }) => !uninteresting).map(({ name, oid }) => ({ name, oid }));
  const excluded = new Set(named.flatMap(({ oid, uninteresting }) => (uninteresting ? chainOf(store, oid) : [])));
  const known = refsByName(repository);
  const taken = new Set<string>();
  for (let at = 0; at < asked.length; at++) {
    const { name, oid } = asked[at]!;
    const ref = refNamed(known, name);
    if (!ref || taken.has(name) || excluded.has(oid)) continue;
    if (store.header(oid)?.type === "commit") {
      if (walk.isUninteresting(commits.positionOf(oid))) continue;
      if (!shown.has(oid)) {
        terminal.err(`warning: ref '${name}' is excluded by the rev-list options`);
        continue;
      }
      // If the end of a range is a tag, the tag itself is included, after the others.
      if (ref.oid !== oid) {
        if (peelTags(store, ref.oid) === oid) asked.push({ name, oid: ref.oid });
        continue;
      }
    } else if (!isTaggedWithin(store, oid, options)) continue;
    taken.add(name);
    refs.push({ oid: ref.oid, name: Buffer.from(encodeName(ref.shown)).toString("latin1") });
  }
  return { prerequisites, refs };
}

/** A tag, its target, and so on. */
function chainOf(store: ObjectSource, oid: Oid): Oid[] {
  const chain = [oid];
  for (let object = store.read(oid); object?.type === "tag"; object = store.read(chain.at(-1)!))
    chain.push(parseTagLink(object.data).object);
  return chain;
}

/** Whether a tag is within the requested dates; true for other objects, and for tags without a date. */
function isTaggedWithin(
  store: ObjectSource,
  oid: Oid,
  { since, until }: { readonly since?: number | undefined; readonly until?: number | undefined },
): boolean {
  if (since === undefined && until === undefined) return true;
  const object = store.read(oid);
  const when = object?.type === "tag" ? /^tagger .*> (\d+)/m.exec(toLatin1(object.data))?.[1] : undefined;
  if (when === undefined) return true;
  return Number(when) >= (since ?? 0) && Number(when) <= (until ?? Number.POSITIVE_INFINITY);
}

interface NamedRef {
  readonly oid: Oid;
  /** For a symbolic ref, the ref it finally points to. */
  readonly target: string;
  readonly isSymbolic: boolean;
}

function refsByName(repository: RepositoryFolder): ReadonlyMap<string, NamedRef> {
  const known = new Map<string, NamedRef>();
  for (const { name, oid, symbolicTo } of repository.allRefs())
    known.set(name, { oid, target: symbolicTo ?? name, isSymbolic: symbolicTo !== undefined });
  const head = headOf(repository);
  if (head) known.set("HEAD", { oid: head.oid, target: head.ref ?? "HEAD", isSymbolic: head.ref !== undefined });
  return known;
}

/**
 * The only ref a short name can mean; undefined when there is none, or more than one. It is shown under the name of its
 * final target, except that a symbolic ref typed in full is shown under its own.
 */
function refNamed(known: ReadonlyMap<string, NamedRef>, short: string): { shown: string; oid: Oid } | undefined {
  const found = expansionsOf(short === "@" ? "HEAD" : short).flatMap((name) => known.get(name) ?? []);
  const [ref] = found;
  if (!ref || found.length > 1) return undefined;
  return { shown: known.get(short)?.isSymbolic ? short : ref.target, oid: ref.oid };
}

/** The first paragraph of the message on one line, as in `--format=oneline`. */
function titleOf({ store }: RepositoryFolder, oid: Oid): string {
  const data = store.read(oid)?.data ?? new Uint8Array(0);
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1");
  const message = text.slice(text.indexOf("\n\n") + 2).replace(/^\s*\n/, "");
  const lines = message.split("\n");
  const end = lines.findIndex((line) => line.trim() === "");
  return (end < 0 ? lines : lines.slice(0, end)).map((line) => line.trimEnd()).join(" ");
}
