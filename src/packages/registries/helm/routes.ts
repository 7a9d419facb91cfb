import { plain } from "../../../http/respond.ts";
import { param, type Route } from "../../../http/route.ts";
import { rfc3339 } from "../../../kernel/clock.ts";
import { isObject } from "../../../kernel/json.ts";
import { segment } from "../../../kernel/url-path.ts";
import type { Services } from "../../../services.ts";
import type { PackageFile, SeenPackages } from "../../types.ts";
import { jsonRefusal, RegistryKit } from "../kit.ts";
import { compact, metadataOf } from "../metadata.ts";
import { bySemver } from "../semver.ts";

/** The Helm chart registry (contract packages.md 9.11). */
export function helmRoutes(services: Services): Route[] {
  const kit = new RegistryKit(
    "helm",
    services,
    jsonRefusal((error) => ({ error })),
  );
  return [
    kit.route({ method: "GET", path: "/index.yaml", level: "read", handle: (_, seen) => index(kit, seen) }),
    kit.route({
      method: "GET",
      path: "/:file",
      level: "read",
      handle: (call, seen) => kit.file(call, kit.fileNamed(seen, param(call, "file"))),
    }),
    kit.route({
      method: "POST",
      path: "/api/charts",
      level: "write",
      handle: async (call, seen) => {
        using upload = await kit.upload(call);
        const { readChart } = await import("./parse.ts");
        const { metadata, name, version } = await readChart(services.pool, Bun.file(upload.content.path));
        const file = `${name}-${version}.tgz`.toLowerCase();
        return kit.publish(seen, {
          version: { name, version, metadata },
          refreshesMetadata: true,
          files: [{ name: file, isLead: true, content: upload.content, overwrites: true }],
        });
      },
    }),
  ];
}

/** All charts of an owner, each with its versions, the highest first. */
async function index(kit: RegistryKit, seen: SeenPackages): Promise<Response> {
  const { stringify } = await import("yaml");
  const { packages } = kit.services;
  const charts = packages.ofType(seen, "helm");
  const versions = packages.versionsOfEach(charts);
  const files: Map<number, PackageFile[]> = packages.filesOfEach([...versions.values()].flat());
  const base = kit.urlOf(seen);
  const entries = charts.map(({ id, name }) => [
    name,
    bySemver(versions.get(id) ?? [])
      .toReversed()
      .flatMap((version) => {
        const [file] = files.get(version.id) ?? [];
        if (!file) return [];
        const { dependencies, maintainers, ...chart } = metadataOf(version);
        return {
          ...compact(chart),
          ...compact({ maintainers: compactRows(maintainers), dependencies: compactRows(dependencies) }),
          urls: [`${base}/${segment(file.name)}`],
          created: rfc3339(version.createdAt),
          digest: file.sha256,
        };
      }),
  ]);
  const contextPath = new URL(base).pathname;
  const text = stringify(
    {
      apiVersion: "v1",
      entries: Object.fromEntries(entries),
      generated: new Date().toISOString(),
      serverInfo: { contextPath },
    },
    { aliasDuplicateObjects: false },
  );
  return plain(text, 200, { "content-type": "application/yaml" });
}

const compactRows = (value: unknown) => (Array.isArray(value) ? value.filter(isObject).map(compact) : []);
