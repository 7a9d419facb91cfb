import { random } from "../../random.ts";
import { git } from "../objects/real-git.ts";

export interface HistoryShape {
  readonly commits: number;
  readonly seed: number;
  readonly branches: number;
  /** No commit is older than its parents. */
  readonly clocksAreRight?: boolean;
}

const FILES = [
  "a",
  "b.txt",
  "src/a",
  "src/b",
  "src/deep/c",
  "src/deep/d",
  "docs/x",
  "docs/y.md",
  "z",
  "src.txt",
  "é/ü",
];

/**
 * Makes the bare repository `dir` with fast-import: several branches that change, delete, revert and move files, merges
 * (some of three branches, some that take one side whole), equal and backward dates. Branches `main`, `b1`, `b2`...
 */
export function randomHistory(dir: string, { commits, seed, branches, clocksAreRight }: HistoryShape): void {
  const next = random(seed);
  const pick = (n: number) => Math.floor(next() * n);
  git(["init", "-q", "--bare", "-b", "main", dir]);
  const names = Array.from({ length: branches }, (_, i) => (i === 0 ? "main" : `b${i}`));
  const tips = new Map<string, { mark: number; files: Map<string, string> }>();
  const script: string[] = [];
  let time = 1_500_000_000;
  for (let mark = 1; mark <= commits; mark++) {
    const branch = names[pick(branches)]!;
    let tip = tips.get(branch);
    const others = [...tips.entries()].filter(([name]) => name !== branch).map(([, other]) => other);
    if (!tip && others.length > 0 && next() < 0.9) tip = others[pick(others.length)]!;
    const step = [0, 0, 60, 3600, 90_000, -40_000][pick(6)]!;
    time += clocksAreRight ? Math.abs(step) : step;
    script.push(`commit refs/heads/${branch}\nmark :${mark}\n`);
    const committed = time + (clocksAreRight ? 0 : pick(100));
    script.push(`author A <a@x> ${time} +0000\ncommitter C <c@x> ${committed} +0000\ndata 4\nc${mark % 10}x\n\n`);
    let files = new Map(tip?.files);
    if (tip) script.push(`from :${tip.mark}\n`);
    const merged = tip ? others.filter((other) => other.mark !== tip.mark) : [];
    if (merged.length > 0 && next() < 0.3) {
      const side = merged[pick(merged.length)]!;
      script.push(`merge :${side.mark}\n`);
      const extra = merged.find((other) => other !== side && other.mark !== side.mark);
      if (extra && next() < 0.3) script.push(`merge :${extra.mark}\n`);
      const how = next();
      if (how < 0.25) files = new Map(side.files);
      else if (how < 0.8) for (const [path, text] of side.files) if (next() < 0.5) files.set(path, text);
    }
    const edits = pick(4);
    for (let i = 0; i < edits; i++) {
      const path = FILES[pick(FILES.length)]!;
      if (next() < 0.15) files.delete(path);
      else files.set(path, `${pick(4)}\n`);
    }
    script.push("deleteall\n");
    for (const [path, text] of files) script.push(`M 100644 inline ${path}\ndata ${text.length}\n${text}\n`);
    script.push("\n");
    tips.set(branch, { mark, files });
  }
  git(["-C", dir, "fast-import", "--quiet", "--force"], { input: script.join("") });
}
