import { operator } from "../../src/access/principal.ts";
import { flagOption, textOption } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";
import { checkedScopes } from "./create.ts";
import { listOption, namedAccount } from "./people.ts";

/** `hearth admin user generate-access-token`. */
export const generateAccessTokenCommand: Command = {
  name: "admin user generate-access-token",
  doc: "help-user-token",
  options: [
    { flags: "-u, --username <name>", doc: "help-account-name" },
    { flags: "-t, --token-name <name>", doc: "help-token-name" },
    { flags: "--raw", doc: "help-token-raw" },
    { flags: "--scopes <scopes>", doc: "help-token-scopes" },
  ],
  run: (options) =>
    withServices(options, (services) => {
      const user = namedAccount(services, options);
      const name = textOption(options, "token-name") ?? "gitea-admin";
      const scopes = checkedScopes(listOption(options, "scopes") ?? ["all"]);
      const { secret } = services.tokens.create(operator, user, name, scopes);
      console.log(flagOption(options, "raw") ? secret : say("tokenCreated", { token: secret }));
    }),
};
