import type { Area } from "../area.ts";
import type { SigningFormat } from "../git/signing/signer.ts";
import { signingErrorWords } from "./error-words.ts";
import { ServerSigning, type SigningCondition } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly signing: ServerSigning;
  }
}

/** The server's signature on commits that it creates for others. */
export const signingArea: Area = {
  name: "signing",
  errorWords: signingErrorWords,
  routes: async () => (await import("./api.ts")).signingRoutes,
  open: ({ clock, config, db, links, secrets }, { twoFactor }) => {
    const signing = new ServerSigning({
      db,
      clock,
      secrets,
      format: config["signing.format"] as SigningFormat | "none",
      conditions: {
        initial: config["signing.initial_commits"] as readonly SigningCondition[],
        edits: config["signing.edits"] as readonly SigningCondition[],
        merges: config["signing.merges"] as readonly SigningCondition[],
        wiki: config["signing.wiki"] as readonly SigningCondition[],
      },
      identity: {
        // Removes characters that would break a key's user id.
        name: (config["signing.name"] || config.name).replace(/[<>\p{Cc}]/gu, ""),
        email: config["signing.email"] || `hearth@${links.noReplyDomain}`,
      },
      trustModel: config["signing.trust_model"],
      hasSecondFactor: (userId) => twoFactor.isEnrolled(userId),
    });
    return { services: { signing } };
  },
};
