import { readFileSync } from "node:fs";

/**
 * Asks the same small things again and again from a thread of its own, so that what the test does cannot hold it up,
 * and tells how long each answer took. Told `{ urls }` to begin, `"report"` to hand over what it has measured since.
 */

declare const self: Worker;

export interface ProbeStart {
  readonly probed: readonly Probed[];
}

export interface Probed {
  readonly url: string;
  /** Of the server. */
  readonly pid: number;
}

export interface ProbeReport {
  /**
   * For each address: the longest wait for an answer in ms, the one under way included, less what the server's serving
   * thread waited for a core meanwhile. On a machine that does other work, too, a stall is the server's only as far as that.
   */
  readonly longestMs: number[];
  readonly asked: number[];
  /** Answers that were not 200, and connections that failed. */
  readonly failed: number[];
}

const PAUSE_MS = 15;

interface Row extends Probed {
  longestMs: number;
  asked: number;
  failed: number;
  since: { readonly at: number; readonly delayMs: number } | undefined;
}

let rows: Row[] = [];

/** How long the thread that serves was ready to run and had no core, since it began; ms. */
function delayMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  } catch {
    // It has ended.
    return 0;
  }
}

const begun = ({ pid }: Probed) => ({ at: performance.now(), delayMs: delayMs(pid) });

function waitedMs({ since, pid }: Row): number {
  return since === undefined ? 0 : performance.now() - since.at - (delayMs(pid) - since.delayMs);
}

async function ask(row: Row): Promise<never> {
  for (;;) {
    row.since = begun(row);
    row.asked++;
    try {
      const answer = await fetch(row.url, { headers: { accept: "text/html" } });
      await answer.arrayBuffer();
      if (answer.status !== 200) row.failed++;
    } catch {
      row.failed++;
    }
    row.longestMs = Math.max(row.longestMs, waitedMs(row));
    row.since = undefined;
    await Bun.sleep(PAUSE_MS);
  }
}

self.onmessage = (event: MessageEvent<ProbeStart | "report">) => {
  if (event.data === "report") {
    self.postMessage({
      longestMs: rows.map((row) => Math.max(row.longestMs, waitedMs(row))),
      asked: rows.map(({ asked }) => asked),
      failed: rows.map(({ failed }) => failed),
    } satisfies ProbeReport);
    for (const row of rows) Object.assign(row, { longestMs: 0, asked: 0, failed: 0 });
    return;
  }
  rows = event.data.probed.map((probed) => ({ ...probed, longestMs: 0, asked: 0, failed: 0, since: undefined }));
  for (const row of rows) void ask(row);
};
