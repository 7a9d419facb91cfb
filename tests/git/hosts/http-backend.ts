import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GitHost, HostedRepo } from "./host.ts";
import { gitEnvironment } from "./real-git.ts";

/**
 * Git's own HTTP server, `git http-backend` as CGI (RFC 3875) behind a small listener: the yardstick and the oracle.
 * It runs as a process of its own (`bun http-backend.ts ROOT`), so that measuring it measures nothing of the test.
 */

/** What the git processes have cost since the last reset: the server's own piping is not counted. */
export interface BackendUsage {
  readonly cpuMs: number;
  /** The largest resident set of one git process, in bytes. */
  readonly peakBytes: number;
}

export interface HttpBackend extends GitHost {
  readonly origin: string;
  usage(): Promise<BackendUsage>;
  reset(): Promise<void>;
}

const settings = [
  ["http.receivepack", "true"],
  ["receive.denyCurrentBranch", "ignore"],
  ["receive.denyDeletes", "false"],
  ["receive.fsckObjects", "true"],
  ["receive.advertisePushOptions", "true"],
  ["uploadpack.allowFilter", "true"],
  ["uploadpack.allowAnySHA1InWant", "true"],
  ["gc.auto", "0"],
  ["receive.autogc", "false"],
  ["safe.directory", "*"],
] as const;

/** Starts git's server on a fresh folder (or the given one) and a free port. */
export async function startHttpBackend(root?: string): Promise<HttpBackend> {
  const dir = root ?? mkdtempSync(join(tmpdir(), "hearth-backend-"));
  mkdirSync(dir, { recursive: true });
  const child = Bun.spawn(["bun", import.meta.path, dir], { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const reader = child.stdout.getReader();
  const origin = new TextDecoder().decode((await reader.read()).value).trim();
  reader.releaseLock();
  const close = async () => {
    child.kill();
    await child.exited;
    if (root === undefined) rmSync(dir, { recursive: true, force: true });
  };
  return {
    name: "git",
    origin,
    repo: (name): HostedRepo => {
      const storedDir = join(dir, `${name}.git`);
      const made = Bun.spawnSync(["git", "init", "-q", "--bare", "-b", "main", storedDir], { env: gitEnvironment() });
      if (!made.success) throw new Error(`git init ${storedDir}: ${made.stderr}`);
      return { url: `${origin}${name}.git`, storedDir: () => storedDir };
    },
    usage: async () => (await fetch(`${origin}.usage`)).json() as Promise<BackendUsage>,
    reset: async () => {
      await fetch(`${origin}.reset`);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Serves `root` until the process ends; prints the address. */
function serve(root: string): void {
  const config: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  settings.forEach(([key, value], at) => {
    config[`GIT_CONFIG_KEY_${at}`] = key;
    config[`GIT_CONFIG_VALUE_${at}`] = value;
  });
  let cpuMs = 0;
  let peakBytes = 0;
  const running = new Set<Promise<void>>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    maxRequestBodySize: 2 ** 40,
    fetch: async (request) => {
      const url = new URL(request.url);
      if (url.pathname === "/.usage") {
        await Promise.all(running);
        return Response.json({ cpuMs, peakBytes });
      }
      if (url.pathname === "/.reset") {
        cpuMs = peakBytes = 0;
        return new Response();
      }
      const child = spawnBackend(root, config, request, url);
      // An exited process answers with what it and the children it waited for have used (getrusage).
      const ended = child.exited.then(() => {
        running.delete(ended);
        const used = child.resourceUsage();
        cpuMs += Number(used?.cpuTime.total ?? 0) / 1000;
        peakBytes = Math.max(peakBytes, used?.maxRSS ?? 0);
      });
      running.add(ended);
      void feed(child.stdin, request.body);
      return answerOf(child.stdout);
    },
  });
  console.log(server.url.href);
}

function spawnBackend(root: string, config: Record<string, string>, request: Request, url: URL) {
  const header = (name: string) => request.headers.get(name) ?? "";
  return Bun.spawn(["git", "http-backend"], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
    env: gitEnvironment({
      ...config,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: header("content-type"),
      REMOTE_ADDR: "127.0.0.1",
      REMOTE_USER: "tester",
      ...(header("content-length") ? { CONTENT_LENGTH: header("content-length") } : {}),
      ...(header("content-encoding") ? { HTTP_CONTENT_ENCODING: header("content-encoding") } : {}),
      ...(header("git-protocol") ? { GIT_PROTOCOL: header("git-protocol") } : {}),
    }),
  });
}

async function feed(stdin: Bun.FileSink, body: ReadableStream<Uint8Array> | null): Promise<void> {
  try {
    if (body) {
      for await (const chunk of body) {
        stdin.write(chunk);
        await stdin.flush();
      }
    }
    await stdin.end();
  } catch {
    // Git had enough (an error it has answered) and closed its end.
  }
}

/** Cuts the CGI headers off and passes the rest on as it comes. */
async function answerOf(stdout: ReadableStream<Uint8Array>): Promise<Response> {
  const reader = stdout.getReader();
  let start = Buffer.alloc(0);
  let end = -1;
  while (end < 0) {
    const { value, done } = await reader.read();
    if (done) return new Response("git http-backend died", { status: 500 });
    start = Buffer.concat([start, value]);
    end = start.indexOf("\r\n\r\n");
  }
  const headers = new Headers();
  let status = 200;
  for (const line of start.subarray(0, end).toString().split("\r\n")) {
    const colon = line.indexOf(":");
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else headers.append(name, value);
  }
  const first = start.subarray(end + 4);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (first.length > 0) controller.enqueue(first);
    },
    pull: async (controller) => {
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => reader.cancel(),
  });
  return new Response(body, { status, headers });
}

if (import.meta.main) serve(process.argv[2] ?? ".");
