import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { builtExecutable, type HearthProcess, startHearth } from "../git/hosts/hearth.ts";
import { type HttpBackend, startHttpBackend } from "../git/hosts/http-backend.ts";
import { gitLines, makeHistory, runGit } from "../git/hosts/real-git.ts";
import { MIB } from "./metric.ts";
import { cpuMsOfTree, peakBytes, resetPeak, residentBytes } from "./process.ts";

/** A bare repository that is pushed and cloned. */
export interface History {
  readonly name: string;
  readonly dir: string;
  readonly branch: string;
}

export interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMiB: number;
}

export interface PushCost {
  readonly hearth: Cost;
  /** What Hearth does in the background afterwards. */
  readonly maintenance: Cost;
  readonly git: Cost;
}

const SETTLE_ROUND_MS = 500;
const SETTLE_MOST_MS = 180_000;
const QUIET_ROUNDS = 3;
const QUIET_CPU_MS = 20;

/** The servers of one run, and what has been pushed to them. */
export class World {
  readonly pushCosts = new Map<string, PushCost>();

  private constructor(
    public hearth: HearthProcess,
    readonly git: HttpBackend,
    readonly histories: readonly History[],
    readonly folder: string,
  ) {}

  static async open(): Promise<World> {
    const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
    const histories = await findHistories();
    const git = await startHttpBackend(join(folder, "git"));
    const hearth = await startHearth({ command: builtExecutable(), dataDir: join(folder, "data") });
    return new World(hearth, git, histories, folder);
  }

  async close(): Promise<void> {
    await this.hearth.close();
    await this.git.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The history with the most on disk stands for "a large repository". */
  get largest(): History {
    const [first, ...others] = this.histories;
    if (!first) throw new Error("there is no history to measure with");
    return others.reduce((a, b) => (sizeOf(b.dir) > sizeOf(a.dir) ? b : a), first);
  }

  /** A fresh process over the same data, when the old one has nothing left to do. */
  async restartHearth(): Promise<void> {
    await this.settle();
    this.hearth = await this.hearth.restart();
  }

  /** Pushes the history to both servers unless it is there, and remembers what that cost. */
  async pushed(history: History): Promise<PushCost> {
    const known = this.pushCosts.get(history.name);
    if (known) return known;
    const push = (url: string) => runGit(["-C", history.dir, "push", "-q", "--mirror", url]).then(() => undefined);
    await this.settle();
    const hearth = await this.costOfHearth(() => push(this.hearth.repo(history.name).url));
    const maintenance = await this.costOfHearth(() => this.settle());
    const target = this.git.repo(history.name);
    const git = await this.costOfGit(() => push(target.url));
    await runGit(["-C", target.storedDir(), "symbolic-ref", "HEAD", `refs/heads/${history.branch}`]);
    const costs = { hearth, maintenance, git };
    this.pushCosts.set(history.name, costs);
    return costs;
  }

  async costOfHearth(work: () => Promise<void>): Promise<Cost> {
    const { pid } = this.hearth;
    resetPeak(pid);
    const cpuBefore = cpuMsOfTree(pid);
    const wallMs = await wallOf(work);
    return { wallMs, cpuMs: cpuMsOfTree(pid) - cpuBefore, peakMiB: peakBytes(pid) / MIB };
  }

  async costOfGit(work: () => Promise<void>): Promise<Cost> {
    await this.git.reset();
    const wallMs = await wallOf(work);
    const used = await this.git.usage();
    return { wallMs, cpuMs: used.cpuMs, peakMiB: used.peakBytes / MIB };
  }

  /** Waits until Hearth has done its background work (at most a few minutes), so that it is not measured along. */
  async settle(): Promise<void> {
    let before = cpuMsOfTree(this.hearth.pid);
    for (let waited = 0, quiet = 0; waited < SETTLE_MOST_MS && quiet < QUIET_ROUNDS; waited += SETTLE_ROUND_MS) {
      await Bun.sleep(SETTLE_ROUND_MS);
      const now = cpuMsOfTree(this.hearth.pid);
      quiet = now - before <= QUIET_CPU_MS ? quiet + 1 : 0;
      before = now;
    }
  }

  idleMiB(): number {
    return residentBytes(this.hearth.pid) / MIB;
  }
}

export async function wallOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Bytes of all files below. */
export function sizeOf(dir: string): number {
  let total = 0;
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) total += Bun.file(join(entry.parentPath, entry.name)).size;
  return total;
}

/** HEARTH_BENCH_HISTORIES names a folder of bare repositories; without it one is made, the same everywhere. */
async function findHistories(): Promise<History[]> {
  const given = process.env["HEARTH_BENCH_HISTORIES"];
  const only = process.env["HEARTH_BENCH_ONLY"]?.split(",");
  let dirs: string[];
  if (given)
    dirs = readdirSync(given)
      .filter((name) => existsSync(join(given, name, "HEAD")))
      .filter((name) => !only || only.includes(name.replace(/\.git$/, "")))
      .map((name) => join(given, name));
  else {
    const cache = join(import.meta.dir, "../../.cache/bench");
    mkdirSync(cache, { recursive: true });
    const dir = join(cache, "made-4000.git");
    await makeHistory(dir, 4000, 1);
    dirs = [dir];
  }
  const histories: History[] = [];
  for (const dir of dirs) {
    const [branch = "main"] = await gitLines(["-C", dir, "symbolic-ref", "--short", "HEAD"]);
    histories.push({ name: basename(dir).replace(/\.git$/, ""), dir, branch });
  }
  return histories.sort((a, b) => a.name.localeCompare(b.name));
}
