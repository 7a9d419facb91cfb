import { expect, test } from "bun:test";
import { Guesses, guessedAccount } from "../../src/identity/guesses.ts";
import { HashQueue } from "../../src/identity/hash-queue.ts";
import { Passwords } from "../../src/identity/passwords.ts";
import { GuessThrottle } from "../../src/identity/throttle.ts";
import { CacheBudget } from "../../src/kernel/cache.ts";
import { clientNetwork } from "../../src/kernel/client-network.ts";
import { Overloaded, TooManyRequests } from "../../src/kernel/errors.ts";
import { aServer, aSession, aUser, call } from "../builders.ts";

const ADDRESS = "192.0.2.1";

test("199 guesses at one account at the same time: few are evaluated, the others wait", async () => {
  await using server = await aServer();
  const eve = await aUser(server, { login: "eve", password: "correct horse battery" });
  const answers = await Promise.all(
    Array.from({ length: 199 }, (_, at) =>
      call(server, "GET", "/api/v1/user", { basic: ["eve", at === 198 ? eve.password : `guess ${at}`] }),
    ),
  );
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect(count(401)).toBeLessThanOrEqual(10);
  expect(count(401) + count(429) + count(503)).toBe(199);
  expect(count(429)).toBeGreaterThan(150);
});

test("ten equal sign-ins at once, as a client with ten connections makes them, are one", async () => {
  await using server = await aServer();
  const eve = await aUser(server, { login: "eve", password: "correct horse battery" });
  const basic = ["eve", eve.password] as const;
  const answers = await Promise.all(Array.from({ length: 30 }, () => call(server, "GET", "/api/v1/user", { basic })));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
});

test("the form that asks for the old password is throttled like a sign-in", async () => {
  await using server = await aServer();
  const eve = await aUser(server, { login: "eve", password: "correct horse battery" });
  const cookie = await aSession(server, eve.user);
  for (let count = 0; count < 10; count++) server.services.throttle.begin(guessedAccount(eve.user, ""), "127.0.0.1");
  const body = `old_password=${encodeURIComponent(eve.password)}&password=another+long+one&retype=another+long+one`;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  for (const [path, form] of [
    ["/user/settings/account", body],
    ["/user/settings/account/delete", body.replace("old_password", "password")],
  ] as const) {
    const answer = await call(server, "POST", path, { cookie, headers, body: form });
    expect([path, answer.status, Number(answer.headers.get("retry-after")) > 0]).toEqual([path, 429, true]);
  }
  expect(server.services.identity.byLogin("eve")).toBeDefined();
});

test("what everybody does to an account takes away no one's first try", () => {
  const throttle = new GuessThrottle(() => 0);
  const victim = guessedAccount({ id: 7 }, "");
  for (let address = 0; address < 200; address++) throttle.begin(victim, `198.51.100.${address}`);
  throttle.begin(victim, "203.0.113.1");
  expect(() => throttle.begin(victim, "203.0.113.1")).toThrow(TooManyRequests);
});

test("an address that tries many names must wait, and never long", () => {
  let now = 0;
  const throttle = new GuessThrottle(() => now);
  const tryNames = (prefix: string, count: number) => {
    for (let at = 0; at < count; at++) throttle.begin(guessedAccount(undefined, `${prefix}${at}`), ADDRESS);
  };
  tryNames("a", 60);
  expect(() => tryNames("b", 1)).toThrow(TooManyRequests);
  for (let count = 0; count < 20; count++) {
    now += 10_000;
    tryNames(`c${count}`, 1);
  }
  expect(() => throttle.begin("someone", "203.0.113.1")).not.toThrow();
});

test("a try that was not evaluated does not count", async () => {
  const throttle = new GuessThrottle(() => 0);
  const guesses = new Guesses(new Passwords(new CacheBudget(1 << 20), () => 0), throttle);
  const gone = new AbortController();
  gone.abort();
  for (let count = 0; count < 30; count++)
    await expect(
      guesses.isRight("eve", `word ${count}`, undefined, { address: ADDRESS, signal: gone.signal }),
    ).rejects.toThrow();
  expect(() => throttle.begin("eve", ADDRESS)).not.toThrow();
});

test("few wait for a hash: of one address, and in all; who goes away makes room", async () => {
  const queue = new HashQueue();
  const end = Promise.withResolvers<void>();
  const enter = (address: string, signal?: AbortSignal) => queue.inTurn({ address, signal }, () => end.promise);
  const entered: Promise<void>[] = [enter("a"), enter("a")];
  const gone = new AbortController();
  const left = enter("a", gone.signal);
  for (let count = 0; count < 7; count++) entered.push(enter("a"));
  await expect(enter("a")).rejects.toBeInstanceOf(Overloaded);
  gone.abort();
  await expect(left).rejects.toThrow();
  entered.push(enter("a"));
  for (let count = 0; count < 24; count++) entered.push(enter(`b${count}`));
  await expect(enter("c")).rejects.toBeInstanceOf(Overloaded);
  end.resolve();
  await Promise.all(entered);
  await enter("c");
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:2::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["", ""],
])("%s counts as %s", (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
