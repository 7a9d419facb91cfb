/**
 * Asks the same small things again and again from a thread of its own, so that what the test does cannot hold it up,
 * and tells how long each answer took. Told `{ urls }` to begin, `"report"` to hand over what it has measured since.
 */

declare const self: Worker;

export interface ProbeStart {
  readonly urls: readonly string[];
}

export interface ProbeReport {
  /** For each address: the longest wait for an answer in ms, the one under way included. */
  readonly longestMs: number[];
  readonly asked: number[];
  /** Answers that were not 200, and connections that failed. */
  readonly failed: number[];
}

const PAUSE_MS = 15;
let rows: { url: string; longestMs: number; asked: number; failed: number; since: number | undefined }[] = [];

async function ask(row: (typeof rows)[number]): Promise<never> {
  for (;;) {
    row.since = performance.now();
    row.asked++;
    try {
      const answer = await fetch(row.url, { headers: { accept: "text/html" } });
      await answer.arrayBuffer();
      if (answer.status !== 200) row.failed++;
    } catch {
      row.failed++;
    }
    row.longestMs = Math.max(row.longestMs, performance.now() - row.since);
    row.since = undefined;
    await Bun.sleep(PAUSE_MS);
  }
}

self.onmessage = (event: MessageEvent<ProbeStart | "report">) => {
  if (event.data === "report") {
    const now = performance.now();
    self.postMessage({
      longestMs: rows.map(({ longestMs, since }) => Math.max(longestMs, since === undefined ? 0 : now - since)),
      asked: rows.map(({ asked }) => asked),
      failed: rows.map(({ failed }) => failed),
    } satisfies ProbeReport);
    for (const row of rows) Object.assign(row, { longestMs: 0, asked: 0, failed: 0 });
    return;
  }
  rows = event.data.urls.map((url) => ({ url, longestMs: 0, asked: 0, failed: 0, since: undefined }));
  for (const row of rows) void ask(row);
};
