import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import { NotFound } from "../../../src/kernel/errors.ts";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../../builders.ts";
import { until } from "../../until.ts";

/** The merge queue: order, candidates that checks report on, what throws an entry out. */

let server: TestServer;
let own: TestUser;
let wri: TestUser;
beforeAll(async () => {
  server = await aServer();
  own = await aUser(server, { login: "own" });
  wri = await aUser(server, { login: "wri" });
});
afterAll(() => server.close());

interface Entry {
  readonly position: number;
  readonly number: number;
  readonly state: string;
  readonly candidate_sha: string;
  readonly candidate_ref: string;
  readonly onto_sha: string;
}

const api = <Body = { number: number; message: string }>(method: string, path: string, body?: unknown, who = own) =>
  call<Body>(server, method, `/api/v1/repos/own/${path}`, {
    token: who.token,
    ...(body === undefined ? {} : { body }),
  });

interface Place {
  readonly name: string;
  pull(branch: string, text?: string, path?: string): Promise<number>;
  queue(): Promise<readonly Entry[]>;
  /** The queue once so many candidates are made. */
  tested(count: number): Promise<readonly Entry[]>;
  say(commit: string, state: string): Promise<unknown>;
  isMerged(number: number): Promise<boolean>;
  tip(): Promise<string>;
}

async function aPlace(rule: Readonly<Record<string, unknown>> = {}): Promise<Place> {
  const { name } = aRepo(server, own.user, { files: { "shared.txt": "one\ntwo\nthree\n" } });
  await api("PUT", `${name}/collaborators/wri`, { permission: "write" });
  const checks = { enable_status_check: true, status_check_contexts: ["ci/*"] };
  const body = { rule_name: "main", require_merge_queue: true, ...checks, ...rule };
  expect((await api("POST", `${name}/branch_protections`, body)).status).toBe(201);
  const place: Place = {
    name,
    pull: async (branch, text = branch, path = `${branch}.txt`) => {
      const content = Buffer.from(`${text}\n`).toString("base64");
      const old = await api<{ sha: string }>("GET", `${name}/contents/${path}`);
      const file = { content, branch: "main", new_branch: branch, message: `Add ${branch}`, sha: old.body.sha };
      await api(old.status === 200 ? "PUT" : "POST", `${name}/contents/${path}`, file);
      const made = await api("POST", `${name}/pulls`, { head: branch, base: "main", title: branch });
      expect(made.status).toBe(201);
      return made.body.number;
    },
    queue: async () => (await api<Entry[]>("GET", `${name}/merge_queue`)).body,
    tested: (count) =>
      until(async () => {
        const entries = await place.queue();
        return entries.filter(({ candidate_sha }) => candidate_sha !== "").length >= count ? entries : undefined;
      }),
    say: (commit, state) => api("POST", `${name}/statuses/${commit}`, { state, context: "ci/build" }),
    isMerged: async (number) => (await api("GET", `${name}/pulls/${number}/merge`)).status === 204,
    tip: async () => (await api<{ commit: { id: string } }>("GET", `${name}/branches/main`)).body.commit.id,
  };
  return place;
}

const merged = (place: Place, number: number) => until(async () => (await place.isMerged(number)) || undefined);

test("entries are tested one onto the other, and merged in their order as the very commits that were tested", async () => {
  const place = await aPlace();
  const [a, b] = [await place.pull("a"), await place.pull("b")];
  expect((await api("POST", `${place.name}/pulls/${a}/merge`, { do: "merge" })).body.message).toContain("checks");
  for (const number of [a, b])
    expect((await api("POST", `${place.name}/pulls/${number}/queue`, { do: "merge" })).status).toBe(201);
  expect((await api("POST", `${place.name}/pulls/${a}/queue`, {})).status).toBe(409);
  const [first, second] = await place.tested(2);
  expect([first?.number, first?.position, second?.number, second?.position]).toEqual([a, 1, b, 2]);
  expect(first?.onto_sha).toBe(await place.tip());
  expect(second?.onto_sha).toBe(first?.candidate_sha ?? "");
  expect((await api<{ ref: string }[]>("GET", `${place.name}/git/refs`)).body.map(({ ref }) => ref)).toContain(
    `refs/merge-queue/${a}`,
  );
  // The second is good before the first is: it waits for its turn.
  await place.say(second?.candidate_sha ?? "", "success");
  expect(await place.isMerged(b)).toBe(false);
  await place.say(first?.candidate_sha ?? "", "success");
  await merged(place, b);
  expect(await place.isMerged(a)).toBe(true);
  expect(await place.tip()).toBe(second?.candidate_sha ?? "");
  expect(await place.queue()).toEqual([]);
  const pull = await api<{ merge_commit_sha: string }>("GET", `${place.name}/pulls/${a}`);
  expect(pull.body.merge_commit_sha).toBe(first?.candidate_sha ?? "");
  await until(async () => {
    const refs = await api<{ ref: string }[]>("GET", `${place.name}/git/refs`);
    return refs.body.some(({ ref }) => ref.startsWith("refs/merge-queue/")) ? undefined : true;
  });
});

test("an entry whose checks fail is thrown out, and those behind it are tested without it", async () => {
  const place = await aPlace();
  const [a, b] = [await place.pull("a"), await place.pull("b")];
  for (const number of [a, b]) await api("POST", `${place.name}/pulls/${number}/queue`, { do: "squash" });
  const [first, second] = await place.tested(2);
  await place.say(first?.candidate_sha ?? "", "failure");
  const left = await until(async () => {
    const [only, ...others] = await place.queue();
    return only?.number === b && others.length === 0 && only.onto_sha === (await place.tip()) ? only : undefined;
  });
  expect(left.candidate_sha).not.toBe(second?.candidate_sha ?? "");
  const timeline = await api<{ type: string; body: string }[]>("GET", `${place.name}/issues/${a}/timeline`);
  expect(timeline.body.filter(({ type }) => type.startsWith("pull_") && type !== "pull_push")).toMatchObject([
    { type: "pull_queued" },
    { type: "pull_unqueued", body: "checks" },
  ]);
  await place.say(left.candidate_sha, "success");
  await merged(place, b);
  expect(await place.isMerged(a)).toBe(false);
});

test("without checks to wait for, merges are made at once in their order; what does not fit is thrown out", async () => {
  const place = await aPlace({ enable_status_check: false });
  const pulls = [
    await place.pull("a", "one\nA\nthree", "shared.txt"),
    await place.pull("b", "one\nB\nthree", "shared.txt"),
    await place.pull("c"),
  ];
  expect((await api("POST", `${place.name}/pulls/${pulls[0]}/merge`, { do: "merge" })).body.message).toContain("queue");
  for (const number of pulls) await api("POST", `${place.name}/pulls/${number}/queue`, {});
  await merged(place, pulls[2] ?? 0);
  expect(await Promise.all(pulls.map((number) => place.isMerged(number)))).toEqual([true, false, true]);
  const timeline = await api<{ type: string; body: string }[]>("GET", `${place.name}/issues/${pulls[1]}/timeline`);
  expect(timeline.body.find(({ type }) => type === "pull_unqueued")?.body).toBe("conflict");
});

test("a push to the head, closing and taking out end the wait; a base that moves has all tested anew", async () => {
  const place = await aPlace();
  const [a, b, c, d] = [await place.pull("a"), await place.pull("b"), await place.pull("c"), await place.pull("d")];
  for (const number of [a, b, c, d]) await api("POST", `${place.name}/pulls/${number}/queue`, {}, wri);
  const before = await place.tested(4);
  const file = { content: Buffer.from("more\n").toString("base64"), branch: "a", message: "More" };
  await api("POST", `${place.name}/contents/more.txt`, file);
  await api("PATCH", `${place.name}/pulls/${b}`, { state: "closed" });
  expect((await api("DELETE", `${place.name}/pulls/${c}/queue`)).status).toBe(204);
  expect((await api("DELETE", `${place.name}/pulls/${c}/queue`)).status).toBe(404);
  const last = await until(async () => {
    const [only, ...others] = await place.queue();
    return only?.number === d && others.length === 0 && only.onto_sha === (await place.tip()) ? only : undefined;
  });
  expect(last.candidate_sha).not.toBe(before[3]?.candidate_sha ?? "");
  for (const [number, why] of [
    [a, "pushed"],
    [b, "closed"],
    [c, "removed"],
  ]) {
    const { body } = await api<{ type: string; body: string }[]>("GET", `${place.name}/issues/${number}/timeline`);
    expect(body.find(({ type }) => type === "pull_unqueued")?.body).toBe(String(why));
  }
});

test("who may not merge adds nothing; approvals are asked, and a queue that no rule wants is none", async () => {
  const place = await aPlace({ required_approvals: 1 });
  const a = await place.pull("a");
  const rea = await aUser(server);
  expect((await api("POST", `${place.name}/pulls/${a}/queue`, {}, rea)).status).toBe(405);
  expect((await api("POST", `${place.name}/pulls/${a}/queue`, {})).body.message).toContain("approvals");
  expect((await api("POST", `${place.name}/pulls/${a}/queue`, { do: "fast-forward-only" })).status).toBe(405);
  expect((await api("POST", `${place.name}/pulls/${a}/queue`, { do: "shuffle" })).status).toBe(422);
  expect((await api("POST", `${place.name}/pulls/${a}/reviews`, { event: "APPROVED" }, wri)).status).toBe(200);
  expect((await api("POST", `${place.name}/pulls/${a}/queue`, { head_commit_id: "0".repeat(40) })).status).toBe(409);
  expect((await api("POST", `${place.name}/pulls/${a}/queue`, {})).status).toBe(201);
  const other = await aPlace({ require_merge_queue: false });
  const b = await other.pull("b");
  expect((await api("POST", `${other.name}/pulls/${b}/queue`, {})).status).toBe(405);
  expect(server.errors).toEqual([]);
});

test("a scheduled merge becomes a turn in the queue", async () => {
  const place = await aPlace();
  const a = await place.pull("a");
  const later = { do: "merge", merge_when_checks_succeed: true };
  expect((await api("POST", `${place.name}/pulls/${a}/merge`, later)).status).toBe(201);
  const [first] = await place.tested(1);
  await place.say(first?.candidate_sha ?? "", "success");
  await merged(place, a);
});

test("a scheduled merge that is cancelled while it is made does not happen", async () => {
  const place = await aPlace({ require_merge_queue: false, enable_status_check: false });
  const number = await place.pull("late");
  const { pullMerges, pulls } = server.services;
  const { id } = (await api<{ id: number }>("GET", `${place.name}/issues/${number}`)).body;
  const item = pulls.byId(asAccount(own.user), id);
  if (!item) throw new Error("the pull request is not there");
  const words = {
    style: "merge",
    title: "",
    message: "",
    commitId: "",
    headCommitId: "",
    deletesBranch: false,
  } as const;
  const waited = { ...words, isForced: false, isScheduled: false, hasWaited: true };
  const before = await place.tip();
  await expect(pullMerges.merge(item, waited)).rejects.toBeInstanceOf(NotFound);
  expect(await place.isMerged(number)).toBe(false);
  expect(await place.tip()).toBe(before);
});
