import { writeSync } from "node:fs";

const FLUSH_MS = 100;

/** Lines for standard error, written in batches: a write per request would cost more than the request. */
export function bufferedLines(): { write(line: string): void; flush(): void } {
  let waiting: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const text = `${waiting.join("\n")}\n`;
    waiting = [];
    try {
      writeSync(2, text);
    } catch {
      // Nobody reads the log any more; the server continues without it.
    }
  };
  process.once("exit", flush);
  return {
    write: (line) => {
      waiting.push(line);
      timer ??= setTimeout(flush, FLUSH_MS);
    },
    flush,
  };
}

/** Rows as lines, each column as wide as its widest cell. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("   ")
      .trimEnd(),
  );
}
