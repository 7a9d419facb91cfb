import { operator } from "../../src/access/principal.ts";
import { flagOption, textOption } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { checkedScopes } from "./create.ts";
import { listOption, namedAccount } from "./people.ts";

/** `hearth admin user generate-access-token`. */
export const generateAccessTokenCommand: Command = {
  name: "admin user generate-access-token",
  doc: "Make an access token for an account",
  options: [
    { flags: "-u, --username <name>", doc: "Name of the account" },
    { flags: "-t, --token-name <name>", doc: "Name of the token (default: gitea-admin)" },
    { flags: "--raw", doc: "Print only the token" },
    { flags: "--scopes <scopes>", doc: "Scopes, separated by commas (default: all)" },
  ],
  run: (options) =>
    withServices(options, (services) => {
      const user = namedAccount(services, options);
      const name = textOption(options, "token-name") ?? "gitea-admin";
      const scopes = checkedScopes(listOption(options, "scopes") ?? ["all"]);
      const { secret } = services.tokens.create(operator, user, name, scopes);
      console.log(flagOption(options, "raw") ? secret : `Access token was successfully created: ${secret}`);
    }),
};
