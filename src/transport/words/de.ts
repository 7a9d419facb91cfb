import type { Words } from "../../language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  noWriting: "Du darfst in dieses Repository nicht schreiben.",
  defaultBranch: "{branch} ist der Standard-Branch und kann nicht gelöscht werden",
  repoSettings: "du darfst die Einstellungen dieses Repositorys nicht ändern",
  noPullRequests: "Du darfst hier keinen Pull-Request anlegen.",
  pullToEmpty: "Für ein leeres Repository kann kein Pull-Request angelegt werden.",
  pullToWiki: "Das Wiki kennt keine Pull-Requests.",
  diskFull: "die Festplatte des Servers ist voll; nichts wurde geändert",
  diskReadOnly: "auf die Festplatte des Servers kann nicht geschrieben werden; nichts wurde geändert",
  diskFailed: "die Festplatte des Servers hat versagt; ob die Änderung gespeichert ist, ist ungewiss",
  tookTooLong: "der Push hat den Server zu lange beschäftigt; nichts wurde geändert",
  paddedModes:
    "ein altes Werkzeug hat diese Historie mit Nullen vor den Dateimodi geschrieben. Wer diesen Server verwaltet, lässt solche Historien mit git.accept_zero_padded_modes = true zu; git fast-export und git fast-import schreiben sie ohne die Nullen neu, mit neuen IDs",
};
