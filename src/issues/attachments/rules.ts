import type { Config } from "../../config/schema.ts";
import { ValidationFailed } from "../../kernel/errors.ts";

/** Which files may be attached (contract issues.md 12.2, 12.3). */
export interface AttachmentRules {
  readonly isEnabled: boolean;
  /** Extensions and media types in lower case; empty: everything. */
  readonly allowed: readonly string[];
  readonly maxBytes: number;
  readonly maxFiles: number;
}

export function rulesOf(config: Config): AttachmentRules {
  const allowed = config["attachments.allowed_types"];
  return {
    isEnabled: config["attachments.enabled"],
    allowed: allowed.includes("*/*") ? [] : allowed,
    maxBytes: config["attachments.max_size_mib"] * 2 ** 20,
    maxFiles: config["attachments.max_files"],
  };
}

const MAX_NAME = 255;

/**
 * The name to store: without directories and invisible characters.
 * @throws ValidationFailed nothing is left, or too long
 */
export function checkName(given: string): string {
  const name = given
    .replace(/^.*[/\\]/s, "")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .toWellFormed()
    .trim();
  if (name === "" || name === "." || name === "..")
    throw new ValidationFailed("value.required", { field: "name", params: { name: "Name" } });
  if ([...name].length > MAX_NAME)
    throw new ValidationFailed("value.too-long", { field: "name", params: { name: "Name" } });
  return name;
}

const endingOf = (name: string): string => /\.[^.]*$/.exec(name.toLowerCase())?.[0] ?? "";

/**
 * @param mediaType detected from the content; undefined: only the name is checked, as for a rename
 * @throws ValidationFailed
 */
export function requireAllowed({ allowed }: AttachmentRules, name: string, mediaType: string | undefined): void {
  if (allowed.length === 0 || allowed.includes(endingOf(name))) return;
  const type = mediaType?.split(";")[0]?.trim() ?? "";
  if (type !== "" && allowed.some((entry) => entry === type || entry === `${type.split("/")[0]}/*`)) return;
  throw new ValidationFailed("attachment.forbidden-type", { field: "attachment" });
}

/**
 * Whether a file with that name could be allowed, depending on its content: checked early, so that no one uploads a
 * gigabyte in vain.
 */
export function requireHope(rules: AttachmentRules, name: string): void {
  if (!rules.allowed.some((entry) => entry.includes("/"))) requireAllowed(rules, name, undefined);
}
