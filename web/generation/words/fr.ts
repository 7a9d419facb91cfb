import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  use: "Utiliser ce modèle",
  about: "Un nouveau dépôt commence avec ce que vous choisissez ici ; l’historique du modèle n’est pas repris.",
  owner: "Propriétaire",
  name: "Nom du dépôt",
  description: "Description",
  private: "Privé",
  privateHint: "Seuls vous et les personnes à qui vous donnez accès le voyez.",
  copy: "Reprendre du modèle",
  files: "Fichiers",
  filesHint:
    "Tous les fichiers de la branche par défaut, en un seul commit ; les variables sont remplacées là où le modèle le demande.",
  "item-topics": "Thèmes",
  "item-avatar": "Image",
  "item-labels": "Étiquettes",
  "item-protected_branch": "Règles de protection des branches",
  "item-webhooks": "Webhooks",
  "item-git_hooks": "Hooks Git",
  create: "Créer le dépôt",
  notYourOwner: "Vous ne pouvez pas créer de dépôts pour ce propriétaire.",
  "generation.no-template": "Ce dépôt n’est pas un modèle.",
  "generation.nothing-selected": "Choisissez au moins une chose à reprendre.",
  "generation.same-path": "Deux fichiers du modèle s’appelleraient {path}.",
};
