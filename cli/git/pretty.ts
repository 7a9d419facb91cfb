import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelToTree } from "../../src/git/graph/peel.ts";
import { Describer } from "../../src/git/history/describe.ts";
import { Mailmap } from "../../src/git/mailmap/mailmap.ts";
import { decodeName } from "../../src/git/objects/names.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Abbreviator } from "../../src/git/pretty/abbreviate.ts";
import type { PrettyContext } from "../../src/git/pretty/context.ts";
import { systemClock } from "../../src/git/pretty/dates.ts";
import { type Decoration, decorationsOf } from "../../src/git/pretty/decorations.ts";
import { entryAt } from "../../src/git/trees.ts";
import { headOf } from "./revision.ts";

/** What printing commits at the terminal needs; everything is looked up when it is first asked for. */
export function prettyContext(repository: RepositoryFolder, minDigits: number | "auto" = "auto"): PrettyContext {
  let abbreviator: Abbreviator | undefined;
  let mailmap: Mailmap | undefined;
  let decorations: Map<Oid, Decoration[]> | undefined;
  return {
    clock: systemClock(),
    abbreviate: (oid) => {
      abbreviator ??= new Abbreviator(repository.store, minDigits);
      return abbreviator.abbreviate(oid);
    },
    mapPerson: (name, email) => {
      mailmap ??= readMailmap(repository);
      return mailmap.map(name, email);
    },
    describe: describeIn(repository, minDigits),
    decorations: (oid) => {
      decorations ??= decorationsOf({ refs: repository.refs.list(), head: headOf(repository) });
      return decorations.get(oid);
    },
  };
}

/** `%(describe)` */
export function describeIn(repository: RepositoryFolder, minDigits: number | "auto"): PrettyContext["describe"] {
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

/** The file of the working tree; of a bare repository, as git has it, what HEAD's tree says. */
export function readMailmap(repository: RepositoryFolder): Mailmap {
  const { store, gitDir } = repository;
  if (basename(gitDir) === ".git") {
    const path = join(dirname(gitDir), ".mailmap");
    return new Mailmap(existsSync(path) ? decodeName(readFileSync(path)) : "");
  }
  const head = headOf(repository);
  const tree = head && peelToTree(store, head.oid);
  const entry = tree === undefined ? undefined : entryAt(store, tree, ".mailmap");
  const object = entry && store.read(entry.oid);
  return new Mailmap(object?.type === "blob" ? decodeName(object.data) : "");
}
