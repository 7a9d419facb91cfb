import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { BodyMemory } from "../../src/http/body-memory.ts";
import { parseJson } from "../../src/http/json.ts";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { threadMs } from "../growth.ts";

let server: TestServer;
let ada: TestUser;
let contents: string;

beforeAll(async () => {
  server = await aServer({ "http.max_body_mib": 4, "http.body_memory_mib": 4, "http.body_seconds": 1 });
  ada = await aUser(server);
  const repo = aRepo(server, ada.user, { files: { "README.md": "# Hello\n" } });
  contents = `/api/v1/repos/${ada.login}/${repo.name}`;
});
afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

const FORM = "application/x-www-form-urlencoded";
const post = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  call(server, "POST", path, { token: ada.token, body, headers: { "content-type": "application/json", ...headers } });

test("300 bytes of gzip that unfold to 131,072 equal fields are refused without reading them one by one", async () => {
  const body = gzipSync("a&".repeat(131_072));
  expect(body.byteLength).toBeLessThan(2000);
  const before = threadMs();
  const answer = await call(server, "POST", "/user/login", {
    body,
    headers: { "content-type": FORM, "content-encoding": "gzip" },
  });
  expect(answer.status).toBe(422);
  // Some ten milliseconds; a search of each field among those before it takes a minute.
  expect(threadMs() - before).toBeLessThan(5000);
});

test("a thousand fields of one name are all read", async () => {
  const body = `${"scopes=read:user&".repeat(900)}name=many`;
  const answer = await call(server, "POST", "/user/login", { body, headers: { "content-type": FORM } });
  // The form again, with what is missing.
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("<form")]);
});

test.each([
  ["100,000 nested lists", `{"new_branch_name":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "nested too deeply"],
  ["100,000 nested objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`, "nested too deeply"],
  ["brackets that never close", "[".repeat(100_000), "nested too deeply"],
  ["200,000 numbers", `{"new_branch_name":[${"1,".repeat(200_000)}1]}`, "too many values"],
  ["a text that never ends", `{"new_branch_name":"${"\\".repeat(100_001)}`, "not valid JSON"],
])("%s are a mistake of the client's, not of the server's", async (_, body, message) => {
  const answer = await post(`${contents}/branches`, body);
  expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(message)]);
});

test("brackets and quotes inside of texts count for nothing", () => {
  const value = { text: '[{"'.repeat(1000), escaped: '\\"[\\\\"'.repeat(1000), list: [[["x"]]] };
  expect(parseJson(Buffer.from(JSON.stringify(value)))).toEqual({ value });
});

test("a request that only reads takes no large body", async () => {
  const answer = await post(`${contents}/file-contents`, `{"files":["${"a".repeat(1 << 20)}"]}`);
  expect(answer.status).toBe(413);
});

test("a large body of an edit is read, in a worker", async () => {
  const content = Buffer.from("x".repeat(2 << 20)).toString("base64");
  const answer = await post(`${contents}/contents/large.txt`, JSON.stringify({ content, message: "large" }));
  expect(answer.status).toBe(201);
  const broken = await post(`${contents}/contents/broken.txt`, `{"content":"${content}`);
  expect([broken.status, broken.text]).toEqual([422, expect.stringContaining("not valid JSON")]);
});

test("what inflates to hundreds of times its size is refused before it is inflated", async () => {
  const bomb = gzipSync(`{"content":"${"A".repeat(4_000_000)}"}`);
  const answer = await post(`${contents}/contents/bomb.txt`, bomb, { "content-encoding": "gzip" });
  expect(answer.status).toBe(413);
});

test("a body that comes too slowly is answered 408", async () => {
  const { hostname, port } = new URL(server.url);
  const text = await new Promise<string>((resolve, reject) => {
    let heard = "";
    const socket = connect(Number(port), hostname, () =>
      socket.write(`POST /user/login HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nContent-Length: 1000\r\n\r\na=`),
    );
    socket.on("data", (chunk: Buffer) => {
      heard += chunk.toString();
      if (heard.includes("\r\n\r\n")) {
        socket.destroy();
        resolve(heard);
      }
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(heard));
  });
  expect(text).toStartWith("HTTP/1.1 408");
});

test("all bodies together have one budget, and one address half of it", () => {
  const parseLarge = async (text: Uint8Array) => parseJson(text);
  const memory = new BodyMemory({ maxBytes: 100, seconds: 1, parseLarge });
  const [one, two, other] = [memory.open("a"), memory.open("a"), memory.open("b")];
  one.take(40);
  other.take(30);
  expect(() => two.take(20)).toThrow("request.body-memory-full");
  other.take(20);
  expect(() => other.take(20)).toThrow("request.body-memory-full");
  other.close();
  one.take(60);
  expect(() => memory.open("b").take(1)).toThrow("request.body-memory-full");
  one.close();
  two.take(100);
  two.close();
});

test("when the budget is used up the answer is 503 and says when to come again", async () => {
  const { hostname, port } = new URL(server.url);
  const body = JSON.stringify({ content: "A".repeat(3 << 20) });
  const head = `POST ${contents}/contents/held.txt HTTP/1.1\r\nHost: x\r\nAuthorization: token ${ada.token}\r\n`;
  const held = connect(Number(port), hostname);
  // Everything but its last bytes: it is held in memory and never done.
  held.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length + 10}\r\n\r\n${body}`);
  try {
    for (let size = 1000; ; size = Math.min(2 * size, 1_900_000)) {
      // Small at first, so that the one that is held is not the one that is refused.
      const answer = await post(`${contents}/contents/second.txt`, `{"content":"${"!".repeat(size)}"}`);
      if (answer.status !== 503) continue;
      expect(answer.headers.get("retry-after")).toBe("2");
      return;
    }
  } finally {
    held.destroy();
  }
});
