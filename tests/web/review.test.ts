import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aSession, aUser, call, type TestServer, type TestUser } from "../builders.ts";

/** Reviewing on the pages of a pull request, as browsers without JavaScript do, and as its script asks. */

let server: TestServer;
let ada: TestUser;
let grace: TestUser;
const cookies = new Map<string, string>();

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  grace = await aUser(server, { login: "grace" });
  for (const { user } of [ada, grace]) cookies.set(user.login, await aSession(server, user));
});
afterAll(() => server.close());

const cookieOf = (who: TestUser) => cookies.get(who.login) ?? "";
const page = async (path: string, who?: TestUser) =>
  (await call(server, "GET", path, who ? { cookie: cookieOf(who) } : {})).text;
const send = (path: string, who: TestUser, fields: Readonly<Record<string, string>>) =>
  call(server, "POST", path, {
    cookie: cookieOf(who),
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });

/** What the next page would say: the message the answer left in its cookie. */
function said(answer: { headers: Headers }): string {
  const kept = /hearth_flash=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] ?? "";
  return Buffer.from(kept, "base64url").toString();
}

const lines = (from: number, until: number) => Array.from({ length: until - from + 1 }, (_, at) => `line ${from + at}`);
const textOf = (all: readonly string[]) => `${all.join("\n")}\n`;

interface Change {
  readonly path: string;
  readonly text: string;
}

/** One commit on a branch; the branch is made where it is not there. */
async function commit(repo: string, branch: string, changes: readonly Change[], message = "Change"): Promise<string> {
  const present = await call(server, "GET", `/api/v1/repos/ada/${repo}/branches/${branch}`, { token: ada.token });
  const on = present.status === 200 ? { branch } : { branch: "main", new_branch: branch };
  const files = await Promise.all(
    changes.map(async ({ path, text }) => {
      const at = `/api/v1/repos/ada/${repo}/contents/${path}?ref=${on.branch}`;
      const { body: found, status } = await call<{ sha?: string }>(server, "GET", at, { token: ada.token });
      const content = Buffer.from(text).toString("base64");
      return status === 200
        ? { operation: "update", path, content, sha: found.sha }
        : { operation: "create", path, content };
    }),
  );
  const made = await call<{ commit: { sha: string } }>(server, "POST", `/api/v1/repos/ada/${repo}/contents`, {
    token: ada.token,
    body: { ...on, files, message },
  });
  expect(made.status).toBe(201);
  return made.body.commit.sha;
}

/** A pull request of ada's that changes line 10 of twenty, and adds a file. @returns its address */
async function aPull(name: string): Promise<string> {
  aRepo(server, ada.user, { name, files: { "a.txt": textOf(lines(1, 20)), "c.txt": "c\n" } });
  const text = textOf([...lines(1, 9), "ten", ...lines(11, 20)]);
  await commit(name, "topic", [
    { path: "a.txt", text },
    { path: "b.txt", text: "b\n" },
  ]);
  const made = await call(server, "POST", `/api/v1/repos/ada/${name}/pulls`, {
    token: ada.token,
    body: { title: "Ten", head: "topic", base: "main" },
  });
  expect(made.status).toBe(201);
  return `/ada/${name}/pulls/1`;
}

const onLine = (line: number, content: string, more: Readonly<Record<string, string>> = {}) => ({
  path: "a.txt",
  side: "proposed",
  line: String(line),
  content,
  ...more,
});

test("a review is begun with comments on a line, lines and a file, and sent with a verdict; others see nothing before", async () => {
  const at = await aPull("begun");
  const form = await page(`${at}/files?path=a.txt&comment=R10`, grace);
  expect(form).toContain('action="/ada/begun/pulls/1/files/reviews/comments"');
  expect(form).toContain('name="line" value="10"');
  await send(`${at}/files/reviews/comments`, grace, onLine(10, "Why **ten**?"));
  await send(`${at}/files/reviews/comments`, grace, onLine(12, "These three", { start_line: "10" }));
  await send(`${at}/files/reviews/comments`, grace, onLine(0, "All of it"));
  const own = await page(`${at}/files`, grace);
  for (const text of ["<strong>ten</strong>", "These three", "lines 10 to 12", "All of it", "3 comments are not sent"])
    expect(own).toContain(text);
  expect(await page(`${at}/files`, ada)).not.toContain("These three");
  expect(await page(at, ada)).not.toContain("All of it");
  expect(said(await send(`${at}/files/reviews/submit`, grace, { type: "reject", content: "" }))).toContain(
    "Say what should change",
  );
  await send(`${at}/files/reviews/submit`, grace, { type: "reject", content: "Not yet" });
  const talk = await page(at, ada);
  for (const text of ["Not yet", "<strong>ten</strong>", "These three", "on the whole file", "+ten"])
    expect(talk).toContain(text);
  expect(await page(`${at}/files`, ada)).toContain("These three");
});

test("a pending review is discarded with its comments; a single comment is sent at once", async () => {
  const at = await aPull("discarded");
  await send(`${at}/files/reviews/comments`, grace, onLine(10, "Never mind"));
  await send(`${at}/files/reviews/discard`, grace, {});
  expect(await page(`${at}/files`, grace)).not.toContain("Never mind");
  await send(`${at}/files/reviews/comments`, grace, onLine(10, "At once", { single_review: "true" }));
  expect(await page(at)).toContain("At once");
});

test("comments follow their lines over pushes, and are outdated once those are gone", async () => {
  const at = await aPull("followed");
  for (const [line, text] of [
    [10, "About ten"],
    [15, "About fifteen"],
  ] as const)
    await send(`${at}/files/reviews/comments`, grace, onLine(line, text, { single_review: "true" }));
  await announced(() =>
    commit("followed", "topic", [
      {
        path: "a.txt",
        text: textOf(["zero", "zero", ...lines(1, 9), "ten", ...lines(11, 14), "fünfzehn", ...lines(16, 20)]),
      },
    ]),
  );
  const reviews = await call<{ id: number }[]>(server, "GET", "/api/v1/repos/ada/followed/pulls/1/reviews", {
    token: ada.token,
  });
  const places = await Promise.all(
    reviews.body.map(({ id }) =>
      call<{ position: number }[]>(server, "GET", `/api/v1/repos/ada/followed/pulls/1/reviews/${id}/comments`, {
        token: ada.token,
      }),
    ),
  );
  expect(places.map(({ body }) => body[0]?.position)).toEqual([12, 15]);
  const files = await page(`${at}/files`, ada);
  expect(files).toContain("About ten");
  expect(files).not.toContain("About fifteen");
  expect(files).toContain("Show outdated comments");
  expect(await page(`${at}/files?show-outdated=true`, ada)).toContain("About fifteen");
  expect(await page(at, ada)).toContain("Outdated");
});

/** Does what pushes to a pull request, and waits until its comments have followed. */
async function announced<T>(push: () => Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.core.outbox.listen(({ kind }) => {
    if (kind === "pull.synchronized") resolve();
  });
  const made = await push();
  await promise;
  return made;
}

test("files are marked as viewed until their content changes", async () => {
  const at = await aPull("viewed");
  const json = (body: unknown) =>
    call(server, "POST", `${at}/viewed-files`, {
      cookie: cookieOf(grace),
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect((await json({ files: { "a.txt": true, "none.txt": true } })).status).toBe(200);
  for (const bad of [{}, { files: [] }, { files: { "a.txt": 1 } }, { files: { "a.txt": true }, headCommitSHA: "x" }])
    expect([bad, (await json(bad)).status]).toEqual([bad, 400]);
  expect(await page(`${at}/files`, grace)).toContain("1 of 2 files viewed");
  expect(await page(`${at}/files`, ada)).toContain("0 of 2 files viewed");
  await send(`${at.replace("/pulls/", "/issues/")}/viewed-files`, grace, { viewed: "b.txt" });
  expect(await page(`${at}/files`, grace)).toContain("2 of 2 files viewed");
  await commit("viewed", "topic", [{ path: "b.txt", text: "other\n" }]);
  const after = await page(`${at}/files`, grace);
  expect(after).toContain("1 of 2 files viewed");
  expect(after).toContain("Changed since you viewed it");
  await send(`${at}/viewed-files`, grace, { unviewed: "a.txt" });
  expect(await page(`${at}/files`, grace)).toContain("0 of 2 files viewed");
});

test("suggestions are applied as one commit of all that are chosen, with their authors; what does not fit is refused", async () => {
  const at = await aPull("suggested");
  const suggest = (line: number, text: string, more = {}) =>
    send(`${at}/files/reviews/comments`, grace, onLine(line, `Better:\n\`\`\`suggestion\n${text}\n\`\`\``, more));
  await suggest(10, "TEN");
  await suggest(13, "TWELVE", { start_line: "12" });
  await suggest(12, "twelve");
  await send(`${at}/files/reviews/submit`, grace, { type: "comment", content: "" });
  const shown = await page(`${at}/files`, ada);
  const names = [...shown.matchAll(/name="only" value="(\d+\.0)"/g)].map(([, name]) => name ?? "");
  expect(names).toHaveLength(3);
  expect(shown).toContain("<ins>+TEN</ins>");
  expect(await page(`${at}/files`, grace)).not.toContain('name="only"');
  const [ten = "", twelve = "", both = ""] = names;
  const apply = (who: TestUser, ...chosen: string[]) => {
    const body = new URLSearchParams(chosen.map((name) => ["suggestion", name]));
    return call(server, "POST", `${at}/suggestions`, {
      cookie: cookieOf(who),
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: body.toString(),
    });
  };
  expect(said(await apply(grace, ten))).toContain("cannot write to the branch");
  expect(said(await apply(ada))).toContain("Choose a suggestion");
  expect(said(await apply(ada, twelve, both))).toContain("Two suggestions replace");
  expect(said(await apply(ada, ten, both))).toContain("2 suggestions were applied");
  const file = await call(server, "GET", "/api/v1/repos/ada/suggested/raw/a.txt?ref=topic", { token: ada.token });
  expect(file.text).toBe(textOf([...lines(1, 9), "TEN", "line 11", "TWELVE", ...lines(14, 20)]));
  const [head] = (
    await call<{ commit: { message: string; author: { name: string } } }[]>(
      server,
      "GET",
      "/api/v1/repos/ada/suggested/commits?sha=topic&limit=1",
      { token: ada.token },
    )
  ).body;
  expect(head?.commit.message).toMatch(/^Apply suggestions from code review\n\nCo-authored-by: .*grace/i);
  expect(said(await apply(ada, twelve))).toContain("does not fit any more");
  expect(await page(at, ada)).toContain("Resolved by ada");
});

test("part of the changes is shown: since the last review, one commit, a range; only commits that may be shown", async () => {
  const at = await aPull("parts");
  await send(`${at}/files/reviews/submit`, grace, { type: "approve", content: "" });
  expect(await page(`${at}/files`, grace)).not.toContain("Since your last review");
  const next = await commit("parts", "topic", [{ path: "c.txt", text: "changed\n" }], "Change c");
  const files = await page(`${at}/files`, grace);
  const since = /href="([^"]+)"[^>]*>Since your last review/.exec(files)?.[1] ?? "";
  expect(since).toEndWith(`..${next}`);
  const part = await page(since, grace);
  expect(part).toContain("changed");
  expect(part).toContain("Only the changes from");
  expect(part).not.toContain(">b.txt");
  expect(await page(`${at}/commits/${next}`, grace)).toContain("c.txt");
  const unknown = "0123456789012345678901234567890123456789";
  for (const sub of [`files/${unknown}..${next}`, `commits/${unknown}`, `range-diff/${unknown}..${next}`, "files/x..y"])
    expect([sub, (await call(server, "GET", `${at}/${sub}`, {})).status]).toEqual([sub, 404]);
});

test("files that come with comments on lines, replies and reviews stay with them", async () => {
  const at = await aPull("filed");
  const upload = async () => {
    const form = new FormData();
    form.append("file", new Blob(["bytes"]), "log.txt");
    const answer = await fetch(new URL("/ada/filed/issues/attachments", server.url), {
      method: "POST",
      body: form,
      headers: { cookie: cookieOf(grace), "sec-fetch-site": "same-origin" },
    });
    return ((await answer.json()) as { uuid: string }).uuid;
  };
  const [onLine, inReply, inReview] = [await upload(), await upload(), await upload()];
  const place = { path: "a.txt", side: "proposed", line: "10" };
  const text = (uuid: string) => ({ content: `see /attachments/${uuid}`, files: uuid });
  const one = await send(`${at}/files/reviews/comments`, grace, { ...place, single_review: "true", ...text(onLine) });
  expect(one.status).toBe(303);
  const id = /issuecomment-(\d+)/.exec(one.headers.get("location") ?? "")?.[1] ?? "";
  expect((await send(`${at}/replies`, grace, { comment_id: id, ...text(inReply) })).status).toBe(303);
  const verdict = { type: "comment", ...text(inReview) };
  expect((await send(`${at}/files/reviews/submit`, grace, verdict)).status).toBe(303);
  const linked = server.core.db
    .query<{ uuid: string; kind: string }>(
      `SELECT attachments.uuid, timeline.kind FROM attachments
       JOIN timeline ON timeline.id = attachments.entry_id ORDER BY attachments.id`,
    )
    .all();
  expect(linked).toEqual([
    { uuid: onLine, kind: "code" },
    { uuid: inReply, kind: "code" },
    { uuid: inReview, kind: "review" },
  ]);
  const others = await send(`${at}/replies`, ada, { comment_id: id, content: "mine", files: await upload() });
  expect(said(others)).toContain("file");
  expect((await page(at)).match(/mine/)).toBeNull();
});
