import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { git, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "../terminal/answers.ts";

setDefaultTimeout(600_000);

/** A bare repository with one commit of these files; contents are latin1 text. */
function aRepo(dir: string, files: Readonly<Record<string, string>>): void {
  git(["init", "-q", "--bare", "-b", "main", dir]);
  const out = ["commit refs/heads/main\ncommitter C <c@example.org> 1600000000 +0100\ndata 1\nm\n"];
  for (const [path, text] of Object.entries(files))
    out.push(`M 100644 inline ${path}\ndata ${Buffer.from(text, "latin1").length}\n${text}\n`);
  git(["-C", dir, "fast-import", "--quiet"], { input: Buffer.from(out.join(""), "latin1") });
}

test("line ends in archives follow every attribute and setting that says something of them", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  const texts = ["", "text", "-text", "text=auto", "text=input", "text=odd", "crlf", "crlf=input", "-text crlf"];
  const ends = ["", "eol=lf", "eol=crlf", "eol=odd"];
  const files: Record<string, string> = {};
  const lines: string[] = [];
  for (const [i, words] of texts.flatMap((text) => ends.map((end) => `${text} ${end}`)).entries()) {
    lines.push(`d${i}/* ${words}\n`);
    const contents = {
      lf: "a\nb\n",
      crlf: "a\r\n",
      mixed: "a\r\nb\n",
      binary: "a\n\0",
      empty: "",
      control: "\x01\x02\n",
    };
    for (const [name, content] of Object.entries(contents)) files[`d${i}/${name}`] = content;
  }
  aRepo(repo, { ...files, ".gitattributes": lines.join("") });
  for (const auto of ["true", "input", "false"])
    for (const eol of ["lf", "crlf", "native"]) {
      git(["-C", repo, "config", "core.autocrlf", auto]);
      git(["-C", repo, "config", "core.eol", eol]);
      const words = ["archive", "main"];
      // Too long to be shown.
      expect((await hearthGit(repo, words)).stdout === realGit(repo, words).stdout).toBe(true);
    }
});

test("tar.umask, notes in export-subst, and names in zips that are not UTF-8", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  aRepo(repo, { a: "$Format:%N %s$\n", "latin\xe9": "x", ".gitattributes": "a export-subst\n" });
  for (const umask of ["0", "022", "077", "18"]) {
    git(["-C", repo, "config", "tar.umask", umask]);
    expect(await hearthGit(repo, ["archive", "main"])).toEqual(realGit(repo, ["archive", "main"]));
  }
  const zip = ["archive", "--format=zip", "main"];
  const { stderr } = await hearthGit(repo, zip);
  expect(stderr).toBe("warning: path is not valid UTF-8: latin\xe9\n");
});

test("what the system refuses is told in a line", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  aRepo(repo, { a: "a" });
  const nowhere = join(dir.path, "nowhere", "x");
  expect(await hearthGit(repo, ["bundle", "create", nowhere, "main"])).toEqual({
    stdout: "",
    stderr: `fatal: Unable to create '${nowhere}.lock': No such file or directory\n`,
    status: 128,
  });
  expect(await hearthGit(repo, ["archive", "-o", nowhere, "main"])).toMatchObject({
    stderr: expect.stringContaining("No such file or directory"),
    status: 128,
  });
});

test("a commit before 1970 has git's tar", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  aRepo(repo, { a: "a" });
  const text = git(["-C", repo, "cat-file", "commit", "main"])
    .stdout.toString()
    .replace(/^(committer .*>) .*$/m, "$1 -5 +0000");
  const words = ["-C", repo, "hash-object", "-w", "-t", "commit", "--literally", "--stdin"];
  const commit = git(words, { input: text }).stdout.toString().trim();
  expect(await hearthGit(repo, ["archive", commit])).toEqual(realGit(repo, ["archive", commit]));
});

test("the user's own attributes hold in archives; a NUL ends the file of a tree", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  aRepo(repo, { a: "a", b: "b", c: "c", ".gitattributes": "c -export-ignore\n\0\nb export-ignore\n" });
  await Bun.write(join(dir.path, "mine"), "[attr]left export-ignore\na left\nc left\n");
  await Bun.write(join(dir.path, "more"), `[core]\n\tattributesFile = ${dir.path}/mine\n`);
  git(["-C", repo, "config", "include.path", "../more"]);
  const ours = await hearthGit(repo, ["archive", "main"]);
  expect(ours).toEqual(realGit(repo, ["archive", "main"]));
  expect(ours.stdout).not.toContain("a\0\0\0\0");
});

test("paths are pathspecs from the top", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", "-b", "main", repo]);
  const stream = "commit refs/heads/main\ncommitter C <c> 1 +0000\ndata 0\n";
  const files = ["a", "sub/b", "sub/deep/c", "sub/.gitattributes"].map(
    (path) => `M 100644 inline ${path}\ndata 1\n#\n`,
  );
  const link = `M 160000 ${"1".repeat(40)} module\n`;
  git(["-C", repo, "fast-import", "--quiet"], { input: stream + files.join("") + link });
  for (const path of [
    ...["sub", "sub/deep", "sub/deep/../b", "../a", "..", "", "/b", join(repo, "a"), "module/", "a/", "nowhere/../a"],
    ...[":!sub", ":(icase)SUB/B", ":(glob)*/b", ":(literal)*", "s*b/d*", ":(odd)a", ":/sub/b"],
  ]) {
    const words = ["archive", "--prefix=x/", "main", path];
    expect({ words, ...(await hearthGit(repo, words)) }).toEqual({ words, ...realGit(repo, words) });
  }
});
