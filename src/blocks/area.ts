import type { Area } from "../area.ts";
import { blockErrorWords } from "./error-words.ts";
import { BlockService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly blocks: BlockService;
  }
}

/** Blocking between accounts. Organizations have their own routes for it. */
export const blocksArea: Area = {
  name: "blocks",
  errorWords: blockErrorWords,
  routes: async () => (await import("./api.ts")).blockRoutes,
  open: ({ clock, db, outbox }, { identity }) => ({
    services: { blocks: new BlockService(db, outbox, identity, clock) },
  }),
};
