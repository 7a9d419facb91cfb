import type { Area } from "../area.ts";
import { Markup } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly markup: Markup;
  }
}

/** Text to safe HTML: Markdown and highlighted code. */
export const markupArea: Area = {
  name: "markup",
  open: ({ config, pool }) => ({
    services: { markup: new Markup(pool, { timeoutMs: config["markup.timeout_seconds"] * 1000 }) },
  }),
};
