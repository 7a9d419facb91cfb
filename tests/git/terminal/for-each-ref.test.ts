import { expect, test } from "bun:test";
import { join } from "node:path";
import { newSeed, random } from "../../random.ts";
import { randomHistory } from "../graph/random-history.ts";
import { git, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

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
