import type { Area } from "../area.ts";
import { ReferenceService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly references: ReferenceService;
  }
}

/** What texts point at; other areas say how their things are found. */
export const referencesArea: Area = {
  name: "references",
  open: ({ links }) => ({ services: { references: new ReferenceService(links.rootUrl) } }),
};
