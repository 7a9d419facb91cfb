import type { Form } from "../form-data.ts";

/** The values of a field that may be sent several times; what was left empty was not sent. */
export function sent(form: Form, name: string): string[] {
  return form.texts(name).filter((value) => value !== "");
}
