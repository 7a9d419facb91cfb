import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { aRepo, aServer, aSession, aUser, call, type TestServer, type TestUser } from "../../builders.ts";

/** The same rules for values whichever way they come in: REST and the form answer alike, and nothing is stored. */

let server: TestServer;
let ada: TestUser;
let cookie: string;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  cookie = await aSession(server, ada.user);
});
afterAll(() => server.close());

const form = (fields: Record<string, string>) => ({
  cookie,
  headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
  body: new URLSearchParams(fields).toString(),
});

describe("a repository's values", () => {
  const bad: readonly [field: string, value: string, message: string][] = [
    ["website", "javascript:alert(1)", "[Website]: Url"],
    ["website", "java\tscript:alert(1)", "[Website]: Url"],
    ["website", "data:text/html,x", "[Website]: Url"],
    ["website", " javascript:alert(1)", "[Website]: Url"],
    ["website", `https://example.org/${"x".repeat(1024)}`, "[Website]: MaxSize"],
    ["description", "x".repeat(5000), "[Description]: MaxSize"],
  ];
  for (const [field, value, message] of bad)
    test(`${field} ${JSON.stringify(value.slice(0, 30))} is refused by REST and by the form`, async () => {
      const repo = aRepo(server, ada.user);
      const at = `/ada/${repo.name}`;
      const rest = await call(server, "PATCH", `/api/v1/repos${at}`, { token: ada.token, body: { [field]: value } });
      expect([rest.status, rest.body["message"]]).toEqual([422, message]);
      const page = await call(
        server,
        "POST",
        `${at}/settings`,
        form({ action: "update", repo_name: repo.name, [field]: value }),
      );
      expect(page.status).toBe(422);
      expect(server.services.repos.byId(repo.id)).toMatchObject({ website: "", description: "" });
    });

  for (const website of [
    "https://example.org/x?y=1",
    "HTTP://example.org",
    "example.org",
    "example.org:8080/a",
    "not an address",
    "",
  ])
    test(`the website ${JSON.stringify(website)} is taken`, async () => {
      const repo = aRepo(server, ada.user);
      const rest = await call(server, "PATCH", `/api/v1/repos/ada/${repo.name}`, {
        token: ada.token,
        body: { website },
      });
      expect([rest.status, rest.body["website"]]).toEqual([200, website]);
    });

  test("an empty name leaves the default branch of an empty repository as it is", async () => {
    const repo = aRepo(server, ada.user);
    const rest = await call(server, "PATCH", `/api/v1/repos/ada/${repo.name}`, {
      token: ada.token,
      body: { default_branch: "" },
    });
    expect([rest.status, rest.body["default_branch"]]).toEqual([200, "main"]);
  });

  for (const branch of ["a..b~^:", "-x", "refs/heads/x", "HEAD", "a b", "x.lock"])
    test(`the first branch of an empty repository is not called ${JSON.stringify(branch)}`, async () => {
      const repo = aRepo(server, ada.user);
      const rest = await call(server, "PATCH", `/api/v1/repos/ada/${repo.name}`, {
        token: ada.token,
        body: { default_branch: branch },
      });
      expect([rest.status, rest.body["message"]]).toEqual([422, "[DefaultBranch]: GitRefName"]);
      const made = await call(server, "POST", "/repo/create", form({ repo_name: "other", default_branch: branch }));
      expect(made.status).toBe(422);
      expect(server.services.repos.byId(repo.id)?.defaultBranch).toBe("main");
      expect(server.services.repos.find(ada.user, "other")).toBeUndefined();
    });
});
