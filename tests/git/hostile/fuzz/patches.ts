import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatch } from "../../../../src/git/apply/apply.ts";
import { parsePatch } from "../../../../src/git/apply/parse.ts";
import { parseAttributes } from "../../../../src/git/attributes/file.ts";
import { BundleFile } from "../../../../src/git/bundle/file.ts";
import { parseGitmodules } from "../../../../src/git/config/gitmodules.ts";
import { eachConfigValue } from "../../../../src/git/config/reader.ts";
import { markWords } from "../../../../src/git/diff/words.ts";
import { GitError } from "../../../../src/git/errors.ts";
import { RepositoryFolder } from "../../../../src/git/folder.ts";
import { parseLfsPointer } from "../../../../src/git/lfs/pointer.ts";
import { Mailmap } from "../../../../src/git/mailmap/mailmap.ts";
import { checkObject } from "../../../../src/git/object-checks/fsck.ts";
import { parseCommit, parseCommitLinks, signedPayload } from "../../../../src/git/objects/commit.ts";
import { SHA1 } from "../../../../src/git/objects/format.ts";
import { decodeName } from "../../../../src/git/objects/names.ts";
import { parseSignature } from "../../../../src/git/objects/signature.ts";
import { parseTag, signedTagPayload } from "../../../../src/git/objects/tag.ts";
import { parseTree } from "../../../../src/git/objects/tree.ts";
import { Overlay } from "../../../../src/git/odb/overlay.ts";
import { MatchBudget } from "../../../../src/git/patterns/glob.ts";
import { parsePackedRefs } from "../../../../src/git/refs/packed-refs.ts";
import { packetsOf } from "../../../../src/git/wire/pktline.ts";
import { git } from "../../objects/real-git.ts";
import { bytesOf } from "../corpus/objects.ts";
import type { Templates } from "./folders.ts";
import { type FuzzTarget, mutated } from "./target.ts";

const PATCH_WORDS = [
  "diff --git a/x b/x\n",
  "--- a/x\n+++ b/x\n",
  "@@ -1 +1 @@\n",
  "@@ -0,0 +1,99999999 @@\n",
  "+x\n",
  "-x\n",
  " x\n",
  "\\ No newline at end of file\n",
  "rename from x\nrename to y\n",
  "new file mode 100644\n",
  "deleted file mode 120000\n",
  "old mode 40000\n",
  "index 0000000..1111111 100644\n",
  "GIT binary patch\nliteral 5\nMc${NkU|?\n\n",
  "delta 99999999\nzzzzzz\n",
  "Binary files a/x and b/x differ\n",
  '"a/\\303\\2"',
  "../",
  ".git/",
  "/dev/null",
  "\r\n",
  "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n",
  "Subject: =?UTF-8?Q?=C3?=\n",
  "Content-Transfer-Encoding: base64\n",
  "Content-Type: text/plain; charset=x\n",
  "---\n",
].map(bytesOf);

/** Everything that reads a text someone else wrote. */
export function readers(templates: Templates): Readonly<Record<string, (data: Buffer) => unknown>> {
  const latin1 = (data: Buffer) => data.toString("latin1");
  return {
    commit: (data) => [parseCommit(data), signedPayload(data)],
    links: (data) => parseCommitLinks(data),
    tag: (data) => [parseTag(data), signedTagPayload(data)],
    tree: (data) => parseTree(data, SHA1),
    "fsck commit": (data) => checkObject(SHA1, "commit", data),
    "fsck tag": (data) => checkObject(SHA1, "tag", data),
    "fsck tree": (data) => checkObject(SHA1, "tree", data),
    "fsck modules": (data) => checkObject(SHA1, "blob", data, "gitmodules"),
    person: (data) => parseSignature(latin1(data)),
    "packed-refs": (data) => parsePackedRefs(data),
    config: (data) => eachConfigValue(latin1(data), () => {}),
    modules: (data) => parseGitmodules(data),
    lfs: (data) => parseLfsPointer(data.subarray(0, 1024)),
    mailmap: (data) => new Mailmap(decodeName(data)).map("a", "b"),
    attributes: (data) => {
      const budget = new MatchBudget(10_000_000);
      for (const rule of parseAttributes(latin1(data), true).rules) rule.matches("a/b/c.txt", "c.txt", false, budget);
    },
    patch: (data) => parsePatch(data),
    packets: (data) => [...packetsOf(data)],
    words: (data) => markWords(latin1(data.subarray(0, 100_000)), latin1(data.subarray(50_000, 150_000))),

    revision: (data) => {
      const repository = RepositoryFolder.open(templates.packed);
      try {
        return repository.find(latin1(data));
      } finally {
        repository.close();
      }
    },
  };
}

export const FLOODS = [
  " ",
  "\n",
  "a",
  "0",
  "\0",
  "\xff",
  "<",
  ">",
  "\\",
  "/",
  "../",
  "[",
  "]",
  '"',
  "*",
  "(",
  "=",
  "?=",
  "=?a?q?",
  "\t",
  "\n ",
  " \n",
  "a ",
  "a\n",
  "\r\n",
  "12:12:12 ",
  "From ",
  "From x 12:12:12 1",
  "-----BEGIN PGP SIGNATURE-----\n",
  "gpgsig x\n ",
  "author ",
  "parent ",
  "tree ",
  "object ",
  "[a]\n",
  '[submodule "a"]\n',
  "a=b\n",
  "\\\n",
  "@@ ",
  "+",
  "-",
  "+\n",
  "-\n",
  " x\n",
  "--- ",
  "diff --git ",
  "diff --git a/a b/a\n",
  "rename from a\n",
  "~",
  "^",
  "^{",
  "}",
  ":",
  "@{",
  "@{1}",
  "{",
  "0004",
  "0005a",
  "a<b>",
  "<a@b> ",
  "**/",
  "?*",
  "a*",
  "!",
  "#\n",
  "ref: ",
  "version ",
  "%",
  "=3D",
].map(bytesOf);

export function patchTargets(templates: Templates): FuzzTarget[] {
  const all = readers(templates);
  const repository = () => RepositoryFolder.open(templates.packed);
  const seed = git(["-C", templates.packed, "format-patch", "--stdout", "--binary", "-3", "main"]).stdout;
  const bundle = git(["-C", templates.packed, "bundle", "create", "-q", "-", "main~3..main"]).stdout;
  return [
    {
      name: "floods of one word",
      run(choice) {
        const word = choice.of(FLOODS);
        const lead = choice.onceIn(2) ? choice.of(FLOODS) : Buffer.alloc(0);
        const flood = Buffer.concat([
          lead,
          ...Array<Buffer>(Math.ceil(400_000 / word.length)).fill(word),
          choice.of(FLOODS),
        ]);
        const [name, read] = choice.of(Object.entries(all));
        const started = process.cpuUsage();
        try {
          read(flood);
        } catch (error) {
          if (!(error instanceof GitError))
            throw new Error(`${name}, ${JSON.stringify(word.toString("latin1"))}`, { cause: error });
        }
        const { user, system } = process.cpuUsage(started);
        if (user + system > 1_500_000)
          throw new Error(
            `${name} takes ${Math.round((user + system) / 1000)} ms for ${JSON.stringify(lead.toString("latin1"))} and ${JSON.stringify(word.toString("latin1"))}`,
          );
      },
    },
    {
      name: "patches",
      run(choice) {
        const patch = mutated(choice, seed, PATCH_WORDS);
        const opened = repository();
        try {
          const text = patch.toString("latin1");
          attempt(() =>
            applyPatch(new Overlay(opened.store), opened.oidOf("main~3^{tree}"), text, { reverse: choice.onceIn(5) }),
          );
        } finally {
          opened.close();
        }
      },
    },
    {
      name: "bundles",
      async run(choice, folder) {
        const path = join(folder, "b");
        writeFileSync(
          path,
          mutated(choice, bundle, [
            bytesOf("# v3 git bundle\n"),
            bytesOf("@object-format=sha256\n"),
            bytesOf("-"),
            bytesOf("\n\n"),
          ]),
        );
        const opened = BundleFile.open(path);
        const into = join(folder, "r.git");
        git(["clone", "-q", "--bare", templates.packed, into]);
        const target = RepositoryFolder.open(into);
        try {
          await opened.unpack(into, target.store);
        } finally {
          target.close();
          opened.close();
        }
      },
    },
  ];
}

function attempt<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}
