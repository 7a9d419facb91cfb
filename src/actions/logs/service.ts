import type { Database } from "../../db/database.ts";
import { Conflict } from "../../kernel/errors.ts";
import type { Task } from "../runs/types.ts";
import { closeLog, findTask } from "../tasks/store.ts";
import { type LogLine, type LogRow, lineOf, readLine } from "./lines.ts";
import * as store from "./store.ts";

export type { LogLine, LogRow } from "./lines.ts";

/** Text per part; rows arrive every second, so many calls fill one part. */
const PART_BYTES = 64 << 10;
/** Per task; anything beyond it is acknowledged but not stored. */
const MAX_LOG_BYTES = 256 << 20;
const TOO_LONG = "[the log is too long: what follows is not stored]";

/** Rows that form one part, as text. */
interface Batch {
  readonly rows: number;
  readonly text: string;
  readonly size: number;
}

/** The logs that jobs write while they run (contract actions.md 5.3, 6.8). */
export class LogService {
  constructor(private readonly db: Database) {}

  /**
   * Appends the rows, starting at `index`, that are not stored yet; `isLast` closes the log.
   * @returns how many rows there are now
   * @throws Conflict if the log is closed and there are more rows
   */
  async append(taskId: number, index: number, rows: readonly LogRow[], isLast: boolean): Promise<number> {
    const task = this.task(taskId);
    if (index > task.logRows) return task.logRows;
    const news = rows.slice(task.logRows - index);
    if (task.isLogClosed) {
      if (news.length > 0) throw new Conflict("actions.log-closed");
      return task.logRows;
    }
    const parts = await this.partsOf(task, news);
    return this.db.transaction(() => {
      const present = this.task(taskId);
      // A concurrent call got there first: tell the runner how many rows are stored.
      if (present.logRows !== task.logRows || present.isLogClosed) return present.logRows;
      for (const part of parts.stored) store.putPart(this.db, taskId, part);
      const length = task.logRows + news.length;
      if (news.length > 0) store.setLogLength(this.db, taskId, length, task.logBytes + parts.added);
      if (isLast) closeLog(this.db, taskId);
      return length;
    });
  }

  /** Streams the whole log as text. */
  text({ id }: Pick<Task, "id">): ReadableStream<Uint8Array> {
    let next = 0;
    return new ReadableStream({
      pull: async (controller) => {
        const part = store.partFrom(this.db, id, next);
        if (!part) return controller.close();
        next = part.firstRow + part.rows;
        controller.enqueue(await Bun.zstdDecompress(part.bytes));
      },
    });
  }

  /** Rows `from` (inclusive) to `to` (exclusive). */
  rows({ id }: Pick<Task, "id">, from: number, to: number): LogLine[] {
    const lines: LogLine[] = [];
    for (let next = from; next < to; ) {
      const part = store.partFrom(this.db, id, next);
      if (!part || part.firstRow >= to) break;
      const texts = Bun.zstdDecompressSync(part.bytes).toString("utf8").split("\n");
      for (let row = Math.max(next, part.firstRow); row < Math.min(to, part.firstRow + part.rows); row++)
        lines.push(readLine(texts[row - part.firstRow] ?? "", row));
      next = part.firstRow + part.rows;
    }
    return lines;
  }

  private task(id: number): Task {
    const task = findTask(this.db, id);
    if (!task) throw new Error("a task that reports is there");
    return task;
  }

  /** Fills the last part before starting another. */
  private async partsOf(task: Task, rows: readonly LogRow[]): Promise<{ stored: store.LogPart[]; added: number }> {
    const room = MAX_LOG_BYTES - task.logBytes;
    if (rows.length === 0 || room <= 0) return { stored: [], added: 0 };
    const last = store.lastPart(this.db, task.id);
    const isOpen = last !== undefined && last.size < PART_BYTES / 2 && last.firstRow + last.rows === task.logRows;
    const begun = isOpen ? last : undefined;
    const first: Batch = begun
      ? { rows: begun.rows, size: begun.size, text: (await Bun.zstdDecompress(begun.bytes)).toString("utf8") }
      : { rows: 0, size: 0, text: "" };
    const { added, batches } = batchesOf(first, rows, room);
    const stored: store.LogPart[] = [];
    let firstRow = begun?.firstRow ?? task.logRows;
    for (const { rows: count, size, text } of batches) {
      stored.push({ firstRow, rows: count, size, bytes: await Bun.zstdCompress(text) });
      firstRow += count;
    }
    return { stored, added };
  }
}

/** @param room bytes that may still be added to the log */
function batchesOf(first: Batch, rows: readonly LogRow[], room: number): { batches: Batch[]; added: number } {
  const batches: Batch[] = [];
  let lines = first.text === "" ? [] : [first.text];
  let { rows: count, size } = first;
  let added = 0;
  const end = () => {
    if (count > 0) batches.push({ rows: count, size, text: lines.join("") });
    [lines, count, size] = [[], 0, 0];
  };
  for (const row of rows) {
    const isFull = added >= room;
    const line = lineOf(isFull ? { ...row, text: TOO_LONG } : row);
    const length = Buffer.byteLength(line);
    if (count > 0 && size + length > PART_BYTES) end();
    lines.push(line);
    count++;
    size += length;
    added += length;
    if (isFull) break;
  }
  end();
  return { batches, added: Math.max(added, 0) };
}
