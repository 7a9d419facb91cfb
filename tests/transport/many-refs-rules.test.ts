import { expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import { anApi, aRepo, aServer, aUser } from "../builders.ts";

test("the rules of a repository are read once for a push of thousands of refs", async () => {
  await using server = await aServer();
  const ada = await aUser(server);
  const repo = aRepo(server, ada.user, { files: { "a.txt": "a" } });
  const api = anApi(() => server);
  const at = `/repos/${ada.login}/${repo.name}`;
  await api("POST", `${at}/branch_protections`, ada, { rule_name: "kept/**" });
  await api("POST", `${at}/tag_protections`, ada, { name_pattern: "/^v/", whitelist_usernames: [ada.login] });
  const { pushRules, repos, refs } = server.services;
  const tip = refs.find(repo.id, "refs/heads/main")?.oid ?? "";
  const seen = repos.seeById(asAccount(ada.user), repo.id);
  if (!seen) throw new Error("the repository is gone");
  const changes = Array.from({ length: 4000 }, (_, at) => ({
    ...{ seen, via: "push" as const, oldOid: null, newOid: tip },
    name: at % 2 === 0 ? `refs/heads/b${at}` : `refs/tags/v${at}`,
  }));
  const { db } = server.core;
  const query = db.query.bind(db);
  let asked = 0;
  db.query = ((sql: string) => {
    asked++;
    return query(sql);
  }) as typeof db.query;
  const examined = await pushRules.examine(changes);
  expect(pushRules.refusals(changes, examined).size).toBe(0);
  expect(asked).toBeLessThan(20);
  const kept = [{ ...changes[0]!, name: "refs/heads/kept/1" }];
  expect([...pushRules.refusals(kept, await pushRules.examine(kept)).keys()]).toEqual(["refs/heads/kept/1"]);
});
