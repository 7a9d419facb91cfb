import { Type } from "@sinclair/typebox";
import { lists, searchParam, textParam } from "../http/query.ts";
import { json, noContent, page } from "../http/respond.ts";
import { type Call, param, type Route } from "../http/route.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Services } from "../services.ts";
import { readsPackages, writesPackages } from "./access.ts";
import { fileResource, PackageFileResource, PackageResource, packageResources } from "./resource.ts";
import { seenPackages } from "./subject.ts";
import { isPackageType, type Package, type PackageType, type PackageVersion } from "./types.ts";

const P = "/api/v1/packages/:owner";
const ONE = `${P}/:type/:name`;

const params = {
  owner: "The account that has the packages.",
  type: "Type of the package.",
  name: "Name of the package.",
  version: "Version of the package.",
  repo_name: "Name of a repository of the same owner.",
};

/** Packages over REST (contract packages.md 5). */
export function packageRoutes(services: Services): Route[] {
  const { packageRepositories, packages } = services;
  if (!services.config["packages.enabled"]) return [];
  const versionOf = (call: Call) =>
    orMissing("packages.no-such-version", () =>
      packages.version(seenPackages(call), typeOf(call), param(call, "name"), param(call, "version")),
    );
  const packageOf = (call: Call): Package =>
    orMissing("packages.none-named", () => packages.find(seenPackages(call), typeOf(call), param(call, "name")));
  const shown = (call: Call, version: PackageVersion) => {
    const [resource] = packageResources(services, call.principal, [version]);
    return json(resource);
  };
  const missing = { 404: { description: "There is no such owner, package or version, or the caller may not see it." } };
  const one = { 200: { description: "The version.", schema: PackageResource }, ...missing };
  const many = { description: "Versions, newest first.", schema: Type.Array(PackageResource) };
  const reads = { method: "GET", surface: "api", access: readsPackages } as const;
  const writes = { surface: "api", access: writesPackages } as const;
  return [
    {
      ...reads,
      path: P,
      doc: {
        id: "listPackages",
        tag: "package",
        summary: "List the versions of all packages of an owner",
        params,
        answers: { 200: many, ...missing },
      },
      ...lists(
        {
          type: textParam("Only packages of this type; empty or `all` for every type."),
          q: searchParam("Part of the name, in any letter case."),
        },
        (call, { q, type }) => {
          if (type !== "" && type !== "all" && !isPackageType(type)) return pageOf(services, call, [], 0);
          const filter = { text: q, type: isPackageType(type) ? type : undefined };
          const { items, total } = packages.list(seenPackages(call), filter, call.paging);
          return pageOf(services, call, items, total);
        },
      ),
    },
    {
      ...reads,
      path: ONE,
      doc: {
        id: "listPackageVersions",
        tag: "package",
        summary: "List the versions of a package",
        params,
        answers: { 200: many, ...missing },
      },
      ...lists({}, (call) => {
        const { items, total } = packages.pageOfVersions(packageOf(call), {}, call.paging);
        if (total === 0) throw new NotFound("packages.none-named");
        return pageOf(services, call, items, total);
      }),
    },
    {
      ...reads,
      path: `${ONE}/-/latest`,
      doc: {
        id: "getLatestPackageVersion",
        tag: "package",
        summary: "Get the most recently published version of a package",
        params,
        answers: one,
      },
      handle: (call) =>
        shown(
          call,
          orMissing("packages.none-named", () =>
            packages.latest(seenPackages(call), typeOf(call), param(call, "name")),
          ),
        ),
    },
    {
      ...writes,
      method: "POST",
      path: `${ONE}/-/link/:repo_name`,
      doc: {
        id: "linkPackage",
        tag: "package",
        summary: "Link a package to a repository",
        params,
        answers: {
          201: { description: "Linked." },
          400: { description: "The package is already linked to a repository." },
          ...missing,
        },
      },
      handle: (call) => {
        packageRepositories.link(seenPackages(call), packageOf(call), param(call, "repo_name"));
        return new Response(null, { status: 201 });
      },
    },
    {
      ...writes,
      method: "POST",
      path: `${ONE}/-/unlink`,
      doc: {
        id: "unlinkPackage",
        tag: "package",
        summary: "Unlink a package from its repository",
        params,
        answers: {
          204: { description: "Unlinked." },
          400: { description: "The package was not linked." },
          ...missing,
        },
      },
      handle: (call) => {
        packageRepositories.unlink(seenPackages(call), packageOf(call));
        return noContent();
      },
    },
    {
      ...reads,
      path: `${ONE}/:version`,
      doc: { id: "getPackage", tag: "package", summary: "Get a version of a package", params, answers: one },
      handle: (call) => shown(call, versionOf(call)),
    },
    {
      ...reads,
      path: `${ONE}/:version/files`,
      doc: {
        id: "listPackageFiles",
        tag: "package",
        summary: "List the files of a version",
        params,
        answers: {
          200: { description: "The files, sorted by name.", schema: Type.Array(PackageFileResource) },
          ...missing,
        },
      },
      handle: (call) => json(packages.filesOf(versionOf(call)).map(fileResource)),
    },
    {
      ...writes,
      method: "DELETE",
      path: `${ONE}/:version`,
      doc: {
        id: "deletePackageVersion",
        tag: "package",
        summary: "Delete a version of a package",
        params,
        answers: { 204: { description: "Deleted." }, ...missing },
      },
      handle: (call) => {
        packages.deleteVersion(seenPackages(call), versionOf(call));
        return noContent();
      },
    },
    {
      ...writes,
      method: "DELETE",
      path: ONE,
      doc: {
        id: "deletePackage",
        tag: "package",
        summary: "Delete a package with all its versions",
        params,
        answers: { 204: { description: "Deleted." }, ...missing },
      },
      handle: (call) => {
        packages.deletePackage(seenPackages(call), packageOf(call));
        return noContent();
      },
    },
  ];
}

function pageOf(
  services: Services,
  call: Parameters<Parameters<typeof lists>[1]>[0],
  items: readonly PackageVersion[],
  total: number,
) {
  const { rootUrl } = services.links;
  return page(packageResources(services, call.principal, items), total, { rootUrl, ...call });
}

/** @throws NotFound if there is no such type */
function typeOf(call: Call): PackageType {
  const type = param(call, "type");
  if (!isPackageType(type)) throw new NotFound("packages.none-named");
  return type;
}

/** Replaces the error with the one API clients expect. @throws NotFound with this code if something is missing */
function orMissing<T>(code: string, find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw error instanceof NotFound ? new NotFound(code) : error;
  }
}
