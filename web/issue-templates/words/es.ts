import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  newIssue: "Nueva incidencia",
  getStarted: "Empezar",
  blank: "Incidencia en blanco",
  blankAbout: "Empezar sin nada.",
  open: "Abrir",
  choose: "Elegir…",
  "problem-required": "Esto es necesario.",
  "problem-number": "Esto no es un número.",
  "problem-pattern": "Esto no tiene la forma pedida.",
};
