import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { hashObject } from "./hash.ts";
import type { GitObject, Oid } from "./types.ts";

/** Makes a standard bare repository. */
export function initRepository(repoDir: string, options: { defaultBranch: string }): void {
  for (const dir of ["objects/info", "objects/pack", "refs/heads", "refs/tags"])
    mkdirSync(join(repoDir, dir), { recursive: true });
  writeFileSync(join(repoDir, "HEAD"), `ref: refs/heads/${options.defaultBranch}\n`);
  writeFileSync(join(repoDir, "config"), "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n");
}

/** Writes loose objects durably. */
export function writeObjects(repoDir: string, objects: readonly GitObject[]): Oid[] {
  return objects.map(({ type, data }) => {
    const oid = hashObject(type, data);
    const dir = join(repoDir, "objects", oid.slice(0, 2));
    const path = join(dir, oid.slice(2));
    if (existsSync(path)) return oid;
    mkdirSync(dir, { recursive: true });
    const fd = openSync(`${path}.tmp`, "w", 0o444);
    writeFileSync(fd, deflateSync(Buffer.concat([Buffer.from(`${type} ${data.byteLength}\0`), data])));
    fsyncSync(fd);
    closeSync(fd);
    renameSync(`${path}.tmp`, path);
    return oid;
  });
}
