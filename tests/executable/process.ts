import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../free-port.ts";

/** The compiled executable as a user runs it. `./install.sh test` builds it first. */
export const EXECUTABLE = join(import.meta.dir, "../../dist/hearth");

export interface RunningHearth {
  readonly url: string;
  readonly dataDir: string;
  readonly pid: number;
  /** A site administrator's all-scopes token. */
  readonly token: string;
  /** What it printed so far, both streams. */
  output(): string;
  kill(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Wishes {
  readonly dataDir?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs a command of the executable to its end. */
export async function hearth(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn([EXECUTABLE, ...words], {
    env: { PATH: "", ...environment },
    stdout: "pipe",
    stderr: "pipe",
    ...(cwd ? { cwd } : {}),
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

/** Starts the server on a fresh folder and a free port, with nothing on its PATH, and makes the administrator `root1`. */
export async function startHearth(request: Wishes = {}): Promise<RunningHearth> {
  const dataDir = request.dataDir ?? mkdtempSync(join(tmpdir(), "hearth-exe-"));
  const port = await freePort();
  const child = Bun.spawn([EXECUTABLE, "serve", "--data", dataDir, "--listen", `127.0.0.1:${port}`], {
    env: { PATH: "", ...request.environment },
    stdout: "pipe",
    stderr: "pipe",
    ...(request.cwd ? { cwd: request.cwd } : {}),
  });
  let text = "";
  const follow = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  };
  const following = Promise.all([follow(child.stdout), follow(child.stderr)]);
  const url = `http://127.0.0.1:${port}`;
  for (const end = Date.now() + 20_000; ; ) {
    if (child.exitCode !== null || Date.now() > end) throw new Error(`hearth did not start:\n${text}`);
    const answer = await fetch(`${url}/api/healthz`).catch(() => undefined);
    if (answer?.ok) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const made = await hearth([
    "admin",
    "user",
    "create",
    "--data",
    dataDir,
    "--username",
    "root1",
    "--email",
    "root1@example.org",
    "--password",
    "a long password",
    "--admin",
    "--must-change-password=false",
    "--access-token",
  ]);
  const token = /[0-9a-f]{40}/.exec(made.out)?.[0] ?? "";
  return {
    url,
    dataDir,
    pid: child.pid,
    token,
    output: () => text,
    kill: async (signal = "SIGTERM") => {
      child.kill(signal);
      await child.exited;
      await following;
      return child.exitCode;
    },
  };
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Real git without anybody's configuration; throws with what it said when it fails. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const child = Bun.spawn(
    ["git", "-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main", ...args],
    {
      cwd,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: cwd,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_TERMINAL_PROMPT: "0",
      },
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`git ${args.join(" ")}: ${err}`);
  return out.trim();
}
