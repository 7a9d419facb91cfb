import { readBody } from "../../../http/body.ts";
import { parseJson } from "../../../http/json.ts";
import { type Call, param, type Route } from "../../../http/route.ts";
import { BadRequest, NotFound, Unauthorised } from "../../../kernel/errors.ts";
import { type JsonObject, objectOf, textOf } from "../../../kernel/json.ts";
import type { Services } from "../../../services.ts";
import type { Package, PackageFile, PackageVersion, SeenPackages } from "../../types.ts";
import { jsonRefusal, RegistryKit } from "../kit.ts";
import { repositoryNamed } from "../linking.ts";
import { metadataOf } from "../metadata.ts";
import { distTags, type NpmVersion, packumentOf, searchEntry, TAG, tagsOf } from "./packument.ts";
import { publicationOf, requireTag } from "./parse.ts";

const MAX_TAG_BYTES = 4096;
const MAX_PAGE = 250;

const ok = (value: object = {}) =>
  new Response(JSON.stringify(value), { headers: { "content-type": "application/json" } });

/** The npm registry (contract packages.md 9.2). */
export function npmRoutes(services: Services): Route[] {
  const kit = new RegistryKit(
    "npm",
    services,
    jsonRefusal((error) => ({ error })),
  );
  const npm = new NpmRegistry(kit);
  // A scoped name is either one segment with an escaped slash, or two segments.
  const named = ["/:name", "/:scope/:name"].flatMap((path): Route[] => [
    kit.route({ method: "GET", path, level: "read", handle: (call, seen) => npm.document(call, seen) }),
    kit.route({ method: "PUT", path, level: "write", handle: (call, seen) => npm.put(call, seen) }),
    kit.route({
      method: "GET",
      path: `${path}/-/:version/:file`,
      level: "read",
      handle: (call, seen) => {
        const version = services.packages.version(seen, "npm", nameOf(call), param(call, "version"));
        return kit.file(call, services.packages.file(version, param(call, "file")));
      },
    }),
    kit.route({
      method: "GET",
      path: `${path}/-/:file`,
      level: "read",
      handle: (call, seen) => {
        const [file, ...more] = services.packages.filesNamed(npm.find(call, seen), param(call, "file"));
        if (!file || more.length > 0) throw new NotFound("packages.file-missing");
        return kit.file(call, file);
      },
    }),
    kit.route({
      method: "DELETE",
      path: `${path}/-/:version/:file/-rev/:rev`,
      level: "write",
      handle: (call, seen) => npm.deleteVersion(call, seen),
    }),
    kit.route({
      method: "DELETE",
      path: `${path}/-rev/:rev`,
      level: "write",
      handle: (call, seen) => {
        services.packages.deletePackage(seen, npm.find(call, seen));
        return ok();
      },
    }),
    // npm sends the document without the version it is about to delete.
    kit.route({ method: "PUT", path: `${path}/-rev/:rev`, level: "write", handle: () => ok() }),
    kit.route({
      method: "GET",
      path: `/-/package${path}/dist-tags`,
      level: "read",
      handle: (call, seen) => ok(npm.tags(call, seen)),
    }),
    kit.route({
      method: "PUT",
      path: `/-/package${path}/dist-tags/:tag`,
      level: "write",
      handle: (call, seen) => npm.setTag(call, seen),
    }),
    kit.route({
      method: "DELETE",
      path: `/-/package${path}/dist-tags/:tag`,
      level: "write",
      handle: (call, seen) => npm.removeTag(call, seen),
    }),
  ]);
  return [
    ...named,
    // Clients configured with a registry for one scope append the tarball's whole path to the registry's.
    kit.route({
      method: "DELETE",
      path: "/api/packages/:again/npm/:name/-/:version/:file/-rev/:rev",
      level: "write",
      handle: (call, seen) => npm.deleteVersion(call, seen),
    }),
    kit.route({ method: "GET", path: "/-/v1/search", level: "read", handle: (call, seen) => npm.search(call, seen) }),
    kit.route({
      method: "GET",
      path: "/-/whoami",
      level: "read",
      handle: ({ principal: { user } }) => {
        if (!user) throw new Unauthorised("packages.needs-credentials");
        return ok({ username: user.login });
      },
    }),
    kit.route({ method: "GET", path: "/-/ping", level: "read", handle: () => ok() }),
  ];
}

function nameOf(call: Call): string {
  const { name = "", scope } = call.params;
  return scope === undefined ? name : `${scope}/${name}`;
}

class NpmRegistry {
  constructor(private readonly kit: RegistryKit) {}

  private get packages() {
    return this.kit.services.packages;
  }

  find(call: Call, seen: SeenPackages): Package {
    return this.packages.find(seen, "npm", nameOf(call));
  }

  document(call: Call, seen: SeenPackages): Response {
    const found = this.find(call, seen);
    const versions = this.versionsOf(found);
    if (versions.length === 0) throw new NotFound("packages.missing");
    return ok(packumentOf(this.kit.urlOf(seen), found.name, versions));
  }

  async put(call: Call, seen: SeenPackages): Promise<Response> {
    const { packageContents } = this.kit.services;
    call.keepOpen();
    const { readPackument } = await import("./body.ts");
    using sent = await readPackument(call, (bytes) =>
      packageContents.receive(bytes, { principal: seen.principal, type: "npm" }),
    );
    if (!sent.hasAttachments) return this.deprecate(call, seen, sent.document);
    const { file, metadata, name, repositoryUrl, tags, version } = publicationOf(sent.document, sent.tarball);
    if (!sent.tarball) throw new BadRequest("packages.npm-attachment");
    const repo = repositoryNamed(this.kit.services, seen, repositoryUrl);
    return this.kit.publish(seen, {
      version: { name, version, metadata },
      createsVersion: true,
      files: [{ name: file, isLead: true, content: sent.tarball }],
      also: (made) => {
        for (const tag of tags) this.moveTag(seen, made.package, made, tag);
        if (repo) this.kit.services.packageRepositories.linkPublished(made.package, repo);
      },
    });
  }

  /** A document without a tarball marks versions as deprecated. */
  private deprecate(call: Call, seen: SeenPackages, document: JsonObject): Response {
    const sent = objectOf(document["versions"]);
    const found = this.packages.look(seen, "npm", nameOf(call));
    if (!found || Object.keys(sent).length === 0) throw new BadRequest("packages.npm-attachment");
    for (const version of this.packages.versions(found)) {
      const given = sent[version.version];
      if (given === undefined) continue;
      const deprecated = textOf(objectOf(given)["deprecated"]);
      const read = metadataOf(version);
      if (deprecated !== textOf(read["deprecated"])) this.packages.setMetadata(seen, version, { ...read, deprecated });
    }
    return ok();
  }

  deleteVersion(call: Call, seen: SeenPackages): Response {
    const version = this.packages.version(seen, "npm", nameOf(call), param(call, "version"));
    this.packages.deleteVersion(seen, version);
    return ok();
  }

  tags(call: Call, seen: SeenPackages): object {
    const found = this.packages.look(seen, "npm", nameOf(call));
    return found ? distTags(this.versionsOf(found)) : {};
  }

  async setTag(call: Call, seen: SeenPackages): Promise<Response> {
    const tag = param(call, "tag");
    requireTag(tag);
    const parsed = parseJson(await readBody(call, MAX_TAG_BYTES));
    if (!("value" in parsed) || typeof parsed.value !== "string") throw new BadRequest("packages.invalid-version");
    const version = this.packages.version(seen, "npm", nameOf(call), parsed.value);
    this.moveTag(seen, version.package, version, tag);
    return ok();
  }

  removeTag(call: Call, seen: SeenPackages): Response {
    const tag = param(call, "tag");
    requireTag(tag);
    const found = this.packages.look(seen, "npm", nameOf(call));
    if (found) this.moveTag(seen, found, undefined, tag);
    return ok();
  }

  search(call: Call, seen: SeenPackages): Response {
    const number = (name: string, standard: number) => {
      const given = call.query.get(name) ?? "";
      return /^\d{1,9}$/.test(given) ? Number(given) : standard;
    };
    const { items, total } = this.packages.latestOfEach(
      seen,
      { type: "npm", text: call.query.get("text")?.trim() ?? "" },
      { offset: number("from", 0), limit: Math.min(number("size", 20), MAX_PAGE) },
    );
    const base = this.kit.urlOf(seen);
    return ok({ objects: items.map((version) => searchEntry(base, version)), total });
  }

  /** Moves a tag, which belongs to one version of a package. @param to undefined: removes it */
  private moveTag(seen: SeenPackages, found: Package, to: PackageVersion | undefined, tag: string): void {
    const { packagePublisher } = this.kit.services;
    const versions = this.packages.versions(found);
    const tags = this.packages.propertiesOf(
      "version",
      versions.map(({ id }) => id),
    );
    for (const version of versions) {
      const own = tagsOf(tags.get(version.id));
      const has = own.includes(tag);
      if (version.id === to?.id && !has) packagePublisher.setProperties(seen, version, TAG, [...own, tag]);
      if (version.id !== to?.id && has)
        packagePublisher.setProperties(
          seen,
          version,
          TAG,
          own.filter((each) => each !== tag),
        );
    }
  }

  private versionsOf(found: Package): NpmVersion[] {
    const versions = this.packages.versions(found);
    const files: Map<number, PackageFile[]> = this.packages.filesOfEach(versions);
    const tags = this.packages.propertiesOf(
      "version",
      versions.map(({ id }) => id),
    );
    return versions.flatMap((version) => {
      const [file] = files.get(version.id) ?? [];
      return file ? [{ version, file, tags: tagsOf(tags.get(version.id)) }] : [];
    });
  }
}
