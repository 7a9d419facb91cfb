import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aUser, call, type TestServer } from "../../builders.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

test("every order answers, also those that nothing tells apart yet (a constant was taken for a column's number)", async () => {
  const { user } = await aUser(server);
  for (const name of ["b", "a"]) aRepo(server, user, { name });
  for (const sort of ["alpha", "created", "updated", "size", "git_size", "lfs_size", "stars", "forks", "id"]) {
    for (const order of ["asc", "desc"]) {
      const answer = await call<{ data: { name: string }[] }>(
        server,
        "GET",
        `/api/v1/repos/search?sort=${sort}&order=${order}`,
      );
      expect([sort, order, answer.status, answer.body.data.length]).toEqual([sort, order, 200, 2]);
    }
  }
  const byName = await call<{ data: { name: string }[] }>(server, "GET", "/api/v1/repos/search?sort=alpha");
  expect(byName.body.data.map(({ name }) => name)).toEqual(["a", "b"]);
});
