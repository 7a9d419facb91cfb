import { expect, test } from "bun:test";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { applyPatch } from "../../../src/git/apply/apply.ts";
import { PatchTooExpensive } from "../../../src/git/apply/image.ts";
import { parsePatch } from "../../../src/git/apply/parse.ts";
import { MalformedPatch, PatchRefused } from "../../../src/git/apply/patch.ts";
import { GitError } from "../../../src/git/errors.ts";
import { Overlay } from "../../../src/git/odb/overlay.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { expectLinear } from "../../growth.ts";
import { newSeed, random } from "../../random.ts";
import { git, tempDir } from "../objects/real-git.ts";

/** A repository with nothing in it, and a tree of some files. */
function treeOf(files: Readonly<Record<string, readonly [mode: string, text: string]>>) {
  const dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", repo]);
  const lines = Object.entries(files).map(([name, [mode, text]]) => {
    const oid = git(["-C", repo, "hash-object", "-w", "--stdin"], { input: text }).stdout.toString().trim();
    return `${mode},${oid},${name}`;
  });
  const env = { GIT_INDEX_FILE: join(repo, "index") };
  git(["-C", repo, "update-index", "--add", ...lines.flatMap((line) => ["--cacheinfo", line])], { env });
  const tree = git(["-C", repo, "write-tree"], { env }).stdout.toString().trim();
  const store = ObjectStore.open(repo);
  const close = () => {
    store.close();
    dir[Symbol.dispose]();
  };
  return {
    tree,
    store,
    apply: (patch: string) => applyPatch(new Overlay(store), tree, patch),
    [Symbol.dispose]: close,
  };
}

const newFile = (name: string, mode = "100644") =>
  `diff --git a/${name} b/${name}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`;

test.each([
  ["../up", "invalid path '../up'"],
  ["a/../../up", "invalid path 'a/../../up'"],
  [".git/config", "invalid path '.git/config'"],
  ["sub/.GIT/hooks/x", "invalid path 'sub/.GIT/hooks/x'"],
  ["git~1/x", "invalid path 'git~1/x'"],
  ["link/inside", "affected file 'link/inside' is beyond a symbolic link"],
  ["file/inside", "unable to add cache entry for file/inside"],
  ["folder", "unable to add cache entry for folder"],
])("a new file called %s is refused", (name, problem) => {
  using it = treeOf({ link: ["120000", "/etc"], file: ["100644", "a\n"], "folder/x": ["100644", "b\n"] });
  expect(() => it.apply(newFile(name))).toThrow(new PatchRefused([problem]));
});

test("a link made by the patch itself leads nowhere either", () => {
  using it = treeOf({ file: ["100644", "a\n"] });
  const problem = "affected file 'evil/passwd' is beyond a symbolic link";
  expect(() => it.apply(newFile("evil", "120000") + newFile("evil/passwd"))).toThrow(new PatchRefused([problem]));
});

test("a patch that fits nearly everywhere is given up after a number of comparisons", () => {
  using it = treeOf({ big: ["100644", "a\n".repeat(200_000)] });
  const hunk = `@@ -5,3001 +5,3002 @@\n${" a\n".repeat(3000)}+new\n b\n`;
  const patch = `diff --git a/big b/big\n--- a/big\n+++ b/big\n${hunk}${hunk}${hunk}`;
  expect(() => it.apply(patch)).toThrow(GitError);
  expect(() => it.apply(patch)).toThrow(PatchTooExpensive);
});

test("bombs are refused before they go off", () => {
  using it = treeOf({ file: ["100644", "a\n"] });
  const zeros = deflateSync(Buffer.alloc(100_000_000));
  const head = `diff --git a/x b/x\nnew file mode 100644\nindex ${"0".repeat(40)}..${"1".repeat(40)}\nGIT binary patch\n`;
  expect(() => it.apply(`${head}literal 99999999999\n${base85(deflateSync(Buffer.alloc(1)))}\n`)).toThrow(
    MalformedPatch,
  );
  expect(() => it.apply(`${head}literal 10\n${base85(zeros)}\n`)).toThrow(MalformedPatch);
  // A delta that says it makes four gigabytes.
  const delta = deflateSync(Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 65]));
  expect(() => it.apply(`${head}delta 8\n${base85(delta)}\n`)).toThrow(PatchRefused);
});

function base85(data: Uint8Array): string {
  // The lines of a literal that is stored as it is are those of its deflated form; take over only how they are written.
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
  let text = "";
  for (let at = 0; at < data.length; at += 52) {
    const line = data.subarray(at, at + 52);
    text += String.fromCharCode(line.length <= 26 ? 0x40 + line.length : 0x60 + line.length - 26);
    for (let i = 0; i < line.length; i += 4) {
      let value = 0;
      for (let k = 0; k < 4; k++) value = value * 256 + (line[i + k] ?? 0);
      let digits = "";
      for (let k = 0; k < 5; k++) {
        digits = alphabet[value % 85]! + digits;
        value = Math.floor(value / 85);
      }
      text += digits;
    }
    text += "\n";
  }
  return text;
}

test("long lines and many headers take linear time", () => {
  const texts: ((n: number) => string)[] = [
    (n) => `--- a${" ".repeat(n)}x\n+++ b${" ".repeat(n)}\n@@ -1 +1 @@\n-a\n+b\n`,
    (n) => `diff --git a${" ".repeat(n)}/x b${" ".repeat(n)}/x\nnew file mode 100644\n`,
    (n) => `diff --git "${"\\".repeat(n)}\n`,
    (n) => "diff --git a/x b/x\n".repeat(n / 40),
  ];
  for (const text of texts)
    expectLinear(500_000, (n) => {
      try {
        parsePatch(text(n));
      } catch (error) {
        expect(error).toBeInstanceOf(GitError);
      }
    });
});

test("random bytes are a patch or a typed error", () => {
  using it = treeOf({ file: ["100644", "a\nb\nc\n"] });
  const next = random(newSeed());
  const pieces = [
    "diff --git a/file b/file\n",
    "--- a/file\n",
    "+++ b/file\n",
    "@@ -1,3 +1,3 @@\n",
    " a\n",
    "-b\n",
    "+c\n",
    "\\ No newline\n",
    "GIT binary patch\n",
    "literal 3\n",
    "zcmZ\n",
    "rename from file\n",
    "rename to x\n",
    "index 1..2 100644\n",
    "deleted file mode 100644\n",
    "@@ -0,0 +9999999999999999999 @@\n",
    "\n",
    "From: a@b\n",
    "\0\xff",
  ];
  for (let i = 0; i < 3000; i++) {
    let text = "";
    for (let k = Math.floor(next() * 12); k >= 0; k--) text += pieces[Math.floor(next() * pieces.length)];
    try {
      it.apply(text);
    } catch (error) {
      expect(error).toBeInstanceOf(GitError);
    }
  }
});
