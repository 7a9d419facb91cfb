import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  code: "Code",
  searchCode: "Code durchsuchen",
  searchHere: "In {repository} suchen",
  search: "Suchen",
  mode: "Wie gesucht wird",
  "mode-exact": "Genau",
  "mode-words": "Alle Wörter",
  "mode-regexp": "Regulärer Ausdruck",
  allLanguages: "Alle Sprachen",
  language: "Sprache",
  resultCount: { one: "{count} Datei", other: "{count} Dateien" },
  atLeast: { one: "Mindestens {count} Datei", other: "Mindestens {count} Dateien" },
  partial: "Es gibt mehr Dateien, als in der Zeit durchsucht wurden. Ein längerer Text grenzt es ein.",
  moreLines: { one: "{count} weitere Zeile", other: "{count} weitere Zeilen" },
  noMatch: "Nichts gefunden.",
  noMatchHint: "Durchsucht werden nur Standardbranches, und keine binären oder sehr großen Dateien.",
  prompt: "Durchsuche den Code aller Repositorys, die du lesen darfst.",
  promptHere: "Durchsucht wird nur der Standardbranch: {branch}.",
  missing: "Der Code dieses Repositorys wird gerade indiziert. Die Seite zeigt die Treffer, sobald das fertig ist.",
  missingEverywhere: "Der Code wird gerade indiziert. Versuche es gleich noch einmal.",
  "search.bad-expression": "Das ist kein gültiger regulärer Ausdruck.",
  "search.too-long": "Die Suche ist zu lang.",
  "search.too-vague": "Um überall zu suchen, braucht es mindestens drei aufeinanderfolgende Zeichen.",
  "search.too-slow": "Das hat zu lange gedauert und wurde abgebrochen. Ein einfacherer Ausdruck findet es vielleicht.",
};
