import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { newSeed, random } from "../../random.ts";
import { randomHistory } from "../graph/random-history.ts";
import { buildHistory, git, tempDir } from "../objects/real-git.ts";
import { type Answer, hearthGit, realGit } from "./answers.ts";

/** Both print the same and end alike; what a usage says is not compared. */
async function expectSame(repo: string, words: readonly string[]): Promise<void> {
  const shown = (answer: Answer) => ({ words, ...answer, stderr: answer.status === 129 ? "" : answer.stderr });
  expect(shown(await hearthGit(repo, words))).toEqual(shown(realGit(repo, words)));
}

const ATOMS = [
  "refname",
  "refname:short",
  "refname:lstrip=2",
  "refname:rstrip=1",
  "refname:strip=-1",
  "refname:lstrip=9",
  "objecttype",
  "objectsize",
  "objectname",
  "objectname:short",
  "objectname:short=12",
  "tree",
  "tree:short",
  "parent",
  "numparent",
  "object",
  "type",
  "tag",
  "author",
  "authorname",
  "authoremail",
  "authoremail:trim",
  "authoremail:localpart",
  "authordate",
  "authordate:iso",
  "authordate:short",
  "committer",
  "committername",
  "committerdate:unix",
  "tagger",
  "taggername",
  "taggeremail",
  "taggerdate:raw",
  "creator",
  "creatordate",
  "creatordate:format:%Y",
  "subject",
  "subject:sanitize",
  "body",
  "contents",
  "contents:subject",
  "contents:body",
  "contents:signature",
  "contents:size",
  "contents:lines=2",
  "trailers",
  "trailers:only",
  "contents:trailers:key=Cc",
  "HEAD",
  "symref",
  "upstream",
  "raw:size",
  "*objecttype",
  "*objectname",
  "*authordate",
  "*subject",
  "*type",
  "align:30,right",
  "if",
  "if:equals=main",
  "color:red",
  "nope",
];

function aRepo(dir: string, seed: number): string {
  const repo = join(dir, "r.git");
  randomHistory(repo, { commits: 40, seed, branches: 4 });
  git(["-C", repo, "tag", "-a", "-m", "one\nmore\n\nbody\n\nCc: x <y@z>\n", "v1.2", "main~1"]);
  git([
    "-C",
    repo,
    "tag",
    "-a",
    "-m",
    "two\n\n-----BEGIN PGP SIGNATURE-----\nabc\n-----END PGP SIGNATURE-----\n",
    "v1.10",
    "main",
  ]);
  git(["-C", repo, "tag", "-a", "-m", "of a tag", "v1.9", "v1.2"]);
  git(["-C", repo, "tag", "tree", "main^{tree}"]);
  git(["-C", repo, "tag", "b1", "main"]);
  git(["-C", repo, "update-ref", "refs/remotes/o/main", "main"]);
  git(["-C", repo, "symbolic-ref", "refs/remotes/o/HEAD", "refs/remotes/o/main"]);
  git(["-C", repo, "update-ref", "refs/heads/dir/é", "main"]);
  git(["-C", repo, "pack-refs"]);
  return repo;
}

test("for-each-ref prints what git prints", async () => {
  using dir = tempDir();
  const seed = newSeed();
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const repo = aRepo(dir.path, seed);
  const piece = () => {
    const atom = pick(ATOMS);
    if (atom.startsWith("align")) return `%(${atom})x%(${pick(ATOMS.slice(0, 20))})%(end)`;
    if (atom.startsWith("if"))
      return `%(${atom})%(${pick(["HEAD", "symref", "refname:short", "tag"])})%(then)yes%(else)%(refname)%(end)`;
    return `%(${atom})`;
  };
  const sorts = [
    "refname",
    "-refname",
    "objectsize",
    "-creatordate",
    "authordate",
    "version:refname",
    "-v:refname",
    "objecttype",
    "*objecttype",
    "taggerdate",
    "subject",
  ];
  const patterns = [
    "refs/heads",
    "refs/tags/",
    "refs/heads/b*",
    "refs/*/main",
    "refs/tags/v1",
    "refs/**/main",
    "nothing",
    "refs/heads/dir/é",
  ];
  const filters = [
    "--points-at=main",
    "--points-at=v1.2",
    "--contains=main~2",
    "--no-contains=main~1",
    "--merged=main",
    "--no-merged=b1",
    "--contains",
    "--merged=nope",
    "--points-at=nope",
    "--contains=main^{tree}",
    "--count=3",
    "--count=0",
    "--ignore-case",
  ];
  for (let i = 0; i < 150; i++) {
    const words = ["for-each-ref"];
    if (next() < 0.8)
      words.push(
        `--format=${Array.from({ length: 1 + Math.floor(next() * 3) }, piece).join(pick([" ", "|", "%0a", "%%"]))}`,
      );
    while (next() < 0.4) words.push(`--sort=${pick(sorts)}`);
    if (next() < 0.3) words.push(pick(patterns));
    if (next() < 0.3) words.push(pick(filters));
    const expected = realGit(repo, words);
    const found = await hearthGit(repo, words);
    const said = (text: string) => text.replace(/^usage: [\s\S]*/m, "").replace(/^warning: .*\n/gm, "");
    expect({ words, ...found, stderr: said(found.stderr) }).toEqual({
      words,
      ...expected,
      stderr: said(expected.stderr),
    });
  }
});

describe("for-each-ref of a clone", () => {
  test("tells what branches follow, where they are checked out and how objects are stored", async () => {
    using dir = tempDir();
    const origin = join(dir.path, "origin.git");
    buildHistory(origin, 12);
    const clone = join(dir.path, "clone");
    git(["clone", "-q", origin, clone]);
    const run = (...words: string[]) => git(["-C", clone, ...words]);
    run("checkout", "-q", "-b", "ahead", "--track", "origin/main");
    run("commit", "-q", "--allow-empty", "-m", "ahead");
    run("branch", "-q", "local", "--track", "main");
    run("branch", "-q", "behind", "main~3");
    run("branch", "-q", "-u", "origin/main", "behind");
    run("branch", "-q", "apart", "ahead~2");
    run("config", "branch.apart.remote", "origin");
    run("config", "branch.apart.merge", "refs/heads/gone");
    run("config", "branch.behind.pushRemote", "elsewhere");
    run("worktree", "add", "-q", join(dir.path, "linked"), "behind");
    const followed = [
      "",
      ":short",
      ":track",
      ":trackshort",
      ":track,nobracket",
      ":remotename",
      ":remoteref",
      ":lstrip=2",
    ];
    const fields = [
      ...["upstream", "push"].flatMap((name) => followed.map((option) => `${name}${option}`)),
      "worktreepath",
      "objectsize:disk",
      "deltabase",
      "*refname",
      "color:red",
      "color:none of these",
      "upstream:nothing",
      "objectname:short=0",
      "creatorname",
      "refname:nothing",
    ];
    for (const field of fields) await expectSame(clone, ["for-each-ref", `--format=%(refname) [%(${field})]`]);
    await expectSame(clone, ["for-each-ref", "--sort=upstream", "--sort=-objectsize:disk", "--format=%(refname)"]);
    await expectSame(clone, [
      "for-each-ref",
      "--sort=-refname",
      "--no-sort",
      "--sort=objectsize",
      "--format=%(refname)",
    ]);
    await expectSame(clone, ["for-each-ref", "--ignore-case", "REFS/HEADS", "refs/heads/AH*"]);
    const odd = [
      "%(if)x",
      "%(then)",
      "%(else)",
      "%(if)%(then)a%(else)b%(else)c%(end)",
      "%(align)x%(end)",
      "x%(refname",
    ];
    for (const format of odd) await expectSame(clone, ["for-each-ref", `--format=${format}`]);
    for (const colour of ["--color", "--color=always", "--color=never", "--no-color"])
      for (const format of ["%(color:red bold)%(refname)", "%(color:blue)%(refname)%(color:reset)|"])
        await expectSame(clone, ["for-each-ref", colour, `--format=${format}`]);
  });

  test("quotes values for other languages", async () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    buildHistory(repo, 3);
    const message = 'it\'s ! a "subject" with \\ and $[x]{y}\n\n\ttab\r\nline\v\f\n';
    git(["-C", repo, "tag", "-a", "-F", "-", "odd's!$", "main"], { input: message });
    const formats = [
      "%(refname) = %(contents)",
      "%(if)%(taggername)%(then)%(subject)%(else)none%(end);%(objecttype)",
      "%(align:30)%(refname)%(end)|%0a%%",
      "%(raw)",
    ];
    for (const language of ["--shell", "--perl", "--python", "--tcl", "-s", "-p"])
      for (const format of formats) await expectSame(repo, ["for-each-ref", language, `--format=${format}`]);
    await expectSame(repo, ["for-each-ref", "--shell", "--perl"]);
  });
});
