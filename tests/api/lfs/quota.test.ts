import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { anApi, aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../../builders.ts";
import { as, aThing, lfsOf } from "./client.ts";

/** Large files count for their owner (contract identity.md 14). */

let server: TestServer;
let root: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer({ "quota.enabled": true });
  root = await aUser(server, { isAdmin: true });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const used = async (who: TestUser): Promise<number> => {
  type Info = { readonly used: { readonly size: { readonly git: { readonly LFS: number } } } };
  return (await api<Info>("GET", "/user/quota", who)).body.used.size.git.LFS;
};
async function limit(who: TestUser, bytes: number): Promise<void> {
  const name = `q-${who.login}`;
  await api("POST", "/admin/quota/rules", root, { name, limit: bytes, subjects: ["size:git:lfs"] });
  await api("POST", "/admin/quota/groups", root, { name, rules: [{ name }] });
  await api("PUT", `/admin/quota/groups/${name}/users/${who.login}`, root);
}

test("they count as they come, move and go, and every night again", async () => {
  const [ada, bob] = [await aUser(server), await aUser(server)];
  const { id, name } = aRepo(server, ada.user);
  const things = [aThing(randomBytes(1000)), aThing(randomBytes(500))];
  for (const thing of things) await lfsOf(server, `${ada.login}/${name}`).put(thing, thing.bytes, as(ada));
  expect(await used(ada)).toBe(1500);
  await api("POST", `/repos/${ada.login}/${name}/forks`, bob, {});
  expect(await used(bob)).toBe(1500);
  server.core.db.execute("UPDATE repository_usage SET lfs = 7");
  server.core.jobs.enqueue("quotas.recount", {});
  await settled(server);
  expect([await used(ada), await used(bob)]).toEqual([1500, 1500]);
  server.services.lfs.remove({ repo: server.services.repos.byId(id)! }, things[0]?.oid ?? "");
  expect(await used(ada)).toBe(500);
  await api("DELETE", `/repos/${ada.login}/${name}`, ada);
  expect(await used(ada)).toBe(0);
});

test("whoever may store nothing more sends nothing, and forks nothing that has them", async () => {
  const [ada, bob] = [await aUser(server), await aUser(server)];
  const { name } = aRepo(server, ada.user, { files: { a: "a" } });
  const lfs = lfsOf(server, `${ada.login}/${name}`);
  await limit(ada, 1000);
  await limit(bob, 900);
  const [fits, over] = [aThing(randomBytes(950)), aThing(randomBytes(100))];
  expect((await lfs.put(fits, fits.bytes, as(ada))).status).toBe(200);
  const refused = await lfs.put(over, over.bytes, as(ada));
  expect([refused.status, refused.body["username"]]).toEqual([413, ada.login]);
  expect((await lfs.put(fits, fits.bytes, as(ada))).status).toBe(200);
  expect((await api("POST", `/repos/${ada.login}/${name}/forks`, bob, {})).status).toBe(413);
  expect((await api("GET", `/repos/${bob.login}/${name}`, bob)).status).toBe(404);
});
