import { ValidationFailed } from "../../../kernel/errors.ts";
import { type JsonObject, objectOf } from "../../../kernel/json.ts";
import type { PackagePublisher } from "../../publishing.ts";
import type { DeletionRule, PackageService } from "../../service.ts";
import type { Package, SeenPackages } from "../../types.ts";

/** Where the lock of a state stands: a property of its package. */
export const LOCK = "terraform.lock";

/** The lock of a state as it was sent; undefined: it is open. */
export function lockOf(packages: PackageService, found: Package | undefined): string | undefined {
  if (!found) return undefined;
  return packages
    .propertiesOf("package", [found.id])
    .get(found.id)
    ?.find(({ name }) => name === LOCK)?.value;
}

/** What a lock says: `ID`, `Who`, `Created`. */
export const readLock = (lock: string): JsonObject => objectOf(JSON.parse(lock));

/** Someone locks a state without Terraform; one that is locked stays as it is. */
export function lockByHand(
  packages: PackageService,
  publisher: PackagePublisher,
  seen: SeenPackages,
  found: Package,
  who: string,
  now: number,
): void {
  if (lockOf(packages, found) !== undefined) return;
  const lock = {
    ID: crypto.randomUUID(),
    Operation: "Manual lock",
    Info: "",
    Who: who,
    Version: "",
    Created: new Date(now).toISOString(),
    Path: "",
  };
  publisher.setProperties(seen, found, LOCK, [JSON.stringify(lock)]);
}

/** Whoever locked it. */
export function unlockByHand(publisher: PackagePublisher, seen: SeenPackages, found: Package): void {
  publisher.setProperties(seen, found, LOCK, []);
}

/** What is locked stays, and so does the newest version unless the whole state goes (contract packages.md 5). */
export const terraformDeletion =
  (packages: PackageService): DeletionRule =>
  (_, version, isWhole) => {
    if (lockOf(packages, version.package) !== undefined) throw new ValidationFailed("packages.terraform-locked");
    const newest = packages.versions(version.package).at(-1);
    if (!isWhole && newest?.id === version.id) throw new ValidationFailed("packages.terraform-newest");
  };
