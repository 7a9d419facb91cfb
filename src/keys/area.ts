import type { Area } from "../area.ts";
import { eachOnDemand } from "../kernel/on-demand.ts";
import { keyErrorWords } from "./error-words.ts";
import { DEPLOY_KEY_TOKEN, KEY_TOKEN } from "./token-kinds.ts";

/** Keys of accounts and repositories, for signing in without a password and for verifying signatures. */
export const keysArea: Area = {
  name: "keys",
  errorWords: keyErrorWords,
  routes: async () => (await import("./api.ts")).keyRoutes,
  open: (core, services) => {
    const { authenticator, pushRules, signing } = services;
    const { requests, ...opened } = eachOnDemand(
      () => (require("./opening.ts") as typeof import("./opening.ts")).openKeys(core, services),
      {
        deployKeys: true,
        gpgKeys: true,
        keyHolders: true,
        principals: true,
        requests: true,
        signatures: true,
        sshKeys: true,
      },
    );
    authenticator.add((credentials) => requests.identify(credentials));
    const noSecret = async () => undefined;
    const isKey = (id: number) => opened.sshKeys.find(id) !== undefined;
    authenticator.addTokens({ kind: KEY_TOKEN, find: noSecret, isGood: isKey });
    authenticator.addTokens({ kind: DEPLOY_KEY_TOKEN, find: noSecret, isGood: (id) => opened.deployKeys.isGood(id) });
    signing.knowKeysWith((userId) => opened.sshKeys.hasVerified(userId) || opened.gpgKeys.hasAny(userId));
    pushRules.verifyWith((_seen, commits) =>
      opened.signatures.verified(
        commits.map(({ oid, signed, committerEmail }) => ({
          oid,
          signature: signed?.signature,
          data: signed?.payload,
          email: committerEmail,
        })),
      ),
    );
    return { services: opened };
  },
};
