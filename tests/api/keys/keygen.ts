import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Keys, signatures and certificates as OpenSSH's own program makes them, in a folder of their own. */
export class Keygen implements Disposable {
  private readonly dir = mkdtempSync(join(tmpdir(), "hearth-keys-"));
  private count = 0;

  [Symbol.dispose](): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  /** @param options of ssh-keygen: `-t ed25519` */
  key(...options: string[]): MadeKey {
    const path = join(this.dir, `key${++this.count}`);
    run("ssh-keygen", ["-q", "-N", "", "-C", "made by a test", "-f", path, ...options]);
    const line = readFileSync(`${path}.pub`, "utf8").trim();
    const printed = run("ssh-keygen", ["-l", "-f", `${path}.pub`]);
    return { path, line, fingerprint: /SHA256:\S+/.exec(printed)?.[0] ?? "" };
  }

  /** The public key in another of the forms ssh-keygen writes: `RFC4716`, `PKCS8`, `PEM`. */
  exported(key: MadeKey, form: string): string {
    return run("ssh-keygen", ["-e", "-m", form, "-f", `${key.path}.pub`]);
  }

  /** The same private key, unencrypted, as PEM that node:crypto reads. */
  privatePem(key: MadeKey): string {
    return readFileSync(key.path, "utf8");
  }

  sign(key: MadeKey, namespace: string, text: string): string {
    const path = join(this.dir, `text${++this.count}`);
    writeFileSync(path, text);
    run("ssh-keygen", ["-q", "-Y", "sign", "-f", key.path, "-n", namespace, path]);
    return readFileSync(`${path}.sig`, "utf8");
  }

  /** A certificate for the key, in binary form. @param options of ssh-keygen -s */
  certificate(authority: MadeKey, key: MadeKey, ...options: string[]): Buffer {
    run("ssh-keygen", ["-q", "-s", authority.path, "-I", "test", ...options, `${key.path}.pub`]);
    const [, base64 = ""] = readFileSync(`${key.path}-cert.pub`, "utf8").split(" ");
    return Buffer.from(base64, "base64");
  }
}

export interface MadeKey {
  readonly path: string;
  readonly line: string;
  readonly fingerprint: string;
}

export function run(program: string, args: readonly string[], options: { cwd?: string; env?: object } = {}): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...args], {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
    stdin: "ignore",
  });
  if (exitCode !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr.toString()}`);
  return stdout.toString();
}
