/**
 * A small load generator in a process of its own: connections that are kept, one request after another on each.
 * `bun load.ts '{"url": …}'` prints one line of JSON.
 */

const MAX_SECONDS = 20;

export interface LoadRequest {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Goes on until so many requests were answered, at most for `MAX_SECONDS`. */
  readonly atLeast?: number;
  /** A pause after each answer, for a paced load; 0: as fast as it goes. */
  readonly pauseMs?: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Of the first answer; others are counted as `odd`. */
  readonly status: number;
  readonly odd: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

export interface RunningLoad {
  readonly result: Promise<LoadResult>;
}

/** Starts the load; measure the server until its result is there. */
export function startLoad(wish: LoadRequest): RunningLoad {
  const child = Bun.spawn(["bun", import.meta.path, JSON.stringify(wish)], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  return { result: new Response(child.stdout).text().then((text) => JSON.parse(text) as LoadResult) };
}

async function run(wish: LoadRequest): Promise<LoadResult> {
  const url = new URL(wish.url);
  const request = Buffer.from(
    `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: */*\r\nAccept-Encoding: gzip\r\n\r\n`,
  );
  const times: number[] = [];
  let status = 0;
  let odd = 0;
  const began = performance.now();
  const until = began + wish.seconds * 1000;
  const latest = began + Math.max(wish.seconds, MAX_SECONDS) * 1000;
  const goesOn = () => {
    const now = performance.now();
    return now < until || (now < latest && times.length < (wish.atLeast ?? 0));
  };
  const connection = async () => {
    const line = await Line.open(url);
    while (goesOn()) {
      const sent = performance.now();
      const answered = await line.exchange(request);
      times.push(performance.now() - sent);
      status ||= answered;
      if (answered !== status) odd++;
      if (wish.pauseMs) await Bun.sleep(wish.pauseMs);
    }
    line.close();
  };
  await Promise.all(Array.from({ length: wish.connections }, connection));
  const seconds = (performance.now() - began) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { requests: times.length, seconds, status, odd, medianMs: at(0.5), p99Ms: at(0.99) };
}

/** One HTTP/1.1 connection that reads answers only as far as it must to find their ends. */
class Line {
  private waiting: { resolve(status: number): void; reject(error: Error): void } | undefined;
  private status = 0;
  /** Bytes of the body still to come; -1: the head is not complete; -2: chunked. */
  private left = -1;
  private head = Buffer.alloc(0);

  private constructor(private socket: Bun.Socket | undefined) {}

  static async open(url: URL): Promise<Line> {
    const line = new Line(undefined);
    line.socket = await Bun.connect({
      hostname: url.hostname,
      port: Number(url.port),
      socket: {
        data: (_socket, chunk) => line.take(chunk),
        close: () => line.waiting?.reject(new Error("the server closed the connection")),
        error: (_socket, error) => line.waiting?.reject(error),
      },
    });
    return line;
  }

  exchange(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.left = -1;
      this.head = Buffer.alloc(0);
      this.socket?.write(request);
    });
  }

  close(): void {
    this.waiting = undefined;
    this.socket?.end();
  }

  private take(chunk: Buffer): void {
    if (this.left >= 0) this.left -= chunk.byteLength;
    else {
      this.head = Buffer.concat([this.head, chunk]);
      if (this.left === -1) this.readHead();
      if (this.left === -2 && this.head.subarray(-5).toString("latin1") === "0\r\n\r\n") this.left = 0;
    }
    if (this.left !== 0) return;
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.resolve(this.status);
  }

  private readHead(): void {
    const end = this.head.indexOf("\r\n\r\n");
    if (end < 0) return;
    const text = this.head.subarray(0, end).toString("latin1");
    this.status = Number(text.slice(9, 12));
    const length = /^content-length: (\d+)/im.exec(text);
    this.left = length ? Number(length[1]) - (this.head.length - end - 4) : /^transfer-encoding/im.test(text) ? -2 : 0;
  }
}

if (import.meta.main) console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? "{}") as LoadRequest)));
