import { ValidationFailed } from "../../../kernel/errors.ts";
import { type JsonObject, objectOf } from "../../../kernel/json.ts";
import type { PackagePublisher } from "../../publishing.ts";
import type { DeletionRule, PackageService } from "../../service.ts";
import type { Package, SeenPackages } from "../../types.ts";

/** Package property that holds the lock of a state. */
export const LOCK = "terraform.lock";

/** The lock of a state as sent; undefined if it is not locked. */
export function lockOf(packages: PackageService, found: Package | undefined): string | undefined {
  if (!found) return undefined;
  return packages
    .propertiesOf("package", [found.id])
    .get(found.id)
    ?.find(({ name }) => name === LOCK)?.value;
}

/** The contents of a lock: `ID`, `Who`, `Created`. */
export const readLock = (lock: string): JsonObject => objectOf(JSON.parse(lock));

/** Locks a state on behalf of a user without Terraform; does nothing if it is locked. */
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

/** Unlocks a state, whoever locked it. */
export function unlockByHand(publisher: PackagePublisher, seen: SeenPackages, found: Package): void {
  publisher.setProperties(seen, found, LOCK, []);
}

/** Locked states cannot be deleted, nor the newest version except with the whole state (contract packages.md 5). */
export const terraformDeletion =
  (packages: PackageService): DeletionRule =>
  (_, version, isWhole) => {
    if (lockOf(packages, version.package) !== undefined) throw new ValidationFailed("packages.terraform-locked");
    const newest = packages.versions(version.package).at(-1);
    if (!isWhole && newest?.id === version.id) throw new ValidationFailed("packages.terraform-newest");
  };
