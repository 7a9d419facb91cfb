import { afterAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { OutboundClient, type OutboundOptions, type OutboundResponse } from "../../src/outbound/client.ts";
import { OutboundFailed } from "../../src/outbound/errors.ts";

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A server on loopback that notes what it is asked; `answer` words its answers. */
function aPeer(answer: (request: Request, seen: Seen) => Response | Promise<Response>, tls?: Bun.TLSOptions) {
  const seen: Seen[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    ...(tls ? { tls } : {}),
    fetch: async (request) => {
      const url = new URL(request.url);
      const one = {
        method: request.method,
        path: url.pathname + url.search,
        headers: request.headers,
        body: await request.text(),
      };
      seen.push(one);
      return answer(request, one);
    },
  });
  closers.push(() => void server.stop(true));
  return { port: server.port ?? 0, seen, url: `http://127.0.0.1:${server.port}` };
}

/** A server that speaks bytes. */
async function aRawPeer(talk: (server: { write(text: string): void; end(): void }) => void): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => talk({ write: (text) => socket.write(text), end: () => socket.end() }));
    closers.push(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close());
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

const client = (options: Partial<OutboundOptions> = {}) => new OutboundClient({ allow: ["loopback"], ...options });
const text = (response: OutboundResponse) => new Response(response.body).text();

async function failure(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OutboundFailed) return error.code;
    throw error;
  }
  return "none";
}

describe("where it connects", () => {
  test.each([
    ["http://127.0.0.1:1/", "external"],
    ["http://[::1]:1/", "external"],
    ["http://[::ffff:127.0.0.1]:1/", "external"],
    ["http://[::ffff:a9fe:a9fe]/", "external"],
    ["http://169.254.169.254/latest", "external private loopback"],
    ["http://0.0.0.0/", "external private loopback"],
    ["http://10.0.0.1/", "external"],
    ["http://[fd00::1]/", "external"],
    ["http://[64:ff9b::7f00:1]/", "external private loopback"],
    ["http://[2002:7f00:1::]/", "external private loopback"],
    ["http://[fe80::1]/", "external private loopback"],
    ["http://224.0.0.1/", "external private loopback"],
    ["http://100.64.0.1/", "external private loopback"],
    ["http://8.8.8.8/", "private loopback"],
    ["http://192.168.1.5/", "192.168.2.0/24 10.* *.lan"],
    ["http://localhost:1/", "external"],
  ])("%s is forbidden where %s is allowed", async (url, allow) => {
    expect(await failure(client({ allow: allow.split(" ") }).request({ url }))).toBe("outbound.forbidden");
    expect(await failure(client({ allow: allow.split(" ") }).check(url))).toBe("outbound.forbidden");
  });

  test("by default, nothing of this machine is called", async () => {
    const peer = aPeer(() => new Response("secret"));
    expect(await failure(client({ allow: ["external"] }).request({ url: peer.url }))).toBe("outbound.forbidden");
    expect(peer.seen).toEqual([]);
  });

  test.each(["loopback", "127.0.0.0/8", "127.0.0.1", "127.0.*", "*"])("%s lets 127.0.0.1 be called", async (allow) => {
    const peer = aPeer(() => new Response("hello"));
    expect(await text(await client({ allow: [allow] }).request({ url: peer.url }))).toBe("hello");
  });

  test("a host allowed by name is called wherever it leads", async () => {
    const peer = aPeer((request) => new Response(request.headers.get("host")));
    const named = client({ allow: ["*.lan"], resolve: async () => ["127.0.0.1"] });
    expect(await text(await named.request({ url: `http://ci.lan:${peer.port}/` }))).toBe(`ci.lan:${peer.port}`);
    expect(await failure(named.request({ url: `http://ci.lan.evil.test:${peer.port}/` }))).toBe("outbound.forbidden");
  });

  test("a name with one forbidden address among its addresses is not called", async () => {
    const peer = aPeer(() => new Response("secret"));
    const mixed = client({ allow: ["external"], resolve: async () => ["93.184.216.34", "127.0.0.1"] });
    expect(await failure(mixed.request({ url: `http://mixed.test:${peer.port}/` }))).toBe("outbound.forbidden");
    expect(peer.seen).toEqual([]);
  });

  test("DNS rebinding: a name is resolved once, and the connection goes to the address that was checked", async () => {
    const allowed = aPeer(() => new Response("allowed"));
    const answers = ["127.0.0.1", "127.0.0.2"];
    let asked = 0;
    const rebinding = client({ allow: ["127.0.0.1"], resolve: async () => [answers[asked++] ?? "127.0.0.2"] });
    const url = `http://rebind.test:${allowed.port}/`;
    expect(await text(await rebinding.request({ url }))).toBe("allowed");
    expect(asked).toBe(1);
    // The next request asks again, and is decided by the new answer.
    expect(await failure(rebinding.request({ url }))).toBe("outbound.forbidden");
    expect(allowed.seen).toHaveLength(1);
  });

  test.each([[[]], [["not-an-address"]], [["127.0.0.1", "0177.0.0.1"]]])(
    "a resolver that says %p",
    async (addresses) => {
      expect(await failure(client({ resolve: async () => addresses }).request({ url: "http://x.test/" }))).toBe(
        "outbound.unresolved",
      );
    },
  );

  test("a name that does not exist", async () => {
    const unknown = client({
      resolve: () => Promise.reject(new Error("ENOTFOUND")),
    });
    expect(await failure(unknown.request({ url: "http://x.test/" }))).toBe("outbound.unresolved");
  });

  test("the proxies of the environment are not used", async () => {
    const peer = aPeer(() => new Response("direct"));
    const before = { ...process.env };
    Object.assign(process.env, { http_proxy: "http://127.0.0.1:1", HTTP_PROXY: "http://127.0.0.1:1", ALL_PROXY: "x" });
    try {
      expect(await text(await client().request({ url: peer.url }))).toBe("direct");
    } finally {
      for (const name of ["http_proxy", "HTTP_PROXY", "ALL_PROXY"])
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
    }
  });
});

test.each([
  "",
  "127.0.0.1",
  "ftp://127.0.0.1/",
  "file:///etc/passwd",
  "gopher://127.0.0.1/",
  "http:127.0.0.1",
  "http:/127.0.0.1/",
  "http:\\\\127.0.0.1\\",
  "http://127.1/",
  "http://0177.0.0.1/",
  "http://0x7f.0.0.1/",
  "http://2130706433/",
  "http://127.0.0.1./",
  "http://127.0.0.%31/",
  "http://１２７.0.0.1/",
  "http://user:password@127.0.0.1/",
  "http://@127.0.0.1/",
  "http://127.0.0.1/\r\nx: y",
  "http://127.0.0.1/a b",
  "http://127.0.0.1/%0d%0aHELO",
  "http://127.0.0.1/%00",
  "http://127.0.0.1:99999/",
  "http://",
])("%p is not an address to call", async (url) => {
  expect(await failure(client({ allow: ["*"] }).request({ url }))).toBe("outbound.bad-url");
});

describe("TLS", () => {
  const file = (name: string) => Bun.file(join(import.meta.dir, "tls", name)).text();
  const aSecurePeer = async () =>
    aPeer((request) => new Response(request.headers.get("host")), {
      key: await file("key.pem"),
      cert: await file("cert.pem"),
    });

  test("the certificate is the host's, not the address's", async () => {
    const peer = await aSecurePeer();
    const secure = client({ resolve: async () => ["127.0.0.1"], ca: await file("cert.pem") });
    const url = `https://secure.test:${peer.port}/`;
    expect(await text(await secure.request({ url }))).toBe(`secure.test:${peer.port}`);
  });

  test.each(["other.test", "127.0.0.1"])("a certificate that is not for %s is refused", async (host) => {
    const peer = await aSecurePeer();
    const secure = client({ resolve: async () => ["127.0.0.1"], ca: await file("cert.pem") });
    expect(await failure(secure.request({ url: `https://${host}:${peer.port}/` }))).toBe("outbound.untrusted");
    expect(peer.seen).toEqual([]);
  });

  test("an unknown certificate is refused, whatever the environment says", async () => {
    const peer = await aSecurePeer();
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      const url = `https://secure.test:${peer.port}/`;
      expect(await failure(client({ resolve: async () => ["127.0.0.1"] }).request({ url }))).toBe("outbound.untrusted");
    } finally {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    }
    expect(peer.seen).toEqual([]);
  });

  test("plain HTTP where TLS was expected", async () => {
    const peer = aPeer(() => new Response("plain"));
    const code = await failure(client().request({ url: `https://127.0.0.1:${peer.port}/` }));
    expect(["outbound.untrusted", "outbound.unreachable"]).toContain(code);
  });
});

describe("redirects", () => {
  const leading = (to: () => string, status = 302) =>
    aPeer(() => new Response(null, { status, headers: { location: to() } }));

  test("are answered unless asked to be followed", async () => {
    const peer = leading(() => "/next");
    const answer = await client().request({ url: peer.url });
    expect([answer.status, answer.headers.get("location"), peer.seen.length]).toEqual([302, "/next", 1]);
    await answer.body.cancel();
  });

  test("are checked like the first address: an allowed host does not lead to a forbidden one", async () => {
    const inner = aPeer(() => new Response("secret"));
    const outer = leading(() => `http://internal.test:${inner.port}/`);
    const named = client({
      allow: ["outer.test", "external"],
      resolve: async () => ["127.0.0.1"],
    });
    const request = { url: `http://outer.test:${outer.port}/`, redirects: 5 };
    expect(await failure(named.request(request))).toBe("outbound.forbidden");
    expect(inner.seen).toEqual([]);
  });

  test.each([
    "http://127.1/",
    "file:///etc/passwd",
    "http://user:pw@127.0.0.1/",
    "//0177.0.0.1/",
    "javascript:alert(1)",
  ])("to %s are refused", async (location) => {
    const peer = leading(() => location);
    expect(await failure(client().request({ url: peer.url, redirects: 5 }))).toBe("outbound.bad-url");
  });

  test("in a circle end after five", async () => {
    const peer = leading(() => "/again");
    expect(await failure(client().request({ url: peer.url, redirects: 99 }))).toBe("outbound.bad-redirect");
    expect(peer.seen).toHaveLength(6);
  });

  test("take credentials to the same origin only, and never back", async () => {
    const origin = aPeer((_, { path }) =>
      path === "/home"
        ? new Response("home")
        : new Response(null, { status: 307, headers: { location: path === "/start" ? "/same" : `${other.url}/x` } }),
    );
    const other = aPeer(() => new Response(null, { status: 307, headers: { location: `${origin.url}/home` } }));
    const answer = await client().request({
      url: `${origin.url}/start`,
      redirects: 5,
      headers: { "x-plain": "yes", cookie: "session=1" },
      credentials: { authorization: "Bearer hush", "private-token": "hush" },
    });
    expect(await text(answer)).toBe("home");
    expect(answer.url.href).toBe(`${origin.url}/home`);
    const sent = (seen: readonly Seen[]) =>
      seen.map(({ path, headers }) =>
        [path, ...["authorization", "private-token", "cookie", "x-plain"].map((name) => headers.get(name))].join(" "),
      );
    expect(sent(origin.seen)).toEqual([
      "/start Bearer hush hush session=1 yes",
      "/same Bearer hush hush session=1 yes",
      "/home    yes",
    ]);
    expect(sent(other.seen)).toEqual(["/x    yes"]);
  });

  test.each([
    [301, "GET", ""],
    [302, "GET", ""],
    [303, "GET", ""],
    [307, "POST", "body"],
    [308, "POST", "body"],
  ])("%d sends a POST on as %s", async (status, method, body) => {
    const peer = aPeer((_, { path }) =>
      path === "/" ? new Response(null, { status, headers: { location: "/next" } }) : new Response("ok"),
    );
    const answer = await client().request({ url: peer.url, method: "POST", body: Buffer.from("body"), redirects: 1 });
    expect(await text(answer)).toBe("ok");
    expect(peer.seen.map((one) => [one.method, one.body])).toEqual([
      ["POST", "body"],
      [method, body],
    ]);
  });

  test("do not follow with a stream that was sent already", async () => {
    const peer = leading(() => "/next", 307);
    const body = new Response("streamed").body!;
    expect(await failure(client().request({ url: peer.url, method: "PUT", body, redirects: 1 }))).toBe(
      "outbound.bad-redirect",
    );
  });
});

describe("limits", () => {
  test("an answer larger than allowed, said or not", async () => {
    const said = aPeer(() => new Response("x".repeat(101)));
    const streamed = aPeer(
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              controller.enqueue(Buffer.from("x".repeat(60)));
            },
          }),
        ),
    );
    expect(await failure(client().request({ url: said.url, maxBytes: 100 }))).toBe("outbound.too-large");
    const answer = await client().request({ url: streamed.url, maxBytes: 100 });
    expect(await failure(text(answer))).toBe("outbound.too-large");
    expect(await text(await client().request({ url: said.url, maxBytes: 101 }))).toHaveLength(101);
  });

  test("a server that says nothing", async () => {
    const port = await aRawPeer(() => {});
    const url = `http://127.0.0.1:${port}/`;
    expect(await failure(client().request({ url, idleMs: 50 }))).toBe("outbound.stalled");
    expect(await failure(client().request({ url, timeoutMs: 50 }))).toBe("outbound.timeout");
  });

  test("a server that sends a byte now and then is given up after the whole time", async () => {
    const port = await aRawPeer((peer) => {
      peer.write("HTTP/1.1 200 OK\r\n\r\n");
      const timer = setInterval(() => peer.write("x"), 20);
      closers.push(() => clearInterval(timer));
    });
    const answer = await client().request({ url: `http://127.0.0.1:${port}/`, timeoutMs: 2_000, idleMs: 60_000 });
    expect(await failure(text(answer))).toBe("outbound.timeout");
  });

  test("an answer that breaks off is not taken for whole", async () => {
    const port = await aRawPeer((peer) => {
      peer.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf");
      peer.end();
    });
    const answer = await client().request({ url: `http://127.0.0.1:${port}/` });
    expect(await failure(text(answer))).toBe("outbound.unreachable");
  });

  test("what is no HTTP", async () => {
    const port = await aRawPeer((peer) => {
      peer.write("SSH-2.0-OpenSSH_9.2\r\n");
      peer.end();
    });
    expect(await failure(client().request({ url: `http://127.0.0.1:${port}/` }))).toBe("outbound.unreachable");
  });

  test("a slow reader does not make the server seem stalled", async () => {
    const peer = aPeer(() => new Response("x".repeat(1_000_000)));
    const answer = await client().request({ url: peer.url, idleMs: 1_500 });
    const reader = answer.body.getReader();
    await reader.read();
    // Another one, which is silent, is given up meanwhile.
    const silent = await aRawPeer((other) => other.write("HTTP/1.1 200 OK\r\n\r\nx"));
    const waited = await client().request({ url: `http://127.0.0.1:${silent}/`, idleMs: 1_500 });
    expect(await failure(text(waited))).toBe("outbound.stalled");
    let size = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) size += part.value.length;
    expect(size).toBeGreaterThan(0);
  });

  test("the caller may give up, before and after the answer's head", async () => {
    const port = await aRawPeer((peer) => peer.write("HTTP/1.1 200 OK\r\n\r\nx"));
    const url = `http://127.0.0.1:${port}/`;
    expect(await failure(client().request({ url, signal: AbortSignal.abort() }))).toBe("outbound.aborted");
    const controller = new AbortController();
    const answer = await client().request({ url, signal: controller.signal });
    const reading = failure(text(answer));
    controller.abort();
    expect(await reading).toBe("outbound.aborted");
  });
});

describe("bodies", () => {
  test("stream both ways, at the pace of the slower side", async () => {
    let [pulled, sent] = [0, 0];
    const chunk = new Uint8Array(64 * 1024);
    const total = 64 * 1024 * 1024;
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        if (request.method === "GET")
          return new Response(
            new ReadableStream({
              pull(controller) {
                sent += chunk.length;
                if (sent > total) controller.close();
                else controller.enqueue(chunk);
              },
            }),
          );
        let size = 0;
        for await (const part of request.body ?? []) size += part.length;
        return new Response(String(size));
      },
    });
    closers.push(() => void server.stop(true));
    const url = `http://127.0.0.1:${server.port}/`;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += chunk.length;
        if (pulled > total) controller.close();
        else controller.enqueue(chunk);
      },
    });
    expect(await text(await client().request({ url, method: "PUT", body }))).toBe(String(total));
    const answer = await client().request({ url, maxBytes: Number.POSITIVE_INFINITY });
    const reader = answer.body.getReader();
    await reader.read();
    // What lies in the sockets' buffers, and no more.
    expect(sent).toBeLessThan(total / 2);
    await reader.cancel();
  });

  test("an answer before the body was sent is heard, and the body's source is told", async () => {
    const port = await aRawPeer((peer) => {
      peer.write("HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
      peer.end();
    });
    const cancelled = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1024)),
      cancel: () => cancelled.resolve(),
    });
    const answer = await client().request({ url: `http://127.0.0.1:${port}/`, method: "POST", body });
    expect(answer.status).toBe(413);
    await text(answer);
    await cancelled.promise;
  });

  test("a body whose source fails ends the request", async () => {
    const peer = aPeer(() => new Response("never"));
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error("the disk failed"));
      },
    });
    expect(await failure(client().request({ url: peer.url, method: "POST", body }))).toBe("outbound.unreachable");
  });
});

test("errors name the host, and neither path nor query nor credentials", async () => {
  const url = "http://127.0.0.1:1/path-hush?token=query-hush";
  const credentials = { authorization: "Bearer header-hush" };
  const error = await client()
    .request({ url, credentials })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OutboundFailed);
  expect(Bun.inspect(error)).not.toContain("hush");
  const bad = await client()
    .request({ url, credentials: { authorization: "hush\r\nx: y" } })
    .catch((thrown: unknown) => thrown);
  expect(bad).toBeInstanceOf(OutboundFailed);
  expect(Bun.inspect(bad)).not.toContain("hush");
});
