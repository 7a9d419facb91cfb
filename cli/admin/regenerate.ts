import { UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";

/**
 * `hearth admin regenerate signing-key`: from now on the server signs with a new key. Scripts for other forges also
 * regenerate `keys` and `hooks`; Hearth has no such files, as it reads keys and rules from its database.
 */
export const regenerateCommand: Command = {
  name: "admin regenerate",
  positional: "<what>",
  doc: "help-regenerate",
  options: [],
  run: (options, [what = ""]) => {
    if (what === "keys" || what === "hooks") {
      console.log(say("nothingToRegenerate", { what }));
      return;
    }
    if (what !== "signing-key") throw new UsageError(say("unknownRegenerate", { what }));
    return withServices(options, async ({ signing }) => {
      const key = await signing.regenerate();
      if (key === undefined) throw new UsageError(say("signsNothing"));
      console.log(say("signingKeyMade", { key }));
    });
  },
};
