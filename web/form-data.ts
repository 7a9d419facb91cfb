import { type Fields, readFields } from "../src/http/body.ts";
import type { Call } from "../src/http/route.ts";
import { Failure, Forbidden, NotFound, ValidationFailed } from "../src/kernel/errors.ts";
import type { Language } from "../src/language/language.ts";
import { catalogues } from "./catalogues.ts";
import type { FormErrors } from "./components/form.tsx";
import { languageOfCall, wordsFor } from "./language.ts";
import { siteWords } from "./words/index.ts";

/** Page forms: reading submitted values, and turning service errors into messages. */

/** More than any form here needs; the editor has its own limit. */
const FORM_LIMIT_BYTES = 1 << 20;

export class Form {
  constructor(private readonly fields: Fields) {}

  has(name: string): boolean {
    return this.fields[name] !== undefined;
  }

  /** The trimmed value; empty when absent. Of a field sent twice, the last value counts (security rule H7). */
  text(name: string): string {
    return this.exact(name).trim();
  }

  /** The value exactly as typed: passwords, contents. */
  exact(name: string): string {
    const value = this.fields[name];
    const last: unknown = Array.isArray(value) ? value.at(-1) : value;
    return typeof last === "string" ? last : "";
  }

  /** Whether the name was typed as confirmation; also true when the form has no such field, as none was asked for. */
  confirms(field: string, name: string): boolean {
    return !this.has(field) || this.text(field) === name.trim();
  }

  /** Every value of a field that may be sent several times, such as a list of checkboxes. */
  texts(name: string): string[] {
    const value = this.fields[name];
    return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string");
  }

  checked(name: string): boolean {
    return /^(1|t|true|on)$/i.test(this.text(name));
  }

  /** The integer in a field; undefined when it is not one. */
  number(name: string): number | undefined {
    const text = this.text(name);
    return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  }

  /** The members of a JSON object; undefined when it is not one. */
  record(name: string): Readonly<Record<string, unknown>> | undefined {
    const value = this.fields[name];
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  }

  /** The entries of a JSON list; empty when it is not one. */
  list(name: string): readonly unknown[] {
    const value = this.fields[name];
    return Array.isArray(value) ? value : [];
  }

  /** All fields whose name starts with the prefix, with their last values. */
  starting(prefix: string): [name: string, value: string][] {
    return Object.keys(this.fields)
      .filter((name) => name.startsWith(prefix))
      .map((name) => [name, this.text(name)]);
  }
}

/** @throws TooLarge; ValidationFailed when the body is not a form */
export async function readForm(call: Call, limitBytes = FORM_LIMIT_BYTES): Promise<Form> {
  return new Form((await readFields(call, limitBytes)).fields);
}

/** A limit on form input that the API does not have; a value already stored may stay. @throws ValidationFailed */
export function requireShort(field: string, text: string, max: number, before?: string): void {
  if (text.length > max && text !== before) throw new ValidationFailed("value.too-long", { field, params: { max } });
}

/** A service error as a sentence in the visitor's language, looked up by its code in every area. */
export function refusalText(call: Call, failure: Failure): string {
  const language = languageOfCall(call);
  return wordsOfFailure(language, failure) ?? siteWords.in(language)("refused");
}

/** The message an area has for the code; undefined when none has one. */
export function wordsOfFailure(language: Language, failure: Failure): string | undefined {
  const { max } = failure.params;
  if (failure.code === "value.too-long" && typeof max === "number")
    return siteWords.in(language)("tooLong", { count: max });
  for (const catalogue of catalogues) {
    const text = catalogue.find(language, failure.code, failure.params);
    if (text !== undefined) return text;
  }
  return undefined;
}

/**
 * A service error as messages beside fields. `names` maps the service's field names to the form's; errors that match
 * none of them appear above the form.
 * @throws the error itself when it is not about the input
 */
export function formErrors<Name extends string>(
  call: Call,
  error: unknown,
  names: Readonly<Record<string, Name>>,
): FormErrors<Name> {
  if (!(error instanceof Failure)) throw error;
  if (![400, 403, 409, 412, 422].includes(error.status) && error.code !== "quota.exceeded") throw error;
  const field = error.field ? names[error.field] : undefined;
  return { [field ?? "form"]: refusalText(call, error) } as FormErrors<Name>;
}

/** Errors about actions that pages offer only to users with the right. */
const WITHOUT_RIGHT: ReadonlySet<string> = new Set([
  "comment.not-yours",
  "issue.needs-write",
  "organization.needs-owner",
  "organization.others-membership",
  "pull.may-not-allow-edits",
  "project.needs-write",
  "repository.needs-admin",
  "repository.needs-owner",
  "repository.needs-write",
  "review.needs-repo-admin",
  "time.not-allowed",
  "time.not-own",
]);

export function lacksRight(error: unknown): boolean {
  return error instanceof Forbidden && WITHOUT_RIGHT.has(error.code);
}

/**
 * A service error as one sentence.
 * @throws the error itself when it is not about the input; NotFound when the right is missing
 */
export function refusalOf(call: Call, error: unknown): string {
  // Respond as if it did not exist (contract web.md 0.2).
  if (lacksRight(error)) throw new NotFound();
  return formErrors(call, error, {}).form ?? wordsFor(call, siteWords)("refused");
}

/** The errors that have a message; undefined when there are none. */
export function someErrors<Name extends string>(errors: FormErrors<Name>): FormErrors<Name> | undefined {
  const found = Object.entries(errors).filter(([, text]) => text !== undefined);
  return found.length === 0 ? undefined : (Object.fromEntries(found) as FormErrors<Name>);
}
