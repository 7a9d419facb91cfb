import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { Client } from "ssh2";
import { aRepo, aUser, type TestUser } from "../builders.ts";
import { until, untilHolds } from "../until.ts";
import { aKey, anSshServer, aUserKey, type Key, removeFolders, type SshServer, ssh } from "./scene.ts";

setDefaultTimeout(180_000);

let server: SshServer;
let ada: TestUser;
let key: Key;
let path: string;

beforeAll(async () => {
  server = await anSshServer({ "ssh.handshake_seconds": 2, "ssh.connections_per_address": 20 });
  ada = await aUser(server);
  key = await aUserKey(server, ada);
  path = `${ada.login}/${aRepo(server, ada.user, { files: { a: "a" } }).name}`;
});
afterAll(async () => {
  await server.close();
  expect(server.errors).toEqual([]);
  removeFolders();
});

/** A bare connection. `ended` comes true when the server has closed it. */
function aSocket(): { socket: Socket; ended: Promise<void> } {
  const socket = connect(server.sshPort, "127.0.0.1");
  socket.on("error", () => {});
  socket.resume();
  return { socket, ended: new Promise((resolve) => socket.on("close", () => resolve())) };
}

const noneOpen = () => untilHolds(() => server.services.ssh.state.connections === 0);
const isWell = async () => expect((await ssh(server, key, "ssh_info")).code).toBe(0);

/** What the library keeps to itself, for packets that no proper client sends. */
interface Insides {
  readonly _protocol: {
    session(channel: number, window: number, packetBytes: number): void;
    exec(channel: number, command: string, wantsReply: boolean): void;
    channelData(channel: number, data: Buffer): void;
    rekey(): void;
  };
  readonly _chanMgr: { add(callback: () => void): number };
}

async function aClient(): Promise<{ client: Client & Insides; closed: Promise<void> }> {
  const client = new Client() as Client & Insides;
  client.on("error", () => {});
  const closed = new Promise<void>((resolve) => client.on("close", () => resolve()));
  await new Promise<void>((resolve) => {
    client.on("ready", () => resolve());
    client.connect({
      host: "127.0.0.1",
      port: server.sshPort,
      username: "git",
      privateKey: readFileSync(key.file),
    });
  });
  return { client, closed };
}

/** A channel with that window and packets of that size, and a command in it. */
async function open({ _chanMgr, _protocol }: Insides, window: number, packetBytes: number, command: string) {
  const answered = Promise.withResolvers<void>();
  const channel = _chanMgr.add(() => answered.resolve());
  _protocol.session(channel, window, packetBytes);
  await answered.promise;
  // The server's channels have numbers of their own, from 0.
  _protocol.exec(0, command, false);
}

test("who says nothing, garbage or nothing after the version is let go", async () => {
  const silent = aSocket();
  const garbage = aSocket();
  garbage.socket.write(crypto.getRandomValues(new Uint8Array(100_000)));
  const half = aSocket();
  half.socket.write("SSH-2.0-x\r\n");
  const http = aSocket();
  http.socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const long = aSocket();
  long.socket.write(`SSH-2.0-${"x".repeat(300_000)}`);
  const packet = aSocket();
  packet.socket.write(Buffer.concat([Buffer.from("SSH-2.0-x\r\n"), Buffer.alloc(65_536, 0xff)]));
  await Promise.all([silent, garbage, half, http, long, packet].map(({ ended }) => ended));
  await noneOpen();
  await isWell();
});

test("an address has its share of connections, and no more", async () => {
  const sockets = Array.from({ length: 60 }, aSocket);
  await until(() => (server.services.ssh.state.connections === 20 ? true : undefined));
  await Promise.race(sockets.map(({ ended }) => ended));
  for (const { socket } of sockets) socket.destroy();
  await noneOpen();
  await isWell();
});

test("a client whose packets may hold nothing is let go, not served for ever", async () => {
  const { client, closed } = await aClient();
  await open(client, 2 ** 21, 0, "ssh_info").catch(() => {});
  await closed;
  await isWell();
});

test("a client that sends more than it may, and reads nothing, is let go", async () => {
  const { client, closed } = await aClient();
  await open(client, 0, 32_768, `git-receive-pack '${path}'`);
  let isOpen = true;
  closed.then(() => {
    isOpen = false;
  });
  while (isOpen) {
    client._protocol.channelData(0, Buffer.alloc(32_000));
    await Bun.sleep(0);
  }
  await isWell();
});

test("a client that agrees on keys all the time is let go", async () => {
  const { client, closed } = await aClient();
  let isOpen = true;
  closed.then(() => {
    isOpen = false;
  });
  while (isOpen) {
    const done = new Promise<void>((resolve) => client.once("handshake", () => resolve()));
    client._protocol.rekey();
    await Promise.race([done, closed]);
  }
  await isWell();
});

test("keys without end are not tried, and no other way in is offered", async () => {
  const wrong = aKey();
  for (const way of [{ password: "x" }, { tryKeyboard: true }]) {
    const client = new Client();
    const refused = new Promise<string>((resolve) => client.on("error", ({ message }) => resolve(message)));
    client.connect({ host: "127.0.0.1", port: server.sshPort, username: "git", ...way });
    expect(await refused).toContain("All configured authentication methods failed");
  }
  const client = new Client();
  let tries = 0;
  const ended = new Promise<void>((resolve) => client.on("close", () => resolve()));
  client.on("error", () => {});
  client.connect({
    host: "127.0.0.1",
    port: server.sshPort,
    username: "git",
    authHandler: () => {
      tries++;
      return { type: "publickey", username: "git", key: readFileSync(wrong.file) };
    },
  });
  await ended;
  expect(tries).toBeLessThan(30);
  await isWell();
});
