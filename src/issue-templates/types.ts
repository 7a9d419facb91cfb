/** Templates of issues and pull requests, as repositories have them in files (contract issues.md 16). */

export const fieldTypes = ["markdown", "textarea", "input", "dropdown", "checkboxes"] as const;
export type FieldType = (typeof fieldTypes)[number];

/** Where a part of a form is shown: while it is filled in, in what comes of it. */
export const places = ["form", "content"] as const;
export type Place = (typeof places)[number];

export interface Checkbox {
  readonly label: string;
  readonly isRequired: boolean;
  readonly visible: readonly Place[];
}

/** A part of a form; what its type has no use for is empty. */
export interface FormField {
  readonly type: FieldType;
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  /** A text that stands there from the start; of `markdown` the text itself. */
  readonly value: string;
  readonly hidesLabel: boolean;
  /** Language of the code that is entered; empty: no code. */
  readonly render: string;
  /** Choices of a dropdown. */
  readonly options: readonly string[];
  readonly checkboxes: readonly Checkbox[];
  readonly isMultiple: boolean;
  /** Several choices become a list. */
  readonly isList: boolean;
  /** The choice made from the start. */
  readonly default: number | undefined;
  readonly isRequired: boolean;
  readonly isNumber: boolean;
  /** What an input must match; empty: anything will do. */
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
  /** A text to start from; empty for forms. */
  readonly content: string;
  /** Undefined: no form, but a text. */
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

/** A file that is no template, and what is wrong with it. */
export interface TemplateProblem {
  readonly path: string;
  readonly message: string;
}

/** All that a commit says of new issues and pull requests. */
export interface TemplateSet {
  readonly templates: readonly IssueTemplate[];
  readonly problems: readonly TemplateProblem[];
  /** The one that stands in a file of its own, for issues and for pull requests. */
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
