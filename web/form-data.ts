import { type Fields, readFields } from "../src/http/body.ts";
import type { Call } from "../src/http/route.ts";
import { Failure, ValidationFailed } from "../src/kernel/errors.ts";
import type { FormErrors } from "./components/form.tsx";

/** Forms of pages: reading what was sent, and wording what services refuse. */

/** More than any form of ours holds; the editor has a limit of its own. */
const FORM_LIMIT_BYTES = 1 << 20;

export class Form {
  constructor(private readonly fields: Fields) {}

  has(name: string): boolean {
    return this.fields[name] !== undefined;
  }

  /** The value without blanks around it; empty when absent. A field sent twice counts once: the last (security rule H7). */
  text(name: string): string {
    return this.exact(name).trim();
  }

  /** The value as it was typed: passwords, contents. */
  exact(name: string): string {
    const value = this.fields[name];
    const last: unknown = Array.isArray(value) ? value.at(-1) : value;
    return typeof last === "string" ? last : "";
  }

  checked(name: string): boolean {
    return /^(1|t|true|on)$/i.test(this.text(name));
  }

  /** The whole number in a field; undefined when it is none. */
  number(name: string): number | undefined {
    const text = this.text(name);
    return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  }

  /** All fields whose name starts so, with their last values. */
  starting(prefix: string): [name: string, value: string][] {
    return Object.keys(this.fields)
      .filter((name) => name.startsWith(prefix))
      .map((name) => [name, this.text(name)]);
  }
}

/** @throws TooLarge; ValidationFailed for what is no form */
export async function readForm(call: Call, limitBytes = FORM_LIMIT_BYTES): Promise<Form> {
  return new Form((await readFields(call, limitBytes)).fields);
}

/** What services say, in the words of a page. Messages of the API are stable and terse; people get a sentence. */
const words: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/^user already exists/, "This name is taken."],
  [/^e-mail already in use|^Email address has been used/, "This address is in use already."],
  [/^e-mail (invalid|address contains)|^Email address .* invalid$/, "This is not an e-mail address."],
  [/^name is reserved/, "This name is reserved."],
  [/^name pattern is not allowed/, "A name may not end like this."],
  [/^name is invalid/, "Use letters, digits, dash, dot and underscore, and start and end with a letter or digit."],
  [/: AlphaDashDot$/, "Use letters, digits, dash, dot and underscore."],
  [/: Required$/, "This is required."],
  [/: MaxSize$/, "This is too long."],
  [/: Url$/, "This is not a web address."],
  [/: GitRefName$/, "This is not a name git accepts."],
  [/^(repository already exists|The repository with the same name)/, "There is a repository of that name already."],
  [/^access token name has been used/, "A token of that name exists already."],
  [/^access token must have a scope/, "Choose at least one permission."],
  [/^sha does not match/, "Someone changed this file since you opened it. Copy your text and look at it first."],
  [/^branch .* was changed by someone else/, "Someone else committed to the branch just now. Send it again."],
  [/^repository file already exists/, "There is a file of that name already."],
  [/^path contains a malformed/, "This is not a path git accepts."],
  [/^a directory exists where/, "There is a directory of that name."],
  [/^a symbolic link exists where/, "There is a symbolic link of that name."],
  [/^branch already exists/, "There is a branch of that name already."],
  [
    /^user still has ownership of repositories/,
    "It still owns repositories. Delete them with it, or transfer them first.",
  ],
  [/^you cannot delete yourself/, "You cannot delete your own account here."],
  [/^can not delete the last admin user/, "The last administrator must stay."],
];

export function inWords(message: string): string {
  return words.find(([pattern]) => pattern.test(message))?.[1] ?? message;
}

/**
 * What a service refused as errors beside fields. `names` maps the service's field names to the form's; what concerns
 * none of them stands above the form.
 * @throws what is no refusal of what was typed
 */
export function formErrors<Name extends string>(
  error: unknown,
  names: Readonly<Record<string, Name>>,
): FormErrors<Name> {
  if (!(error instanceof Failure) || ![400, 403, 409, 422].includes(error.status)) throw error;
  const field = error instanceof ValidationFailed && error.field ? names[error.field] : undefined;
  return { [field ?? "form"]: inWords(error.message) } as FormErrors<Name>;
}

/** A text that must not be longer than so many characters. */
export function tooLong(text: string, most: number): string | undefined {
  return [...text].length > most ? `At most ${most} characters.` : undefined;
}

/** The errors that are there; undefined when there is none. */
export function someErrors<Name extends string>(errors: FormErrors<Name>): FormErrors<Name> | undefined {
  const found = Object.entries(errors).filter(([, text]) => text !== undefined);
  return found.length === 0 ? undefined : (Object.fromEntries(found) as FormErrors<Name>);
}
