import type { Form } from "../form-data.ts";

/** The values of a field that may be sent several times, without empty ones. */
export function sent(form: Form, name: string): string[] {
  return form.texts(name).filter((value) => value !== "");
}
