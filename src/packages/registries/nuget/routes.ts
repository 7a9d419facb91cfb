import { json, noContent, plain } from "../../../http/respond.ts";
import { type Call, param, type Route } from "../../../http/route.ts";
import { BadRequest, NotFound } from "../../../kernel/errors.ts";
import type { Services } from "../../../services.ts";
import type { PackageVersion, SeenPackages } from "../../types.ts";
import { jsonRefusal, RegistryKit, type Upload } from "../kit.ts";
import { bySemver } from "../semver.ts";
import { type Found, NugetSearch, SYMBOL_ID } from "./search.ts";
import { nugetVersionOf } from "./version.ts";

const atom = (text: string) => plain(text, 200, { "content-type": "application/atom+xml; charset=utf-8" });
const xml = (text: string) => plain(text, 200, { "content-type": "application/xml; charset=utf-8" });

/** The NuGet registry, with both protocols (contract packages.md 9.8). */
export function nugetRoutes(services: Services): Route[] {
  const kit = new RegistryKit(
    "nuget",
    services,
    jsonRefusal((Message) => ({ Message })),
  );
  const nuget = new NugetRegistry(kit);
  const { packages } = services;
  const read = (path: string, handle: (call: Call, seen: SeenPackages) => Response | Promise<Response>) =>
    kit.route({ method: "GET", path, level: "read", handle });
  const push = (path: string, kind: "publishPackage" | "publishSymbols") =>
    kit.route({
      method: "PUT",
      path,
      level: "write",
      handle: async (call, seen) => {
        using upload: Upload = await kit.upload(call);
        return await (await import("./publish.ts"))[kind](kit, seen, upload);
      },
    });
  return [
    kit.openRoute("", async (base) => xml((await import("./atom.ts")).serviceDocument(base))),
    kit.openRoute("/$metadata", async () => xml((await import("./atom.ts")).metadataDocument)),
    kit.openRoute("/index.json", async (base) => json((await import("./documents.ts")).serviceIndex(base))),
    read("/query", (call, seen) => nuget.query(call, seen)),
    read("/registration/:id/index.json", async (call, seen) => {
      const { registration } = await import("./documents.ts");
      const found = packages.find(seen, "nuget", param(call, "id"));
      return json(registration(kit.urlOf(seen), found.name, bySemver(packages.versions(found))));
    }),
    read("/registration/:id/:file", async (call, seen) => {
      const { leaf } = await import("./documents.ts");
      const [, version = ""] = /^(.*)\.json$/s.exec(param(call, "file")) ?? [];
      return json(leaf(kit.urlOf(seen), nuget.version(seen, param(call, "id"), version)));
    }),
    read("/package/:id/index.json", (call, seen) => {
      const versions: PackageVersion[] = packages.versions(packages.find(seen, "nuget", param(call, "id")));
      return json({ versions: bySemver(versions).map(({ version }) => version) });
    }),
    read("/package/:id/:version/:file", (call, seen) => {
      const version = nuget.version(seen, param(call, "id"), param(call, "version"));
      return kit.file(call, packages.file(version, param(call, "file")));
    }),
    read("/symbols/:file/:key/:again", (call, seen) => nuget.symbols(call, seen)),
    read("/:call", (call, seen) => nuget.call(call, seen)),
    read("/:call/:count", (call, seen) => nuget.count(call, seen)),
    push("", "publishPackage"),
    push("/symbolpackage", "publishSymbols"),
    kit.route({
      method: "DELETE",
      path: "/:id/:version",
      level: "write",
      handle: (call, seen) => {
        packages.deleteVersion(seen, nuget.version(seen, param(call, "id"), param(call, "version")));
        return noContent();
      },
    }),
  ];
}

class NugetRegistry {
  private readonly search: NugetSearch;

  constructor(private readonly kit: RegistryKit) {
    this.search = new NugetSearch(kit.services.packages);
  }

  /** A version in any spelling. @throws NotFound */
  version(seen: SeenPackages, id: string, version: string): PackageVersion {
    return this.kit.services.packages.version(seen, "nuget", id, nugetVersionOf(version) ?? version);
  }

  async query({ query }: Call, seen: SeenPackages): Promise<Response> {
    const { searchResult } = await import("./documents.ts");
    const { packages } = this.kit.services;
    const { data, totalHits } = this.search.find(seen, query);
    const base = this.kit.urlOf(seen);
    return json({
      totalHits,
      data: data.map((versions) => searchResult(base, versions, (version) => packages.downloads(version))),
    });
  }

  symbols(call: Call, seen: SeenPackages): Response {
    const { packages } = this.kit.services;
    const [name, again] = [param(call, "file").toLowerCase(), param(call, "again").toLowerCase()];
    if (name !== again) throw new BadRequest("packages.pdb-names");
    const [, id = ""] = /^([0-9a-f]{32})f{8}$/.exec(param(call, "key").toLowerCase()) ?? [];
    const files = packages.filesWithProperty(seen, "nuget", { name: SYMBOL_ID, value: id });
    const file = files.find((each) => each.name === name && this.sees(seen, each.versionId));
    if (!file) throw new NotFound("packages.file-missing");
    return this.kit.file(call, file);
  }

  private sees(seen: SeenPackages, versionId: number): boolean {
    const { packages } = this.kit.services;
    const version = packages.byId(versionId);
    return version !== undefined && packages.look(seen, "nuget", version.package.name) !== undefined;
  }

  /** The operations of the older protocol, which return an entry or a feed. */
  async call(call: Call, seen: SeenPackages): Promise<Response> {
    const asked = param(call, "call");
    const [, id, version = ""] = /^Packages\(Id='([^']*)',Version='([^']*)'\)$/s.exec(asked) ?? [];
    const { atomEntry, atomFeed } = await import("./atom.ts");
    const base = this.kit.urlOf(seen);
    if (id !== undefined) {
      const [entry] = this.search.entries([this.version(seen, id, version)]);
      if (!entry) throw new NotFound("packages.missing");
      return atom(atomEntry(base, entry));
    }
    const { next, ...found } = this.feed(asked, call, seen);
    const to = (query: URLSearchParams) => `${base}/${asked}${query.size > 0 ? `?${query}` : ""}`;
    const shown = new URLSearchParams(call.query);
    for (const secret of ["token", "access_token"]) shown.delete(secret);
    const entries = this.search.entries(found.versions);
    return atom(atomFeed({ base, entries, total: found.total, self: to(shown), next: next && to(next) }));
  }

  count(call: Call, seen: SeenPackages): Response {
    if (param(call, "count") !== "$count") throw new NotFound("packages.missing");
    return plain(String(this.feed(param(call, "call"), call, seen).total));
  }

  /** @throws NotFound if there is no such operation */
  private feed(name: string, { query }: Call, seen: SeenPackages): Found {
    if (name === "FindPackagesById()") return this.search.versions(seen, query);
    if (name === "Packages()" || name === "Search()") return this.search.latest(seen, query);
    throw new NotFound("packages.missing");
  }
}
