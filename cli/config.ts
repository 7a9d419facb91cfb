import { configAsEnvironment, configAsMarkdown, describeConfig } from "../src/config/describe.ts";
import { configOf, flagOption } from "./arguments.ts";
import type { Command } from "./dispatch.ts";

export const configCommand: Command = {
  name: "config",
  doc: "Print the effective settings and where each came from",
  options: [
    { flags: "--env", doc: "As HEARTH_NAME=value lines" },
    { flags: "--markdown", doc: "As the table of the documentation" },
  ],
  run: (options) => {
    const loaded = configOf(options);
    if (flagOption(options, "env")) console.log(configAsEnvironment(loaded.config));
    else if (flagOption(options, "markdown")) console.log(configAsMarkdown());
    else console.log(describeConfig(loaded));
  },
};
