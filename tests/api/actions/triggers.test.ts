import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount, operator } from "../../../src/access/principal.ts";
import type { Run } from "../../../src/actions/runs/types.ts";
import type { SeenRepo } from "../../../src/repos/types.ts";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../../builders.ts";

let server: TestServer;
let ada: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
});
afterAll(() => server.close());

const page = { limit: 50, offset: 0 };

/** A workflow of one job for these events. */
const workflow = (on: string, more = "") =>
  `on: ${on}\n${more}jobs:\n  b:\n    runs-on: self\n    steps: [{ run: a }]\n`;

function seenAs(user: TestUser, id: number): SeenRepo {
  const seen = server.services.repos.seeById(asAccount(user.user), id);
  if (!seen) throw new Error("the repository is seen");
  return seen;
}

function runsOf(id: number): readonly Run[] {
  const seen = server.services.repos.seeById(operator, id);
  if (!seen) throw new Error("the repository is seen");
  return server.services.actionsRunLists.page(seen, {}, page).items;
}

/** Everything that was asked for is done. */
async function settled(): Promise<void> {
  server.core.outbox.dispatch();
  await server.core.jobs.drain();
}

async function put(repo: { name: string }, path: string, content: string, more: object = {}) {
  const body = { content: Buffer.from(content).toString("base64"), message: `write ${path}`, ...more };
  const answer = await api<{ commit: { sha: string } }>("POST", `/repos/ada/${repo.name}/contents/${path}`, ada, body);
  expect([path, answer.status]).toEqual([path, 201]);
  await settled();
  return answer.body.commit.sha;
}

test("a push starts the workflows of its commit, from the first folder that is there", async () => {
  const repo = aRepo(server, ada.user, { files: { a: "1" } });
  const sha = await put(repo, ".gitea/workflows/a.yml", workflow("push", "name: A\n"));
  await new Promise((r) => setTimeout(r, 3000));
  console.log(
    server.core.db.query("select * from actions_happenings").all(),
    server.core.db.query("select kind,state,last_error,attempts from jobs order by id desc limit 6").all(),
    server.errors,
  );
  const [run, ...others] = runsOf(repo.id);
  expect(others).toEqual([]);
  expect(run).toMatchObject({
    workflow: "a.yml",
    event: "push",
    commit: sha,
    ref: "refs/heads/main",
    number: 1,
    title: "write .gitea/workflows/a.yml",
  });
  await put(repo, ".github/workflows/b.yml", workflow("push"));
  expect(runsOf(repo.id).map((one) => one.workflow)).toEqual(["a.yml", "a.yml"]);
  expect(server.errors).toEqual([]);
});
