import { afterAll, beforeAll, expect, test } from "bun:test";
import type { User } from "../../src/access/user.ts";
import { anOrganization, aServer, aTeam, aUser, type TestServer } from "../builders.ts";
import { anSmtpSink, mailsTo, type SmtpSink } from "../smtp-sink.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** Inviting an address into a team, and joining by the link in the mail (contract web.md 1.5 and 3.6). */

let sink: SmtpSink;
let server: TestServer;
let olga: User;
let owner: Visitor;
let teamPage = "";
let organization: User;

beforeAll(async () => {
  sink = anSmtpSink();
  server = await aServer({
    ...mailsTo(sink),
    registration: "open",
  });
  await aUser(server, { isAdmin: true });
  olga = (await aUser(server, { login: "olga" })).user;
  organization = anOrganization(server, olga, { login: "acme", visibility: "private" });
  aTeam(server, organization, { name: "crew" });
  teamPage = "/org/acme/teams/crew";
  owner = await signedIn(olga);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  sink.close();
  expect(errors).toEqual([]);
});

async function signedIn(user: User): Promise<Visitor> {
  return aPageOf(server, user);
}
const member = (login: string) => {
  const user = server.services.identity.byLogin(login);
  return user !== undefined && server.services.teams.ofMember(organization, user).length > 0;
};
/** Invites an address; answers the path that the mail's link leads to. */
async function invited(email: string): Promise<string> {
  const at = sink.mails.length;
  const answer = await owner.post(`${teamPage}/action/add`, { uname: email });
  expect([answer.status, answer.location]).toEqual([303, teamPage]);
  await server.core.jobs.drain();
  const mail = await sink.mail(at);
  expect(mail.to).toEqual([email]);
  const link = /https?:\/\/\S+\/(?:org\/invite|user\/sign_up)\S*/.exec(mail.text)?.[0] ?? "";
  const { pathname, search } = new URL(link);
  return pathname + search;
}

test("an account that has the address joins by the link, once", async () => {
  const { user } = await aUser(server, { login: "ada", email: "ada@example.org" });
  const path = await invited("Ada@example.org");
  expect(path).toStartWith("/org/invite/");
  expect((await owner.get(teamPage)).text).toContain("Ada@example.org");
  const stranger = await aPage(server).get(path);
  expect([stranger.status, stranger.location]).toEqual([303, `/user/login?redirect_to=${encodeURIComponent(path)}`]);
  const ada = await signedIn(user);
  expect(wordsOf((await ada.get(path)).text)).toContain("olga invites you to join the team crew of acme");
  expect(member("ada")).toBe(false);
  const joined = await ada.post(path, {});
  expect([joined.status, joined.location]).toEqual([303, teamPage]);
  expect(member("ada")).toBe(true);
  expect((await ada.post(path, {})).status).toBe(404);
  expect((await owner.get(teamPage)).text).not.toContain("Ada@example.org");
});

test("whoever has no account makes one first, and lands at the invitation", async () => {
  const path = await invited("new@example.org");
  const invitation = new URL(path, "http://x").searchParams.get("redirect_to") ?? "";
  expect(path).toStartWith("/user/sign_up?");
  const visitor = aPage(server);
  expect((await visitor.get(path)).text).toContain(`value="${invitation}"`);
  const fields = { user_name: "newcomer", email: "new@example.org", password: "a long password", retype: "another" };
  const refused = await visitor.post("/user/sign_up", { ...fields, redirect_to: invitation });
  expect([refused.status, refused.text.includes(`value="${invitation}"`)]).toEqual([422, true]);
  const made = await visitor.post("/user/sign_up", { ...fields, retype: fields.password, redirect_to: invitation });
  expect([made.status, made.location]).toEqual([303, invitation]);
  expect((await visitor.post(invitation, {})).status).toBe(303);
  expect(member("newcomer")).toBe(true);
});

test("the link is good for the address it went to, until it is withdrawn or over", async () => {
  const { user } = await aUser(server, { login: "eve" });
  const eve = await signedIn(user);
  const path = (await invited("bob@example.org")).replace(/.*redirect_to=/, "");
  const invitation = decodeURIComponent(path);
  expect(wordsOf((await eve.get(invitation)).text)).toContain("an address that your account does not have");
  expect((await eve.post(invitation, {})).status).toBe(422);
  expect(member("eve")).toBe(false);
  const again = await owner.post(`${teamPage}/action/add`, { uname: "BOB@example.org" });
  expect([again.status, wordsOf(again.text).includes("has already been invited")]).toEqual([422, true]);
  for (const wrong of [`${invitation.slice(0, -1)}x`, "/org/invite/1-00", "/org/invite/x"])
    expect((await eve.get(wrong)).status).toBe(404);
  const id = /invite\/(\d+)-/.exec(invitation)?.[1] ?? "";
  expect((await eve.post(`${teamPage}/action/remove_invite`, { iid: id })).status).toBe(404);
  expect((await owner.post(`${teamPage}/action/remove_invite`, { iid: id })).status).toBe(303);
  expect((await owner.post(`${teamPage}/action/remove_invite`, { iid: id })).status).toBe(404);
  expect((await eve.get(invitation)).status).toBe(404);
  const late = decodeURIComponent((await invited("late@example.org")).replace(/.*redirect_to=/, ""));
  expect((await eve.get(late)).status).toBe(200);
  server.core.db.query("UPDATE team_invitations SET expires_at = 1").run();
  expect((await eve.get(late)).status).toBe(404);
});

test("what is no address is refused, and an owner joins a team alone", async () => {
  for (const uname of ["@", "a@", "a@b@c", "a b@example.org", `${"x".repeat(300)}@example.org`])
    expect((await owner.post(`${teamPage}/action/add`, { uname })).status).toBe(422);
  expect(server.services.teams.ofMember(organization, olga)).toHaveLength(1);
  expect((await owner.post(`${teamPage}/action/join`, {})).status).toBe(303);
  expect(server.services.teams.ofMember(organization, olga)).toHaveLength(2);
});
