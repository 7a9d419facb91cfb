import type { Database } from "../db/database.ts";
import type { IdentityService } from "../identity/service.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { JobAborted, type JobRun } from "../jobs/types.ts";
import type { Clock } from "../kernel/clock.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import type { Log } from "../kernel/log.ts";
import type { OutboundClient, OutboundResponse } from "../outbound/client.ts";
import { OutboundFailed } from "../outbound/errors.ts";
import * as store from "./deliveries-store.ts";
import { enqueue } from "./happenings.ts";
import { type HookRequest, keptRequest, requestOf } from "./request.ts";
import type { WebhookService } from "./service.ts";
import { findHook, setLastOutcome } from "./store.ts";
import { type Delivery, type GotResponse, isNative, type SentRequest, type Webhook } from "./types.ts";

export interface SenderParts {
  readonly clock: Clock;
  readonly crash: CrashPoint;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly jobs: JobQueue;
  readonly log: Log;
  readonly outbound: OutboundClient;
  readonly webhooks: WebhookService;
  /** Timeout of one exchange. */
  readonly timeoutMs: number;
  /** Builds the payload of a delivery stored without one; undefined: its subject is gone. */
  readonly payloadOf: (source: string) => Promise<object | undefined>;
}

/** Hooks served concurrently. */
const CONCURRENCY = 4;
/** Deliveries per run of the job: other hooks run in between. */
const BATCH = 50;
/** Maximum bytes read of a response; fewer are stored. */
const MAX_READ = 1024 * 1024;
const MAX_KEPT = 64 * 1024;

/** Sends pending deliveries: each once, those of a hook one after another (contract webhooks.md 4.2). */
export class HookSender {
  constructor(private readonly parts: SenderParts) {
    parts.jobs.handle("webhooks.send", {
      // Written by `enqueue` in this shape.
      parse: (payload) => payload as { hookId: number },
      run: ({ hookId }, run) => this.sendAll(hookId, run),
      concurrency: CONCURRENCY,
      exclusionKey: ({ hookId }) => `webhook:${hookId}`,
    });
  }

  /** At startup: enqueues deliveries that a crash left without a job. */
  wake(): void {
    for (const hookId of store.hooksWithUnsent(this.parts.db)) enqueue(this.parts.jobs, hookId);
  }

  private async sendAll(hookId: number, run: JobRun): Promise<void> {
    const { db, jobs } = this.parts;
    for (let sent = 0; ; sent++) {
      if (run.signal.aborted) throw run.signal.reason;
      const hook = findHook(db, hookId);
      const next = hook && store.nextUnsent(db, hookId);
      if (!hook || !next) return;
      if (sent === BATCH) return enqueue(jobs, hookId);
      await this.send(hook, next, run.signal);
    }
  }

  private async send(hook: Webhook, delivery: Delivery, signal: AbortSignal): Promise<void> {
    const { clock, crash, db } = this.parts;
    const payload = delivery.payload ?? (await this.makePayload(hook, delivery));
    if (payload !== undefined && bringsNothing(hook, delivery, payload)) return store.deleteDelivery(db, delivery.id);
    // Marked first: a delivery interrupted by a crash is not sent a second time.
    if (!store.markSent(db, delivery.id, clock())) return;
    crash("webhooks.after-mark");
    if (payload === undefined) return this.record(hook, delivery, { response: failed("what it tells of is gone") });
    if (!hook.isActive) return this.record(hook, delivery, { response: failed("the webhook is switched off") });
    this.record(hook, delivery, await this.exchange(hook, { ...delivery, payload }, signal));
  }

  /** undefined: there is nothing left to send. */
  private async makePayload(hook: Webhook, { id, source }: Delivery): Promise<string | undefined> {
    const { db, log, payloadOf } = this.parts;
    try {
      const made = source === undefined ? undefined : await payloadOf(source);
      if (!made) return undefined;
      const payload = JSON.stringify(made, undefined, 2);
      store.putPayload(db, id, payload);
      return payload;
    } catch (error) {
      log.warn("the payload of a webhook could not be made", { hook: hook.id, delivery: id, error });
      return undefined;
    }
  }

  private async exchange(
    hook: Webhook,
    { eventType, payload, uuid }: Delivery & { readonly payload: string },
    signal: AbortSignal,
  ): Promise<Pick<store.Outcome, "request" | "response">> {
    const { clock, identity, outbound, timeoutMs, webhooks } = this.parts;
    let kept: SentRequest | undefined;
    try {
      const isOrganization = identity.byId(hook.ownerId ?? 0)?.kind === "organization";
      const event = { uuid, type: eventType, payload, now: clock() };
      const request = requestOf(hook, webhooks.secretsOf(hook), event, isOrganization);
      kept = keptRequest(hook, request, payload);
      return { request: kept, response: await answerOf(outbound, request, timeoutMs, signal) };
    } catch (error) {
      if (signal.aborted && signal.reason instanceof JobAborted)
        return { request: kept, response: failed(signal.reason.message) };
      if (error instanceof OutboundFailed) return { request: kept, response: failed(wordsOf(error)) };
      if (error instanceof TypeError) return { request: kept, response: failed(error.message) };
      throw error;
    }
  }

  private record(hook: Webhook, delivery: Delivery, outcome: Pick<store.Outcome, "request" | "response">): void {
    const { db } = this.parts;
    const { status } = outcome.response;
    const succeeded = status >= 200 && status < 300;
    db.transaction(() => {
      store.recordOutcome(db, delivery.id, { ...outcome, succeeded });
      setLastOutcome(db, hook.id, succeeded);
    });
  }
}

async function answerOf(
  outbound: OutboundClient,
  { body, credentials, headers, method, url }: HookRequest,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<GotResponse> {
  const response = await outbound.request({
    url,
    method,
    headers,
    credentials,
    ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
    maxBytes: Infinity,
    timeoutMs,
    idleMs: timeoutMs,
    signal,
  });
  const text = await beginningOf(response);
  return { status: response.status, headers: Object.fromEntries(response.headers), body: text };
}

/** The beginning of a response; the rest is not read. */
async function beginningOf({ body }: OutboundResponse): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    size += value.byteLength;
    if (text.length < MAX_KEPT) text = (text + decoder.decode(value, { stream: true })).slice(0, MAX_KEPT);
    if (size < MAX_READ) continue;
    await reader.cancel();
    return text;
  }
}

/** Chats get no message about a push without commits. */
function bringsNothing(hook: Webhook, { eventType, source }: Delivery, payload: string): boolean {
  if (isNative(hook.type) || eventType !== "push" || source === undefined) return false;
  // Built by `pushPayload`.
  return (JSON.parse(payload) as { commits: readonly unknown[] }).commits.length === 0;
}

const failed = (why: string): GotResponse => ({ status: 0, headers: {}, body: why });

const problems: Partial<Record<OutboundFailed["problem"], (failure: OutboundFailed) => string>> = {
  forbidden: ({ detail, host }) =>
    `webhook can only call allowed HTTP servers (check your network.allow setting), deny '${host}(${detail})'`,
};

function wordsOf(failure: OutboundFailed): string {
  return (
    problems[failure.problem]?.(failure) ?? `Delivery: ${failure.problem} ${failure.host} ${failure.detail}`.trim()
  );
}
