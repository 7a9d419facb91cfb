import { configCommand } from "./config.ts";
import type { Command } from "./dispatch.ts";
import { routesCommand } from "./routes.ts";
import { serveCommand } from "./serve.ts";
import { versionCommand } from "./version.ts";

export const commands: readonly Command[] = [serveCommand, configCommand, routesCommand, versionCommand];
