import { expect, test } from "bun:test";
import { asAccount, operator } from "../../../src/access/principal.ts";
import { aRepo, aServer, aSession, aUser, call } from "../../builders.ts";
import { aPage } from "../../web/browser-calls.ts";

test("only its owner deletes a repository: one rule for REST, the page and every other caller", async () => {
  await using server = await aServer({ "repository.bin_days": 0 });
  const [ada, bob, eve] = [await aUser(server), await aUser(server), await aUser(server)];
  const repo = aRepo(server, ada.user, { isPrivate: true });
  const path = `/${ada.login}/${repo.name}`;
  const permission = { permission: "admin" };
  const people = `/api/v1/repos${path}/collaborators/${bob.login}`;
  expect((await call(server, "PUT", people, { token: ada.token, body: permission })).status).toBe(204);

  const [name = "", secret = ""] = (await aSession(server, bob.user)).split("=");
  const form = { action: "delete", repo_name: repo.name };
  const page = await aPage(server, new Map([[name, secret]])).post(`${path}/settings`, form);
  expect(page.status).toBe(404);
  expect((await call(server, "DELETE", `/api/v1/repos${path}`, { token: bob.token })).status).toBe(403);
  expect(() => server.services.repoRemoval.remove(asAccount(bob.user), repo)).toThrow("repository.needs-owner");
  expect(() => server.services.repoRemoval.remove(asAccount(eve.user), repo)).toThrow();
  expect(server.services.repos.byId(repo.id)?.name).toBe(repo.name);
  expect((await call(server, "DELETE", `/api/v1/repos${path}`, { token: ada.token })).status).toBe(204);
  expect(server.services.repos.seeById(operator, repo.id)).toBeUndefined();
});
