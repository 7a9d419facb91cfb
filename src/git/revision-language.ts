import { join } from "node:path";
import { GitError } from "./errors.ts";
import type { RepositoryFolder } from "./folder.ts";
import { readLinks } from "./graph/links.ts";
import { peelTags, peelToCommit, peelToTree } from "./graph/peel.ts";
import { searchMessages } from "./history/message-search.ts";
import { isOid, type Oid } from "./objects/types.ts";
import { readHead, readSymbolicOrOid } from "./refs/files.ts";
import { expansionsOf, isRefName } from "./refs/names.ts";
import { readReflog } from "./refs/reflog.ts";
import { AmbiguousRevision, UnknownRevision } from "./revisions.ts";
import { entryAt } from "./trees.ts";

/**
 * The syntax is valid, but names nothing for a known reason: git then reports that instead of trying other readings.
 */
export class RevisionRefused extends GitError {
  override name = "RevisionRefused";
}

/** A ref's reflog does not reach back that far. */
export class NotInReflog extends RevisionRefused {
  override name = "NotInReflog";
}

export type ObjectKind = "commit" | "tree" | "blob";

const MAX_LENGTH = 4096;
const MAX_STEPS = 1_000_000;
const MAX_CANDIDATES = 16;
const MAX_SYMBOLIC = 5;

/**
 * The syntax of gitrevisions(7) except for dates and what only a working tree has (its index, previously checked-out
 * branches, upstreams): refs, full and abbreviated ids, `describe` names, `@{n}`, `^`, `~`, `^{type}`, `^{/text}`,
 * `:/text` and `<revision>:<path>`. For directory repositories on the command line; revisions from the network are
 * parsed by `resolveRevision`, which supports less.
 */
export class RevisionLanguage {
  /** @param warns whether to warn about ambiguous names */
  constructor(
    private readonly repository: RepositoryFolder,
    private readonly warns = true,
  ) {}

  /**
   * The object a text names. A full id is not checked for existence.
   * @throws UnknownRevision, AmbiguousRevision, RevisionRefused; CorruptObject if an object on the way is missing
   */
  find(text: string, kind?: ObjectKind): Oid {
    if (text.length > MAX_LENGTH) throw new UnknownRevision(text);
    const found = this.revision(text, kind) ?? this.path(text) ?? this.search(text);
    if (found === undefined) throw new UnknownRevision(text);
    return found;
  }

  /** The full name of the ref a short name stands for, following symbolic refs; undefined if there is none. */
  refOf(short: string): string | undefined {
    return this.namedRefs(short === "@" ? "HEAD" : short)[0]?.name;
  }

  /** All refs a short name may stand for, by precedence. */
  namedRefs(short: string): { readonly name: string; readonly oid: Oid }[] {
    if (!isRefName(short, { allowOneLevel: true })) return [];
    return expansionsOf(short).flatMap((name) => this.readRef(name) ?? []);
  }

  private path(text: string): Oid | undefined {
    const colon = outerColon(text);
    if (colon <= 0) return undefined;
    const start = this.revision(text.slice(0, colon), "tree");
    const tree = start === undefined ? undefined : peelToTree(this.repository.store, start);
    if (tree === undefined) return undefined;
    const path = text.slice(colon + 1);
    if (/^\.\.?\//.test(path)) throw new RevisionRefused("relative path syntax can't be used outside working tree");
    return entryAt(this.repository.store, tree, path)?.oid;
  }

  /** `:/text`: the newest commit reachable from any ref whose message matches. */
  private search(text: string): Oid | undefined {
    if (!text.startsWith(":/") || text === ":/") return undefined;
    const { refs, store } = this.repository;
    const head = this.repository.headOid();
    const starts = [...refs.list().map(({ oid }) => oid), ...(head === undefined ? [] : [head])];
    const commits = starts.flatMap((oid) => peelToCommit(store, oid) ?? []);
    return searchMessages(this.repository, commits, text.slice(2));
  }

  private revision(text: string, kind: ObjectKind | undefined): Oid | undefined {
    const { store } = this.repository;
    const suffix = /([~^])(\d*)$/.exec(text);
    if (suffix) {
      const start = this.revision(text.slice(0, suffix.index), "commit");
      const commit = start === undefined ? undefined : peelToCommit(store, start);
      const count = suffix[2] === "" ? 1 : Number(suffix[2]);
      return commit === undefined ? undefined : this.ancestor(commit, suffix[1] === "~", count);
    }
    const peeled = text.endsWith("}") ? text.lastIndexOf("^{") : -1;
    if (peeled > 0) {
      const what = text.slice(peeled + 2, -1);
      const wanted = what === "tree" || what === "blob" ? what : "commit";
      const start = this.revision(text.slice(0, peeled), what === "" || what === "object" ? kind : wanted);
      const found = start === undefined ? undefined : this.peel(start, what);
      if (found !== undefined) return found;
    }
    return this.basic(text) ?? this.described(text) ?? this.abbreviated(text, kind);
  }

  private ancestor(commit: Oid, byGeneration: boolean, count: number): Oid | undefined {
    const { store } = this.repository;
    if (!byGeneration) return count === 0 ? commit : readLinks(store, commit)?.parents[count - 1];
    if (count > MAX_STEPS) return undefined;
    let at: Oid | undefined = commit;
    for (let i = 0; i < count && at !== undefined; i++) at = readLinks(store, at)?.parents[0];
    return at;
  }

  private peel(oid: Oid, what: string): Oid | undefined {
    const { store } = this.repository;
    if (what === "object") return this.repository.has(oid) ? oid : undefined;
    if (what === "tree") return peelToTree(store, oid);
    if (what === "tag") return store.header(oid)?.type === "tag" ? oid : undefined;
    const target = peelTags(store, oid);
    if (target === undefined || what === "") return target;
    const type = store.header(target)?.type;
    if (what === "commit" || what === "blob") return type === what ? target : undefined;
    if (!what.startsWith("/") || type !== "commit") return undefined;
    return what === "/" ? target : searchMessages(this.repository, [target], what.slice(1));
  }

  /** A full id, a ref, or a reflog entry. */
  private basic(text: string): Oid | undefined {
    const { format } = this.repository.store;
    const lower = text.toLowerCase();
    if (lower.length === format.oidDigits && isOid(lower)) return lower;
    const log = text.endsWith("}") ? text.lastIndexOf("@{") : -1;
    if (log >= 0) return this.earlier(text.slice(0, log), text.slice(log + 2, -1));
    const refs = this.namedRefs(text === "@" ? "HEAD" : text);
    const { warn } = this.repository;
    if (warn && this.warns && refs.length > 0 && (refs.length > 1 || this.isAbbreviation(text)))
      warn(`warning: refname '${text}' is ambiguous.`);
    return refs[0]?.oid;
  }

  private isAbbreviation(text: string): boolean {
    return /^[0-9a-f]{4,}$/i.test(text) && this.repository.store.findByPrefix(text.toLowerCase(), 2).length === 1;
  }

  private earlier(name: string, selector: string): Oid | undefined {
    if (!/^\d{1,9}$/.test(selector)) return undefined;
    const short = name === "" ? (this.currentBranch() ?? "HEAD") : name === "@" ? "HEAD" : name;
    const ref = expansionsOf(short).find((full) => this.readRef(full) && this.logOf(full));
    const lines = ref === undefined ? undefined : this.logOf(ref);
    if (ref === undefined || !lines) return undefined;
    const shown = name === "" ? short.replace(/^refs\/heads\//, "") : name;
    const count = Number(selector);
    if (count < lines.length) return lines[lines.length - 1 - count]!.newOid;
    const first = lines[0];
    if (count === lines.length && first && first.oldOid !== this.repository.store.format.zeroOid) return first.oldOid;
    throw new NotInReflog(`log for '${shown}' only has ${lines.length} entries`);
  }

  private currentBranch(): string | undefined {
    const head = readHead(this.repository.gitDir);
    return head && "ref" in head ? head.ref : undefined;
  }

  private logOf(ref: string) {
    return readReflog(this.repository.gitDir, ref);
  }

  /** `v1.0-3-gabc1234`, of which only the id matters. */
  private described(text: string): Oid | undefined {
    const digits = /-g([0-9a-f]+)$/i.exec(text)?.[1];
    return digits === undefined ? undefined : this.abbreviated(digits, "commit");
  }

  private abbreviated(text: string, kind: ObjectKind | undefined): Oid | undefined {
    const { store } = this.repository;
    const prefix = text.toLowerCase();
    if (!/^[0-9a-f]{4,}$/.test(prefix) || prefix.length > store.format.oidDigits) return undefined;
    const found = store.findByPrefix(prefix, MAX_CANDIDATES);
    if (found.length < 2) return found[0];
    const fitting = kind === undefined ? found : found.filter((oid) => this.leadsTo(oid, kind));
    if (fitting.length === 1 && found.length < MAX_CANDIDATES) return fitting[0];
    throw new AmbiguousRevision(text, found);
  }

  private leadsTo(oid: Oid, kind: ObjectKind): boolean {
    const target = peelTags(this.repository.store, oid);
    const type = target === undefined ? undefined : this.repository.store.header(target)?.type;
    return type === kind || (kind === "tree" && type === "commit");
  }

  /** A ref by its full name, including `HEAD` and similar; symbolic refs are followed. */
  private readRef(name: string, depth = 0): { readonly name: string; readonly oid: Oid } | undefined {
    if (depth > MAX_SYMBOLIC || !isRefName(name, { allowOneLevel: true })) return undefined;
    const said = readSymbolicOrOid(join(this.repository.gitDir, name));
    if (said && "ref" in said) return this.readRef(said.ref, depth + 1);
    if (said) return { name, oid: said.oid };
    const ref = name.startsWith("refs/") ? this.repository.refs.resolve(name) : undefined;
    return ref && { name: ref.name, oid: ref.oid };
  }
}

/** Where a path begins: at a colon outside braces. */
export function outerColon(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (depth > 0 && text[at] === "}") depth--;
    else if (depth === 0 && text[at] === ":") return at;
  }
  return -1;
}
