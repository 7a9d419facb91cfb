import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  newIssue: "New issue",
  getStarted: "Get started",
  blank: "Blank issue",
  blankAbout: "Start with an empty issue.",
  open: "Open",
  choose: "Choose…",
  "problem-required": "This is required.",
  "problem-number": "This is not a number.",
  "problem-pattern": "This is not in the required format.",
} as const satisfies Messages;
