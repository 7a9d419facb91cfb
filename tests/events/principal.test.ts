import { expect, test } from "bun:test";
import type { DomainEvent } from "../../src/events/types.ts";
import { aRepo, aServer, aUser, call } from "../builders.ts";

test("an edit over the API leaves an event that says by whose token, in whose repository, of which unit", async () => {
  await using server = await aServer();
  const { user, token, login } = await aUser(server);
  const repo = aRepo(server, user, { files: { "a.txt": "a\n" } });
  const heard = new Promise<DomainEvent>((resolve) =>
    server.core.outbox.listen((event) => {
      if (event.kind === "refs.changed" && event.principal.via === "token") resolve(event);
    }),
  );
  const body = { content: Buffer.from("b").toString("base64"), message: "b" };
  const path = `/api/v1/repos/${login}/${repo.name}/contents/b.txt`;
  expect((await call(server, "POST", path, { token, body })).status).toBe(201);
  const tokenId = server.core.db.query<{ id: number }>("SELECT id FROM access_tokens").get()?.id;
  expect(await heard).toMatchObject({
    version: 1,
    principal: { userId: user.id, via: "token", tokenId },
    ownerId: user.id,
    repoId: repo.id,
    unit: "code",
  });
});
