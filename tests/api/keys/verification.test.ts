import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asAccount } from "../../../src/access/principal.ts";
import { anApi, aRepo, aServer, aUser, call, type Json, type TestServer, type TestUser } from "../../builders.ts";
import { Gnupg } from "./gnupg.ts";
import { Keygen, type MadeKey, run } from "./keygen.ts";

/** Whose signatures commits and tags have, as git makes them with GnuPG and ssh-keygen (contract identity.md 10.5). */

let server: TestServer;
const gnupg = new Gnupg();
const keygen = new Keygen();
const work = mkdtempSync(join(tmpdir(), "hearth-signed-"));
const api = anApi(() => server);
let ada: TestUser;
let ben: TestUser;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server);
  ben = await aUser(server);
});
afterAll(async () => {
  await server.close();
  gnupg[Symbol.dispose]();
  keygen[Symbol.dispose]();
  rmSync(work, { recursive: true, force: true });
});

interface Verification {
  readonly verified: boolean;
  readonly reason: string;
  readonly signature: string;
  readonly signer: Json | null;
  readonly payload: string;
}

let count = 0;

/** A repository with a clone to commit in. */
class Clone {
  readonly dir = join(work, `clone${++count}`);
  readonly name: string;

  constructor(private readonly owner: TestUser) {
    this.name = aRepo(server, owner.user).name;
    run("git", ["init", "-q", "-b", "main", this.dir]);
  }

  git(args: readonly string[], email = this.owner.user.email): string {
    const env = {
      GNUPGHOME: gnupg.home,
      GIT_AUTHOR_NAME: "Some One",
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: "Some One",
      GIT_COMMITTER_EMAIL: email,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_TERMINAL_PROMPT: "0",
    };
    return run("git", ["-C", this.dir, ...args], { env }).trim();
  }

  gpg = (key: string) => ["-c", "gpg.format=openpgp", "-c", `user.signingKey=${key}!`];
  ssh = (key: MadeKey) => ["-c", "gpg.format=ssh", "-c", `user.signingKey=${key.path}.pub`];

  commit(signing: readonly string[], email?: string): string {
    writeFileSync(join(this.dir, "file"), `${++count}`);
    this.git(["add", "file"], email);
    this.git(
      [...signing, "commit", "-q", ...(signing.length > 0 ? ["-S"] : []), "-m", `commit ${count}\n\nbøød`],
      email,
    );
    return this.git(["rev-parse", "HEAD"]);
  }

  /** Not with `run`: the server is in this very process. */
  async push(...refs: string[]): Promise<void> {
    const url = new URL(`${this.owner.user.login}/${this.name}.git`, server.url);
    url.username = "token";
    url.password = this.owner.token;
    const args = ["-C", this.dir, "push", "-q", url.href, ...(refs.length > 0 ? refs : ["HEAD:refs/heads/main"])];
    const env = { ...process.env, GIT_TERMINAL_PROMPT: "0", GIT_CONFIG_GLOBAL: "/dev/null" };
    const child = Bun.spawn(["git", ...args], { env, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
    if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text());
  }

  async verification(sha: string, who: TestUser | undefined = this.owner): Promise<Verification> {
    const answer = await api<{ commit: { verification: Verification } }>(
      "GET",
      `/repos/${this.owner.user.login}/${this.name}/git/commits/${sha}`,
      who,
    );
    return answer.body.commit.verification;
  }
}

async function gpgKeyOf(who: TestUser, options: { algorithm?: string } = {}): Promise<string> {
  const key = gnupg.key(`Some One ${++count} <${who.user.email}>`, options);
  const body = { armored_public_key: gnupg.armored(key) };
  expect((await api("POST", "/user/gpg_keys", who, body)).status).toBe(201);
  return key;
}

async function sshKeyOf(who: TestUser, type: string, isVerified = true): Promise<MadeKey> {
  const key = keygen.key("-t", type);
  const body = { title: `key ${++count}`, key: key.line };
  expect((await api("POST", "/user/keys", who, body)).status).toBe(201);
  if (isVerified) await prove(who, key);
  return key;
}

async function prove(who: TestUser, key: MadeKey): Promise<void> {
  const { sshKeys } = server.services;
  const signature = keygen.sign(key, "gitea", sshKeys.proofToken(who.user));
  await sshKeys.verify(asAccount(who.user), who.user, key.fingerprint, signature);
}

describe("a commit that git signed", () => {
  test.each(["ed25519", "rsa3072"])("with GnuPG and a key of %s is verified", async (algorithm) => {
    const clone = new Clone(ada);
    const key = await gpgKeyOf(ada, { algorithm });
    const sha = clone.commit(clone.gpg(key));
    await clone.push();
    const found = await clone.verification(sha);
    expect(found).toMatchObject({
      verified: true,
      reason: `${ada.user.login} / ${key.slice(-16)}`,
      signer: { username: ada.user.login, email: ada.user.email },
    });
    expect(found.signature).toStartWith("-----BEGIN PGP SIGNATURE-----");
    expect(found.payload).toBe(
      clone
        .git(["cat-file", "commit", sha])
        .replace(/gpgsig [\s\S]*?-----END PGP SIGNATURE-----\n( \n)?/, "")
        .concat("\n"),
    );
  });

  test("with a subkey is verified under the subkey's id", async () => {
    const key = gnupg.key(`With a subkey <${ada.user.email}>`);
    const subkey = gnupg.subkey(key, "ed25519", "sign");
    await api("POST", "/user/gpg_keys", ada, { armored_public_key: gnupg.armored(key) });
    const clone = new Clone(ada);
    const sha = clone.commit(clone.gpg(subkey));
    await clone.push();
    expect(await clone.verification(sha)).toMatchObject({
      verified: true,
      reason: `${ada.user.login} / ${subkey.slice(-16)}`,
    });
  });

  test.each(["ed25519", "ecdsa", "rsa"])(
    "with an SSH key of type %s is verified once the key is proven",
    async (type) => {
      const clone = new Clone(ada);
      const key = await sshKeyOf(ada, type, false);
      const sha = clone.commit(clone.ssh(key));
      await clone.push();
      expect(await clone.verification(sha)).toMatchObject({ verified: false, reason: "gpg.error.no_gpg_keys_found" });
      await prove(ada, key);
      expect(await clone.verification(sha)).toMatchObject({
        verified: true,
        reason: `${ada.user.login} / ${key.fingerprint}`,
        signer: { username: ada.user.login },
      });
    },
  );

  test("is told of wherever it appears, and by a tag likewise", async () => {
    const clone = new Clone(ada);
    const key = await gpgKeyOf(ada);
    const ssh = await sshKeyOf(ada, "ed25519");
    clone.commit([]);
    const sha = clone.commit(clone.gpg(key));
    clone.git([...clone.gpg(key), "tag", "-s", "-m", "signed", "v1"]);
    clone.git([...clone.ssh(ssh), "tag", "-s", "-m", "signed", "v2"]);
    await clone.push("HEAD:refs/heads/main", "refs/tags/v1", "refs/tags/v2");
    const repo = `/repos/${ada.user.login}/${clone.name}`;
    const commits = await api<{ sha: string; commit: { verification: Verification } }[]>("GET", `${repo}/commits`, ada);
    expect(commits.body.map(({ commit }) => commit.verification.verified)).toEqual([true, false]);
    expect(commits.body[1]?.commit.verification.reason).toBe("gpg.error.not_signed_commit");
    const branch = await api<{ commit: { id: string; verification: Verification } }>(
      "GET",
      `${repo}/branches/main`,
      ada,
    );
    expect([branch.body.commit.id, branch.body.commit.verification.verified]).toEqual([sha, true]);
    for (const tag of ["v1", "v2"]) {
      const oid = clone.git(["rev-parse", tag]);
      const found = await api<{ verification: Verification }>("GET", `${repo}/git/tags/${oid}`, ada);
      expect(found.body.verification).toMatchObject({ verified: true, signer: { username: ada.user.login } });
    }
    const page = await call(server, "GET", `/${ada.user.login}/${clone.name}/commit/${sha}`);
    expect(page.text).toContain(key.slice(-16));
    const tags = await call(server, "GET", `/${ada.user.login}/${clone.name}/tags`);
    for (const shown of [key.slice(-16), ssh.fingerprint]) expect(tags.text).toContain(shown);
  });
});

describe("a signature is not believed", () => {
  test("when it is over something else, by an unknown key, or by no account's committer", async () => {
    const clone = new Clone(ada);
    const key = await gpgKeyOf(ada);
    const ssh = await sshKeyOf(ada, "ed25519");
    const forged = async (signing: readonly string[]) => {
      const sha = clone.commit(signing);
      const text = clone.git(["cat-file", "commit", sha]).replace(/bøød$/, "other\n");
      const path = join(work, `text${++count}`);
      writeFileSync(path, text);
      const made = clone.git(["hash-object", "-t", "commit", "-w", path]);
      await clone.push(`${made}:refs/heads/b${count}`);
      return made;
    };
    for (const signing of [clone.gpg(key), clone.ssh(ssh)])
      expect(await clone.verification(await forged(signing))).toMatchObject({
        verified: false,
        reason: "gpg.error.probable_bad_signature",
        signer: null,
      });
    const unknown = gnupg.key("Unknown <unknown@example.org>");
    const reasonOf = async (signing: readonly string[], email?: string) => {
      const sha = clone.commit(signing, email);
      await clone.push(`HEAD:refs/heads/b${++count}`);
      return (await clone.verification(sha)).reason;
    };
    expect(await reasonOf(clone.gpg(unknown))).toBe("gpg.error.no_gpg_keys_found");
    expect(await reasonOf(clone.gpg(unknown), "nobody@example.org")).toBe("gpg.error.no_committer_account");
    expect(await reasonOf(clone.ssh(keygen.key("-t", "ed25519")))).toBe("gpg.error.no_gpg_keys_found");
    expect(await reasonOf(clone.ssh(ssh), "nobody@example.org")).toBe("gpg.error.no_committer_account");
    expect(await reasonOf(clone.ssh(ssh), ben.user.email)).toBe("gpg.error.no_gpg_keys_found");
  });

  test("when it is in another namespace or cannot be read", async () => {
    const clone = new Clone(ada);
    const ssh = await sshKeyOf(ada, "ed25519");
    clone.commit([]);
    const text = `${clone.git(["cat-file", "commit", "HEAD"])}\n`;
    const withSignature = async (signature: string) => {
      const path = join(work, `text${++count}`);
      const end = text.indexOf("\n\n");
      writeFileSync(path, `${text.slice(0, end)}\ngpgsig ${signature.trim().replace(/\n/g, "\n ")}${text.slice(end)}`);
      const made = clone.git(["hash-object", "-t", "commit", "-w", path]);
      await clone.push(`${made}:refs/heads/b${count}`);
      return clone.verification(made);
    };
    expect((await withSignature(keygen.sign(ssh, "git", text))).verified).toBe(true);
    expect((await withSignature(keygen.sign(ssh, "file", text))).reason).toBe("gpg.error.probable_bad_signature");
    for (const nonsense of [
      "nonsense",
      "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----",
      "-----BEGIN PGP SIGNATURE-----\n\nAAAA\n-----END PGP SIGNATURE-----",
      "-----BEGIN SIGNED MESSAGE-----\nMIIB\n-----END SIGNED MESSAGE-----",
    ])
      expect((await withSignature(nonsense)).reason).toBe("gpg.error.extract_sign");
  });

  test("when the key is gone, and the signer is named to no one who does not see the account", async () => {
    const cay = await aUser(server);
    const clone = new Clone(ada);
    const key = await sshKeyOf(cay, "ed25519");
    const sha = clone.commit(clone.ssh(key), cay.user.email);
    await clone.push();
    expect(await clone.verification(sha, ben)).toMatchObject({ verified: true, signer: { username: cay.user.login } });
    const admin = await aUser(server, { isAdmin: true });
    const hide = { visibility: "private", login_name: cay.user.login, source_id: 0 };
    expect((await api("PATCH", `/admin/users/${cay.user.login}`, admin, hide)).status).toBe(200);
    const hidden = await clone.verification(sha, ben);
    expect([hidden.verified, hidden.signer]).toEqual([false, null]);
    expect(JSON.stringify(hidden)).not.toContain(`${cay.user.login} /`);
    const found = await api<{ id: number }[]>(
      "GET",
      `/user/keys?fingerprint=${encodeURIComponent(key.fingerprint)}`,
      cay,
    );
    await api("DELETE", `/user/keys/${found.body[0]?.id}`, cay);
    expect((await clone.verification(sha, admin)).reason).toBe("gpg.error.no_gpg_keys_found");
  });
});
