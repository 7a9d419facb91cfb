import { created, json } from "../../../http/respond.ts";
import { type Call, param, type Route } from "../../../http/route.ts";
import { rfc3339 } from "../../../kernel/clock.ts";
import { NotFound, Unauthorised } from "../../../kernel/errors.ts";
import { textOf } from "../../../kernel/json.ts";
import { segment } from "../../../kernel/url-path.ts";
import type { Services } from "../../../services.ts";
import type { PackageFile, PackageVersion, SeenPackages } from "../../types.ts";
import { jsonRefusal, RegistryKit } from "../kit.ts";
import { metadataOf, textMapOf } from "../metadata.ts";
import { bySemver } from "../semver.ts";

const API = "/api/v1";
/** The same as on Chef's own site. */
const STANDARD_PAGE = 10;
const MAX_PAGE = 100;
/** Clients recognize existing versions by this message. */
const TAKEN = "Version already exists";

/** The Chef cookbook registry, with the API of Chef's own site (contract packages.md 9.19). */
export function chefRoutes(services: Services): Route[] {
  const kit = new RegistryKit(
    "chef",
    services,
    jsonRefusal((message, status) => ({ error_messages: status === 409 ? [TAKEN, message] : [message] })),
  );
  const chef = new ChefRegistry(kit);
  const one = `${API}/cookbooks/:name`;
  const version = `${one}/versions/:version`;
  const get = (path: string, handle: (call: Call, seen: SeenPackages) => Response) =>
    kit.route({ method: "GET", path, level: "read", handle });
  return [
    get(`${API}/universe`, (_, seen) => chef.universe(seen)),
    get(`${API}/search`, (call, seen) => chef.list(call, seen)),
    get(`${API}/cookbooks`, (call, seen) => chef.list(call, seen)),
    get(one, (call, seen) => chef.cookbook(call, seen)),
    get(version, (call, seen) => chef.version(call, seen)),
    get(`${version}/download`, (call, seen) => kit.file(call, chef.file(chef.find(call, seen)))),
    kit.route({
      method: "POST",
      path: `${API}/cookbooks`,
      level: "write",
      handle: (call, seen) => chef.publish(call, seen),
    }),
    kit.route({
      method: "DELETE",
      path: one,
      level: "write",
      handle: (call, seen) => {
        services.packages.deletePackage(seen, services.packages.find(seen, "chef", param(call, "name")));
        return new Response();
      },
    }),
    kit.route({
      method: "DELETE",
      path: version,
      level: "write",
      handle: (call, seen) => {
        services.packages.deleteVersion(seen, chef.find(call, seen));
        return new Response();
      },
    }),
  ];
}

class ChefRegistry {
  constructor(private readonly kit: RegistryKit) {}

  private get packages() {
    return this.kit.services.packages;
  }

  /** Every version of every cookbook, with its dependencies. */
  universe(seen: SeenPackages): Response {
    const found = this.packages.ofType(seen, "chef");
    const versions = this.packages.versionsOfEach(found);
    const entries = found.map(({ id, name }) => [
      name,
      Object.fromEntries(
        bySemver(versions.get(id) ?? []).map((version) => [
          version.version,
          {
            location_type: "opscode",
            location_path: this.base(seen),
            download_url: `${this.versionUrl(seen, version)}/download`,
            dependencies: textMapOf(metadataOf(version)["dependencies"]),
          },
        ]),
      ),
    ]);
    return json(Object.fromEntries(entries));
  }

  list({ query }: Call, seen: SeenPackages): Response {
    const number = (name: string) => (/^\d{1,9}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : 0);
    const order = query.get("order") ?? "";
    const paging = { limit: Math.min(number("items") || STANDARD_PAGE, MAX_PAGE), offset: number("start") };
    const filter = { type: "chef", text: query.get("q")?.trim() ?? "" } as const;
    const isByTime = order === "recently_updated" || order === "recently_added";
    const { items, total } = this.packages.latestOfEach(seen, filter, paging, isByTime ? "published" : "name");
    return json({
      start: paging.offset,
      total,
      items: items.map((version) => {
        const read = metadataOf(version);
        return {
          cookbook_name: version.package.name,
          cookbook_maintainer: textOf(read["maintainer"]),
          cookbook_description: textOf(read["description"]),
          cookbook: this.cookbookUrl(seen, version),
        };
      }),
    });
  }

  cookbook(call: Call, seen: SeenPackages): Response {
    const found = this.packages.find(seen, "chef", param(call, "name"));
    const versions: PackageVersion[] = bySemver(this.packages.versions(found));
    const newest = versions.at(-1);
    if (!newest) throw new NotFound("packages.missing");
    const read = metadataOf(newest);
    const times = versions.map(({ createdAt }) => createdAt);
    return json({
      name: found.name,
      maintainer: textOf(read["maintainer"]),
      description: textOf(read["description"]),
      category: "",
      latest_version: this.versionUrl(seen, newest),
      source_url: textOf(read["source_url"]),
      created_at: rfc3339(Math.min(...times)),
      updated_at: rfc3339(Math.max(...times)),
      deprecated: false,
      versions: versions.map((version) => this.versionUrl(seen, version)),
    });
  }

  version(call: Call, seen: SeenPackages): Response {
    const version = this.find(call, seen);
    const read = metadataOf(version);
    return json({
      version: version.version,
      tarball_file_size: this.file(version).sizeBytes,
      published_at: rfc3339(version.createdAt),
      cookbook: this.cookbookUrl(seen, version),
      file: `${this.versionUrl(seen, version)}/download`,
      license: textOf(read["license"]),
      dependencies: textMapOf(read["dependencies"]),
    });
  }

  async publish(call: Call, seen: SeenPackages): Promise<Response> {
    using upload = await this.kit.upload(call, { field: "tarball" });
    const { content } = upload;
    if (call.principal.via === "signature") {
      const { coversContent } = await import("./signed-headers.ts");
      if (!coversContent(call.request.headers.get("x-ops-content-hash"), content))
        throw new Unauthorised("access.bad-credentials");
    }
    const { readCookbook } = await import("./parse.ts");
    const { metadata, name, version } = await readCookbook(Bun.file(content.path));
    this.kit.publish(seen, {
      version: { name, version, metadata },
      createsVersion: true,
      files: [{ name: `${version}.tar.gz`, isLead: true, content }],
    });
    return created({});
  }

  /** A version as paths name it, with underscores in place of dots. @throws NotFound, Unauthorised */
  find(call: Call, seen: SeenPackages): PackageVersion {
    return this.packages.version(seen, "chef", param(call, "name"), param(call, "version").replaceAll("_", "."));
  }

  /** @throws NotFound */
  file(version: PackageVersion): PackageFile {
    return this.packages.file(version, `${version.version}.tar.gz`);
  }

  private base(seen: SeenPackages): string {
    return `${this.kit.urlOf(seen)}${API}`;
  }

  private cookbookUrl(seen: SeenPackages, { package: { name } }: PackageVersion): string {
    return `${this.base(seen)}/cookbooks/${segment(name)}`;
  }

  private versionUrl(seen: SeenPackages, version: PackageVersion): string {
    return `${this.cookbookUrl(seen, version)}/versions/${segment(version.version)}`;
  }
}
