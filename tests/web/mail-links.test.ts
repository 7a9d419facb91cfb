import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { operator } from "../../src/access/principal.ts";
import type { User } from "../../src/access/user.ts";
import { EmailTokens } from "../../src/identity/email-tokens/service.ts";
import { aRepo, aServer, aSession, aUser, call, type TestServer } from "../builders.ts";
import { anSmtpSink, mailsTo, type ReceivedMail, type SmtpSink } from "../smtp-sink.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** What mails link to: new passwords, activation, confirmed addresses; and who must not get in that way. */

const password = "correct horse battery";
const fresh = "another long password";
let sink: SmtpSink;
let server: TestServer;

beforeAll(async () => {
  sink = anSmtpSink();
  server = await aServer({ ...mailsTo(sink), registration: "open", "mail.confirm_addresses": true });
  await aUser(server, { isAdmin: true });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  sink.close();
  expect(errors).toEqual([]);
});
/** Visitors share one network address here, so the limit per address is lifted between tests. */
const visitors = () => {
  for (const service of [server.services.recovery, server.services.confirmation]) service.requests.forget("127.0.0.1");
};
afterEach(visitors);

/** Runs the queue to its end and answers the mails that went out. */
async function mailsOf(work: () => Promise<unknown>): Promise<ReceivedMail[]> {
  const before = sink.mails.length;
  await work();
  await settled();
  // What tells people of changes to their account has tests of its own.
  return sink.mails.slice(before).filter(({ headers }) => !headers.get("subject")?.startsWith("Security of"));
}

async function settled(): Promise<void> {
  const { db, jobs } = server.core;
  const waiting = () =>
    db
      .query(
        "SELECT 1 FROM jobs WHERE state IN ('waiting', 'running') AND (kind LIKE 'mail.%' OR kind LIKE 'identity.%')",
      )
      .get() !== null;
  while (waiting()) {
    await jobs.drain();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The path and query of the link in a mail; the same in both parts. */
function linkIn(mail: ReceivedMail | undefined): string {
  const [, path = ""] = /^http:\/\/[^/]+(\/user\/\S+)$/m.exec(mail?.text.replaceAll("\r", "") ?? "") ?? [];
  expect(mail?.html).toContain(path.replaceAll("&", "&amp;"));
  return path;
}

const codeIn = (link: string) => new URLSearchParams(link.split("?")[1]).get("code") ?? "";

async function signedIn(user: User): Promise<Visitor> {
  return aPageOf(server, user);
}

const canSignIn = async (login: string, secret: string) =>
  (await aPage(server).post("/user/login", { user_name: login, password: secret })).status === 303;

async function resetLink(user: User): Promise<string> {
  const [mail] = await mailsOf(() => aPage(server).post("/user/forgot_password", { email: user.email }));
  return linkIn(mail);
}

describe("a forgotten password", () => {
  test("is replaced by a link in a mail, which signs in and ends all other sessions", async () => {
    const { user } = await aUser(server, { password });
    const elsewhere = await signedIn(user);
    const visitor = aPage(server);
    const [mail] = await mailsOf(() => visitor.post("/user/forgot_password", { email: user.email.toUpperCase() }));
    expect(mail?.to).toEqual([user.email]);
    const link = linkIn(mail);
    expect(wordsOf((await visitor.get(link)).text)).toContain(`For the account ${user.login}`);
    const done = await visitor.post(link, { password: fresh, retype: fresh });
    expect([done.status, done.location]).toEqual([303, "/"]);
    expect((await visitor.get("/user/settings")).status).toBe(200);
    expect((await elsewhere.get("/user/settings")).status).toBe(303);
    expect([await canSignIn(user.login, password), await canSignIn(user.login, fresh)]).toEqual([false, true]);
  });

  test("is answered alike for addresses no one has, and nothing goes to them", async () => {
    const { user } = await aUser(server, { password });
    const said: (string | number)[][] = [];
    for (const email of [user.email, "nobody@example.org", "not an address"]) {
      const reply = await aPage(server).post("/user/forgot_password", { email });
      said.push([reply.status, wordsOf(reply.text).replace(/[\d.]+ ms/, "")]);
    }
    await settled();
    expect(said[1]).toEqual(said[0] ?? []);
    expect(said[2]).toEqual(said[0] ?? []);
    expect(sink.mails.flatMap(({ to }) => to)).not.toContain("nobody@example.org");
  });

  test("sends one mail in three minutes, and answers a flood from one address with 429", async () => {
    const { user } = await aUser(server, { password });
    const statuses: number[] = [];
    const mails = await mailsOf(async () => {
      for (let n = 0; n < 7; n++) {
        const reply = await aPage(server).post("/user/forgot_password", { email: user.email });
        statuses.push(reply.status);
        if (reply.status === 429) expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
        await settled();
      }
    });
    expect(mails).toHaveLength(1);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  test("a link works once", async () => {
    const { user } = await aUser(server, { password });
    const link = await resetLink(user);
    expect((await aPage(server).post(link, { password: fresh })).status).toBe(303);
    const again = await aPage(server).post(link, { password: "a third long one" });
    expect([again.status, await canSignIn(user.login, fresh)]).toEqual([400, true]);
  });

  test("of two uses at the same time one wins", async () => {
    const { user } = await aUser(server, { password });
    const link = await resetLink(user);
    const replies = await Promise.all(
      [fresh, "a third long one"].map((chosen) => aPage(server).post(link, { password: chosen })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 400]);
  });

  test("a password that was changed meanwhile kills the link, and so does a changed address", async () => {
    const { user } = await aUser(server, { password });
    const link = await resetLink(user);
    await server.services.identity.edit(operator, user, { password: fresh });
    expect((await aPage(server).get(link)).status).toBe(400);
    const other = await aUser(server, { password });
    const otherLink = await resetLink(other.user);
    await server.services.identity.edit(operator, other.user, { email: "moved-on@example.org" });
    expect((await aPage(server).post(otherLink, { password: fresh })).status).toBe(400);
    expect(await canSignIn(other.login, password)).toBe(true);
  });

  test("a link is dead after an hour, of another account, of another purpose, or when a sign of it is changed", async () => {
    const [{ user }, { user: other }] = [await aUser(server, { password }), await aUser(server, { password })];
    const code = codeIn(await resetLink(user));
    const otherCode = codeIn(await resetLink(other));
    const { db, secret } = server.core;
    const at = (minutes: number) => new EmailTokens(db, () => Date.now() + minutes * 60_000, secret);
    expect(at(59).look(code, "reset-password").user.id).toBe(user.id);
    expect(() => at(61).look(code, "reset-password")).toThrow("account.code-invalid");
    expect(() => at(0).look(code, "activate")).toThrow("account.code-invalid");
    const [number = "", mac = ""] = code.split("-");
    const flipped = `${mac.slice(0, -1)}${mac.endsWith("0") ? "1" : "0"}`;
    const bad = [
      `${number}-${flipped}`,
      `${otherCode.split("-")[0]}-${mac}`,
      number,
      "",
      `${number}-`,
      "9".repeat(400),
    ];
    for (const wrong of bad) {
      const link = `/user/recover_account?${new URLSearchParams({ code: wrong })}`;
      expect([wrong, (await aPage(server).get(link)).status]).toEqual([wrong, 400]);
      expect([wrong, (await aPage(server).post(link, { password: fresh })).status]).toEqual([wrong, 400]);
    }
    expect(await canSignIn(user.login, password)).toBe(true);
  });

  test("a bad new password is refused beside its field, and the link stays good", async () => {
    const { user } = await aUser(server, { password });
    const link = await resetLink(user);
    expect((await aPage(server).post(link, { password: "short" })).status).toBe(422);
    expect((await aPage(server).post(link, { password: fresh, retype: "x" })).status).toBe(422);
    expect((await aPage(server).post(link, { password: fresh, retype: fresh })).status).toBe(303);
  });

  test("who may not sign in gets no mail: prohibited, inactive, bots", async () => {
    const prohibited = await aUser(server, { password });
    await server.services.identity.edit(operator, prohibited.user, { prohibitLogin: true });
    const inactive = await aUser(server, { password });
    await server.services.identity.edit(operator, inactive.user, { isActive: false });
    const bot = await aUser(server, { kind: "bot" });
    const mails = await mailsOf(async () => {
      for (const { user } of [prohibited, inactive, bot])
        await aPage(server).post("/user/forgot_password", { email: user.email });
    });
    expect(mails).toEqual([]);
  });

  test("the database alone opens nothing: no link and no code stands in it", async () => {
    const { user } = await aUser(server, { password });
    await aPage(server).post("/user/forgot_password", { email: user.email });
    const code = codeIn(linkIn((await mailsOf(async () => {})).at(-1) ?? sink.mails.at(-1)));
    const { db } = server.core;
    const rows = [...db.query("SELECT * FROM email_tokens").all(), ...db.query("SELECT * FROM jobs").all()];
    expect(code).toMatch(/^\d+-[0-9a-f]{64}$/);
    expect(JSON.stringify(rows)).not.toContain(code.split("-")[1] ?? "");
  });
});

describe("an account that someone registers", () => {
  let count = 0;
  const register = async () => {
    const login = `reg${++count}`;
    const email = `${login}@example.org`;
    const form = { user_name: login, email, password, retype: password };
    let reply: Awaited<ReturnType<Visitor["post"]>> | undefined;
    const mails = await mailsOf(async () => {
      reply = await aPage(server).post("/user/sign_up", form);
    });
    return { login, email, reply, mails };
  };

  test("waits for the link in the mail, which takes its password", async () => {
    const { login, email, reply, mails } = await register();
    expect([reply?.status, wordsOf(reply?.text ?? "").includes("Look into your mail")]).toEqual([200, true]);
    expect(mails.map(({ to }) => to)).toEqual([[email]]);
    const early = await aPage(server).post("/user/login", { user_name: login, password });
    expect([early.status, early.location]).toEqual([303, "/user/activate"]);
    const api = await call(server, "GET", "/api/v1/user", { basic: [login, password] });
    expect([api.status, api.body["message"]]).toEqual([403, "This account is not activated."]);
    const link = linkIn(mails[0]);
    const visitor = aPage(server);
    expect((await visitor.get(link)).status).toBe(200);
    expect((await visitor.post(link, { password: "wrong" })).status).toBe(422);
    expect(server.services.identity.byLogin(login)?.isActive).toBe(false);
    expect((await visitor.post(link, { password })).location).toBe("/");
    expect((await visitor.get("/user/settings")).status).toBe(200);
    expect((await aPage(server).post(link, { password })).status).toBe(400);
  });

  test("gets the mail again, though not at once, and not when it does not wait", async () => {
    const { email } = await register();
    const active = await aUser(server, { password });
    const asked = await mailsOf(async () => {
      for (const address of [email, active.user.email, "nobody@example.org"])
        expect((await aPage(server).post("/user/activate", { email: address })).status).toBe(200);
    });
    expect(asked).toEqual([]);
    // As if the first one had gone out four minutes ago.
    server.core.db.query("UPDATE email_tokens SET created_at = created_at - 240000 WHERE email = ?").run(email);
    const later = await mailsOf(() => aPage(server).post("/user/activate", { email }));
    expect(later.map(({ to }) => to)).toEqual([[email]]);
    expect((await aPage(server).post(linkIn(later[0]), { password })).status).toBe(303);
  });

  test("that an administrator deactivates later is not let in by an old link or a new mail", async () => {
    const { login, email, mails } = await register();
    const link = linkIn(mails[0]);
    const { identity } = server.services;
    const user = identity.byLogin(login);
    if (!user) throw new Error("not registered");
    await identity.edit(operator, user, { isActive: true });
    expect((await aPage(server).post(link, { password })).status).toBe(400);
    await identity.edit(operator, user, { isActive: false });
    server.core.db.query("UPDATE email_tokens SET created_at = 0").run();
    expect(await mailsOf(() => aPage(server).post("/user/activate", { email }))).toEqual([]);
    expect((await aPage(server).post(link, { password })).status).toBe(400);
    expect(identity.byLogin(login)?.isActive).toBe(false);
  });
});

describe("an added address", () => {
  test("counts once its link was opened by its own account, and commits with it are the account's then", async () => {
    const { user, token } = await aUser(server);
    const { user: other } = await aUser(server);
    const email = `work-${user.login}@example.org`;
    const added = await mailsOf(async () => {
      const reply = await call<{ email: string; verified: boolean }[]>(server, "POST", "/api/v1/user/emails", {
        token,
        body: { emails: [email] },
      });
      expect([reply.status, reply.body.find((own) => own.email === email)?.verified]).toEqual([201, false]);
    });
    const link = linkIn(added[0]);
    const byEmails = () => server.services.identity.byEmails([email]).size;
    expect(byEmails()).toBe(0);
    const visitor = await signedIn(user);
    const dead = await (await signedIn(other)).post(link);
    expect([dead.status, dead.location]).toEqual([303, "/user/settings/account"]);
    expect((await aPage(server).get("/user/activate_email?code=none&email=x")).location).toBe("/user/settings/account");
    // Whoever reads the mailbox need not be signed in; looking changes nothing.
    expect((await aPage(server).get(link)).text).toContain(`${email} becomes a confirmed address of ${user.login}`);
    expect((await visitor.get(link)).text).toContain(email);
    expect(byEmails()).toBe(0);
    expect((await aPage(server).post(link)).location).toBe("/user/settings/account");
    expect(byEmails()).toBe(1);
    expect((await visitor.post(link)).headers.get("set-cookie")).toContain("hearth_flash");
    const list = await call<{ email: string; verified: boolean }[]>(server, "GET", "/api/v1/user/emails", { token });
    expect(list.body.find((own) => own.email === email)?.verified).toBe(true);
  });

  test("gets its mail again after three minutes, and only its owner may ask", async () => {
    const [{ user }, { user: other }] = [await aUser(server), await aUser(server)];
    const visitor = await signedIn(user);
    const page = "/user/settings/account";
    const email = `again-${user.login}@example.org`;
    expect(await mailsOf(() => visitor.post(`${page}/email`, { email }))).toHaveLength(1);
    const id = String(server.services.emails.list(operator, user).find((own) => own.email === email)?.id);
    const again = { _method: "SENDACTIVATION", id };
    expect(await mailsOf(() => visitor.post(`${page}/email`, again))).toEqual([]);
    server.core.db.query("UPDATE email_tokens SET created_at = 0 WHERE email = ?").run(email);
    expect((await (await signedIn(other)).post(`${page}/email`, again)).status).toBe(404);
    expect(await mailsOf(() => visitor.post(`${page}/email`, again))).toHaveLength(1);
    expect((await visitor.get(page)).text).toContain("Not confirmed");
  });

  test("that was removed again is not confirmed by its link", async () => {
    const { user, token } = await aUser(server);
    const email = `gone-${user.login}@example.org`;
    const [mail] = await mailsOf(() =>
      call(server, "POST", "/api/v1/user/emails", { token, body: { emails: [email] } }),
    );
    await call(server, "DELETE", "/api/v1/user/emails", { token, body: { emails: [email] } });
    const visitor = await signedIn(user);
    await visitor.post(linkIn(mail));
    expect((await visitor.get("/user/settings/account")).text).toContain("was used already, has expired");
    expect(server.services.identity.byEmails([email]).size).toBe(0);
  });
});

describe("without mail", () => {
  test("pages say who helps, accounts work at once, and no one claims another's commits by adding an address", async () => {
    await using plain = await aServer({ registration: "open" });
    const admin = await aUser(plain, { isAdmin: true });
    for (const page of ["/user/forgot_password", "/user/activate"]) {
      const visitor = aPage(plain);
      expect(wordsOf((await visitor.get(page)).text)).toContain("administrator can");
      expect(wordsOf((await visitor.post(page, { email: admin.user.email })).text)).toContain("administrator can");
    }
    const thief = await aUser(plain);
    const email = "victim@example.org";
    const reply = await call<{ email: string; verified: boolean }[]>(plain, "POST", "/api/v1/user/emails", {
      token: thief.token,
      body: { emails: [email] },
    });
    // The API's word stays the contract's; commits are another matter.
    expect(reply.body.find((own) => own.email === email)?.verified).toBe(true);
    const repo = aRepo(plain, admin.user, { files: { "a.txt": "a" }, author: { login: "victim", email } });
    const commits = await call<{ author: { login: string } | null }[]>(
      plain,
      "GET",
      `/api/v1/repos/${admin.login}/${repo.name}/commits`,
      { token: admin.token },
    );
    expect(commits.body.map((commit) => commit.author)).toEqual([null]);
    // An administrator may say whose it is; no one else may.
    const id = String(plain.services.emails.list(operator, thief.user).find((own) => own.email === email)?.id);
    const form = { uid: String(thief.user.id), id };
    const at = async (user: User) =>
      aPage(plain, new Map([(await aSession(plain, user)).split("=") as [string, string]]));
    expect((await (await at(thief.user)).post("/-/admin/emails/activate", form)).status).toBe(403);
    expect(plain.services.identity.byEmails([email]).size).toBe(0);
    expect((await (await at(admin.user)).post("/-/admin/emails/activate", { ...form, uid: "999" })).status).toBe(404);
    expect((await (await at(admin.user)).post("/-/admin/emails/activate", form)).status).toBe(303);
    expect(plain.services.identity.byEmails([email]).get(email)?.id).toBe(thief.user.id);
    const registered = await aPage(plain).post("/user/sign_up", {
      user_name: "second",
      email: "second-victim@example.org",
      password,
      retype: password,
    });
    expect(registered.location).toBe("/");
    expect(plain.services.identity.byEmails(["second-victim@example.org"]).size).toBe(0);
    expect(plain.services.identity.byEmails([admin.user.email]).size).toBe(1);
  });
});
