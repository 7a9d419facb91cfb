import type { RepositoryFolder } from "../../src/git/folder.ts";
import { Describer } from "../../src/git/history/describe.ts";
import type { Mailmap } from "../../src/git/mailmap/mailmap.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Abbreviator } from "../../src/git/pretty/abbreviate.ts";
import type { PrettyContext } from "../../src/git/pretty/context.ts";
import { systemClock } from "../../src/git/pretty/dates.ts";
import { type Decoration, type DecorationSource, decorationsOf } from "../../src/git/pretty/decorations.ts";
import { readHead } from "../../src/git/refs/files.ts";
import type { Terminal } from "./command.ts";
import { readMailmap } from "./mailmap.ts";

/** The context for printing commits at the terminal; everything is looked up on first use. */
export function prettyContext(
  repository: RepositoryFolder,
  terminal: Terminal,
  minDigits: number | "auto" = "auto",
  /** Includes all refs, as `rev-list` shows them. */
  everywhere = false,
): PrettyContext {
  let abbreviator: Abbreviator | undefined;
  let mailmap: Mailmap | undefined;
  let decorations: Map<Oid, Decoration[]> | undefined;
  return {
    clock: systemClock(),
    abbreviate: (oid) => {
      abbreviator ??= new Abbreviator(repository.store, minDigits);
      return abbreviator.abbreviate(oid);
    },
    mapIdentity: (name, email) => {
      mailmap ??= readMailmap(repository, terminal);
      return mailmap.map(name, email);
    },
    describe: describeIn(repository, minDigits),
    decorations: (oid) => {
      decorations ??= decorationsOf(decorationSource(repository), { everywhere });
      return decorations.get(oid);
    },
  };
}

/** `%(describe)` */
function describeIn(repository: RepositoryFolder, minDigits: number | "auto"): PrettyContext["describe"] {
  const describers = new Map<string, Describer>();
  return (oid, options) => {
    const key = JSON.stringify(options);
    let describer = describers.get(key);
    if (!describer) {
      const digits = new Abbreviator(repository.store, options.abbrev || minDigits);
      const refs = repository.refs.list("refs/tags/");
      describer = new Describer(repository.commits, refs, options, (id) => digits.abbreviate(id));
      describers.set(key, describer);
    }
    return describer.describe(oid) ?? "";
  };
}

/** HEAD: detached, or on a branch; undefined when the branch has no commit yet. */
export function headOf(repository: RepositoryFolder): { readonly oid: Oid; readonly ref?: string } | undefined {
  const oid = repository.headOid();
  const head = readHead(repository.gitDir);
  return oid === undefined ? undefined : { oid, ...(head && "ref" in head ? { ref: head.ref } : {}) };
}

/** The input of `decorationsOf`. */
export function decorationSource(repository: RepositoryFolder): DecorationSource {
  return {
    refs: repository.allRefs(),
    head: headOf(repository),
    shallow: repository.shallow,
    replaces: repository.store.replaces,
  };
}
