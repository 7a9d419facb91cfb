/** Licences a new repository may start with, by SPDX identifier. */

/** In byte order, as the API lists them. */
export const licenseIds = [
  "0BSD",
  "AGPL-3.0-only",
  "AGPL-3.0-or-later",
  "Apache-2.0",
  "Artistic-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BSL-1.0",
  "CC-BY-4.0",
  "CC-BY-SA-4.0",
  "CC0-1.0",
  "EPL-2.0",
  "EUPL-1.2",
  "GPL-2.0-only",
  "GPL-2.0-or-later",
  "GPL-3.0-only",
  "GPL-3.0-or-later",
  "ISC",
  "LGPL-2.1-only",
  "LGPL-2.1-or-later",
  "LGPL-3.0-only",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "Unlicense",
  "WTFPL",
  "Zlib",
] as const;
export type LicenseId = (typeof licenseIds)[number];

export function isLicenseId(id: string): id is LicenseId {
  return licenseIds.some((known) => known === id);
}

/** The licence text, with unfilled placeholders for year and name (`[year]`, `[fullname]`). */
export async function licenseText(id: LicenseId): Promise<string> {
  const { licenseTexts } = await import("./license-texts.ts");
  return licenseTexts[id];
}

/** Values for a licence's placeholders. */
export interface LicenseHolder {
  /** Full name or, without one, the login. */
  readonly owner: string;
  readonly email: string;
  readonly year: number;
  readonly repo: string;
}

/**
 * A `LICENSE` file for that holder. Licences that describe how to apply them keep their examples: only placeholders
 * meant to be filled in the file itself are replaced.
 */
export async function licenseFile(id: LicenseId, holder: LicenseHolder): Promise<string> {
  const values: Record<string, string> = {
    year: String(holder.year),
    fullname: holder.owner,
    email: holder.email,
    project: holder.repo,
  };
  return (await licenseText(id)).replace(/\[(year|fullname|email|project)\]/g, (_, name: string) => values[name] ?? "");
}
