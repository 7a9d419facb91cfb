import type { Words } from "../../language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  noWriting: "Vous n’avez pas le droit d’écrire dans ce dépôt.",
  defaultBranch: "{branch} est la branche par défaut et ne peut pas être supprimée",
  repoSettings: "vous n’avez pas le droit de modifier les paramètres de ce dépôt",
  noPullRequests: "Vous ne pouvez pas créer de demande d’ajout ici.",
  pullToEmpty: "Impossible de créer une demande d’ajout pour un dépôt vide.",
  pullToWiki: "Le wiki ne prend pas de demandes d’ajout.",
  diskFull: "le disque du serveur est plein ; rien n’a été modifié",
  diskReadOnly: "le disque du serveur n’est pas accessible en écriture ; rien n’a été modifié",
  diskFailed: "le disque du serveur est défaillant ; la modification n’est pas confirmée",
  tookTooLong: "le push a occupé le serveur trop longtemps ; rien n’a été modifié",
  paddedModes:
    "un ancien outil a écrit cet historique avec des zéros devant les modes de fichiers. Les administrateurs de ce serveur acceptent de tels historiques avec git.accept_zero_padded_modes = true ; git fast-export et git fast-import les réécrivent sans ces zéros, avec de nouveaux identifiants",
};
