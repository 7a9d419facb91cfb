import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { RepositoryFolder } from "../../../src/git/folder.ts";
import { gc } from "../../../src/git/maintenance/gc.ts";
import { git, gitText } from "../objects/real-git.ts";
import { packsOf } from "./many-pushes.ts";

/**
 * Maintenance against `git gc`, by hand: `bun tests/git/maintenance/compare.ts REPOSITORY.git…`. Each repository is copied twice;
 * one copy gets `git gc`, the other ours. Prints bytes of the packs, seconds of processor and the ratios, and checks
 * with real git that nothing is missing.
 */
interface Cost {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

const folder = mkdtempSync(join(tmpdir(), "hearth-compare-"));

async function ours(repo: string): Promise<Cost & { peakMiB: number }> {
  const child = Bun.spawn(["bun", import.meta.path, "--collect", repo], { stdout: "pipe", stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("collect failed");
  const usage = child.resourceUsage();
  const { wallSeconds } = JSON.parse(text) as { wallSeconds: number };
  return {
    cpuSeconds: Number(usage!.cpuTime.total) / 1e6,
    wallSeconds,
    peakMiB: usage!.maxRSS / 1024 / 1024,
  };
}

function theirs(repo: string): Cost {
  const start = performance.now();
  const child = Bun.spawnSync(["git", "-C", repo, "gc", "-q"], { stderr: "inherit" });
  if (child.exitCode !== 0) throw new Error("git gc failed");
  const cpuSeconds = Number(child.resourceUsage.cpuTime.total) / 1e6;
  return { cpuSeconds, wallSeconds: (performance.now() - start) / 1000 };
}

function objects(repo: string): string {
  const text = gitText(["-C", repo, "rev-list", "--all", "--objects", "--no-object-names"]);
  return new Bun.CryptoHasher("sha1").update(text.split("\n").sort().join("\n")).digest("hex");
}

async function collectHere(repo: string): Promise<void> {
  const repository = RepositoryFolder.open(repo);
  const start = performance.now();
  await gc(repository, { pruneBefore: Math.floor(Date.now() / 1000) - 14 * 86_400 });
  repository.close();
  console.log(JSON.stringify({ wallSeconds: (performance.now() - start) / 1000 }));
}

if (process.argv[2] === "--collect") await collectHere(process.argv[3]!);
else {
  try {
    for (const path of process.argv.slice(2)) {
      const [a, b] = ["git", "hearth"].map((who) => join(folder, `${who}-${basename(path)}`));
      cpSync(path, a!, { recursive: true });
      const git1 = theirs(a!);
      const gitBytes = packsOf(a!).bytes;
      rmSync(a!, { recursive: true });
      cpSync(path, b!, { recursive: true });
      const hearth = await ours(b!);
      const { bytes, packs } = packsOf(b!);
      const fsck = git(["-C", b!, "fsck", "--full", "--connectivity-only"], { mayFail: true });
      const same = objects(b!) === objects(path);
      rmSync(b!, { recursive: true });
      console.log(
        [
          basename(path).padEnd(24),
          `size ${(bytes / 1e6).toFixed(1)} / ${(gitBytes / 1e6).toFixed(1)} MB = ${(bytes / gitBytes).toFixed(3)}`,
          `cpu ${hearth.cpuSeconds.toFixed(1)} / ${git1.cpuSeconds.toFixed(1)} s = ${(hearth.cpuSeconds / git1.cpuSeconds).toFixed(2)}`,
          `wall ${hearth.wallSeconds.toFixed(1)} / ${git1.wallSeconds.toFixed(1)} s`,
          `peak ${hearth.peakMiB.toFixed(0)} MiB`,
          `packs ${packs}`,
          same && fsck.code === 0 ? "whole" : "NOT WHOLE",
        ].join("  "),
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
