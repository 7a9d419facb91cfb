import { type Clock, steadyClock } from "../../kernel/clock.ts";

const KEEP_MS = 30 * 60_000;
const MAX_PER_SESSION = 10;
const MAX_SESSIONS = 2_000;

/** A consent request that was shown; the submitted form must match one. */
export interface PendingRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly scope: string;
  readonly nonce: string;
  readonly challenge: string;
  readonly challengeMethod: "S256" | "plain";
}

/**
 * The authorization requests that a session was shown. In memory: after a restart the page says that the request has
 * expired, and the client starts over.
 */
export class PendingRequests {
  private readonly sessions = new Map<string, { readonly request: PendingRequest; readonly until: number }[]>();

  constructor(private readonly clock: Clock = steadyClock) {}

  add(sessionId: string, request: PendingRequest): void {
    const others = this.current(sessionId).filter((entry) => !isFor(entry.request, request));
    this.sessions.delete(sessionId);
    this.sessions.set(sessionId, [...others.slice(1 - MAX_PER_SESSION), { request, until: this.clock() + KEEP_MS }]);
    const oldest = this.sessions.keys().next().value;
    if (this.sessions.size > MAX_SESSIONS && oldest !== undefined) this.sessions.delete(oldest);
  }

  /** Removes and returns the request being answered; undefined if this session was not shown it. */
  take(
    sessionId: string,
    answer: Pick<PendingRequest, "clientId" | "redirectUri" | "state">,
  ): PendingRequest | undefined {
    const entries = this.current(sessionId);
    const found = entries.find((entry) => isFor(entry.request, answer));
    if (found)
      this.sessions.set(
        sessionId,
        entries.filter((entry) => entry !== found),
      );
    return found?.request;
  }

  private current(sessionId: string) {
    const now = this.clock();
    return (this.sessions.get(sessionId) ?? []).filter(({ until }) => until > now);
  }
}

type Identity = Pick<PendingRequest, "clientId" | "redirectUri" | "state">;

function isFor(request: Identity, other: Identity): boolean {
  return (
    request.clientId === other.clientId && request.redirectUri === other.redirectUri && request.state === other.state
  );
}
