import type { Words } from "../../language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  noWriting: "No tienes permiso para escribir en este repositorio.",
  defaultBranch: "{branch} es la rama predeterminada y no se puede eliminar",
  repoSettings: "no tienes permiso para cambiar los ajustes de este repositorio",
  noPullRequests: "No puedes crear aquí una solicitud de incorporación.",
  pullToEmpty: "No se puede crear una solicitud de incorporación en un repositorio vacío.",
  pullToWiki: "La wiki no admite solicitudes de incorporación.",
  diskFull: "el disco del servidor está lleno; no se cambió nada",
  diskReadOnly: "no se puede escribir en el disco del servidor; no se cambió nada",
  diskFailed: "falló el disco del servidor; no hay garantía de que el cambio se haya guardado",
  tookTooLong: "el push ocupó el servidor demasiado tiempo; no se ha cambiado nada",
  paddedModes:
    "una herramienta antigua escribió este historial con ceros delante de los modos de archivo. Quien administra este servidor acepta historiales así con git.accept_zero_padded_modes = true; git fast-export y git fast-import los reescriben sin esos ceros, con identificadores nuevos",
};
