import { type Failure, ValidationFailed } from "../../kernel/errors.ts";
import type { OutboundClient, OutboundResponse } from "../../outbound/client.ts";
import type { RemoteCredentials } from "../../remotes/address.ts";
import { remoteFailureOf } from "../../remotes/service.ts";
import type { ImportServiceName } from "../types.ts";

export interface ForgeAddress {
  readonly service: Exclude<ImportServiceName, "git">;
  /** What git fetches from, without credentials. */
  readonly url: string;
  readonly credentials: RemoteCredentials & { readonly token: string };
}

/** The largest answer that is read: a page of items with all their texts. */
const MAX_ANSWER_BYTES = 8 * 2 ** 20;
const PER_PAGE = 50;
/** Of one list: a server that never ends it is not waited for. */
const MAX_PAGES = 20_000;
/** Who asks to be left alone for longer is told of as a failure. */
const MAX_WAIT_SECONDS = 120;
const MAX_WAITS = 5;

/** A repository on another forge, by its REST API: that of Gitea and its kin, or GitHub's. */
export class ForgeClient {
  private readonly root: string;
  private readonly headers: Readonly<Record<string, string>>;

  constructor(
    private readonly outbound: OutboundClient,
    private readonly address: ForgeAddress,
    private readonly signal: AbortSignal,
  ) {
    this.root = apiRoot(address);
    this.headers = credentialHeaders(address.credentials);
  }

  get isGitHub(): boolean {
    return this.address.service === "github";
  }

  /** @param path below the repository's; empty: the repository @throws Failure `remote.…`, `import.rate-limited` */
  async get(path: string): Promise<unknown> {
    const answer = await this.ask(`${this.root}${path}`, {});
    return this.worded(async () => {
      const text = await new Response(answer.body).text();
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw this.failed("broken", "no JSON");
      }
    });
  }

  /**
   * A list page by page, until there is no more. A list that comes whole however it is asked comes once.
   * @throws Failure, also for one that does not end
   */
  async *pages(path: string): AsyncGenerator<readonly unknown[], void, undefined> {
    const sizeName = this.isGitHub ? "per_page" : "limit";
    const seen = new Set<string>();
    for (let number = 1; number <= MAX_PAGES; number++) {
      const joint = path.includes("?") ? "&" : "?";
      const page = await this.get(`${path}${joint}page=${number}&${sizeName}=${PER_PAGE}`);
      if (!Array.isArray(page)) throw this.failed("broken", "no list");
      const first = JSON.stringify(page[0] ?? null).slice(0, 1_000);
      if (page.length === 0 || seen.has(first)) return;
      seen.add(first);
      yield page;
    }
    throw this.failed("too-large", `${MAX_PAGES} pages`);
  }

  /** A file at an address that the other server named; credentials go to its own API only. @throws Failure */
  async file(url: string, maxBytes: number): Promise<ReadableStream<Uint8Array>> {
    const isHome = URL.canParse(url) && new URL(url).origin === new URL(this.root).origin;
    const answer = await this.ask(url, { accept: "application/octet-stream", maxBytes, isHome });
    return answer.body;
  }

  private async ask(
    url: string,
    {
      accept = "application/json",
      isHome = true,
      maxBytes = MAX_ANSWER_BYTES,
    }: { readonly accept?: string; readonly isHome?: boolean; readonly maxBytes?: number },
  ): Promise<OutboundResponse> {
    for (let waits = 0; ; waits++) {
      const answer = await this.worded(() =>
        this.outbound.request({
          url,
          headers: { accept },
          ...(isHome ? { credentials: this.headers } : {}),
          redirects: 3,
          maxBytes,
          signal: this.signal,
          timeoutMs: 600_000,
        }),
      );
      if (answer.status === 200) return answer;
      await answer.body.cancel();
      const seconds = restSeconds(answer);
      if (seconds === undefined) throw this.refused(answer);
      if (seconds > MAX_WAIT_SECONDS || waits === MAX_WAITS)
        throw new ValidationFailed("import.rate-limited", { params: { host: this.host } });
      await this.rest(seconds);
    }
  }

  private refused({ headers, status }: OutboundResponse): Failure {
    if (headers.get("x-gitea-otp") === "required" || headers.get("x-github-otp")?.startsWith("required"))
      return new ValidationFailed("import.two-factor", { params: { host: this.host } });
    if (status === 401) return this.failed("bad-credentials", "");
    if (status === 403) return this.failed("forbidden", "");
    if (status === 404) return this.failed("not-found", "");
    return this.failed("bad-status", String(status));
  }

  private get host(): string {
    return new URL(this.root).host;
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
      const timer = setTimeout(resolve, seconds * 1_000);
      this.signal.addEventListener(
        "abort",
        () => {
          clearTimeout(timer);
          reject(this.signal.reason);
        },
        { once: true },
      );
    });
  }
}

/** How long the server wants to be left alone; undefined: that is not what it says. */
function restSeconds({ headers, status }: OutboundResponse): number | undefined {
  const isSpent = status === 429 || (status === 403 && headers.get("x-ratelimit-remaining") === "0");
  if (!isSpent && !(status === 503 && headers.has("retry-after"))) return undefined;
  const given = Number(headers.get("retry-after") ?? Number.NaN);
  if (given >= 0) return given;
  const reset = Number(headers.get("x-ratelimit-reset") ?? Number.NaN) - Date.now() / 1_000;
  return Number.isNaN(reset) ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(reset));
}

/** Where the API speaks of the repository that git has at that address. */
function apiRoot({ service, url: text }: ForgeAddress): string {
  const url = new URL(text.replace(/^git:/, "https:"));
  const parts = url.pathname
    .replace(/\.git$/i, "")
    .split("/")
    .filter((part) => part !== "");
  const name = parts.slice(-2).join("/");
  if (service !== "github") return `${url.origin}/${[...parts.slice(0, -2), "api/v1/repos", name].join("/")}`;
  return url.hostname === "github.com" ? `https://api.github.com/repos/${name}` : `${url.origin}/api/v3/repos/${name}`;
}

function credentialHeaders({ password, token, username }: ForgeAddress["credentials"]): Record<string, string> {
  const [first = ""] = token.split(",");
  if (first.trim() !== "") return { authorization: `token ${first.trim()}` };
  if (username === "" && password === "") return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}
