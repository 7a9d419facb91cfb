import { lockFolder } from "../../src/db/folder-lock.ts";
import { configOf } from "../arguments.ts";
import { requireDataFolder, withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";

/** `hearth admin secrets rotate`: writes a new key to secret.key and re-encrypts everything with it. */
export const rotateSecretsCommand: Command = {
  name: "admin secrets rotate",
  doc: "help-secrets-rotate",
  options: [],
  run: async (options) => {
    const { config } = configOf(options);
    requireDataFolder(config);
    const lock = lockFolder(config.data);
    try {
      await withServices(options, ({ secretRotation }) => {
        const count = secretRotation.rotate();
        console.log(say("secretsRotated", { count }));
      });
    } finally {
      lock.release();
    }
  },
};
