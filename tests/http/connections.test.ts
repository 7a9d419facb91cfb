import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { surplus } from "../../src/http/connections.ts";
import { openSockets } from "../../src/http/sockets.ts";
import { aServer, call } from "../builders.ts";

const peers = (...addresses: string[]) => addresses.map((address, descriptor) => ({ descriptor, address }));
const limits = { max: 0, maxPerAddress: 2, isExempt: (address: string) => address === "192.0.2.99" };
const endedOf = (found: ReturnType<typeof peers>, max: number) =>
  surplus(found, limits, max).map(({ descriptor }) => descriptor);

test("what an address has beyond its share is ended, the newest first; a proxy has no share", () => {
  expect(endedOf(peers("a", "a", "a", "b", "a"), 100)).toEqual([2, 4]);
  expect(endedOf(peers("192.0.2.99", "192.0.2.99", "192.0.2.99"), 100)).toEqual([]);
  expect(endedOf(peers("2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1"), 100)).toEqual([2]);
});

test("beyond the limit of all, whoever has most loses first", () => {
  const found = peers("a", "b", "b", "c", "192.0.2.99", "192.0.2.99", "192.0.2.99");
  expect(endedOf(found, 5)).toEqual([6, 2]);
});

test("an address that opens many connections keeps its share, and others are served", async () => {
  if (process.platform !== "linux") return;
  await using server = await aServer({ "http.connections_per_address": 60 });
  const { hostname, port } = new URL(server.url);
  const open = new Set<Socket>();
  let ended = 0;
  const settled = Promise.withResolvers<void>();
  for (let count = 0; count < 150; count++) {
    const socket = connect(Number(port), hostname);
    open.add(socket);
    const gone = () => {
      if (open.delete(socket) && ++ended >= 90) settled.resolve();
    };
    socket.on("error", gone);
    socket.on("end", gone);
    socket.on("close", gone);
  }
  await settled.promise;
  for (const socket of open) socket.destroy();
  expect((await call(server, "GET", "/api/healthz")).status).toBe(200);
});

test("connections are known by their port and address", async () => {
  const sockets = await openSockets();
  if (!sockets) {
    expect(process.platform).not.toBe("linux");
    return;
  }
  expect(sockets.maxDescriptors).toBeGreaterThan(16);
  await using server = await aServer();
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.once("connect", resolve));
  await call(server, "GET", "/api/healthz");
  const found = sockets.peers(Number(port), 1024);
  expect(found.length).toBeGreaterThanOrEqual(1);
  expect(new Set(found.map(({ address }) => address))).toEqual(new Set(["127.0.0.1"]));
  socket.destroy();
});
