import { trimEndOf } from "../text-ends.ts";
import { Config } from "./config.ts";
import { isSubmoduleName, isSubmoduleUrl } from "./submodules.ts";

/** A submodule as `.gitmodules` describes it (gitmodules(5)). */
export interface Submodule {
  readonly name: string;
  /** Where it is in the tree, without a slash at its end; undefined when nothing safe is said. */
  readonly path?: string;
  /** Undefined when nothing safe is said. */
  readonly url?: string;
  /** `.` stands for the branch of the same name. */
  readonly branch?: string;
  readonly update?: "checkout" | "rebase" | "merge" | "none";
}

/** As git; what comes after it is not examined. */
const MAX_SUBMODULES = 10_000;
/** No path of a tree is longer (the limit of Linux). */
const MAX_PATH = 4096;
const UPDATES = ["checkout", "rebase", "merge", "none"] as const;

/**
 * The submodules of a `.gitmodules` file. Of two values for one setting the first counts, as in git. What could make a
 * client write outside of its directory or run something (rule L3: names that climb, paths and addresses that are options,
 * commands) is left out, and so is what comes after a line that cannot be read.
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

/** The addresses of submodules by their paths. */
export function submoduleUrls(data: Uint8Array): ReadonlyMap<string, string> {
  const urls = new Map<string, string>();
  for (const { path, url } of parseGitmodules(data)) if (path !== undefined && url !== undefined) urls.set(path, url);
  return urls;
}
