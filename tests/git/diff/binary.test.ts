import { expect, test } from "bun:test";
import { join } from "node:path";
import { newSeed, random } from "../../random.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit } from "../terminal/answers.ts";

/** Bytes of several kinds: noise, text, long runs, and what is like something else. */
function contents(next: () => number): Uint8Array[] {
  const pick = (n: number) => Math.floor(next() * n);
  const kinds: ((length: number) => Uint8Array)[] = [
    (length) => Uint8Array.from({ length }, () => pick(256)),
    (length) => Uint8Array.from({ length }, () => (next() < 0.8 ? 0 : pick(9))),
    (length) => Buffer.from("\0some words in a row, again and again\n".repeat(length / 30)).subarray(0, length),
    (length) => Uint8Array.from({ length }, (_, i) => (i >> 3) + (i >> 7) + pick(2)),
  ];
  return Array.from({ length: 24 }, () => kinds[pick(kinds.length)]!(pick(2) === 0 ? pick(3000) : pick(90_000)));
}

function edited(data: Uint8Array, next: () => number): Uint8Array {
  const pick = (n: number) => Math.floor(next() * n);
  let result = Buffer.from(data);
  for (let i = pick(8); i >= 0; i--) {
    const at = pick(result.length + 1);
    const noise = Buffer.from(Array.from({ length: pick(400) }, () => pick(256)));
    const moved = result.subarray(pick(result.length), pick(result.length));
    result = Buffer.concat([result.subarray(0, at), noise, moved, result.subarray(at + pick(3000))]);
  }
  return result;
}

test("git applies a binary patch, forwards and backwards", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", "-b", "main", repo]);
  const next = random(newSeed());
  const script: Uint8Array[] = [];
  const text = (line: string) => script.push(Buffer.from(line));
  const before = contents(next).map((data) => Buffer.concat([Buffer.from("\0"), data]));
  const after = before.map((data) => edited(data, next));
  for (const [i, files] of [before, after].entries()) {
    text(`commit refs/heads/main\ncommitter C <c@x> ${1_600_000_000 + i} +0000\ndata 1\nx\n`);
    for (const [n, data] of files.entries()) {
      text(`M 100644 inline f${n}\ndata ${data.length}\n`);
      script.push(data);
      text("\n");
    }
  }
  git(["-C", repo, "fast-import", "--quiet"], { input: Buffer.concat(script) });
  const patch = Buffer.from((await hearthGit(repo, ["diff", "--binary", "main~1", "main"])).stdout, "latin1");
  expect(patch.includes("\ndelta ") && patch.includes("\nliteral ")).toBe(true);
  const env = { GIT_INDEX_FILE: join(dir.path, "index") };
  for (const [from, to, ...options] of [
    ["main~1", "main"],
    ["main", "main~1", "--reverse"],
  ] as const) {
    git(["-C", repo, "read-tree", from], { env });
    git(["-C", repo, "apply", "--cached", ...options], { env, input: patch });
    expect(gitText(["-C", repo, "write-tree"], { env })).toBe(gitText(["-C", repo, "rev-parse", `${to}^{tree}`]));
  }
});
