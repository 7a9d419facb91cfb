import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  newIssue: "Neues Issue",
  getStarted: "Beginnen",
  blank: "Leeres Issue",
  blankAbout: "Mit nichts beginnen.",
  open: "Öffnen",
  choose: "Wählen …",
  "problem-required": "Das wird gebraucht.",
  "problem-number": "Das ist keine Zahl.",
  "problem-pattern": "Das hat nicht die verlangte Form.",
};
