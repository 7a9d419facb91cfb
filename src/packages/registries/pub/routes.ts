import { plain } from "../../../http/respond.ts";
import { type Call, param, type Route } from "../../../http/route.ts";
import { rfc3339 } from "../../../kernel/clock.ts";
import { NotFound } from "../../../kernel/errors.ts";
import { objectOf } from "../../../kernel/json.ts";
import { segment } from "../../../kernel/url-path.ts";
import type { Services } from "../../../services.ts";
import type { PackageFile, PackageVersion, SeenPackages } from "../../types.ts";
import { jsonRefusal, RegistryKit, type RegistryRoute, statusText } from "../kit.ts";
import { metadataOf } from "../metadata.ts";
import { bySemver, newestOf } from "../semver.ts";
import { xmlText } from "../xml-texts.ts";

const MEDIA_TYPE = "application/vnd.pub.v2+json";
const NEW = "/api/packages/versions/new";
const ARCHIVE = ".tar.gz";

const json = (value: object) => new Response(JSON.stringify(value), { headers: { "content-type": MEDIA_TYPE } });

/** The Dart package registry (contract packages.md 9.4). */
export function pubRoutes(services: Services): Route[] {
  const kit = new RegistryKit(
    "pub",
    services,
    jsonRefusal((message, status) => ({ error: { code: statusText(status), message } }), MEDIA_TYPE),
  );
  const pub = new PubRegistry(kit);
  const { packages } = services;
  const route = (declared: RegistryRoute) => withChallenge(kit.route(declared));
  return [
    route({
      method: "GET",
      path: "/api/packages/:name",
      level: "read",
      handle: (call, seen) => pub.list(call, seen),
    }),
    route({
      method: "GET",
      path: "/api/packages/:name/:version",
      level: "read",
      handle: (call, seen) => {
        const version = packages.version(seen, "pub", param(call, "name"), param(call, "version"));
        return json(pub.entry(seen, version, packages.filesOf(version)));
      },
    }),
    route({
      method: "GET",
      path: "/api/packages/:name/files/:file",
      level: "read",
      handle: (call, seen) => {
        const file = param(call, "file");
        if (!file.endsWith(ARCHIVE)) throw new NotFound("packages.file-missing");
        const version = packages.version(seen, "pub", param(call, "name"), file.slice(0, -ARCHIVE.length));
        return kit.file(call, packages.file(version, file));
      },
    }),
    route({
      method: "GET",
      path: NEW,
      level: "write",
      handle: (_, seen) => json({ url: `${kit.urlOf(seen)}${NEW}/upload`, fields: {} }),
    }),
    withUploadWords(
      route({
        method: "POST",
        path: `${NEW}/upload`,
        level: "write",
        handle: (call, seen) => pub.publish(call, seen),
      }),
    ),
    route({
      method: "GET",
      path: `${NEW}/finalize/:name/:version`,
      level: "write",
      handle: (call, seen) => {
        const { package: of, version } = packages.version(seen, "pub", param(call, "name"), param(call, "version"));
        return json({ success: { message: `Published ${of.name} ${version}.` } });
      },
    }),
  ];
}

/**
 * The client displays the message of a token challenge. On 401 it discards the token it sent, so known callers without
 * permission get 403 instead.
 */
function withChallenge(route: Route): Route {
  const { refuse } = route;
  return {
    ...route,
    refuse: (failure, message, request) => {
      if (failure.status !== 401) return refuse?.(failure, message, request) ?? plain(`${message}\n`, failure.status);
      const told = message.replace(/[^\x20-\x7e]|["\\]/g, " ");
      const challenge = `Bearer realm="pub", message="${told}", Basic realm="Gitea Package API"`;
      const status = failure.code === "packages.needs-access" ? 403 : 401;
      return plain(`${message}\n`, status, { "www-authenticate": challenge });
    },
  };
}

/** For a refused upload the client only displays an XML error like an object store's. */
function withUploadWords(route: Route): Route {
  const { refuse } = route;
  return {
    ...route,
    refuse: (failure, message, request) => {
      const answer = refuse?.(failure, message, request) ?? plain(`${message}\n`, failure.status);
      const { headers, status } = answer;
      if (status === 401 || !request.headers.get("user-agent")?.startsWith("Dart pub ")) return answer;
      headers.set("content-type", "application/xml");
      const said = `<Code>${statusText(status)}</Code><Message>${xmlText(message)}</Message>`;
      return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n<Error>${said}</Error>\n`, { status, headers });
    },
  };
}

class PubRegistry {
  constructor(private readonly kit: RegistryKit) {}

  list(call: Call, seen: SeenPackages): Response {
    const { packages } = this.kit.services;
    const found = packages.find(seen, "pub", param(call, "name"));
    const versions: PackageVersion[] = bySemver(packages.versions(found));
    const files: Map<number, PackageFile[]> = packages.filesOfEach(versions);
    const entries = new Map(versions.map((each) => [each, this.entry(seen, each, files.get(each.id) ?? [])]));
    const newest = newestOf(versions);
    return json({
      name: found.name,
      latest: newest && entries.get(newest),
      versions: [...entries.values()],
    });
  }

  entry(seen: SeenPackages, version: PackageVersion, files: readonly PackageFile[]) {
    const { createdAt, package: of, version: number } = version;
    return {
      version: number,
      archive_url: `${this.kit.urlOf(seen)}/api/packages/${segment(of.name)}/files/${segment(number)}${ARCHIVE}`,
      archive_sha256: files[0]?.sha256,
      published: rfc3339(createdAt),
      pubspec: objectOf(metadataOf(version)["pubspec"]),
    };
  }

  async publish(call: Call, seen: SeenPackages): Promise<Response> {
    using upload = await this.kit.upload(call, { field: "file" });
    const { readPubPackage } = await import("./parse.ts");
    const { pool } = this.kit.services;
    const { metadata, name, version } = await readPubPackage(pool, Bun.file(upload.content.path));
    this.kit.publish(seen, {
      version: { name, version, metadata },
      createsVersion: true,
      files: [{ name: `${version}${ARCHIVE}`.toLowerCase(), isLead: true, content: upload.content }],
    });
    const location = `${this.kit.urlOf(seen)}${NEW}/finalize/${segment(name)}/${segment(version)}`;
    return new Response(null, { status: 204, headers: { location } });
  }
}
