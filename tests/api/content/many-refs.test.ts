import { afterAll, beforeAll, expect, test } from "bun:test";
import { operator } from "../../../src/access/principal.ts";
import { makeCommit, makeTag } from "../../../src/git/edit/make.ts";
import { SHA1 } from "../../../src/git/objects/format.ts";
import { writeObjects } from "../../../src/git/odb/write.ts";
import { aRepo, aServer, aUser, call, type Json, type TestServer, type TestUser } from "../../builders.ts";

/** So many that workers look into them. */
const MANY = 250;

let server: TestServer;
let ada: TestUser;
let path = "";
let newest = "";

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server);
  const repo = aRepo(server, ada.user, { name: "many", files: { "a.txt": "a\n" } });
  path = `/repos/${ada.login}/many`;
  const { services } = server;
  const first = services.refs.find(repo.id, "refs/heads/main")?.oid ?? "";
  const seen = services.repos.seeById(operator, repo.id);
  if (!seen) throw new Error("the repository is not there");
  const tree = services.files.entry(seen, first, "").oid;
  const person = { name: "Ada", email: "ada@example.org", offsetMinutes: 0 };
  const signed = { ...person, timestamp: 2_000_000_000 };
  const commit = makeCommit(SHA1, { tree, parents: [first], author: signed, committer: signed, message: "New\n" });
  const tagger = { ...person, timestamp: 2_100_000_000 };
  const tag = makeTag(SHA1, { object: first, type: "commit", name: "annotated", tagger, message: "Say\n" });
  writeObjects(services.storage.dirOf(repo.id), [commit, tag]);
  newest = commit.oid;
  const numbers = Array.from({ length: MANY }, (_, i) => String(i).padStart(3, "0"));
  const made = (name: string, newOid: string) => ({ name, oldOid: null, newOid });
  services.refs.change(repo.id, {
    principal: operator,
    atomic: true,
    changes: [
      ...numbers.flatMap((i) => [made(`refs/heads/b${i}`, first), made(`refs/tags/v${i}`, first)]),
      made("refs/heads/z", newest),
      made("refs/tags/annotated", tag.oid),
      made("refs/tags/recent", newest),
    ],
  });
});
afterAll(() => server.close());

const get = <Body = Json[]>(address: string) => call<Body>(server, "GET", `/api/v1${path}${address}`);

test("branches come with the newest first, then by name", async () => {
  const { body, headers } = await get("/branches?limit=3");
  expect(body.map((branch) => branch["name"])).toEqual(["z", "b000", "b001"]);
  expect(headers.get("x-total-count")).toBe(String(MANY + 2));
  expect((await get("/branches?q=B24&limit=50")).body).toHaveLength(10);
});

test("tags come by their own dates, then those of their commits, then the last name first", async () => {
  const { body } = await get("/tags?limit=3");
  expect(body.map((tag) => tag["name"])).toEqual(["annotated", "recent", "v249"]);
  expect(body[0]?.["message"]).toBe("Say\n");
});

test("refs are told with what they point to", async () => {
  const { body } = await get<{ ref: string; object: { type: string } }[]>("/git/refs");
  expect(body.filter(({ object }) => object.type === "tag").map(({ ref }) => ref)).toEqual(["refs/tags/annotated"]);
  expect(body).toHaveLength(2 * MANY + 4);
});

test("a commit tells which of them hold it", async () => {
  const answer = await call<{ branches: { name: string }[]; tags: { name: string }[] }>(
    server,
    "GET",
    `/${ada.login}/many/commit/${newest}/load-branches-and-tags`,
  );
  expect(answer.body.branches.map(({ name }) => name)).toEqual(["z"]);
  expect(answer.body.tags.map(({ name }) => name)).toEqual(["recent"]);
});
