import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  code: "Code",
  searchCode: "Rechercher dans le code",
  searchHere: "Rechercher dans {repository}",
  search: "Rechercher",
  mode: "Mode de recherche",
  "mode-exact": "Exacte",
  "mode-words": "Tous les mots",
  "mode-regexp": "Expression régulière",
  allLanguages: "Tous les langages",
  language: "Langage",
  resultCount: { one: "{count} fichier", other: "{count} fichiers" },
  atLeast: { one: "Au moins {count} fichier", other: "Au moins {count} fichiers" },
  partial: "Il y a plus de fichiers que ce qui a pu être parcouru à temps. Un texte plus long affine la recherche.",
  moreLines: { one: "{count} ligne de plus", other: "{count} lignes de plus" },
  noMatch: "Aucun résultat.",
  noMatchHint: "Seules les branches par défaut sont parcourues, sans les fichiers binaires ou très volumineux.",
  prompt: "Recherchez dans le code de tous les dépôts que vous pouvez lire.",
  promptOwner: "Cherchez dans le code de tous les dépôts de {owner} que vous pouvez lire.",
  promptHere: "Seule la branche par défaut est parcourue : {branch}.",
  missing: "Le code de ce dépôt est en cours d’indexation. La page affichera les résultats dès que ce sera fait.",
  missingEverywhere: "Le code est en cours d’indexation. Revenez dans un instant.",
  "search.bad-expression": "Cette expression régulière n’est pas valide.",
  "search.too-long": "La recherche est trop longue.",
  "search.too-vague": "Il faut au moins trois caractères consécutifs pour rechercher partout.",
  "search.too-slow":
    "La recherche a pris trop de temps et a été arrêtée. Une expression plus simple aboutira peut-être.",
};
