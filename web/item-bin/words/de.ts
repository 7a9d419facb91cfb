import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  deletedItems: "Gelöschte Issues",
  about: {
    one: "Gelöschte Issues, Pull-Requests und Kommentare lassen sich {count} Tag lang wiederherstellen, mit allem, was dazugehörte.",
    other:
      "Gelöschte Issues, Pull Requests und Kommentare lassen sich {count} Tage lang wiederherstellen, mit allem, was dazugehörte.",
  },
  isOff: "Gelöschte Issues und Kommentare sind sofort weg.",
  isEmpty: "Nichts wurde in letzter Zeit gelöscht",
  commentOn: "Kommentar zu #{number} {title}",
  deletedBy: "{time} gelöscht von {name}",
  deletedAt: "{time} gelöscht",
  goesAt: "{time} endgültig weg",
  restore: "Wiederherstellen",
  deleteForGood: "Endgültig löschen",
  purgeWarning: "{name} wird mit allem, was dazugehört, endgültig gelöscht.",
  purged: "Es wurde endgültig gelöscht.",
  restored: "#{number} wurde wiederhergestellt.",
  commentRestored: "Der Kommentar wurde wiederhergestellt.",
  undo: "Rückgängig",
  itemDeleted: "#{number} wurde gelöscht.",
  commentDeleted: "Der Kommentar wurde gelöscht.",
  "issue.not-restorable": "Es lässt sich nicht wiederherstellen: Etwas, ohne das es nicht sein kann, ist weg.",
};
