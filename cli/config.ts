import { configAsEnvironment, configAsMarkdown, describeConfig } from "../src/config/describe.ts";
import { configOf, flagOption } from "./arguments.ts";
import type { Command } from "./dispatch.ts";

export const configCommand: Command = {
  name: "config",
  doc: "help-config",
  options: [
    { flags: "--env", doc: "help-config-env" },
    { flags: "--markdown", doc: "help-config-markdown" },
  ],
  run: (options) => {
    const loaded = configOf(options);
    if (flagOption(options, "env")) console.log(configAsEnvironment(loaded.config));
    else if (flagOption(options, "markdown")) console.log(configAsMarkdown());
    else console.log(describeConfig(loaded));
  },
};
