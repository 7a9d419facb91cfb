import { API_VERSION, HEARTH_VERSION } from "../src/version.ts";
import type { Command } from "./dispatch.ts";

export const versionCommand: Command = {
  name: "version",
  doc: "help-version",
  options: [],
  run: () =>
    console.log(
      `hearth ${HEARTH_VERSION} (API ${API_VERSION}, Bun ${Bun.version}, ${process.platform} ${process.arch})`,
    ),
};
