import { describe, expect, test } from "bun:test";
import { decide, type Grant, onPages, type RepoFacts } from "../../src/access/decide.ts";
import { type Level, type Unit, units, type Visibility } from "../../src/access/levels.ts";
import { anonymous, asAccount, deployKey, jobToken, operator, type Principal } from "../../src/access/principal.ts";
import type { User } from "../../src/access/user.ts";
import { ghost } from "../../src/identity/system-users.ts";

/** The table of contract repositories.md section 4, row by row. */

const person = (id: number, facts: Partial<User> = {}): User => ({ ...ghost, id, kind: "individual", ...facts });
const owner = person(1);
const stranger = person(2);
const restricted = person(3, { isRestricted: true });
const admin = person(4, { isAdmin: true });

const repo = (isPrivate: boolean, ownerVisibility: Visibility = "public"): RepoFacts => ({
  id: 7,
  ownerId: owner.id,
  ownerVisibility,
  isPrivate,
  isBinned: false,
  units: new Set(units),
});
const publicOnly = (principal: Principal): Principal => ({
  ...principal,
  scope: { categories: { repository: "write" }, publicOnly: true },
});
const whole = (level: Level): Grant => ({ unit: undefined, level });

interface Case {
  readonly who: string;
  readonly principal: Principal;
  readonly repo: RepoFacts;
  readonly grants?: readonly Grant[];
  readonly requireSignIn?: boolean;
  readonly level: Level;
}

const cases: readonly Case[] = [
  { who: "a visitor, public", principal: anonymous, repo: repo(false), level: "read" },
  { who: "a visitor, private", principal: anonymous, repo: repo(true), level: "none" },
  { who: "a visitor, limited owner", principal: anonymous, repo: repo(false, "limited"), level: "none" },
  { who: "a visitor, closed site", principal: anonymous, repo: repo(false), requireSignIn: true, level: "none" },
  { who: "a stranger, public", principal: asAccount(stranger), repo: repo(false), level: "read" },
  { who: "a stranger, limited owner", principal: asAccount(stranger), repo: repo(false, "limited"), level: "read" },
  { who: "a stranger, private owner", principal: asAccount(stranger), repo: repo(false, "private"), level: "none" },
  {
    who: "a stranger, closed site",
    principal: asAccount(stranger),
    repo: repo(false),
    requireSignIn: true,
    level: "read",
  },
  { who: "a restricted account, public", principal: asAccount(restricted), repo: repo(false), level: "read" },
  {
    who: "a restricted account, limited owner",
    principal: asAccount(restricted),
    repo: repo(false, "limited"),
    level: "none",
  },
  {
    who: "a restricted account, closed site",
    principal: asAccount(restricted),
    repo: repo(false),
    requireSignIn: true,
    level: "none",
  },
  {
    who: "a collaborator, private",
    principal: asAccount(stranger),
    repo: repo(true),
    grants: [whole("write")],
    level: "write",
  },
  {
    who: "the highest of several grants",
    principal: asAccount(stranger),
    repo: repo(true),
    grants: [whole("read"), whole("admin")],
    level: "admin",
  },
  {
    who: "a unit alone shows the repository",
    principal: asAccount(stranger),
    repo: repo(true),
    grants: [{ unit: "issues", level: "write" }],
    level: "read",
  },
  { who: "the owner", principal: asAccount(owner), repo: repo(true, "private"), level: "owner" },
  { who: "a site administrator", principal: asAccount(admin), repo: repo(true), level: "owner" },
  { who: "the operator", principal: operator, repo: repo(true, "private"), level: "owner" },
  {
    who: "the owner's public-only token, private",
    principal: publicOnly(asAccount(owner)),
    repo: repo(true),
    level: "none",
  },
  {
    who: "the owner's public-only token, public",
    principal: publicOnly(asAccount(owner)),
    repo: repo(false),
    level: "owner",
  },
  {
    who: "an administrator's public-only token, private",
    principal: publicOnly(asAccount(admin)),
    repo: repo(true),
    level: "none",
  },
  { who: "a deploy key of the repository", principal: deployKey(7, "read"), repo: repo(true), level: "read" },
  { who: "a deploy key of another", principal: deployKey(8, "write"), repo: repo(true), level: "none" },
  {
    who: "a job of another, public",
    principal: jobToken({ repoId: 8, units: { code: "write" } }),
    repo: repo(false),
    level: "read",
  },
];

describe("the level on a repository", () => {
  for (const { who, principal, repo: facts, grants = [], requireSignIn = false, level } of cases)
    test(who, () => {
      expect(decide(principal, facts, grants, requireSignIn).level).toBe(level);
    });
});

describe("the level on a unit", () => {
  test("a unit grant is for its unit alone", () => {
    const decision = decide(asAccount(stranger), repo(true), [{ unit: "issues", level: "write" }], false);
    expect([decision.on("issues"), decision.on("code"), decision.on("wiki")]).toEqual(["write", "none", "none"]);
  });

  test("a unit grant adds to what everyone has", () => {
    const decision = decide(asAccount(stranger), repo(false), [{ unit: "issues", level: "write" }], false);
    expect([decision.on("issues"), decision.on("code")]).toEqual(["write", "read"]);
  });

  test("a unit that is shared is written by every account that reads it, and by no one else", () => {
    const shared = (isPrivate: boolean): RepoFacts => ({ ...repo(isPrivate), sharedUnit: "wiki" });
    const onWiki = (principal: Principal, facts: RepoFacts, grants: readonly Grant[] = []) =>
      decide(principal, facts, grants, false).on("wiki");
    expect(onWiki(asAccount(stranger), shared(false))).toBe("write");
    expect(onWiki(asAccount(stranger), shared(true), [whole("read")])).toBe("write");
    expect(onWiki(asAccount(stranger), shared(true), [whole("admin")])).toBe("admin");
    expect(onWiki(asAccount(stranger), shared(true))).toBe("none");
    expect(onWiki(anonymous, shared(false))).toBe("read");
    expect(onWiki(asAccount(stranger), { ...shared(false), units: new Set() })).toBe("none");
    expect(decide(asAccount(stranger), shared(false), [], false).on("code")).toBe("read");
  });

  test("an open unit is read by whom it is open to, and shows the repository as long as it is on", () => {
    const opened: RepoFacts = { ...repo(true), opened: { issues: "anyone", wiki: "accounts" } };
    const read = (principal: Principal, facts = opened, requireSignIn = false) => {
      const { level, on } = decide(principal, facts, [], requireSignIn);
      return [level, on("issues"), on("wiki"), on("code")].join(" ");
    };
    const nothing = "none none none none";
    expect(read(anonymous)).toBe("read read none none");
    expect(read(anonymous, opened, true)).toBe(nothing);
    expect(read(asAccount(restricted))).toBe("read read none none");
    expect(read(asAccount(stranger))).toBe("read read read none");
    expect(read(asAccount(stranger), opened, true)).toBe("read read read none");
    expect(read(publicOnly(asAccount(stranger)))).toBe(nothing);
    expect(read(anonymous, { ...opened, ownerVisibility: "limited" })).toBe(nothing);
    expect(read(asAccount(stranger), { ...opened, ownerVisibility: "limited" })).toBe("read read read none");
    expect(read(asAccount(stranger), { ...opened, ownerVisibility: "private" })).toBe(nothing);
    expect(read(asAccount(stranger), { ...opened, units: new Set(["code"]) })).toBe(nothing);
    expect(read(jobToken({ repoId: 99, units: {} }))).toBe("read read none none");
    expect(decide(asAccount(stranger), opened, [whole("write")], false).on("issues")).toBe("write");
  });

  test("a unit that is switched off is missing for everybody, but code, releases and actions for administrators", () => {
    const off: RepoFacts = { ...repo(true), units: new Set() };
    const on = (unit: Unit) => (level: Level) => decide(asAccount(stranger), off, [whole(level)], false).on(unit);
    const reached: readonly Unit[] = ["code", "releases", "actions"];
    for (const unit of reached) {
      expect((["read", "write", "admin"] as const).map(on(unit))).toEqual(["none", "none", "admin"]);
      expect(decide(asAccount(owner), off, [], false).on(unit)).toBe("owner");
    }
    for (const unit of units.filter((unit) => !reached.includes(unit))) {
      expect((["read", "write", "admin"] as const).map(on(unit))).toEqual(["none", "none", "none"]);
      for (const principal of [asAccount(owner), asAccount(admin), operator])
        expect(decide(principal, off, [], false).on(unit)).toBe("none");
    }
  });

  test("on pages nobody sees a unit that is switched off", () => {
    const decision = decide(asAccount(owner), repo(true), [], false);
    const shown = onPages(decision, new Set(["issues"]));
    expect([shown.level, shown.on("issues"), shown.on("code")]).toEqual(["owner", "owner", "none"]);
  });

  test("a deploy key reaches the code alone", () => {
    const decision = decide(deployKey(7, "write"), repo(true), [], false);
    expect([decision.on("code"), decision.on("issues")]).toEqual(["write", "none"]);
  });

  test("a job reaches what it was given", () => {
    const job = jobToken({ repoId: 7, units: { code: "read", packages: "write" } });
    const decision = decide(job, repo(true), [], false);
    expect(units.map((unit) => decision.on(unit))).toEqual([
      "read",
      "none",
      "none",
      "none",
      "none",
      "none",
      "write",
      "none",
    ]);
  });
});
