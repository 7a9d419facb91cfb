import { fieldName, type Submitted } from "../../src/issue-templates/render.ts";
import type { FormField } from "../../src/issue-templates/types.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { Form } from "../form-data.ts";
import type { SafeHtml } from "../jsx/raw.ts";
import { renderedText } from "../repos/texts.ts";

/**
 * The submitted values of a template's fields; the checkboxes of a multi-select dropdown become its list of indexes.
 */
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

/** The rendered texts of a form's `markdown` fields, by field id. */
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
