import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Unit } from "../../src/access/levels.ts";
import { anonymous, type Principal } from "../../src/access/principal.ts";
import { LiveHub } from "../../src/live/hub.ts";
import { aRepo, aServer, aSession, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { untilHolds } from "../until.ts";

/** What a listener has been sent, as far as it has been. */
class Listener {
  text = "";
  readonly ended: Promise<void>;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.ended = (async () => {
      const decoder = new TextDecoder();
      for await (const part of stream) this.text += decoder.decode(part, { stream: true });
    })();
  }

  async until(part: string): Promise<void> {
    while (!this.text.includes(part)) await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("a topic", () => {
  let hub: LiveHub;
  /** What the area that owns the topic says. */
  let allowed: Set<Unit | undefined>;
  let present: boolean;
  const principal: Principal = { ...anonymous };
  beforeEach(() => {
    allowed = new Set([undefined, "code"]);
    present = true;
    hub = new LiveHub();
    hub.refreshWith((who) => (present ? who : undefined));
    hub.declareTopic("thing", (_, id, unit) => id === "1" && allowed.has(unit));
  });
  afterEach(() => hub.close());

  test("that no one declared, or that one may not listen to, looks as if it were not there", () => {
    for (const topic of ["other:1", "thing:2", "thing", ""])
      expect(() => hub.subscribe(topic, principal)).toThrow("not-found");
    present = false;
    expect(() => hub.subscribe("thing:1", principal)).toThrow("not-found");
  });

  test("brings messages of the units that one may read, and no others", async () => {
    const listener = new Listener(hub.subscribe("thing:1", principal));
    hub.publish("thing:1", { event: "a", data: "for all" });
    hub.publish("thing:1", { event: "b", data: "of code", unit: "code" });
    hub.publish("thing:1", { event: "c", data: "of issues", unit: "issues" });
    hub.publish("thing:1", { event: "d", data: "two\nlines" });
    await listener.until("lines");
    expect(listener.text).toBe(
      ": listening\n\nevent: a\ndata: for all\n\nevent: b\ndata: of code\n\nevent: d\ndata: two\ndata: lines\n\n",
    );
  });

  test("sends those away who may not listen any more, when access changes and before any message", async () => {
    const stays = new Listener(hub.subscribe("thing:1", principal));
    await hub.accessChanged({ userId: null });
    expect(hub.hasListeners("thing:1")).toBe(true);
    allowed.clear();
    await hub.accessChanged({ userId: null });
    await stays.ended;
    allowed.add(undefined);
    const other = new Listener(hub.subscribe("thing:1", principal));
    present = false;
    hub.publish("thing:1", { event: "secret", data: "secret" });
    await other.ended;
    expect(other.text).toBe(": listening\n\n");
    expect(hub.hasListeners("thing:1")).toBe(false);
  });
});

describe("what happens in all repositories", () => {
  const listening = async (server: TestServer, who?: TestUser) => {
    const headers: Record<string, string> = who ? { cookie: await aSession(server, who.user) } : {};
    const answer = await fetch(`${server.url}explore/events`, { headers });
    expect(answer.status).toBe(200);
    const listener = new Listener(answer.body!);
    await listener.until("listening");
    return listener;
  };
  /** Without what comes at its own time: an index of code that is up to date. */
  const kindsOf = ({ text }: Listener) =>
    [...text.matchAll(/^event: (.*)$/gm)]
      .map(([, kind = ""]) => kind)
      .filter((kind) => kind !== "code.indexed")
      .sort();

  test("is told to each listener as far as they may read it, by unit", async () => {
    await using server = await aServer();
    const [owner, friend, stranger] = [await aUser(server), await aUser(server), await aUser(server)];
    const hidden = aRepo(server, owner.user, { name: "hidden", isPrivate: true });
    const open = aRepo(server, owner.user, { name: "open" });
    const { collaborators, live, repos } = server.services;
    const seen = repos.seeById({ ...anonymous, user: owner.user, via: "session" }, hidden.id);
    if (!seen) throw new Error("the owner does not see the repository");
    collaborators.put(seen, friend.user, "read");
    // Both are in the feed, so what comes is of what follows.
    const entries = server.core.db.query<{ n: number }>("SELECT count(*) AS n FROM activities");
    await untilHolds(() => entries.get()?.n === 2);
    const listeners = {
      owner: await listening(server, owner),
      friend: await listening(server, friend),
      stranger: await listening(server, stranger),
      visitor: await listening(server),
    };
    const ask = (method: string, path: string, body?: object) =>
      call(server, method, `/api/v1/repos/${owner.login}/${path}`, { token: owner.token, body: body ?? {} });
    const heard = () => Object.fromEntries(Object.entries(listeners).map(([who, each]) => [who, kindsOf(each)]));
    const untilAll = async (kind: string) => {
      live.publish("repositories:all", { event: kind, data: "" });
      for (const each of Object.values(listeners)) await each.until(`event: ${kind}\n`);
    };

    await ask("POST", "hidden/contents/a.txt", { content: "" });
    for (const kind of ["activity.changed", "refs.changed"]) await listeners.friend.until(`event: ${kind}`);
    await untilAll("first");
    const pushed = ["activity.changed", "first", "refs.changed"];
    expect(heard()).toEqual({ owner: pushed, friend: pushed, stranger: ["first"], visitor: ["first"] });

    // A unit that is switched off is told of to the owner alone.
    for (const each of Object.values(listeners)) each.text = "";
    await ask("PATCH", "hidden", { has_issues: false });
    for (const kind of ["access.changed", "repo.edited"]) await listeners.friend.until(`event: ${kind}`);
    live.publish("repositories:all", { event: "of-issues", data: "", repoId: hidden.id, unit: "issues" });
    await untilAll("second");
    const { friend: told, visitor } = heard();
    expect([told, visitor]).toEqual([["access.changed", "repo.edited", "second"], ["second"]]);

    // What everyone saw is gone for everyone; what is private is told to who still has it.
    for (const each of Object.values(listeners)) each.text = "";
    await ask("PATCH", "open", { private: true });
    await ask("DELETE", "hidden");
    for (const kind of ["repo.hidden", "repo.deleted"]) await listeners.owner.until(`event: ${kind}`);
    await untilAll("third");
    for (const who of ["friend", "stranger", "visitor"] as const)
      expect([who, kindsOf(listeners[who])]).toEqual([who, ["repo.hidden", "third"]]);
    expect(kindsOf(listeners.owner)).toEqual(expect.arrayContaining(["repo.hidden", "repo.deleted"]));
    expect(repos.byId(open.id)?.isPrivate).toBe(true);
  });
});

describe("the topic of a repository", () => {
  test("ends at once for a collaborator who is removed, without a message, and goes on for the others", async () => {
    await using server = await aServer();
    const [owner, friend] = [await aUser(server), await aUser(server)];
    const { collaborators, repos, live } = server.services;
    const repo = aRepo(server, owner.user, { isPrivate: true });
    const as = async (who: typeof owner) => {
      const cookie = await aSession(server, who.user);
      const answer = await fetch(`${server.url}${owner.login}/${repo.name}/-/events`, { headers: { cookie } });
      expect(answer.status).toBe(200);
      const listener = new Listener(answer.body!);
      await listener.until("listening");
      return listener;
    };
    const seen = repos.seeById({ ...anonymous, user: owner.user, via: "session" }, repo.id);
    if (!seen) throw new Error("the owner does not see the repository");
    collaborators.put(seen, friend.user, "read");
    const own = await as(owner);
    const theirs = await as(friend);
    collaborators.remove(seen, friend.user);
    await theirs.ended;
    live.publish(`repo:${repo.id}`, { event: "later", data: "1" });
    await own.until("later");
    expect(theirs.text).not.toContain("later");
  });
});
