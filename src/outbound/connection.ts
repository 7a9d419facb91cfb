import type { Socket } from "node:net";
import { formatIp } from "../kernel/ip.ts";
import { Deadline, type Limits } from "./deadline.ts";
import { OutboundFailed } from "./errors.ts";
import { failureOf } from "./exchange.ts";
import type { Target } from "./target.ts";

/** A plain connection to another server, behind the network policy; bytes in both directions. */
export interface OutboundConnection {
  /** Ends when the other side has finished; fails with OutboundFailed. Can be read once. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Resolves when more can be sent. @throws OutboundFailed */
  write(bytes: Uint8Array): Promise<void>;
  close(): void;
}

/**
 * Tries the checked addresses in turn, and no others.
 * @throws OutboundFailed
 */
export async function connect(
  target: Target,
  port: number,
  limits: Limits,
  signal: AbortSignal | undefined,
): Promise<OutboundConnection> {
  const deadline = new Deadline(target.host, limits, signal);
  let problem: unknown = new OutboundFailed("unresolved", target.host);
  try {
    const { createConnection } = await import("node:net");
    for (const ip of target.addresses) {
      deadline.touch();
      const socket = createConnection({ host: formatIp(ip), port });
      try {
        await deadline.race(connected(socket));
        return new Connection(socket, target, deadline);
      } catch (error) {
        socket.destroy();
        problem = error;
        if (deadline.signal.aborted) break;
      }
    }
  } catch (error) {
    problem = error;
  }
  deadline.end();
  throw failureOf(problem, target, deadline);
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("connect", resolve).once("error", reject);
  });
}

class Connection implements OutboundConnection {
  readonly input: AsyncIterable<Uint8Array>;

  constructor(
    private readonly socket: Socket,
    private readonly target: Target,
    private readonly deadline: Deadline,
  ) {
    // Readers and writers get errors; without a listener they would end the process.
    socket.on("error", () => {});
    deadline.signal.addEventListener("abort", () => socket.destroy());
    deadline.pause();
    this.input = this.read();
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.deadline.touch();
    try {
      await this.deadline.race(
        new Promise<void>((resolve, reject) => {
          this.socket.write(bytes, (error) => (error ? reject(error) : resolve()));
        }),
      );
    } catch (error) {
      throw failureOf(error, this.target, this.deadline);
    } finally {
      this.deadline.pause();
    }
  }

  close(): void {
    this.deadline.end();
    this.socket.destroy();
  }

  private async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    const chunks: AsyncIterator<unknown> = this.socket[Symbol.asyncIterator]();
    try {
      for (;;) {
        this.deadline.touch();
        const { done, value } = await this.deadline.race(chunks.next());
        this.deadline.pause();
        if (done) return;
        if (!(value instanceof Uint8Array)) throw new Error("a socket gave something else than bytes");
        yield value;
      }
    } catch (error) {
      throw failureOf(error, this.target, this.deadline);
    } finally {
      this.close();
    }
  }
}
