import type { Words } from "../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  language: "Sprache",
  languageApply: "Sprache ändern",

  required: "Dieses Feld ist erforderlich.",
  tooLong: { one: "Höchstens {count} Zeichen.", other: "Höchstens {count} Zeichen." },
  passwordsDiffer: "Die beiden Passwörter stimmen nicht überein.",
  refused: "Das wurde abgelehnt.",

  addressInUse: "Diese Adresse wird bereits verwendet.",
  addressInvalid: "Das ist keine E-Mail-Adresse.",
  branchExists: "Es gibt bereits einen Branch mit diesem Namen.",
  branchMoved: "Gerade hat jemand anderes in diesen Branch committet. Bitte noch einmal absenden.",
  directoryExists: "Es gibt bereits ein Verzeichnis mit diesem Namen.",
  fileChanged:
    "Jemand hat diese Datei geändert, seit sie hier geöffnet wurde. Kopieren Sie Ihren Text und sehen Sie sich die Änderung erst an.",
  fileExists: "Es gibt bereits eine Datei mit diesem Namen.",
  lastAdministrator: "Der letzte Administrator muss bleiben.",
  nameBadCharacters: "Erlaubt sind Buchstaben, Ziffern, Bindestrich, Punkt und Unterstrich.",
  nameBadEnd: "So darf ein Name nicht enden.",
  nameInvalid:
    "Erlaubt sind Buchstaben, Ziffern, Bindestrich, Punkt und Unterstrich; am Anfang und am Ende steht ein Buchstabe oder eine Ziffer.",
  nameReserved: "Dieser Name ist reserviert.",
  nameTaken: "Dieser Name ist bereits vergeben.",
  notForGit: "Diesen Namen nimmt Git nicht an.",
  ownAccount: "Das eigene Konto kann hier nicht gelöscht werden.",
  pathInvalid: "Diesen Pfad nimmt Git nicht an.",
  repositoryExists: "Es gibt bereits ein Repository mit diesem Namen.",
  stillOwnsRepositories:
    "Dem Konto gehören noch Repositorys. Löschen Sie sie mit dem Konto oder übertragen Sie sie vorher.",
  symbolicLinkExists: "Es gibt bereits einen symbolischen Link mit diesem Namen.",
  textTooLong: "Das ist zu lang.",
  tokenExists: "Es gibt bereits ein Token mit diesem Namen.",
  tokenWithoutScope: "Wählen Sie mindestens eine Berechtigung.",
  websiteInvalid: "Das ist keine Webadresse.",
};
