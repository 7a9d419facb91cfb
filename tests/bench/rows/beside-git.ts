import type { Metric } from "../metric.ts";
import { median, wallOf } from "../world.ts";
import { metric } from "./row.ts";

const REPEATS = 5;
/** Not counted: a server compiles such code once, with its first work, and runs for months. */
const WARM_UP = 3;

/**
 * Reports the same work done in this process and by git, turn by turn: the wall, and the CPU of all threads, the runtime's
 * compiler and collector with it, which tells more where others use the machine.
 */
export async function reportBesideGit(
  row: string,
  report: (metric: Metric) => void,
  work: () => Promise<void>,
  git: () => Promise<{ readonly cpuMs: number }>,
): Promise<void> {
  const walls: number[] = [];
  const cpus: number[] = [];
  const gitWalls: number[] = [];
  const gitCpus: number[] = [];
  for (let i = 0; i < WARM_UP; i++) await work();
  await git();
  for (let i = 0; i < REPEATS; i++) {
    const before = process.cpuUsage();
    walls.push(await wallOf(work));
    const { user, system } = process.cpuUsage(before);
    cpus.push((user + system) / 1000);
    gitWalls.push(
      await wallOf(async () => {
        gitCpus.push((await git()).cpuMs);
      }),
    );
  }
  report(metric(row, "ms", median(walls), median(gitWalls)));
  report(metric(`${row}: CPU`, "ms", median(cpus), median(gitCpus)));
}
