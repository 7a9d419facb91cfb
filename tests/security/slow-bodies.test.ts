import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount, operator } from "../../src/access/principal.ts";
import { randomHex } from "../../src/kernel/ids.ts";
import { aServer, call, type TestServer } from "../builders.ts";
import { aPerson, aSample, collaborate, type Person, type RepoSample } from "./world.ts";

/**
 * Rules M3 and B12: a request is decided again when the whole of its body is there. Whoever began a hundred of them while
 * they had the right, and held back their last byte, would otherwise keep that right for as long as a body may take.
 */

let server: TestServer;
let admin: Person;

beforeAll(async () => {
  server = await aServer({ registration: "open" });
  admin = await aPerson(server, { isAdmin: true });
});
afterAll(() => server.close());

interface Scene {
  readonly sample: RepoSample;
  readonly friend: Person;
}

async function aScene(): Promise<Scene> {
  const owner = await aPerson(server, { login: `o${randomHex(4)}` });
  const friend = await aPerson(server, { login: `f${randomHex(4)}` });
  const sample = await aSample(server, owner, { name: "thing", isPrivate: true });
  collaborate(server, sample, friend, "admin");
  return { sample, friend };
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Sends all but the last byte of the body, and that once `meanwhile` is done. */
async function slowly({ body, ...sent }: Sent, meanwhile: () => unknown): Promise<{ status: number; text: string }> {
  const { promise: isDone, resolve: done } = Promise.withResolvers<void>();
  const { promise: wasKnown, resolve: known } = Promise.withResolvers<void>();
  const { authenticator } = server.services;
  const identify = authenticator.identify;
  authenticator.identify = async function (...given) {
    authenticator.identify = identify;
    const found = await identify.apply(this, given);
    setImmediate(known);
    return found;
  };
  const answer = fetch(new URL(sent.path, server.url), {
    method: sent.method,
    headers: sent.headers,
    redirect: "manual",
    body: new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(body.slice(0, -1))),
      pull: async (controller) => {
        await isDone;
        controller.enqueue(Buffer.from(body.slice(-1)));
        controller.close();
      },
    }),
  });
  await wasKnown;
  await meanwhile();
  done();
  const { status } = await answer;
  return { status, text: await (await answer).text() };
}

const json = (who: Person, method: string, path: string, body: object): Sent => ({
  method,
  path,
  headers: { authorization: `Bearer ${who.token}`, "content-type": "application/json" },
  body: JSON.stringify(body),
});

const form = (who: Person, path: string, fields: Record<string, string>): Sent => ({
  method: "POST",
  path,
  headers: {
    cookie: who.cookie,
    "sec-fetch-site": "same-origin",
    "content-type": "application/x-www-form-urlencoded",
  },
  body: new URLSearchParams(fields).toString(),
});

const file = (headers: Record<string, string>, path: string, field: string): Sent => ({
  method: "POST",
  path,
  headers: { ...headers, "content-type": "multipart/form-data; boundary=x" },
  body: `--x\r\ncontent-disposition: form-data; name="${field}"; filename="late.txt"\r\n\r\nlate\r\n--x--\r\n`,
});

const requests: Record<string, (scene: Scene) => Sent> = {
  "an edit": ({ friend, sample }) => json(friend, "PATCH", `/api/v1/repos/${sample.at}/thing`, { description: "late" }),
  "a deploy key": ({ friend, sample }) =>
    json(friend, "POST", `/api/v1/repos/${sample.at}/thing/keys`, {
      title: "late",
      key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIVjUl8cX0cJu0T6bCKzz4jP8gJ9oTNqFzVOoTu5S3h2",
    }),
  "a collaborator": ({ friend, sample }) =>
    json(friend, "PUT", `/api/v1/repos/${sample.at}/thing/collaborators/${admin.login}`, { permission: "admin" }),
  "a comment": ({ friend, sample }) =>
    json(friend, "POST", `/api/v1/repos/${sample.at}/thing/issues/1/comments`, { body: "late" }),
  "a question whose answer is private": ({ friend, sample }) =>
    json(friend, "POST", `/api/v1/repos/${sample.at}/thing/file-contents`, { files: ["README.md"] }),
  "a file of a release": ({ friend, sample }) =>
    file(
      { authorization: `Bearer ${friend.token}` },
      `/api/v1/repos/${sample.at}/thing/releases/${sample.release}/assets?name=late.txt`,
      "attachment",
    ),
  "a form": ({ friend, sample }) =>
    form(friend, `/${sample.at}/thing/settings`, { action: "update", repo_name: "thing", description: "late" }),
  "a file in a form": ({ friend, sample }) =>
    file({ cookie: friend.cookie, "sec-fetch-site": "same-origin" }, `/${sample.at}/thing/issues/attachments`, "file"),
  "a lock of a large file": ({ friend, sample }) => ({
    method: "POST",
    path: `/${sample.at}/thing.git/info/lfs/locks`,
    headers: {
      authorization: `Basic ${btoa(`${friend.login}:${friend.token}`)}`,
      accept: "application/vnd.git-lfs+json",
      "content-type": "application/vnd.git-lfs+json",
    },
    body: JSON.stringify({ path: "late.bin" }),
  }),
};

const collaborators = () => server.services.collaborators;
const seenBy = ({ sample }: Scene) =>
  server.services.repos.see(asAccount(sample.owner.user), sample.at, "thing", () => "");

const ends: Record<string, (scene: Scene) => unknown> = {
  "the collaborator is removed": (scene) => collaborators().remove(seenBy(scene), scene.friend.user),
  "their level is lowered": (scene) => collaborators().put(seenBy(scene), scene.friend.user, "read"),
  "their account is switched off": ({ friend }) =>
    server.services.identity.edit(operator, friend.user, { prohibitLogin: true }),
  "their credentials are deleted": ({ friend }) => {
    const { sessions, tokens } = server.services;
    for (const { id } of tokens.list(operator, friend.user, { page: 1, limit: 9, offset: 0 }).items)
      tokens.remove(operator, friend.user, String(id));
    sessions.closeAllOf(friend.user.id);
  },
  "the repository is archived": (scene) => server.services.repos.edit(seenBy(scene), { isArchived: true }),
  "the repository is deleted": ({ sample }) =>
    call(server, "DELETE", `/api/v1/repos/${sample.at}/thing`, { token: sample.owner.token }),
};

describe("a request whose body ends late is refused when meanwhile", () => {
  for (const [way, end] of Object.entries(ends))
    test(way, async () => {
      const wrong: string[] = [];
      for (const [what, make] of Object.entries(requests)) {
        const scene = await aScene();
        const { status } = await slowly(make(scene), () => end(scene));
        if (![401, 403, 404, 409, 423].includes(status)) wrong.push(`${what}: ${status}`);
      }
      expect(wrong).toEqual([]);
    });

  test("nothing else, whatever others change: then it is done", async () => {
    const wrong: string[] = [];
    for (const [what, make] of Object.entries(requests)) {
      const scene = await aScene();
      const { status, text } = await slowly(make(scene), () =>
        call(server, "POST", `/api/v1/repos/${scene.sample.at}/thing/issues`, {
          token: scene.sample.owner.token,
          body: { title: "Meanwhile" },
        }),
      );
      if (status >= 400) wrong.push(`${what}: ${status} ${text}`);
    }
    expect(wrong).toEqual([]);
  });
});

test("an administrator who is none any more acts as nobody, and changes no one's account", async () => {
  for (const path of [`/api/v1/user/settings?sudo=${admin.login}`, "/api/v1/admin/users"]) {
    const former = await aPerson(server, { isAdmin: true });
    const body = { description: "late", username: "late", email: "late@example.org", password: "a long password" };
    const sent = json(former, path.includes("settings") ? "PATCH" : "POST", path, body);
    const demote = () => server.services.identity.edit(operator, former.user, { isAdmin: false });
    expect([path, (await slowly(sent, demote)).status]).toEqual([path, 403]);
  }
});

test("a repository that got another name is asked for under it", async () => {
  const scene = await aScene();
  const sent = json(scene.friend, "POST", `/api/v1/repos/${scene.sample.at}/thing/labels`, {
    name: "late",
    color: "00aabb",
  });
  const answer = await slowly(sent, () => server.services.repos.edit(seenBy(scene), { name: "other" }));
  expect([answer.status, answer.text]).toEqual([409, expect.stringContaining("changed meanwhile, try again")]);
});
