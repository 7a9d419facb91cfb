import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import { sshErrorWords } from "./error-words.ts";
import type { SshService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly ssh: SshService;
  }
}

/** Git over SSH. */
export const sshArea: Area = {
  name: "ssh",
  errorWords: sshErrorWords,
  open: (
    { clock, config, db, log, messages, pool, secrets },
    { audit, fetches, gitAccess, identity, keyHolders, lfs, pushes, repos },
  ) => {
    const parts = {
      audit,
      fetches,
      gitAccess,
      hasArchives: config["archives.enabled"],
      holders: keyHolders,
      identity,
      lfs,
      log,
      mayStartThread: () => pool.mayStartThread(),
      messages,
      pushes,
      repos,
    };
    const ssh = onDemand(
      () =>
        new (require("./service.ts") as typeof import("./service.ts")).SshService(
          onDemand(
            () => new (require("./host-keys.ts") as typeof import("./host-keys.ts")).HostKeys(db, clock, secrets),
          ),
          parts,
          {
            listen: config["ssh.listen"],
            user: config["ssh.user"],
            maxConnections: config["ssh.max_connections"],
            maxPerAddress: config["ssh.connections_per_address"],
            handshakeSeconds: config["ssh.handshake_seconds"],
            idleSeconds: config["ssh.idle_seconds"],
          },
        ),
    );
    const isOpen = config["ssh.listen"] !== "";
    return {
      services: { ssh },
      start: () => {
        if (isOpen) void ssh.start();
      },
      letGo: async (deadline) => {
        if (isOpen) await ssh.stop(deadline);
      },
    };
  },
};
