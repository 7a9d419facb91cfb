import { disposition } from "../../../http/file-answer.ts";
import { noContent } from "../../../http/respond.ts";
import { type Call, param, type Route } from "../../../http/route.ts";
import { BadRequest } from "../../../kernel/errors.ts";
import type { Services } from "../../../services.ts";
import type { SeenPackages } from "../../types.ts";
import { RegistryKit } from "../kit.ts";
import { isPlaceWord } from "../places.ts";
import { ANY, INDEX, keyFileOf, METADATA, partOf } from "./index.ts";

const FILE = "/:branch/:repository/:architecture/:file";

/** The Alpine registry, for apk (contract packages.md 9.18). */
export function alpineRoutes(services: Services): Route[] {
  const kit = new RegistryKit("alpine", services);
  const alpine = new AlpineRegistry(kit);
  return [
    kit.route({ method: "GET", path: "/key", level: "read", handle: (_, seen) => alpine.key(seen) }),
    kit.route({
      method: "PUT",
      path: "/:branch/:repository",
      level: "write",
      handle: (call, seen) => alpine.upload(call, seen),
    }),
    kit.route({ method: "GET", path: FILE, level: "read", handle: (call, seen) => alpine.get(call, seen) }),
    kit.route({ method: "DELETE", path: FILE, level: "write", handle: (call, seen) => alpine.delete(call, seen) }),
  ];
}

class AlpineRegistry {
  constructor(private readonly kit: RegistryKit) {}

  async key({ owner }: SeenPackages): Promise<Response> {
    const pem = await this.kit.services.packageOwnerKeys.publicKey(owner, "alpine");
    return new Response(pem, {
      headers: {
        "content-type": "application/x-pem-file",
        "content-disposition": disposition(keyFileOf(owner, pem), "attachment"),
      },
    });
  }

  async upload(call: Call, seen: SeenPackages): Promise<Response> {
    const [branch, repository] = [param(call, "branch"), param(call, "repository")];
    if (!isPlaceWord(branch) || !isPlaceWord(repository)) throw new BadRequest("packages.alpine-place");
    using upload = await this.kit.upload(call);
    const { readApk } = await import("./parse.ts");
    const { file, metadata, name, version } = await readApk(Bun.file(upload.content.path));
    return this.kit.publish(seen, {
      version: { name, version, metadata },
      files: [
        {
          name: `${name}-${version}.apk`,
          compositeKey: partOf(branch, repository, file.architecture),
          isLead: true,
          content: upload.content,
          properties: [
            { name: "alpine.branch", value: branch },
            { name: "alpine.repository", value: repository },
            { name: "alpine.architecture", value: file.architecture },
            { name: METADATA, value: JSON.stringify(file) },
          ],
        },
      ],
    });
  }

  /** The index of an architecture, or one of its packages, falling back to those for every architecture. */
  async get(call: Call, seen: SeenPackages): Promise<Response> {
    const name = param(call, "file");
    const parts = [param(call, "architecture"), ANY].map((each) => placeOf(call, each));
    const { packageIndices, packages } = this.kit.services;
    if (name !== INDEX) {
      const any = this.kit.fileNamed(seen, name, ({ compositeKey }) => parts.includes(compositeKey));
      const version = packages.byId(any.versionId);
      const others = version ? packages.filesOf(version) : [];
      const own = others.find((each) => each.name === any.name && each.compositeKey === parts[0]);
      return this.kit.file(call, own ?? any);
    }
    for (const part of parts) {
      const found = await packageIndices.find(seen, "alpine", part, INDEX);
      if (found) return this.kit.file(call, found);
    }
    throw packageIndices.missing(seen, "alpine");
  }

  delete(call: Call, seen: SeenPackages): Response {
    const { packages } = this.kit.services;
    const part = placeOf(call, param(call, "architecture"));
    const file = this.kit.fileNamed(seen, param(call, "file"), ({ compositeKey }) => compositeKey === part);
    const version = packages.byId(file.versionId);
    if (version) packages.deleteFile(seen, version, file);
    return noContent();
  }
}

const placeOf = (call: Call, architecture: string) =>
  partOf(param(call, "branch"), param(call, "repository"), architecture);
