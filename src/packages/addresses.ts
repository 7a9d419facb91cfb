import { segment } from "../kernel/url-path.ts";
import type { PackageVersion } from "./types.ts";

/** Path of a version's page, relative to the site's root. */
export function versionPath(ownerLogin: string, { package: { name, type }, version }: PackageVersion): string {
  return `${packagePath(ownerLogin, type, name)}/${segment(version.toLowerCase())}`;
}

/** Path of a package's page, which redirects to its latest version. */
export function packagePath(ownerLogin: string, type: string, name: string): string {
  return `${segment(ownerLogin)}/-/packages/${type}/${segment(name.toLowerCase())}`;
}
