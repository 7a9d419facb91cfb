import type { Area } from "../area.ts";
import { eachOnDemand } from "../kernel/on-demand.ts";
import { deleteCodesBefore } from "./codes/store.ts";
import { deleteDevicesBefore } from "./devices/store.ts";
import { oauth2ErrorWords } from "./error-words.ts";
import { deleteExpiredFamilies } from "./grants/store.ts";

/** For this long an expired code or device is reported as expired rather than unknown. */
const REMEMBER_MS = 60 * 60_000;

/** The OAuth2 and OpenID Connect provider: other programs sign people in with their account here, or act for them. */
export const oauth2Area: Area = {
  name: "oauth2",
  errorWords: oauth2ErrorWords,
  routes: async () => (await import("./api.ts")).oauth2Routes,
  open: (core, services) => {
    const { clock, config, db } = core;
    const opened = eachOnDemand(
      () => (require("./opening.ts") as typeof import("./opening.ts")).openOAuth2(core, services),
      {
        oauth2Applications: true,
        oauth2Authorizations: true,
        oauth2Claims: true,
        oauth2Devices: true,
        oauth2Grants: true,
        oauth2Keys: true,
        oauth2SignOuts: true,
        oauth2Tokens: true,
      },
    );
    if (config["oauth2.enabled"]) services.authenticator.addTokens(opened.oauth2Tokens);
    return {
      services: opened,
      sweep: () => {
        const now = clock();
        deleteExpiredFamilies(db, now);
        deleteCodesBefore(db, now - REMEMBER_MS);
        deleteDevicesBefore(db, now - REMEMBER_MS);
      },
    };
  },
};
