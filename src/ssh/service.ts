import type { Principal } from "../access/principal.ts";
import { requireSiteAdmin } from "../access/requirements.ts";
import { parseListen } from "../config/listen.ts";
import { type CommandParts, SshCommands } from "./commands.ts";
import type { HostKey, HostKeys } from "./host-keys.ts";
import type { SshListener } from "./listener.ts";
import { type RefusedSignInParts, RefusedSignIns } from "./refused-sign-ins.ts";
import type { ThreadParts } from "./thread.ts";

export interface SshOptions {
  /** `HOST:PORT`; empty: git over SSH is disabled. */
  readonly listen: string;
  readonly user: string;
  readonly maxConnections: number;
  readonly maxPerAddress: number;
  readonly handshakeSeconds: number;
  readonly idleSeconds: number;
}

/** Shown to administrators. */
export interface SshState {
  /** `off`: disabled; `waiting`: not yet; `failed`: the address could not be bound. */
  readonly state: "off" | "waiting" | "listening" | "failed";
  readonly listen: string;
  /** The port it listens on. */
  readonly port: number | undefined;
  readonly connections: number;
  /** Why it failed. */
  readonly problem: string | undefined;
}

export interface SshOverview extends SshState {
  readonly hostKeys: readonly HostKey[];
}

/** Git over SSH, if an address is configured (contract git-content.md 14). */
export class SshService {
  private listener: SshListener | undefined;
  private port: number | undefined;
  private problem: string | undefined;
  private starting: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    readonly hostKeys: HostKeys,
    private readonly parts: CommandParts & RefusedSignInParts & Pick<ThreadParts, "mayStartThread">,
    private readonly options: SshOptions,
  ) {}

  get state(): SshState {
    const { listen } = this.options;
    const state =
      listen === "" ? "off" : this.problem !== undefined ? "failed" : this.listener ? "listening" : "waiting";
    return { state, listen, port: this.port, connections: this.listener?.connections ?? 0, problem: this.problem };
  }

  /** @throws Forbidden not an administrator */
  show(principal: Principal): SshOverview {
    requireSiteAdmin(principal, "read");
    return { ...this.state, hostKeys: this.hostKeys.list() };
  }

  /**
   * Starts listening, with keys that are generated if there are none. Errors are logged; the rest of the server
   * continues.
   */
  start(): Promise<void> {
    if (this.options.listen !== "") this.starting = this.listen();
    return this.starting;
  }

  /** Accepts no new connections; running commands may finish before the deadline. */
  async stop(deadline: Promise<void>): Promise<void> {
    this.isStopped = true;
    await this.starting;
    await this.listener?.stop(deadline);
    this.listener = undefined;
  }

  private async listen(): Promise<void> {
    const { log } = this.parts;
    const where = parseListen(this.options.listen);
    try {
      if (!where) throw new Error(`${this.options.listen} is no address`);
      const [{ SshListener }, hostKeys] = await Promise.all([import("./listener.ts"), this.hostKeys.load()]);
      if (this.isStopped) return;
      const { user, maxConnections, maxPerAddress, handshakeSeconds, idleSeconds } = this.options;
      const listener = new SshListener({
        commands: new SshCommands(this.parts),
        refused: new RefusedSignIns(this.parts),
        holders: this.parts.holders,
        log,
        mayStartThread: this.parts.mayStartThread,
        hostKeys,
        user,
        maxConnections,
        maxPerAddress,
        handshakeMs: handshakeSeconds * 1000,
        idleMs: idleSeconds * 1000,
      });
      this.port = await listener.listen(where);
      this.listener = listener;
      log.info("git over SSH", { listen: this.options.listen, port: this.port });
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
      log.error("git over SSH is not there: the address could not be listened on", {
        listen: this.options.listen,
        error,
      });
    }
  }
}
