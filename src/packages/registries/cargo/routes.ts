import { bodyStream } from "../../../http/body.ts";
import { type Call, param, type Route } from "../../../http/route.ts";
import { BadRequest, NotFound } from "../../../kernel/errors.ts";
import { sha256Hex } from "../../../kernel/ids.ts";
import { textOf } from "../../../kernel/json.ts";
import type { Services } from "../../../services.ts";
import type { Package, PackageFile, SeenPackages } from "../../types.ts";
import { jsonRefusal, listAnswer, RegistryKit } from "../kit.ts";
import { compact, metadataOf } from "../metadata.ts";
import { bySemver } from "../semver.ts";

const YANKED = "cargo.yanked";
const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER / 4;
const MAX_PAGE = 100;
const CRATES = "/api/v1/crates";

const json = (value: object) =>
  new Response(JSON.stringify(value), { headers: { "content-type": "application/json" } });

/** The Rust crate registry, by the sparse protocol (contract packages.md 9.9). */
export function cargoRoutes(services: Services): Route[] {
  const kit = new RegistryKit(
    "cargo",
    services,
    jsonRefusal((detail) => ({ ok: false, errors: [{ detail }] })),
  );
  const cargo = new CargoRegistry(kit);
  const { packages } = services;
  return [
    kit.route({
      method: "GET",
      path: "/config.json",
      level: "read",
      handle: (_, seen) => {
        const base = kit.urlOf(seen);
        const closed = services.config.require_signin || seen.owner.visibility !== "public";
        return json({ dl: `${base}${CRATES}`, api: base, "auth-required": closed });
      },
    }),
    // The directories of the index only repeat parts of the name.
    ...["/:folder/:name", "/:folder/:second/:name"].map((path) =>
      kit.route({ method: "GET", path, level: "read", handle: (call, seen) => cargo.index(call, seen) }),
    ),
    kit.route({
      method: "PUT",
      path: `${CRATES}/new`,
      level: "write",
      handle: (call, seen) => cargo.publish(call, seen),
    }),
    kit.route({
      method: "GET",
      path: `${CRATES}/:name/:version/download`,
      level: "read",
      handle: (call, seen) => {
        const found = cargo.find(seen, param(call, "name"));
        const version = packages.versionOf(found, param(call, "version"));
        const [file] = version ? packages.filesOf(version) : [];
        if (!file) throw new NotFound("packages.missing");
        return kit.file(call, file);
      },
    }),
    kit.route({
      method: "DELETE",
      path: `${CRATES}/:name/:version/yank`,
      level: "write",
      handle: (call, seen) => cargo.setYanked(call, seen, true),
    }),
    kit.route({
      method: "PUT",
      path: `${CRATES}/:name/:version/unyank`,
      level: "write",
      handle: (call, seen) => cargo.setYanked(call, seen, false),
    }),
    kit.route({
      method: "GET",
      path: `${CRATES}/:name/owners`,
      level: "read",
      handle: (call, seen) => {
        cargo.find(seen, param(call, "name"));
        const { fullName, id, login } = seen.owner;
        return json({ users: [{ id, login, name: fullName || login }] });
      },
    }),
    kit.route({ method: "GET", path: CRATES, level: "read", handle: (call, seen) => cargo.search(call, seen) }),
  ];
}

class CargoRegistry {
  constructor(private readonly kit: RegistryKit) {}

  private get packages() {
    return this.kit.services.packages;
  }

  /** Dashes and underscores are equivalent in names. @throws NotFound */
  find(seen: SeenPackages, name: string): Package {
    const spellings = [name, name.replaceAll("-", "_"), name.replaceAll("_", "-")];
    for (const spelling of new Set(spellings)) {
      const found = this.packages.look(seen, "cargo", spelling);
      if (found) return found;
    }
    throw new NotFound("packages.missing");
  }

  index(call: Call, seen: SeenPackages): Response {
    const found = this.find(seen, param(call, "name"));
    const versions = this.packages.versions(found);
    const files: Map<number, PackageFile[]> = this.packages.filesOfEach(versions);
    const properties = this.packages.propertiesOf(
      "version",
      versions.map(({ id }) => id),
    );
    const lines = versions.map((version) => {
      const read = metadataOf(version);
      const isYanked = properties.get(version.id)?.some(({ name, value }) => name === YANKED && value === "true");
      return JSON.stringify({
        name: found.name,
        vers: version.version,
        deps: read["dependencies"] ?? [],
        cksum: files.get(version.id)?.[0]?.sha256 ?? "",
        features: read["features"] ?? {},
        yanked: isYanked === true,
        ...compact({ links: textOf(read["links"]) }),
      });
    });
    const text = `${lines.join("\n")}\n`;
    return listAnswer(call, text, sha256Hex(text));
  }

  async publish(call: Call, seen: SeenPackages): Promise<Response> {
    call.keepOpen();
    const { readCrate } = await import("./parse.ts");
    const { packageContents } = this.kit.services;
    using crate = await readCrate(bodyStream(call, MAX_BODY_BYTES), (bytes) =>
      packageContents.receive(bytes, { principal: seen.principal, type: "cargo" }),
    );
    const { content, metadata, name, version } = crate;
    this.requireSameSpelling(seen, name);
    this.kit.publish(seen, {
      version: { name, version, metadata, properties: [{ name: YANKED, value: "false" }] },
      createsVersion: true,
      files: [{ name: `${name}-${version}.crate`.toLowerCase(), isLead: true, content }],
    });
    return json({ ok: true, warnings: { invalid_categories: [], invalid_badges: [], other: [] } });
  }

  setYanked(call: Call, seen: SeenPackages, isYanked: boolean): Response {
    const version = this.packages.versionOf(this.find(seen, param(call, "name")), param(call, "version"));
    if (!version) throw new NotFound("packages.missing");
    this.kit.services.packagePublisher.setProperties(seen, version, YANKED, [String(isYanked)]);
    return json({ ok: true });
  }

  search({ query }: Call, seen: SeenPackages): Response {
    const number = (name: string, standard: number) => {
      const given = query.get(name) ?? "";
      return /^[1-9]\d{0,8}$/.test(given) ? Number(given) : standard;
    };
    const limit = Math.min(number("per_page", 10), MAX_PAGE);
    const { items, total } = this.packages.latestOfEach(
      seen,
      { type: "cargo", text: query.get("q")?.trim() ?? "" },
      { limit, offset: (number("page", 1) - 1) * limit },
    );
    const versions = this.packages.versionsOfEach(items.map((each) => each.package));
    const crates = items.map((latest) => ({
      name: latest.package.name,
      max_version: bySemver(versions.get(latest.package.id) ?? [latest]).at(-1)?.version ?? latest.version,
      description: textOf(metadataOf(latest)["description"]),
    }));
    return json({ crates, meta: { total } });
  }

  private requireSameSpelling(seen: SeenPackages, name: string): void {
    try {
      if (this.find(seen, name).name.toLowerCase() === name.toLowerCase()) return;
    } catch (error) {
      if (error instanceof NotFound) return;
      throw error;
    }
    throw new BadRequest("packages.cargo-other-spelling");
  }
}
