import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  blockedUsers: "Cuentas bloqueadas",
  blockUser: "Bloquear una cuenta",
  note: "Nota",
  block: "Bloquear",
  unblock: "Desbloquear",
  noBlocks: "Nadie está bloqueado",
  userBlocked: "{name} está bloqueado.",
  userUnblocked: "{name} ya no está bloqueado.",
  userName: "Nombre de usuario",
  noSuchAccount: "No existe esa cuenta.",
  ownHint:
    "No puede seguirte ni marcar, observar, bifurcar o comentar lo que es tuyo. Lo que tiene ahora de ello termina.",
  ownNoteHint: "Solo tú la ves.",
  blockThisUser: "Bloquear a {name}",
  saveNote: "Guardar la nota",
  noteSaved: "Se guardó la nota.",
  youBlock: "Bloqueas esta cuenta.",
  changeNote: "Nota sobre {name}",

  "block.blocked": "Uno de los dos bloquea al otro.",
  "block.not-allowed": "Esta cuenta no se puede bloquear.",
  "block.is-organization": "Las organizaciones no se pueden bloquear.",
  "block.not-blocked": "Esta cuenta no está bloqueada.",
};
