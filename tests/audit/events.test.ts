import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import { Keygen } from "../api/keys/keygen.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aSession,
  aTeam,
  aUser,
  call,
  type TestServer,
  type TestUser,
} from "../builders.ts";
import { anSmtpSink, mailsTo, type ReceivedMail, type SmtpSink } from "../smtp-sink.ts";
import { aPage, wordsOf } from "../web/browser-calls.ts";

/** What areas do to accounts is in the record of security events, and people are mailed what concerns their own. */

let server: TestServer;
let sink: SmtpSink;
const keygen = new Keygen();
const api = anApi(() => server);
beforeAll(async () => {
  sink = anSmtpSink();
  server = await aServer({
    ...mailsTo(sink),
    "mail.helo": "git.example.org",
  });
});
afterAll(async () => {
  await server.close();
  sink.close();
  keygen[Symbol.dispose]();
});

const recorded = (userId: number) =>
  server.core.db
    .query<{ action: string; actor: string; details: string; address: string }>(
      "SELECT action, actor, details, address FROM audit_entries WHERE account_id = ? ORDER BY id",
    )
    .all(userId)
    .map(({ action, actor, details, address }) => ({ action, actor, address, ...JSON.parse(details) }));

/** The first mail that says so, as soon as it is there. */
async function mailSaying(text: RegExp): Promise<ReceivedMail> {
  for (let at = 0; ; at++) {
    const mail = await sink.mail(at);
    if (text.test(mail.text)) return mail;
  }
}

const sessionPage = async (who: TestUser) =>
  aPage(server, new Map([["hearth_session", (await aSession(server, who.user)).split("=")[1] ?? ""]]));

test("keys, applications and tokens are recorded with who did it and from where", async () => {
  const ada = await aUser(server);
  const key = await api<{ id: number }>("POST", "/user/keys", ada, {
    title: "laptop",
    key: keygen.key("-t", "ed25519").line,
  });
  await api("DELETE", `/user/keys/${key.body.id}`, ada);
  const made = await api<{ id: number }>("POST", "/user/applications/oauth2", ada, {
    name: "My tool",
    redirect_uris: ["http://127.0.0.1/"],
  });
  await api("DELETE", `/user/applications/oauth2/${made.body.id}`, ada);
  const by = { actor: ada.login, address: "127.0.0.1" };
  expect(recorded(ada.user.id).slice(2)).toEqual([
    { action: "key-added", name: "laptop", sort: "ssh", ...by },
    { action: "key-removed", name: "laptop", sort: "ssh", ...by },
    { action: "application-added", name: "My tool", ...by },
    { action: "application-removed", name: "My tool", ...by },
  ]);
  const words = wordsOf((await (await sessionPage(ada)).get("/user/settings/security/log")).text);
  for (const text of ["Key added: laptop", "Application registered: My tool"]) expect(words).toContain(text);
  const german = await call(server, "GET", "/user/settings/security/log?lang=de", {
    cookie: await aSession(server, ada.user),
  });
  expect(wordsOf(german.text)).toContain("Schlüssel hinzugefügt: laptop");
});

test("teams, members, collaborators, rules, deploy keys and transfers are recorded for whose they are", async () => {
  const owner = await aUser(server);
  const ben = await aUser(server);
  const organization = anOrganization(server, owner.user, { login: "crafts" });
  const team = aTeam(server, organization, { name: "makers" });
  await api("PUT", `/teams/${team.id}/members/${ben.login}`, owner);
  await api("DELETE", `/teams/${team.id}/members/${ben.login}`, owner);
  aRepo(server, organization, { name: "bowl", creator: owner.user, files: { a: "a" } });
  const at = "/repos/crafts/bowl";
  await api("PUT", `/teams/${team.id}/repos/crafts/bowl`, owner);
  await api("PUT", `${at}/collaborators/${ben.login}`, owner, { permission: "write" });
  await api("DELETE", `${at}/collaborators/${ben.login}`, owner);
  await api("POST", `${at}/branch_protections`, owner, { rule_name: "main" });
  await api("POST", `${at}/tag_protections`, owner, { name_pattern: "v*", whitelist_usernames: [owner.login] });
  await api("POST", `${at}/keys`, owner, { title: "ci", key: keygen.key("-t", "ed25519").line, read_only: true });
  await api("PATCH", at, owner, { private: true });
  await api("POST", `${at}/transfer`, owner, { new_owner: owner.login });
  const happened = recorded(organization.id).map(({ actor, address, ...rest }) => rest);
  const repo = "crafts/bowl";
  for (const entry of [
    { action: "account-created" },
    { action: "team-created", team: "makers" },
    { action: "team-member-added", team: "makers", name: ben.login },
    { action: "team-member-removed", team: "makers", name: ben.login },
    { action: "team-repository-added", team: "makers", repo },
    { action: "collaborator-added", repo, name: ben.login, level: "write" },
    { action: "collaborator-removed", repo, name: ben.login },
    { action: "branch-protection-changed", repo, name: "main" },
    { action: "tag-protection-changed", repo, name: "v*" },
    { action: "deploy-key-added", repo, name: "ci" },
    { action: "repository-hidden", repo },
    { action: "repository-transferred", from: repo, to: `${owner.login}/bowl` },
  ])
    expect(happened).toContainEqual(entry);
  await api("DELETE", `/repos/${owner.login}/bowl`, owner);
  expect(recorded(owner.user.id).at(-1)).toMatchObject({
    action: "repository-deleted",
    repo: `${owner.login}/bowl`,
    actor: owner.login,
  });
  await api("DELETE", "/orgs/crafts", owner);
  const gone = server.core.db.query(
    "SELECT 1 FROM audit_entries WHERE account = 'crafts' AND action = 'account-deleted'",
  );
  expect(gone.get()).not.toBeNull();
});

test("every kind of event that is recorded has words in every language", async () => {
  const root = await aUser(server, { isAdmin: true });
  await api("POST", "/admin/cron/retention", root);
  const page = await sessionPage(root);
  for (const language of ["en", "de", "es", "fr", "ja", "zh-CN"]) {
    const { text } = await page.get(`/-/admin/security-log?lang=${language}`);
    const shown = [...text.matchAll(/<option value="([a-z-]+)"[^>]*>([^<]*)/g)];
    expect(shown.length).toBeGreaterThan(15);
    for (const [, action, label] of shown) expect(label).not.toBe(action ?? "");
  }
});

test("whose security changes is mailed, in their language, at the address before a change of it", async () => {
  const ada = await aUser(server, { password: true });
  await api("PATCH", "/user/settings", ada, { language: "de-DE" });
  await api("POST", "/user/keys", ada, { title: "evil.example/key", key: keygen.key("-t", "ed25519").line });
  const added = await mailSaying(/wurde der Schlüssel/);
  expect(added.to).toEqual([ada.user.email]);
  expect(added.headers.get("subject")).toContain("Sicherheit deines Kontos");
  expect(added.text).not.toContain("evil.example");
  expect(added.text).toContain(`${server.url}user/settings/security/log`);
  expect(added.text).toContain("127.0.0.1");
  await api("PATCH", "/user/settings", ada, { language: "en-US" });
  await api("POST", "/user/emails", ada, { emails: ["other@example.org"] });
  await mailSaying(/The address other@\S* was added/);
  const { emails } = server.services;
  const own = server.services.identity.byId(ada.user.id) ?? ada.user;
  const other = emails.ofAccount(own.id).find(({ email }) => email === "other@example.org");
  emails.makePrimary(asAccount(own), other?.id ?? 0);
  const moved = await mailSaying(/is now the primary\s+address/);
  expect(moved.to).toEqual([ada.user.email]);
  const root = await aUser(server, { isAdmin: true });
  const password = "another password 1";
  const patch = { login_name: ada.login, source_id: 0, password };
  expect((await api("PATCH", `/admin/users/${ada.login}`, root, patch)).status).toBe(200);
  const changed = await mailSaying(/The password of\s+your account/);
  expect(changed.to).toEqual(["other@example.org"]);
});

test("a sign-in from a place that was not seen before is mailed, the first and known ones are not", async () => {
  const ada = await aUser(server);
  const from = (address: string, method: "password" | "remembered" = "password") =>
    server.services.audit.append({ ...asAccount(ada.user), address }, "sign-in", ada.user, { method });
  server.core.db.transaction(() => {
    from("192.0.2.1");
    from("192.0.2.1");
    from("192.0.2.9", "remembered");
    from("192.0.2.2");
  });
  const mail = await mailSaying(/network\s+address/);
  expect(mail.text).toContain("192.0.2.2");
  expect(
    server.core.db.query("SELECT count(*) AS n FROM jobs WHERE kind = 'mail.send' AND state = 'waiting'").get(),
  ).toEqual({ n: 0 });
  expect(sink.mails.filter(({ text }) => /network\s+address/.test(text)).length).toBe(1);
});
