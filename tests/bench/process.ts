import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** What a running server costs, read from /proc: time of all its threads and children, and memory. */

const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold spaces; the fields after it are counted from "state" (proc(5)).
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [parent = 0, own, system, ofChildren, systemOfChildren] = [
      fields[1],
      fields[11],
      fields[12],
      fields[13],
      fields[14],
    ];
    return { pid, parent, ticks: (own ?? 0) + (system ?? 0) + (ofChildren ?? 0) + (systemOfChildren ?? 0) };
  } catch {
    return undefined;
  }
}

/** CPU of the process and everything it started, in milliseconds since it began; exact to 10 ms. */
export function cpuMsOfTree(pid: number): number {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat): stat is Stat => stat !== undefined);
  let ticks = 0;
  const add = (of: number) => {
    for (const stat of all) {
      if (stat.pid === of) ticks += stat.ticks;
      if (stat.parent === of) add(stat.pid);
    }
  };
  add(pid);
  return (ticks * 1000) / TICKS_PER_SECOND;
}

/** Resident memory now, in bytes. */
export function residentBytes(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  return pages * PAGE_BYTES;
}

/** Forgets the process's peak (clear_refs 5, proc(5)), so that `peakBytes` is that of what comes now. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

export function peakBytes(pid: number): number {
  const line = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? 0) * 1024;
}
