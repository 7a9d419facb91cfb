import { plain } from "../../../http/respond.ts";
import { type Call, param, type Route } from "../../../http/route.ts";
import { rfc3339 } from "../../../kernel/clock.ts";
import { BadRequest, Failure, NotFound, Unauthorised } from "../../../kernel/errors.ts";
import { type JsonObject, objectOf, textOf } from "../../../kernel/json.ts";
import { segment } from "../../../kernel/url-path.ts";
import type { Services } from "../../../services.ts";
import type { PackageVersion, SeenPackages } from "../../types.ts";
import { jsonRefusal, RegistryKit, type RegistryRoute, type Upload } from "../kit.ts";
import { compact, metadataOf, textsOf } from "../metadata.ts";
import { bySemver, newestOf, semverOf } from "../semver.ts";

const SCOPE = /^[a-zA-Z0-9][a-zA-Z0-9-]{0,38}$/;
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9-_]{0,99}$/;
const REPOSITORY_URL = "swift.repository_url";
const ARCHIVE = "source-archive";

const json = (value: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(value), { headers: { "content-type": "application/json", ...headers } });

/** The Swift package registry (contract packages.md 9.22). */
export function swiftRoutes(services: Services): Route[] {
  const kit = new RegistryKit(
    "swift",
    services,
    jsonRefusal((detail, status) => ({ status, detail }), "application/problem+json"),
  );
  const swift = new SwiftRegistry(kit);
  const route = (declared: RegistryRoute) => versioned(kit.route(declared));
  const login = (path: string) =>
    route({
      method: "POST",
      path,
      level: "read",
      handle: (_, { owner, principal }) => {
        if (!principal.user)
          throw new Unauthorised("packages.needs-credentials", { params: { owner: owner.visibility } });
        return new Response(null);
      },
    });
  return [
    login(""),
    login("/login"),
    route({
      method: "GET",
      path: "/identifiers",
      level: "read",
      handle: (call, seen) => {
        requireAccept(call, "json");
        return swift.identifiers(seen, call.query.get("url") ?? "");
      },
    }),
    route({ method: "GET", path: "/:scope/:name", level: "read", handle: (call, seen) => swift.releases(call, seen) }),
    route({
      method: "GET",
      path: "/:scope/:name/:version",
      level: "read",
      handle: (call, seen) => (param(call, "version").endsWith(".zip") ? swift.archive : swift.release)(call, seen),
    }),
    route({
      method: "GET",
      path: "/:scope/:name/:version/Package.swift",
      level: "read",
      handle: (call, seen) => swift.manifest(call, seen),
    }),
    route({
      method: "PUT",
      path: "/:scope/:name/:version",
      level: "write",
      handle: (call, seen) => swift.publish(call, seen),
    }),
  ];
}

/** Marks every response with the protocol version. */
function versioned(route: Route): Route {
  const { handle, refuse } = route;
  const marked = (answer: Response) => {
    answer.headers.set("content-version", "1");
    return answer;
  };
  return {
    ...route,
    handle: async (call) => marked(await handle(call)),
    refuse: (failure, message, request) => {
      const answer = marked(refuse?.(failure, message, request) ?? plain(message, failure.status));
      // SwiftPM 6.2 on Linux hangs when challenged for Basic; for another scheme it reports the error.
      const isClient = request.headers.get("user-agent")?.startsWith("SwiftPackageManager/") === true;
      if (isClient && failure.status === 401)
        answer.headers.set("www-authenticate", 'Bearer realm="Gitea Package API"');
      return answer;
    },
  };
}

/** @throws BadRequest if the client does not accept this kind */
function requireAccept({ request }: Call, kind: "json" | "swift" | "zip"): void {
  const accept = request.headers.get("accept");
  if (accept === null || accept.trim() === "") return;
  const wanted = accept.split(",").map((each) => each.split(";")[0]?.trim().toLowerCase());
  const offered = ["*/*", "application/*", `application/vnd.swift.registry.v1+${kind}`];
  if (!wanted.some((each) => offered.includes(each ?? ""))) throw new BadRequest("packages.swift-accept");
}

const identityOf = (call: Call) => `${param(call, "scope")}.${param(call, "name")}`;
const withoutEnding = (text: string, ending: string) =>
  text.endsWith(ending) ? text.slice(0, text.length - ending.length) : text;

class SwiftRegistry {
  constructor(private readonly kit: RegistryKit) {}

  private get packages() {
    return this.kit.services.packages;
  }

  private addressOf(seen: SeenPackages, { package: { name }, version }: PackageVersion): string {
    const [scope = "", ...rest] = name.split(".");
    return `${this.kit.urlOf(seen)}/${segment(scope)}/${segment(rest.join("."))}/${segment(version)}`;
  }

  releases(call: Call, seen: SeenPackages): Response {
    requireAccept(call, "json");
    const found = this.packages.find(seen, "swift", withoutEnding(identityOf(call), ".json"));
    const versions: PackageVersion[] = bySemver(this.packages.versions(found));
    const newest = newestOf(versions);
    const releases = versions.map((each) => [each.version, { url: this.addressOf(seen, each) }]);
    const link = newest && { link: `<${this.addressOf(seen, newest)}>; rel="latest-version"` };
    return json({ releases: Object.fromEntries(releases) }, link);
  }

  readonly release = (call: Call, seen: SeenPackages): Response => {
    requireAccept(call, "json");
    const version = this.version(call, seen, ".json");
    const addresses = this.packages.propertiesOf("version", [version.id]).get(version.id) ?? [];
    const [file] = this.packages.filesOf(version);
    const resources = file ? [{ name: ARCHIVE, type: "application/zip", checksum: file.sha256 }] : [];
    return json({
      id: version.package.name,
      version: version.version,
      resources,
      metadata: describe(
        version,
        addresses.filter(({ name }) => name === REPOSITORY_URL).map(({ value }) => value),
      ),
      publishedAt: rfc3339(version.createdAt),
    });
  };

  readonly archive = (call: Call, seen: SeenPackages): Response => {
    requireAccept(call, "zip");
    const [file] = this.packages.filesOf(this.version(call, seen, ".zip"));
    if (!file) throw new NotFound("packages.file-missing");
    const headers = { digest: `sha256=${file.sha256}` };
    return this.kit.file(call, file, { mediaType: "application/zip", headers });
  };

  async manifest(call: Call, seen: SeenPackages): Promise<Response> {
    requireAccept(call, "swift");
    const { swiftVersionOf } = await import("./parse.ts");
    const version = this.version(call, seen, "");
    const asked = call.query.get("swift-version") ?? "";
    const wanted = asked === "" ? "" : swiftVersionOf(asked);
    const manifests = objectOf(metadataOf(version)["manifests"]);
    if (wanted === undefined || !Object.hasOwn(manifests, wanted)) {
      const location = `${this.addressOf(seen, version)}/Package.swift`;
      return new Response(null, { status: 303, headers: { location } });
    }
    const name = wanted === "" ? "Package.swift" : `Package@swift-${wanted}.swift`;
    return new Response(textOf(objectOf(manifests[wanted])["content"]), {
      headers: {
        "content-type": "text/x-swift",
        "content-disposition": `attachment; filename="${name}"`,
        "x-content-type-options": "nosniff",
      },
    });
  }

  async publish(call: Call, seen: SeenPackages): Promise<Response> {
    requireAccept(call, "json");
    const [scope, name] = [param(call, "scope"), param(call, "name")];
    if (!SCOPE.test(scope) || !NAME.test(name)) throw new BadRequest("packages.invalid-name");
    const version = semverOf(param(call, "version"))?.text;
    if (version === undefined) throw new BadRequest("packages.invalid-version");
    using upload = await this.receive(call);
    const { readManifests, readMetadata } = await import("./parse.ts");
    const sent = upload.fields.find(([field]) => field === "metadata")?.[1] ?? "";
    const { metadata, repositoryUrls } = readMetadata(Buffer.from(sent));
    const manifests = await readManifests(Bun.file(upload.content.path));
    return this.kit.publish(seen, {
      version: {
        name: `${scope}.${name}`,
        version,
        metadata: { ...metadata, manifests },
        packageProperties: [
          { name: "swift.scope", value: scope },
          { name: "swift.name", value: name },
        ],
        properties: repositoryUrls.map((value) => ({ name: REPOSITORY_URL, value })),
      },
      createsVersion: true,
      files: [{ name: `${name}-${version}.zip`, isLead: true, content: upload.content }],
    });
  }

  /** Packages of which a release names that URL as its repository. */
  identifiers(seen: SeenPackages, url: string): Response {
    if (url === "") throw new BadRequest("packages.swift-no-url");
    const property = { name: REPOSITORY_URL, value: url, ofAny: true };
    const { items } = this.packages.latestOfEach(seen, { type: "swift", property }, { limit: 100, offset: 0 });
    if (items.length === 0) throw new NotFound("packages.missing");
    return json({ identifiers: items.map((each) => each.package.name) });
  }

  private version(call: Call, seen: SeenPackages, ending: string): PackageVersion {
    return this.packages.version(seen, "swift", identityOf(call), withoutEnding(param(call, "version"), ending));
  }

  private async receive(call: Call): Promise<Upload> {
    try {
      return await this.kit.upload(call, { field: ARCHIVE });
    } catch (error) {
      const isMissing = error instanceof Failure && error.code === "packages.no-file";
      throw isMissing ? new BadRequest("packages.swift-archive") : error;
    }
  }
}

/** A version in the terms of schema.org. */
function describe(version: PackageVersion, repositoryUrls: readonly string[]): JsonObject {
  const read = metadataOf(version);
  const author = objectOf(read["author"]);
  return {
    "@context": ["http://schema.org/"],
    "@type": "SoftwareSourceCode",
    name: version.package.name.split(".").slice(1).join("."),
    version: version.version,
    ...compact({
      description: textOf(read["description"]),
      keywords: textsOf(read["keywords"]),
      codeRepository: textOf(read["repository_url"]),
      license: textOf(read["license"]),
      licenseURL: textOf(read["license_url"]),
      author: Object.keys(author).length > 0 ? { "@type": "Person", ...author } : {},
      repositoryURLs: repositoryUrls,
    }),
    programmingLanguage: { "@type": "ComputerLanguage", name: "Swift", url: "https://swift.org" },
  };
}
