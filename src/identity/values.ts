import { type Visibility, visibilities } from "../access/levels.ts";
import type { User } from "../access/user.ts";
import { type Failure, ValidationFailed } from "../kernel/errors.ts";
import { isAccountName } from "../kernel/names.ts";
import { websiteProblem } from "../kernel/web-address.ts";

/** Rules for input about accounts, shared by REST, pages and command line (contract identity.md 8). */

/** Maximum lengths, in characters. */
export const ACCOUNT_LIMITS = {
  login: 40,
  email: 254,
  password: 255,
  fullName: 100,
  website: 255,
  location: 50,
  description: 255,
  pronouns: 50,
  language: 50,
  theme: 50,
  diffViewStyle: 50,
  loginName: 255,
  tokenName: 255,
} as const;

const reservedAccounts = new Set(
  `. .. .well-known api metrics v2 assets attachments avatar avatars repo-avatars captcha login org repo user explore
   issues pulls milestones notifications favicon.ico manifest.json robots.txt sitemap.xml ssh_info swagger.v1.json
   openapi3.v1.json ghost gitea-actions admin devtest forgejo-actions - healthz search projects packages settings sw.js twirp`
    .split(/\s+/)
    .filter(Boolean),
);
const reservedAccountSuffixes = [".keys", ".gpg", ".rss", ".atom", ".png"];

/**
 * Contract identity.md 8.4.
 * @throws ValidationFailed `name.malformed`, `name.reserved`, `name.reserved-ending`
 */
export function checkAccountName(name: string): void {
  if (!isAccountName(name)) {
    if (reservedAccounts.has(name.toLowerCase()))
      throw new ValidationFailed("name.reserved", { field: "username", params: { name } });
    throw new ValidationFailed("name.malformed", { field: "username", params: { name } });
  }
  const lower = name.toLowerCase();
  if (reservedAccounts.has(lower)) throw new ValidationFailed("name.reserved", { field: "username", params: { name } });
  const suffix = reservedAccountSuffixes.find((ending) => lower.endsWith(ending));
  if (suffix) throw new ValidationFailed("name.reserved-ending", { field: "username", params: { suffix } });
}

/** Contract identity.md 8.5: a single bare address. @throws ValidationFailed */
export function checkEmail(email: string): void {
  const bad = new ValidationFailed("email.malformed", { field: "email", params: { email } });
  if (email.length === 0 || email.length > ACCOUNT_LIMITS.email || email.startsWith("-")) throw bad;
  const at = email.lastIndexOf("@");
  if (at < 1) throw bad;
  const local = email.slice(0, at);
  if (!/^[a-zA-Z0-9.!#$%&'*+\-/=?^_`{|}~]+$/.test(local)) {
    throw new ValidationFailed("email.unsupported-character", { field: "email", params: { email } });
  }
  if (local.startsWith(".") || local.endsWith(".") || local.includes("..") || local.length > 64) throw bad;
  const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
  if (!new RegExp(`^${label}(?:\\.${label})*$`).test(email.slice(at + 1))) throw bad;
}

/** @param minLength `password.min_length` of the settings. @throws ValidationFailed */
export function checkPassword(password: string, minLength: number): void {
  if (password.length < minLength)
    throw new ValidationFailed("account.password-too-short", { field: "password", params: { min: minLength } });
  if (password.length > ACCOUNT_LIMITS.password) throw tooLong("password", "Password", ACCOUNT_LIMITS.password);
}

/** Profile texts and display preferences; absent ones are not checked. */
export interface ProfileTexts {
  readonly fullName?: string | undefined;
  readonly website?: string | undefined;
  readonly location?: string | undefined;
  readonly description?: string | undefined;
  readonly pronouns?: string | undefined;
  readonly language?: string | undefined;
  readonly theme?: string | undefined;
  readonly diffViewStyle?: string | undefined;
  readonly loginName?: string | undefined;
}

/** The service's field and the API's name of each text. */
const TEXTS: readonly (readonly [key: keyof ProfileTexts, field: string, name: string])[] = [
  ["fullName", "full_name", "FullName"],
  ["website", "website", "Website"],
  ["location", "location", "Location"],
  ["description", "description", "Description"],
  ["pronouns", "pronouns", "Pronouns"],
  ["language", "language", "Language"],
  ["theme", "theme", "Theme"],
  ["diffViewStyle", "diff_view_style", "DiffViewStyle"],
  ["loginName", "login_name", "LoginName"],
];

/** All problems with them, in the order of the form fields. */
export function profileProblems(texts: ProfileTexts): Failure[] {
  return TEXTS.flatMap(([key, field, name]) => {
    const text = texts[key];
    const max = ACCOUNT_LIMITS[key];
    if (text === undefined) return [];
    if ([...text].length > max) return [tooLong(field, name, max)];
    const problem = key === "website" ? websiteProblem(text, { maxLength: max, scheme: "required" }) : undefined;
    return problem ? [new ValidationFailed(problem, { field, params: { name } })] : [];
  });
}

/** @throws ValidationFailed absent or too long */
export function checkTokenName(name: string): void {
  if (name === "") throw new ValidationFailed("value.required", { field: "name", params: { name: "Name" } });
  if ([...name].length > ACCOUNT_LIMITS.tokenName) throw tooLong("name", "Name", ACCOUNT_LIMITS.tokenName);
}

/** Account visibility by its number in forms (contract web.md 1.4); undefined for other numbers. */
export function numberedVisibility(number: number | undefined): Visibility | undefined {
  return number === undefined ? undefined : visibilities[number];
}

function tooLong(field: string, name: string, max: number): Failure {
  return new ValidationFailed("value.too-long", { field, params: { name, max } });
}

/** Rejects organizations, for what only people and bots have (contract identity.md 15.1). @throws ValidationFailed */
export function requirePerson({ kind }: User): void {
  if (kind === "organization") throw new ValidationFailed("account.is-organization");
}
