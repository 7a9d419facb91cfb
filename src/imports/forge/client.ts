import { type Failure, ValidationFailed } from "../../kernel/errors.ts";
import type { OutboundClient, OutboundResponse } from "../../outbound/client.ts";
import { remoteFailureOf } from "../../remotes/service.ts";
import { limitedFor } from "./rate-limits.ts";

/** How to query a kind of forge's API. */
export interface ForgeApi {
  /** The repository's API address, without a trailing slash. */
  readonly root: string;
  /** Authentication headers, one set for each given token; empty: anonymous. */
  readonly credentials: readonly Readonly<Record<string, string>>[];
  /** The parameter for the page size. */
  readonly sizeName: "limit" | "per_page";
}

/** The largest response read: a page of items with all their texts. */
const MAX_ANSWER_BYTES = 8 * 2 ** 20;
const PER_PAGE = 50;
/** Per list: guards against a server that never ends it. */
const MAX_PAGES = 20_000;
/** A longer rate limit is reported as a failure. */
const MAX_WAIT_SECONDS = 120;
const MAX_WAITS = 5;
const TIMEOUT_MS = 600_000;
/** Limits what is read of one item with its discussion, which is in memory at once. */
const MAX_ITEM_ENTRIES = 20_000;
const MAX_ITEM_CHARACTERS = 32 * 2 ** 20;

interface Page {
  readonly entries: readonly unknown[];
  /** Undefined: the server does not say; empty: this is the last page. */
  readonly next: string | undefined;
}

/** Queries a forge's REST API about one repository. */
export class ForgeClient {
  /** Index of the credentials in use. */
  private turn = 0;
  /** What may still be read of the current item. */
  private allowance: { entries: number; characters: number; readonly number: number } | undefined;

  constructor(
    private readonly outbound: OutboundClient,
    private readonly api: ForgeApi,
    private readonly signal: AbortSignal,
  ) {}

  /** @param path below the repository's; empty: the repository @throws Failure `remote.…`, `import.rate-limited` */
  async get(path: string): Promise<unknown> {
    return (await this.read(`${this.api.root}${path}`)).value;
  }

  /** The same for something that may be absent; undefined if it is. */
  async find(path: string): Promise<unknown> {
    try {
      return await this.get(path);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  /**
   * Reads a list page by page. A list that ignores paging is yielded once.
   * @throws Failure, also for one that does not end
   */
  async *pages(path: string, options: { readonly mayBeAbsent?: boolean } = {}): AsyncGenerator<readonly unknown[]> {
    const joint = path.includes("?") ? "&" : "?";
    const addressOf = (number: number) =>
      `${this.api.root}${path}${joint}page=${number}&${this.api.sizeName}=${PER_PAGE}`;
    const seen = new Set<string>();
    let url = addressOf(1);
    for (let number = 1; number <= MAX_PAGES; number++) {
      const { entries, next } = await this.page(url, options.mayBeAbsent === true && number === 1);
      const first = JSON.stringify(entries[0] ?? null).slice(0, 1_000);
      if (entries.length === 0 || seen.has(first)) return;
      seen.add(first);
      yield entries;
      if (next === "") return;
      url = next ?? addressOf(number + 1);
    }
    throw this.failed("too-large", `${MAX_PAGES} pages`);
  }

  /** Reads one item with its discussion. @throws ValidationFailed it exceeds the limits */
  async within<T>(number: number, work: () => Promise<T>): Promise<T> {
    this.allowance = { entries: MAX_ITEM_ENTRIES, characters: MAX_ITEM_CHARACTERS, number };
    try {
      return await work();
    } finally {
      this.allowance = undefined;
    }
  }

  /**
   * A file at an address that the other server gave, or a path below the repository's; credentials are sent to its
   * own API only.
   * @throws Failure
   */
  async file(named: string, maxBytes: number): Promise<ReadableStream<Uint8Array>> {
    const url = named.startsWith("/") ? this.api.root + named : named;
    const isHome = URL.canParse(url) && new URL(url).origin === new URL(this.api.root).origin;
    return (await this.ask(url, { accept: "application/octet-stream", maxBytes, isHome })).body;
  }

  private async page(url: string, mayBeAbsent: boolean): Promise<Page> {
    try {
      const { headers, value } = await this.read(url);
      // Some servers send null for an empty list.
      const entries = value ?? [];
      if (!Array.isArray(entries)) throw this.failed("broken", "no list");
      return { entries, next: this.nextOf(headers.get("link")) };
    } catch (error) {
      if (mayBeAbsent && isAbsent(error)) return { entries: [], next: "" };
      throw error;
    }
  }

  /** The next page in a `Link` header, requested from the same server only: behind a proxy it may name another host. */
  private nextOf(link: string | null): string | undefined {
    if (link === null) return undefined;
    const next = /<([^<>]{1,4096})>\s*;[^,<]*\brel="?next"?/.exec(link)?.[1];
    if (next === undefined) return "";
    return URL.canParse(next) && new URL(next).origin === new URL(this.api.root).origin ? next : undefined;
  }

  private async read(url: string): Promise<{ readonly value: unknown; readonly headers: Headers }> {
    const { body, headers } = await this.ask(url, {});
    return this.worded(async () => {
      const text = await new Response(body).text();
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        throw this.failed("broken", "no JSON");
      }
      this.spend(text.length, Array.isArray(value) ? value.length : 1);
      return { value, headers };
    });
  }

  private spend(characters: number, entries: number): void {
    const { allowance } = this;
    if (!allowance) return;
    allowance.characters -= characters;
    allowance.entries -= entries;
    if (allowance.characters < 0 || allowance.entries < 0)
      throw new ValidationFailed("import.item-too-large", { params: { number: allowance.number } });
  }

  private async ask(
    url: string,
    {
      accept = "application/json",
      isHome = true,
      maxBytes = MAX_ANSWER_BYTES,
    }: { readonly accept?: string; readonly isHome?: boolean; readonly maxBytes?: number },
  ): Promise<OutboundResponse> {
    const { credentials } = this.api;
    const request = { url, headers: { accept }, redirects: 3, maxBytes, signal: this.signal, timeoutMs: TIMEOUT_MS };
    let tried = 1;
    for (let waits = 0; ; ) {
      const own = isHome ? credentials[this.turn % credentials.length] : undefined;
      const answer = await this.worded(() =>
        this.outbound.request({ ...request, ...(own === undefined ? {} : { credentials: own }) }),
      );
      if (answer.status === 200) return answer;
      const seconds = await this.worded(() => limitedFor(answer));
      if (seconds === undefined) throw this.refused(answer);
      // Another token may not have reached its limit yet.
      if (isHome && tried++ < credentials.length) {
        this.turn++;
        continue;
      }
      if (seconds > MAX_WAIT_SECONDS || waits++ === MAX_WAITS)
        throw new ValidationFailed("import.rate-limited", {
          params: { host: this.host, ...(Number.isFinite(seconds) ? { seconds } : {}) },
        });
      tried = 1;
      await this.rest(seconds);
    }
  }

  private refused({ headers, status }: OutboundResponse): Failure {
    if (headers.get("x-gitea-otp") === "required" || headers.get("x-github-otp")?.startsWith("required"))
      return new ValidationFailed("import.two-factor", { params: { host: this.host } });
    if (status === 401) return this.failed("bad-credentials", "");
    if (status === 403) return this.failed("forbidden", "");
    if (status === 404 || status === 410) return this.failed("not-found", "");
    return this.failed("bad-status", String(status));
  }

  private get host(): string {
    return new URL(this.api.root).host;
  }

  private failed(problem: string, detail: string): Failure {
    return new ValidationFailed(`remote.${problem}`, { params: { host: this.host, detail } });
  }

  private async worded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw remoteFailureOf(error, this.host);
    }
  }

  private rest(seconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        clearTimeout(timer);
        reject(this.signal.reason);
      };
      const timer = setTimeout(() => {
        this.signal.removeEventListener("abort", onAbort);
        resolve();
      }, seconds * 1_000);
      if (this.signal.aborted) onAbort();
      else this.signal.addEventListener("abort", onAbort, { once: true });
    });
  }
}

/** Whether the server does not have or does not show what was requested. */
export function isAbsent(error: unknown): boolean {
  return error instanceof ValidationFailed && (error.code === "remote.not-found" || error.code === "remote.forbidden");
}
