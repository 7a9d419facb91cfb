import { expect, test } from "bun:test";
import { aRepo, aServer, aUser, call, type TestServer } from "../builders.ts";

const answers = async (server: TestServer, owner: string, token?: string) => {
  const found: unknown[] = [];
  for (const service of ["git-upload-pack", "git-receive-pack"]) {
    const answer = await call(server, "GET", `/${owner}/project/info/refs?service=${service}`, { token });
    found.push([answer.status, answer.text, answer.headers.get("www-authenticate")]);
  }
  return found;
};

test("git does not tell an account that hides, or is switched off, from one that does not exist", async () => {
  await using server = await aServer();
  const visitor = await aUser(server);
  const hidden = await aUser(server, { visibility: "private" });
  const off = await aUser(server);
  for (const { user } of [hidden, off]) aRepo(server, user, { name: "project", files: { a: "b" } });
  await server.services.identity.edit(off.user, { isActive: false });
  for (const token of [undefined, visitor.token]) {
    const nobody = await answers(server, "nobody-at-all", token);
    expect(nobody.map((answer) => (answer as number[])[0])).toEqual(token ? [404, 404] : [401, 401]);
    expect(await answers(server, hidden.login, token)).toEqual(nobody);
    expect(await answers(server, off.login, token)).toEqual(nobody);
  }
  // Who hides sees their own.
  expect((await answers(server, hidden.login, hidden.token)).map((answer) => (answer as number[])[0])).toEqual([
    200, 200,
  ]);
});
