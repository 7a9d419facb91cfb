import { operator } from "../../src/access/principal.ts";
import { ValidationFailed } from "../../src/kernel/errors.ts";
import { UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";

/** `hearth admin ssh …`: the server's SSH host keys. */
export const sshCommands: readonly Command[] = [
  {
    name: "admin ssh host-keys",
    doc: "help-ssh-host-keys",
    options: [],
    run: (options) =>
      withServices(options, ({ ssh }) => {
        const keys = ssh.hostKeys.list();
        if (keys.length === 0) console.log(say("noHostKeys"));
        for (const { fingerprint, line } of keys) console.log(`${fingerprint}  ${line}`);
      }),
  },
  {
    name: "admin ssh import-host-key",
    positional: "<file>",
    doc: "help-ssh-import-host-key",
    options: [],
    run: (options, [file = ""]) =>
      withServices(options, async ({ ssh }) => {
        try {
          const text = await Bun.file(file).text();
          const { fingerprint, type } = await ssh.hostKeys.import(operator, text);
          console.log(say("hostKeyImported", { fingerprint, type }));
        } catch (error) {
          const isUnreadable = error instanceof Error && "syscall" in error;
          if (isUnreadable || error instanceof ValidationFailed) throw new UsageError(say("badHostKey", { file }));
          throw error;
        }
      }),
  },
];
