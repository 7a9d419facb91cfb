import type { Area } from "../area.ts";
import { sshErrorWords } from "./error-words.ts";
import { HostKeys } from "./host-keys.ts";
import { SshService } from "./service.ts";

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
    { clock, config, db, log, messages, secrets },
    { fetches, gitAccess, identity, keyHolders, lfs, pushes, repos },
  ) => {
    const parts = {
      fetches,
      gitAccess,
      hasArchives: config["archives.enabled"],
      holders: keyHolders,
      identity,
      lfs,
      log,
      messages,
      pushes,
      repos,
    };
    const ssh = new SshService(new HostKeys(db, clock, secrets), parts, clock, {
      listen: config["ssh.listen"],
      user: config["ssh.user"],
      maxConnections: config["ssh.max_connections"],
      maxPerAddress: config["ssh.connections_per_address"],
      handshakeSeconds: config["ssh.handshake_seconds"],
      idleSeconds: config["ssh.idle_seconds"],
    });
    return { services: { ssh }, start: () => void ssh.start(), letGo: (deadline) => ssh.stop(deadline) };
  },
};
