/** Templates of issues and pull requests, from files in repositories (contract issues.md 16). */

export const fieldTypes = ["markdown", "textarea", "input", "dropdown", "checkboxes"] as const;
export type FieldType = (typeof fieldTypes)[number];

/** Where a part of a form is visible: in the form itself, or in the resulting text. */
export const places = ["form", "content"] as const;
export type Place = (typeof places)[number];

export interface Checkbox {
  readonly label: string;
  readonly isRequired: boolean;
  readonly visible: readonly Place[];
}

/** A part of a form; fields that its type does not use are empty. */
export interface FormField {
  readonly type: FieldType;
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  /** The initial text; for `markdown` the text itself. */
  readonly value: string;
  readonly hidesLabel: boolean;
  /** Language of the entered code; empty: not code. */
  readonly render: string;
  /** Choices of a dropdown. */
  readonly options: readonly string[];
  readonly checkboxes: readonly Checkbox[];
  readonly isMultiple: boolean;
  /** Renders multiple choices as a list. */
  readonly isList: boolean;
  /** The initial choice. */
  readonly default: number | undefined;
  readonly isRequired: boolean;
  readonly isNumber: boolean;
  /** The pattern an input must match; empty: any. */
  readonly regex: string;
  readonly visible: readonly Place[];
}

export interface IssueTemplate {
  /** Path in the repository. */
  readonly path: string;
  readonly name: string;
  readonly about: string;
  readonly title: string;
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  /** In full; empty: none. */
  readonly ref: string;
  /** The initial text; empty for forms. */
  readonly content: string;
  /** Undefined: not a form, but a text. */
  readonly fields: readonly FormField[] | undefined;
}

export interface ContactLink {
  readonly name: string;
  readonly url: string;
  readonly about: string;
}

export interface IssueConfig {
  readonly allowsBlank: boolean;
  readonly contactLinks: readonly ContactLink[];
}

/** A file that is not a valid template, and why. */
export interface TemplateProblem {
  readonly path: string;
  readonly message: string;
}

/** All settings for new issues and pull requests in a commit. */
export interface TemplateSet {
  readonly templates: readonly IssueTemplate[];
  readonly problems: readonly TemplateProblem[];
  /** The template in a file of its own, for issues and for pull requests. */
  readonly single: IssueTemplate | undefined;
  readonly pull: IssueTemplate | undefined;
  readonly config: IssueConfig;
  /** What is wrong with the configuration; empty: nothing. */
  readonly configProblem: string;
}

export const defaultConfig: IssueConfig = { allowsBlank: true, contactLinks: [] };

export const noTemplates: TemplateSet = {
  templates: [],
  problems: [],
  single: undefined,
  pull: undefined,
  config: defaultConfig,
  configProblem: "",
};
