import { afterAll, beforeAll, expect, test } from "bun:test";
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
} from "../../builders.ts";

/** CODEOWNERS: who is asked, and what of it is passed over (contract pulls.md 13). */

let server: TestServer;
let own: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  own = await aUser(server, { login: "own" });
  for (const login of ["ana", "ben", "cai"]) await aUser(server, { login });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

interface Asked {
  readonly number: number;
  readonly requested_reviewers: { readonly login: string }[];
  readonly requested_reviewers_teams: { readonly name: string }[];
}

const FILE = [
  "# who looks after what",
  "docs/.* @ana # the writers",
  "src\\\\/.*\\\\.ts ben @nobody-of-that-name",
  "[ @ana",
  "lonely/.*",
  "!docs/.* @own/of-nobody",
  "(a+)+b @cai",
].join("\n");

async function proposed(owner: string, repo: string, path: string, title: string): Promise<Asked> {
  const at = `/repos/${owner}/${repo}`;
  const branch = path.replaceAll(/[^a-z]/g, "-");
  const change = { content: "eA==", branch: "main", new_branch: branch };
  expect((await api("POST", `${at}/contents/${path}`, own, change)).status).toBe(201);
  const made = await api<Asked>("POST", `${at}/pulls`, own, { title, head: branch, base: "main" });
  expect(made.status).toBe(201);
  return made.body;
}
const names = ({ requested_reviewers }: Asked) => requested_reviewers.map(({ login }) => login).sort();

test("owners of what changes are asked once it is no draft; patterns are of whole paths and can be turned round", async () => {
  const { name } = aRepo(server, own.user, { files: { "docs/CODEOWNERS": FILE.replaceAll("\\\\", "\\") } });
  expect(names(await proposed("own", name, "docs/guide.md", "Guide"))).toEqual(["ana"]);
  expect(names(await proposed("own", name, "src/a.ts", "Code"))).toEqual(["ben"]);
  expect(names(await proposed("own", name, "src/a.ts.bak", "Not code"))).toEqual([]);
  const draft = await proposed("own", name, "docs/draft.md", "WIP: draft");
  expect(names(draft)).toEqual([]);
  await api("PATCH", `/repos/own/${name}/pulls/${draft.number}`, own, { title: "no draft" });
  expect(names((await api<Asked>("GET", `/repos/own/${name}/pulls/${draft.number}`, own)).body)).toEqual(["ana"]);
});

test("a team of the organization is asked as a team", async () => {
  const org = anOrganization(server, own.user, { login: "crew" });
  const { name } = aRepo(server, org, { creator: own.user, files: { CODEOWNERS: ".* @crew/lookers @crew/none ana" } });
  const team = aTeam(server, org, { name: "lookers", permission: "write", units: ["repo.code", "repo.pulls"] });
  await api("PUT", `/teams/${team.id}/repos/crew/${name}`, own);
  const made = await proposed("crew", name, "a.txt", "All");
  expect(made.requested_reviewers_teams.map((found) => found.name)).toEqual(["lookers"]);
  expect(names(made)).toEqual(["ana"]);
});

test("the page of the file says what is passed over, and no other page does", async () => {
  const text = FILE.replaceAll("\\\\", "\\");
  const { name } = aRepo(server, own.user, { files: { CODEOWNERS: text, "src/CODEOWNERS": text } });
  const cookie = await aSession(server, own.user);
  const page = async (path: string) =>
    (await call(server, "GET", `/own/${name}/src/branch/main/${path}`, { cookie })).text;
  const shown = await page("CODEOWNERS");
  expect([...shown.matchAll(/<a href="#L(\d+)">([^<]+)/g)].map(([, line, said]) => [line, said])).toEqual([
    ["3", "Line: 3: incorrect codeowner: nobody-of-that-name cannot review here."],
    ["4", "Line: 4: incorrect codeowner regexp."],
    ["5", "Line: 5: incorrect format, no owner is named."],
    ["6", "Line: 6: incorrect codeowner: own/of-nobody cannot review here."],
  ]);
  expect(await page("src/CODEOWNERS")).not.toContain("cannot review here");
});
