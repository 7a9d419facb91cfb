import type { Log } from "../kernel/log.ts";
import { Buffers } from "./byte-sender.ts";
import { type FromClient, type FromThread, handedOver, type ToClient, type ToThread } from "./messages.ts";

/** After this long without clients the thread ends and frees its memory. */
const IDLE_MS = 2 * 60_000;

export interface ThreadParts {
  readonly log: Log;
  readonly hostKeys: readonly string[];
  /** Whether a thread may be started now: that opens files. */
  mayStartThread(): boolean;
}

/** Receives the thread's messages about a connection. */
interface Hearer {
  hear(said: FromClient): void;
  /** The thread has ended. */
  lost(): void;
}

/** A connection's link to the thread. */
export interface ThreadLink {
  readonly buffers: Buffers;
  tell(said: ToClient): void;
  /** The client is gone; no further messages are sent. */
  close(): void;
}

/** The thread that speaks SSH with all clients; runs while there are any. */
export class SshThread {
  private worker: Worker | undefined;
  private readonly buffers = new Buffers();
  private readonly hearers = new Map<number, Hearer>();
  private connections = 0;
  private idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly parts: ThreadParts) {}

  /** Whether a thread is running or may be started. */
  get hasRoom(): boolean {
    return this.worker !== undefined || this.parts.mayStartThread();
  }

  /** Begins a connection, in a new thread if there is none. */
  connect(hearer: Hearer): ThreadLink {
    this.worker ??= this.start();
    clearTimeout(this.idleTimer);
    const connection = ++this.connections;
    this.hearers.set(connection, hearer);
    this.post({ kind: "open", connection });
    return {
      buffers: this.buffers,
      tell: (said) => this.post({ kind: "client", connection, said }, handedOver(said)),
      close: () => {
        this.post({ kind: "client", connection, said: { kind: "closed" } });
        this.hearers.delete(connection);
        if (this.hearers.size > 0) return;
        clearTimeout(this.idleTimer);
        this.idleTimer = setTimeout(() => this.end(), IDLE_MS);
        this.idleTimer.unref();
      },
    };
  }

  /** Accept no further sessions. */
  refuseSessions(): void {
    this.post({ kind: "stop" });
  }

  /** Ends the thread; remaining connections are lost. */
  end(): void {
    clearTimeout(this.idleTimer);
    const { worker } = this;
    this.worker = undefined;
    worker?.terminate();
    for (const hearer of [...this.hearers.values()]) hearer.lost();
  }

  private start(): Worker {
    const worker = new Worker(new URL("./ssh-protocol.ts", import.meta.url).href);
    worker.onmessage = ({ data: { connection, said } }: MessageEvent<FromThread>) =>
      this.hearers.get(connection)?.hear(said);
    const failed = (error: unknown) => {
      if (this.worker !== worker) return;
      this.parts.log.error("the thread for SSH ended, and its connections with it", { error });
      this.end();
    };
    worker.onerror = ({ message }) => failed(message);
    worker.addEventListener("close", () => failed("it closed"));
    worker.postMessage({ kind: "begin", hostKeys: this.parts.hostKeys } satisfies ToThread);
    return worker;
  }

  private post(message: ToThread, transfer: Transferable[] = []): void {
    this.worker?.postMessage(message, transfer);
  }
}
