import type { Words } from "../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  language: "Sprache",
  languageApply: "Sprache ändern",

  "value.required": "Dieses Feld ist erforderlich.",
  tooLong: { one: "Höchstens {count} Zeichen.", other: "Höchstens {count} Zeichen." },
  passwordsDiffer: "Die beiden Passwörter stimmen nicht überein.",
  refused: "Das wurde abgelehnt.",

  "email.taken": "Diese Adresse wird bereits verwendet.",
  "email.used": "Diese Adresse wird bereits verwendet.",
  "email.malformed": "Das ist keine E-Mail-Adresse.",
  "email.invalid": "Das ist keine E-Mail-Adresse.",
  "branch.name-taken": "Es gibt bereits einen Branch mit diesem Namen.",
  "branch.rename-taken": "Es gibt bereits einen Branch mit diesem Namen.",
  "branch.same-name": "Es gibt bereits einen Branch mit diesem Namen.",
  "branch.exists": "Es gibt bereits einen Branch mit diesem Namen.",
  "branch.changed-meanwhile": "Gerade hat jemand anderes in diesen Branch committet. Bitte noch einmal absenden.",
  "file.is-directory": "Es gibt bereits ein Verzeichnis mit diesem Namen.",
  "file.changed":
    "Jemand hat diese Datei geändert, seit sie hier geöffnet wurde. Kopieren Sie Ihren Text und sehen Sie sich die Änderung erst an.",
  "file.exists": "Es gibt bereits eine Datei mit diesem Namen.",
  "account.last-admin": "Der letzte Administrator muss bleiben.",
  "value.not-a-name": "Erlaubt sind Buchstaben, Ziffern, Bindestrich, Punkt und Unterstrich.",
  "name.reserved-ending": "So darf ein Name nicht enden.",
  "name.malformed":
    "Erlaubt sind Buchstaben, Ziffern, Bindestrich, Punkt und Unterstrich; am Anfang und am Ende steht ein Buchstabe oder eine Ziffer.",
  "name.reserved": "Dieser Name ist reserviert.",
  "account.name-taken": "Dieser Name ist bereits vergeben.",
  "value.not-a-ref-name": "Diesen Namen nimmt Git nicht an.",
  "account.cannot-delete-self": "Das eigene Konto kann hier nicht gelöscht werden.",
  "path.malformed": "Diesen Pfad nimmt Git nicht an.",
  "repository.name-taken": "Es gibt bereits ein Repository mit diesem Namen.",
  "repository.rename-taken": "Es gibt bereits ein Repository mit diesem Namen.",
  "account.owns-repositories":
    "Dem Konto gehören noch Repositorys. Löschen Sie sie mit dem Konto oder übertragen Sie sie vorher.",
  "file.is-symlink": "Es gibt bereits einen symbolischen Link mit diesem Namen.",
  "value.too-long": "Das ist zu lang.",
  "token.name-taken": "Es gibt bereits ein Token mit diesem Namen.",
  "token.no-scope": "Wählen Sie mindestens eine Berechtigung.",
  "value.not-a-url": "Das ist keine Webadresse.",
};
