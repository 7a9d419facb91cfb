import { asAccount, operator } from "../../src/access/principal.ts";
import type { Repo } from "../../src/repos/types.ts";
import { aRepo, aServer, aSession, aToken, aUser, call, type TestServer, type TestUser } from "../builders.ts";

/** One server with everyone a rule speaks of, and a repository of each kind. */

/** People who are the same whatever repository they ask for; `owner` is the owner of the one asked for. */
export const people = [
  "stranger",
  "restricted",
  "reader",
  "writer",
  "coadmin",
  "siteAdmin",
  "deactivated",
  "prohibited",
  "mustChange",
] as const;
export type PersonName = (typeof people)[number];
export type ActorName = "anonymous" | "owner" | PersonName;
export const actorNames: readonly ActorName[] = ["anonymous", "owner", ...people];

export const repoKinds = ["public", "private", "ofLimited", "ofPrivate", "archived"] as const;
export type RepoKind = (typeof repoKinds)[number];

export interface Person extends TestUser {
  /** The Cookie header of a signed-in browser. */
  readonly cookie: string;
}

export interface RepoSample {
  readonly repo: Repo;
  readonly owner: Person;
  readonly commit: string;
  readonly tree: string;
  readonly blob: string;
  readonly annotatedTag: string;
}

export interface World {
  readonly server: TestServer;
  readonly people: Readonly<Record<PersonName, Person>>;
  readonly repos: Readonly<Record<RepoKind, RepoSample>>;
  principal(name: ActorName, kind?: RepoKind): Person | undefined;
}

export async function aPerson(server: TestServer, request: Parameters<typeof aUser>[1] = {}): Promise<Person> {
  const user = await aUser(server, request);
  return { ...user, cookie: await aSession(server, user.user) };
}

/** A repository with a file, a branch `dev`, an annotated tag `v1`, and what clients need to ask for its objects. */
export async function aSample(
  server: TestServer,
  owner: Person,
  request: Parameters<typeof aRepo>[2] = {},
): Promise<RepoSample> {
  const made = aRepo(server, owner.user, {
    files: {
      "README.md": `# ${request.name ?? "sample"}\n`,
      ".editorconfig": "root = true\n[*]\nindent_style = tab\n",
      "src/a.txt": `of ${request.name}\n`,
    },
    ...request,
  });
  const at = `/api/v1/repos/${owner.login}/${made.name}`;
  const token = aToken(server, owner.user, ["all"]);
  const tag = await call<{ id: string; commit: { sha: string } }>(server, "POST", `${at}/tags`, {
    token,
    body: { tag_name: "v1", message: "The first", target: "main" },
  });
  await call(server, "POST", `${at}/branches`, { token, body: { new_branch_name: "dev", old_ref_name: "main" } });
  const tree = await call<{ tree: { path: string; sha: string }[] }>(server, "GET", `${at}/git/trees/main`, { token });
  const treeId = tree.body.tree.find((entry) => entry.path === "src")?.sha ?? "";
  const commit = tag.body.commit.sha;
  const blob = tree.body.tree.find((entry) => entry.path === "README.md")?.sha ?? "";
  const repo = server.services.repos.byId(made.id) ?? made;
  return { repo, owner, commit, tree: treeId, blob, annotatedTag: tag.body.id };
}

export function collaborate(server: TestServer, sample: RepoSample, person: Person, level: string): void {
  const { repos, collaborators } = server.services;
  const principal = asAccount(sample.owner.user);
  const seen = repos.see(principal, sample.owner.login, sample.repo.name, () => "");
  collaborators.put(seen, person.user, level);
}

export async function aWorld(): Promise<World> {
  const server = await aServer({ registration: "open" });
  const { identity, repos } = server.services;
  const siteAdmin = await aPerson(server, { login: "siteadmin", isAdmin: true });
  const person = (login: string, request: Parameters<typeof aUser>[1] = {}) => aPerson(server, { login, ...request });
  const [olga, lim, hestia] = await Promise.all([
    person("olga"),
    person("lima", { visibility: "limited" }),
    person("hestia", { visibility: "private" }),
  ]);
  const [stranger, restricted, reader, writer, coadmin, deactivated, prohibited, mustChange] = await Promise.all([
    person("stranger"),
    person("restricted", { isRestricted: true }),
    person("reader"),
    person("writer"),
    person("coadmin"),
    person("deactivated"),
    person("prohibited"),
    person("mustchange", { mustChangePassword: true }),
  ]);
  // Numbers 4 and 5, after the three that are built in.
  const application = { name: "app", redirectUris: [], isConfidential: true, skipsLaterConsent: false };
  server.services.oauth2Applications.create(asAccount(olga.user), "own", application);
  server.services.oauth2Applications.create(asAccount(siteAdmin.user), "site", application);
  const samples = {
    public: await aSample(server, olga, { name: "open" }),
    private: await aSample(server, olga, { name: "secret", isPrivate: true }),
    ofLimited: await aSample(server, lim, { name: "lim" }),
    ofPrivate: await aSample(server, hestia, { name: "hid" }),
    archived: await aSample(server, olga, { name: "old" }),
  };
  for (const sample of Object.values(samples)) {
    collaborate(server, sample, reader, "read");
    collaborate(server, sample, writer, "write");
    collaborate(server, sample, coadmin, "admin");
    for (const outsider of [deactivated, prohibited, mustChange]) collaborate(server, sample, outsider, "write");
  }
  const old = repos.see(asAccount(olga.user), "olga", "old", () => "");
  repos.edit(old, { isArchived: true });
  await identity.edit(operator, deactivated.user, { isActive: false });
  await identity.edit(operator, prohibited.user, { prohibitLogin: true });
  // Those edits end sessions; a new one stands for a session that was forgotten.
  const again = async (who: Person): Promise<Person> => ({ ...who, cookie: await aSession(server, who.user) });
  const everyone = {
    stranger,
    restricted,
    reader,
    writer,
    coadmin,
    siteAdmin,
    deactivated: await again(deactivated),
    prohibited: await again(prohibited),
    mustChange,
  };
  return {
    server,
    people: everyone,
    repos: samples,
    principal: (name, kind) =>
      name === "anonymous" ? undefined : name === "owner" ? samples[kind ?? "public"].owner : everyone[name],
  };
}
