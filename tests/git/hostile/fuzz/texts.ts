import { parseAttributes } from "../../../../src/git/attributes/file.ts";
import { markWords } from "../../../../src/git/diff/words.ts";
import { GitError } from "../../../../src/git/errors.ts";
import { RepositoryFolder } from "../../../../src/git/folder.ts";
import { Mailmap } from "../../../../src/git/mailmap/mailmap.ts";
import { checkObject } from "../../../../src/git/object-checks/fsck.ts";
import { parseCommit, parseCommitLinks, signedPayload } from "../../../../src/git/objects/commit.ts";
import { SHA1 } from "../../../../src/git/objects/format.ts";
import { decodeName, encodeName } from "../../../../src/git/objects/names.ts";
import { parseSignature } from "../../../../src/git/objects/signature.ts";
import { parseTag, parseTagLink, signedTagPayload } from "../../../../src/git/objects/tag.ts";
import { eachTreeEntry, parseTree, serializeTree } from "../../../../src/git/objects/tree.ts";
import { MatchBudget } from "../../../../src/git/patterns/glob.ts";
import { compileFormat } from "../../../../src/git/pretty/format.ts";
import { isRefName } from "../../../../src/git/refs/names.ts";
import { parsePackedRefs } from "../../../../src/git/refs/packed-refs.ts";
import { mutatedObjects } from "../corpus/mutations.ts";
import { bytesOf } from "../corpus/objects.ts";
import type { Templates } from "./folders.ts";
import { type FuzzTarget, mutated } from "./target.ts";

/** Tries each by itself: an error of the family in one says nothing of the next. */
function tryEach(...asks: (() => unknown)[]): void {
  for (const ask of asks) {
    try {
      ask();
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
    }
  }
}

const REVISION_PARTS = [
  "HEAD",
  "main",
  "v1",
  "@",
  "~",
  "^",
  "^{",
  "}",
  "{",
  "/",
  ":",
  ":/",
  "..",
  "...",
  "@{",
  "-1",
  "99999999999",
  "0",
  "tree",
  "commit",
  "/x",
  "^2",
  "d1",
  "refs/heads/",
  "\0",
  "\n",
  " ",
  "é",
  "\ud800",
  "abcd",
  "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  "-",
  "--",
  "(((((((((",
  "\\",
  "*",
  "[",
  "upstream",
  "yesterday",
];
const FORMAT_PARTS = [
  "%H",
  "%an",
  "%ad",
  "%s",
  "%b",
  "%d",
  "%(trailers:",
  "key=x",
  ")",
  "%(describe",
  "%<(",
  "%>>|(",
  "20",
  ",trunc",
  "%w(",
  "1,2,3",
  "%C(",
  "red",
  "auto,",
  "%x00",
  "%",
  "%G?",
  "%aN",
  "%ar",
  "%cd",
  "%n",
  "%%",
  "%e",
  "%+b",
  "%-s",
  "% d",
  "%gD",
  "%(decorate:",
  "prefix=",
  "99999999999",
];
const MAILMAP = "A <a@b>\nA B <a@b> <c@d>\n<a@b> <c@d>\nN <n@n> O <o@o>\n# c\n<\n> <\n";

export function textTargets(templates: Templates): FuzzTarget[] {
  return [
    {
      name: "readers of objects",
      run(choice) {
        for (const { type, data, role } of mutatedObjects(choice.seed, 10)) {
          tryEach(
            () => checkObject(SHA1, type, data, role),
            () => parseCommit(data),
            () => parseCommitLinks(data),
            () => signedPayload(data),
            () => parseTag(data),
            () => parseTagLink(data),
            () => signedTagPayload(data),
            () => serializeTree(parseTree(data, SHA1)),
            () => eachTreeEntry(data, SHA1, () => true),
            () => parseSignature(Buffer.from(data).toString("latin1")),
            () => parsePackedRefs(data),
          );
          if (!Buffer.from(encodeName(decodeName(data))).equals(Buffer.from(data)))
            throw new Error("a name changed by being read");
        }
      },
    },
    {
      name: "revisions",
      run(choice) {
        const repository = RepositoryFolder.open(templates.packed);
        try {
          for (let k = 0; k < 10; k++) {
            const revision = Array.from({ length: 1 + choice.below(choice.onceIn(20) ? 2000 : 6) }, () =>
              choice.of(REVISION_PARTS),
            ).join("");
            tryEach(
              () => repository.oidOf(revision),
              () => isRefName(revision),
              () => repository.refs.resolve(revision),
            );
          }
        } finally {
          repository.close();
        }
      },
    },
    {
      name: "formats, mailmaps, patterns",
      run(choice) {
        const format = Array.from({ length: 1 + choice.below(8) }, () => choice.of(FORMAT_PARTS)).join("");
        const mailmap = new Mailmap(mutated(choice, bytesOf(MAILMAP)).toString("latin1"));
        const pattern = choice.text("a*?[]!-\\/.^", choice.of([1, 4, 12, 60]));
        const path = choice.text("a/.-]", choice.of([1, 10, 200]));
        tryEach(
          () => compileFormat(format),
          () => mailmap.map("A", "a@b"),
          () => {
            const { rules } = parseAttributes(`${pattern} text eol=x -a !b\n${"*a".repeat(40)} c\n[attr]d e`, true);
            for (const rule of rules) rule.matches(path, "a".repeat(400), false, new MatchBudget(1_000_000));
          },
          () => markWords(choice.text("ab ", 300), choice.text("ab ", 300)),
        );
      },
    },
  ];
}
