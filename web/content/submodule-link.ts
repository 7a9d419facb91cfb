import type { RepoName } from "../links.ts";
import { repoHref } from "../links.ts";

/**
 * The page of a submodule's commit, from the URL in `.gitmodules`: `https://host/a/b.git`, `git@host:a/b.git`,
 * `ssh://git@host/a/b`, or `../b` relative to the repository (contract web.md 4.11). Undefined for anything else, and
 * for URLs that have no web equivalent.
 */
export function submoduleHref(address: string, repo: RepoName, commit: string): string | undefined {
  if (/^\.\.?\//.test(address)) return relative(address, repo, commit);
  const scp = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)([\w./~-]+)$/.exec(address);
  const url = scp ? `https://${scp[1]}/${scp[2]?.replace(/^\//, "")}` : address;
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (!/^(https?|ssh|git):$/.test(parsed.protocol)) return undefined;
  const scheme = parsed.protocol === "http:" ? "http:" : "https:";
  // The port of ssh or git has nothing to do with the web server's.
  const host = /^https?:$/.test(parsed.protocol) ? parsed.host : parsed.hostname;
  const path = parsed.pathname.replace(/\/$/, "").replace(/\.git$/i, "");
  return path === "" || path === "/" ? undefined : `${scheme}//${host}${path}/tree/${commit}`;
}

function relative(address: string, repo: RepoName, commit: string): string | undefined {
  const at = [repo.owner, repo.name];
  for (const part of address.replace(/\/$/, "").split("/")) {
    if (part === "..") at.pop();
    else if (part !== ".") at.push(part);
  }
  const [owner, name] = at;
  if (at.length !== 2 || !owner || !name) return undefined;
  return repoHref({ owner, name: name.replace(/\.git$/i, "") }, `src/commit/${commit}`);
}
