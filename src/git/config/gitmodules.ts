import { trimEndOf } from "../text-ends.ts";
import { Config } from "./config.ts";
import { isSubmoduleName, isSubmoduleUrl } from "./submodules.ts";

/** A submodule as described by `.gitmodules` (gitmodules(5)). */
export interface Submodule {
  readonly name: string;
  /** Its path in the tree, without a trailing slash; undefined if missing or unsafe. */
  readonly path?: string;
  /** Undefined if missing or unsafe. */
  readonly url?: string;
  /** `.` means the branch with the same name as the superproject's. */
  readonly branch?: string;
  readonly update?: "checkout" | "rebase" | "merge" | "none";
}

/** As in git; anything beyond is ignored. */
const MAX_SUBMODULES = 10_000;
/** No path in a tree is longer (Linux's limit). */
const MAX_PATH = 4096;
const UPDATES = ["checkout", "rebase", "merge", "none"] as const;

/**
 * Parses the submodules of a `.gitmodules` file. If a setting has two values the first one wins, as in git. Anything
 * that could make a client write outside its directory or run something (rule L3: names with `..`, paths and URLs that
 * look like options, commands) is omitted, and so is everything after an invalid line.
 */
export function parseGitmodules(data: Uint8Array): Submodule[] {
  const config = Config.parseBlob(data);
  return config
    .subsections("submodule")
    .filter(isSubmoduleName)
    .slice(0, MAX_SUBMODULES)
    .map((name) => {
      const first = (key: string) => config.all(`submodule.${name}.${key}`)[0];
      const written = first("path");
      const path = written === undefined || written.length > MAX_PATH ? undefined : trimEndOf(written, "/");
      const url = first("url");
      const branch = first("branch");
      const update = UPDATES.find((known) => known === first("update"));
      return {
        name,
        ...(path !== undefined && isSafePath(path) ? { path } : {}),
        ...(url !== undefined && isSubmoduleUrl(url) ? { url } : {}),
        ...(branch === undefined ? {} : { branch }),
        ...(update === undefined ? {} : { update }),
      };
    });
}

function isSafePath(path: string): boolean {
  return path !== "" && !/^[-/]/.test(path) && !path.split("/").some((part) => part === ".." || /^\.git$/i.test(part));
}

/** The URLs of submodules, by path. */
export function submoduleUrls(data: Uint8Array): ReadonlyMap<string, string> {
  const urls = new Map<string, string>();
  for (const { path, url } of parseGitmodules(data)) if (path !== undefined && url !== undefined) urls.set(path, url);
  return urls;
}
