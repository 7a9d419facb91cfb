import { TreeAttributes } from "../attributes/tree.ts";
import { diffTrees } from "../diff/tree.ts";
import { decodeName } from "../objects/names.ts";
import type { ObjectSource } from "../objects/source.ts";
import { MODE_FILE } from "../objects/tree.ts";
import { MODE_KIND } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";
import { isConfiguration, isDocumentation, isDotFile, isGenerated, isVendored } from "./excluded.ts";
import { groupOf, type Language, languageNamed, languageOfFile, languageOfScript } from "./table.ts";

/** Bytes per language in one tree; languages without bytes are omitted. */
export interface LanguageStatistics {
  readonly tree: Oid;
  /** What the repository page shows: its code, or its data and prose if there is no code. */
  readonly bytes: Readonly<Record<string, number>>;
  /** Bytes of code, and of anything that `.gitattributes` declares to be code. */
  readonly code: Readonly<Record<string, number>>;
  /** Bytes of data and prose. */
  readonly prose: Readonly<Record<string, number>>;
}

/** Maximum number of files examined; any further ones are ignored. */
const MAX_FILES = 500_000;
const WANTED = [
  ...["vendored", "generated", "documentation", "detectable", "language"].map((name) => `linguist-${name}`),
  "gitlab-language",
];
/** Files without an extension are examined for `#!` up to this size. */
const MAX_SCRIPT_BYTES = 64 * 1024;

/**
 * Counts the bytes of every language in a tree (contract repositories.md 15.1). Vendored and generated files,
 * documentation, configuration and dot files do not count, nor do data or prose if there is code, unless
 * `.gitattributes` says otherwise.
 * @param previous statistics of another tree: only the differences are examined
 * @throws CorruptObject if a tree is missing; TreeTooLarge if it expands to a million directories; PatternsTooCostly
 */
export function languageStatistics(store: ObjectSource, tree: Oid, previous?: LanguageStatistics): LanguageStatistics {
  const fromPrevious = previous !== undefined && store.has(previous.tree) ? count(store, tree, previous) : undefined;
  return fromPrevious ?? count(store, tree) ?? { tree, bytes: {}, code: {}, prose: {} };
}

/** Undefined if the previous tree has different attributes, which makes its numbers useless. */
function count(store: ObjectSource, tree: Oid, previous?: LanguageStatistics): LanguageStatistics | undefined {
  const counter = new Counter(store, new TreeAttributes(store, tree, { only: WANTED }));
  const code = new Map(Object.entries(previous?.code ?? {}));
  const prose = new Map(Object.entries(previous?.prose ?? {}));
  const add = (path: string, mode: number, oid: Oid | undefined, sign: 1 | -1) => {
    if ((mode & MODE_KIND) !== (MODE_FILE & MODE_KIND) || oid === undefined) return;
    const found = counter.languageOf(path, mode, oid);
    const size = found && store.header(oid)?.sizeBytes;
    if (!found || !size) return;
    const sums = found.isCode ? code : prose;
    const name = groupOf(found.language);
    sums.set(name, (sums.get(name) ?? 0) + sign * size);
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
  const sums = { code: largestFirst(code), prose: largestFirst(prose) };
  return { tree, bytes: Object.keys(sums.code).length > 0 ? sums.code : sums.prose, ...sums };
}

function largestFirst(sums: ReadonlyMap<string, number>): Record<string, number> {
  const found = [...sums].filter(([, size]) => size > 0);
  return Object.fromEntries(found.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}

class Counter {
  constructor(
    private readonly store: ObjectSource,
    private readonly attributes: TreeAttributes,
  ) {}

  /** The language that the file counts towards, and whether as code; undefined if it does not count. */
  languageOf(path: string, mode: number, oid: Oid): { language: Language; isCode: boolean } | undefined {
    const said = this.attributes.of(path);
    if (said.linguist("vendored") ?? isVendored(path)) return undefined;
    if (said.linguist("generated") ?? isGenerated(path)) return undefined;
    if (said.linguist("documentation") ?? isDocumentation(path)) return undefined;
    const detectable = said.linguist("detectable");
    if (detectable === false) return undefined;
    const named = said.languageName === undefined ? undefined : languageNamed(said.languageName);
    const language = named ?? languageOfFile(path.slice(path.lastIndexOf("/") + 1)) ?? this.script(path, mode, oid);
    if (!language) return undefined;
    if (named || detectable) return { language, isCode: true };
    return isDotFile(path) || isConfiguration(language) ? undefined : { language, isCode: language.counted };
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
