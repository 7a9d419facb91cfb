import type { RunningHearth } from "../executable/process.ts";

/** The attacked server, and what there is to attack with. */
export interface Target extends RunningHearth {
  /** An ordinary account of no rights but its own, and its repository, public. */
  readonly stranger: { readonly login: string; readonly token: string; readonly repo: string };
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
  /** Makes what the attack needs; not measured. */
  prepare?(target: Target): Promise<void>;
  /** Measured. May check the answers it gets. */
  run(target: Target): Promise<void>;
}
