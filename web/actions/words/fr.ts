import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  actions: "Actions",
  secrets: "Secrets",
  variables: "Variables",
  name: "Nom",
  nameHint: "Lettres, chiffres et tirets bas ; il est enregistré en majuscules.",
  value: "Valeur",
  description: "Description",
  edit: "Modifier",
  delete: "Supprimer",
  deleteTitle: "Supprimer {name} ?",
  deleteHint: "Les workflows qui l’utilisent ne trouveront plus rien sous ce nom.",
  aboutSecrets:
    "Des valeurs que les workflows utilisent et qui ne sont plus jamais affichées : clés, jetons, mots de passe.",
  noSecrets: "Aucun secret",
  putSecret: "Ajouter ou remplacer un secret",
  saveSecret: "Enregistrer le secret",
  secretValueHint: "Elle est chiffrée et ne sera plus jamais affichée.",
  secretSaved: "Le secret a été enregistré.",
  secretDeleted: "Le secret a été supprimé.",
  set: "Défini {time}",
  aboutVariables: "Des valeurs que les workflows utilisent et qui ne sont pas secrètes.",
  aboutSiteVariables:
    "Des valeurs que les workflows de tous les dépôts utilisent. Une variable du même nom chez le propriétaire ou dans le dépôt a la priorité.",
  noVariables: "Aucune variable",
  addVariable: "Ajouter une variable",
  saveVariable: "Enregistrer la variable",
  variableValueHint: "Quiconque peut gérer ces paramètres peut la lire.",
  variableAdded: "La variable a été ajoutée.",
  variableSaved: "La variable a été enregistrée.",
  variableDeleted: "La variable a été supprimée.",
  "actions.bad-name":
    "Utilisez des lettres, des chiffres et des tirets bas, sans chiffre au début, et ni CI ni un nom commençant par GITEA_ ou GITHUB_.",
  "actions.value-too-long": "Au plus {max} caractères.",
  "actions.too-many": "Il ne peut pas y en avoir plus de {max} ici.",
  "actions.no-such-secret": "Ce secret n’existe pas.",
  "actions.no-such-variable": "Cette variable n’existe pas.",
  "actions.variable-exists": "Une variable de ce nom existe déjà.",
};
