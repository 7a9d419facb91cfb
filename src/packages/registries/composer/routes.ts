import { type Call, param, type Route } from "../../../http/route.ts";
import { rfc3339 } from "../../../kernel/clock.ts";
import { textOf } from "../../../kernel/json.ts";
import { segment } from "../../../kernel/url-path.ts";
import { repoPage } from "../../../repos/addresses.ts";
import type { Services } from "../../../services.ts";
import type { PackageFile, PackageVersion, SeenPackages } from "../../types.ts";
import { jsonRefusal, RegistryKit } from "../kit.ts";
import { compact, metadataOf } from "../metadata.ts";

const TYPE = "composer.type";
const MAX_PAGE = 100;

const json = (value: object) =>
  new Response(JSON.stringify(value), { headers: { "content-type": "application/json" } });

/** The PHP Composer registry (contract packages.md 9.10). */
export function composerRoutes(services: Services): Route[] {
  const kit = new RegistryKit(
    "composer",
    services,
    jsonRefusal((message, status) => ({ errors: [{ status, message }] })),
  );
  const composer = new ComposerRegistry(kit);
  const { packages } = services;
  return [
    kit.route({
      method: "GET",
      path: "/packages.json",
      level: "read",
      handle: (_, seen) => {
        const base = kit.urlOf(seen);
        return json({
          search: `${base}/search.json?q=%query%&type=%type%`,
          "metadata-url": `${base}/p2/%package%.json`,
          list: `${base}/list.json`,
        });
      },
    }),
    kit.route({
      method: "GET",
      path: "/search.json",
      level: "read",
      handle: (call, seen) => composer.search(call, seen),
    }),
    kit.route({
      method: "GET",
      path: "/list.json",
      level: "read",
      handle: (_, seen) => json({ packageNames: packages.ofType(seen, "composer").map(({ name }) => name) }),
    }),
    kit.route({
      method: "GET",
      path: "/p2/:vendor/:file",
      level: "read",
      handle: (call, seen) => composer.metadata(call, seen),
    }),
    kit.route({
      method: "GET",
      path: "/files/:name/:version/:file",
      level: "read",
      handle: (call, seen) => {
        const version = packages.version(seen, "composer", param(call, "name"), param(call, "version"));
        return kit.file(call, packages.file(version, param(call, "file")));
      },
    }),
    kit.route({ method: "PUT", path: "", level: "write", handle: (call, seen) => composer.publish(call, seen) }),
  ];
}

class ComposerRegistry {
  constructor(private readonly kit: RegistryKit) {}

  private get packages() {
    return this.kit.services.packages;
  }

  async publish(call: Call, seen: SeenPackages): Promise<Response> {
    using upload = await this.kit.upload(call);
    const { readComposerPackage } = await import("./parse.ts");
    const given = call.query.get("version") ?? "";
    const read = await readComposerPackage(Bun.file(upload.content.path), given);
    const { ending, metadata, name, type, version } = read;
    const file = `${name.replace("/", "-")}.${version}${ending}`.toLowerCase();
    return this.kit.publish(seen, {
      version: { name, version, metadata, properties: [{ name: TYPE, value: type }] },
      createsVersion: true,
      files: [{ name: file, isLead: true, content: upload.content }],
    });
  }

  metadata(call: Call, seen: SeenPackages): Response {
    const [, project = "", isDev] = /^(.+?)(~dev)?\.json$/.exec(param(call, "file")) ?? [];
    const found = this.packages.find(seen, "composer", `${param(call, "vendor")}/${project}`);
    const versions = this.packages
      .versions(found)
      .filter(({ version }) => isDev === undefined || /^dev-|-dev$/.test(version))
      .toReversed();
    const files: Map<number, PackageFile[]> = this.packages.filesOfEach(versions);
    const properties = this.packages.propertiesOf(
      "version",
      versions.map(({ id }) => id),
    );
    const repos = this.kit.services.packageRepositories.of(seen, versions);
    const entries = versions.flatMap((version) => {
      const [file] = files.get(version.id) ?? [];
      const type = properties.get(version.id)?.find(({ name }) => name === TYPE)?.value;
      const repo = repos.get(version.package.repoId ?? 0);
      const source = repo && {
        url: `${repoPage(repo, this.kit.services.links)}.git`,
        type: "git",
        reference: version.version,
      };
      return file ? [this.entry(seen, version, file, type ?? "library", source)] : [];
    });
    return json({ packages: { [found.name]: entries } });
  }

  private entry(
    seen: SeenPackages,
    version: PackageVersion,
    file: PackageFile,
    type: string,
    source: object | undefined,
  ) {
    const address = `${this.kit.urlOf(seen)}/files/${segment(version.package.name)}/${segment(version.version)}/${segment(file.name)}`;
    return {
      name: version.package.name,
      version: version.version,
      type,
      time: rfc3339(version.createdAt),
      dist: { type: file.name.endsWith(".zip") ? "zip" : "tar", url: address, shasum: file.sha1 },
      ...(source ? { source } : {}),
      ...compact(metadataOf(version)),
    };
  }

  search(call: Call, seen: SeenPackages): Response {
    const { query } = call;
    const number = (name: string, standard: number) => {
      const given = query.get(name) ?? "";
      return /^[1-9]\d{0,8}$/.test(given) ? Number(given) : standard;
    };
    const [text, type] = [query.get("q")?.trim() ?? "", query.get("type")?.trim() ?? ""];
    const [limit, page] = [Math.min(number("per_page", 30), MAX_PAGE), number("page", 1)];
    const { items, total } = this.packages.latestOfEach(
      seen,
      { type: "composer", text, ...(type === "" ? {} : { property: { name: TYPE, value: type } }) },
      { limit, offset: (page - 1) * limit },
    );
    const results = items.map((version) => ({
      name: version.package.name,
      description: textOf(metadataOf(version)["description"]),
      downloads: this.packages.downloads(version),
    }));
    const following = new URLSearchParams({ q: text, type, page: String(page + 1), per_page: String(limit) });
    const next = page * limit < total ? { next: `${this.kit.urlOf(seen)}/search.json?${following}` } : {};
    return json({ total, results, ...next });
  }
}
