import { ValidationFailed } from "../kernel/errors.ts";
import type { ProjectTemplate } from "./types.ts";

/** Values of boards, checked by `ProjectService` (contract issues.md 21.2). */

export const MAX_PROJECT_TITLE = 255;
export const MAX_COLUMN_TITLE = 100;
const MAX_DESCRIPTION = 65_535;
export const MAX_COLUMNS = 20;
/** Per repository or account: a picker still shows them all. */
export const MAX_PROJECTS = 1000;

/** The column created for the first card of a board without columns. */
export const UNCATEGORIZED = "Uncategorized";

/** The columns a board starts with; the first is the default for new cards. */
export const templateColumns: Readonly<Record<ProjectTemplate, readonly string[]>> = {
  none: [],
  kanban: ["Backlog", "To Do", "In Progress", "Done"],
  triage: ["Backlog", "Needs Triage", "High Priority", "Low Priority", "Closed"],
};

/** @throws ValidationFailed blank, too long, or with control characters */
export function checkTitle(title: string, max: number): string {
  const trimmed = title.trim();
  const failed = (code: string) => new ValidationFailed(code, { field: "title", params: { name: "Title" } });
  if (trimmed === "") throw failed("value.required");
  if (trimmed.length > max) throw failed("value.too-long");
  if (/\p{Cc}/u.test(trimmed)) throw failed("project.bad-title");
  return trimmed;
}

/** @throws ValidationFailed too long */
export function checkDescription(description: string): string {
  if (description.length <= MAX_DESCRIPTION) return description;
  throw new ValidationFailed("value.too-long", { field: "description", params: { name: "Description" } });
}

/** `#` and six lower-case digits, or empty. @throws ValidationFailed */
export function checkColumnColor(color: string): string {
  const given = color.trim().toLowerCase();
  if (given === "" || /^#[0-9a-f]{6}$/.test(given)) return given;
  throw new ValidationFailed("project.bad-color", { field: "color" });
}
