import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./keygen.ts";

/** Keys and signatures as GnuPG makes them, in a home of their own. */
export class Gnupg implements Disposable {
  readonly home = mkdtempSync(join(tmpdir(), "hearth-gpg-"));
  private count = 0;

  [Symbol.dispose](): void {
    Bun.spawnSync(["gpgconf", "--homedir", this.home, "--kill", "all"]);
    rmSync(this.home, { recursive: true, force: true });
  }

  gpg(...args: string[]): string {
    return run("gpg", ["--homedir", this.home, "--batch", "--yes", "--quiet", "--passphrase", "", ...args]);
  }

  /** @param algorithm of the primary key, which signs: `ed25519`, `rsa3072` @returns its fingerprint */
  key(identity: string, { algorithm = "ed25519", expires = "never" } = {}): string {
    this.gpg("--pinentry-mode", "loopback", "--quick-generate-key", identity, algorithm, "sign,cert", expires);
    const found = this.gpg("--list-keys", "--with-colons", `=${identity}`).match(/^fpr:+([0-9A-F]{40}):/gm) ?? [];
    return found.at(-1)?.replace(/\W|fpr/g, "") ?? "";
  }

  /** @param use `sign` or `encr` @returns the fingerprint of the subkey */
  subkey(key: string, algorithm: string, use: string): string {
    this.gpg("--pinentry-mode", "loopback", "--quick-add-key", key, algorithm, use, "never");
    const found = this.gpg("--list-keys", "--with-colons", key).match(/^fpr:+([0-9A-F]{40}):/gm) ?? [];
    return found.at(-1)?.replace(/\W|fpr/g, "") ?? "";
  }

  armored(...keys: string[]): string {
    return this.gpg("--armor", "--export", ...keys);
  }

  /** Imports what is armored. @returns the fingerprints that are in the home then */
  import(armored: string): string {
    const path = join(this.home, `text${++this.count}`);
    writeFileSync(path, armored);
    this.gpg("--import", path);
    return this.gpg("--list-keys", "--with-colons");
  }

  sign(key: string, text: string): string {
    const path = join(this.home, `text${++this.count}`);
    writeFileSync(path, text);
    this.gpg(
      "--pinentry-mode",
      "loopback",
      "--local-user",
      `${key}!`,
      "--armor",
      "--output",
      `${path}.asc`,
      "--detach-sign",
      path,
    );
    return run("cat", [`${path}.asc`]);
  }
}
