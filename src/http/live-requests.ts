import type { Incoming } from "./guard.ts";
import type { Route } from "./route.ts";

/** A request that is being answered. Its path is the declared one: the real one may hold what only its sender knows. */
export interface LiveRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly address: string;
  /** `performance.now()` when it came. */
  readonly startedAt: number;
}

/** The requests that are being answered, until the first byte is there; what streams on afterwards is none of them. */
export class LiveRequests {
  private readonly running = new Map<Incoming, Route>();

  begin(incoming: Incoming, route: Route): void {
    this.running.set(incoming, route);
  }

  end(incoming: Incoming): void {
    this.running.delete(incoming);
  }

  /** The oldest first. */
  list(): LiveRequest[] {
    return [...this.running].map(([{ requestId, request, address, startedAt }, { path }]) => ({
      id: requestId,
      method: request.method,
      path,
      address,
      startedAt,
    }));
  }
}
