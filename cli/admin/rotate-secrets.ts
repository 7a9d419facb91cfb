import { lockFolder } from "../../src/server.ts";
import { configOf } from "../arguments.ts";
import { requireDataFolder, withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";

/** `hearth admin secrets rotate`: a new key in secret.key, and everything encrypted with it. */
export const rotateSecretsCommand: Command = {
  name: "admin secrets rotate",
  doc: "Replace the key in secret.key and encrypt stored secrets with the new one; the server must not be running",
  options: [],
  run: async (options) => {
    const { config } = configOf(options);
    requireDataFolder(config);
    const lock = lockFolder(config.data);
    try {
      await withServices(options, ({ secretRotation }) => {
        const count = secretRotation.rotate();
        console.log(`The key was replaced; ${count} ${count === 1 ? "secret was" : "secrets were"} encrypted anew.`);
      });
    } finally {
      lock.release();
    }
  },
};
