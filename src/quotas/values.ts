import { ValidationFailed } from "../kernel/errors.ts";
import { isSubject, type Subject } from "./subjects.ts";

const MAX_NAME = 100;

/** The name of a rule or group. @throws ValidationFailed */
export function checkQuotaName(given: string | undefined): string {
  const name = (given ?? "").trim();
  if (name === "") throw new ValidationFailed("value.required", { field: "name", params: { name: "Name" } });
  if ([...name].length > MAX_NAME)
    throw new ValidationFailed("value.too-long", { field: "name", params: { name: "Name" } });
  // The name is part of address paths.
  if (!name.isWellFormed() || /[\p{Cc}\p{Cf}/\\]/u.test(name) || name === "." || name === "..")
    throw new ValidationFailed("value.not-a-name", { field: "name", params: { name: "Name" } });
  return name;
}

/** @throws ValidationFailed */
export function checkLimit(given: number | undefined): number {
  if (given === undefined) throw new ValidationFailed("value.required", { field: "limit", params: { name: "Limit" } });
  if (!Number.isSafeInteger(given) || given < -1)
    throw new ValidationFailed("value.not-allowed", { field: "limit", params: { name: "Limit" } });
  return given;
}

/** @throws ValidationFailed */
export function checkSubjects(given: readonly string[] | undefined): Subject[] {
  const all = [...new Set(given ?? [])];
  if (all.length === 0)
    throw new ValidationFailed("value.required", { field: "subjects", params: { name: "Subjects" } });
  return all.map(checkSubject);
}

/** @throws ValidationFailed */
export function checkSubject(given: string): Subject {
  if (!isSubject(given))
    throw new ValidationFailed("quota.unknown-subject", { field: "subjects", params: { subject: given } });
  return given;
}
