import { type Static, Type } from "@sinclair/typebox";
import { text, texts, yesNo } from "../http/fields.ts";
import type { Checkbox, FormField, IssueConfig, IssueTemplate } from "./types.ts";

/** Null if a template names none, as clients expect. */
const named = (description: string, each: string) =>
  Type.Union([texts(description, each), Type.Null()], { description });

const anything = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

export const IssueFormFieldResource = Type.Object(
  {
    type: text("markdown, textarea, input, dropdown or checkboxes."),
    id: text("Id of its value."),
    attributes: anything("Label, description and other attributes of its type."),
    validations: Type.Union([anything("What must hold of its value."), Type.Null()], {
      description: "Validations for its value; null for none.",
    }),
    visible: texts("Where it is shown.", "form or content."),
  },
  { $id: "IssueFormField", description: "A part of a form." },
);

export const IssueTemplateResource = Type.Object(
  {
    name: text("Its name."),
    title: text("Prefix of the title."),
    about: text("Description."),
    labels: named("Labels for items created from it; null for none.", "Name of a label."),
    assignees: named("Assignees for items created from it; null for none.", "A user name."),
    ref: text("The branch or tag it is about."),
    content: text("The initial text; empty for forms."),
    body: Type.Union([Type.Array(IssueFormFieldResource), Type.Null()], {
      description: "The fields of a form; null for a text template.",
    }),
    file_name: text("Path of its file."),
  },
  { $id: "IssueTemplate", description: "An issue template." },
);
export type IssueTemplateResource = Static<typeof IssueTemplateResource>;

export const IssueConfigContactLinkResource = Type.Object(
  { name: text("Its name."), url: text("Its address."), about: text("What people find there.") },
  { $id: "IssueConfigContactLink", description: "Another place to ask." },
);

export const IssueConfigResource = Type.Object(
  {
    blank_issues_enabled: yesNo("Whether an issue may be created without a template."),
    contact_links: Type.Array(IssueConfigContactLinkResource, { description: "Other places to ask." }),
  },
  { $id: "IssueConfig", description: "How people create issues." },
);
export type IssueConfigResource = Static<typeof IssueConfigResource>;

export const IssueConfigValidationResource = Type.Object(
  { valid: yesNo("Whether it is valid."), message: text("The error; empty if none.") },
  { $id: "IssueConfigValidation", description: "Whether the issue configuration is valid." },
);

export function issueTemplateResource(template: IssueTemplate): IssueTemplateResource {
  const { about, assignees, content, fields, labels, name, path, ref, title } = template;
  return {
    name,
    title,
    about,
    labels: labels.length > 0 ? [...labels] : null,
    assignees: assignees.length > 0 ? [...assignees] : null,
    // Clients expect this even if none is named.
    ref: ref === "" ? "refs/heads/" : ref,
    content,
    body: fields?.map(fieldResource) ?? null,
    file_name: path,
  };
}

function fieldResource(field: FormField): Static<typeof IssueFormFieldResource> {
  const { id, isNumber, isRequired, regex, type, visible } = field;
  const isChecked = isRequired || isNumber || regex !== "";
  const validations = {
    required: isRequired,
    ...(isNumber ? { is_number: true } : {}),
    ...(regex === "" ? {} : { regex }),
  };
  return {
    type,
    id,
    attributes: attributesOf(field),
    validations: isChecked ? validations : null,
    visible: [...visible],
  };
}

/** The non-empty ones. */
function attributesOf(field: FormField): Record<string, unknown> {
  const { checkboxes, description, hidesLabel, isList, isMultiple, label, options, placeholder, render, value } = field;
  const all: Record<string, unknown> = {
    label,
    description,
    placeholder,
    value,
    render,
    hide_label: hidesLabel,
    multiple: isMultiple,
    list: isList,
    default: field.default,
    ...(field.type === "dropdown" ? { options: [...options] } : {}),
    ...(field.type === "checkboxes" ? { options: checkboxes.map(checkboxResource) } : {}),
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, said]) => said !== "" && said !== false && said !== undefined),
  );
}

function checkboxResource({ isRequired, label, visible }: Checkbox): Record<string, unknown> {
  return { label, ...(isRequired ? { required: true } : {}), visible: [...visible] };
}

export function issueConfigResource({ allowsBlank, contactLinks }: IssueConfig): IssueConfigResource {
  return { blank_issues_enabled: allowsBlank, contact_links: contactLinks.map((link) => ({ ...link })) };
}
