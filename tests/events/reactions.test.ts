import { expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import { aRepo, aServer, aUser } from "../builders.ts";

test("a reaction is part of the transaction: when it throws, nothing happened", async () => {
  await using server = await aServer();
  const { core, services } = server;
  const ada = await aUser(server);
  const seen: string[] = [];
  core.outbox.react("repo.created", (context, { name }) => {
    if (name === "refused") throw new Error("not this one");
    seen.push(`${name} ${context.principal?.userId === ada.user.id} ${services.repos.byId(context.repoId ?? 0)?.name}`);
  });
  aRepo(server, ada.user, { name: "taken" });
  expect(seen).toEqual(["taken true taken"]);
  expect(() => aRepo(server, ada.user, { name: "refused" })).toThrow("not this one");
  expect(services.repos.ownedBy(ada.user).map(({ name }) => name)).toEqual(["taken"]);
  const kinds = core.db.query<{ n: number }>("SELECT count(*) AS n FROM events WHERE kind = 'repo.created'").get();
  expect(kinds?.n).toBe(1);
  expect(services.repos.mayRead(asAccount(ada.user), 1, undefined)).toBe(true);
});
