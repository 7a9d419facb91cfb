import { asAccount, operator } from "../../src/access/principal.ts";
import type { User } from "../../src/access/user.ts";
import { type Team, teamUnits } from "../../src/organizations/types.ts";
import type { Repo } from "../../src/repos/types.ts";
import {
  anOrganization,
  aRepo,
  aServer,
  aSession,
  aTeam,
  aToken,
  aUser,
  call,
  type TestServer,
  type TestUser,
} from "../builders.ts";

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

export const repoKinds = ["public", "private", "ofLimited", "ofPrivate", "archived", "inTeams"] as const;
export type RepoKind = (typeof repoKinds)[number];

export interface Person extends TestUser {
  /** The Cookie header of a signed-in browser. */
  readonly cookie: string;
}

export interface RepoSample {
  readonly repo: Repo;
  /** Who owns it, or the organization that does. */
  readonly owner: Person;
  /** The name its address has. */
  readonly at: string;
  readonly commit: string;
  readonly tree: string;
  readonly blob: string;
  readonly annotatedTag: string;
  /** Number of a rule for tags. */
  readonly tagRule: number;
  /** Number of its milestone. */
  readonly milestone: number;
  readonly release: number;
  readonly asset: RepoSample["file"];
  /** Number of a webhook that is switched off. */
  readonly hook: number;
  /** Number of its board. */
  readonly project: number;
  /** Number of a review of pull request 2, and of its comment on a line. */
  readonly review: number;
  readonly line: number;
  /** Number of a comment under issue 1. */
  readonly comment: number;
  /** A file attached to the comment: its number, and its address. */
  readonly file: { readonly id: number; readonly uuid: string };
}

/** What a row of the route table has in its path, with the names of what there is in a repository. */
export function filledIn(at: string, sample: RepoSample): string {
  return at
    .replaceAll("<commit>", sample.commit)
    .replace("<tree>", sample.tree)
    .replace("<blob>", sample.blob)
    .replace("<tag>", sample.annotatedTag)
    .replace("<rule>", String(sample.tagRule))
    .replace("<milestone>", String(sample.milestone))
    .replace("<release>", String(sample.release))
    .replace("<hook>", String(sample.hook))
    .replace("<asset-uuid>", sample.asset.uuid)
    .replace("<project>", String(sample.project))
    .replace("<comment>", String(sample.comment))
    .replace("<review>", String(sample.review))
    .replace("<line>", String(sample.line))
    .replace("<uuid>", sample.file.uuid);
}

export interface World {
  readonly server: TestServer;
  readonly people: Readonly<Record<PersonName, Person>>;
  readonly repos: Readonly<Record<RepoKind, RepoSample>>;
  /** Of the organization acme: private, with the reader in it. */
  readonly team: Team;
  principal(name: ActorName, kind?: RepoKind): Person | undefined;
}

export async function aPerson(server: TestServer, request: Parameters<typeof aUser>[1] = {}): Promise<Person> {
  const user = await aUser(server, request);
  return { ...user, cookie: await aSession(server, user.user) };
}

/** A repository with a file, a branch `dev`, an annotated tag `v1`, a rule for branches and one for tags, issue 1, pull request 2 from the branch `work` with a review, a label and a milestone `first`, and what clients need to ask for its objects. */
export async function aSample(
  server: TestServer,
  owner: Person,
  request: Parameters<typeof aRepo>[2] & { readonly organization?: User } = {},
): Promise<RepoSample> {
  const { organization, ...fields } = request;
  const account = organization ?? owner.user;
  const made = aRepo(server, account, {
    creator: owner.user,
    files: {
      "README.md": `# ${request.name ?? "sample"}\n`,
      ".editorconfig": "root = true\n[*]\nindent_style = tab\n",
      "src/a.txt": `of ${request.name}\n`,
    },
    ...fields,
  });
  const at = `/api/v1/repos/${account.login}/${made.name}`;
  const token = aToken(server, owner.user, ["all"]);
  const tag = await call<{ id: string; commit: { sha: string } }>(server, "POST", `${at}/tags`, {
    token,
    body: { tag_name: "v1", message: "The first", target: "main" },
  });
  await call(server, "POST", `${at}/branches`, { token, body: { new_branch_name: "dev", old_ref_name: "main" } });
  const rule = await call<{ id: number }>(server, "POST", `${at}/tag_protections`, {
    token,
    body: { name_pattern: "kept-*", whitelist_usernames: [owner.login] },
  });
  await call(server, "POST", `${at}/issues`, { token, body: { title: `Of ${request.name}` } });
  await call(server, "POST", `${at}/contents/work.txt`, {
    token,
    body: { content: "d29yawo=", branch: "main", new_branch: "work" },
  });
  await call(server, "POST", `${at}/pulls`, { token, body: { title: "Work", head: "work", base: "main" } });
  const review = await call<{ id: number }>(server, "POST", `${at}/pulls/2/reviews`, {
    token,
    body: { event: "COMMENT", comments: [{ path: "work.txt", body: "Why?", new_position: 1 }] },
  });
  const lines = await call<{ id: number }[]>(server, "GET", `${at}/pulls/2/reviews/${review.body.id}/comments`, {
    token,
  });
  await call(server, "PATCH", `${at}/issues/1`, { token, body: { body: "With a text that came later" } });
  const comment = await call<{ id: number }>(server, "POST", `${at}/issues/1/comments`, {
    token,
    body: { body: "Yes" },
  });
  await call(server, "POST", `${at}/labels`, { token, body: { name: "first", color: "00aabb" } });
  const body = { title: "first" };
  const milestone = await call<{ id: number }>(server, "POST", `${at}/milestones`, { token, body });
  const release = await call<{ id: number }>(server, "POST", `${at}/releases`, {
    token,
    body: { tag_name: "v1", name: "The first" },
  });
  const hook = await call<{ id: number }>(server, "POST", `${at}/hooks`, {
    token,
    body: { type: "gitea", config: { url: "https://hooks.example.org/", content_type: "json" } },
  });
  await call(server, "POST", `${at}/actions/variables/SAMPLE`, { token, body: { value: "of workflows" } });
  await call(server, "POST", `${at}/wiki/new`, { token, body: { title: "Home", content_base64: btoa("Of all") } });
  await call(server, "POST", `${at}/branch_protections`, { token, body: { rule_name: "kept/*" } });
  const tree = await call<{ tree: { path: string; sha: string }[] }>(server, "GET", `${at}/git/trees/main`, { token });
  const seen = server.services.repos.see(asAccount(owner.user), account.login, made.name, () => "");
  const project = server.services.projects.create(seen, { title: "first", template: "kanban" });
  const treeId = tree.body.tree.find((entry) => entry.path === "src")?.sha ?? "";
  const commit = tag.body.commit.sha;
  const blob = tree.body.tree.find((entry) => entry.path === "README.md")?.sha ?? "";
  const repo = server.services.repos.byId(made.id) ?? made;
  return {
    repo,
    owner,
    at: account.login,
    review: review.body.id,
    line: lines.body[0]?.id ?? 0,
    commit,
    tree: treeId,
    blob,
    annotatedTag: tag.body.id,
    tagRule: rule.body.id,
    milestone: milestone.body.id,
    release: release.body.id,
    hook: hook.body.id,
    asset: await anAttachment(server, `${at}/releases/${release.body.id}/assets`, token),
    project: project.id,
    comment: comment.body.id,
    file: await anAttachment(server, `${at}/issues/comments/${comment.body.id}/assets`, token),
  };
}

async function anAttachment(server: TestServer, path: string, token: string): Promise<RepoSample["file"]> {
  const form = new FormData();
  form.append("attachment", new Blob(["Noted"]), "notes.txt");
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(new URL(path, server.url), { method: "POST", headers, body: form });
  return (await answer.json()) as RepoSample["file"];
}

export function collaborate(server: TestServer, sample: RepoSample, person: Person, level: string): void {
  const { repos, collaborators } = server.services;
  const principal = asAccount(sample.owner.user);
  const seen = repos.see(principal, sample.owner.login, sample.repo.name, () => "");
  collaborators.put(seen, person.user, level);
}

/**
 * The organization acme, which olga owns; its teams give the reader, the writer and the coadmin their levels on every
 * repository of it.
 */
function anAcme(
  server: TestServer,
  people: Readonly<Record<"olga" | "reader" | "writer" | "coadmin", Person>> & {
    readonly outsiders: readonly Person[];
  },
): { acme: User; crew: Team } {
  const { blocks, identity, members, organizations } = server.services;
  const acme = anOrganization(server, people.olga.user, { login: "acme" });
  const all = { includesAll: true, units: teamUnits.map((unit) => `repo.${unit}`) };
  const crew = aTeam(server, acme, { ...all, name: "crew", members: [people.reader.user] });
  const writers = [people.writer, ...people.outsiders].map(({ user }) => user);
  aTeam(server, acme, { ...all, name: "writers", permission: "write", members: writers });
  aTeam(server, acme, { name: "chiefs", permission: "admin", includesAll: true, members: [people.coadmin.user] });
  aRepo(server, acme, { name: "open", creator: people.olga.user });
  const seen = organizations.see(asAccount(people.olga.user), "acme", () => "");
  members.setPublic(seen, people.olga.user, true);
  server.services.labels.create(seen, { name: "first", color: "00aabb" });
  const blocked = identity.byLogin("lima");
  if (blocked) blocks.block(asAccount(people.olga.user), acme, blocked, "noise");
  return { acme, crew };
}

export async function aWorld(): Promise<World> {
  const server = await aServer({ registration: "open", "quota.enabled": true, "federation.enabled": true });
  server.services.quotaAdministration.addGroup(operator, "small", [
    { name: "small", limit: -1, subjects: ["size:all"] },
  ]);
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
  const { acme, crew } = anAcme(server, {
    olga,
    reader,
    writer,
    coadmin,
    outsiders: [deactivated, prohibited, mustChange],
  });
  const inTeams = await aSample(server, olga, { name: "shared", isPrivate: true, organization: acme });
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
    repos: { ...samples, inTeams },
    team: crew,
    principal: (name, kind) =>
      name === "anonymous"
        ? undefined
        : name === "owner"
          ? { ...samples, inTeams }[kind ?? "public"].owner
          : everyone[name],
  };
}

/** What stands for `:index`: the number of the sample's issue or pull request, or the base of the one between branches. */
export function indexIn(path: string): string {
  if (path.endsWith("/pulls/:index/*")) return "main";
  return path.includes("/pulls/:index") ? "2" : "1";
}
