import { describe, expect, test } from "bun:test";
import type { Credentials } from "../../src/access/credentials.ts";
import { anonymous, asAccount, type Principal } from "../../src/access/principal.ts";
import type { User } from "../../src/access/user.ts";
import { BodyMemory } from "../../src/http/body-memory.ts";
import { type Accounts, Guard, type GuardOptions, type Incoming } from "../../src/http/guard.ts";
import { noContent } from "../../src/http/respond.ts";
import type { Access, Call, Route, Surface } from "../../src/http/route.ts";
import { Subjects } from "../../src/http/subject.ts";
import { ghost } from "../../src/identity/system-users.ts";
import { Failure, Forbidden, NotFound, Redirected, Unauthorised } from "../../src/kernel/errors.ts";

/** The order in which the guard decides, with identities, accounts and things made up for it. */

declare module "../../src/http/subject.ts" {
  interface SubjectKinds {
    shelf: { needs: { readonly level: "read" | "write" }; found: string };
  }
}

const account = (id: number, login: string, facts: Partial<User> = {}): User => ({
  ...ghost,
  id,
  login,
  kind: "individual",
  ...facts,
});
const ada = account(1, "ada");
const root = account(2, "root", { isAdmin: true });
const switchedOff = account(3, "off");

/** No body is read before the guard has decided. */
const bodies = new BodyMemory({ maxBytes: 0, seconds: 0, parseLarge: () => Promise.reject(new Error("unread")) });

/** What stands in the way of a request, or does not. */
interface Situation {
  readonly surface?: Surface;
  readonly method?: Route["method"];
  readonly access?: Partial<Access>;
  readonly options?: Partial<GuardOptions>;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Who the credentials turn out to be of; an error: they are wrong. */
  readonly principal?: Principal | Error;
  readonly renewed?: boolean;
  readonly problems?: Readonly<Record<string, ReturnType<Accounts["accountProblem"]>>>;
  /** Whether the shelf that the path names is seen and may be used. */
  readonly shelf?: "missing" | "closed" | "open";
}

interface Decision {
  readonly call: Call | undefined;
  /** `status code` of the refusal, or `status location` of the redirect. */
  readonly refusal: string | undefined;
  readonly credentials: Credentials | undefined;
  readonly answerHeaders: Headers;
}

async function decisionOn(situation: Situation): Promise<Decision> {
  const { surface = "api", method = "GET", target = "/shelves/oak", principal = anonymous } = situation;
  let credentials: Credentials | undefined;
  const subjects = new Subjects();
  subjects.add("shelf", {
    find: ({ params }) => {
      if (situation.shelf === "missing") throw new NotFound();
      return params["name"] ?? "";
    },
    require: (_found, { level }) => {
      if (situation.shelf === "closed") throw new Forbidden(`shelf.needs-${level}`);
    },
    standing: (name) => name,
  });
  const guard = new Guard(
    {
      identify: async (brought) => {
        credentials = brought;
        if (principal instanceof Error) throw principal;
        return { principal, renewed: situation.renewed ?? false };
      },
      present: (present) => present,
      actingAs: () => {},
    },
    {
      byLogin: (login) => [ada, root, switchedOff].find((each) => each.login === login),
      accountProblem: ({ login }) => situation.problems?.[login],
    },
    subjects,
    {
      rootUrl: "https://h.example/",
      requireSignin: false,
      sessionDays: 7,
      confirmAddresses: false,
      proxySignIn: { believed: "off", user: "x-user", email: "x-email", fullName: "x-name" },
      bodyLimitBytes: 1000,
      pageSizes: { standard: 30, largest: 50 },
      changes: () => 0,
      ...situation.options,
    },
  );
  const route: Route = {
    method,
    path: "/shelves/:name",
    surface,
    access: {
      who: "anyone",
      subject: { kind: "shelf", level: "read" },
      scopes: ["repository"],
      publicOnly: "filtered",
      ...situation.access,
    },
    handle: () => noContent(),
  };
  const request = new Request(`https://h.example${target}`, { method, headers: { ...situation.headers } });
  const [path = "", query = ""] = target.split("?");
  const incoming: Incoming = {
    request,
    target,
    path,
    query: new URLSearchParams(query),
    requestId: "r",
    address: "127.0.0.1",
    throughProxy: false,
    bodyShare: bodies.open("127.0.0.1"),
    startedAt: 0,
    answerHeaders: new Headers(),
    keepOpen: () => {},
  };
  const { answerHeaders } = incoming;
  try {
    const call = await guard.admit(route, incoming);
    return { answerHeaders, credentials, call, refusal: undefined };
  } catch (error) {
    const refusal =
      error instanceof Redirected
        ? `${error.status} ${error.location}`
        : error instanceof Failure
          ? `${error.status} ${error.code}`
          : String(error);
    return { answerHeaders, credentials, call: undefined, refusal };
  }
}

const readingToken = (user: User, publicOnly = false): Principal => ({
  ...asAccount(user),
  via: "token",
  scope: { categories: { misc: "read" }, publicOnly },
});

/** Each step leaves out one more thing that was wrong; what is left is refused for the next reason. */
async function expectInTurn(worst: Situation, steps: readonly (readonly [mended: Situation, refusal: string])[]) {
  let situation = worst;
  for (const [mended, refusal] of steps) {
    situation = { ...situation, ...mended };
    expect((await decisionOn(situation)).refusal).toBe(refusal);
  }
  return situation;
}

describe("the order of decisions", () => {
  test("on the API: path, credentials, account, the other account, scopes, what the path names, rights on it, Basic", async () => {
    const last = await expectInTurn(
      {
        target: "/shelves/%ff?sudo=nobody",
        method: "POST",
        headers: { "sec-fetch-site": "cross-site" },
        principal: new Unauthorised("access.wrong"),
        problems: { ada: "prohibited", root: "prohibited", off: "prohibited" },
        access: { who: "admin", publicOnly: "refused", basicOnly: true },
        shelf: "missing",
      },
      [
        [{}, "400 request.malformed-path"],
        [{ target: "/shelves/oak?sudo=nobody" }, "401 access.wrong"],
        [{ principal: readingToken(ada, true) }, "403 access.account-disabled"],
        [{ problems: { off: "prohibited" } }, "403 access.sudo-refused"],
        [{ principal: readingToken(root, true) }, "404 access.sudo-unknown"],
        [{ target: "/shelves/oak?sudo=off" }, "403 access.account-disabled"],
        [{ target: "/shelves/oak?sudo=ada" }, "403 access.public-only-refused"],
        [{ principal: readingToken(root) }, "403 access.scope-missing"],
        [{ principal: asAccount(root) }, "404 not-found"],
        [{ shelf: "closed" }, "403 access.site-admin-required"],
        [{ target: "/shelves/oak" }, "403 shelf.needs-read"],
        [{ shelf: "open" }, "401 access.basic-required"],
      ],
    );
    const { call } = await decisionOn({ ...last, principal: { ...asAccount(root), basic: true } });
    expect([call?.principal.user?.login, call?.params["name"], call?.found.shelf]).toEqual(["root", "oak", "oak"]);
  });

  test("on pages: origin, credentials, account, closed site, what the path names, who", async () => {
    const signIn = "303 /user/login";
    await expectInTurn(
      {
        surface: "page",
        method: "POST",
        headers: { "sec-fetch-site": "cross-site" },
        principal: new Unauthorised("access.wrong"),
        problems: { ada: "must-change-password" },
        options: { requireSignin: true },
        access: { who: "user" },
        shelf: "missing",
      },
      [
        [{}, "403 access.cross-origin"],
        [{ headers: { "sec-fetch-site": "same-origin" } }, "401 access.wrong"],
        [{ principal: asAccount(ada) }, "303 /user/settings/change_password"],
        [{ principal: anonymous }, signIn],
        [{ options: {} }, "404 not-found"],
        [{ shelf: "closed" }, signIn],
        [{ access: { who: "anyone" } }, "403 shelf.needs-read"],
      ],
    );
  });

  test("a visitor of a closed site is not told whether a thing exists, and the door stays open", async () => {
    const closed = { options: { requireSignin: true } };
    for (const shelf of ["missing", "open"] as const) {
      expect((await decisionOn({ ...closed, shelf })).refusal).toBe("403 access.site-closed");
      expect((await decisionOn({ ...closed, shelf, surface: "page" })).refusal).toBe(
        "303 /user/login?redirect_to=%2Fshelves%2Foak",
      );
    }
    expect((await decisionOn({ ...closed, surface: "page", access: { beforeSignIn: true } })).call).toBeDefined();
    expect((await decisionOn({ ...closed, surface: "git" })).call).toBeDefined();
  });
});

describe("credentials", () => {
  const everything = {
    target: "/shelves/oak?token=in-query",
    headers: { authorization: "token in-header", cookie: "__Host-hearth_session=in-cookie" },
  };
  const cases: [Surface, (string | null | undefined)[]][] = [
    ["api", ["token in-header", "in-query", undefined]],
    ["git", ["token in-header", "in-query", undefined]],
    ["page", [null, null, "in-cookie"]],
    ["bytes", ["token in-header", "in-query", "in-cookie"]],
    ["open", [null, null, undefined]],
  ];
  test.each(cases)("that count on %s", async (surface, expected) => {
    const { credentials } = await decisionOn({ ...everything, surface });
    expect([credentials?.authorization, credentials?.queryToken, credentials?.sessionSecret]).toEqual(expected);
  });

  test("a token in the query is warned of, and a remembered session that was prolonged sends its cookie again", async () => {
    expect((await decisionOn(everything)).answerHeaders.get("x-gitea-warning")).toContain("deprecated");
    const value = `${"a".repeat(20)}:${"b".repeat(64)}`;
    const cookieFor = async (name: string) =>
      (await decisionOn({ surface: "page", headers: { cookie: `${name}=${value}` }, renewed: true })).answerHeaders.get(
        "set-cookie",
      );
    expect(await cookieFor("__Host-hearth_remember")).toContain(`__Host-hearth_remember=${value}; Path=/; HttpOnly`);
    expect(await cookieFor("__Host-hearth_session")).toBeNull();
  });
});

describe("acting as someone else", () => {
  test("is for administrators, keeps the token's scopes, and is off on pages", async () => {
    const token = { ...readingToken(root), scope: { categories: { repository: "read" as const }, publicOnly: false } };
    const { call } = await decisionOn({ principal: token, headers: { sudo: "ada" } });
    expect([call?.principal.user?.login, call?.principal.scope]).toEqual(["ada", token.scope]);
    expect((await decisionOn({ principal: token, headers: { sudo: "ada" }, method: "POST" })).refusal).toBe(
      "403 access.scope-missing",
    );
    const page = await decisionOn({ principal: asAccount(root), headers: { sudo: "ada" }, surface: "page" });
    expect(page.call?.principal.user?.login).toBe("root");
  });
});

describe("accounts that may not act yet", () => {
  test.each([
    ["inactive", { confirmAddresses: true }, {}, "403 access.account-not-activated"],
    ["inactive", {}, {}, "403 access.account-disabled"],
    ["must-change-password", {}, {}, "403 access.password-change-required"],
    ["must-change-password", {}, { unfinishedAccounts: true }, undefined],
    ["two-factor-required", {}, {}, "403 access.two-factor-required"],
    ["two-factor-required", {}, { setsUpTwoFactor: true }, undefined],
    ["must-change-password", {}, { setsUpTwoFactor: true }, "403 access.password-change-required"],
    ["prohibited", {}, { unfinishedAccounts: true }, "403 access.account-disabled"],
  ] as const)("%s with %o on %o", async (problem, options, access, refusal) => {
    const situation = { principal: asAccount(ada), problems: { ada: problem }, options, access };
    expect((await decisionOn(situation)).refusal).toBe(refusal);
  });
});

describe("where an unsafe request of a browser comes from", () => {
  test.each([
    [{}, true],
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ "sec-fetch-site": "none" }, true],
    [{ "sec-fetch-site": "same-site" }, false],
    [{ "sec-fetch-site": "cross-site", origin: "https://h.example" }, false],
    [{ origin: "https://h.example" }, true],
    [{ origin: "https://evil.example" }, false],
    [{ origin: "https://h.example.evil.example" }, false],
    [{ origin: "null" }, false],
    [{ origin: "behind.proxy", host: "behind.proxy" }, false],
    [{ origin: "http://behind.proxy", host: "behind.proxy" }, true],
    [{ referer: "https://h.example/a/b" }, true],
    [{ referer: "https://evil.example/h.example" }, false],
    [{ referer: "nothing" }, false],
  ] as const)("%o", async (headers, isOurs) => {
    const decision = await decisionOn({ surface: "page", method: "POST", headers: { ...headers } });
    expect(decision.refusal).toBe(isOurs ? undefined : "403 access.cross-origin");
    expect((await decisionOn({ surface: "page", method: "GET", headers: { ...headers } })).refusal).toBeUndefined();
  });
});
