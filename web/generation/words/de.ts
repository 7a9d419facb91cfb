import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  use: "Diese Vorlage verwenden",
  about: "Ein neues Repository beginnt mit dem, was du hier wählst; die Geschichte der Vorlage bleibt zurück.",
  owner: "Eigentümer",
  name: "Name des Repositorys",
  description: "Beschreibung",
  private: "Privat",
  privateHint: "Nur du und Personen, denen du Zugriff gibst, sehen es.",
  copy: "Aus der Vorlage übernehmen",
  files: "Dateien",
  filesHint:
    "Alle Dateien des Standard-Branches als ein Commit; Variablen werden eingesetzt, wo die Vorlage es verlangt.",
  "item-topics": "Themen",
  "item-avatar": "Bild",
  "item-labels": "Labels",
  "item-protected_branch": "Regeln für geschützte Branches",
  "item-webhooks": "Webhooks",
  "item-git_hooks": "Git-Hooks",
  create: "Repository erstellen",
  notYourOwner: "Für diesen Eigentümer kannst du keine Repositorys erstellen.",
  "generation.no-template": "Dieses Repository ist keine Vorlage.",
  "generation.nothing-selected": "Wähle mindestens eine Sache aus, die übernommen wird.",
  "generation.same-path": "Zwei Dateien der Vorlage würden {path} heißen.",
};
