import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(60_000);

const FILES: Readonly<Record<string, string>> = {
  lf: "a\nb\n",
  crlf: "a\r\nb\r\n",
  mixed: "a\r\nb\n",
  "lone-cr": "a\rb\r\n",
  "cr-crlf": "a\r\r\nb\r\n",
  nul: "a\r\n\0b\r\n",
  control: "\x01\x02\x03a\r\n",
  end: "a\r\nb\x1a",
  ids: "$Id$ $Id: abc $ $Id: a b c $\n$Id: x\n$Id:$ $Ident$\r\n",
  empty: "",
  "sub/crlf": "x\r\n",
};

const RULES = [
  "",
  "* text",
  "* text=auto",
  "* -text",
  "* eol=lf",
  "* text=auto eol=crlf",
  "* -text eol=lf",
  "* crlf=input",
  "* -crlf",
  "* text ident",
  "* text=bogus",
  "sub/* text",
];

test("hash-object takes files into the repository as git does: line ends, ident, encodings", async () => {
  using dir = tempDir();
  const path = join(dir.path, "work");
  mkdirSync(join(path, "sub"), { recursive: true });
  git(["init", "-q", path]);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(path, name), text, "latin1");
  const same = async (folder: string, words: readonly string[], stdin = "") => {
    const { stdout, status } = realGit(folder, ["hash-object", ...words], { stdin });
    const found = await hearthGit(folder, ["hash-object", ...words], { stdin });
    expect({ words, stdout: found.stdout, status: found.status }).toEqual({ words, stdout, status });
  };
  for (const setting of ["false", "input", "true"]) {
    git(["-C", path, "config", "core.autocrlf", setting]);
    for (const rule of RULES) {
      writeFileSync(join(path, ".gitattributes"), `${rule}\n`);
      await same(path, Object.keys(FILES));
      await same(join(path, "sub"), ["crlf", "../crlf", join(path, "crlf")]);
    }
  }
  writeFileSync(join(path, ".gitattributes"), "*.txt text\nsub/* text\n");
  git(["-C", path, "config", "--unset", "core.autocrlf"]);
  await same(path, ["--no-filters", "sub/crlf"]);
  await same(path, ["--path=x.txt", "crlf"]);
  await same(join(path, "sub"), ["--path=x", "../crlf"]);
  await same(path, ["--stdin", "--path=x.txt"], "a\r\n");
  await same(path, ["--stdin"], "a\r\n");
  await same(path, ["--stdin-paths"], "crlf\nsub/crlf\n");
  await same(path, ["--path=x.txt", "--no-filters", "crlf"]);
  await same(path, ["--path=x.txt", "--stdin-paths"]);
  await same(path, ["-t", "tree", "--path=x.txt", "--stdin"]);
  const encoded = Buffer.from("\ufeffa\r\né\n", "utf16le");
  writeFileSync(join(path, "wide"), encoded);
  for (const encoding of ["UTF-16", "UTF-16LE-BOM", "UTF-16LE", "latin1", "nobody's"]) {
    writeFileSync(join(path, ".gitattributes"), `wide text working-tree-encoding=${encoding}\n`);
    await same(path, ["wide"]);
  }
});
