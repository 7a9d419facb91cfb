import type { Person } from "../../src/git/objects/person.ts";
import { Fatal, type Terminal } from "./command.ts";
import { parseGitDate } from "./dates.ts";

/**
 * Who makes a commit, as git takes it from the environment: `GIT_AUTHOR_NAME`, `GIT_AUTHOR_EMAIL`, `GIT_AUTHOR_DATE`,
 * and the same of the committer. There are no other sources: this is a tool for scripts.
 * @throws Fatal without a name and an address, or with a date nobody can read
 */
export function personOf(terminal: Terminal, role: "AUTHOR" | "COMMITTER", now = new Date()): Person {
  const { environment } = terminal;
  const name = environment[`GIT_${role}_NAME`] ?? "";
  const email = environment[`GIT_${role}_EMAIL`] ?? environment["EMAIL"] ?? "";
  if (name.trim() === "" || email === "")
    throw new Fatal(`empty ident name (for <${email}>) not allowed: set GIT_${role}_NAME and GIT_${role}_EMAIL`);
  const written = environment[`GIT_${role}_DATE`];
  if (written === undefined) return { name, email, ...momentOf(now) };
  const date = parseGitDate(written);
  if (!date) throw new Fatal(`invalid date format: ${written}`);
  return { name, email, ...date };
}

function momentOf(now: Date): { timestamp: number; offsetMinutes: number } {
  return { timestamp: Math.floor(now.getTime() / 1000), offsetMinutes: -now.getTimezoneOffset() };
}
