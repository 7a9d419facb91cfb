import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import { randomHex } from "../../../src/kernel/ids.ts";
import type { CleanupRuleValues } from "../../../src/packages/cleanup-rule-types.ts";
import type { SeenPackages } from "../../../src/packages/types.ts";
import { anApi, aServer, aUser, call, settled, type TestServer, type TestUser } from "../../builders.ts";

/** Which versions a cleanup rule takes away, and which it leaves (contract packages.md 8). */

let server: TestServer;
let root: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  root = await aUser(server, { isAdmin: true });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const DAY_MS = 24 * 3_600_000;
const values: CleanupRuleValues = {
  isEnabled: true,
  type: "generic",
  keepCount: 0,
  keepPattern: "",
  removeDays: 0,
  removePattern: "",
  matchFullName: false,
};

function packagesOf({ user }: TestUser, of = user): SeenPackages {
  const seen = server.services.packagesAccess.see(asAccount(user), of.login);
  if (!seen) throw new Error("the packages are not seen");
  return seen;
}

/** Versions in the order they are published; those with a number are so many days old. */
async function publish(owner: TestUser, versions: readonly (string | [version: string, days: number])[]) {
  for (const each of versions) {
    const [version, days] = typeof each === "string" ? [each, 0] : each;
    const path = `/api/packages/${owner.login}/generic/package/${version}/file.bin`;
    const { status } = await call(server, "PUT", path, { token: owner.token, body: `content of ${version}` });
    expect(status).toBe(201);
    if (days > 0)
      server.core.db
        .query("UPDATE package_versions SET created_at = ? WHERE owner_id = ? AND lower_version = ?")
        .run(Date.now() - days * DAY_MS, owner.user.id, version.toLowerCase());
  }
}

async function left(owner: TestUser): Promise<string[]> {
  const { body } = await api<{ version: string }[]>("GET", `/packages/${owner.login}`, owner);
  return body.map(({ version }) => version).sort();
}

async function cleanUp(): Promise<void> {
  expect((await api("POST", "/admin/cron/cleanup_packages", root)).status).toBe(204);
  await settled(server);
}

const old = (version: string): [string, number] => [version, 365];

/** The cases of the contract, and what they do not say. */
const cases: readonly {
  readonly name: string;
  readonly rule: Partial<CleanupRuleValues>;
  readonly versions: readonly (string | [string, number])[];
  readonly stay: readonly string[];
}[] = [
  { name: "one that is off", rule: { isEnabled: false, keepCount: 0 }, versions: ["keep"], stay: ["keep"] },
  {
    name: "the newest",
    rule: { keepCount: 1 },
    versions: [old("test-3"), old("test-4"), "v1.0", "keep"],
    stay: ["keep"],
  },
  { name: "a pattern of what stays", rule: { keepPattern: "k.+p" }, versions: ["keep", "v1.0"], stay: ["keep"] },
  { name: "days", rule: { removeDays: 60 }, versions: ["keep", old("v1.0")], stay: ["keep"] },
  {
    name: "a pattern of what goes",
    rule: { removePattern: String.raw`t[e]+st-\d+` },
    versions: ["test", "test-3", "test-4"],
    stay: ["test"],
  },
  {
    name: "full names",
    rule: { removePattern: "package/test|different/keep", matchFullName: true },
    versions: ["keep", "test"],
    stay: ["keep"],
  },
  {
    name: "all of it together",
    rule: { keepCount: 1, keepPattern: "dummy", removeDays: 7, removePattern: String.raw`t[e]+st-\d+` },
    versions: [old("dummy"), old("v1.0"), ["test-3", 8], ["test-4", 6], old("test-5"), "newest"],
    stay: ["dummy", "newest", "test-4", "v1.0"],
  },
  {
    name: "alternatives that match whole names in any letter case",
    rule: { removePattern: "A|b" },
    versions: ["a", "B", "ab", "bb"],
    stay: ["ab", "bb"],
  },
  {
    name: "more than one transaction takes",
    rule: { keepCount: 1, removePattern: "v.*" },
    versions: [...Array.from({ length: 120 }, (_, at) => `v${at}`), "kept-1", "v-last"],
    stay: ["kept-1", "v-last"],
  },
];

for (const { name, rule, stay, versions } of cases)
  test(`a rule leaves what it should: ${name}`, async () => {
    const owner = await aUser(server);
    await publish(owner, versions);
    const rules = server.services.packageCleanupRules;
    const { id } = await rules.create(packagesOf(owner), { ...values, ...rule });
    const { isMore, versions: shown } = await rules.preview(packagesOf(owner), id, 1000);
    await cleanUp();
    expect(await left(owner)).toEqual([...stay].sort());
    if (rule.isEnabled !== false) {
      const all = versions.map((each) => (typeof each === "string" ? each : each[0]));
      expect(shown.map(({ version }) => version).sort()).toEqual(all.filter((each) => !stay.includes(each)).sort());
      expect(isMore).toBe(false);
    }
  });

test("what a rule takes away is told of as any deletion", async () => {
  const owner = await aUser(server);
  await publish(owner, ["a", "b"]);
  const told: string[] = [];
  server.core.outbox.react("package.deleted", ({ ownerId }, { version }) => {
    if (ownerId === owner.user.id) told.push(version);
  });
  await server.services.packageCleanupRules.create(packagesOf(owner), { ...values, keepCount: 1 });
  await cleanUp();
  expect(told).toEqual(["a"]);
  expect(await left(owner)).toEqual(["b"]);
});

test("of images, latest stays, and what an index lists", async () => {
  const owner = await aUser(server);
  const { packageContents, packagePublisher } = server.services;
  const seen = packagesOf(owner);
  const put = async (version: string, properties: { name: string; value: string }[] = []) => {
    using content = await packageContents.receiveBytes(Buffer.from(randomHex(8)), {
      principal: seen.principal,
      type: "container",
    });
    packagePublisher.publish(seen, {
      version: { type: "container", name: "image", version, properties },
      files: [{ name: "manifest.json", content }],
    });
  };
  const [listed, alone] = [`sha256:${"a".repeat(64)}`, `sha256:${"b".repeat(64)}`];
  await put("latest");
  await put(listed);
  await put(alone);
  await put("old");
  await put("1.0", [{ name: "container.manifest.reference", value: listed }]);
  await server.services.packageCleanupRules.create(seen, { ...values, type: "container", keepCount: 1 });
  await cleanUp();
  expect(await left(owner)).toEqual(["1.0", "latest", listed].sort());
});

test("a rule whose values are none is refused, and there is one for a type", async () => {
  const owner = await aUser(server);
  const rules = server.services.packageCleanupRules;
  const seen = packagesOf(owner);
  const refused = (change: Partial<CleanupRuleValues>) =>
    rules.create(seen, { ...values, ...change }).then(
      () => "taken",
      (error) => [error.status, error.code, error.field],
    );
  expect(await refused({ keepCount: 2 })).toEqual([422, "packages.cleanup-bad-value", "keep_count"]);
  expect(await refused({ removeDays: -1 })).toEqual([422, "packages.cleanup-bad-value", "remove_days"]);
  expect(await refused({ keepPattern: "(" })).toEqual([422, "packages.cleanup-bad-pattern", "keep_pattern"]);
  expect(await refused({ removePattern: "a)|(b" })).toEqual([422, "packages.cleanup-bad-pattern", "remove_pattern"]);
  expect(await refused({ removePattern: "(?=a)" })).toEqual([422, "packages.cleanup-bad-pattern", "remove_pattern"]);
  expect(await refused({ removePattern: "a".repeat(256) })).toEqual([422, "value.too-long", "remove_pattern"]);
  expect(await refused({})).toBe("taken");
  expect(await refused({})).toEqual([422, "packages.cleanup-rule-exists", "type"]);
  expect(rules.list(seen).map(({ type }) => type)).toEqual(["generic"]);
});

test("an expression that others go back in for years is done with", async () => {
  const owner = await aUser(server);
  await publish(owner, ["a".repeat(200), `${"a".repeat(200)}b`]);
  const rules = server.services.packageCleanupRules;
  const { id } = await rules.create(packagesOf(owner), { ...values, removePattern: "(a+)+b" });
  const { versions } = await rules.preview(packagesOf(owner), id, 10);
  expect(versions.map(({ version }) => version.length)).toEqual([201]);
});

test("rules are for whoever owns the account, and not found under another", async () => {
  const [owner, other] = [await aUser(server), await aUser(server)];
  const rules = server.services.packageCleanupRules;
  const { id } = await rules.create(packagesOf(owner), values);
  const status = (work: () => unknown) =>
    Promise.try(work).then(
      () => 200,
      (error) => error.status,
    );
  expect(await status(() => rules.list(packagesOf(other, owner.user)))).toBe(403);
  expect(await status(() => rules.create(packagesOf(other, owner.user), { ...values, type: "npm" }))).toBe(403);
  expect(await status(() => rules.get(packagesOf(other), id))).toBe(404);
  expect(await status(() => rules.edit(packagesOf(other), id, values))).toBe(404);
  expect(await status(() => rules.preview(packagesOf(other), id, 10))).toBe(404);
  expect(await status(() => rules.delete(packagesOf(other), id))).toBe(404);
  expect(rules.list(packagesOf(owner))).toEqual([{ ...values, id, ownerId: owner.user.id }]);
});

test("what a registry keeps stays, and the rest goes", async () => {
  const owner = await aUser(server);
  const state = (serial: number) =>
    call(server, "POST", `/api/packages/${owner.login}/terraform/state/home`, {
      token: owner.token,
      body: { version: 4, serial, lineage: "l" },
    });
  for (const serial of [1, 2, 3]) expect((await state(serial)).status).toBe(201);
  await server.services.packageCleanupRules.create(packagesOf(owner), { ...values, type: "terraform" });
  await cleanUp();
  expect(await left(owner)).toEqual(["3"]);
});
