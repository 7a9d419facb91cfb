import { appendFileSync, readFileSync, statSync } from "node:fs";
import { systemPath } from "../objects/names.ts";
import { formatSignature, type Signature } from "../objects/signature.ts";
import type { Oid } from "../objects/types.ts";
import { makeDirectoryAbove, removeDirectoriesAbove, removeEmptyDirectories, removeFile } from "./files.ts";

/** A ref update, as recorded in its reflog. */
export interface ReflogEntry {
  readonly oldOid: Oid;
  readonly newOid: Oid;
  readonly who: Signature;
  /** One line; empty when no reason was given. */
  readonly reason: string;
}

/**
 * Appends a line to `logs/<ref>` of a repository, as git writes it:
 *
 *     <old id> <new id> <name> <<mail>> <time> <zone>\t<reason>
 *
 * An existing log is always appended to; a new one is created only if `begin` is true.
 */
export function appendReflog(gitDir: string, name: string, entry: ReflogEntry, begin: boolean): void {
  const path = `${gitDir}/logs/${name}`;
  // Directories may be left over from the logs of other refs.
  if (!statSync(systemPath(path), { throwIfNoEntry: false })?.isFile()) {
    if (!begin) return;
    removeEmptyDirectories(path);
    makeDirectoryAbove(path);
  }
  const reason = entry.reason.replace(/\s+/g, " ").trim();
  const line = `${entry.oldOid} ${entry.newOid} ${formatSignature(entry.who)}`;
  appendFileSync(systemPath(path), reason === "" ? `${line}\n` : `${line}\t${reason}\n`);
}

/** Removes the log of a deleted ref. */
export function removeReflog(gitDir: string, name: string): void {
  removeFile(`${gitDir}/logs/${name}`);
  removeDirectoriesAbove(`${gitDir}/logs`, name);
}

/** A line of a ref's log. */
export interface ReflogLine {
  readonly oldOid: Oid;
  readonly newOid: Oid;
}

/** A ref's log, oldest first; undefined when it has none. Malformed lines are skipped. */
export function readReflog(gitDir: string, name: string): ReflogLine[] | undefined {
  const path = `${gitDir}/logs/${name}`;
  if (!statSync(systemPath(path), { throwIfNoEntry: false })?.isFile()) return undefined;
  const lines: ReflogLine[] = [];
  for (const line of readFileSync(systemPath(path), "utf8").split("\n")) {
    const [, oldOid, newOid] = /^([0-9a-f]+) ([0-9a-f]+) [^\t]*> \d+ [+-]\d{4}(?:\t.*)?$/.exec(line) ?? [];
    if (oldOid !== undefined && newOid !== undefined) lines.push({ oldOid, newOid });
  }
  return lines;
}
