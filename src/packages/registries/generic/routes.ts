import { noContent } from "../../../http/respond.ts";
import { param, type Route } from "../../../http/route.ts";
import { BadRequest } from "../../../kernel/errors.ts";
import type { Services } from "../../../services.ts";
import { RegistryKit } from "../kit.ts";

const VERSION = "/:name/:version";
const FILE = `${VERSION}/:file`;

/** Files of any kind under a name and a version (contract packages.md 9.1). */
export function genericRoutes(services: Services): Route[] {
  const kit = new RegistryKit("generic", services);
  const { packages } = services;
  return [
    kit.route({
      method: "PUT",
      path: FILE,
      level: "write",
      handle: async (call, seen) => {
        const [name, version, file] = [param(call, "name"), param(call, "version"), param(call, "file")];
        if (!isGenericName(name)) throw new BadRequest("packages.generic-name");
        if (!isFileName(file)) throw new BadRequest("packages.generic-file");
        if (version === "" || version !== version.trim()) throw new BadRequest("packages.generic-version");
        using upload = await kit.upload(call);
        return kit.publish(seen, { version: { name, version }, files: [{ name: file, isLead: true, ...upload }] });
      },
    }),
    kit.route({
      method: "GET",
      path: FILE,
      level: "read",
      handle: (call, seen) => {
        const version = packages.version(seen, "generic", param(call, "name"), param(call, "version"));
        return kit.file(call, packages.file(version, param(call, "file")));
      },
    }),
    kit.route({
      method: "DELETE",
      path: FILE,
      level: "write",
      handle: (call, seen) => {
        const version = packages.version(seen, "generic", param(call, "name"), param(call, "version"));
        packages.deleteFile(seen, version, packages.file(version, param(call, "file")));
        return noContent();
      },
    }),
    kit.route({
      method: "DELETE",
      path: VERSION,
      level: "write",
      handle: (call, seen) => {
        packages.deleteVersion(seen, packages.version(seen, "generic", param(call, "name"), param(call, "version")));
        return noContent();
      },
    }),
  ];
}

/** Terraform states follow the same naming rule. */
export function isGenericName(name: string): boolean {
  if (name === ".." || !/^[-_+.A-Za-z0-9]{1,255}$/.test(name)) return false;
  return name.length > 1 || /^[A-Za-z0-9]$/.test(name);
}

function isFileName(name: string): boolean {
  if (name === "." || name === ".." || name !== name.trim()) return false;
  return /^[-_+=:;.()[\]{}~!@#$%^& A-Za-z0-9]{1,255}$/.test(name);
}
