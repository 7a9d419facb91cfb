import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../src/config/schema.ts";
import { randomHex } from "../../src/kernel/ids.ts";
import { aServer, call, type Json, type TestServer, type TestUser } from "../builders.ts";
import { until } from "../until.ts";

/** A server with git over SSH, and people who come with OpenSSH and git. */

const folders: string[] = [];

export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hearth-ssh-"));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Where git over SSH is. */
export interface SshPort {
  readonly sshPort: number;
}

export type SshServer = TestServer & SshPort;

export async function anSshServer(settings: Partial<Config> = {}): Promise<SshServer> {
  const server = await aServer({ "ssh.listen": "127.0.0.1:0", ...settings });
  const sshPort = await until(() => server.services.ssh.state.port);
  return Object.assign(server, { sshPort });
}

export interface Key {
  /** The private half. */
  readonly file: string;
  readonly line: string;
}

/** A new pair of keys on disk. */
export function aKey(type = "ed25519", ...options: string[]): Key {
  const file = join(aFolder(), "key");
  const made = Bun.spawnSync(["ssh-keygen", "-q", "-t", type, ...options, "-N", "", "-C", "", "-f", file]);
  if (made.exitCode !== 0) throw new Error(`ssh-keygen: ${made.stderr}`);
  chmodSync(file, 0o600);
  return { file, line: readFileSync(`${file}.pub`, "utf8").trim() };
}

/** The same, as a key of that account. */
export async function aUserKey(server: TestServer, who: TestUser, more: Record<string, unknown> = {}, key = aKey()) {
  const title = `key-${randomHex(4)}`;
  const body = { title, key: key.line, ...more };
  const added = await call<Json>(server, "POST", "/api/v1/user/keys", { token: who.token, body });
  if (added.status !== 201) throw new Error(added.text);
  return { ...key, title, id: Number(added.body["id"]) };
}

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export function sshOptions({ sshPort }: SshPort, key: Key): string[] {
  const fixed = ["IdentitiesOnly=yes", "IdentityAgent=none", "StrictHostKeyChecking=no", "BatchMode=yes"];
  const files = ["UserKnownHostsFile=/dev/null", "LogLevel=ERROR"];
  return ["-F", "none", "-i", key.file, "-p", String(sshPort), ...[...fixed, ...files].flatMap((one) => ["-o", one])];
}

interface SshCall {
  readonly user?: string;
  readonly options?: readonly string[];
  readonly input?: string;
}

/** Runs `ssh`; the command goes to the server as it is. */
export async function ssh(server: SshPort, key: Key, command?: string, more: SshCall = {}): Promise<Said> {
  const { user = "git", options = [], input } = more;
  const words = command === undefined ? [] : [command];
  const child = Bun.spawn(["ssh", ...sshOptions(server, key), ...options, "-T", `${user}@127.0.0.1`, ...words], {
    stdin: input === undefined ? "ignore" : Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

const environment = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "C",
  GIT_COMMITTER_EMAIL: "c@example.com",
  LC_ALL: "C",
};

/** Git in a folder, over SSH with that key. */
export class Work {
  constructor(
    readonly dir: string,
    private readonly server: SshPort,
    private readonly key: Key,
  ) {}

  async git(...args: string[]): Promise<Said> {
    const env = { ...environment, GIT_SSH_COMMAND: `ssh ${sshOptions(this.server, this.key).join(" ")}` };
    const child = Bun.spawn(["git", "-c", "gc.auto=0", ...args], {
      cwd: this.dir,
      env,
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { code: await child.exited, out, err };
  }

  /** @returns what it printed @throws Error it failed */
  async ok(...args: string[]): Promise<string> {
    const { code, out, err } = await this.git(...args);
    if (code !== 0) throw new Error(`git ${args.join(" ")}: ${err}`);
    return out.trim();
  }

  /** A commit of one file. @returns its id */
  async commit(path: string, content: string | Uint8Array = `${path}\n`): Promise<string> {
    await Bun.write(join(this.dir, path), content);
    await this.ok("add", "-A");
    await this.ok("commit", "-q", "-m", `add ${path}`);
    return this.ok("rev-parse", "HEAD");
  }
}

export const urlOf = (server: SshPort, path: string): string => `ssh://git@127.0.0.1:${server.sshPort}/${path}.git`;

/** A new repository in a folder. */
export async function aWork(server: SshPort, key: Key): Promise<Work> {
  const work = new Work(aFolder(), server, key);
  await work.ok("init", "-q", "-b", "main");
  return work;
}

/** A clone. @param args of `git clone`, and before it such as `-c` */
export async function aClone(server: SshPort, key: Key, path: string, ...args: string[]): Promise<Work> {
  const dir = aFolder();
  await new Work(dir, server, key).ok("clone", "-q", ...args, urlOf(server, path), "c");
  return new Work(join(dir, "c"), server, key);
}
