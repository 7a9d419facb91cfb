import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isOid, type Oid } from "../objects/types.ts";
import { readHead, readPackedRefs } from "../refs/files.ts";
import { compareRefNames, isRefName } from "../refs/names.ts";

/** A name from which objects are reachable; the id is all zeros if the file contains none. */
export interface Root {
  readonly name: string;
  readonly oid: Oid;
}

/** Every ref of a repository directory in order of names, including broken ones; symbolic refs are resolved. */
export function allRefs(gitDir: string, zeroOid: Oid): Root[] {
  const found = new Map(readPackedRefs(gitDir).refs.map(({ name, oid }) => [name, oid]));
  const resolve = (name: string, depth: number): Oid | undefined => {
    const text = existsSync(join(gitDir, name)) ? readFileSync(join(gitDir, name), "utf8").trim() : undefined;
    if (text === undefined) return found.get(name);
    const target = /^ref:\s*(.*)$/.exec(text)?.[1];
    if (target === undefined) return isOid(text) ? text : zeroOid;
    return depth < 5 && isRefName(target) ? resolve(target, depth + 1) : undefined;
  };
  for (const name of namesBelow(gitDir, "refs")) {
    if (!isRefName(name)) continue;
    const oid = resolve(name, 0);
    if (oid !== undefined) found.set(name, oid);
  }
  return [...found].map(([name, oid]) => ({ name, oid })).sort((a, b) => compareRefNames(a.name, b.name));
}

/** The old and new ids in reflogs, one log after the other; HEAD's comes last. */
export function* loggedOids(gitDir: string): Generator<Root> {
  const logs = namesBelow(join(gitDir, "logs"), "refs").sort(compareRefNames);
  for (const name of [...logs, "HEAD"]) {
    const path = join(gitDir, "logs", name);
    if (!existsSync(path)) continue;
    for (const line of readFileSync(path, "latin1").split("\n")) {
      const [, from, to] = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) /.exec(line) ?? [];
      for (const oid of [from, to]) if (oid !== undefined && isOid(oid) && !/^0+$/.test(oid)) yield { name, oid };
    }
  }
}

/** The content of HEAD, as git's fsck sees it. */
export function headOf(gitDir: string): { readonly ref: string } | { readonly oid: Oid } | undefined {
  return readHead(gitDir);
}

function namesBelow(dir: string, directory: string): string[] {
  if (!existsSync(join(dir, directory))) return [];
  return readdirSync(join(dir, directory), { withFileTypes: true }).flatMap((entry) => {
    const name = `${directory}/${entry.name}`;
    return entry.isDirectory() ? namesBelow(dir, name) : entry.isFile() ? [name] : [];
  });
}
