import { ValidationFailed } from "./errors.ts";

/** Names of accounts and repositories: one validator for API, pages, CLI and git (security rules E7, L20). */

const reservedAccounts = new Set(
  `. .. .well-known api metrics v2 assets attachments avatar avatars repo-avatars captcha login org repo user explore
   issues pulls milestones notifications favicon.ico manifest.json robots.txt sitemap.xml ssh_info swagger.v1.json
   openapi3.v1.json ghost gitea-actions admin devtest forgejo-actions - healthz search projects packages settings sw.js`
    .split(/\s+/)
    .filter(Boolean),
);
const reservedAccountSuffixes = [".keys", ".gpg", ".rss", ".atom", ".png"];
const reservedRepoSuffixes = [".wiki", ".git", ".rss", ".atom"];

const invalid = (name: string) => new ValidationFailed("name.malformed", { field: "username", params: { name } });

/**
 * Contract identity.md 8.4. @throws ValidationFailed
 * @param allowReserved a site administrator at the terminal may take `admin` as the name of an account
 */
export function checkAccountName(name: string): void {
  if (name.length > 40 || !/^[A-Za-z0-9](?:[-._]?[A-Za-z0-9])*$/.test(name)) {
    if (reservedAccounts.has(name.toLowerCase()))
      throw new ValidationFailed("name.reserved", { field: "username", params: { name } });
    throw invalid(name);
  }
  const lower = name.toLowerCase();
  if (reservedAccounts.has(lower)) throw new ValidationFailed("name.reserved", { field: "username", params: { name } });
  const suffix = reservedAccountSuffixes.find((ending) => lower.endsWith(ending));
  if (suffix) throw new ValidationFailed("name.reserved-ending", { field: "username", params: { suffix } });
}

/**
 * Contract repositories.md 3.1.
 * @param field the name the request body has for it: `Name`, `RepoName`
 * @throws ValidationFailed
 */
export function checkRepoName(name: string, field = "Name"): void {
  if (name === "") throw new ValidationFailed("value.required", { field: "name", params: { name: field } });
  if (!/^[A-Za-z0-9_.-]+$/.test(name))
    throw new ValidationFailed("value.not-a-name", { field: "name", params: { name: field } });
  if (name.length > 100) throw new ValidationFailed("value.too-long", { field: "name", params: { name: field } });
  if (name.includes("..")) throw invalid(name);
  if (name === "." || name === "-") throw new ValidationFailed("name.reserved", { field: "name", params: { name } });
  const suffix = reservedRepoSuffixes.find((ending) => name.toLowerCase().endsWith(ending));
  if (suffix) throw new ValidationFailed("name.reserved-ending", { field: "name", params: { suffix } });
}

/** Contract identity.md 8.5: a single bare address. @throws ValidationFailed */
export function checkEmail(email: string): void {
  const bad = new ValidationFailed("email.malformed", { field: "email", params: { email } });
  if (email.length === 0 || email.length > 254 || email.startsWith("-")) throw bad;
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
