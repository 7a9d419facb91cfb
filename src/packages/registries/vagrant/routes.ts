import { json } from "../../../http/respond.ts";
import { type Call, param, type Route } from "../../../http/route.ts";
import { BadRequest, Unauthorised } from "../../../kernel/errors.ts";
import { textOf } from "../../../kernel/json.ts";
import { segment } from "../../../kernel/url-path.ts";
import type { Services } from "../../../services.ts";
import type { PackageFile, PackageVersion, SeenPackages } from "../../types.ts";
import { jsonRefusal, RegistryKit } from "../kit.ts";
import { metadataOf } from "../metadata.ts";
import { bySemver, semverOf } from "../semver.ts";

const PROVIDER = "vagrant.provider";
const NAME = /^[^/\\\p{Cc}]{1,255}$/u;

const refusal = jsonRefusal((message) => ({ errors: [message] }));

/** The Vagrant box registry (contract packages.md 9.5). */
export function vagrantRoutes(services: Services): Route[] {
  const kit = new RegistryKit("vagrant", services, refusal);
  const { packages } = services;
  const describe = (path: string, nameOf: (call: Call) => string) =>
    kit.route({ method: "GET", path, level: "read", handle: (call, seen) => describeBox(kit, seen, nameOf(call)) });
  const signIn = (path: string) =>
    kit.route({
      method: "GET",
      path,
      level: "read",
      handle: (_, { principal }) =>
        principal.user
          ? new Response(null)
          : refusal("Invalid access token", 401, new Unauthorised("packages.vagrant-token")),
    });
  return [
    signIn("/authenticate"),
    // Vagrant 2.3.7 and newer.
    signIn("/api/v2/authenticate"),
    describe("/:name", (call) => param(call, "name")),
    // Names as in Vagrant's own cloud, with the owner first: the second segment is the box.
    describe("/:name/:version", (call) => param(call, "version")),
    kit.route({
      method: "GET",
      path: "/:name/:version/:file",
      level: "read",
      handle: (call, seen) => {
        const version = packages.version(seen, "vagrant", param(call, "name"), param(call, "version"));
        return kit.file(call, packages.file(version, param(call, "file")));
      },
    }),
    kit.route({
      method: "PUT",
      path: "/:name/:version/:file",
      level: "write",
      handle: (call, seen) => publish(kit, call, seen),
    }),
  ];
}

async function publish(kit: RegistryKit, call: Call, seen: SeenPackages): Promise<Response> {
  const [name, file] = [param(call, "name"), param(call, "file").toLowerCase()];
  if (!NAME.test(name)) throw new BadRequest("packages.invalid-name");
  const version = semverOf(param(call, "version"))?.text;
  if (version === undefined) throw new BadRequest("packages.invalid-version");
  if (!NAME.test(file) || !/.\.box$/.test(file)) throw new BadRequest("packages.vagrant-file");
  using upload = await kit.upload(call);
  const { readBox } = await import("./parse.ts");
  const metadata = await readBox(Bun.file(upload.content.path));
  const properties = [{ name: PROVIDER, value: providerOf({ name: file }) }];
  return kit.publish(seen, {
    version: { name, version, metadata },
    files: [{ name: file, isLead: true, content: upload.content, properties }],
  });
}

const providerOf = ({ name }: Pick<PackageFile, "name">) => name.replace(/\.box$/, "");

/** The versions of a box, each with its providers. */
function describeBox(kit: RegistryKit, seen: SeenPackages, name: string): Response {
  const { packages } = kit.services;
  const found = packages.find(seen, "vagrant", name);
  const versions: PackageVersion[] = bySemver(packages.versions(found));
  const files: Map<number, PackageFile[]> = packages.filesOfEach(versions);
  const newest = versions.at(-1);
  const box = {
    name: found.name,
    description: newest ? textOf(metadataOf(newest)["description"]) : "",
    versions: versions.map(({ id, version }) => ({
      version,
      status: "active",
      providers: (files.get(id) ?? []).map((file) => ({
        name: providerOf(file),
        url: `${kit.urlOf(seen)}/${segment(found.name)}/${segment(version)}/${segment(file.name)}`,
        checksum: file.sha512,
        checksum_type: "sha512",
      })),
    })),
  };
  // Clients distinguish this from a box by this header.
  return json(box, 200, { "content-type": "application/json" });
}
