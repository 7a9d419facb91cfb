import { afterAll, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { operator } from "../../src/access/principal.ts";
import { aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPage, type Visitor, wordsOf } from "../web/browser-calls.ts";
import { passcodeOf } from "./passcode.ts";

/** Passcodes and recovery codes, through the pages, REST and git. */

const SECURITY = "/user/settings/security";
const ENROL = `${SECURITY}/two_factor/enroll`;
const password = "correct horse battery";

let server: TestServer;
// Time stands still, so that no step ends between a code and its use.
const now = new Date("2026-05-05T12:00:10Z");
beforeAll(async () => {
  setSystemTime(now);
  server = await aServer();
});
afterAll(async () => {
  await server.close();
  setSystemTime();
});

async function signedInPage(user: TestUser): Promise<Visitor> {
  const page = aPage(server);
  expect((await page.post("/user/login", { user_name: user.login, password })).status).toBe(303);
  return page;
}

interface Enrolled {
  readonly user: TestUser;
  readonly page: Visitor;
  readonly secret: string;
  readonly codes: string[];
}

/** Someone with passcodes: those of the steps 0 are used by it. */
async function anEnrolled(): Promise<Enrolled> {
  const user = await aUser(server, { password });
  const page = await signedInPage(user);
  const secret = /\b[A-Z2-7]{32}\b/.exec((await page.get(ENROL)).text)?.[0] ?? "";
  const reply = await page.post(ENROL, { passcode: passcodeOf(secret) });
  expect([reply.status, reply.location]).toEqual([303, SECURITY]);
  const shown = await page.get(SECURITY);
  const codes = [...shown.text.matchAll(/<li>([A-HJ-NP-Z2-9]{10})<\/li>/g)].map(([, code]) => code ?? "");
  return { user, page, secret, codes };
}

const basic = (user: TestUser) => [user.login, password] as const;
const whoAmI = (user: TestUser, otp?: string) =>
  call(server, "GET", "/api/v1/user", { basic: basic(user), ...(otp ? { headers: { "x-gitea-otp": otp } } : {}) });

describe("turning passcodes on", () => {
  test("shows one secret in a session, as a picture and in letters, and takes only its codes", async () => {
    const user = await aUser(server, { password });
    const page = await signedInPage(user);
    const first = await page.get(ENROL);
    expect([first.status, first.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(first.text).toContain("<svg");
    const secret = /\b[A-Z2-7]{32}\b/.exec(first.text)?.[0] ?? "";
    expect((await page.get(ENROL)).text).toContain(secret);
    for (const passcode of ["000000", "", "12345", "abcdef", passcodeOf(secret, 5)]) {
      const reply = await page.post(ENROL, { passcode });
      expect([reply.status, reply.location]).toEqual([303, ENROL]);
    }
    expect(server.services.twoFactor.isEnrolled(user.user.id)).toBe(false);
    expect((await page.post(ENROL, { passcode: ` ${passcodeOf(secret).replace(/^.../, "$& ")} ` })).location).toBe(
      SECURITY,
    );
    expect((await page.get(ENROL)).location).toBe(SECURITY);
  });

  test("shows recovery codes once, and keeps neither them nor the secret in clear", async () => {
    const { page, secret, codes, user } = await anEnrolled();
    expect(codes.length).toBe(8);
    const again = await page.get(SECURITY);
    expect(codes.some((code) => again.text.includes(code))).toBe(false);
    expect(wordsOf(again.text)).toContain("8 codes are left.");
    const stored = JSON.stringify([
      server.core.db.query("SELECT * FROM passcode_secrets WHERE user_id = ?").all(user.user.id),
      server.core.db.query("SELECT * FROM recovery_codes WHERE user_id = ?").all(user.user.id),
      server.core.db.query("SELECT * FROM audit_entries WHERE account_id = ?").all(user.user.id),
    ]);
    for (const text of [secret, ...codes]) expect(stored).not.toContain(text);
  });
});

describe("signing in with passcodes on", () => {
  test("asks for one after the password, and goes where it was going", async () => {
    const { user, secret } = await anEnrolled();
    const page = aPage(server);
    const first = await page.post("/user/login?redirect_to=%2Fexplore%2Frepos", { user_name: user.login, password });
    expect([first.status, first.location]).toEqual([303, "/user/two_factor"]);
    expect([...page.jar.keys()]).toEqual(["hearth_second_step"]);
    expect((await page.get("/user/settings")).status).toBe(303);
    expect((await page.get("/user/two_factor")).text).toContain('autocomplete="one-time-code"');
    const wrong = await page.post("/user/two_factor", { passcode: "000000" });
    expect([wrong.status, wordsOf(wrong.text).includes("This code is not right")]).toEqual([200, true]);
    const done = await page.post("/user/two_factor", { passcode: passcodeOf(secret, 1) });
    expect([done.status, done.location]).toEqual([303, "/explore/repos"]);
    expect((await page.get("/user/settings")).status).toBe(200);
    expect(page.jar.has("hearth_second_step")).toBe(false);
  });

  test("takes a code once, in whatever way it comes, also of two at the same time", async () => {
    const { user, secret } = await anEnrolled();
    // The one that turned it on is used up.
    expect((await whoAmI(user, passcodeOf(secret))).status).toBe(401);
    const code = passcodeOf(secret, 1);
    const both = await Promise.all([whoAmI(user, code), whoAmI(user, code), whoAmI(user, code)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const page = aPage(server);
    await page.post("/user/login", { user_name: user.login, password });
    expect((await page.post("/user/two_factor", { passcode: code })).status).toBe(200);
    expect((await page.post("/user/two_factor", { passcode: passcodeOf(secret, -1) })).status).toBe(303);
  });

  test("is possible with a recovery code of one's own, once", async () => {
    const { user, codes } = await anEnrolled();
    const other = await anEnrolled();
    const [code = ""] = codes;
    const page = aPage(server);
    await page.post("/user/login", { user_name: user.login, password });
    expect((await page.post("/user/two_factor/scratch", { token: other.codes[0] ?? "" })).status).toBe(200);
    const done = await page.post("/user/two_factor/scratch", {
      token: ` ${code.toLowerCase().slice(0, 5)}-${code.slice(5)}`,
    });
    expect([done.status, done.location]).toEqual([303, SECURITY]);
    const again = aPage(server);
    await again.post("/user/login", { user_name: user.login, password });
    expect((await again.post("/user/two_factor/scratch", { token: code })).status).toBe(200);
    expect((await again.post("/user/two_factor/scratch", { token: codes[1] ?? "" })).status).toBe(303);
  });

  test("without the first step there is no second", async () => {
    const { user, secret } = await anEnrolled();
    for (const jar of [new Map(), new Map([["hearth_second_step", "0".repeat(64)]])]) {
      const page = aPage(server, jar);
      for (const path of ["/user/two_factor", "/user/two_factor/scratch", "/user/webauthn"])
        expect((await page.get(path)).location).toBe("/user/login");
      const reply = await page.post("/user/two_factor", { passcode: passcodeOf(secret, 1), user_name: user.login });
      expect(reply.location).toBe("/user/login");
      expect((await page.get("/user/webauthn/assertion")).status).toBe(401);
    }
  });

  test("a password changed between the steps asks for the first again", async () => {
    const { user, secret } = await anEnrolled();
    const page = aPage(server);
    await page.post("/user/login", { user_name: user.login, password });
    await server.services.identity.edit(operator, user.user, { password: "another password" });
    expect((await page.post("/user/two_factor", { passcode: passcodeOf(secret, 1) })).location).toBe("/user/login");
  });

  test("guesses are counted and slowed, without keeping out the person at another address", async () => {
    const { user, secret } = await anEnrolled();
    const { twoFactor } = server.services;
    const guess = (address: string, passcode: string) =>
      twoFactor.provePasscode(operator, user.user, passcode, { address }).then(
        () => "in",
        (error: { status: number }) => error.status,
      );
    const answers: unknown[] = [];
    for (let each = 0; each < 12; each++) answers.push(await guess("198.51.100.7", "000000"));
    expect(answers.slice(0, 10)).toEqual(Array(10).fill(422));
    expect(answers.slice(10)).toEqual([429, 429]);
    expect(await guess("198.51.100.7", passcodeOf(secret, 1))).toBe(429);
    for (let each = 0; each < 120; each++) await guess(`203.0.113.${each}`, "000000");
    expect(await guess("192.0.2.1", passcodeOf(secret, 1))).toBe("in");
  });
});

describe("programs", () => {
  test("with a password need a passcode over REST, and a token needs none", async () => {
    const { user, secret } = await anEnrolled();
    const refused = await whoAmI(user);
    expect([refused.status, refused.body["message"]]).toEqual([401, "invalid username, password or token"]);
    expect((await whoAmI(user, "000000")).status).toBe(401);
    expect((await whoAmI(user, passcodeOf(secret, 1))).body["login"]).toBe(user.login);
    expect((await call(server, "GET", "/api/v1/user", user)).status).toBe(200);
    expect((await call(server, "GET", "/api/v1/user", { basic: [user.login, user.token] })).status).toBe(200);
    const forgejo = await call(server, "GET", "/api/v1/user", {
      basic: basic(user),
      headers: { "x-forgejo-otp": passcodeOf(secret, -1) },
    });
    expect(forgejo.status).toBe(200);
  });

  test("git takes no password, not even with a passcode, and a token as before", async () => {
    const { user, secret } = await anEnrolled();
    const repo = await call(server, "POST", "/api/v1/user/repos", {
      token: user.token,
      body: { name: "r", private: true },
    });
    expect(repo.status).toBe(201);
    const path = `/${user.login}/r.git/info/refs?service=git-upload-pack`;
    for (const headers of [{}, { "x-gitea-otp": passcodeOf(secret, 1) }] as Record<string, string>[]) {
      const reply = await call(server, "GET", path, { basic: basic(user), headers });
      expect([reply.status, reply.text.startsWith("Users with two-factor authentication enabled cannot")]).toEqual([
        401,
        true,
      ]);
    }
    expect((await whoAmI(user, passcodeOf(secret, 1))).status).toBe(200);
    expect((await call(server, "GET", path, { basic: [user.login, user.token] })).status).toBe(200);
  });

  test("administrators list accounts by whether they have a second factor", async () => {
    const { user } = await anEnrolled();
    const root = await aUser(server, { isAdmin: true });
    const logins = async (wanted: boolean) => {
      const path = `/api/v1/admin/users?limit=50&is_2fa_enabled=${wanted}`;
      return (await call<{ login: string }[]>(server, "GET", path, root)).body.map(({ login }) => login);
    };
    expect((await logins(true)).includes(user.login)).toBe(true);
    expect((await logins(false)).includes(user.login)).toBe(false);
    expect((await logins(true)).includes(root.login)).toBe(false);
  });
});

describe("turning passcodes off", () => {
  test("takes the password, ends other sessions, and the recovery codes with it", async () => {
    const { user, page, secret } = await anEnrolled();
    const elsewhere = aPage(server);
    await elsewhere.post("/user/login", { user_name: user.login, password });
    await elsewhere.post("/user/two_factor", { passcode: passcodeOf(secret, 1) });
    for (const typed of ["", "wrong"]) await page.post(`${SECURITY}/two_factor/disable`, { password: typed });
    expect(server.services.twoFactor.isEnrolled(user.user.id)).toBe(true);
    expect((await page.post(`${SECURITY}/two_factor/disable`, { password })).location).toBe(SECURITY);
    expect(server.services.twoFactor.isEnrolled(user.user.id)).toBe(false);
    expect((await elsewhere.get("/user/settings")).status).toBe(303);
    expect((await page.get("/user/settings")).status).toBe(200);
    expect(server.core.db.query("SELECT 1 FROM recovery_codes WHERE user_id = ?").get(user.user.id)).toBeNull();
    expect((await aPage(server).post("/user/login", { user_name: user.login, password })).location).toBe("/");
  });

  test("new recovery codes take the password, and the old ones are worthless", async () => {
    const { user, page, codes } = await anEnrolled();
    const regenerate = `${SECURITY}/two_factor/regenerate_scratch`;
    await page.post(regenerate, { password: "wrong" });
    expect((await page.get(SECURITY)).text).not.toMatch(/<li>[A-HJ-NP-Z2-9]{10}</);
    await page.post(regenerate, { password });
    const fresh = /<li>([A-HJ-NP-Z2-9]{10})<\/li>/.exec((await page.get(SECURITY)).text)?.[1] ?? "";
    const next = aPage(server);
    await next.post("/user/login", { user_name: user.login, password });
    expect((await next.post("/user/two_factor/scratch", { token: codes[0] ?? "" })).status).toBe(200);
    expect((await next.post("/user/two_factor/scratch", { token: fresh })).status).toBe(303);
  });

  test("is done by administrators for who lost everything; all sessions end", async () => {
    const { user, page } = await anEnrolled();
    server.services.twoFactor.removeAll(operator, user.user);
    expect((await page.get("/user/settings")).status).toBe(303);
    expect((await aPage(server).post("/user/login", { user_name: user.login, password })).location).toBe("/");
    const stranger = { ...operator, via: "session", user: user.user } as const;
    expect(() => server.services.twoFactor.removeAll(stranger, user.user)).toThrow();
  });
});
