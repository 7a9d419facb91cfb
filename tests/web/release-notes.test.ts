import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import { anApi, aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../builders.ts";
import { anSmtpSink, mailsTo, type SmtpSink } from "../smtp-sink.ts";
import { aPageOf, type Visitor } from "./browser-calls.ts";

/** What a release says of itself: notes made from what was merged, and mails to those who watch. */

let sink: SmtpSink;
let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let asAda: Visitor;
let asBob: Visitor;
const api = anApi(() => server);

beforeAll(async () => {
  sink = anSmtpSink();
  server = await aServer(mailsTo(sink));
  [ada, bob] = await Promise.all([aUser(server, { login: "ada" }), aUser(server, { login: "bob" })]);
  [asAda, asBob] = [await aPageOf(server, ada.user), await aPageOf(server, bob.user)];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  sink.close();
  expect(errors).toEqual([]);
});

let made = 0;
function aPlace(isPrivate = false): string {
  return aRepo(server, ada.user, { name: `notes${++made}`, isPrivate, files: { "a.md": "a\n" } }).name;
}

async function merged(name: string, who: TestUser, title: string, style: string): Promise<number> {
  const at = `/repos/ada/${name}`;
  const branch = title.toLowerCase().replaceAll(/\W+/g, "-");
  const change = { content: "eA==", branch: "main", new_branch: branch, message: `commit of ${title}` };
  expect((await api("POST", `${at}/contents/${branch}.txt`, who, change)).status).toBe(201);
  const pull = await api<{ number: number }>("POST", `${at}/pulls`, who, { title, head: branch, base: "main" });
  expect((await api("POST", `${at}/pulls/${pull.body.number}/merge`, ada, { do: style })).status).toBe(200);
  return pull.body.number;
}

const release = (name: string, body: object) => api("POST", `/repos/ada/${name}/releases`, ada, body);

test("notes name what was merged since the release before, and who is new", async () => {
  const name = aPlace();
  await api("PUT", `/repos/ada/${name}/collaborators/bob`, ada, { permission: "write" });
  await merged(name, ada, "Before", "merge");
  expect((await release(name, { tag_name: "v1" })).status).toBe(201);
  const first = await merged(name, ada, "Add <b>this</b>", "squash");
  const second = await merged(name, bob, "Mend that", "rebase");
  const pulls = `${server.url}ada/${name}/pulls`;
  const notes = [
    "## What’s changed",
    `* Add <b>this</b> by @ada in ${pulls}/${first}\n* Mend that by @bob in ${pulls}/${second}`,
    "## New contributors",
    `* @bob made their first contribution in ${pulls}/${second}`,
    `**All changes**: ${server.url}ada/${name}/compare/v1...v2\n`,
  ].join("\n\n");
  const path = `/ada/${name}/releases/generate-notes`;
  const asked = (fields: Record<string, string>, accept: string) => asAda.post(path, fields, { accept });
  const answer = await asked({ tag_name: "v2", tag_target: "main" }, "application/json");
  expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { content: notes }]);
  // Without a script the form comes back, with what was typed.
  const typed = { tag_name: "v2", tag_target: "main", title: "Two", content: "Mine", editing: "" };
  const page = await asked(typed, "text/html");
  expect(page.status).toBe(200);
  for (const part of ["Mine\n\n## What’s changed", 'value="Two"', "Mend that by @bob"])
    expect(page.text).toContain(part);

  const wrong = await asked({ tag_name: "v2", previous_tag: "v0" }, "application/json");
  expect([wrong.status, JSON.parse(wrong.text)]).toEqual([400, { errorMessage: "There is no tag v0." }]);
  expect((await asked({ tag_name: "v2", tag_target: "nowhere" }, "text/html")).status).toBe(422);
  expect((await asBob.post(`/ada/${aPlace(true)}/releases/generate-notes`, { tag_name: "v1" })).status).toBe(404);
});

test("where nothing was merged notes name commits", async () => {
  const name = aPlace();
  const change = { content: "eA==", branch: "main", message: "Say more\n\nand why" };
  const { body } = await api<{ commit: { sha: string } }>("POST", `/repos/ada/${name}/contents/b.txt`, ada, change);
  const answer = await asAda.post(`/ada/${name}/releases/generate-notes`, { tag_name: "v1" }, { accept: "*/*" });
  expect(JSON.parse(answer.text).content).toContain(`* Say more (${body.commit.sha.slice(0, 10)})\n* First commit (`);
});

test("who watches is mailed of a release once it is one, if they may read it", async () => {
  const name = aPlace();
  const mailsOf = async (work: () => Promise<unknown>) => {
    await settled(server);
    const before = sink.mails.length;
    await work();
    await settled(server);
    return sink.mails.slice(before);
  };
  await api("PUT", `/repos/ada/${name}/subscription`, bob);
  const draft = { tag_name: "v1.0", name: "One", body: "**Big** [news](/x)", draft: true };
  const { body } = await api<{ id: number }>("POST", `/repos/ada/${name}/releases`, ada, draft);
  const quiet = await mailsOf(() => release(name, { tag_name: "v0.9", prerelease: true }));
  expect(quiet).toEqual([]);
  const publish = () => api("PATCH", `/repos/ada/${name}/releases/${body.id}`, ada, { draft: false });
  const [mail, ...others] = await mailsOf(publish);
  expect([others.length, mail?.to, mail?.headers.get("subject")]).toEqual([0, [bob.user.email], `[ada/${name}] One`]);
  expect(mail?.headers.get("list-id")).toStartWith(`ada/${name} <`);
  for (const part of [
    `ada published v1.0 of ada/${name}.`,
    `${server.url}ada/${name}/releases/tag/v1.0`,
    "v1.0.tar.gz",
  ])
    expect(mail?.text).toContain(part);
  expect(mail?.html).toContain("<strong>Big</strong>");
  expect(mail?.html).toContain(`href="${server.url}ada/${name}/x"`);
  // An edit is no news.
  expect(await mailsOf(() => api("PATCH", `/repos/ada/${name}/releases/${body.id}`, ada, { name: "Uno" }))).toEqual([]);
  server.services.mailPreferences.set(asAccount(bob.user), "disabled");
  expect(await mailsOf(() => release(name, { tag_name: "v2" }))).toEqual([]);
  server.services.mailPreferences.set(asAccount(bob.user), "enabled");
  await api("PATCH", `/repos/ada/${name}`, ada, { private: true });
  expect(await mailsOf(() => release(name, { tag_name: "v3" }))).toEqual([]);
});
