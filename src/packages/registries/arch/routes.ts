import { noContent } from "../../../http/respond.ts";
import type { Call, Route } from "../../../http/route.ts";
import { BadRequest, Conflict, NotFound } from "../../../kernel/errors.ts";
import type { Services } from "../../../services.ts";
import type { PackageFile, SeenPackages } from "../../types.ts";
import { RegistryKit } from "../kit.ts";
import { pathParts, placeName } from "../places.ts";
import { ANY, DATABASE, DATABASE_SIGNATURE, keyOf, Property } from "./database.ts";

const KEY = "repository.key";
const SIGNATURE = ".sig";
/** Database files that clients request, named after a section of their configuration. */
const DATABASES = /\.(?:db|files)(?:\.tar\.gz)?$/;

/** The Arch registry, by repository and architecture (contract packages.md 9.20). */
export function archRoutes(services: Services): Route[] {
  const kit = new RegistryKit("arch", services);
  const registry = new ArchRegistry(kit);
  const upload = (call: Call, seen: SeenPackages) => registry.upload(call, seen);
  return [
    kit.route({ method: "GET", path: "/*", level: "read", handle: (call, seen) => registry.get(call, seen) }),
    kit.route({ method: "PUT", path: "", level: "write", handle: upload }),
    kit.route({ method: "PUT", path: "/*", level: "write", handle: upload }),
    kit.route({ method: "DELETE", path: "/*", level: "write", handle: (call, seen) => registry.delete(call, seen) }),
  ];
}

class ArchRegistry {
  constructor(private readonly kit: RegistryKit) {}

  private get packages() {
    return this.kit.services.packages;
  }

  async get(call: Call, seen: SeenPackages): Promise<Response> {
    const parts = pathParts(call);
    const [architecture = "", last = ""] = parts.slice(-2);
    if (parts.length === 1 && parts[0] === KEY) return this.kit.publicKey(seen, "arch");
    const repository = parts.slice(0, -2).join("/");
    const isSignature = last.endsWith(SIGNATURE);
    const name = isSignature ? last.slice(0, -SIGNATURE.length) : last;
    const places = [keyOf(repository, architecture), keyOf(repository, ANY)];
    if (DATABASES.test(name)) return this.database(call, seen, places, isSignature ? DATABASE_SIGNATURE : DATABASE);
    const file = this.kit.fileNamed(seen, name, ({ compositeKey }) => places.includes(compositeKey));
    return isSignature ? this.signature(file) : this.kit.file(call, file);
  }

  async upload(call: Call, seen: SeenPackages): Promise<Response> {
    const repository = placeName(pathParts(call));
    if (repository === undefined) throw new BadRequest("packages.arch-repository");
    using upload = await this.kit.upload(call);
    const { content } = upload;
    const { packageOwnerKeys, pool } = this.kit.services;
    const { readPackage } = await import("./parse.ts");
    const { architecture, ending, facts, metadata, name, version } = await readPackage(pool, content.path);
    const [signature = new Uint8Array()] = await packageOwnerKeys.sign(seen.owner, "arch", [{ path: content.path }]);
    const compositeKey = keyOf(repository, architecture);
    return this.kit.publish(seen, {
      version: { name, version, metadata },
      files: [
        {
          name: `${name}-${version}-${architecture}.pkg.tar.${ending}`,
          compositeKey,
          isLead: true,
          content,
          properties: [
            { name: Property.repository, value: repository },
            { name: Property.architecture, value: architecture },
            { name: Property.metadata, value: facts },
            { name: Property.signature, value: Buffer.from(signature).toString("base64") },
          ],
        },
      ],
      // The same package with another compression is a duplicate.
      also: (published) => {
        const same = this.packages.filesOf(published).filter((each) => each.compositeKey === compositeKey);
        if (same.length > 1) throw new Conflict("packages.file-exists");
      },
    });
  }

  delete(call: Call, seen: SeenPackages): Response {
    const parts = pathParts(call);
    const [name = "", version = "", architecture = ""] = parts.slice(-3);
    const place = keyOf(parts.slice(0, -3).join("/"), architecture);
    const found = this.packages.version(seen, "arch", name, version);
    const file = this.packages.filesOf(found).find(({ compositeKey }) => compositeKey === place);
    if (!file) throw new NotFound("packages.file-missing");
    this.packages.deleteFile(seen, found, file);
    return noContent();
  }

  /** The database of that architecture, or else of `any`. @throws NotFound, Unauthorised */
  private async database(call: Call, seen: SeenPackages, places: readonly string[], name: string): Promise<Response> {
    const { packageIndices } = this.kit.services;
    for (const place of places) {
      const found = await packageIndices.find(seen, "arch", place, name);
      if (found) return this.kit.file(call, found);
    }
    throw packageIndices.missing(seen, "arch");
  }

  /** The signature made when the package was published. @throws NotFound */
  private signature(file: PackageFile): Response {
    const properties = this.packages.propertiesOf("file", [file.id]).get(file.id) ?? [];
    const found = properties.find(({ name }) => name === Property.signature);
    if (!found) throw new NotFound("packages.file-missing");
    return binary(Buffer.from(found.value, "base64"));
  }
}

const binary = (bytes: Uint8Array<ArrayBuffer>) =>
  new Response(bytes, { headers: { "content-type": "application/octet-stream" } });
