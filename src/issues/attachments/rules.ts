import type { Config } from "../../config/schema.ts";
import { ValidationFailed } from "../../kernel/errors.ts";

/** What may be attached (contract issues.md 12.2, 12.3). */
export interface AttachmentRules {
  readonly isEnabled: boolean;
  /** Endings and types, in lower case; empty: everything. */
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

/** A name as it is kept: no folders, nothing that cannot be seen. @throws ValidationFailed nothing is left, or too long */
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
 * @param mediaType told from the content; undefined: the name alone has to do, as when a file is renamed
 * @throws ValidationFailed
 */
export function requireAllowed({ allowed }: AttachmentRules, name: string, mediaType: string | undefined): void {
  if (allowed.length === 0 || allowed.includes(endingOf(name))) return;
  const type = mediaType?.split(";")[0]?.trim() ?? "";
  if (type !== "" && allowed.some((entry) => entry === type || entry === `${type.split("/")[0]}/*`)) return;
  throw new ValidationFailed("attachment.forbidden-type", { field: "attachment" });
}

/** Whether a file of that name may be allowed once its content is known: no one sends a gigabyte to be refused. */
export function requireHope(rules: AttachmentRules, name: string): void {
  if (!rules.allowed.some((entry) => entry.includes("/"))) requireAllowed(rules, name, undefined);
}
