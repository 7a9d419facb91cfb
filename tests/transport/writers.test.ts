import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../builders.ts";
import { gitText, tempDir } from "../git/objects/real-git.ts";
import { git } from "../git/transport/server.ts";
import { aPageOf, wordsOf } from "../web/browser-calls.ts";

/** Those who change a branch at the same time, by git, over REST and in pages: of two on the same parent one wins. */

const ROUNDS = 4;
let server: TestServer;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const api = anApi(() => server);
const base64 = (text: string) => Buffer.from(text).toString("base64");

async function aProject(name: string) {
  const repo = aRepo(server, ada.user, { name, files: { "a.txt": "first\n" } });
  await server.services.refs.projected();
  const added = await api("PUT", `/repos/ada/${name}/collaborators/bob`, ada, { permission: "write" });
  expect(added.status).toBe(204);
  const stored = server.services.storage.dirOf(repo.id);
  return {
    path: `/repos/ada/${name}`,
    tip: () => server.services.refs.find(repo.id, "refs/heads/main")?.oid ?? "",
    address: (who: TestUser) => `${server.url.replace("//", `//${who.user.login}:${who.token}@`)}ada/${name}.git`,
    /** What real git finds in the repository when all is done. */
    history: async () => {
      await server.services.refs.projected();
      return {
        commits: Number(gitText(["-C", stored, "rev-list", "--count", "main"])),
        merges: Number(gitText(["-C", stored, "rev-list", "--count", "--merges", "main"])),
        files: gitText(["-C", stored, "ls-tree", "-r", "--name-only", "main"]).split("\n"),
      };
    },
  };
}

type Project = Awaited<ReturnType<typeof aProject>>;

/** A clone that is ready to push a commit on top of what the branch stands at now. */
async function aCommitOf(project: Project, who: TestUser, dir: string, write: string) {
  const clone = await git(dir, ["clone", "-q", project.address(who), "work"]);
  expect(clone.code).toBe(0);
  const work = join(dir, "work");
  await Bun.write(join(work, "a.txt"), write);
  for (const args of [
    ["add", "."],
    ["commit", "-qm", `Write ${write}`],
  ])
    expect((await git(work, args)).code).toBe(0);
  return async () => (await git(work, ["push", "origin", "HEAD:main"])).code === 0;
}

test("of two pushers on the same parent one wins", async () => {
  const project = await aProject("pushers");
  for (let round = 1; round <= ROUNDS; round++) {
    using first = tempDir();
    using second = tempDir();
    const pushes = await Promise.all([
      aCommitOf(project, ada, first.path, `ada ${round}`),
      aCommitOf(project, bob, second.path, `bob ${round}`),
    ]);
    const won = await Promise.all(pushes.map((push) => push()));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect((await project.history()).commits).toBe(1 + round);
  }
});

test("of an editor and a pusher on the same parent one wins", async () => {
  const project = await aProject("both");
  for (let round = 1; round <= ROUNDS; round++) {
    using dir = tempDir();
    const push = await aCommitOf(project, bob, dir.path, `bob ${round}`);
    const { body } = await api("GET", `${project.path}/contents/a.txt`, ada);
    const edit = async () => {
      const edited = { sha: body["sha"], content: base64(`ada ${round}`) };
      const { status } = await api("PUT", `${project.path}/contents/a.txt`, ada, edited);
      expect([200, 409, 422]).toContain(status);
      return status === 200;
    };
    const won = await Promise.all([push(), edit()]);
    expect(won.filter(Boolean)).toHaveLength(1);
    expect((await project.history()).commits).toBe(1 + round);
  }
});

test("of two editors in pages who began with the same commit one wins, and the other is shown both texts", async () => {
  const project = await aProject("pages");
  const pages = await Promise.all([ada, bob].map((who) => aPageOf(server, who.user)));
  for (let round = 1; round <= ROUNDS; round++) {
    const last_commit = project.tip();
    const answers = await Promise.all(
      pages.map((page, at) =>
        page.post("/ada/pages/_edit/main/a.txt", {
          tree_path: "a.txt",
          content: `editor ${at} in ${round}\n`,
          last_commit,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    const lost = answers.findIndex(({ status }) => status === 422);
    const shown = wordsOf(answers[lost]?.text ?? "");
    for (const at of [0, 1]) expect(shown).toContain(`editor ${at} in ${round}`);
    expect((await project.history()).commits).toBe(1 + round);
  }
});

test("creates that were acknowledged are all there, beside pushes, and the others are not", async () => {
  const project = await aProject("creates");
  using dir = tempDir();
  const push = await aCommitOf(project, bob, dir.path, "bob");
  const created = async (name: string) => {
    const { status } = await api("POST", `${project.path}/contents/${name}`, ada, { content: base64(name) });
    expect([201, 409]).toContain(status);
    return status === 201;
  };
  const names = Array.from({ length: 20 }, (_, at) => `file${at}.txt`);
  const [pushed, ...won] = await Promise.all([push(), ...names.map(created)]);
  const { commits, files, merges } = await project.history();
  expect(names.filter((name) => files.includes(name))).toEqual(names.filter((_, at) => won[at]));
  expect(won).toContain(true);
  expect([commits, merges]).toEqual([1 + won.filter(Boolean).length + Number(pushed), 0]);
});
