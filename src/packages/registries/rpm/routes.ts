import { readBody } from "../../../http/body.ts";
import { parseJson } from "../../../http/json.ts";
import { noContent, plain } from "../../../http/respond.ts";
import type { Call, Route } from "../../../http/route.ts";
import { BadRequest, NotFound } from "../../../kernel/errors.ts";
import { segments } from "../../../kernel/url-path.ts";
import type { Services } from "../../../services.ts";
import type { PackageFile, PackageVersion, ReceivedContent, SeenPackages } from "../../types.ts";
import { RegistryKit } from "../kit.ts";
import { metadataOf } from "../metadata.ts";
import { pathParts, placeName } from "../places.ts";
import type { RpmHead } from "./header.ts";
import { Property } from "./properties.ts";
import { REPOMD } from "./repomd.ts";

const MAX_ERRATA_BYTES = 4 << 20;
const KEY = "repository.key";
const CONFIGURATION = ".repo";
const NOTHING = new Uint8Array();

/** The RPM registry, with groups that are separate repositories (contract packages.md 9.17). */
export function rpmRoutes(services: Services): Route[] {
  const kit = new RegistryKit("rpm", services);
  const registry = new RpmRegistry(kit);
  return [
    kit.route({
      method: "GET",
      path: CONFIGURATION,
      level: "read",
      handle: (_, seen) => registry.configuration(seen, []),
    }),
    kit.route({ method: "GET", path: "/*", level: "read", handle: (call, seen) => registry.get(call, seen) }),
    kit.route({ method: "PUT", path: "/*", level: "write", handle: (call, seen) => registry.upload(call, seen) }),
    kit.route({ method: "DELETE", path: "/*", level: "write", handle: (call, seen) => registry.delete(call, seen) }),
    kit.route({ method: "POST", path: "/*", level: "write", handle: (call, seen) => registry.addErrata(call, seen) }),
  ];
}

interface Found {
  readonly version: PackageVersion;
  readonly file: PackageFile;
  readonly group: string;
}

class RpmRegistry {
  constructor(private readonly kit: RegistryKit) {}

  private get packages() {
    return this.kit.services.packages;
  }

  async get(call: Call, seen: SeenPackages): Promise<Response> {
    const parts = pathParts(call);
    const last = parts.at(-1) ?? "";
    if (parts.length === 1 && last === KEY) return this.kit.publicKey(seen, "rpm");
    // zypper looks for the key here if it was given the repository's URL rather than a `.repo` file.
    if (parts.at(-2) === "repodata" && last === `${REPOMD}.key`) return this.kit.publicKey(seen, "rpm");
    if (parts.at(-2) === "repodata") return this.document(call, seen, parts.slice(0, -2).join("/"), last);
    if (last.endsWith(CONFIGURATION))
      return this.configuration(seen, [...parts.slice(0, -1), last.slice(0, -CONFIGURATION.length)]);
    const found = this.find(seen, parts, { isExact: false });
    if (!found) throw new NotFound("packages.missing");
    return this.kit.file(call, found.file);
  }

  /** @throws NotFound, Unauthorised */
  private async document(call: Call, seen: SeenPackages, group: string, name: string): Promise<Response> {
    return this.kit.file(call, await this.kit.services.packageIndices.file(seen, "rpm", group, name));
  }

  /** The `.repo` file for clients. @throws NotFound if it is no valid group name */
  configuration(seen: SeenPackages, parts: readonly string[]): Response {
    const { owner } = seen;
    const group = placeName(parts);
    if (group === undefined) throw new NotFound("packages.missing");
    const base = this.kit.urlOf(seen);
    const site = this.kit.services.config.name.replace(/\p{Cc}/gu, " ");
    const lines = [
      `[${["gitea", owner.login.toLowerCase(), ...parts].join("-")}]`,
      `name=${[owner.login, site, ...parts].join(" - ")}`,
      `baseurl=${group === "" ? base : `${base}/${segments(group)}`}`,
      "enabled=1",
      "gpgcheck=1",
      `gpgkey=${base}/${KEY}`,
    ];
    return plain(lines.join("\n"));
  }

  async upload(call: Call, seen: SeenPackages): Promise<Response> {
    const parts = pathParts(call);
    if (parts.at(-1) !== "upload") throw new NotFound("packages.missing");
    const group = placeName(parts.slice(0, -1));
    if (group === undefined) throw new BadRequest("packages.rpm-group");
    const { config, pool } = this.kit.services;
    using upload = await this.kit.upload(call);
    const [{ readHead }, { readRpm }] = await Promise.all([import("./header.ts"), import("./parse.ts")]);
    const head = await readHead(Bun.file(upload.content.path));
    const { architecture, facts, metadata, name, version } = await readRpm(pool, head);
    const isSigned = config["packages.sign_rpm"] || /^(?:1|t|true)$/i.test(call.query.get("sign") ?? "");
    using signed = isSigned ? await this.signed(seen, upload.content, head) : undefined;
    return this.kit.publish(seen, {
      version: { name, version, metadata },
      files: [
        {
          name: fileName(name, version, architecture),
          compositeKey: group,
          isLead: true,
          content: signed ?? upload.content,
          properties: [
            { name: Property.group, value: group },
            { name: Property.architecture, value: architecture },
            { name: Property.metadata, value: facts },
          ],
        },
      ],
    });
  }

  delete(call: Call, seen: SeenPackages): Response {
    const found = this.find(seen, pathParts(call), { isExact: true });
    if (!found) throw new NotFound("packages.missing");
    this.packages.deleteFile(seen, found.version, found.file);
    return noContent();
  }

  async addErrata(call: Call, seen: SeenPackages): Promise<Response> {
    const parts = pathParts(call);
    const [marker, name = "", version = "", what] = parts.slice(-4);
    const group = parts.slice(0, -4).join("/");
    if (marker !== "package" || what !== "errata") throw new NotFound("packages.missing");
    const find = () => {
      const found = this.packages.version(seen, "rpm", name, version);
      if (!this.packages.filesOf(found).some(({ compositeKey }) => compositeKey === group))
        throw new NotFound("packages.missing");
      return found;
    };
    find();
    const parsed = parseJson(await readBody(call, MAX_ERRATA_BYTES));
    const { errataIn, errataOf, withErrata } = await import("./errata.ts");
    const sent = errataOf("value" in parsed ? parsed.value : undefined);
    // Read it again, since the body took time to arrive.
    const found = find();
    const metadata = metadataOf(found);
    const updates = withErrata(errataIn(metadata), { group, sent, at: new Date() });
    this.packages.setMetadata(seen, found, { ...metadata, updates });
    return plain("");
  }

  /** The same package, signed with the owner's key. */
  private async signed(seen: SeenPackages, { path }: ReceivedContent, head: RpmHead): Promise<ReceivedContent> {
    const { packageContents, packageOwnerKeys } = this.kit.services;
    const { signedPackage } = await import("./signing.ts");
    const requests = [
      { data: head.header, form: "binary" },
      { path, start: head.headerStart },
    ] as const;
    const [ofHeader = NOTHING, ofAll = NOTHING] = await packageOwnerKeys.sign(seen.owner, "rpm", requests);
    const bytes = signedPackage(Bun.file(path), head, { ofHeader, ofAll });
    return packageContents.receive(bytes, { principal: seen.principal, type: "rpm" });
  }

  /**
   * Resolves `[{group}/]package/{name}/{version}/{arch}`. Unless `isExact`, a file name may follow, and `noarch`
   * packages match any architecture.
   * @throws Unauthorised
   */
  private find(
    seen: SeenPackages,
    parts: readonly string[],
    { isExact }: { readonly isExact: boolean },
  ): Found | undefined {
    // A group may itself be called "package".
    for (const length of isExact ? [4] : [4, 5]) {
      const at = parts.length - length;
      const [name = "", version = "", arch = ""] = parts.slice(at + 1);
      const found = at >= 0 && parts[at] === "package" ? this.packages.look(seen, "rpm", name) : undefined;
      const of = found && this.packages.versionOf(found, version);
      if (!of || of.isInternal) continue;
      const group = parts.slice(0, at).join("/");
      const files = this.packages.filesOf(of).filter(({ compositeKey }) => compositeKey === group);
      for (const each of isExact ? [arch] : [arch, "noarch"]) {
        const wanted = fileName(of.package.name, of.version, each).toLowerCase();
        const file = files.find((one) => one.name.toLowerCase() === wanted);
        if (file) return { version: of, file, group };
      }
    }
    return undefined;
  }
}

const fileName = (name: string, version: string, arch: string) => `${name}-${version}.${arch}.rpm`;
