import { Database } from "bun:sqlite";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operator } from "../../../src/access/principal.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { makeLog } from "../../../src/kernel/log.ts";
import { openHouse } from "../../../src/services.ts";
import { freePort } from "../../free-port.ts";
import type { GitHost } from "./host.ts";

const root = join(import.meta.dir, "../../..");

export interface HearthProcess extends GitHost {
  /** Ends in `/`. */
  readonly origin: string;
  readonly pid: number;
  readonly dataDir: string;
  readonly login: string;
  readonly token: string;
  /** From the start of the process to its first answer. */
  readonly startMs: number;
  /** Ends the process, keeps the data folder, and starts another one. */
  restart(): Promise<HearthProcess>;
}

export interface HearthOptions {
  /** The words that run Hearth: the executable, or this very source through bun. */
  readonly command?: readonly string[];
  /** An existing data folder with an account in it; absent: a fresh one that is removed in the end. */
  readonly dataDir?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** How tests run Hearth: `HEARTH_EXECUTABLE` if set, else this source. */
export function hearthCommand(): readonly string[] {
  const executable = process.env["HEARTH_EXECUTABLE"];
  return executable ? [executable] : ["bun", join(root, "cli/entry.ts")];
}

/** The compiled executable. @throws when it has not been built */
export function builtExecutable(): readonly string[] {
  const path = process.env["HEARTH_EXECUTABLE"] ?? join(root, "dist/hearth");
  if (!existsSync(path)) throw new Error(`${path} is not there: bun run build makes it`);
  return [path];
}

const login = "tester";

/** Runs Hearth as a process on 127.0.0.1 and a free port, with one account whose first push makes a repository. */
export async function startHearth(options: HearthOptions = {}): Promise<HearthProcess> {
  const command = options.command ?? hearthCommand();
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "hearth-data-"));
  const token = await accountToken(dataDir);
  return serve(command, dataDir, token, options);
}

async function serve(
  command: readonly string[],
  dataDir: string,
  token: string,
  options: HearthOptions,
): Promise<HearthProcess> {
  const port = await freePort();
  const began = performance.now();
  const child = Bun.spawn([...command, "serve", "--data", dataDir, "--listen", `127.0.0.1:${port}`], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: Bun.file(join(dataDir, "stderr.log")),
    env: environment({ HEARTH_LOG_LEVEL: "warn", ...options.environment }),
  });
  const origin = `http://127.0.0.1:${port}/`;
  await firstAnswer(origin, child);
  const startMs = performance.now() - began;
  let stopping = false;
  child.exited.then(() => {
    if (!stopping)
      console.error(`Hearth ended on its own with ${child.signalCode ?? child.exitCode}\n${lastWords(dataDir)}`);
  });
  const stop = async () => {
    stopping = true;
    child.kill("SIGTERM");
    await child.exited;
  };
  const close = async () => {
    await stop();
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  return {
    name: "hearth",
    origin,
    pid: child.pid,
    dataDir,
    login,
    token,
    startMs,
    repo: (name) => ({
      url: `http://${login}:${token}@127.0.0.1:${port}/${login}/${name}.git`,
      storedDir: () => storedDir(dataDir, name),
    }),
    restart: async () => {
      await stop();
      return serve(command, dataDir, token, options);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function lastWords(dataDir: string): string {
  return readFileSync(join(dataDir, "stderr.log"), "utf8").slice(-4_000);
}

function environment(extra: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: process.env["HOME"] ?? "/",
    HEARTH_GIT_PUSH_CREATE: "true",
    HEARTH_GIT_PUSH_CREATE_PRIVATE: "false",
    ...extra,
  };
}

/** Asks again and again without a pause, because the time to the first answer is what is measured. */
async function firstAnswer(origin: string, child: Bun.Subprocess): Promise<void> {
  for (;;) {
    try {
      const answer = await fetch(`${origin}api/v1/version`);
      await answer.text();
      if (answer.ok) return;
    } catch {
      // Not listening yet.
    }
    if (child.exitCode !== null) throw new Error(`Hearth ended with status ${child.exitCode} before it answered`);
    await Bun.sleep(1);
  }
}

/** Makes the account before the server runs, without a password: hashing one would take longer than the start. */
async function accountToken(dataDir: string): Promise<string> {
  const { config } = loadConfig({ flags: { data: dataDir }, environment: {}, file: undefined });
  const house = openHouse(config, makeLog({ level: "error", format: "text", write: console.error }));
  const { services } = house;
  try {
    const user =
      services.identity.byLogin(login) ??
      (await services.accountCreation.create(operator, {
        login,
        email: "tester@example.org",
        password: undefined,
        isAdmin: true,
      }));
    return services.tokens.create(operator, user, `t${Date.now()}`, ["all"]).secret;
  } finally {
    // What was written is handed to the consumers first.
    await Bun.sleep(0);
    house.close();
  }
}

function storedDir(dataDir: string, name: string): string {
  const db = new Database(join(dataDir, "hearth.db"), { readonly: true });
  try {
    const row = db
      .query<{ id: number }, [string]>("SELECT id FROM repositories WHERE lower_name = ?")
      .get(name.toLowerCase());
    if (!row) throw new Error(`Hearth has no repository ${name}`);
    return join(dataDir, "repositories", (row.id % 256).toString(16).padStart(2, "0"), `${row.id}.git`);
  } finally {
    db.close();
  }
}
