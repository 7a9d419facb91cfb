import { isSiteAdmin, type Principal } from "../access/principal.ts";
import { sizeOf } from "../config/size.ts";
import { Forbidden } from "../kernel/errors.ts";
import { isPackageType, type PackageType } from "./types.ts";

/** Limits for the packages of an account (contract packages.md 7); Infinity: no limit. */
export interface PackageLimits {
  readonly ownerVersions: number;
  readonly ownerBytes: number;
  readonly fileBytes: ReadonlyMap<PackageType, number>;
}

/** @param fileSizes as written in the configuration: `npm=50 MiB` */
export function packageLimits(versions: number, ownerSize: string, fileSizes: readonly string[]): PackageLimits {
  const limit = (text: string) => sizeOf(text) ?? Number.POSITIVE_INFINITY;
  const ofTypes = fileSizes.flatMap((entry): [PackageType, number][] => {
    const [type = "", size = ""] = entry.split("=");
    return isPackageType(type) ? [[type, limit(size)]] : [];
  });
  return {
    ownerVersions: versions < 0 ? Number.POSITIVE_INFINITY : versions,
    ownerBytes: limit(ownerSize),
    fileBytes: new Map(ofTypes),
  };
}

/** The largest file that the principal may publish. */
export function maxFileBytes({ fileBytes }: PackageLimits, principal: Principal, type: PackageType): number {
  if (isSiteAdmin(principal)) return Number.POSITIVE_INFINITY;
  return fileBytes.get(type) ?? Number.POSITIVE_INFINITY;
}

export const fileTooLarge = () => new Forbidden("packages.file-too-large");
