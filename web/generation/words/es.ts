import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  use: "Usar esta plantilla",
  about: "Un repositorio nuevo empieza con lo que elijas aquí; el historial de la plantilla no se copia.",
  owner: "Propietario",
  name: "Nombre del repositorio",
  description: "Descripción",
  private: "Privado",
  privateHint: "Solo tú y las personas a las que des acceso lo veis.",
  copy: "Copiar de la plantilla",
  files: "Archivos",
  filesHint:
    "Todos los archivos de la rama predeterminada, en un solo commit; las variables se sustituyen donde la plantilla lo pide.",
  "item-topics": "Temas",
  "item-avatar": "Imagen",
  "item-labels": "Etiquetas",
  "item-protected_branch": "Reglas de protección de ramas",
  "item-webhooks": "Webhooks",
  "item-git_hooks": "Hooks de Git",
  create: "Crear repositorio",
  notYourOwner: "No puedes crear repositorios para este propietario.",
  "generation.no-template": "Este repositorio no es una plantilla.",
  "generation.nothing-selected": "Elige al menos una cosa para copiar.",
  "generation.same-path": "Dos archivos de la plantilla se llamarían {path}.",
};
