import { newSeed } from "../../random.ts";
import { tempDir } from "../objects/real-git.ts";
import { allTargets } from "./fuzz/targets.ts";
import { flawOf } from "./fuzz/watch.ts";

/**
 * Feeds hostile input to the engine, by hand: `bun tests/git/hostile/fuzz.ts [SECONDS] [SEED] [TARGET]`. A case is told
 * by its target and its seed; `bun tests/git/hostile/fuzz.ts case SEED TARGET` runs one again. Watches itself from
 * outside: a child that hangs or grows beyond its memory is ended and its case told. Exit status 1 when there was a flaw.
 */
const MAX_RSS_BYTES = 1024 * 1024 * 1024;
const MAX_SILENCE_MS = 20_000;

const [first = "30", second, third] = process.argv.slice(2);
if (first === "child") await child(Number(second), Number(third), process.argv[5]);
else if (first === "case") await oneCase(Number(second), third ?? "");
else process.exitCode = await parent(Number(first), second === undefined ? newSeed() : Number(second), third);

async function child(seconds: number, seed: number, only: string | undefined): Promise<void> {
  using scratch = tempDir();
  const targets = allTargets(scratch.path).filter(({ name }) => only === undefined || name.includes(only));
  const counts = new Map<string, number>();
  const end = performance.now() + seconds * 1000;
  for (let i = 0; performance.now() < end; i++) {
    const target = targets[i % targets.length]!;
    const caseSeed = (seed + i * 7919) >>> 0;
    process.stdout.write(`case ${caseSeed} ${target.name}\n`);
    const flaw = await flawOf(target, caseSeed, scratch.path);
    if (flaw !== undefined) process.stdout.write(`FLAW ${caseSeed} ${target.name}: ${flaw.replaceAll("\n", "\n  ")}\n`);
    counts.set(target.name, (counts.get(target.name) ?? 0) + 1);
  }
  for (const [name, count] of counts) process.stdout.write(`done ${String(count).padStart(6)} ${name}\n`);
}

async function oneCase(seed: number, name: string): Promise<void> {
  using scratch = tempDir();
  const target = allTargets(scratch.path).find((each) => each.name.includes(name));
  console.log(target && (await flawOf(target, seed, scratch.path)));
}

async function parent(seconds: number, seed: number, only: string | undefined): Promise<number> {
  const words = [
    "bun",
    import.meta.path,
    "child",
    String(seconds),
    String(seed),
    ...(only === undefined ? [] : [only]),
  ];
  const running = Bun.spawn(words, { stdout: "pipe", stderr: "inherit" });
  let current = "";
  let heard = performance.now();
  let most = 0;
  let flaws = 0;
  const watch = setInterval(() => {
    const rss = rssOf(running.pid);
    most = Math.max(most, rss);
    const silent = performance.now() - heard > MAX_SILENCE_MS;
    if (!silent && rss < MAX_RSS_BYTES) return;
    console.log(`FLAW ${current}: ${silent ? "hangs" : `takes ${Math.round(rss / 2 ** 20)} MiB`}`);
    flaws++;
    running.kill("SIGKILL");
  }, 200);
  let rest = "";
  for await (const piece of running.stdout) {
    heard = performance.now();
    const lines = (rest + new TextDecoder().decode(piece)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("case ")) current = line;
      else console.log(line);
      if (line.startsWith("FLAW ")) flaws++;
    }
  }
  clearInterval(watch);
  const code = await running.exited;
  if (code !== 0) console.log(`FLAW ${current}: the process ended with ${code}`);
  console.log(`${flaws} flaws, at most ${Math.round(most / 2 ** 20)} MiB`);
  return flaws > 0 || code !== 0 ? 1 : 0;
}

/** Resident bytes of a process; 0 once it is gone. */
function rssOf(pid: number): number {
  const { stdout } = Bun.spawnSync(["cat", `/proc/${pid}/status`], { stderr: "ignore" });
  return Number(/VmRSS:\s+(\d+)/.exec(stdout.toString())?.[1] ?? 0) * 1024;
}
