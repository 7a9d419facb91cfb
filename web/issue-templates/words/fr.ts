import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  newIssue: "Nouveau ticket",
  getStarted: "Commencer",
  blank: "Ticket vierge",
  blankAbout: "Commencer sans rien.",
  open: "Ouvrir",
  choose: "Choisir…",
  "problem-required": "Ceci est requis.",
  "problem-number": "Ce n’est pas un nombre.",
  "problem-pattern": "Ceci n’a pas la forme demandée.",
};
