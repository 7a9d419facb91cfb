/** A request in progress. */
export interface LiveRequest {
  readonly id: string;
  readonly method: string;
  /** The route pattern (`/:owner/:repo`), because the actual path may contain secrets. */
  readonly path: string;
  readonly address: string;
  /** `performance.now()` on arrival. */
  readonly startedAt: number;
}

/** The requests in progress, until their first byte is ready; a response that is still streaming no longer counts. */
export class LiveRequests {
  private readonly running = new Map<string, LiveRequest>();

  begin(request: LiveRequest): void {
    this.running.set(request.id, request);
  }

  end(id: string): void {
    this.running.delete(id);
  }

  /** Oldest first. */
  list(): LiveRequest[] {
    return [...this.running.values()];
  }
}
