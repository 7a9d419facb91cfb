import { afterAll, beforeAll, expect, test } from "bun:test";
import { operator } from "../../src/access/principal.ts";
import type { SourceEdit } from "../../src/sources/types.ts";
import { aServer, aUser, call, type TestServer } from "../builders.ts";
import { anSmtpSink, type SmtpSink } from "../smtp-sink.ts";
import { aPage } from "../web/browser-calls.ts";

let server: TestServer;
let mailServer: SmtpSink;
let sourceId = 0;
const ADA = { user: "ada@example.org", password: "mailbox password" };

beforeAll(async () => {
  mailServer = anSmtpSink(ADA);
  server = await aServer({ "network.allow": ["loopback"] });
  await aUser(server, { login: "root", isAdmin: true });
  const settings = { host: "127.0.0.1", port: mailServer.port, allowedDomains: "example.org" };
  sourceId = (await server.services.sources.add(operator, "smtp", { name: "mail", settings })).id;
});
afterAll(async () => {
  await server.close();
  mailServer.close();
});

const signIn = (name: string, secret: string) => call(server, "GET", "/api/v1/user", { basic: [name, secret] });
const edit = (changes: SourceEdit) => server.services.sources.edit(operator, sourceId, changes);

test("whom the mail server takes gets an account, and signs in by address and by name", async () => {
  const answer = await aPage(server).post("/user/login", { user_name: ADA.user, password: ADA.password });
  expect([answer.status, answer.location]).toEqual([303, "/"]);
  const made = server.services.identity.byLogin("ada");
  expect(made).toMatchObject({ email: ADA.user, sourceId, loginName: ADA.user, hasPassword: false });
  expect((await signIn(ADA.user, ADA.password)).body["login"]).toBe("ada");
  expect((await signIn("ada", ADA.password)).body["login"]).toBe("ada");
  expect((await signIn("ada", "wrong")).status).toBe(401);
});

test.each([
  ["", ADA.password],
  [ADA.user, ""],
  ["\0ada@example.org\0mailbox password", "x"],
  ["eve@example.org\r\nMAIL FROM:<>", ADA.password],
  ["eve@elsewhere.org", ADA.password],
  ["example.org", ADA.password],
])("%p is nobody's name", async (name, secret) => {
  const before = [server.services.identity.countPeople(), mailServer.signIns.length];
  expect((await signIn(name, secret)).status).toBe(401);
  expect([server.services.identity.countPeople(), mailServer.signIns.length]).toEqual(before);
});

test("a mail server that cannot be asked lets nobody in, and is no wrong password", async () => {
  const silent = anSmtpSink(ADA);
  silent.close();
  await edit({ settings: { port: silent.port } });
  expect((await signIn("ada", "not asked before")).status).toBe(503);
  // Who is not known here learns nothing of what is asked.
  expect((await signIn("new@example.org", "anything")).status).toBe(401);
  await edit({ settings: { port: mailServer.port }, isActive: false });
  expect((await signIn("ada", ADA.password)).status).toBe(401);
  await edit({ isActive: true });
  expect((await signIn("ada", ADA.password)).status).toBe(200);
});

test("a mail server that breaks off after its answer throws nothing", async () => {
  // The failure is an event of the connection that nobody waits for any more: the second sign-in comes after it.
  const words = new Map([
    ["EHLO", "250-abrupt\r\n250 AUTH PLAIN\r\n"],
    ["AUTH", "235 in\r\n"],
  ]);
  const abrupt = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: (socket) => void socket.write("220 abrupt\r\n"),
      data: (socket, bytes) => {
        const answer = words.get(bytes.toString().slice(0, 4));
        if (answer) socket.write(answer);
        else socket.terminate();
      },
    },
  });
  await edit({ settings: { port: abrupt.port } });
  expect((await signIn("ada", "breaks off")).status).toBe(200);
  expect((await signIn("ada", "breaks off again")).status).toBe(200);
  await edit({ settings: { port: mailServer.port } });
  abrupt.stop(true);
});

test("its settings are checked", async () => {
  for (const [settings, field] of [
    [{ host: "" }, "host"],
    [{ host: "mail server" }, "host"],
    [{ port: 70_000 }, "port"],
    [{ authType: "XOAUTH2" }, "authType"],
    [{ heloName: "a\r\nQUIT" }, "heloName"],
  ] as const)
    await expect(edit({ settings })).rejects.toMatchObject({ field });
});
