import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  actions: "Actions",
  secrets: "Geheimnisse",
  variables: "Variablen",
  name: "Name",
  nameHint: "Buchstaben, Ziffern und Unterstriche; gespeichert wird er in Großbuchstaben.",
  value: "Wert",
  description: "Beschreibung",
  edit: "Bearbeiten",
  delete: "Löschen",
  deleteTitle: "{name} löschen?",
  deleteHint: "Workflows, die ihn verwenden, finden unter diesem Namen dann nichts mehr.",
  aboutSecrets:
    "Werte, die Workflows verwenden und die niemandem wieder gezeigt werden: Schlüssel, Tokens, Passwörter.",
  noSecrets: "Keine Geheimnisse",
  putSecret: "Geheimnis hinzufügen oder ersetzen",
  saveSecret: "Geheimnis speichern",
  secretValueHint: "Er wird verschlüsselt und nie wieder gezeigt.",
  secretSaved: "Das Geheimnis wurde gespeichert.",
  secretDeleted: "Das Geheimnis wurde gelöscht.",
  set: "Gesetzt {time}",
  aboutVariables: "Werte, die Workflows verwenden und die nicht geheim sind.",
  aboutSiteVariables:
    "Werte, die die Workflows aller Repositorys verwenden. Eine gleichnamige Variable des Besitzers oder des Repositorys hat Vorrang.",
  noVariables: "Keine Variablen",
  addVariable: "Variable hinzufügen",
  saveVariable: "Variable speichern",
  variableValueHint: "Wer diese Einstellungen verwalten darf, kann ihn lesen.",
  variableAdded: "Die Variable wurde hinzugefügt.",
  variableSaved: "Die Variable wurde gespeichert.",
  variableDeleted: "Die Variable wurde gelöscht.",
  "actions.bad-name":
    "Nimm Buchstaben, Ziffern und Unterstriche, keine Ziffer am Anfang, und weder CI noch einen Namen, der mit GITEA_ oder GITHUB_ beginnt.",
  "actions.value-too-long": "Höchstens {max} Zeichen.",
  "actions.too-many": "Mehr als {max} kann es hier nicht geben.",
  "actions.no-such-secret": "Dieses Geheimnis gibt es nicht.",
  "actions.no-such-variable": "Diese Variable gibt es nicht.",
  "actions.variable-exists": "Eine Variable mit diesem Namen gibt es schon.",
};
