import type { RunningHearth } from "../executable/process.ts";

/** An ordinary account, and the address it comes from. */
export interface Attacker {
  readonly login: string;
  readonly token: string;
  readonly from: string;
}

/** The attacked server, and what there is to attack with. */
export interface Target extends RunningHearth {
  /** An ordinary account of no rights but its own, and its repository, public. */
  readonly stranger: Attacker & { readonly password: string; readonly repo: string };
  /** How much is done: 1 in the test run, more by hand. */
  readonly scale: number;
  /** A request as somebody at that address would send it, who stands behind a trusted proxy. */
  ask(path: string, request?: AttackRequest): Promise<Reply>;
}

export interface AttackRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly from?: string;
  readonly token?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One way to hurt the server that a stranger can afford. */
export interface Attack {
  /** Says what is sent, as a person would. */
  readonly name: string;
  /**
   * It is thousands of ordinary requests: it judges how long each held the serving thread by itself, and the caches
   * fill up (`cache.mib`).
   */
  readonly isSweep?: boolean;
  /** Makes what the attack needs; not measured. */
  prepare?(target: Target): Promise<void>;
  /** Measured. May check the answers it gets. */
  run(target: Target): Promise<void>;
}

/** Makes one more account, which comes from that address. */
export async function newAttacker(target: Target, login: string, from: string): Promise<Attacker> {
  const json = { "content-type": "application/json" };
  const password = "a strange password";
  const made = await target.ask("/api/v1/admin/users", {
    token: target.token,
    headers: json,
    body: JSON.stringify({ username: login, email: `${login}@example.org`, password, must_change_password: false }),
  });
  if (made.status !== 201) throw new Error(`account: ${made.status} ${made.text}`);
  const basic = Buffer.from(`${login}:${password}`).toString("base64");
  const answer = await target.ask(`/api/v1/users/${login}/tokens`, {
    from,
    headers: { ...json, authorization: `Basic ${basic}` },
    body: JSON.stringify({ name: "t", scopes: ["all"] }),
  });
  if (answer.status !== 201) throw new Error(`token: ${answer.status} ${answer.text}`);
  return { login, from, token: String((JSON.parse(answer.text) as Record<string, unknown>)["sha1"]) };
}

/** Adds files to the stranger's repository in one commit. */
export async function commitFiles(target: Target, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  const answer = await target.ask(`/api/v1/repos${target.stranger.repo}/contents`, {
    token: target.stranger.token,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      message: "Files",
      files: Object.entries(files).map(([path, content]) => ({
        operation: "create",
        path,
        content: Buffer.from(content).toString("base64"),
      })),
    }),
  });
  if (answer.status !== 201) throw new Error(`commit: ${answer.status} ${answer.text}`);
}
