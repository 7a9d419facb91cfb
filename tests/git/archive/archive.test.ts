import { expect, test } from "bun:test";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { WorkerPool } from "../../../src/workers/pool.ts";
import { newSeed, random } from "../../random.ts";
import { unzipped } from "../../unzipped.ts";
import { git, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "../terminal/answers.ts";

const ATTRIBUTES = [
  "*.txt text",
  "*.crlf eol=crlf",
  "* text=auto",
  "*.auto text=auto eol=crlf",
  "*.id ident",
  "ignored export-ignore",
  "d1/ export-ignore",
  "d2/** export-ignore",
  "*.subst export-subst",
  "*.bin -diff",
  "*.txt diff",
  "*.u16 text working-tree-encoding=UTF-16LE-BOM",
  "*.crlf !eol",
  "[attr]gone export-ignore",
  "x* gone",
  "*.subst eol=crlf",
  "*.txt crlf=input",
];
const TEXTS = [
  "",
  "plain\n",
  "a\nb\r\nc\n",
  "one\ntwo\nthree",
  "$Id$ and $Id: old $ and $Id: a b $\n",
  "$Format:%H %h %an %aN <%ae> %ad %s%n%d$ $Format:$ $Format:%b",
  "nul\0here\n",
  "x\ny\x01\x02\x03\x04\n",
  "é ü\nß\n",
  "$Format:%cI|%f$\n".repeat(3),
  "long line of text, repeated\n".repeat(400),
  "$Format:%(describe)$ $Format:%(describe:tags=true)$\n",
];
const NAMES = [
  "a.txt",
  "b.crlf",
  "c.auto",
  "d.id",
  "ignored",
  "e.subst",
  "f.bin",
  "g.u16",
  "xgone",
  "sp ace",
  "é.txt",
  "\\udcff.txt",
  "n".repeat(101),
  "m".repeat(60),
];
const FOLDERS = ["", "d1/", "d2/", "d3/", "d3/deep/", `${"p".repeat(90)}/${"q".repeat(80)}/`, `${"r".repeat(160)}/`];

/** A commit with every kind of entry, made by fast-import. */
function aRepo(dir: string, seed: number): void {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  git(["init", "-q", "--bare", "-b", "main", dir]);
  const out: Buffer[] = [];
  const add = (text: string) => out.push(Buffer.from(text));
  add(
    `commit refs/heads/main\nauthor Ä Author <a@x> 1600000000 +0200\ncommitter C <c@x> ${pick([1600000000, 100000, 1700000001])} -0330\ndata 16\nsubject\n\nbody x\n\n`,
  );
  const file = (mode: string, path: string, data: string) => {
    const bytes = Buffer.from(data);
    add(`M ${mode} inline "${path.replaceAll("\\udcff", "\\377")}"\ndata ${bytes.length}\n`);
    out.push(bytes);
    add("\n");
  };
  for (const folder of ["", "d3/"]) {
    if (next() < 0.8)
      file(
        "100644",
        `${folder}.gitattributes`,
        Array.from({ length: 1 + Math.floor(next() * 8) }, () => pick(ATTRIBUTES)).join("\n"),
      );
  }
  for (let i = 0; i < 40; i++) {
    const path = pick(FOLDERS) + pick(NAMES);
    const kind = next();
    if (kind < 0.1) file("120000", path, pick(["target", "l".repeat(100), "l".repeat(101), "ü".repeat(80)]));
    else if (kind < 0.15) add(`M 160000 ${"12".repeat(20)} "${path.replaceAll("\\udcff", "\\377")}"\n`);
    else file(kind < 0.3 ? "100755" : "100644", path, pick(TEXTS));
  }
  add(`tag v1\nfrom refs/heads/main\ntagger T <t@x> 1700000000 +0000\ndata 2\nt\n\n`);
  git(["-C", dir, "fast-import", "--quiet"], { input: Buffer.concat(out) });
}

test("archives are git's", async () => {
  const seed = newSeed();
  for (let round = 0; round < 5; round++) {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    aRepo(repo, seed + round);
    const cases = [
      ["HEAD"],
      ["v1"],
      ["--prefix=a/b/", "HEAD"],
      ["--prefix=x-", "HEAD"],
      ["--prefix=q//", "HEAD", "d3"],
      ["HEAD", "d3", "a.txt"],
      ["HEAD", "d3/"],
      ["HEAD", "*.txt"],
      ["HEAD", "d?/*"],
      ["-v", "HEAD"],
      ["HEAD", "--", "nothing"],
      ["nope"],
      ["HEAD:d3"],
    ];
    for (const words of cases) {
      const isTree = words.includes("HEAD:d3");
      for (const format of isTree ? [] : ["tar", "zip"]) {
        const all = ["archive", `--format=${format}`, ...(format === "zip" ? ["-0"] : []), ...words];
        const expected = realGit(repo, all);
        const found = await hearthGit(repo, all);
        expect({ all, status: found.status, stderr: said(Buffer.from(found.stderr, "latin1").toString()) }).toEqual({
          all,
          status: expected.status,
          stderr: said(expected.stderr),
        });
        if (found.stdout !== expected.stdout)
          expect({ all, difference: firstDifference(found.stdout, expected.stdout) }).toEqual({
            all,
            difference: "none",
          });
      }
    }
  }
});

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return `${a.length} and ${b.length} bytes, at ${at}: ${JSON.stringify(a.slice(at - 20, at + 60))} instead of ${JSON.stringify(b.slice(at - 20, at + 60))}`;
}

/** Without git's warnings. */
function said(stderr: string): string {
  return stderr
    .split("\n")
    .filter((line) => !/not allowed: |^warning: /.test(line))
    .join("\n");
}

test("packed archives hold what git's hold, and are the same every time", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  aRepo(repo, newSeed());
  const tar = realGit(repo, ["archive", "HEAD"]).stdout;
  const tgz = await hearthGit(repo, ["archive", "--format=tgz", "HEAD"]);
  expect(gunzipSync(Buffer.from(tgz.stdout, "latin1")).toString("latin1") === tar).toBe(true);
  expect(tgz.stdout.slice(0, 10)).toBe(realGit(repo, ["archive", "--format=tgz", "HEAD"]).stdout.slice(0, 10));
  expect((await hearthGit(repo, ["archive", "--format=tar.gz", "HEAD"])).stdout === tgz.stdout).toBe(true);
  const zip = await hearthGit(repo, ["archive", "--format=zip", "HEAD"]);
  expect(unzipped(zip.stdout)).toEqual(unzipped(realGit(repo, ["archive", "--format=zip", "HEAD"]).stdout));
  expect((await hearthGit(repo, ["archive", "--list"])).stdout).toBe(realGit(repo, ["archive", "--list"]).stdout);
});

/** Large files come in pieces; zip says their sizes after them. */
test("a worker streams an archive, large files in pieces", async () => {
  using dir = tempDir();
  const repoDir = join(dir.path, "r.git");
  git(["init", "-q", "--bare", "-b", "main", repoDir]);
  const size = 20 * 1024 * 1024;
  const big = Buffer.alloc(size, "0123456789abcde\n");
  const script = Buffer.concat([
    Buffer.from(
      `commit refs/heads/main\ncommitter C <c@x> 1600000000 +0000\ndata 2\nx\nM 100644 inline big\ndata ${size}\n`,
    ),
    big,
    Buffer.from("\nM 100644 inline small\ndata 2\ny\n\n"),
  ]);
  git(["-C", repoDir, "fast-import", "--quiet"], { input: script });
  const oid = git(["-C", repoDir, "rev-parse", "main"]).stdout.toString().trim();
  const pool = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 1000 });
  const packed = async (format: "tar" | "zip" | "tgz") => {
    const job = pool.start("git.archive", { repoDir, oid, format, prefix: "p/" });
    job.end();
    const bytes = Buffer.from(await new Response(job.output).arrayBuffer());
    expect((await job.result).bytes).toBe(bytes.length);
    return bytes;
  };
  try {
    const expected = git(["-C", repoDir, "archive", "--prefix=p/", "main"]).stdout;
    expect((await packed("tar")).equals(expected)).toBe(true);
    expect(gunzipSync(await packed("tgz")).equals(expected)).toBe(true);
    const files = unzipped((await packed("zip")).toString("latin1"));
    expect(files.map(({ name }) => name)).toEqual(["p/", "p/big", "p/small"]);
    expect(files[1]!.content === big.toString("latin1")).toBe(true);
  } finally {
    pool.close();
  }
});
