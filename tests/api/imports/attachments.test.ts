import { expect, test } from "bun:test";
import { anApi, aRepo, call, type Json } from "../../builders.ts";
import type { Shown } from "../mirrors/shown.ts";
import { aForge, twoServers } from "./forge.ts";

/** Files of issues, pull requests and comments come with them, one at a time. */

const servers = twoServers({ "attachments.max_size_mib": 1 });
const askHere = anApi(() => servers.here);
const askThere = anApi(() => servers.there);

interface File {
  readonly name: string;
  readonly uuid: string;
  readonly size: number;
  readonly browser_download_url: string;
}

async function attached(path: string, name: string, content: string): Promise<File> {
  const { bob, there } = servers;
  const form = new FormData();
  form.append("attachment", new Blob([content]), name);
  const answer = await fetch(`${there.url}api/v1${path}/assets`, {
    method: "POST",
    body: form,
    headers: { authorization: `token ${bob.token}` },
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as File;
}

const migrate = (body: Record<string, unknown>) =>
  askHere<Shown>("POST", "/repos/migrate", servers.ada, {
    service: "gitea",
    issues: true,
    pull_requests: true,
    ...body,
  });

test("files of a private repository's issues and comments are here, and texts name them by their addresses here", async () => {
  const { ada, bob, here, there } = servers;
  const { name } = aRepo(there, bob.user, { files: { "a.txt": "a" }, isPrivate: true });
  const path = `/repos/bob/${name}`;
  expect((await askThere("POST", `${path}/issues`, bob, { title: "one" })).status).toBe(201);
  const picture = await attached(`${path}/issues/1`, "a b.png", "\x89PNG\r\n\x1a\n");
  const body = `see ![it](/attachments/${picture.uuid}) and ${picture.browser_download_url}`;
  expect((await askThere("PATCH", `${path}/issues/1`, bob, { body })).status).toBe(201);
  const comment = await askThere<{ id: number }>("POST", `${path}/issues/1/comments`, bob, { body: "log" });
  await attached(`${path}/issues/comments/${comment.body.id}`, "run.log", "it failed\n");
  await attached(`${path}/issues/comments/${comment.body.id}`, "second.log", "again\n");
  const made = await migrate({
    clone_addr: `${there.url}bob/${name}.git`,
    auth_token: bob.token,
    repo_name: "withfiles",
  });
  expect([made.status, made.text]).toEqual([201, made.text]);
  const { body: issue } = await askHere<Json & { body: string; assets: File[] }>(
    "GET",
    "/repos/ada/withfiles/issues/1",
    ada,
  );
  const [own] = issue.assets;
  expect(issue.assets.map(({ name }) => name)).toEqual(["a b.png"]);
  expect(own?.uuid).not.toBe(picture.uuid);
  expect(issue.body).toBe(`see ![it](/attachments/${own?.uuid}) and /attachments/${own?.uuid}`);
  const [said] = (await askHere<{ assets: File[] }[]>("GET", "/repos/ada/withfiles/issues/1/comments", ada)).body;
  expect(said?.assets.map(({ name }) => name)).toEqual(["run.log", "second.log"]);
  const bytes = await call(here, "GET", `/attachments/${said?.assets[0]?.uuid}`, { token: ada.token });
  expect([bytes.status, bytes.text]).toEqual([200, "it failed\n"]);
  expect(here.core.db.query("SELECT 1 FROM awaited_files").get()).toBeNull();
});

test("a file that may not be here, is gone or too large is left out, and its address stays in the text", async () => {
  const { ada, there } = servers;
  const at = "2020-01-02T03:04:05Z";
  const files = (origin: string) =>
    ["program.exe", "gone.png", "large.zip", "lying.txt", "endless.txt"].map((name) => ({
      name,
      size: name === "large.zip" ? 2 ** 40 : 4,
      browser_download_url: `${origin}/api/v1/repos/o/r/files/00000000000000000000/${name}`,
    }));
  const tooMuch = new Uint8Array(2 ** 21);
  using forge = aForge(there, aRepo(there, servers.bob.user, { files: { a: "a" } }), (path, page, { request }) => {
    if (path === "") return {};
    if (path.endsWith("lying.txt")) return new Response(tooMuch);
    if (path.endsWith("endless.txt")) return new Response(new Blob([tooMuch]).stream());
    if (path.startsWith("/files/")) return new Response("none", { status: 404 });
    if (path !== "/issues" || page > 1) return [];
    const { origin } = new URL(request.url);
    const [program] = files(origin);
    const item = { number: 1, title: "t", body: program?.browser_download_url, state: "open", comments: 0 };
    return [{ ...item, user: { login: "o", id: 9 }, created_at: at, updated_at: at, assets: files(origin) }];
  });
  const made = await migrate({ clone_addr: `http://127.0.0.1:${forge.port}/o/r.git`, repo_name: "fewfiles" });
  expect([made.status, made.text]).toEqual([201, made.text]);
  const { body } = await askHere<{ body: string; assets: File[] }>("GET", "/repos/ada/fewfiles/issues/1", ada);
  expect(body.assets).toEqual([]);
  expect(body.body).toContain(`http://127.0.0.1:${forge.port}/api/v1/`);
});

test("an import that breaks off amid files goes on with the next", async () => {
  const { ada, there } = servers;
  const asked: string[] = [];
  const at = "2020-01-02T03:04:05Z";
  using forge = aForge(there, aRepo(there, servers.bob.user, { files: { a: "a" } }), (path, page, { request }) => {
    const { origin } = new URL(request.url);
    if (path.startsWith("/files/")) {
      asked.push(path);
      const isFirst = asked.filter((each) => each === path).length === 1;
      return path.endsWith("second.txt") && isFirst ? new Response("", { status: 503 }) : new Response("text");
    }
    if (path === "") return {};
    if (path !== "/issues" || page > 1) return [];
    const assets = ["first.txt", "second.txt", "third.txt"].map((name) => ({
      name,
      size: 4,
      browser_download_url: `${origin}/api/v1/repos/o/r/files/00000000000000000000/${name}`,
    }));
    const item = { number: 1, title: "t", body: "", state: "open", comments: 0, assets };
    return [{ ...item, user: { login: "o", id: 9 }, created_at: at, updated_at: at }];
  });
  const made = await migrate({ clone_addr: `http://127.0.0.1:${forge.port}/o/r.git`, repo_name: "again" });
  expect([made.status, made.text]).toEqual([201, made.text]);
  const { body } = await askHere<{ assets: File[] }>("GET", "/repos/ada/again/issues/1", ada);
  expect(body.assets.map(({ name }) => name)).toEqual(["first.txt", "second.txt", "third.txt"]);
  expect(asked.map((path) => path.replace(/^.*\//, ""))).toEqual([
    "first.txt",
    "second.txt",
    "second.txt",
    "third.txt",
  ]);
});

test("files that texts on GitLab name come, too", async () => {
  const { ada, there } = servers;
  const at = "2020-01-02T03:04:05Z";
  const upload = `/uploads/${"ab".repeat(16)}/shot.png`;
  using forge = aForge(
    there,
    aRepo(there, servers.bob.user, { files: { a: "a" } }),
    (path, page) => {
      if (path === upload) return new Response("\x89PNG\r\n\x1a\n");
      if (path === "") return {};
      if (path !== "/issues" || page > 1) return [];
      const author = { username: "o", id: 9 };
      return [
        { iid: 1, title: "t", description: `![a](${upload})`, state: "opened", author, created_at: at, updated_at: at },
      ];
    },
    { api: /^\/api\/v4\/projects\/o%2Fr(\/.*)?$/ },
  );
  const address = { clone_addr: `http://127.0.0.1:${forge.port}/o/r.git`, repo_name: "fromlab", service: "gitlab" };
  const made = await migrate(address);
  expect([made.status, made.text]).toEqual([201, made.text]);
  const { body } = await askHere<{ body: string; assets: File[] }>("GET", "/repos/ada/fromlab/issues/1", ada);
  expect(body.assets.map(({ name }) => name)).toEqual(["shot.png"]);
  expect(body.body).toBe(`![a](/attachments/${body.assets[0]?.uuid})`);
});
