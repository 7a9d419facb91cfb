import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount, operator } from "../../src/access/principal.ts";
import { randomHex } from "../../src/kernel/ids.ts";
import { aServer, aSession, aToken, type CallOptions, call, type TestServer } from "../builders.ts";
import { aPerson, aSample, collaborate, type Person, type RepoSample } from "./world.ts";

/**
 * Generated test 4 (groups C and M): what a collaborator can do is recorded, then the access ends in each way there
 * is, and the same requests are sent again: gone at once, by the API, by pages and by git.
 */

let server: TestServer;
let admin: Person;
beforeAll(async () => {
  server = await aServer();
  admin = await aPerson(server, { login: "theadmin", isAdmin: true });
});
afterAll(() => server.close());

interface Scene {
  readonly sample: RepoSample;
  readonly friend: Person;
}

async function aScene(isPrivate: boolean): Promise<Scene> {
  const owner = await aPerson(server, { login: `o${randomHex(4)}` });
  const friend = await aPerson(server, { login: `f${randomHex(4)}` });
  const sample = await aSample(server, owner, { name: "thing", isPrivate });
  if (isPrivate) collaborate(server, sample, friend, "write");
  return { sample, friend };
}

type Door = "api" | "page" | "bytes" | "git";

/** What a writer does all day; each is asked once with their token, and at pages with their cookie. */
function requests({ sample }: Scene): { door: Door; method: string; path: string; body?: string; type?: string }[] {
  const web = `/${sample.owner.login}/${sample.repo.name}`;
  const api = `/api/v1/repos${web}`;
  const get = (door: Door, path: string) => ({ door, method: "GET", path });
  return [
    get("api", api),
    get("api", `${api}/contents`),
    get("api", `${api}/raw/README.md`),
    get("api", `${api}/commits`),
    get("api", `${api}/git/blobs/${sample.blob}`),
    get("api", `${api}/collaborators`),
    get("api", `/api/v1/repositories/${sample.repo.id}`),
    get("page", web),
    get("page", `${web}/src/branch/main/README.md`),
    get("page", `${web}/commits/branch/main`),
    get("page", `${web}/commit/${sample.commit}`),
    get("page", `${web}/branches`),
    get("bytes", `${web}/raw/branch/main/README.md`),
    get("bytes", `${web}/raw/blob/${sample.blob}`),
    get("git", `${web}/info/refs?service=git-upload-pack`),
    get("git", `${web}/info/refs`),
    get("git", `${web}/HEAD`),
    {
      door: "git",
      method: "POST",
      path: `${web}/git-upload-pack`,
      type: "application/x-git-upload-pack-request",
      body: `0032want ${sample.commit}\n00000009done\n`,
    },
  ];
}

const pushRequest = ({ sample }: Scene) => ({
  door: "git" as const,
  method: "GET",
  path: `/${sample.owner.login}/${sample.repo.name}/info/refs?service=git-receive-pack`,
});

async function statuses(scene: Scene, who: { token?: string; cookie?: string }, withPush = true): Promise<number[]> {
  const list = [...requests(scene), ...(withPush ? [pushRequest(scene)] : [])];
  return Promise.all(
    list.map(async (wanted) => {
      const options: CallOptions = {
        ...("body" in wanted && wanted.body
          ? { body: wanted.body, headers: { "content-type": wanted.type ?? "" } }
          : {}),
      };
      const usesCookie = wanted.door === "page" || (wanted.door === "bytes" && who.cookie !== undefined);
      if (usesCookie && who.cookie === undefined) return 0;
      if (!usesCookie && who.token === undefined) return 0;
      const answer = await call<unknown>(server, wanted.method, wanted.path, {
        ...options,
        ...(usesCookie ? { cookie: who.cookie ?? "" } : { token: who.token }),
      });
      if (answer.text.includes("not our ref")) return 404;
      return answer.status;
    }),
  );
}

const collaborators = () => server.services.collaborators;
const seenBy = ({ sample }: Scene) =>
  server.services.repos.see(asAccount(sample.owner.user), sample.owner.login, sample.repo.name, () => "");

/** Ways to end the access to a private repository. */
const ways: Record<string, (scene: Scene) => Promise<unknown> | unknown> = {
  "the collaborator is removed": (scene) => collaborators().remove(seenBy(scene), scene.friend.user),
  "he is removed by the page": (scene) =>
    call(server, "POST", `/${scene.sample.owner.login}/thing/settings/collaboration/delete`, {
      cookie: scene.sample.owner.cookie,
      body: `id=${scene.friend.user.id}&uid=${scene.friend.user.id}&collaborator=${scene.friend.login}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    }),
  "he is removed by the API": (scene) =>
    call(server, "DELETE", `/api/v1/repos/${scene.sample.owner.login}/thing/collaborators/${scene.friend.login}`, {
      token: scene.sample.owner.token,
    }),
  "the account is deactivated": ({ friend }) =>
    server.services.identity.edit(operator, friend.user, { isActive: false }),
  "the account is prohibited from signing in": ({ friend }) =>
    call(server, "PATCH", `/api/v1/admin/users/${friend.login}`, {
      token: admin.token,
      body: { source_id: 0, login_name: friend.login, prohibit_login: true },
    }),
  "the account must change its password": ({ friend }) =>
    server.services.identity.edit(operator, friend.user, { mustChangePassword: true }),
  "the account is deleted": ({ friend }) =>
    call(server, "DELETE", `/api/v1/admin/users/${friend.login}?purge=true`, { token: admin.token }),
  "the repository is deleted": ({ sample }) =>
    call(server, "DELETE", `/api/v1/repos/${sample.owner.login}/thing`, { token: sample.owner.token }),
  "the owner is deleted": ({ sample }) =>
    call(server, "DELETE", `/api/v1/admin/users/${sample.owner.login}?purge=true`, { token: admin.token }),
};

describe("M3, M6: access to a private repository ends at once when", () => {
  for (const [way, revoke] of Object.entries(ways))
    test(way, async () => {
      const scene = await aScene(true);
      const who = { token: scene.friend.token, cookie: scene.friend.cookie };
      const before = await statuses(scene, who);
      expect(before.every((status) => status === 200)).toBe(true);
      const answer = await revoke(scene);
      if (answer && typeof answer === "object" && "status" in answer) expect(Number(answer.status)).toBeLessThan(400);
      const after = await statuses(scene, who);
      const list = [...requests(scene), pushRequest(scene)];
      expect(list.filter((_, at) => (after[at] ?? 0) < 300).map(({ path }) => path)).toEqual([]);
      // Pages of a private repository are not found, or lead away to sign in or to a new password.
      for (const status of after) expect([303, 401, 403, 404]).toContain(status);
    });
});

/** Ways to end what a stranger sees of a public repository. */
const closings: Record<string, (scene: Scene) => Promise<unknown> | unknown> = {
  "becomes private": ({ sample }) =>
    call(server, "PATCH", `/api/v1/repos/${sample.owner.login}/thing`, {
      token: sample.owner.token,
      body: { private: true },
    }),
  "belongs to an account that hides itself": ({ sample }) =>
    server.services.identity.edit(operator, sample.owner.user, { visibility: "private" }),
};

describe("C3, C10: strangers lose a public repository at once when it", () => {
  for (const [way, close] of Object.entries(closings))
    test(way, async () => {
      const scene = await aScene(false);
      const who = { token: scene.friend.token, cookie: scene.friend.cookie };
      expect((await statuses(scene, who, false)).every((status) => status === 200)).toBe(true);
      await close(scene);
      const after = await statuses(scene, who, false);
      for (const status of after) expect([401, 404]).toContain(status);
      expect(server.services.repos.seeById(asAccount(scene.friend.user), scene.sample.repo.id)).toBeUndefined();
    });
});

test("M6: a restricted account keeps what it was given and loses what was open to all members", async () => {
  const scene = await aScene(false);
  await server.services.identity.edit(operator, scene.sample.owner.user, { visibility: "limited" });
  const who = { token: scene.friend.token, cookie: scene.friend.cookie };
  expect((await statuses(scene, who, false)).every((status) => status === 200)).toBe(true);
  await server.services.identity.edit(operator, scene.friend.user, { isRestricted: true });
  for (const status of await statuses(scene, who, false)) expect([401, 404]).toContain(status);
});

describe("writing ends at once when", () => {
  const writes = async ({ sample, friend }: Scene): Promise<number[]> => {
    const at = `/${sample.owner.login}/thing`;
    const api = await call(server, "POST", `/api/v1/repos${at}/contents/f${randomHex(4)}.txt`, {
      token: friend.token,
      body: { content: "eA==" },
    });
    const branch = await call(server, "POST", `/api/v1/repos${at}/branches`, {
      token: friend.token,
      body: { new_branch_name: `b${randomHex(4)}` },
    });
    const form = await call(server, "GET", `${at}/_cherrypick/${sample.commit}/main`, { cookie: friend.cookie });
    const page = await call(server, "POST", `${at}/_new/main`, {
      cookie: friend.cookie,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `tree_path=p${randomHex(4)}.txt&content=x&commit_choice=direct`,
    });
    // A deletion of a branch that is not there needs no pack.
    const zero = "0".repeat(40);
    const line = `${sample.commit} ${zero} refs/heads/dev\0report-status`;
    const push = await call<unknown>(server, "POST", `${at}/git-receive-pack`, {
      token: friend.token,
      headers: { "content-type": "application/x-git-receive-pack-request" },
      body: `${(line.length + 4).toString(16).padStart(4, "0")}${line}0000`,
    });
    const refused = push.status !== 200 || push.text.includes("ng refs/heads/dev");
    return [api.status, branch.status, form.status, page.status, refused ? 403 : 200];
  };
  const ends: Record<string, (scene: Scene) => Promise<unknown> | unknown> = {
    "the repository is archived": ({ sample }) =>
      call(server, "PATCH", `/api/v1/repos/${sample.owner.login}/thing`, {
        token: sample.owner.token,
        body: { archived: true },
      }),
    "the level is lowered": (scene) => collaborators().put(seenBy(scene), scene.friend.user, "read"),
    "he is removed from a public repository": (scene) => collaborators().remove(seenBy(scene), scene.friend.user),
  };
  for (const [way, end] of Object.entries(ends))
    test(way, async () => {
      const scene = await aScene(false);
      collaborate(server, scene.sample, scene.friend, "write");
      const { services } = server;
      const dev = () => services.refs.find(scene.sample.repo.id, "refs/heads/dev")?.oid;
      await end(scene);
      const after = await writes(scene);
      expect(after.every((status) => status >= 400)).toBe(true);
      expect(dev()).toBe(scene.sample.commit);
    });
  test("not before: a writer writes", async () => {
    const scene = await aScene(false);
    collaborate(server, scene.sample, scene.friend, "write");
    expect((await writes(scene)).every((status) => status < 400)).toBe(true);
  });
});

describe("credentials end at once", () => {
  test("M2: a deleted token, by API and page, everywhere", async () => {
    const scene = await aScene(true);
    const { friend } = scene;
    const paging = { page: 1, limit: 50, offset: 0 };
    for (const way of ["api", "page"] as const) {
      const secret = aToken(server, friend.user, ["all"]);
      const token = server.services.tokens
        .list(operator, friend.user, paging)
        .items.find((each) => secret.endsWith(each.lastEight));
      expect((await statuses(scene, { token: secret })).filter((status) => status !== 0 && status !== 200)).toEqual([]);
      const gone =
        way === "api"
          ? await call(server, "DELETE", `/api/v1/users/${friend.login}/tokens/${token?.id}`, {
              basic: [friend.login, friend.token],
            })
          : await call(server, "POST", "/user/settings/applications/delete", {
              cookie: friend.cookie,
              headers: { "content-type": "application/x-www-form-urlencoded" },
              body: `id=${token?.id}`,
            });
      expect(gone.status).toBeLessThan(400);
      for (const status of await statuses(scene, { token: secret })) expect([0, 401]).toContain(status);
    }
  });

  test("H6: other sessions when the password changes, the own one stays", async () => {
    const friend = await aPerson(server, { password: "the old password" });
    const other = await aSession(server, friend.user);
    const page = (cookie: string) => call(server, "GET", "/user/settings", { cookie });
    expect((await page(other)).status).toBe(200);
    const changed = await call(server, "POST", "/user/settings/account", {
      cookie: friend.cookie,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "old_password=the+old+password&password=the+new+password&retype=the+new+password",
    });
    expect(changed.status).toBe(303);
    expect([(await page(friend.cookie)).status, (await page(other)).status]).toEqual([200, 303]);
    const by = (password: string) => call<unknown>(server, "GET", "/api/v1/user", { basic: [friend.login, password] });
    expect([(await by("the old password")).status, (await by("the new password")).status]).toEqual([401, 200]);
  });

  test("H6: every session when an administrator sets the password", async () => {
    const friend = await aPerson(server, { password: "the old password" });
    await call(server, "PATCH", `/api/v1/admin/users/${friend.login}`, {
      token: admin.token,
      body: { source_id: 0, login_name: friend.login, password: "the new password", must_change_password: false },
    });
    expect((await call(server, "GET", "/user/settings", { cookie: friend.cookie })).status).toBe(303);
  });

  test("H23: a session that was signed out, and one that was revoked from the list", async () => {
    const friend = await aPerson(server);
    const post = (path: string, cookie: string, body: string) =>
      call(server, "POST", path, { cookie, body, headers: { "content-type": "application/x-www-form-urlencoded" } });
    const page = (cookie: string) => call(server, "GET", "/user/settings", { cookie });
    const [gone, revoked] = [await aSession(server, friend.user), await aSession(server, friend.user)];
    await post("/user/logout", gone, "");
    expect((await page(gone)).status).toBe(303);
    const list = server.services.sessions.list(operator, friend.user.id);
    expect(list).toHaveLength(2);
    await post("/user/settings/security/sessions/revoke", friend.cookie, "id=others");
    expect([(await page(revoked)).status, (await page(friend.cookie)).status]).toEqual([303, 200]);
  });

  test("A14: site administration, when it is taken away", async () => {
    const helper = await aPerson(server, { isAdmin: true });
    const scene = await aScene(true);
    const asks = () =>
      Promise.all([
        call(server, "GET", "/api/v1/admin/users", { token: helper.token }),
        call(server, "GET", "/-/admin/users", { cookie: helper.cookie }),
        call(server, "GET", `/api/v1/user?sudo=${scene.friend.login}`, { token: helper.token }),
        call(server, "GET", `/api/v1/repos/${scene.sample.owner.login}/thing`, { token: helper.token }),
      ]);
    expect((await asks()).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await server.services.identity.edit(operator, helper.user, { isAdmin: false });
    expect((await asks()).map(({ status }) => status)).toEqual([403, 403, 403, 404]);
  });
});

describe("M3: a push that is under way is refused when meanwhile", () => {
  const ends: Record<string, (scene: Scene) => Promise<unknown> | unknown> = {
    "he is removed": (scene) => collaborators().remove(seenBy(scene), scene.friend.user),
    "his level is lowered": (scene) => collaborators().put(seenBy(scene), scene.friend.user, "read"),
    "his account is deactivated": ({ friend }) =>
      server.services.identity.edit(operator, friend.user, { isActive: false }),
    "his token is deleted": ({ friend }) => {
      for (const { id } of server.services.tokens.list(operator, friend.user, { page: 1, limit: 9, offset: 0 }).items)
        server.services.tokens.remove(operator, friend.user, String(id));
    },
    "the repository is archived": (scene) => server.services.repos.edit(seenBy(scene), { isArchived: true }),
  };
  const push = async (scene: Scene, meanwhile: () => unknown): Promise<string> => {
    const { sample, friend } = scene;
    const line = `${sample.commit} ${"0".repeat(40)} refs/heads/dev\0report-status`;
    let go = () => {};
    const waits = new Promise<void>((resolve) => {
      go = resolve;
    });
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from((line.length + 4).toString(16).padStart(4, "0") + line)),
      pull: async (controller) => {
        await waits;
        controller.enqueue(Buffer.from("0000"));
        controller.close();
      },
    });
    const reached = new Promise<void>((resolve) => {
      const before = server.services.pushes.receive;
      server.services.pushes.receive = function (...given) {
        server.services.pushes.receive = before;
        resolve();
        return before.apply(this, given);
      };
    });
    const answer = fetch(`${server.url}${sample.owner.login}/thing/git-receive-pack`, {
      method: "POST",
      headers: { authorization: `token ${friend.token}`, "content-type": "application/x-git-receive-pack-request" },
      body,
    });
    await reached;
    await meanwhile();
    go();
    return (await answer).text();
  };
  for (const [way, end] of Object.entries(ends))
    test(way, async () => {
      const scene = await aScene(true);
      expect(await push(scene, () => end(scene))).toContain("ng refs/heads/dev");
      expect(server.services.refs.find(scene.sample.repo.id, "refs/heads/dev")?.oid).toBe(scene.sample.commit);
    });
  test("nothing else: then it is taken", async () => {
    const scene = await aScene(true);
    expect(await push(scene, () => {})).toContain("ok refs/heads/dev");
    expect(server.services.refs.find(scene.sample.repo.id, "refs/heads/dev")).toBeUndefined();
  });
});

describe("B12: a stream of live events ends when the listener may not listen any more:", () => {
  const ends: Record<string, (scene: Scene) => Promise<unknown> | unknown> = {
    removed: (scene) => collaborators().remove(seenBy(scene), scene.friend.user),
    deactivated: ({ friend }) => server.services.identity.edit(operator, friend.user, { isActive: false }),
    "signed out": ({ friend }) => server.services.sessions.closeAllOf(friend.user.id),
    deleted: ({ friend }) => server.services.admin.deleteUser(asAccount(admin.user), friend.user, { purge: true }),
    "the repository's owner goes": ({ sample }) =>
      server.services.admin.deleteUser(asAccount(admin.user), sample.owner.user, { purge: true }),
  };
  for (const [way, end] of Object.entries(ends))
    test(way, async () => {
      const scene = await aScene(true);
      const topic = `repo:${scene.sample.repo.id}`;
      const answer = await fetch(`${server.url}${scene.sample.owner.login}/thing/-/events`, {
        headers: { cookie: scene.friend.cookie },
      });
      expect(answer.status).toBe(200);
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      expect((await reader?.read())?.value).toContain("listening");
      server.services.live.publish(topic, { event: "before", data: "1" });
      expect((await reader?.read())?.value).toContain("before");
      await end(scene);
      server.services.live.publish(topic, { event: "after", data: "secret" });
      let rest = "";
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) rest += part.value;
      expect(rest).not.toContain("secret");
      expect(server.services.live.hasListeners(topic)).toBe(false);
    });
});

test("L19, M1: a new account under the name of a deleted one inherits nothing", async () => {
  const scene = await aScene(true);
  const { friend } = scene;
  await call(server, "DELETE", `/api/v1/admin/users/${friend.login}?purge=true`, { token: admin.token });
  const heir = await aPerson(server, { login: friend.login });
  expect(heir.user.id).not.toBe(friend.user.id);
  const after = await statuses(scene, { token: heir.token, cookie: heir.cookie });
  for (const status of after) expect([401, 404]).toContain(status);
  expect((await call(server, "GET", "/api/v1/user", { token: friend.token })).status).toBe(401);
});
