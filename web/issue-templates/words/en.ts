import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  newIssue: "New issue",
  getStarted: "Get started",
  blank: "Blank issue",
  blankAbout: "Begin with nothing.",
  open: "Open",
  choose: "Choose…",
  "problem-required": "This is needed.",
  "problem-number": "This is not a number.",
  "problem-pattern": "This is not in the form that is asked for.",
} as const satisfies Messages;
