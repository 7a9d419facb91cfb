import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXECUTABLE } from "../executable/process.ts";

/** The executable as a process of its own, on a data folder that is there already. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  /** What it computed from its start to its first answer: the wall tells more of what else the machine does. */
  readonly startCpuMs: number;
  /** Resolves when it is gone, with its exit code; null: by a signal. */
  readonly exited: Promise<number | null>;
  isGone(): boolean;
  output(): string;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** It ended before it listened. */
export class DidNotStart extends Error {
  constructor(
    readonly exitCode: number | null,
    readonly output: string,
  ) {
    super(`hearth did not start (exit ${exitCode}):\n${output}`);
  }
}

const READY = /Hearth listens on (http:\/\/\S+?)\/?\s/;

/** @throws DidNotStart */
export async function serve(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
  wrapper: readonly string[] = [],
): Promise<Server> {
  const child = Bun.spawn([...wrapper, EXECUTABLE, "serve", "--data", dataDir, "--listen", "127.0.0.1:0"], {
    env: {
      PATH: "",
      // What is deleted goes at once, so that its going has its crash points, too.
      HEARTH_REPOSITORY_BIN_DAYS: "0",
      HEARTH_REPOSITORY_TRASH_HOURS: "0",
      HEARTH_SHUTDOWN_GRACE_SECONDS: "5",
      ...environment,
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  let text = "";
  let gone = false;
  const ready = Promise.withResolvers<string>();
  const follow = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      const url = READY.exec(text)?.[1];
      if (url) ready.resolve(url);
    }
  };
  const exited = Promise.all([child.exited, follow(child.stdout), follow(child.stderr)]).then(() => {
    gone = true;
    const code = child.signalCode === null ? child.exitCode : null;
    ready.reject(new DidNotStart(code, text));
    return code;
  });
  const url = await ready.promise;
  const health = await fetch(`${url}/api/healthz`).catch(() => undefined);
  if (!health?.ok) throw new DidNotStart(await exited, text);
  await health.body?.cancel();
  return {
    url,
    pid: child.pid,
    startCpuMs: cpuMsOf(child.pid),
    exited,
    isGone: () => gone,
    output: () => text,
    end: async (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}

/** What a process and its threads have computed so far, to 10 ms. */
function cpuMsOf(pid: number): number {
  // The name of the program, in brackets, may hold blanks. See proc_pid_stat(5): utime and stime in hundredths.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Reads the database of a data folder, whether a server has it or not. */
export function withDatabase<T>(dataDir: string, read: (db: Database) => T): T {
  const db = new Database(join(dataDir, "hearth.db"), { readonly: true });
  try {
    db.run("PRAGMA busy_timeout = 5000");
    return read(db);
  } finally {
    db.close();
  }
}

/** Jobs that were meant for later from the start are not waited for; a second try is. */
const UNDONE =
  "SELECT kind, state, last_error FROM jobs WHERE state = 'running' OR (state = 'waiting' AND (attempts > 0 OR run_at <= ?))";
const SOON_MS = 2_000;

/** Waits until the server has handed out every event and done every job that is due. */
export async function settled(dataDir: string, withinMs = 180_000): Promise<void> {
  for (const end = performance.now() + withinMs; ; ) {
    const left = withDatabase(dataDir, (db) => ({
      events: db
        .query<{ behind: number }, []>(
          "SELECT count(*) AS behind FROM event_cursors WHERE event_id < (SELECT coalesce(max(id), 0) FROM events)",
        )
        .get()?.behind,
      consumers: db.query<{ n: number }, []>("SELECT count(*) AS n FROM event_cursors").get()?.n,
      jobs: db
        .query<{ kind: string; state: string; last_error: string | null }, [number]>(UNDONE)
        .all(Date.now() + SOON_MS),
    }));
    if (left.events === 0 && left.jobs.length === 0 && left.consumers !== 0) return;
    if (performance.now() > end) throw new Error(`the server did not come to rest: ${JSON.stringify(left)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
