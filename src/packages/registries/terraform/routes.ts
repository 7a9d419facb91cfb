import { readBody } from "../../../http/body.ts";
import { parseJson } from "../../../http/json.ts";
import { noContent, plain } from "../../../http/respond.ts";
import { type Call, param, type Route } from "../../../http/route.ts";
import { BadRequest, Forbidden, Locked, NotFound } from "../../../kernel/errors.ts";
import { type JsonObject, objectOf, textOf } from "../../../kernel/json.ts";
import type { Services } from "../../../services.ts";
import type { Package, PackageVersion, SeenPackages } from "../../types.ts";
import { isGenericName } from "../generic/routes.ts";
import { RegistryKit } from "../kit.ts";
import { LOCK, lockOf, readLock, unlockByHand } from "./state.ts";

const STATE = "/state/:name";
const FILE = "tfstate";
const MAX_LOCK_BYTES = 64 << 10;
const MAX_STATE_BYTES = 64 << 20;

/** Terraform states, with their locks (contract packages.md 9.23). */
export function terraformRoutes(services: Services): Route[] {
  const kit = new RegistryKit("terraform", services);
  const states = new TerraformStates(kit);
  return [
    kit.route({ method: "GET", path: STATE, level: "read", handle: (call, seen) => states.latest(call, seen) }),
    kit.route({
      method: "GET",
      path: `${STATE}/versions/:serial`,
      level: "read",
      handle: (call, seen) => states.serve(call, states.version(call, seen)),
    }),
    kit.route({ method: "POST", path: STATE, level: "write", handle: (call, seen) => states.save(call, seen) }),
    kit.route({ method: "DELETE", path: STATE, level: "write", handle: (call, seen) => states.deleteAll(call, seen) }),
    kit.route({
      method: "DELETE",
      path: `${STATE}/versions/:serial`,
      level: "write",
      handle: (call, seen) => states.deleteVersion(call, seen),
    }),
    ...(["POST", "LOCK"] as const).map((method) =>
      kit.route({
        method,
        path: `${STATE}/lock`,
        level: "write",
        handle: (call, seen) => states.lock(call, seen),
      }),
    ),
    ...(["DELETE", "UNLOCK"] as const).map((method) =>
      kit.route({
        method,
        path: `${STATE}/lock`,
        level: "write",
        handle: (call, seen) => states.unlock(call, seen),
      }),
    ),
  ];
}

/** Reports the existing lock to the client. */
const heldBy = (lock: string) => new Response(lock, { status: 423, headers: { "content-type": "application/json" } });

const idOf = (lock: string): string => textOf(readLock(lock)["ID"]);

class TerraformStates {
  constructor(private readonly kit: RegistryKit) {}

  private get packages() {
    return this.kit.services.packages;
  }

  latest(call: Call, seen: SeenPackages): Response {
    return this.serve(call, this.packages.latest(seen, "terraform", nameOf(call)));
  }

  serve(call: Call, version: PackageVersion): Response {
    return this.kit.file(call, this.packages.file(version, FILE), { mediaType: "application/json" });
  }

  version(call: Call, seen: SeenPackages): PackageVersion {
    return this.packages.version(seen, "terraform", nameOf(call), param(call, "serial"));
  }

  async save(call: Call, seen: SeenPackages): Promise<Response> {
    const name = nameOf(call);
    const held = lockOf(this.packages, this.find(call, seen));
    const given = call.query.get("ID") ?? "";
    if (held !== undefined && idOf(held) !== given) return heldBy(held);
    using upload = await this.kit.upload(call);
    if (upload.content.sizeBytes > MAX_STATE_BYTES) throw new BadRequest("packages.terraform-state");
    requireDigest(call, upload.content.md5);
    const parsed = parseJson(await Bun.file(upload.content.path).bytes());
    const { lineage, serial } = objectOf("value" in parsed ? parsed.value : undefined);
    if (typeof serial !== "number" || !Number.isSafeInteger(serial) || serial <= 0 || textOf(lineage) === "")
      throw new BadRequest("packages.terraform-state");
    // It may have been locked while the state was being received.
    const present = lockOf(this.packages, this.find(call, seen));
    if (present !== undefined && idOf(present) !== given) return heldBy(present);
    return this.kit.publish(seen, {
      version: { name, version: String(serial) },
      createsVersion: true,
      files: [{ name: FILE, isLead: true, content: upload.content }],
    });
  }

  deleteAll(call: Call, seen: SeenPackages): Response {
    const found = this.find(call, seen);
    if (!found) throw new NotFound("packages.missing");
    if (lockOf(this.packages, found) !== undefined) throw new Locked("packages.terraform-held");
    if (this.packages.versions(found).length === 0) throw new NotFound("packages.missing");
    this.packages.deletePackage(seen, found);
    return plain("");
  }

  deleteVersion(call: Call, seen: SeenPackages): Response {
    const version = this.version(call, seen);
    if (this.packages.latest(seen, "terraform", nameOf(call)).id === version.id)
      throw new Forbidden("packages.terraform-latest");
    this.packages.deleteVersion(seen, version);
    return noContent();
  }

  async lock(call: Call, seen: SeenPackages): Promise<Response> {
    const name = nameOf(call);
    const lock = parsedLock(await readBody(call, MAX_LOCK_BYTES));
    // No awaits from here on: a concurrent request must see the first one's lock.
    const held = lockOf(this.packages, this.find(call, seen));
    if (held !== undefined) return heldBy(held);
    const { packagePublisher } = this.kit.services;
    const state = packagePublisher.ensurePackage(seen, "terraform", name);
    packagePublisher.setProperties(seen, state, LOCK, [JSON.stringify(lock)]);
    return plain("");
  }

  async unlock(call: Call, seen: SeenPackages): Promise<Response> {
    const sent = await readBody(call, MAX_LOCK_BYTES);
    const lock = sent.byteLength === 0 ? undefined : parsedLock(sent);
    const found = this.find(call, seen);
    const held = lockOf(this.packages, found);
    if (held === undefined || !found) return plain("");
    // An empty body breaks the lock.
    if (lock && textOf(lock["ID"]) !== idOf(held)) throw new Locked("packages.terraform-other-lock");
    unlockByHand(this.kit.services.packagePublisher, seen, found);
    return plain("");
  }

  private find(call: Call, seen: SeenPackages): Package | undefined {
    return this.packages.lookAny(seen, "terraform", nameOf(call));
  }
}

/** Checks the client's MD5 of the body (RFC 1864). @throws BadRequest if it does not match */
function requireDigest({ request }: Call, md5: string): void {
  const said = request.headers.get("content-md5")?.trim();
  if (said && said !== Buffer.from(md5, "hex").toString("base64")) throw new BadRequest("packages.hash-mismatch");
}

function nameOf(call: Call): string {
  const name = param(call, "name");
  if (!isGenericName(name)) throw new BadRequest("packages.invalid-name");
  return name;
}

/** @throws BadRequest */
function parsedLock(bytes: Uint8Array): JsonObject {
  const parsed = parseJson(bytes);
  if ("problem" in parsed) throw new BadRequest("packages.terraform-lock");
  const lock = objectOf(parsed.value);
  if (textOf(lock["ID"]) === "") throw new BadRequest("packages.terraform-lock");
  return lock;
}
