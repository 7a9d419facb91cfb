/** A request that is being answered. */
export interface LiveRequest {
  readonly id: string;
  readonly method: string;
  /** As it is declared (`/:owner/:repo`): the real one may hold what only its sender knows. */
  readonly path: string;
  readonly address: string;
  /** `performance.now()` when it came. */
  readonly startedAt: number;
}

/** The requests that are being answered, until the first byte is there; what streams on afterwards is none of them. */
export class LiveRequests {
  private readonly running = new Map<string, LiveRequest>();

  begin(request: LiveRequest): void {
    this.running.set(request.id, request);
  }

  end(id: string): void {
    this.running.delete(id);
  }

  /** The oldest first. */
  list(): LiveRequest[] {
    return [...this.running.values()];
  }
}
