import type { Area } from "../area.ts";
import { ReferenceService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly references: ReferenceService;
  }
}

/** References in texts; other areas resolve those to their own resources. */
export const referencesArea: Area = {
  name: "references",
  open: ({ links }) => ({ services: { references: new ReferenceService(links.rootUrl) } }),
};
