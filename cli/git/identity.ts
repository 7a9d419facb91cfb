import { hostname, userInfo } from "node:os";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Signature } from "../../src/git/objects/signature.ts";
import { Fatal, type Terminal } from "./command.ts";
import { parseGitDate } from "./dates.ts";
import { settingOf } from "./settings.ts";

/**
 * Who makes a commit, as git finds it out (git-commit, "Commit information"): `GIT_AUTHOR_NAME`, `GIT_AUTHOR_EMAIL` and
 * `GIT_AUTHOR_DATE`, and the same of the committer; then `author.name`, `user.name` and their like; then the account.
 * @throws Fatal with a name of nothing but signs that are dropped, or a date no one can read
 */
export function signatureOf(
  repository: RepositoryFolder,
  terminal: Terminal,
  role: "AUTHOR" | "COMMITTER",
  isStrict = true,
): Signature {
  const { environment } = terminal;
  const setting = (name: string) =>
    settingOf(repository, terminal, `${role.toLowerCase()}.${name}`) ?? settingOf(repository, terminal, `user.${name}`);
  const email = environment[`GIT_${role}_EMAIL`] ?? setting("email") ?? (environment["EMAIL"] || accountAddress());
  const written = environment[`GIT_${role}_NAME`] ?? setting("name") ?? accountName();
  const name = written === "" && !isStrict ? accountName() : written;
  if (isStrict && name === "") throw new Fatal(`empty ident name (for <${email}>) not allowed`);
  if (!hasMeaning(name)) throw new Fatal(`name consists only of disallowed characters: ${name}`);
  const date = environment[`GIT_${role}_DATE`];
  if (date === undefined || date === "") return { name, email, ...momentOf(new Date()) };
  const found = parseGitDate(date);
  if (!found) throw new Fatal(`invalid date format: ${date}`);
  return { name, email, ...found };
}

/** Signs at the ends of a name are dropped; something must be left. */
function hasMeaning(name: string): boolean {
  return /[^\x00-\x20.,:;<>"\\']/.test(name);
}

function accountName(): string {
  return userInfo().username;
}

function accountAddress(): string {
  return `${userInfo().username}@${hostname()}`;
}

function momentOf(now: Date): { timestamp: number; offsetMinutes: number } {
  const offset = -now.getTimezoneOffset();
  return { timestamp: Math.floor(now.getTime() / 1000), offsetMinutes: offset };
}
