import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { operator } from "../../src/access/principal.ts";
import { Secret } from "../../src/secrets/secret.ts";
import { anOrganization, aServer, aSession, aTeam, aUser, call, type TestServer } from "../builders.ts";
import { aPage, type Visitor, wordsOf } from "../web/browser-calls.ts";
import { aProvider, type TestProvider } from "./a-provider.ts";

const password = "correct horse battery";
let server: TestServer;
let auto: TestServer;
let provider: TestProvider;
beforeAll(async () => {
  provider = await aProvider();
  const allow = { "network.allow": ["loopback"] };
  [server, auto] = await Promise.all([
    aServer({ ...allow, "sign_in.newcomers": "ask" }),
    aServer({ ...allow, "sign_in.newcomers": "auto", "mail.confirm_addresses": true }),
  ]);
  await Promise.all([server, auto].map((each) => aUser(each, { login: "root", isAdmin: true, password: true })));
});
afterAll(async () => {
  await Promise.all([server.close(), auto.close()]);
  provider.close();
});

let counter = 0;

async function aSource(settings: Record<string, string | boolean> = {}, more: object = {}, at = server) {
  return at.services.sources.add(operator, "oauth2", {
    name: `provider ${++counter}`,
    settings: {
      provider: "openidConnect",
      clientId: "hearth",
      discoveryUrl: `${provider.url}/.well-known/openid-configuration`,
      ...settings,
    },
    secret: new Secret("the secret"),
    ...more,
  });
}

const path = (address: string) => `${new URL(address).pathname}${new URL(address).search}`;

/** The browser goes to the provider, which approves, and comes back. */
async function arrive(visitor: Visitor, source: { name: string }, query = "") {
  const there = await visitor.get(`/user/oauth2/${encodeURIComponent(source.name)}${query}`);
  expect(there.status).toBe(307);
  return visitor.get(path(provider.approve(there.location)));
}

const person = (more: Record<string, unknown> = {}) => {
  const sub = `s-${++counter}`;
  return {
    sub,
    preferred_username: sub,
    name: "Ada Lovelace",
    email: `${sub}@example.com`,
    email_verified: true,
    ...more,
  };
};

describe("someone new", () => {
  test("sees the provider on the sign-in page, makes an account, and is signed in by it from then on", async () => {
    const source = await aSource();
    const visitor = aPage(server);
    const page = await visitor.get("/user/login?redirect_to=%2Fexplore%2Frepos");
    const href = `/user/oauth2/${encodeURIComponent(source.name)}?redirect_to=%2Fexplore%2Frepos`;
    expect(page.text).toContain(`href="${href}"`);
    provider.claims = person({ preferred_username: "Zoë Müller", email_verified: true });
    const back = await arrive(visitor, source, "?redirect_to=%2Fexplore%2Frepos");
    expect([back.status, back.location]).toEqual([303, "/user/link_account"]);
    const asked = await visitor.get("/user/link_account");
    expect(asked.text).toContain('value="Zoe-Muller"');
    const taken = await visitor.post("/user/link_account_signup", { user_name: "root", email: "zoe@example.com" });
    expect([taken.status, wordsOf(taken.text).includes("This name is taken")]).toEqual([422, true]);
    const made = await visitor.post("/user/link_account_signup", {
      user_name: "Zoe-Muller",
      email: String(provider.claims["email"]),
    });
    expect([made.status, made.location]).toEqual([303, "/explore/repos"]);
    const user = server.services.identity.byLogin("zoe-muller");
    expect([user?.fullName, user?.sourceId, user?.hasPassword, user?.isAdmin]).toEqual([
      "Ada Lovelace",
      source.id,
      false,
      false,
    ]);
    expect(server.services.identity.byEmails([user?.email ?? ""]).size).toBe(1);
    const again = aPage(server);
    expect((await arrive(again, source, "?redirect_to=%2Fissues")).location).toBe("/issues");
    const security = wordsOf((await again.get("/user/settings/security")).text);
    expect(security).toContain(`${source.name} Zoë Müller`);
    expect(wordsOf((await again.get("/user/settings/account")).text)).toContain(`You sign in by ${source.name}`);
    // The page is worth nothing once it was answered.
    expect((await visitor.get("/user/link_account")).status).toBe(303);
  });

  test("whose address the provider does not vouch for has it unproven", async () => {
    const source = await aSource({}, {}, auto);
    provider.claims = person({ email_verified: false });
    const visitor = aPage(auto);
    expect((await arrive(visitor, source)).location).toBe("/");
    const user = auto.services.identity.byLogin(String(provider.claims["sub"]));
    expect([user?.isActive, auto.services.identity.byEmails([user?.email ?? ""]).size]).toEqual([true, 0]);
    expect(auto.services.identity.byEmail(user?.email ?? "")).toBeUndefined();
  });

  test("gets an account at once where the site says so, but never another's", async () => {
    const source = await aSource({}, {}, auto);
    const { user } = await aUser(auto, { password: true });
    provider.claims = person({ preferred_username: user.login, email: user.email });
    const visitor = aPage(auto);
    const back = await arrive(visitor, source);
    expect([back.location, visitor.jar.has("hearth_session")]).toEqual(["/user/link_account", false]);
    expect(auto.services.outsideAccounts.of(operator, user)).toEqual([]);
  });

  test("is told so where the site is closed to them", async () => {
    await using closed = await aServer({ "network.allow": ["loopback"], "sign_in.linking": false });
    await aUser(closed, { isAdmin: true });
    const source = await aSource({}, {}, closed);
    provider.claims = person();
    const visitor = aPage(closed);
    const back = await arrive(visitor, source);
    expect(back.location).toBe("/user/login?stay=1");
    expect(wordsOf((await visitor.get(back.location)).text)).toContain("There is no account here for you");
  });
});

test("a newcomer with two tabs gets one account", async () => {
  const source = await aSource({}, {}, auto);
  provider.claims = person();
  const answers = await Promise.all([1, 2, 3].map(() => arrive(aPage(auto), source)));
  expect(answers.map(({ location }) => location)).toEqual(["/", "/", "/"]);
  expect(auto.services.identity.byLogin(String(provider.claims["sub"]))?.sourceId).toBe(source.id);
});

describe("an account that is there", () => {
  test("is linked by its password, and by the second factor where it has one", async () => {
    const source = await aSource();
    const { user, login } = await aUser(server, { password });
    provider.claims = person();
    const visitor = aPage(server);
    await arrive(visitor, source);
    const wrong = await visitor.post("/user/link_account_signin", { user_name: login, password: "wrong" });
    expect([wrong.status, visitor.jar.has("hearth_session")]).toEqual([422, false]);
    const linked = await visitor.post("/user/link_account_signin", { user_name: login, password });
    expect([linked.status, linked.location]).toEqual([303, "/"]);
    const again = aPage(server);
    await arrive(again, source);
    expect((await again.get("/user/settings")).text).toContain(`value="${login}"`);
    expect(user.sourceId).toBe(0);
  });

  test("links itself when it is signed in, by a form and not by the link alone", async () => {
    const source = await aSource();
    const { user } = await aUser(server, { password });
    const cookie = (await aSession(server, user)).split("=");
    const visitor = aPage(server, new Map([[cookie[0] ?? "", cookie[1] ?? ""]]));
    provider.claims = person();
    expect((await arrive(visitor, source)).location).toBe("/user/link_account");
    expect(server.services.outsideAccounts.of(operator, user)).toEqual([]);
    expect(wordsOf((await visitor.get("/user/link_account")).text)).toContain(`Link to ${user.login}`);
    expect((await visitor.post("/user/link_account_signin")).location).toBe("/user/settings/security");
    const [linked] = server.services.outsideAccounts.of(operator, user);
    expect(linked).toMatchObject({ sourceId: source.id, issuer: provider.url, subject: provider.claims["sub"] });
    const other = await aUser(server, { password });
    const foreign = aPage(
      server,
      new Map([["hearth_session", (await aSession(server, other.user)).split("=")[1] ?? ""]]),
    );
    const refused = await foreign.post("/user/settings/security/account_link", {
      id: String(source.id),
      issuer: provider.url,
      subject: String(provider.claims["sub"]),
    });
    expect(refused.status).toBe(404);
    const gone = await visitor.post("/user/settings/security/account_link", {
      id: String(source.id),
      issuer: provider.url,
      subject: String(provider.claims["sub"]),
    });
    expect([gone.status, server.services.outsideAccounts.of(operator, user)]).toEqual([303, []]);
  });

  test("that an administrator switched off stays off (rule H16)", async () => {
    const source = await aSource({}, {}, auto);
    provider.claims = person();
    await arrive(aPage(auto), source);
    const user = auto.services.identity.byLogin(String(provider.claims["sub"]));
    if (!user) throw new Error("no account was made");
    await auto.services.identity.edit(operator, user, { isActive: false });
    const visitor = aPage(auto);
    expect((await arrive(visitor, source)).location).toBe("/user/login?stay=1");
    expect([visitor.jar.has("hearth_session"), auto.services.identity.byId(user.id)?.isActive]).toEqual([false, false]);
  });

  test("is not found by a subject of another issuer", async () => {
    const other = await aProvider();
    const source = await aSource({}, {}, auto);
    provider.claims = person();
    await arrive(aPage(auto), source);
    const user = auto.services.identity.byLogin(String(provider.claims["sub"]));
    await auto.services.sources.edit(operator, source.id, {
      settings: { discoveryUrl: `${other.url}/.well-known/openid-configuration` },
    });
    other.claims = { ...provider.claims, preferred_username: "someone-else", email: "else@example.com" };
    const visitor = aPage(auto);
    const there = await visitor.get(`/user/oauth2/${encodeURIComponent(source.name)}`);
    await visitor.get(path(other.approve(there.location)));
    expect((await visitor.get("/user/settings")).text).not.toContain(`value="${user?.login}"`);
    other.close();
  });

  test("comes in without its second factor only where the source has asked for one", async () => {
    const strict = await aSource();
    const lax = await aSource({}, { skipsSecondFactor: true });
    for (const [source, location] of [
      [strict, "/user/two_factor"],
      [lax, "/"],
    ] as const) {
      const { user } = await aUser(server, { password });
      server.core.db
        .query("INSERT INTO passcode_secrets (user_id, secret, created_at) VALUES (?, 'x', 0)")
        .run(user.id);
      provider.claims = person();
      const identity = { issuer: provider.url, subject: String(provider.claims["sub"]), name: "x" };
      server.core.db
        .query(
          `INSERT INTO outside_accounts (source_id, issuer, subject, user_id, name, created_at, last_used_at)
           VALUES (?, ?, ?, ?, ?, 0, 0)`,
        )
        .run(source.id, identity.issuer, identity.subject, user.id, identity.name);
      expect((await arrive(aPage(server), source)).location).toBe(location);
    }
  });
});

describe("what a source says of groups", () => {
  test("makes administrators and restricted people, and puts people into teams", async () => {
    const { user: owner } = await aUser(auto);
    const organization = anOrganization(auto, owner);
    const team = aTeam(auto, organization, { name: "crew" });
    const source = await aSource(
      {
        groupClaim: "groups",
        adminGroup: "admins",
        restrictedGroup: "guests",
        teamMap: JSON.stringify({ Sailors: { [organization.login]: ["crew", "missing"] }, x: { nowhere: ["y"] } }),
        removesFromTeams: true,
      },
      {},
      auto,
    );
    provider.claims = person({ groups: ["admins", "sailors"] });
    await arrive(aPage(auto), source);
    const now = () => auto.services.identity.byLogin(String(provider.claims["sub"]));
    const isIn = () => {
      const user = now();
      return user !== undefined && auto.services.teams.ofMember(organization, user).some(({ id }) => id === team.id);
    };
    expect([now()?.isAdmin, now()?.isRestricted, isIn()]).toEqual([true, false, true]);
    provider.claims = { ...provider.claims, groups: ["guests"] };
    await arrive(aPage(auto), source);
    expect([now()?.isAdmin, now()?.isRestricted, isIn()]).toEqual([false, true, false]);
  });

  test("lets in who has the claim that is required", async () => {
    const source = await aSource({ requiredClaim: "roles", requiredValue: "git" }, {}, auto);
    provider.claims = person({ roles: ["mail"] });
    expect((await arrive(aPage(auto), source)).location).toBe("/user/login?stay=1");
    provider.claims = { ...provider.claims, roles: ["mail", "git"] };
    expect((await arrive(aPage(auto), source)).location).toBe("/");
  });
});

describe("an answer that is not the provider's to this browser", () => {
  const refused = (answer: { location: string }, visitor: Visitor) =>
    expect([answer.location, visitor.jar.has("hearth_session"), visitor.jar.has("hearth_newcomer")]).toEqual([
      "/user/login?stay=1",
      false,
      false,
    ]);

  test.each([
    ["another issuer", { iss: "https://evil.example" }],
    ["another audience", { aud: "someone" }],
    ["another nonce", { nonce: "other" }],
    ["the past", { exp: 1_000_000_000 }],
    ["another subject than userinfo", { sub: "admin" }],
  ])("from %s is refused", async (_, forged) => {
    const source = await aSource();
    provider.claims = person();
    provider.forged = forged;
    const visitor = aPage(server);
    refused(await arrive(visitor, source), visitor);
    provider.forged = {};
  });

  test("signed with another key is refused", async () => {
    const source = await aSource();
    provider.claims = person();
    provider.signsWithAnotherKey = true;
    const visitor = aPage(server);
    refused(await arrive(visitor, source), visitor);
    provider.signsWithAnotherKey = false;
  });

  test("begun by another browser, with another state or for another source is refused, and so is a repeated one", async () => {
    const [source, other] = [await aSource(), await aSource()];
    provider.claims = person();
    const begin = async (visitor: Visitor) =>
      path(provider.approve((await visitor.get(`/user/oauth2/${encodeURIComponent(source.name)}`)).location));
    const attacker = aPage(server);
    const address = await begin(attacker);
    const victim = aPage(server);
    refused(await victim.get(address), victim);
    refused(await attacker.get(address.replace(/state=[^&]*/, "state=x")), attacker);
    const again = aPage(server);
    refused(
      await again.get((await begin(again)).replace(encodeURIComponent(source.name), encodeURIComponent(other.name))),
      again,
    );
    const twice = aPage(server);
    const once = await begin(twice);
    expect((await twice.get(once)).location).toBe("/user/link_account");
    const replayed = aPage(server);
    refused(await replayed.get(once), replayed);
  });

  test("from nowhere, or of no source, does nothing", async () => {
    const visitor = aPage(server);
    const source = await aSource();
    refused(await visitor.get(`/user/oauth2/${encodeURIComponent(source.name)}/callback?code=1&state=2`), visitor);
    expect((await visitor.get("/user/oauth2/nothing")).status).toBe(404);
    expect((await visitor.get("/user/oauth2/nothing/callback?code=1")).status).toBe(404);
    await server.services.sources.edit(operator, source.id, { isActive: false });
    expect((await visitor.get(`/user/oauth2/${encodeURIComponent(source.name)}`)).status).toBe(404);
    for (const path of ["/user/link_account_signin", "/user/link_account_signup"])
      expect((await visitor.post(path, { user_name: "x", email: "x@example.com" })).location).toBe(
        "/user/login?stay=1",
      );
  });

  test("a provider that the network policy forbids is never called", async () => {
    await using guarded = await aServer();
    await aUser(guarded, { isAdmin: true });
    const source = await aSource({}, {}, guarded);
    const before = provider.asked.length;
    const answer = await aPage(guarded).get(`/user/oauth2/${encodeURIComponent(source.name)}`);
    expect([answer.location, provider.asked.length]).toEqual(["/user/login?stay=1", before]);
  });
});

test("the first account of a site is made by no provider", async () => {
  await using fresh = await aServer({ "network.allow": ["loopback"], "sign_in.newcomers": "auto" });
  const source = await aSource({}, {}, fresh);
  provider.claims = person();
  expect((await arrive(aPage(fresh), source)).location).toBe("/user/login?stay=1");
  expect(fresh.services.identity.hasAnyUser()).toBe(false);
});

test.each([
  [
    "github",
    { id: 7, login: "octo", name: "Octo Cat", email: "shown@example.com" },
    [{ email: "octo@example.com", primary: true, verified: true }],
    ["octo@example.com", true],
  ],
  [
    "github",
    { id: 8, login: "octa", name: "", email: "shown@example.com" },
    [{ email: "octa@example.com", primary: true, verified: false }],
    ["octa@example.com", false],
  ],
  [
    "gitea",
    { id: 9, login: "tea", full_name: "Tea", email: "tea@example.com" },
    [{ email: "tea@example.com", primary: true, verified: true }],
    ["tea@example.com", true],
  ],
  [
    "gitlab",
    { id: 10, username: "lab", name: "Lab", email: "lab@example.com", confirmed_at: "2020-01-01" },
    undefined,
    ["lab@example.com", true],
  ],
  [
    "discord",
    { id: "11", username: "cord", global_name: "Cord", email: "cord@example.com", verified: true },
    undefined,
    ["cord@example.com", true],
  ],
  [
    "bitbucket",
    { uuid: "{12}", username: "bucket", display_name: "B" },
    { values: [{ email: "b@example.com", is_primary: true, is_confirmed: true }] },
    ["b@example.com", true],
  ],
  ["mastodon", { id: "13", username: "tusk", display_name: "T" }, undefined, ["@localhost", true]],
  [
    "nextcloud",
    { ocs: { data: { id: "cloud", displayname: "C", email: "c@example.com" } } },
    undefined,
    ["c@example.com", false],
  ],
] as const)("a profile of %s is read as it has it", async (kind, profile, emails, [email, isProven]) => {
  const source = await aSource(
    {
      provider: kind,
      usesCustomUrls: true,
      authorizationUrl: `${provider.url}/authorize`,
      tokenUrl: `${provider.url}/token`,
      profileUrl: `${provider.url}/profile`,
      emailUrl: emails ? `${provider.url}/emails` : "",
    },
    {},
    auto,
  );
  provider.claims = profile;
  provider.emails = emails;
  const visitor = aPage(auto);
  expect((await arrive(visitor, source)).location).toBe("/");
  const [user] = auto.services.identity.list(
    operator,
    { kinds: ["individual"], text: "", sourceId: source.id },
    { by: "id", descending: false },
    { page: 1, limit: 5, offset: 0 },
  ).items;
  expect(user?.email).toEndWith(email);
  expect(auto.services.identity.byEmails([user?.email ?? ""]).size === 1).toBe(isProven);
});

describe("a second Hearth as the provider", () => {
  test("signs its people in here, with their groups", async () => {
    const owner = await aUser(auto, { login: "grace", fullName: "Grace Hopper" });
    anOrganization(auto, owner.user, { login: "navy" });
    const source = await server.services.sources.add(operator, "oauth2", {
      name: "navy",
      settings: {
        provider: "openidConnect",
        clientId: "to come",
        discoveryUrl: `${auto.url}.well-known/openid-configuration`,
        groupClaim: "groups",
        adminGroup: "navy:owners",
        scopes: "groups",
      },
    });
    const { application, secret } = auto.services.oauth2Applications.create(operator, "site", {
      name: "the other one",
      redirectUris: [`${server.url}user/oauth2/navy/callback`],
      isConfidential: true,
      skipsLaterConsent: true,
    });
    await server.services.sources.edit(operator, source.id, {
      settings: { clientId: application.clientId },
      secret: new Secret(secret),
    });
    const visitor = aPage(server);
    const there = await visitor.get("/user/oauth2/navy");
    const home = aPage(auto, new Map([["hearth_session", (await aSession(auto, owner.user)).split("=")[1] ?? ""]]));
    const asked = await home.get(path(there.location));
    const { searchParams: query } = new URL(there.location);
    const back =
      asked.status === 303
        ? asked
        : await home.post("/login/oauth/grant", {
            ...Object.fromEntries(query),
            granted: "true",
          });
    expect([back.status, back.location.startsWith(`${server.url}user/oauth2/navy/callback?`)]).toEqual([303, true]);
    expect((await visitor.get(path(back.location))).location).toBe("/user/link_account");
    await visitor.post("/user/link_account_signup", { user_name: "grace", email: owner.user.email });
    const made = server.services.identity.byLogin("grace");
    expect([made?.fullName, made?.isAdmin]).toEqual(["Grace Hopper", true]);
  });
});

test("without the password form visitors go to the only provider, and passwords are refused", async () => {
  await using bare = await aServer({ "network.allow": ["loopback"], "sign_in.password_form": false });
  const { login } = await aUser(bare, { password });
  const visitor = aPage(bare);
  expect((await visitor.get("/user/login")).status).toBe(200);
  const source = await aSource({}, {}, bare);
  expect((await visitor.get("/user/login")).location).toBe(`/user/oauth2/${encodeURIComponent(source.name)}`);
  expect((await visitor.post("/user/login", { user_name: login, password })).status).toBe(403);
  // Programs have their own ways.
  expect((await call(bare, "GET", "/api/v1/user", { basic: [login, password] })).status).toBe(200);
});

describe("signing out", () => {
  const THERE = "https://login.example.com/leave";
  const signOutOf = async (settings: Record<string, string | boolean>, endSession: unknown) => {
    provider.metadata = { end_session_endpoint: endSession };
    const source = await aSource(settings, {}, auto);
    provider.claims = person();
    const visitor = aPage(auto);
    expect((await arrive(visitor, source)).location).toBe("/");
    const gone = await visitor.post("/user/logout");
    provider.metadata = {};
    expect([gone.status, visitor.jar.has("hearth_session")]).toEqual([303, false]);
    expect((await visitor.get("/user/settings")).location).toStartWith("/user/login");
    return gone.location;
  };

  test("leads to where the provider says, if the source is set so", async () => {
    const there = new URL(await signOutOf({ signsOutThere: true }, THERE));
    expect(`${there.origin}${there.pathname}`).toBe(THERE);
    expect(Object.fromEntries(there.searchParams)).toEqual({
      client_id: "hearth",
      post_logout_redirect_uri: auto.services.links.rootUrl,
    });
  });

  test("stays here otherwise, or when the provider names no place in the web", async () => {
    expect(await signOutOf({}, THERE)).toBe("/");
    expect(await signOutOf({ signsOutThere: true }, undefined)).toBe("/");
    expect(await signOutOf({ signsOutThere: true }, "javascript:alert(1)")).toBe("/");
  });

  test("stays here for whoever signed in by a password", async () => {
    provider.metadata = { end_session_endpoint: THERE };
    await aSource({ signsOutThere: true }, {}, auto);
    const { user } = await aUser(auto, { password: true });
    const visitor = aPage(auto, new Map([["hearth_session", (await aSession(auto, user)).split("=")[1] ?? ""]]));
    expect((await visitor.post("/user/logout")).location).toBe("/");
    provider.metadata = {};
  });
});
