import { json, plain } from "../../../http/respond.ts";
import type { Call, Route } from "../../../http/route.ts";
import { rfc3339 } from "../../../kernel/clock.ts";
import { NotFound } from "../../../kernel/errors.ts";
import type { Services } from "../../../services.ts";
import type { PackageVersion, SeenPackages } from "../../types.ts";
import { RegistryKit } from "../kit.ts";
import { bySemver, isPrerelease } from "../semver.ts";

const GO_MOD = "go.mod";
/** A module, and the requested resource. */
const ASKED = /^(.+?)\/(?:@v\/(list|.+)|(@latest))$/;

/** The Go registry, which is a module proxy (contract packages.md 9.12). */
export function goRoutes(services: Services): Route[] {
  const kit = new RegistryKit("go", services);
  return [
    kit.route({
      method: "PUT",
      path: "/upload",
      level: "write",
      handle: async (call, seen) => {
        using upload = await kit.upload(call);
        const { readModule } = await import("./parse.ts");
        const { goMod, name, version } = await readModule(Bun.file(upload.content.path));
        return kit.publish(seen, {
          version: { name, version, properties: [{ name: GO_MOD, value: goMod }] },
          createsVersion: true,
          files: [{ name: `${version}.zip`, isLead: true, content: upload.content }],
        });
      },
    }),
    kit.route({ method: "GET", path: "/*", level: "read", handle: (call, seen) => answer(kit, call, seen) }),
  ];
}

async function answer(kit: RegistryKit, call: Call, seen: SeenPackages): Promise<Response> {
  const { packages } = kit.services;
  const match = ASKED.exec(call.params["*"] ?? "");
  if (!match) throw new NotFound("packages.missing");
  const { unescaped } = await import("./parse.ts");
  const [, module = "", of = "", latest] = match;
  const found = packages.find(seen, "go", unescaped(module));
  const versions = packages.versions(found);
  if (of === "list") return plain(versions.map(({ version }) => `${version}\n`).join(""));
  if (latest !== undefined || of === "latest.info") return info(highestOf(versions));
  const [, given = "", ending = ""] = /^(.+)\.(info|mod|zip)$/.exec(of) ?? [];
  const version = packages.versionOf(found, unescaped(given));
  if (!version) throw new NotFound("packages.missing");
  if (ending === "info") return info(version);
  if (ending === "mod") {
    const properties = packages.propertiesOf("version", [version.id]).get(version.id) ?? [];
    return plain(properties.find(({ name }) => name === GO_MOD)?.value ?? `module ${found.name}`);
  }
  const [file] = packages.filesOf(version);
  if (!file) throw new NotFound("packages.file-missing");
  return kit.file(call, file, { mediaType: "application/zip" });
}

/** The highest release, or else the highest version. @throws NotFound */
function highestOf(versions: readonly PackageVersion[]): PackageVersion {
  const ordered = bySemver(versions);
  const highest = ordered.findLast(({ version }) => !isPrerelease(version)) ?? ordered.at(-1);
  if (!highest) throw new NotFound("packages.missing");
  return highest;
}

const info = ({ createdAt, version }: PackageVersion) => json({ Version: version, Time: rfc3339(createdAt) });
