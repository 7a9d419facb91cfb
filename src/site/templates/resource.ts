import { Type } from "@sinclair/typebox";
import { text } from "../../http/fields.ts";

export const TemplateNames = Type.Array(text("Name of a template."), { description: "Names, sorted." });

export const GitignoreTemplateResource = Type.Object(
  { name: text("Name of the template."), source: text("What the file contains.") },
  { $id: "GitignoreTemplateInfo", description: "A template of an ignore file." },
);

const licence = {
  key: text("SPDX identifier of the licence."),
  name: text("The same as key."),
  url: text("API address of the licence."),
};

export const LicenseEntryResource = Type.Object(licence, {
  $id: "LicensesTemplateListEntry",
  description: "A licence in the list.",
});

export const LicenseTemplateResource = Type.Object(
  { ...licence, implementation: text("How to apply the licence."), body: text("Text of the licence.") },
  { $id: "LicenseTemplateInfo", description: "A licence." },
);

export const LabelTemplateResource = Type.Object(
  {
    name: text("Name of the label."),
    exclusive: Type.Boolean({ description: "Whether it excludes others with the same text before the last slash." }),
    color: text("Six hexadecimal digits."),
    description: text("Description of the label."),
  },
  { $id: "LabelTemplate", description: "A label of a template." },
);
