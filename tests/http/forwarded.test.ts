import { expect, test } from "bun:test";
import { operator } from "../../src/access/principal.ts";
import { TrustedProxies } from "../../src/http/forwarded.ts";
import { aServer, aUser, call } from "../builders.ts";

const client = (trusted: string, peer: string, header: string | null) =>
  new TrustedProxies(trusted.split(" ").filter((entry) => entry !== "")).clientAddress(peer, header);

test.each([
  ["nobody is trusted", "", "127.0.0.1", "1.2.3.4", "127.0.0.1"],
  ["no header", "private", "10.0.0.1", null, "10.0.0.1"],
  ["an empty header", "private", "10.0.0.1", "", "10.0.0.1"],
  ["one proxy", "10.0.0.1", "10.0.0.1", "1.2.3.4", "1.2.3.4"],
  ["another host than the proxy", "10.0.0.1", "10.0.0.2", "1.2.3.4", "10.0.0.2"],
  ["a range", "10.0.0.0/8", "10.9.9.9", "1.2.3.4", "1.2.3.4"],
  ["a range of IPv6", "2a01:1::/32", "2a01:1::5", "2606::1", "2606::1"],
  ["private", "private", "172.20.0.2", "1.2.3.4", "1.2.3.4"],
  ["private, IPv6", "private", "fd00::2", "2606::1", "2606::1"],
  ["Private", "Private", "192.168.0.2", "1.2.3.4", "1.2.3.4"],
  ["private is not loopback", "private", "127.0.0.1", "1.2.3.4", "127.0.0.1"],
  ["loopback", "loopback", "::1", "1.2.3.4", "1.2.3.4"],
  ["what the client wrote itself", "private", "10.0.0.1", "9.9.9.9, 1.2.3.4", "1.2.3.4"],
  ["two trusted proxies", "private", "10.0.0.1", "9.9.9.9, 1.2.3.4, 192.168.0.7", "1.2.3.4"],
  ["trusted all the way", "private", "10.0.0.1", "192.168.0.8, 192.168.0.7", "192.168.0.8"],
  ["a client that claims to be a trusted proxy", "private", "10.0.0.1", "10.0.0.9, 1.2.3.4", "1.2.3.4"],
  ["an IPv4-mapped peer", "10.0.0.1", "::ffff:10.0.0.1", "1.2.3.4", "1.2.3.4"],
  ["an IPv4-mapped peer, untrusted", "", "::ffff:10.0.0.1", "1.2.3.4", "10.0.0.1"],
  ["an IPv4-mapped hop", "private", "10.0.0.1", "1.2.3.4, ::ffff:10.0.0.2", "1.2.3.4"],
  ["ports", "private", "10.0.0.1", "1.2.3.4:5678, [fd00::1]:443, [fd00::2]", "1.2.3.4"],
  ["a word instead of an address", "private", "10.0.0.1", "1.2.3.4, unknown", "10.0.0.1"],
  ["a word behind a trusted hop", "private", "10.0.0.1", "1.2.3.4, <script>, 10.0.0.2", "10.0.0.2"],
  ["an octal address", "private", "10.0.0.1", "1.2.3.4, 010.0.0.2", "10.0.0.1"],
  ["commas only", "private", "10.0.0.1", ",,,", "10.0.0.1"],
  ["a thousand hops", "private", "10.0.0.1", `1.2.3.4${", 10.0.0.2".repeat(1000)}`, "10.0.0.2"],
] as const)("%s", (_, trusted, peer, header, expected) => {
  expect(client(trusted, peer, header)).toBe(expected);
});

test("a session is opened from the address that a trusted proxy tells", async () => {
  await using server = await aServer({ "proxy.trusted": ["loopback"] });
  const ada = await aUser(server, { login: "ada", password: true });
  const signIn = await call(server, "POST", "/user/login", {
    headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": "6.6.6.6, 203.0.113.9" },
    body: new URLSearchParams({ user_name: "ada", password: ada.password }).toString(),
  });
  expect(signIn.status).toBe(303);
  expect(server.services.sessions.list(operator, ada.user.id).map((session) => session.address)).toEqual([
    "203.0.113.9",
  ]);
});
