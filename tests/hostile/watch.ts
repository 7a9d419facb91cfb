import { readdirSync, readFileSync } from "node:fs";
import type { ProbeReport, ProbeStart } from "./probe.worker.ts";

/** What a server went through while something was done to it. */
export interface Observed {
  /** The longest wait of a probe, less the longest wait at the idle server beside it in the same time; ms. */
  readonly stallMs: number;
  /** The same for each probe by its name, as measured. */
  readonly waits: Readonly<Record<string, number>>;
  /** Resident memory at its highest, above what it was before; MiB. */
  readonly memoryMib: number;
  readonly descriptors: number;
  readonly threads: number;
  readonly exited: boolean;
  readonly probes: number;
  readonly failedProbes: number;
}

/** The paths that are asked for all the time. */
const PROBED = ["/api/healthz", "/explore/repos"] as const;
const SAMPLE_MS = 20;

interface Sample {
  readonly residentMib: number;
  readonly descriptors: number;
  readonly threads: number;
}

function sampleOf(pid: number): Sample | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
    return {
      residentMib: number("VmRSS") / 1024,
      threads: number("Threads"),
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
    };
  } catch {
    return undefined;
  }
}

interface Watched {
  readonly url: string;
  readonly pid: number;
}

/**
 * Watches one server while it is attacked. An idle server of the same kind is probed beside it: what makes that one
 * wait is the machine, not the attack.
 */
export class Watch {
  private readonly probe = new Worker(new URL("./probe.worker.ts", import.meta.url).href);

  constructor(
    private readonly attacked: Watched,
    idle: Watched,
  ) {
    const probed = [attacked, idle].flatMap(({ url, pid }) => PROBED.map((path) => ({ url: url + path, pid })));
    this.probe.postMessage({ probed } satisfies ProbeStart);
  }

  /** Does it, and answers what the server went through meanwhile. */
  async during(act: () => Promise<void>): Promise<Observed> {
    await this.report();
    const before = sampleOf(this.attacked.pid);
    const most = { residentMib: 0, descriptors: 0, threads: 0 };
    let exited = false;
    const sample = () => {
      const now = sampleOf(this.attacked.pid);
      if (!now) exited = true;
      else
        for (const key of ["residentMib", "descriptors", "threads"] as const) most[key] = Math.max(most[key], now[key]);
    };
    const timer = setInterval(sample, SAMPLE_MS);
    try {
      await act();
    } finally {
      clearInterval(timer);
    }
    sample();
    const { longestMs, asked, failed } = await this.report();
    const count = PROBED.length;
    const own = longestMs.slice(0, count);
    return {
      stallMs: Math.max(0, Math.max(...own) - Math.max(...longestMs.slice(count))),
      waits: Object.fromEntries(PROBED.map((path, at) => [path, own[at] ?? 0])),
      memoryMib: Math.max(0, most.residentMib - (before?.residentMib ?? 0)),
      descriptors: most.descriptors,
      threads: most.threads,
      exited: exited || before === undefined,
      probes: asked.slice(0, count).reduce((sum, number) => sum + number, 0),
      failedProbes: failed.slice(0, count).reduce((sum, number) => sum + number, 0),
    };
  }

  close(): void {
    this.probe.terminate();
  }

  private report(): Promise<ProbeReport> {
    return new Promise((resolve) => {
      this.probe.onmessage = (event: MessageEvent<ProbeReport>) => resolve(event.data);
      this.probe.postMessage("report");
    });
  }
}
