import { TreeAttributes } from "../attributes/tree.ts";
import { diffTrees } from "../diff/tree.ts";
import { decodeName } from "../objects/names.ts";
import type { ObjectSource } from "../objects/source.ts";
import { MODE_FILE } from "../objects/tree.ts";
import { MODE_KIND } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";
import { isDocumentation, isGenerated, isVendored } from "./excluded.ts";
import { type Language, languageNamed, languageOfFile, languageOfScript } from "./table.ts";

/** Bytes per language of one tree; languages without bytes are left out. */
export interface LanguageStatistics {
  readonly tree: Oid;
  readonly bytes: Readonly<Record<string, number>>;
}

/** Files examined; what comes after them does not count. */
const MAX_FILES = 500_000;
const WANTED = ["vendored", "generated", "documentation", "detectable", "language"].map((name) => `linguist-${name}`);
/** Files without an ending are looked into for `#!` when they are this small at most. */
const MAX_SCRIPT_BYTES = 64 * 1024;

/**
 * Counts the bytes of every language in a tree. What is vendored, generated or documentation does not count, nor does
 * data or prose, unless `.gitattributes` says otherwise.
 * @param known statistics of another tree: only what differs is examined
 * @throws CorruptObject when a tree is missing; TreeTooLarge when it unfolds to a million directories; PatternsTooCostly
 */
export function languageStatistics(store: ObjectSource, tree: Oid, previous?: LanguageStatistics): LanguageStatistics {
  const fromPrevious = previous !== undefined && store.has(previous.tree) ? count(store, tree, previous) : undefined;
  return fromPrevious ?? count(store, tree) ?? { tree, bytes: {} };
}

/** Undefined when the attributes of the known tree are others, so that its numbers say nothing. */
function count(store: ObjectSource, tree: Oid, previous?: LanguageStatistics): LanguageStatistics | undefined {
  const counter = new Counter(store, new TreeAttributes(store, tree, { only: WANTED }));
  const bytes = new Map(previous ? Object.entries(previous.bytes) : []);
  const add = (path: string, mode: number, oid: Oid | undefined, sign: 1 | -1) => {
    if ((mode & MODE_KIND) !== (MODE_FILE & MODE_KIND) || oid === undefined) return;
    const language = counter.languageOf(path, mode, oid);
    const size = language && store.header(oid)?.sizeBytes;
    if (language && size) bytes.set(language.name, (bytes.get(language.name) ?? 0) + sign * size);
  };
  let files = 0;
  let sameAttributes = true;
  diffTrees(store, previous?.tree, tree, (change) => {
    if (previous && /(?:^|\/)\.gitattributes$/.test(change.path)) {
      sameAttributes = false;
      return false;
    }
    const path = decodeName(Buffer.from(change.path, "latin1"));
    add(path, change.oldMode, change.oldOid, -1);
    add(path, change.newMode, change.newOid, 1);
    return ++files < MAX_FILES;
  });
  if (!sameAttributes) return undefined;
  const found = [...bytes].filter(([, size]) => size > 0).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return { tree, bytes: Object.fromEntries(found) };
}

class Counter {
  constructor(
    private readonly store: ObjectSource,
    private readonly attributes: TreeAttributes,
  ) {}

  /** The language the file counts for; undefined when it counts for none. */
  languageOf(path: string, mode: number, oid: Oid): Language | undefined {
    const said = this.attributes.of(path);
    if (said.linguist("vendored") ?? isVendored(path)) return undefined;
    if (said.linguist("generated") ?? isGenerated(path)) return undefined;
    if (said.linguist("documentation") ?? isDocumentation(path)) return undefined;
    const named = said.linguistLanguage === undefined ? undefined : languageNamed(said.linguistLanguage);
    const language = named ?? languageOfFile(path.slice(path.lastIndexOf("/") + 1)) ?? this.script(path, mode, oid);
    const counted = said.linguist("detectable") ?? (named !== undefined || language?.counted);
    return counted ? language : undefined;
  }

  private script(path: string, mode: number, oid: Oid): Language | undefined {
    if (mode === MODE_FILE || path.slice(path.lastIndexOf("/") + 1).includes(".")) return undefined;
    const size = this.store.header(oid)?.sizeBytes ?? 0;
    if (size < 4 || size > MAX_SCRIPT_BYTES) return undefined;
    const data = this.store.read(oid)?.data ?? new Uint8Array(0);
    const end = data.indexOf(0x0a);
    return languageOfScript(Buffer.from(data.subarray(0, end < 0 || end > 200 ? 200 : end)).toString("latin1"));
  }
}
