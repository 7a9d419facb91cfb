import type { Row } from "../route-table.ts";

const api: Row = { surface: "api", who: "user", signedInFirst: true, scopes: ["package"] };
const readsApi: Row = { ...api, packages: "read", at: "generic" };
const writesApi: Row = { ...api, packages: "write", at: "generic" };
const reads: Row = { surface: "registry", who: "anyone", packages: "read", at: "kit" };
const writes: Row = { ...reads, packages: "write" };

const opens: Row = { surface: "open", who: "anyone", at: "olga" };

const pubReads: Row = { ...reads, isKnownForbidden: true };
const pubWrites: Row = { ...writes, isKnownForbidden: true };

const token: Row = { surface: "registry", who: "anyone" };

const readsPage: Row = { surface: "page", who: "anyone", packages: "read", at: "generic" };
const writesPage: Row = { ...readsPage, packages: "write" };
const PAGES = "/:owner/-/packages";

const A = "/api/v1/packages/:owner";
const ONE = `${A}/:type/:name`;
const R = "/api/packages/:owner";

/** Routes of a registry, by method and path below its address. */
const registry = (type: string, routes: Readonly<Record<string, Row>>): Record<string, Row> =>
  Object.fromEntries(Object.entries(routes).map(([key, row]) => [key.replace(" ", ` ${R}/${type}`), row]));

/** Of both protocols of Conan. */
function conanRows(): Record<string, Row> {
  const recipe = "/conans/:name/:version/:user/:channel";
  const revision = `${recipe}/revisions/:revision`;
  const binary = `${revision}/packages/:binary`;
  const binaryRevision = `${binary}/revisions/:binaryRevision`;
  const files = "/v1/files/:name/:version/:user/:channel/:revision";
  const logsIn: Row = { ...reads, isScopeForbidden: true };
  const both = ["/v1", "/v2"].map((api) => ({
    [`GET ${api}/ping`]: reads,
    [`GET ${api}/users/authenticate`]: logsIn,
    [`GET ${api}/users/check_credentials`]: logsIn,
    [`GET ${api}/conans/search`]: reads,
    [`GET ${api}${recipe}/search`]: reads,
    [`DELETE ${api}${recipe}`]: writes,
  }));
  const first = [recipe, `${recipe}/packages/:binary`].map((what) => ({
    [`GET /v1${what}`]: reads,
    [`GET /v1${what}/digest`]: reads,
    [`GET /v1${what}/download_urls`]: reads,
    [`POST /v1${what}/upload_urls`]: writes,
  }));
  const second = [
    ...[recipe, binary].map((what) => ({ [`GET /v2${what}/latest`]: reads, [`GET /v2${what}/revisions`]: reads })),
    ...[revision, binaryRevision].map((what) => ({
      [`GET /v2${what}/files`]: reads,
      [`GET /v2${what}/files/*`]: { ...reads, at: "conanfile.py" },
      [`PUT /v2${what}/files/*`]: { ...writes, at: "conanfile.py" },
    })),
    ...[revision, `${revision}/packages`, binary, binaryRevision].map((what) => ({ [`DELETE /v2${what}`]: writes })),
  ];
  const rows: Record<string, Row> = Object.assign({}, ...both, ...first, ...second);
  return registry("conan", {
    ...rows,
    [`GET ${files}/recipe/:file`]: reads,
    [`PUT ${files}/recipe/:file`]: writes,
    [`GET ${files}/package/:binary/:binaryRevision/:file`]: reads,
    [`PUT ${files}/package/:binary/:binaryRevision/:file`]: writes,
    [`POST /v1${recipe}/packages/delete`]: writes,
    [`POST /v1${recipe}/remove_files`]: writes,
    [`GET /v2${revision}/search`]: reads,
  });
}

/** Pages of cleanup rules, below the settings of an account. */
function rules(path: string, row: Row): Record<string, Row> {
  return {
    [`GET ${path}`]: row,
    [`GET ${path}/rules/add`]: row,
    [`POST ${path}/rules/add`]: row,
    [`GET ${path}/rules/:id`]: { ...row, at: "0" },
    [`POST ${path}/rules/:id`]: { ...row, at: "0" },
    [`GET ${path}/rules/:id/preview`]: { ...row, at: "0" },
  };
}

export const packageRows: Readonly<Record<string, Row>> = {
  [`GET ${A}`]: readsApi,
  [`GET ${ONE}`]: readsApi,
  [`GET ${ONE}/-/latest`]: readsApi,
  [`POST ${ONE}/-/link/:repo_name`]: writesApi,
  [`POST ${ONE}/-/unlink`]: writesApi,
  [`GET ${ONE}/:version`]: readsApi,
  [`GET ${ONE}/:version/files`]: readsApi,
  [`DELETE ${ONE}/:version`]: writesApi,
  [`DELETE ${ONE}`]: writesApi,
  ...registry("generic", {
    "PUT /:name/:version/:file": writes,
    "GET /:name/:version/:file": reads,
    "DELETE /:name/:version/:file": writes,
    "DELETE /:name/:version": writes,
  }),
  ...Object.assign(
    {},
    ...["/:name", "/:scope/:name"].map((name) =>
      registry("npm", {
        [`GET ${name}`]: reads,
        [`PUT ${name}`]: writes,
        [`GET ${name}/-/:version/:file`]: reads,
        [`GET ${name}/-/:file`]: reads,
        [`DELETE ${name}/-/:version/:file/-rev/:rev`]: writes,
        [`DELETE ${name}/-rev/:rev`]: writes,
        [`PUT ${name}/-rev/:rev`]: writes,
        [`GET /-/package${name}/dist-tags`]: reads,
        [`PUT /-/package${name}/dist-tags/:tag`]: writes,
        [`DELETE /-/package${name}/dist-tags/:tag`]: writes,
      }),
    ),
  ),
  ...registry("npm", {
    "DELETE /api/packages/:again/npm/:name/-/:version/:file/-rev/:rev": writes,
    "GET /-/v1/search": reads,
    "GET /-/whoami": reads,
    "GET /-/ping": reads,
  }),
  ...registry("pypi", {
    "POST ": writes,
    "GET /simple/:name": reads,
    "GET /files/:name/:version/:file": reads,
  }),
  ...registry("maven", { "GET /*": reads, "PUT /*": writes }),
  ...registry("cargo", {
    "GET /config.json": reads,
    "GET /:folder/:name": reads,
    "GET /:folder/:second/:name": reads,
    "PUT /api/v1/crates/new": writes,
    "GET /api/v1/crates/:name/:version/download": reads,
    "DELETE /api/v1/crates/:name/:version/yank": writes,
    "PUT /api/v1/crates/:name/:version/unyank": writes,
    "GET /api/v1/crates/:name/owners": reads,
    "GET /api/v1/crates": reads,
  }),
  ...registry("go", { "PUT /upload": writes, "GET /*": reads }),
  ...registry("helm", { "GET /index.yaml": reads, "GET /:file": reads, "POST /api/charts": writes }),
  ...registry("composer", {
    "GET /packages.json": reads,
    "GET /search.json": reads,
    "GET /list.json": reads,
    "GET /p2/:vendor/:file": reads,
    "GET /files/:name/:version/:file": reads,
    "PUT ": writes,
  }),
  ...registry("rubygems", {
    "GET ": reads,
    "GET /specs.4.8.gz": reads,
    "GET /latest_specs.4.8.gz": reads,
    "GET /prerelease_specs.4.8.gz": reads,
    "GET /quick/Marshal.4.8/:file": { ...reads, at: "kit-1.0.gemspec.rz" },
    "GET /gems/:file": reads,
    "GET /info/:name": reads,
    "GET /versions": reads,
    "POST /api/v1/gems": writes,
    "DELETE /api/v1/gems/yank": writes,
  }),
  ...registry("terraform", {
    "GET /state/:name": reads,
    "GET /state/:name/versions/:serial": reads,
    "POST /state/:name": writes,
    "DELETE /state/:name": writes,
    "DELETE /state/:name/versions/:serial": writes,
    "POST /state/:name/lock": writes,
    "LOCK /state/:name/lock": writes,
    "DELETE /state/:name/lock": writes,
    "UNLOCK /state/:name/lock": writes,
  }),
  ...registry("nuget", {
    "GET ": opens,
    "GET /index.json": opens,
    "GET /$metadata": opens,
    "GET /query": reads,
    "GET /registration/:id/index.json": reads,
    "GET /registration/:id/:file": reads,
    "GET /package/:id/index.json": reads,
    "GET /package/:id/:version/:file": reads,
    "GET /symbols/:file/:key/:again": reads,
    "GET /:call": reads,
    "GET /:call/:count": reads,
    "PUT ": writes,
    "PUT /symbolpackage": writes,
    "DELETE /:id/:version": writes,
  }),
  ...registry("pub", {
    "GET /api/packages/:name": pubReads,
    "GET /api/packages/:name/:version": pubReads,
    "GET /api/packages/:name/files/:file": pubReads,
    "GET /api/packages/versions/new": pubWrites,
    "POST /api/packages/versions/new/upload": pubWrites,
    "GET /api/packages/versions/new/finalize/:name/:version": pubWrites,
  }),
  ...registry("swift", {
    "POST ": reads,
    "POST /login": reads,
    "GET /identifiers": reads,
    "GET /:scope/:name": reads,
    "GET /:scope/:name/:version": reads,
    "GET /:scope/:name/:version/Package.swift": reads,
    "PUT /:scope/:name/:version": writes,
  }),
  ...registry("vagrant", {
    "GET /authenticate": reads,
    "GET /api/v2/authenticate": reads,
    "GET /:name": reads,
    "GET /:name/:version": reads,
    "GET /:name/:version/:file": reads,
    "PUT /:name/:version/:file": writes,
  }),
  ...conanRows(),
  ...registry("conda", { "GET /*": reads, "PUT /*": writes }),
  ...registry("debian", {
    "GET /repository.key": reads,
    "GET /dists/:distribution/:file": reads,
    "GET /dists/:distribution/by-hash/:algorithm/:hash": reads,
    "GET /dists/:distribution/:component/:folder/:file": reads,
    "GET /dists/:distribution/:component/:folder/by-hash/:algorithm/:hash": reads,
    "PUT /pool/:distribution/:component/upload": writes,
    "GET /pool/:distribution/:component/:file": reads,
    "DELETE /pool/:distribution/:component/:name/:version/:architecture": writes,
  }),
  ...registry("alpine", {
    "GET /key": reads,
    "PUT /:branch/:repository": writes,
    "GET /:branch/:repository/:architecture/:file": reads,
    "DELETE /:branch/:repository/:architecture/:file": writes,
  }),
  ...registry("rpm.repo", { "GET ": reads }),
  ...registry("rpm", { "GET /*": reads, "PUT /*": writes, "DELETE /*": writes, "POST /*": writes }),
  ...registry("arch", { "GET /*": reads, "PUT ": writes, "PUT /*": writes, "DELETE /*": writes }),
  ...registry("chef", {
    "GET /api/v1/universe": reads,
    "GET /api/v1/search": reads,
    "GET /api/v1/cookbooks": reads,
    "POST /api/v1/cookbooks": writes,
    "GET /api/v1/cookbooks/:name": reads,
    "DELETE /api/v1/cookbooks/:name": writes,
    "GET /api/v1/cookbooks/:name/versions/:version": reads,
    "DELETE /api/v1/cookbooks/:name/versions/:version": writes,
    "GET /api/v1/cookbooks/:name/versions/:version/download": reads,
  }),
  ...registry("cran", {
    "PUT /src": writes,
    "PUT /bin": writes,
    "GET /src/contrib/:file": reads,
    "GET /src/contrib/Archive/:name/:file": reads,
    "GET /bin/*": reads,
  }),
  [`GET ${PAGES}`]: readsPage,
  "GET /:owner/:repo/packages": { surface: "page", who: "anyone", level: "read" },
  [`GET ${PAGES}/settings/:type/:name`]: writesPage,
  [`POST ${PAGES}/settings/:type/:name`]: writesPage,
  [`GET ${PAGES}/:type/:name`]: readsPage,
  [`GET ${PAGES}/:type/:name/versions`]: readsPage,
  [`GET ${PAGES}/:type/:name/:version`]: readsPage,
  [`GET ${PAGES}/:type/:name/:version/:sub`]: readsPage,
  [`POST ${PAGES}/:type/:name/:version`]: writesPage,
  [`GET ${PAGES}/:type/:name/:version/files/:id`]: {
    surface: "bytes",
    who: "anyone",
    packages: "read",
    scopes: ["package"],
    at: "1",
  },
  [`POST ${PAGES}/terraform/:name/:version/terraform/lock`]: writesPage,
  [`POST ${PAGES}/terraform/:name/:version/terraform/unlock`]: writesPage,
  "GET /-/admin/packages": { surface: "page", who: "admin" },
  "POST /-/admin/packages/cleanup": { surface: "page", who: "admin" },
  ...rules("/user/settings/packages", { surface: "page", who: "user" }),
  "POST /user/settings/packages/chef/regenerate_keypair": { surface: "page", who: "user" },
  ...rules("/org/:org/settings/packages", { surface: "page", who: "user", organization: "owner" }),
  // What visitors get, they get with a token of their own: tests/api/packages/container.test.ts.
  "GET /v2": token,
  "GET /v2/token": token,
  "POST /v2/token": token,
  "GET /v2/_catalog": token,
  "GET /v2/:owner/*": reads,
  "POST /v2/:owner/*": writes,
  "PATCH /v2/:owner/*": writes,
  "PUT /v2/:owner/*": writes,
  "DELETE /v2/:owner/*": writes,
};
