import type { RepoKind } from "./world.ts";

/**
 * Who may use which route, written by hand from the contract, never from the declarations: the matrix compares the
 * two. A route without a row fails the test, and so does a row without a route.
 */

export type Level = "none" | "read" | "write" | "admin" | "owner";
export type Scope = "user" | "repository" | "admin" | "organization";

export interface Row {
  /** How it is asked: which credentials count, and how a refusal looks. */
  readonly surface: "api" | "page" | "bytes" | "git" | "open";
  readonly who: "anyone" | "user" | "admin" | "own-or-admin";
  /** Level needed on the repository. */
  readonly level?: Exclude<Level, "none">;
  /** Level that is asked for later than the rest, by the handler. */
  readonly laterLevel?: "write";
  /** An archived repository answers 423. */
  readonly notArchived?: true;
  /** How one must stand to the organization acme, or to its private team crew. */
  readonly organization?: "member" | "owner";
  readonly team?: "reader" | "audience" | "owner";
  /** The account that `:username` stands for, where it is not olga. */
  readonly username?: string;
  /** Scope categories a token must hold, all of them. */
  readonly scopes?: readonly Scope[];
  /** A public-only token is refused here whatever it asks for. */
  readonly noPublicOnly?: true;
  readonly basicOnly?: true;
  /** Open to accounts that must change their password; `any`: to every signed-in account whatever its state. */
  readonly unfinished?: true;
  /** On git's routes: what is asked for. */
  readonly git?: "pull" | "push";
  /** What stands for `*` and other parameters, or the whole query. */
  readonly at?: string;
  readonly query?: string;
  /** The handler is replaced, because what it does cannot be undone. */
  readonly harmful?: true;
}

const open: Row = { surface: "open", who: "anyone" };
const publicApi: Row = { surface: "api", who: "anyone" };
const signedInApi: Row = { surface: "api", who: "user" };
const ofUser: Row = { surface: "api", who: "user", scopes: ["user"] };
const ofUserAlone: Row = { ...ofUser, noPublicOnly: true };
const siteAdmin: Row = { surface: "api", who: "admin", scopes: ["admin"] };
const ownTokens: Row = { surface: "api", who: "own-or-admin", scopes: ["user"], basicOnly: true };
const reads: Row = { surface: "api", who: "anyone", level: "read", scopes: ["repository"] };
const readsSignedIn: Row = { ...reads, who: "user" };
const writes: Row = { surface: "api", who: "user", level: "write", scopes: ["repository"], notArchived: true };
const editsFiles: Row = { ...writes, level: "read", laterLevel: "write" };
const administers: Row = { surface: "api", who: "user", level: "admin", scopes: ["repository"] };
const owns: Row = { ...administers, level: "owner" };
const publicPage: Row = { surface: "page", who: "anyone" };
const gatePage: Row = { surface: "page", who: "anyone", unfinished: true };
const ownPage: Row = { surface: "page", who: "user" };
const adminPage: Row = { surface: "page", who: "admin" };
const repoPage: Row = { surface: "page", who: "anyone", level: "read" };
const readsPage: Row = { surface: "page", who: "user", level: "read" };
const writesPage: Row = { surface: "page", who: "user", level: "write", notArchived: true };
const repoAdminPage: Row = { surface: "page", who: "user", level: "admin" };
const memberPage: Row = { surface: "page", who: "user", organization: "member" };
const ownerPage: Row = { surface: "page", who: "user", organization: "owner" };
const teamPage: Row = { surface: "page", who: "user", team: "reader" };
const ownerTeamPage: Row = { surface: "page", who: "user", team: "owner" };
const pull: Row = { surface: "git", who: "anyone", git: "pull" };
const push: Row = { surface: "git", who: "anyone", git: "push" };
const bytesOf: Row = { surface: "bytes", who: "anyone", level: "read", scopes: ["repository"] };

const seesOrganization: Row = { surface: "api", who: "anyone", scopes: ["organization"] };
const inOrganization: Row = { surface: "api", who: "user", scopes: ["organization"] };
const memberOfIt: Row = { ...inOrganization, organization: "member" };
const ownerOfIt: Row = { ...inOrganization, organization: "owner" };
const readsTeam: Row = { ...inOrganization, team: "reader" };
const aboutTeam: Row = { ...inOrganization, team: "audience" };
const ownsTeam: Row = { ...inOrganization, team: "owner" };
const memberships: Row = { surface: "api", who: "user", scopes: ["user", "organization"] };

const picture: Row = { surface: "bytes", who: "anyone", unfinished: true };

const harmful = { harmful: true } as const;
const R = "/api/v1/repos/:owner/:repo";
const O = "/api/v1/orgs/:org";
const T = "/api/v1/teams/:id";

export const table: Readonly<Record<string, Row | readonly Row[]>> = {
  "GET /api/v1/version": publicApi,
  "GET /api/healthz": open,
  "GET /api/v1/settings/api": publicApi,
  "GET /api/v1/settings/ui": publicApi,
  "GET /api/v1/settings/repository": publicApi,
  "GET /api/v1/settings/attachment": publicApi,
  "GET /api/v1/gitignore/templates": publicApi,
  "GET /api/v1/gitignore/templates/:name": { ...publicApi, at: "Go" },
  "GET /api/v1/licenses": publicApi,
  "GET /api/v1/licenses/:name": { ...publicApi, at: "MIT" },
  "GET /api/v1/label/templates": publicApi,
  "GET /api/v1/label/templates/:name": { ...publicApi, at: "Default" },
  "GET /.well-known/nodeinfo": open,
  "GET /api/v1/nodeinfo": publicApi,
  "POST /api/v1/markdown": signedInApi,
  "POST /api/v1/markdown/raw": signedInApi,
  "POST /api/v1/markup": signedInApi,
  [`POST ${R}/markdown`]: readsSignedIn,
  [`POST ${R}/markdown/raw`]: readsSignedIn,
  [`POST ${R}/markup`]: readsSignedIn,
  "GET /api/v1/signing-key.gpg": publicApi,
  "GET /api/v1/signing-key.pub": publicApi,
  "GET /swagger.v1.json": { ...bytesOf, level: undefined, scopes: [] } as Row,
  "GET /openapi3.v1.json": { ...bytesOf, level: undefined, scopes: [] } as Row,
  "GET /api/v1/swagger": { ...bytesOf, level: undefined, scopes: [] } as Row,
  "GET /api/swagger": { ...bytesOf, level: undefined, scopes: [] } as Row,
  "GET /api/swagger/:file": { ...open, at: "init.js" },

  "POST /api/v1/user/keys": ofUserAlone,
  "GET /api/v1/user/keys": ofUserAlone,
  "GET /api/v1/user/keys/:id": { ...ofUserAlone, at: "1" },
  "DELETE /api/v1/user/keys/:id": { ...ofUserAlone, at: "1" },
  "GET /api/v1/users/:username/keys": ofUser,
  "POST /api/v1/admin/users/:username/keys": siteAdmin,
  "DELETE /api/v1/admin/users/:username/keys/:id": { ...siteAdmin, at: "1" },
  "POST /api/v1/user/gpg_keys": ofUserAlone,
  "GET /api/v1/user/gpg_keys": ofUserAlone,
  "GET /api/v1/user/gpg_keys/:id": { ...ofUserAlone, at: "1" },
  "DELETE /api/v1/user/gpg_keys/:id": { ...ofUserAlone, at: "1" },
  "GET /api/v1/user/gpg_key_token": ofUserAlone,
  "POST /api/v1/user/gpg_key_verify": ofUserAlone,
  "GET /api/v1/users/:username/gpg_keys": ofUser,
  [`POST ${R}/keys`]: administers,
  [`GET ${R}/keys`]: administers,
  [`GET ${R}/keys/:id`]: { ...administers, at: "1" },
  [`DELETE ${R}/keys/:id`]: { ...administers, at: "1" },

  "GET /api/v1/admin/users": siteAdmin,
  "POST /api/v1/admin/users": siteAdmin,
  "PATCH /api/v1/admin/users/:username": siteAdmin,
  "DELETE /api/v1/admin/users/:username": { ...siteAdmin, ...harmful },
  "POST /api/v1/admin/users/:username/rename": { ...siteAdmin, ...harmful },
  "GET /api/v1/admin/cron": { ...siteAdmin, noPublicOnly: true },
  "POST /api/v1/admin/cron/:task": { ...siteAdmin, noPublicOnly: true, at: "check", ...harmful },
  "GET /api/v1/admin/emails": siteAdmin,
  "GET /api/v1/admin/emails/search": siteAdmin,
  "POST /api/v1/admin/users/:username/repos": { ...siteAdmin, noPublicOnly: true },

  [`GET ${R}/archive/*`]: { ...reads, at: "main.zip" },
  [`GET ${R}/zipball/*`]: { ...reads, at: "main" },
  [`GET ${R}/tarball/*`]: { ...reads, at: "main" },
  [`GET ${R}/bundle/*`]: { ...reads, at: "main" },
  "GET /:owner/:repo/archive/*": { ...bytesOf, at: "main.zip" },
  "POST /:owner/:repo/archive/*": { ...bytesOf, at: "main.zip" },
  [`GET ${R}/branches`]: reads,
  [`GET ${R}/branches/*`]: { ...reads, at: "main" },
  [`POST ${R}/branches`]: writes,
  [`PUT ${R}/branches/*`]: { ...writes, at: "gone" },
  [`PATCH ${R}/branches/*`]: { ...writes, at: "gone" },
  [`DELETE ${R}/branches/*`]: { ...writes, at: "gone" },
  [`GET ${R}/commits`]: reads,
  [`GET ${R}/compare/*`]: { ...reads, at: "main...dev" },
  [`POST ${R}/contents/*`]: { ...editsFiles, at: "new.txt" },
  [`PUT ${R}/contents/*`]: { ...editsFiles, at: "README.md" },
  [`DELETE ${R}/contents/*`]: { ...editsFiles, at: "README.md" },
  [`POST ${R}/contents`]: editsFiles,
  [`GET ${R}/contents`]: reads,
  [`GET ${R}/contents/*`]: { ...reads, at: "README.md" },
  [`GET ${R}/contents-ext`]: reads,
  [`GET ${R}/contents-ext/*`]: { ...reads, at: "README.md" },
  [`GET ${R}/file-contents`]: { ...reads, query: "?body=%7B%22files%22%3A%5B%22README.md%22%5D%7D" },
  [`POST ${R}/file-contents`]: reads,
  [`GET ${R}/git/blobs/:sha`]: { ...reads, at: "<blob>" },
  [`GET ${R}/git/trees/:sha`]: { ...reads, at: "<tree>" },
  [`GET ${R}/git/refs`]: reads,
  [`GET ${R}/git/refs/*`]: { ...reads, at: "heads/main" },
  [`GET ${R}/git/tags/:sha`]: { ...reads, at: "<tag>" },
  [`GET ${R}/git/notes/:sha`]: { ...reads, at: "<commit>" },
  [`GET ${R}/git/commits/:sha`]: { ...reads, at: "<commit>" },
  [`GET ${R}/raw/*`]: { ...reads, at: "README.md" },
  [`GET ${R}/media/*`]: { ...reads, at: "README.md" },
  "GET /:owner/:repo/raw/*": { ...bytesOf, at: "branch/main/README.md" },
  "GET /:owner/:repo/media/*": { ...bytesOf, at: "branch/main/README.md" },
  [`GET ${R}/editorconfig/:filepath`]: { ...reads, at: "README.md" },
  [`GET ${R}/signing-key.gpg`]: reads,
  [`GET ${R}/signing-key.pub`]: reads,
  [`GET ${R}/tags`]: reads,
  [`GET ${R}/tags/*`]: { ...reads, at: "v1" },
  [`POST ${R}/tags`]: writes,
  [`DELETE ${R}/tags/*`]: { ...writes, at: "gone" },

  "GET /api/v1/user": ofUser,
  "GET /api/v1/users/search": { ...publicApi, scopes: ["user"] },
  "GET /api/v1/users/:username": { ...publicApi, scopes: ["user"] },
  "GET /api/v1/user/emails": ofUserAlone,
  "POST /api/v1/user/emails": ofUserAlone,
  "DELETE /api/v1/user/emails": ofUserAlone,
  "GET /api/v1/user/settings": ofUserAlone,
  "PATCH /api/v1/user/settings": ofUserAlone,
  "POST /api/v1/user/avatar": ofUserAlone,
  "DELETE /api/v1/user/avatar": ofUserAlone,
  [`POST ${R}/avatar`]: administers,
  [`DELETE ${R}/avatar`]: administers,
  "GET /api/v1/users/:username/tokens": ownTokens,
  "POST /api/v1/users/:username/tokens": ownTokens,
  "DELETE /api/v1/users/:username/tokens/:token": ownTokens,
  "GET /api/v1/token": signedInApi,
  "DELETE /api/v1/token": { ...signedInApi, ...harmful },

  "GET /robots.txt": open,
  "GET /favicon.ico": open,
  "GET /apple-touch-icon.png": open,
  "GET /apple-touch-icon-precomposed.png": open,
  "GET /assets/site-manifest.json": open,
  "GET /assets/img/logo.svg": open,
  "GET /assets/img/avatar_default.png": open,
  "GET /assets/*": { ...open, at: "img/logo.svg" },
  "GET /avatars/:name": { ...picture, at: "olga" },
  "GET /repo-avatars/:name": { ...picture, at: "0123456789abcdef0123456789abcdef" },
  "GET /avatar/:hash": { ...open, at: "0123456789abcdef0123456789abcdef" },
  "GET /user/avatar/:name/:size": { ...open, at: "40" },
  "GET /.well-known/change-password": open,
  "GET /.well-known/passkey-endpoints": open,
  "GET /-/web-theme/list": open,
  "POST /-/web-language/apply": gatePage,
  "POST /-/web-theme/apply": gatePage,

  "GET /": publicPage,
  "GET /explore": publicPage,
  "GET /explore/repos": publicPage,
  "GET /sitemap.xml": { ...open, level: undefined } as Row,
  "GET /explore/repos/:file": { ...open, at: "sitemap-1.xml" },
  "GET /explore/users/:file": { ...open, at: "sitemap-1.xml" },
  "GET /-/go-get/*": { surface: "bytes", who: "anyone", at: "olga/pub" },
  "GET /explore/users": publicPage,
  "GET /explore/organizations": publicPage,
  "GET /explore/code": publicPage,
  "GET /explore/topics/search": publicPage,
  "GET /user/login": gatePage,
  "POST /user/login": { ...gatePage, ...harmful },
  "GET /user/logout": gatePage,
  "POST /user/logout": { ...gatePage, ...harmful },
  "GET /user/settings/change_password": { ...ownPage, unfinished: true },
  "POST /user/settings/change_password": { ...ownPage, unfinished: true, ...harmful },
  "GET /user/forgot_password": gatePage,
  "POST /user/forgot_password": { ...gatePage, ...harmful },
  "GET /user/recover_account": gatePage,
  "POST /user/recover_account": { ...gatePage, ...harmful },
  "GET /user/activate": gatePage,
  "POST /user/activate": { ...gatePage, ...harmful },
  "GET /user/activate_email": ownPage,
  "POST /user/activate_email": { ...ownPage, ...harmful },
  "GET /user/sign_up": gatePage,
  "POST /user/sign_up": { ...gatePage, ...harmful },
  "GET /user/settings": ownPage,
  "POST /user/settings/avatar": { ...ownPage, ...harmful },
  "POST /user/settings/avatar/delete": { ...ownPage, ...harmful },
  "POST /user/settings": { ...ownPage, ...harmful },
  "GET /user/settings/account": ownPage,
  "POST /user/settings/account": { ...ownPage, ...harmful },
  "POST /user/settings/account/email": { ...ownPage, ...harmful },
  "POST /user/settings/account/email/delete": { ...ownPage, ...harmful },
  "POST /user/settings/account/delete": { ...ownPage, ...harmful },
  "GET /user/settings/appearance": ownPage,
  "GET /user/settings/applications": ownPage,
  "POST /user/settings/applications": { ...ownPage, ...harmful },
  "POST /user/settings/applications/delete": { ...ownPage, ...harmful },
  "GET /user/settings/security": ownPage,
  "POST /user/settings/security/sessions/revoke": { ...ownPage, ...harmful },
  "GET /-/admin": adminPage,
  "POST /-/admin/emails/activate": { ...adminPage, ...harmful },
  "GET /-/admin/background": adminPage,
  "GET /-/admin/background/-/events": adminPage,
  "POST /-/admin/background/jobs": { ...adminPage, ...harmful },
  "POST /-/admin/background/schedules": { ...adminPage, ...harmful },
  "POST /-/admin/background/events": { ...adminPage, ...harmful },
  "GET /-/admin/users": adminPage,
  "GET /-/admin/users/new": adminPage,
  "POST /-/admin/users/new": adminPage,
  "GET /-/admin/users/:id": { ...adminPage, at: "1" },
  "GET /-/admin/users/:id/edit": { ...adminPage, at: "1" },
  "POST /-/admin/users/:id/edit": { ...adminPage, at: "1", ...harmful },
  "POST /-/admin/users/:id/delete": { ...adminPage, at: "1", ...harmful },
  "GET /repo/create": ownPage,
  "POST /repo/create": ownPage,

  "GET /org/create": ownPage,
  "POST /org/create": { ...ownPage, ...harmful },
  "GET /user/settings/organization": ownPage,
  "POST /user/settings/organization/leave": { ...ownPage, ...harmful },
  "GET /org/:org/dashboard": memberPage,
  "GET /org/:org/members": publicPage,
  "POST /org/:org/members/action/public": { ...memberPage, ...harmful },
  "POST /org/:org/members/action/private": { ...memberPage, ...harmful },
  "POST /org/:org/members/action/remove": { ...memberPage, ...harmful },
  "POST /org/:org/members/action/leave": { ...memberPage, ...harmful },
  "GET /org/:org/teams": memberPage,
  "GET /org/:org/teams/-/search": memberPage,
  "GET /org/:org/teams/new": ownerPage,
  "POST /org/:org/teams/new": { ...ownerPage, ...harmful },
  "GET /org/:org/teams/:team": teamPage,
  "GET /org/:org/teams/:team/repositories": teamPage,
  "POST /org/:org/teams/:team/action/leave": { ...teamPage, ...harmful },
  "GET /org/:org/teams/:team/edit": ownerTeamPage,
  "POST /org/:org/teams/:team/edit": { ...ownerTeamPage, ...harmful },
  "POST /org/:org/teams/:team/delete": { ...ownerTeamPage, ...harmful },
  "POST /org/:org/teams/:team/action/add": { ...ownerTeamPage, ...harmful },
  "POST /org/:org/teams/:team/action/remove": { ...ownerTeamPage, ...harmful },
  "POST /org/:org/teams/:team/action/repo/add": { ...ownerTeamPage, ...harmful },
  "POST /org/:org/teams/:team/action/repo/remove": { ...ownerTeamPage, ...harmful },
  "GET /org/:org/settings": ownerPage,
  "POST /org/:org/settings": { ...ownerPage, ...harmful },
  "POST /org/:org/settings/avatar": { ...ownerPage, ...harmful },
  "POST /org/:org/settings/avatar/delete": { ...ownerPage, ...harmful },
  "POST /org/:org/settings/visibility": { ...ownerPage, ...harmful },
  "POST /org/:org/settings/rename": { ...ownerPage, ...harmful },
  "POST /org/:org/settings/delete": { ...ownerPage, ...harmful },
  "GET /org/:org/settings/blocked_users": ownerPage,
  "POST /org/:org/settings/blocked_users": { ...ownerPage, ...harmful },

  "GET /:owner": publicPage,
  "POST /:owner/:repo/settings/collaboration/team": { ...repoAdminPage, ...harmful },
  "POST /:owner/:repo/settings/collaboration/team/delete": { ...repoAdminPage, ...harmful },
  "GET /:owner/:repo/settings": repoAdminPage,
  "POST /:owner/:repo/settings/avatar": { ...repoAdminPage, ...harmful },
  "POST /:owner/:repo/settings/avatar/delete": { ...repoAdminPage, ...harmful },
  "POST /:owner/:repo/settings": { ...repoAdminPage, ...harmful },
  "GET /:owner/:repo/settings/branches": repoAdminPage,
  "POST /:owner/:repo/settings/branches": { ...repoAdminPage, ...harmful },
  "GET /user/settings/keys": ownPage,
  "POST /user/settings/keys": ownPage,
  "POST /user/settings/keys/delete": ownPage,
  "GET /:owner/:repo/settings/keys": repoAdminPage,
  "POST /:owner/:repo/settings/keys": repoAdminPage,
  "POST /:owner/:repo/settings/keys/delete": repoAdminPage,
  "GET /:owner/:repo/settings/topics": repoAdminPage,
  "POST /:owner/:repo/settings/topics": repoAdminPage,
  "POST /:owner/:repo/topics": repoAdminPage,
  "GET /:owner/:repo/settings/collaboration": repoAdminPage,
  "POST /:owner/:repo/settings/collaboration": { ...repoAdminPage, ...harmful },
  "POST /:owner/:repo/settings/collaboration/access_mode": { ...repoAdminPage, ...harmful },
  "POST /:owner/:repo/settings/collaboration/delete": { ...repoAdminPage, ...harmful },
  "GET /:owner/:repo": repoPage,
  "GET /:owner/:repo/src/branch/*": { ...repoPage, at: "main/README.md" },
  "GET /:owner/:repo/src/tag/*": { ...repoPage, at: "v1" },
  "GET /:owner/:repo/src/commit/*": { ...repoPage, at: "<commit>" },
  "GET /:owner/:repo/lastcommit/*": { ...repoPage, at: "<commit>" },

  "GET /:owner/:repo/src": repoPage,
  "GET /:owner/:repo/src/*": { ...repoPage, at: "main/README.md" },
  "GET /:owner/:repo/tree/*": { ...repoPage, at: "main" },
  "GET /:owner/:repo/blob/*": { ...repoPage, at: "main/README.md" },
  "GET /:owner/:repo/commits": repoPage,
  "GET /:owner/-/feed/:form": { ...bytesOf, level: undefined, scopes: ["user"], at: "rss" } as Row,
  "GET /:owner/:repo/-/feed/:form": { ...bytesOf, at: "rss" },
  "GET /:owner/:repo/tags.rss": bytesOf,
  "GET /:owner/:repo/tags.atom": bytesOf,
  "GET /:owner/:repo/rss/branch/*": { ...bytesOf, at: "main" },
  "GET /:owner/:repo/atom/branch/*": { ...bytesOf, at: "main" },
  "GET /:owner/:repo/badges/:file": { ...bytesOf, at: "stars.svg" },
  "GET /:owner/:repo/search": { ...repoPage, query: "?q=read" },
  "GET /:owner/:repo/blame/*": { ...repoPage, at: "main/README.md" },
  "GET /:owner/:repo/blame/branch/*": { ...repoPage, at: "main/README.md" },
  "GET /:owner/:repo/blame/tag/*": { ...repoPage, at: "v1/README.md" },
  "GET /:owner/:repo/blame/commit/*": { ...repoPage, at: "<commit>/README.md" },
  "GET /:owner/:repo/commits/*": { ...repoPage, at: "main" },
  "GET /:owner/:repo/commits/branch/*": { ...repoPage, at: "main" },
  "GET /:owner/:repo/commits/tag/*": { ...repoPage, at: "v1" },
  "GET /:owner/:repo/commits/commit/*": { ...repoPage, at: "<commit>" },
  "GET /:owner/:repo/commit/:sha": { ...repoPage, at: "<commit>" },
  "GET /:owner/:repo/commit/:sha/load-branches-and-tags": { ...repoPage, at: "<commit>" },
  "GET /:owner/:repo/branches": repoPage,
  "GET /:owner/:repo/branches/list": repoPage,
  "GET /:owner/:repo/branches/choose": { ...repoPage, query: "?ref=main" },
  "GET /:owner/:repo/tags": repoPage,
  "GET /:owner/:repo/tags/list": repoPage,
  "GET /:owner/:repo/tree-list/branch/*": { ...repoPage, at: "main" },
  "GET /:owner/:repo/tree-list/tag/*": { ...repoPage, at: "v1" },
  "GET /:owner/:repo/tree-list/commit/*": { ...repoPage, at: "<commit>" },
  "GET /:owner/:repo/-/events": repoPage,
  "GET /:owner/:repo/raw/blob/:sha": { ...bytesOf, at: "<blob>" },
  "GET /:owner/:repo/media/blob/:sha": { ...bytesOf, at: "<blob>" },
  "POST /:owner/:repo/branches/_new/branch/*": { ...writesPage, at: "main" },
  "POST /:owner/:repo/branches/_new/tag/*": { ...writesPage, at: "v1" },
  "POST /:owner/:repo/branches/_new/commit/*": { ...writesPage, at: "<commit>" },
  "POST /:owner/:repo/branches/rename": writesPage,
  "POST /:owner/:repo/branches/delete": { ...writesPage, query: "?name=gone" },
  "POST /:owner/:repo/tags/delete": { ...writesPage, query: "?name=gone" },
  "GET /:owner/:repo/_new/*": { ...writesPage, at: "main" },
  "POST /:owner/:repo/_new/*": { ...writesPage, at: "main" },
  "GET /:owner/:repo/_edit/*": { ...writesPage, at: "main/README.md" },
  "POST /:owner/:repo/_edit/*": { ...writesPage, at: "main/README.md" },
  "GET /:owner/:repo/_delete/*": { ...writesPage, at: "main/README.md" },
  "POST /:owner/:repo/_delete/*": { ...writesPage, at: "main/gone.md" },

  "GET /:owner/:repo/*": { ...repoPage, at: "no/such/page" },
  "POST /:owner/:repo/*": { ...repoPage, at: "no/such/page" },

  "POST /api/v1/user/repos": { ...ofUserAlone, scopes: ["user", "repository"] },
  "GET /api/v1/user/repos": { ...ofUser, scopes: ["user", "repository"] },
  "GET /api/v1/users/:username/repos": { ...publicApi, scopes: ["user", "repository"] },
  "GET /api/v1/repos/search": { ...publicApi, scopes: ["repository"] },
  "GET /api/v1/repositories/:id": { ...signedInApi, scopes: ["repository"], at: "1" },
  [`GET ${R}`]: reads,
  [`PATCH ${R}`]: administers,
  [`DELETE ${R}`]: { ...owns, ...harmful },
  [`GET ${R}/languages`]: reads,
  [`GET ${R}/licenses`]: reads,
  [`GET ${R}/topics`]: reads,
  [`PUT ${R}/topics`]: administers,
  [`PUT ${R}/topics/:topic`]: { ...administers, at: "word" },
  [`DELETE ${R}/topics/:topic`]: { ...administers, at: "word" },
  "GET /api/v1/topics/search": { ...publicApi, scopes: ["repository"] },
  [`GET ${R}/collaborators`]: readsSignedIn,
  [`GET ${R}/collaborators/:collaborator`]: readsSignedIn,
  [`PUT ${R}/collaborators/:collaborator`]: { ...administers, ...harmful },
  [`DELETE ${R}/collaborators/:collaborator`]: { ...administers, ...harmful },
  [`GET ${R}/collaborators/:collaborator/permission`]: readsSignedIn,

  "GET /api/v1/user/starred": { ...ofUser, scopes: ["user", "repository"] },
  "GET /api/v1/users/:username/starred": ofUser,
  "GET /api/v1/user/starred/:owner/:repo": { ...readsSignedIn, scopes: ["user", "repository"] },
  "PUT /api/v1/user/starred/:owner/:repo": { ...readsSignedIn, scopes: ["user", "repository"] },
  "DELETE /api/v1/user/starred/:owner/:repo": { ...readsSignedIn, scopes: ["user", "repository"] },
  "GET /api/v1/user/subscriptions": ofUser,
  "GET /api/v1/users/:username/subscriptions": ofUser,
  [`GET ${R}/stargazers`]: reads,
  [`GET ${R}/subscribers`]: reads,
  [`GET ${R}/subscription`]: readsSignedIn,
  [`PUT ${R}/subscription`]: readsSignedIn,
  [`DELETE ${R}/subscription`]: readsSignedIn,
  [`POST ${R}/forks`]: readsSignedIn,
  [`GET ${R}/forks`]: reads,
  [`POST ${R}/merge-upstream`]: writes,
  "GET /:owner/:repo/forks": repoPage,
  "GET /:owner/:repo/fork": readsPage,
  "POST /:owner/:repo/fork": readsPage,
  "POST /:owner/:repo/action/sync": writesPage,
  "GET /:owner/:repo/stars": repoPage,
  "GET /:owner/:repo/watchers": repoPage,
  "POST /:owner/:repo/action/star": { ...repoPage, who: "user" },
  "POST /:owner/:repo/action/unstar": { ...repoPage, who: "user" },
  "POST /:owner/:repo/action/watch": { ...repoPage, who: "user" },
  "POST /:owner/:repo/action/unwatch": { ...repoPage, who: "user" },

  "GET /api/v1/orgs": publicApi,
  "POST /api/v1/orgs": { ...inOrganization, noPublicOnly: true },
  "GET /api/v1/admin/orgs": siteAdmin,
  "POST /api/v1/admin/users/:username/orgs": siteAdmin,
  "GET /api/v1/admin/users/:username/orgs": siteAdmin,
  "GET /api/v1/user/orgs": memberships,
  "GET /api/v1/users/:username/orgs": memberships,
  "GET /api/v1/users/:username/orgs/:org/permissions": memberships,
  "GET /api/v1/user/teams": ofUserAlone,
  [`GET ${O}`]: seesOrganization,
  [`PATCH ${O}`]: { ...ownerOfIt, ...harmful },
  [`DELETE ${O}`]: { ...ownerOfIt, ...harmful },
  [`POST ${O}/rename`]: { ...ownerOfIt, ...harmful },
  [`POST ${O}/avatar`]: { ...ownerOfIt, ...harmful },
  [`DELETE ${O}/avatar`]: { ...ownerOfIt, ...harmful },
  [`GET ${O}/activities/feeds`]: seesOrganization,
  [`POST ${O}/repos`]: inOrganization,
  "POST /api/v1/org/:org/repos": { ...inOrganization, scopes: ["organization", "repository"] },
  [`GET ${O}/repos`]: seesOrganization,
  [`DELETE ${O}/repos`]: { ...ownerOfIt, scopes: ["organization", "repository"], ...harmful },
  [`GET ${O}/members`]: inOrganization,
  [`GET ${O}/members/:username`]: inOrganization,
  [`DELETE ${O}/members/:username`]: { ...ownerOfIt, ...harmful },
  [`GET ${O}/public_members`]: seesOrganization,
  [`GET ${O}/public_members/:username`]: seesOrganization,
  [`PUT ${O}/public_members/:username`]: inOrganization,
  [`DELETE ${O}/public_members/:username`]: { ...inOrganization, ...harmful },
  [`GET ${O}/blocks`]: ownerOfIt,
  [`GET ${O}/blocks/:username`]: { ...ownerOfIt, username: "lima" },
  [`PUT ${O}/blocks/:username`]: { ...ownerOfIt, ...harmful },
  [`DELETE ${O}/blocks/:username`]: { ...ownerOfIt, ...harmful },
  [`PUT ${O}/block/:username`]: { ...ownerOfIt, ...harmful },
  [`PUT ${O}/unblock/:username`]: { ...ownerOfIt, ...harmful },
  [`GET ${O}/list_blocked`]: ownerOfIt,
  [`GET ${O}/teams`]: memberOfIt,
  [`POST ${O}/teams`]: memberOfIt,
  [`GET ${O}/teams/search`]: memberOfIt,
  [`GET ${T}`]: readsTeam,
  [`PATCH ${T}`]: { ...ownsTeam, ...harmful },
  [`DELETE ${T}`]: { ...ownsTeam, ...harmful },
  [`GET ${T}/activities/feeds`]: readsTeam,
  [`GET ${T}/members`]: aboutTeam,
  [`GET ${T}/members/:username`]: { ...aboutTeam, username: "reader" },
  [`PUT ${T}/members/:username`]: { ...ownsTeam, ...harmful },
  [`DELETE ${T}/members/:username`]: { ...ownsTeam, ...harmful },
  [`GET ${T}/repos`]: readsTeam,
  [`GET ${T}/repos/:org/:repo`]: readsTeam,
  [`PUT ${T}/repos/:org/:repo`]: readsTeam,
  [`DELETE ${T}/repos/:org/:repo`]: readsTeam,
  [`POST ${R}/transfer`]: { ...owns, ...harmful },
  [`POST ${R}/transfer/accept`]: { ...readsSignedIn, ...harmful },
  [`POST ${R}/transfer/reject`]: { ...readsSignedIn, ...harmful },
  [`GET ${R}/teams`]: readsSignedIn,
  [`GET ${R}/teams/:team`]: readsSignedIn,
  [`PUT ${R}/teams/:team`]: readsSignedIn,
  [`DELETE ${R}/teams/:team`]: readsSignedIn,

  "GET /:owner/:repo/info/refs": [
    { ...pull, query: "?service=git-upload-pack" },
    { ...push, query: "?service=git-receive-pack" },
    pull,
  ],
  "POST /:owner/:repo/git-upload-pack": [pull, { ...pull, query: "?service=git-receive-pack" }],
  // B10: what is carried out decides, not what the query says.
  "POST /:owner/:repo/git-receive-pack": [push, { ...push, query: "?service=git-upload-pack" }],
  "GET /:owner/:repo/HEAD": pull,
  "GET /:owner/:repo/objects/*": { ...pull, at: "info/packs" },
};

/** What everyone holds on each kind of repository (contract repositories.md 4). */
export const held: Readonly<Record<RepoKind, Readonly<Record<string, Level>>>> = {
  public: { anonymous: "read", stranger: "read", restricted: "read" },
  private: { anonymous: "none", stranger: "none", restricted: "none" },
  ofLimited: { anonymous: "none", stranger: "read", restricted: "none" },
  ofPrivate: { anonymous: "none", stranger: "none", restricted: "none" },
  archived: { anonymous: "read", stranger: "read", restricted: "read" },
  // A team that administers a repository owns it.
  inTeams: { anonymous: "none", stranger: "none", restricted: "none", coadmin: "owner" },
};
/** How everyone stands to the organization acme; who is not here is a stranger to it. */
export const standings: Readonly<Record<string, "member" | "owner">> = {
  owner: "owner",
  siteAdmin: "owner",
  reader: "member",
  writer: "member",
  coadmin: "member",
  mustChange: "member",
};
export const granted: Readonly<Record<string, Level>> = {
  reader: "read",
  writer: "write",
  coadmin: "admin",
  owner: "owner",
  siteAdmin: "owner",
  deactivated: "write",
  prohibited: "write",
  mustChange: "write",
};
