import { semverOf } from "../semver.ts";

/** Three numbers, or four unless the last is zero; build metadata is dropped. @returns undefined if it is no version */
export function nugetVersionOf(text: string): string | undefined {
  const read = semverOf(text);
  if (!read || read.numbers.length > 4) return undefined;
  const [major = 0, minor = 0, patch = 0, revision = 0] = read.numbers;
  const core = revision > 0 ? [major, minor, patch, revision] : [major, minor, patch];
  return core.join(".") + (read.prerelease && `-${read.prerelease}`);
}
