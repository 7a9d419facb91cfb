import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  blockedUsers: "Comptes bloqués",
  blockUser: "Bloquer un compte",
  note: "Note",
  block: "Bloquer",
  unblock: "Débloquer",
  noBlocks: "Personne n’est bloqué",
  userBlocked: "{name} est bloqué.",
  userUnblocked: "{name} n’est plus bloqué.",
  userName: "Nom d’utilisateur",
  noSuchAccount: "Ce compte n’existe pas.",
  ownHint:
    "Il ne peut ni vous suivre, ni mettre en favori, observer, bifurquer ou commenter ce qui est à vous. Ce qu’il en a aujourd’hui prend fin.",
  ownNoteHint: "Vous seul la voyez.",
  blockThisUser: "Bloquer {name}",
  saveNote: "Enregistrer la note",
  noteSaved: "La note a été enregistrée.",
  youBlock: "Vous bloquez ce compte.",
  changeNote: "Note sur {name}",

  "block.blocked": "L’un des deux bloque l’autre.",
  "block.not-allowed": "Ce compte ne peut pas être bloqué.",
  "block.is-organization": "Une organisation ne peut pas être bloquée.",
  "block.not-blocked": "Ce compte n’est pas bloqué.",
};
