import { gitEnvironment } from "../git/hosts/real-git.ts";

/**
 * A client that clones by protocol v2 and throws the pack away, so that what is measured is the server.
 * It asks as `git clone` does: every branch and tag, offset deltas, no progress (gitprotocol-v2).
 */

export interface Drained {
  /** From the request to its last byte. */
  readonly wallMs: number;
  /** From the request to the first byte of the pack. */
  readonly firstByteMs: number;
  readonly bytes: number;
}

/** @throws when the server does not send a pack */
export async function drainClone(url: string): Promise<Drained> {
  const wants = wantedIds(url);
  const lines = [packet("command=fetch"), packet("agent=drain"), packet("object-format=sha1"), "0001"];
  for (const option of ["no-progress", "ofs-delta", "include-tag"]) lines.push(packet(option));
  for (const want of wants) lines.push(packet(`want ${want}`));
  lines.push(packet("done"), "0000");
  return drain(new URL(url), lines.join(""));
}

/**
 * What `git fetch` of one branch's news asks a server, by a client that has the rest: capabilities, branches, pack.
 * The time is that of the three requests; what git itself does between them (0.5 s with 15,000 refs) is left out.
 * @param haves what the client says it has
 * @throws when the server does not send a pack
 */
export async function drainFetch(url: string, branch: string, haves: readonly string[]): Promise<number> {
  const { origin, pathname, username, password } = new URL(url);
  const credentials = username ? { authorization: `Basic ${btoa(`${username}:${password}`)}` } : undefined;
  const headers = { "git-protocol": "version=2", ...credentials };
  let wallMs = 0;
  const ask = async (path: string, init: RequestInit): Promise<Buffer> => {
    const began = performance.now();
    const bytes = await (await fetch(`${origin}${pathname}${path}`, init)).bytes();
    wallMs += performance.now() - began;
    return Buffer.from(bytes);
  };
  const command = (name: string, lines: readonly string[]) => {
    const head = [packet(`command=${name}`), packet("agent=drain"), packet("object-format=sha1"), "0001"];
    const body = [...head, ...lines.map(packet), "0000"].join("");
    const type = { "content-type": "application/x-git-upload-pack-request" };
    return ask("/git-upload-pack", { method: "POST", body, headers: { ...headers, ...type } });
  };
  await ask("/info/refs?service=git-upload-pack", { headers });
  const listed = await command("ls-refs", ["peel", "symrefs", "ref-prefix refs/heads/"]);
  const at = listed.indexOf(` refs/heads/${branch}\n`);
  const want = listed.toString("latin1", at - 40, at);
  const options = ["thin-pack", "no-progress", "ofs-delta", `want ${want}`];
  const answer = await command("fetch", [...options, ...haves.map((oid) => `have ${oid}`)]);
  if (!answer.includes(PACK)) throw new Error(`no pack came: ${answer.toString("latin1").slice(0, 500)}`);
  return wallMs;
}

function packet(text: string): string {
  return `${(text.length + 5).toString(16).padStart(4, "0")}${text}\n`;
}

function wantedIds(url: string): Set<string> {
  const listed = Bun.spawnSync(["git", "ls-remote", "--heads", "--tags", url], { env: gitEnvironment() });
  if (!listed.success) throw new Error(listed.stderr.toString());
  const ids = listed.stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "" && !line.endsWith("^{}"))
    .map((line) => line.slice(0, 40));
  return new Set(ids);
}

const PACK = Buffer.from("PACK");
const KEEP_BYTES = 64;

function drain(url: URL, body: string): Promise<Drained> {
  const authorization = url.username
    ? `Authorization: Basic ${Buffer.from(`${url.username}:${url.password}`).toString("base64")}\r\n`
    : "";
  const request =
    `POST ${url.pathname}/git-upload-pack HTTP/1.1\r\nHost: ${url.host}\r\n${authorization}Git-Protocol: version=2\r\n` +
    "Content-Type: application/x-git-upload-pack-request\r\nAccept: application/x-git-upload-pack-result\r\n" +
    `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
  const { promise, resolve, reject } = Promise.withResolvers<Drained>();
  const began = performance.now();
  let bytes = 0;
  let firstByteMs = Number.NaN;
  let start = Buffer.alloc(0);
  let last = Buffer.alloc(0);
  const finish = () => {
    const wallMs = performance.now() - began;
    if (Number.isNaN(firstByteMs)) reject(new Error(`no pack came: ${start.toString("latin1").slice(0, 500)}`));
    // The last packet of a whole answer is a flush, in the last chunk or at the end of the body.
    else if (!last.toString("latin1").includes("0000")) reject(new Error("the answer broke off"));
    else resolve({ wallMs, firstByteMs, bytes });
  };
  Bun.connect({
    hostname: url.hostname,
    port: Number(url.port),
    socket: {
      data: (socket, chunk) => {
        bytes += chunk.byteLength;
        if (Number.isNaN(firstByteMs)) {
          start = Buffer.concat([start, chunk]);
          if (start.indexOf(PACK) >= 0) firstByteMs = performance.now() - began;
        }
        last = Buffer.concat([last, chunk.subarray(-KEEP_BYTES)]).subarray(-KEEP_BYTES);
        // Some servers keep the connection in spite of the header; the end of a chunked body is the end too.
        if (last.subarray(-5).toString("latin1") === "0\r\n\r\n") socket.end();
      },
      open: (socket) => {
        socket.write(request);
      },
      close: finish,
      error: (_socket, error) => reject(error),
      connectError: (_socket, error) => reject(error),
    },
  }).catch(reject);
  return promise;
}
