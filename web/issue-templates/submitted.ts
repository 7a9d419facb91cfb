import { fieldName, type Submitted } from "../../src/issue-templates/render.ts";
import type { FormField } from "../../src/issue-templates/types.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { Form } from "../form-data.ts";
import type { SafeHtml } from "../jsx/raw.ts";
import { renderedText } from "../repos/texts.ts";

/** What was sent of a template's fields; the boxes of a dropdown with several choices become its list of indexes. */
export function submittedOf(fields: readonly FormField[], form: Form): Submitted {
  const lists = new Map(
    fields
      .filter(({ isMultiple, type }) => type === "dropdown" && isMultiple)
      .map((field) => {
        const name = fieldName(field);
        const boxes = field.options.flatMap((_, at) => (form.has(`${name}-choice-${at}`) ? [at] : []));
        return [name, boxes.length > 0 ? boxes.join() : form.text(name)];
      }),
  );
  return (name) => lists.get(name) ?? form.exact(name);
}

/** The texts of a form's `markdown` fields, rendered, by the fields' ids. */
export async function fieldTexts(
  services: WebServices,
  seen: SeenRepo,
  fields: readonly FormField[],
): Promise<Map<string, SafeHtml>> {
  const texts = fields.filter(({ type, visible }) => type === "markdown" && visible.includes("form"));
  const rendered = texts.map(
    async ({ id, value }) => [id, await renderedText(services, seen.principal, seen, value)] as const,
  );
  return new Map(await Promise.all(rendered));
}
