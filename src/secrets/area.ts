import { join } from "node:path";
import type { Area } from "../area.ts";
import { SecretInspector } from "./inspection.ts";
import { SecretRotation } from "./rotation.ts";

declare module "../services.ts" {
  interface Services {
    readonly secretRotation: SecretRotation;
    readonly secretInspector: SecretInspector;
  }
}

/** Rotation of the key that seals values in the database. */
export const secretsArea: Area = {
  name: "secrets",
  open: ({ config, crash, db, log, secrets }) => {
    const secretRotation = new SecretRotation({ db, crash, box: secrets, keyPath: join(config.data, "secret.key") });
    const recover = () => {
      try {
        secretRotation.finish();
      } catch (error) {
        // Both keys are still in the file, so everything that could be opened before still can.
        log.error("the key of stored secrets could not be replaced", { error });
      }
    };
    return { services: { secretRotation, secretInspector: new SecretInspector(db, secrets) }, recover };
  },
};
