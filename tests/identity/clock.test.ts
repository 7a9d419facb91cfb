import { afterAll, afterEach, beforeAll, expect, setSystemTime, test } from "bun:test";
import { EmailTokens } from "../../src/identity/email-tokens/service.ts";
import { GuessThrottle } from "../../src/identity/throttle.ts";
import { TooManyRequests } from "../../src/kernel/errors.ts";
import { RateLimiter } from "../../src/kernel/rate-limiter.ts";
import { aServer, aSession, aUser, call, type TestServer } from "../builders.ts";

/** A system's clock that was ten years ahead and is put right: no one is kept out, and nothing stays open for ten years. */

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());
afterEach(() => void setSystemTime());

const DAY_MS = 86_400_000;
const DECADE_MS = 3_652 * DAY_MS;
const ahead = () => setSystemTime(new Date(Date.now() + DECADE_MS));

test("who guessed wrong waits for minutes, not for years", () => {
  ahead();
  const throttle = new GuessThrottle();
  for (let at = 0; at < 10; at++) throttle.begin("ada", "203.0.113.1");
  setSystemTime();
  try {
    throttle.begin("ada", "203.0.113.1");
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(TooManyRequests);
    expect((error as TooManyRequests).retryAfterSeconds).toBeLessThan(900);
  }
});

test("a limit of requests ends when it would have", () => {
  ahead();
  const limiter = new RateLimiter({ limit: 1, windowMs: 60_000 });
  expect(limiter.tryTake("a")).toBe(0);
  setSystemTime();
  expect(limiter.tryTake("a")).toBeLessThanOrEqual(60_000);
});

test("a session lasts no longer than sessions do", async () => {
  const ada = await aUser(server);
  ahead();
  const cookie = await aSession(server, ada.user);
  setSystemTime();
  for (const { sweep } of server.house.opened) sweep?.();
  const answer = await call(server, "GET", "/user/settings", { headers: { cookie } });
  expect(answer.status).toBe(200);
  const sql = "SELECT max(expires_at) AS latest FROM sessions";
  const { latest } = server.core.db.query<{ latest: number }>(sql).get() ?? { latest: 0 };
  expect(latest * 1000).toBeLessThan(Date.now() + 31 * DAY_MS);
});

test("a mail with a link can be asked for again, and a link from then opens nothing", async () => {
  const ada = await aUser(server);
  const tokens = new EmailTokens(server.core.db, () => Date.now(), "secret");
  ahead();
  const token = tokens.issue(ada.user, "reset-password", ada.user.email);
  const code = tokens.codeOf(token)?.code ?? "";
  expect(tokens.look(code, "reset-password").email).toBe(ada.user.email);
  setSystemTime();
  expect(tokens.wasJustIssued(ada.user.id, "reset-password")).toBe(false);
  expect(() => tokens.look(code, "reset-password")).toThrow("account.code-invalid");
});
