import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import { anApi, aRepo, aServer, aUser, type Json, settled, type TestServer, type TestUser } from "../builders.ts";
import { anSmtpSink, mailsTo, type ReceivedMail, type SmtpSink } from "../smtp-sink.ts";
import { aPageOf } from "./browser-calls.ts";

/** Mails about issues and pull requests: who gets which, how they thread, and what they say. */

let sink: SmtpSink;
let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let carl: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  sink = anSmtpSink();
  server = await aServer(mailsTo(sink));
  [ada, bob, carl] = await Promise.all([
    aUser(server, { login: "ada", fullName: "Ada L." }),
    aUser(server, { login: "bob" }),
    aUser(server, { login: "carl" }),
  ]);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  sink.close();
  expect(errors).toEqual([]);
});

const ok = async <Body = Json>(method: string, path: string, who: TestUser, body?: unknown) => {
  const answer = await api<Body>(method, path, who, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
};
/** What goes out because of that, by who gets it. */
async function mailsOf(work: () => Promise<unknown>): Promise<Map<string, ReceivedMail[]>> {
  await settled(server);
  const before = sink.mails.length;
  await work();
  await settled(server);
  return Map.groupBy(sink.mails.slice(before), ({ to }) => (to[0] ?? "").split("@")[0] ?? "");
}
const subjects = (mails: Map<string, ReceivedMail[]>) =>
  Object.fromEntries([...mails].map(([who, each]) => [who, each.map(({ headers }) => headers.get("subject"))]));
let made = 0;
function aPlace(isPrivate = false) {
  const { name } = aRepo(server, ada.user, { name: `post${++made}`, isPrivate, files: { "README.md": "hi\n" } });
  return { name, at: `/repos/ada/${name}`, path: `ada/${name}` };
}
const prefer = (who: TestUser, preference: "enabled" | "onmention" | "disabled" | "andyourown") =>
  server.services.mailPreferences.set(asAccount(who.user), preference);

test("who takes part is mailed once, with headers that thread and filter, in both parts", async () => {
  const { at, path } = aPlace();
  const first = await mailsOf(() =>
    ok("POST", `${at}/issues`, bob, {
      title: "It leaks",
      body: "**Really**, see [here](/x) @ada <script>alert(1)</script>",
    }),
  );
  // Ada watches and is mentioned: that is one mail.
  expect(subjects(first)).toEqual({ ada: [`[${path}] It leaks (#1)`] });
  const mail = first.get("ada")?.[0];
  const host = new URL(server.url).hostname;
  const header = (name: string, of = mail) => of?.headers.get(name);
  expect(header("message-id")).toBe(`<${path}/issues/1@${host}>`);
  expect(header("in-reply-to")).toBeUndefined();
  expect(header("from")).toContain("bob <git@example.org>");
  expect(header("to")).toBe(ada.user.email);
  expect(header("list-id")).toBe(`${path} <${path.split("/")[1]}.ada.${host}>`);
  expect(header("list-archive")).toBe(`<${server.url}${path}>`);
  expect(header("list-unsubscribe")).toBe(`<${server.url}${path}/issues/1>`);
  expect(header("x-gitea-issue-id")).toBe("1");
  expect(header("x-gitea-repository-path")).toBe(path);
  expect(header("x-github-sender")).toBe("bob");
  expect(header("x-gitlab-project-path")).toBe(path);
  expect(mail?.text).toContain("bob opened #1.");
  expect(mail?.text).toContain("**Really**");
  expect(mail?.text).toContain(`${server.url}${path}/issues/1`);
  expect(mail?.html).toContain("<strong>Really</strong>");
  expect(mail?.html).toContain(`href="${server.url}${path}/x"`);
  expect(mail?.html).not.toContain("<script");

  const said = await mailsOf(() => ok("POST", `${at}/issues/1/comments`, ada, { body: "On it #1" }));
  expect(subjects(said)).toEqual({ bob: [`Re: [${path}] It leaks (#1)`] });
  const reply = said.get("bob")?.[0];
  expect(header("message-id", reply)).toMatch(new RegExp(`^<${path}/issues/1/comment/\\d+@`));
  expect(header("in-reply-to", reply)).toBe(`<${path}/issues/1@${host}>`);
  expect(header("references", reply)).toBe(`<${path}/issues/1@${host}>`);
  // An address in a name would be a link in many a mail program.
  expect(header("from", reply)).toContain("Ada L.");

  const closed = await mailsOf(() => ok("PATCH", `${at}/issues/1`, ada, { state: "closed" }));
  expect(closed.get("bob")?.[0]?.text).toContain("closed #1.");
  const silent = await mailsOf(async () => {
    await ok("PATCH", `${at}/issues/1`, ada, { title: "It leaked", body: "changed" });
    await ok("POST", `${at}/labels`, ada, { name: "bug", color: "#ff0000" });
    await ok("POST", `${at}/issues/1/labels`, ada, { labels: ["bug"] });
    await ok("POST", `${at}/issues/1/reactions`, ada, { content: "+1" });
  });
  expect(subjects(silent)).toEqual({});
});

test("everyone says which mails they want", async () => {
  const { at, path } = aPlace();
  await ok("POST", `${at}/issues`, carl, { title: "Noise" });
  const name = `Re: [${path}] Noise (#1)`;
  const say = (who: TestUser, body: string) => mailsOf(() => ok("POST", `${at}/issues/1/comments`, who, { body }));
  prefer(carl, "onmention");
  expect(subjects(await say(bob, "one"))).toEqual({ ada: [name] });
  expect(subjects(await say(bob, "two @carl"))).toEqual({ ada: [name], carl: [name] });
  prefer(carl, "disabled");
  expect(subjects(await say(bob, "three @carl"))).toEqual({ ada: [name] });
  prefer(carl, "enabled");
  prefer(bob, "andyourown");
  expect(subjects(await say(bob, "four"))).toEqual({ ada: [name], bob: [name], carl: [name] });
  prefer(bob, "enabled");
  // Who does not want to hear of it is told of nothing but their name.
  await ok("DELETE", `${at}/issues/1/subscriptions/carl`, carl);
  expect(subjects(await say(bob, "five"))).toEqual({ ada: [name] });
  expect(subjects(await say(bob, "six @carl"))).toEqual({ ada: [name], carl: [name] });
});

test("an assignment is told to whom it concerns, not to who made it", async () => {
  const { at } = aPlace();
  await ok("POST", `${at}/issues`, ada, { title: "Work" });
  await ok("PUT", `${at}/collaborators/bob`, ada, { permission: "write" });
  const assigned = await mailsOf(() => ok("PATCH", `${at}/issues/1`, ada, { assignees: ["bob", "ada"] }));
  expect([...assigned.keys()]).toEqual(["bob"]);
  expect(assigned.get("bob")?.[0]?.text).toContain("assigned #1 to you.");
  expect(assigned.get("bob")?.[0]?.headers.get("x-gitea-reason")).toBe("assigned");
});

test("nobody is mailed what they may not read when it goes out, nor what is gone by then", async () => {
  const { at, name } = aPlace(true);
  await ok("PUT", `${at}/collaborators/bob`, ada, { permission: "read" });
  await ok("POST", `${at}/issues`, bob, { title: "Secret" });
  await settled(server);
  const { collaborators, repos } = server.services;
  const lost = await mailsOf(async () => {
    await ok("POST", `${at}/issues/1/comments`, ada, { body: "a secret word" });
    const seen = repos.seeNamed(asAccount(ada.user), [["ada", name]]).get(`ada/${name}`);
    if (seen) collaborators.remove(seen, bob.user);
  });
  expect(subjects(lost)).toEqual({});
  await ok("PUT", `${at}/collaborators/bob`, ada, { permission: "read" });
  await ok("POST", `${at}/issues/1/subscriptions/bob`, bob).catch(() => undefined);
  const gone = await mailsOf(async () => {
    const { id } = await ok<{ id: number }>("POST", `${at}/issues/1/comments`, ada, { body: "regretted" });
    await ok("DELETE", `${at}/issues/comments/${id}`, ada);
  });
  expect(JSON.stringify([...gone.values()].flat().map(({ text }) => text))).not.toContain("regretted");
});

test("a pull request tells of pushes, reviews and its merge, each once", async () => {
  const { at, path } = aPlace();
  await ok("PUT", `${at}/collaborators/bob`, ada, { permission: "write" });
  const write = (file: string, who: TestUser, more: object) =>
    ok("POST", `${at}/contents/${file}`, who, {
      content: Buffer.from(file).toString("base64"),
      message: file,
      ...more,
    });
  await write("a.txt", bob, { new_branch: "topic" });
  const opened = await mailsOf(() => ok("POST", `${at}/pulls`, bob, { title: "Bring a", head: "topic", base: "main" }));
  expect(subjects(opened)).toEqual({ ada: [`[${path}] Bring a (#1)`] });
  expect(opened.get("ada")?.[0]?.headers.get("message-id")).toContain(`<${path}/pulls/1@`);
  const pushed = await mailsOf(() => write("b.txt", bob, { branch: "topic" }));
  expect(pushed.get("ada")?.map(({ text }) => text.split("\r\n")[0])).toEqual(["bob pushed commits to #1."]);
  const reviewed = await mailsOf(() =>
    ok("POST", `${at}/pulls/1/reviews`, ada, { event: "APPROVED", body: "Lovely *work*" }),
  );
  expect(reviewed.get("bob")).toHaveLength(1);
  expect(reviewed.get("bob")?.[0]?.html).toContain("<em>work</em>");
  const asked = await mailsOf(() => ok("POST", `${at}/pulls/1/requested_reviewers`, bob, { reviewers: ["ada"] }));
  expect(asked.get("ada")?.[0]?.text).toContain("asked for your review of #1.");
  const merged = await mailsOf(() => ok("POST", `${at}/pulls/1/merge`, ada, { Do: "merge" }));
  expect(merged.get("bob")?.map(({ text }) => text.split("\r\n")[0])).toEqual(["Ada L. merged #1."]);
});

test("the choice is made on a page; a title with line ends adds no header; mails speak one's language", async () => {
  const { at } = aPlace();
  const dora = await aUser(server, { login: "dora" });
  await ok("PATCH", "/user/settings", dora, { language: "de-DE" });
  const asDora = await aPageOf(server, dora.user);
  expect((await asDora.get("/user/settings/notifications")).text).toContain('value="enabled" checked');
  await asDora.post("/user/settings/notifications/email", { preference: "andyourown" });
  expect((await asDora.get("/user/settings/notifications")).text).toContain('value="andyourown" checked');
  expect((await asDora.post("/user/settings/notifications/email", { preference: "all" })).status).toBe(404);
  const mails = await mailsOf(() =>
    ok("POST", `${at}/issues`, dora, { title: "One\r\nBcc: eve@example.org\r\n\r\nx", body: "" }),
  );
  const own = mails.get("dora")?.[0];
  expect(own?.text).toContain("hat #1 eröffnet.");
  expect(own?.html).toContain('<html lang="de-DE">');
  expect(own?.headers.get("bcc")).toBeUndefined();
  expect(own?.to).toHaveLength(1);
});
