import { hostname, userInfo } from "node:os";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Signature } from "../../src/git/objects/signature.ts";
import { Fatal, type Terminal } from "./command.ts";
import { parseGitDate } from "./dates.ts";
import { settingOf } from "./settings.ts";

/**
 * The author or committer of a commit, as git determines it (git-commit, "Commit information"): `GIT_AUTHOR_NAME`,
 * `GIT_AUTHOR_EMAIL` and `GIT_AUTHOR_DATE`, and the same for the committer; then `author.name`, `user.name` and so on;
 * then the system account.
 * @throws Fatal for a name that consists only of characters git strips, or an invalid date
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

/** Some characters are stripped from both ends of a name; something must remain. */
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
