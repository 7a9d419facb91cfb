/** Every view with sample props, by the path the gallery serves it at. */

import { codeLines } from "../../src/markup/code-lines.ts";
import type { SafeHtml } from "../../src/markup/safe-html.ts";
import { defaultRuleSettings } from "../../src/protections/branches/types.ts";
import { ProfilePage, ProfileRepos, type ProfileUser } from "../../web/account/profile.tsx";
import { SecurityPage } from "../../web/account/security.tsx";
import { AccountSettingsPage, ProfileSettingsPage } from "../../web/account/settings.tsx";
import { TokensPage } from "../../web/account/tokens.tsx";
import { EditUserPage, NewUserPage } from "../../web/admin/user-forms.tsx";
import { AdminUsersPage } from "../../web/admin/users.tsx";
import { BranchesPage, TagsPage } from "../../web/content/branches.tsx";
import { CommitPage, type CommitPageProps } from "../../web/content/commit.tsx";
import { CommitsPage } from "../../web/content/commits.tsx";
import { type FileBody, FilePage } from "../../web/content/file.tsx";
import { EmptyRepoPage, RepoHomePage } from "../../web/content/home.tsx";
import { TreePage } from "../../web/content/tree.tsx";
import { ExploreReposPage, ExploreUsersPage } from "../../web/explore/explore.tsx";
import type { RepoQuery } from "../../web/explore/repo-query.ts";
import { FollowCard } from "../../web/follows/button.tsx";
import { ActivityCard, DashboardPage, ReposCard } from "../../web/home/dashboard.tsx";
import { LandingPage } from "../../web/home/landing.tsx";
import { ChangePasswordPage, RegisterPage, SetupPage } from "../../web/identity/register.tsx";
import { SignInPage, SignOutPage } from "../../web/identity/sign-in.tsx";
import type { JSX } from "../../web/jsx/types.ts";
import { ErrorPage } from "../../web/layout/error-page.tsx";
import { BranchSettingsPage, type RuleItem } from "../../web/protections/branches.tsx";
import { BranchRulePage } from "../../web/protections/rule.tsx";
import { valuesOf } from "../../web/protections/rule-form.ts";
import { TagSettingsPage } from "../../web/protections/tags.tsx";
import { CollaboratorsPage } from "../../web/repos/collaborators.tsx";
import { NewRepoPage } from "../../web/repos/new.tsx";
import { RepoGeneralSettingsPage } from "../../web/repos/settings.tsx";
import * as sample from "./samples.ts";
import { VocabularyPage } from "./vocabulary.tsx";

const { shell, visitor, repo, refs, NOW, HOUR, DAY } = sample;
const main = { kind: "branch", name: "main" } as const;
const pages = (total: number, page = 3) => ({ page, perPage: 20, total, href: "/explore/repos?q=x" });
const sha = sample.commit(1).sha;

const rules: readonly RuleItem[] = [
  {
    ...{ id: 1, name: "main", push: "listed", allowsForce: false, needsSignatures: true, needsChecks: true },
    approvals: 2,
  },
  {
    ...{ id: 2, name: "release/**", push: "nobody", allowsForce: true, needsSignatures: false, needsChecks: false },
    approvals: 0,
  },
];
const ruleNames = { push: ["ada"], forcePush: [], merge: [], bypass: [], approvals: [] };

const user: ProfileUser = {
  name: "ada",
  fullName: "Ada Lovelace",
  description: "Poetical science.",
  location: "London",
  website: "https://example.org/ada",
  email: "ada@example.org",
  joinedAt: NOW - 900 * DAY,
  isSiteAdmin: true,
};

const adminUser = {
  isRestricted: false,
  mayCreateOrganizations: true,
  maxRepoCreation: -1,
  website: "",
  location: "",
  description: "",
  id: 2,
  name: "grace",
  fullName: "Grace Hopper",
  email: "grace@example.org",
  isActive: true,
  isSiteAdmin: false,
  mayNotSignIn: false,
  mustChangePassword: true,
  repoCount: 12,
  hasSecondFactor: false,
  createdAt: NOW - 90 * DAY,
};

const diffOf = (style: "unified" | "split"): CommitPageProps["diff"] => ({
  files: sample.files,
  style,
  href: "/commit",
});

const commitOf: CommitPageProps["commit"] = {
  sha,
  subject: "Carry digits without a second pass over the columns",
  body: {
    text: "The first pass left a carry behind when all columns were nines:\nthe last column took it and no one looked again.\n\nFixes #12.",
  },
  author: sample.ada,
  authoredAt: NOW - 3 * HOUR,
  committer: sample.grace,
  committedAt: NOW - 2 * HOUR,
  parents: [sample.commit(2).sha],
  branches: ["main"],
  tags: ["v1.2.0"],
  signature: { by: { name: "ada", key: "38EA3BCED732982C", trust: "trusted" }, reason: "" },
};

const code = (lines: readonly SafeHtml[]): FileBody => ({
  kind: "code",
  html: codeLines(lines),
  lineCount: lines.length,
});

const file = (body: FileBody, path = "src/mill/columns.ts", more: object = {}) => (
  <FilePage
    shell={shell}
    repo={repo}
    at={main}
    commitSha={sha}
    path={path}
    refs={refs}
    latest={sample.commit(1)}
    sizeBytes={4711}
    language="TypeScript"
    body={body}
    {...more}
  />
);

const about = {
  website: "https://example.org/engine",
  topics: ["brass", "punched-cards", "mathematics"],
  sizeBytes: 138_000_000,
  licenses: [{ name: "AGPL-3.0", href: "/ada/engine/src/branch/main/LICENSE" }],
  languages: sample.languages,
};

const home = (count?: number) => (
  <RepoHomePage
    shell={shell}
    repo={repo}
    at={main}
    refs={refs}
    latest={sample.commit(0)}
    entries={sample.entries(count)}
    readme={{ name: "README.md", href: "/ada/engine/src/branch/main/README.md", html: sample.readmeHtml }}
    about={about}
  />
);

/** Path in the gallery -> what is shown there. */
const picture = {
  action: "/user/settings/avatar",
  name: "ada",
};

const anyRepo: RepoQuery = {
  query: "",
  sort: "recentupdate",
  filters: {
    archived: undefined,
    fork: undefined,
    language: "",
    mirror: undefined,
    private: undefined,
    template: undefined,
    topic: undefined,
  },
};

export const GALLERY: Record<string, () => JSX.Element> = {
  "/vocabulary": () => <VocabularyPage />,
  "/dashboard": () => (
    <DashboardPage
      shell={{ ...shell, flash: { kind: "success", text: "Repository ada/engine was created." } }}
      main={[<ActivityCard items={sample.activity} />]}
      side={[<ReposCard repos={{ items: sample.repos, total: 34, query: "", page: 1, perPage: 15 }} />]}
    />
  ),
  "/dashboard-new": () => (
    <DashboardPage
      shell={shell}
      main={[<ActivityCard items={[]} />]}
      side={[<ReposCard repos={{ items: [], total: 0, query: "", page: 1, perPage: 15 }} />]}
    />
  ),
  "/landing": () => <LandingPage shell={visitor} repos={sample.repos} />,
  "/sign-in": () => (
    <SignInPage
      takesPasskeys
      takesPasswords
      links={[{ name: "GitHub", href: "/user/oauth2/GitHub" }]}
      shell={visitor}
      form={{ values: { user_name: "ada" }, errors: { form: "Username or password is incorrect." } }}
      redirectTo="/ada/engine"
    />
  ),
  "/sign-out": () => <SignOutPage shell={shell} />,
  "/register": () => (
    <RegisterPage
      shell={visitor}
      form={{
        values: { user_name: "ada", email: "ada@" },
        errors: { email: "This is no e-mail address.", retype: "The passwords differ." },
      }}
      minPassword={10}
    />
  ),
  "/setup": () => <SetupPage shell={visitor} form={{}} minPassword={10} action="/user/setup" />,
  "/change-password": () => <ChangePasswordPage shell={shell} form={{}} minPassword={10} />,
  "/explore": () => (
    <ExploreReposPage
      shell={visitor}
      repos={sample.repos}
      asked={anyRepo}
      languages={[
        { language: "TypeScript", count: 120 },
        { language: "C", count: 3 },
      ]}
      pages={pages(190)}
    />
  ),
  "/explore-none": () => (
    <ExploreReposPage
      shell={visitor}
      repos={[]}
      asked={{ ...anyRepo, query: "zzz", sort: "newest" }}
      languages={[]}
      pages={pages(0, 1)}
    />
  ),
  "/explore-users": () => (
    <ExploreUsersPage
      which="users"
      shell={visitor}
      users={[{ name: "ada", fullName: "Ada Lovelace", location: "London", joinedAt: NOW - 900 * DAY }]}
      query=""
      sort="newest"
      pages={pages(1, 1)}
    />
  ),
  "/profile": () => (
    <ProfilePage
      shell={shell}
      user={user}
      isSelf
      head={<FollowCard name="ada" state="own" followers={1200} following={1} />}
      foot={null}
      tabs={[
        { label: "Repositories", icon: "repo", href: "/ada?tab=repositories", count: 34, current: true },
        { label: "Public activity", icon: "history", href: "/ada?tab=activity" },
      ]}
    >
      <ProfileRepos
        user="ada"
        repos={sample.repos}
        href="/ada?tab=repositories"
        asked={anyRepo}
        languages={[]}
        pages={pages(34, 1)}
      />
    </ProfilePage>
  ),
  "/new-repo": () => (
    <NewRepoPage
      shell={shell}
      form={{
        values: { repo_name: "my engine", description: "" },
        errors: { repo_name: "Only letters, digits, dash, dot and underscore." },
      }}
      owners={[{ value: "1", label: "ada" }]}
      isPrivate
      autoInit={false}
      gitignores={["Node", "Go"]}
      licenses={["MIT", "AGPL-3.0"]}
      labelSets={["Default"]}
    />
  ),
  "/repo": () => home(),
  "/repo-200": () => home(200),
  "/repo-empty": () => <EmptyRepoPage shell={shell} repo={{ ...repo, isEmpty: true }} />,
  "/repo-empty-visitor": () => (
    <EmptyRepoPage
      shell={visitor}
      repo={{ ...repo, visibility: "public", isEmpty: true, may: { write: false, propose: false, administer: false } }}
    />
  ),
  "/repo-archived": () => (
    <TreePage
      shell={visitor}
      repo={{
        ...repo,
        visibility: "public",
        archivedAt: NOW - DAY,
        forkOf: { owner: "grace", name: "engine" },
        may: { write: false, propose: false, administer: false },
      }}
      at={{ kind: "tag", name: "v1.2.0" }}
      path="src/mill/columns/of/the/first/order"
      refs={{ ...refs, hasMore: true }}
      latest={sample.commit(2)}
      entries={sample.entries(8)}
    />
  ),
  "/file": () => file(code(sample.sourceLines()), "src/mill/columns.ts", { hasHiddenCharacters: true }),
  "/file-7281": () => file(code(sample.sourceLines(662))),
  "/file-markdown": () => file({ kind: "document", html: sample.readmeHtml }, "README.md", { display: "rendered" }),
  "/file-image": () => file({ kind: "image" }, "cards/hole.svg"),
  "/file-too-large": () => file({ kind: "too-large" }, "cards/all.txt"),
  "/commits": () => (
    <CommitsPage
      shell={shell}
      repo={repo}
      at={main}
      path=""
      refs={refs}
      commits={Array.from({ length: 50 }, (_, at) => sample.commit(at))}
      older="/ada/engine/commits/branch/main?page=2"
    />
  ),
  "/commit": () => <CommitPage shell={shell} repo={repo} commit={commitOf} diff={diffOf("unified")} />,
  "/commit-split": () => <CommitPage shell={shell} repo={repo} commit={commitOf} diff={diffOf("split")} />,
  "/branches": () => (
    <BranchesPage
      from={main}
      shell={shell}
      repo={repo}
      defaultBranch={{ ...branch("main", 0), isProtected: true, mayDelete: false, mayRename: true }}
      branches={refs.branches.slice(1).map((name, at) => branch(name, at + 1))}
      query=""
      pages={{ page: 1, perPage: 20, total: 3, href: "/ada/engine/branches" }}
    />
  ),
  "/tags": () => (
    <TagsPage
      shell={shell}
      repo={repo}
      tags={refs.tags.map((name, at) => ({
        name,
        sha: sample.commit(at).sha,
        at: NOW - at * 40 * DAY,
        message: `Release ${name}`,
        mayDelete: true,
        mayRename: true,
      }))}
      query=""
      pages={{ page: 1, perPage: 20, total: 31, href: "/ada/engine/tags" }}
    />
  ),
  "/repo-settings": () => (
    <RepoGeneralSettingsPage
      shell={shell}
      repo={repo}
      form={{}}
      isTemplate={false}
      picture={picture}
      binDays={7}
      trustModel="default"
      features={{ on: new Set(), projectsMode: "all" }}
      isOwner
      isFork={false}
      hasWiki
    />
  ),
  "/repo-collaborators": () => (
    <CollaboratorsPage
      shell={shell}
      repo={repo}
      collaborators={[{ id: 2, person: sample.grace, mode: "write" }]}
      form={{ values: { collaborator: "nobody" }, errors: { collaborator: "There is no such account." } }}
    />
  ),
  "/repo-branch-settings": () => (
    <BranchSettingsPage shell={shell} repo={repo} branches={refs.branches} rules={rules} form={{}} limits={{}} />
  ),
  "/repo-settings-rule": () => (
    <BranchRulePage
      shell={shell}
      repo={repo}
      rule="release/**"
      values={valuesOf({ name: "release/**", settings: defaultRuleSettings }, { users: ruleNames, teams: ruleNames })}
      hasTeams
    />
  ),
  "/repo-settings-tags": () => (
    <TagSettingsPage
      shell={shell}
      repo={repo}
      rules={[{ id: 1, pattern: "v*", users: ["ada", "grace"], teams: [] }]}
      edited={undefined}
      form={{
        values: { name_pattern: "/(/" },
        errors: { name_pattern: "/(/ is neither a glob nor a regular expression." },
      }}
      hasTeams={false}
    />
  ),
  "/settings": () => (
    <ProfileSettingsPage
      shell={shell}
      form={{ values: { name: "ada", full_name: "Ada Lovelace", visibility: "0" } }}
      keepEmailPrivate
      picture={picture}
      keepActivityPrivate={false}
    />
  ),
  "/settings-account": () => (
    <AccountSettingsPage
      shell={shell}
      canConfirm
      emails={[
        { id: 1, address: "ada@example.org", isPrimary: true, isVerified: true, isProven: true },
        { id: 2, address: "lovelace@example.org", isPrimary: false, isVerified: true, isProven: true },
        { id: 3, address: "byron@example.org", isPrimary: false, isVerified: false, isProven: false },
      ]}
      emailForm={{}}
      passwordErrors={{ old_password: "That is not the present password." }}
      minPassword={10}
    />
  ),
  "/settings-tokens": () => (
    <TokensPage
      shell={shell}
      tokens={[
        {
          id: 1,
          name: "laptop",
          scopes: ["write:repository", "read:user"],
          lastEight: "9f31ab02",
          createdAt: NOW - 30 * DAY,
          usedAt: NOW - HOUR,
        },
        {
          id: 2,
          name: "backup",
          scopes: ["read:repository", "public-only"],
          lastEight: "77ab12cd",
          createdAt: NOW - 300 * DAY,
        },
      ]}
      created={{ name: "laptop", secret: "0123456789abcdef0123456789abcdef01234567" }}
      form={{ values: {} }}
    />
  ),
  "/settings-sessions": () => (
    <SecurityPage
      cards={[]}
      shell={shell}
      sessions={[
        {
          id: "a",
          device: "Firefox on Linux",
          address: "192.0.2.7",
          startedAt: NOW - DAY,
          usedAt: NOW - DAY,
          expiresAt: NOW + 30 * DAY,
          isCurrent: true,
        },
        {
          id: "b",
          device: "Safari on iPhone",
          address: "2001:db8::7",
          startedAt: NOW - 9 * DAY,
          usedAt: NOW - 9 * DAY,
          expiresAt: NOW + 29 * DAY,
          isCurrent: false,
        },
      ]}
    />
  ),
  "/admin-users": () => (
    <AdminUsersPage
      shell={shell}
      users={[
        {
          ...adminUser,
          id: 1,
          name: "ada",
          fullName: "Ada Lovelace",
          isSiteAdmin: true,
          mustChangePassword: false,
          hasSecondFactor: true,
          lastSignInAt: NOW - HOUR,
        },
        adminUser,
        { ...adminUser, id: 3, name: "charles", fullName: "Charles Babbage", mayNotSignIn: true },
      ]}
      query=""
      sort="alphabetically"
      state={undefined}
      pages={{ page: 1, perPage: 50, total: 3, href: "/-/admin/users" }}
    />
  ),
  "/admin-user-new": () => <NewUserPage shell={shell} form={{}} mustChangePassword minPassword={10} />,
  "/admin-user-edit": () => (
    <EditUserPage
      shell={shell}
      user={adminUser}
      form={{}}
      isSelf={false}
      cards={[]}
      unconfirmed={[{ id: 4, email: "byron@example.org" }]}
    />
  ),
  "/error-404": () => (
    <ErrorPage shell={visitor} status={404} suggestions={[{ label: "The same path on main", href: "/ada/engine" }]} />
  ),
  "/error-500": () => <ErrorPage shell={shell} status={500} requestId="01JD3M7Q2X" />,
};

function branch(name: string, at: number) {
  const last = sample.commit(at);
  return {
    name,
    sha: last.sha,
    subject: last.subject,
    at: last.at,
    isProtected: false,
    divergence: at === 0 ? undefined : { ahead: at * 3, behind: at * 17 },
    mayDelete: true,
    mayRename: true,
  };
}
