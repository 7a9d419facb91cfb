import { expect, test } from "bun:test";
import { join } from "node:path";
import { parseSignature } from "../../../src/git/objects/signature.ts";
import { newSeed } from "../../random.ts";
import { tempDir } from "../objects/real-git.ts";
import { bombs } from "./bombs.ts";
import { allTargets } from "./fuzz/targets.ts";
import { flawOf } from "./fuzz/watch.ts";

test("small packs that ask for much cost little: time, memory", () => {
  const { stdout, stderr } = Bun.spawnSync(["bun", join(import.meta.dir, "bombs.run.ts")], { env: { ...process.env } });
  const costs = stdout
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { story: string; cpuMs: number; rssMiB: number });
  expect({ stderr: stderr.toString(), bombs: costs.length }).toEqual({ stderr: "", bombs: bombs.length });
  // Three seconds where two are meant: other work on the machine slows the same instructions down.
  expect(costs.filter(({ cpuMs, rssMiB }) => cpuMs > 3000 || rssMiB > 512)).toEqual([]);
});

test("a signature's date of megabytes of digits is read in a moment", () => {
  const started = process.cpuUsage();
  expect(parseSignature(`A <a@b> ${"0".repeat(1_000_000)}`)).toMatchObject({ name: "A", email: "a@b", timestamp: 0 });
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000).toBeLessThan(1000);
});

test("hostile input ends in a typed error or a right answer, in time, and leaves nothing open or behind", async () => {
  using scratch = tempDir();
  const targets = allTargets(scratch.path);
  const seed = newSeed();
  const flaws: string[] = [];
  for (let i = 0; i < 4 * targets.length; i++) {
    const target = targets[i % targets.length]!;
    const caseSeed = (seed + i * 7919) >>> 0;
    // Twice: a server that another file of tests is closing in this process opens and closes files meanwhile.
    const isFlawed = (await flawOf(target, caseSeed, scratch.path)) !== undefined;
    const flaw = isFlawed ? await flawOf(target, caseSeed, scratch.path) : undefined;
    if (flaw !== undefined) flaws.push(`bun tests/git/hostile/fuzz.ts case ${caseSeed} "${target.name}": ${flaw}`);
  }
  expect(flaws).toEqual([]);
});
