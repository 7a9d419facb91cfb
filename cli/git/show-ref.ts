import { RepositoryFolder } from "../../src/git/folder.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Abbreviator } from "../../src/git/pretty/abbreviate.ts";
import { isRefName } from "../../src/git/refs/names.ts";
import type { Ref } from "../../src/git/refs/types.ts";
import { Fatal, type GitCommand } from "./command.ts";
import { readWords } from "./options.ts";

export const showRefCommand: GitCommand = {
  name: "show-ref",
  usage: "[-q] [--verify] [--head] [-d] [-s] [--tags] [--heads] [--] [<pattern>…]",
  doc: "Lists refs with the objects they stand on",
  run(words, terminal) {
    const options = readWords(words, {
      "-q": ["flag", "quiet"],
      "--quiet": ["flag", "quiet"],
      "--verify": ["flag", "verify"],
      "--head": ["flag", "head"],
      "-d": ["flag", "dereference"],
      "--dereference": ["flag", "dereference"],
      "-s": ["attached", "hash"],
      "--hash": ["attached", "hash"],
      "--abbrev": ["attached", "abbrev"],
      "--tags": ["flag", "tags"],
      "--heads": ["flag", "heads"],
    });
    const patterns = [...options.rest, ...(options.paths ?? [])];
    const repository = RepositoryFolder.open(terminal.directory);
    try {
      const digits = options.value("hash") || options.value("abbrev");
      const isShort = digits !== "0" && (options.has("abbrev") || digits !== undefined);
      const short = isShort ? new Abbreviator(repository.store, digits ? Number(digits) : "auto") : undefined;
      const abbreviated = (oid: Oid) => short?.abbreviate(oid) ?? oid;
      const show = ({ name, oid, peeled }: Ref) => {
        if (options.has("quiet")) return;
        terminal.out(options.has("hash") ? `${abbreviated(oid)}\n` : `${abbreviated(oid)} ${name}\n`);
        if (options.has("dereference") && peeled !== undefined) terminal.out(`${abbreviated(peeled)} ${name}^{}\n`);
      };
      const head = () => {
        const oid = repository.headOid();
        return oid === undefined ? undefined : repository.withPeeled({ name: "HEAD", oid });
      };
      if (options.has("verify")) {
        if (patterns.length === 0) throw new Fatal("--verify requires a reference");
        for (const name of patterns) {
          const found =
            name === "HEAD"
              ? head()
              : isRefName(name)
                ? repository.allRefs().find((ref) => ref.name === name)
                : undefined;
          if (found) show(repository.withPeeled(found));
          else if (options.has("quiet")) return 1;
          else throw new Fatal(`'${name}' - not a valid ref`);
        }
        return 0;
      }
      const wanted = [...(options.has("heads") ? ["refs/heads/"] : []), ...(options.has("tags") ? ["refs/tags/"] : [])];
      const refs = repository
        .allRefs()
        .filter(({ name }) => wanted.length === 0 || wanted.some((prefix) => name.startsWith(prefix)))
        .filter(({ name }) => patterns.length === 0 || patterns.some((pattern) => endsIn(name, pattern)));
      const shownHead = options.has("head") ? head() : undefined;
      const found = shownHead ? [shownHead, ...refs] : refs;
      for (const ref of found) show(ref);
      return found.length > 0 ? 0 : 1;
    } finally {
      repository.close();
    }
  },
};

/** Whether the last path components of the name equal the pattern. */
function endsIn(name: string, pattern: string): boolean {
  return name === pattern || name.endsWith(`/${pattern}`);
}
