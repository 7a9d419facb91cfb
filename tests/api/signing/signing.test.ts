import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asAccount } from "../../../src/access/principal.ts";
import type { Config } from "../../../src/config/schema.ts";
import { anApi, aRepo, aServer, aUser, call, type Json, type TestServer, type TestUser } from "../../builders.ts";
import { git } from "../../executable/process.ts";
import { untilHolds } from "../../until.ts";
import { Gnupg } from "../keys/gnupg.ts";
import { Keygen } from "../keys/keygen.ts";

/** The server signs what it makes for people; git, GnuPG and ssh-keygen judge the signatures. */

setDefaultTimeout(600_000);

const dir = mkdtempSync(join(tmpdir(), "hearth-signing-"));
const gnupg = new Gnupg();
const keygen = new Keygen();
const servers = new Map<string, Promise<TestServer>>();
afterAll(async () => {
  for (const server of servers.values()) await (await server).close();
  gnupg[Symbol.dispose]();
  keygen[Symbol.dispose]();
  rmSync(dir, { recursive: true, force: true });
});

type Format = "openpgp" | "ssh";
const FORMATS: readonly Format[] = ["openpgp", "ssh"];
const ends = { openpgp: "gpg", ssh: "pub" } as const;

/** One server a format, on which the conditions differ by test only where they must. */
function aSigner(format: Format, settings: Partial<Config> = {}): Promise<TestServer> {
  const key = format + JSON.stringify(settings);
  const known = servers.get(key) ?? aServer({ "signing.format": format, name: "Our <site>", ...settings });
  servers.set(key, known);
  return known;
}

interface Verification {
  readonly verified: boolean;
  readonly reason: string;
  readonly signer: Json | null;
}

const always: Partial<Config> = { "signing.edits": ["always"], "signing.merges": ["always"] };

async function verificationOf(server: TestServer, repo: string, sha: string, who: TestUser): Promise<Verification> {
  const found = await anApi(() => server)<{ commit: { verification: Verification } }>(
    "GET",
    `/repos/${repo}/git/commits/${sha}?stat=false&files=false`,
    who,
  );
  return found.body.commit.verification;
}

/** What git itself says of a commit, with nothing but the key that the server publishes. */
async function gitVerifies(server: TestServer, format: Format, repo: string, sha: string, who: TestUser) {
  const work = mkdtempSync(join(dir, "clone-"));
  await git(dir, "clone", "-q", `${server.url.replace("//", `//${who.login}:${who.token}@`)}${repo}.git`, work);
  const { text } = await call(server, "GET", `/api/v1/repos/${repo}/signing-key.${ends[format]}`, { token: who.token });
  const signers = join(work, ".git/signers");
  if (format === "openpgp") gnupg.import(text);
  else writeFileSync(signers, `* ${text}`);
  const child = Bun.spawn(
    [
      "git",
      "-C",
      work,
      "-c",
      `gpg.format=${format}`,
      "-c",
      `gpg.ssh.allowedSignersFile=${signers}`,
      "verify-commit",
      sha,
    ],
    {
      env: { ...process.env, GNUPGHOME: gnupg.home, GIT_CONFIG_GLOBAL: "/dev/null" },
      stderr: "pipe",
      stdout: "ignore",
    },
  );
  const said = await new Response(child.stderr).text();
  return { code: await child.exited, said };
}

test("nothing is signed, and no key is made, until the settings say so", async () => {
  await using server = await aServer();
  const ada = await aUser(server);
  const api = anApi(() => server);
  await api("POST", "/user/repos", ada, { name: "plain", auto_init: true });
  const branch = await api<{ commit: { id: string } }>("GET", `/repos/${ada.login}/plain/branches/main`, ada);
  const found = await verificationOf(server, `${ada.login}/plain`, branch.body.commit.id, ada);
  expect(found).toMatchObject({ verified: false, reason: "gpg.error.not_signed_commit" });
  for (const end of ["gpg", "pub"])
    expect((await api("GET", `/signing-key.${end}`)).body["message"]).toBe("no signing key");
  expect(server.core.db.query("SELECT 1 FROM signing_keys").get()).toBeNull();
});

describe.each(FORMATS)("with a key of %s", (format) => {
  test("it is made once, sealed, and published at every address", async () => {
    const server = await aSigner(format, always);
    const ada = await aUser(server);
    aRepo(server, ada.user, { name: "any" });
    const texts = await Promise.all(
      ["", "", "", `/repos/${ada.login}/any`].map(
        async (at) => (await call(server, "GET", `/api/v1${at}/signing-key.${ends[format]}`)).text,
      ),
    );
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toStartWith(format === "ssh" ? "ssh-ed25519 AAAA" : "-----BEGIN PGP PUBLIC KEY BLOCK-----");
    const other = await call(server, "GET", `/api/v1/signing-key.${format === "ssh" ? "gpg" : "pub"}`);
    expect([other.status, other.body["message"]]).toEqual([404, `signing key format is ${format}`]);
    const rows = server.core.db.query<{ private_key: string }>("SELECT private_key FROM signing_keys").all();
    expect(rows.length).toBe(1);
    expect(rows[0]?.private_key).toStartWith("v1.");
    expect(rows[0]?.private_key).not.toContain("PRIVATE KEY");
    if (format === "openpgp") {
      gnupg.import(texts[0] ?? "");
      expect(gnupg.gpg("--list-keys", "--with-colons")).toContain("Our site <hearth@noreply.127.0.0.1>");
    }
  });

  test.each(["sha1", "sha256"])(
    "git verifies first commits and edits in a repository of %s",
    async (object_format_name) => {
      const server = await aSigner(format, always);
      const ada = await aUser(server);
      const api = anApi(() => server);
      const repo = `${ada.login}/signed-${object_format_name}`;
      await api("POST", "/user/repos", ada, { name: repo.split("/")[1], auto_init: true, object_format_name });
      const first = await api<{ commit: { id: string } }>("GET", `/repos/${repo}/branches/main`, ada);
      const made = await api<{ commit: { sha: string }; verification: Verification }>(
        "POST",
        `/repos/${repo}/contents/a.txt`,
        ada,
        { content: btoa("a\n"), message: "Ünïcode" },
      );
      expect(made.status).toBe(201);
      expect(made.body.verification).toMatchObject({ verified: true, signer: { name: "Our site", username: "" } });
      for (const sha of [first.body.commit.id, made.body.commit.sha]) {
        expect((await verificationOf(server, repo, sha, ada)).verified).toBe(true);
        const { code, said } = await gitVerifies(server, format, repo, sha, ada);
        expect([code, said]).toEqual([0, expect.stringMatching(/^(gpg: Signature made|Good "git" signature)/)]);
      }
      // A page answers without its blame where that takes longer.
      for (const page of ["commits/branch/main", `commit/${made.body.commit.sha}`, "blame/branch/main/a.txt"])
        await untilHolds(async () =>
          (await call(server, "GET", `/${repo}/${page}`, { token: ada.token })).text.includes("signed by Our site"),
        );
    },
  );

  test("merges, rebases and picks are signed in the worker", async () => {
    const server = await aSigner(format, always);
    const ada = await aUser(server);
    const repo = aRepo(server, ada.user, { name: "merged", files: { "a.txt": "a\n" } });
    const api = anApi(() => server);
    const at = `/repos/${ada.login}/merged`;
    for (const branch of ["one", "two"])
      await api("POST", `${at}/contents/${branch}.txt`, ada, {
        content: btoa(branch),
        branch: "main",
        new_branch: branch,
      });
    const tip = (branch: string) => server.services.refs.find(repo.id, `refs/heads/${branch}`)?.oid ?? "";
    const seen = server.services.repos.seeById(asAccount(ada.user), repo.id);
    if (!seen) throw new Error("the repository is gone");
    const merge = { kind: "merge", base: tip("main"), head: tip("one"), message: "merge\n" } as const;
    await server.services.replays.publish(seen, { branch: "main", expected: tip("main"), action: merge, via: "merge" });
    const rebase = {
      kind: "rebase",
      onto: tip("main"),
      upstream: merge.base,
      branch: tip("two"),
      always: true,
    } as const;
    await server.services.replays.publish(seen, { branch: "two", expected: tip("two"), action: rebase, via: "merge" });
    expect(server.services.commits.read(seen, tip("two"))?.commit.parents).toEqual([tip("main")]);
    for (const sha of [tip("main"), tip("two")])
      expect(await verificationOf(server, `${ada.login}/merged`, sha, ada)).toMatchObject({ verified: true });
    const { code } = await gitVerifies(server, format, `${ada.login}/merged`, tip("main"), ada);
    expect(code).toBe(0);
  });

  test("a changed commit under the server's signature is not believed", async () => {
    const server = await aSigner(format, always);
    const ada = await aUser(server);
    const repo = aRepo(server, ada.user, { name: "forged", files: { "a.txt": "a\n" } });
    const api = anApi(() => server);
    const made = await api<{ commit: { sha: string } }>("POST", `/repos/${ada.login}/forged/contents/b.txt`, ada, {
      content: btoa("b"),
      message: "signed",
    });
    const work = mkdtempSync(join(dir, "forge-"));
    const url = `${server.url.replace("//", `//${ada.login}:${ada.token}@`)}${ada.login}/${repo.name}.git`;
    await git(dir, "clone", "-q", url, work);
    const text = await git(work, "cat-file", "commit", made.body.commit.sha);
    writeFileSync(join(work, "text"), text.trimEnd().replace(/signed$/, "other\n"));
    const forged = (await git(work, "hash-object", "-t", "commit", "-w", "text")).trim();
    await git(work, "push", "-q", "origin", `${forged}:refs/heads/forged`);
    expect(await verificationOf(server, `${ada.login}/forged`, forged, ada)).toMatchObject({
      verified: false,
      reason: "gpg.error.probable_bad_default_signature",
      signer: null,
    });
  });
});

describe("conditions", () => {
  const edit = async (server: TestServer, who: TestUser, repo: string, more: Json = {}) => {
    const body = { content: btoa(`${Math.random()}`), message: "edit", ...more };
    const path = `/repos/${repo}/contents/f${Math.random()}`;
    const { body: answer } = await anApi(() => server)<{ verification: Verification }>("POST", path, who, body);
    return answer.verification.verified;
  };

  test("all must hold: a key, a verified parent; and no one else is named as committer", async () => {
    const server = await aSigner("ssh", { "signing.edits": ["pubkey", "parentsigned"] });
    const api = anApi(() => server);
    const ada = await aUser(server);
    const repo = `${ada.login}/first-signed`;
    await api("POST", "/user/repos", ada, { name: "first-signed", auto_init: true });
    expect(await edit(server, ada, repo, { new_branch: "no-key" })).toBe(false);
    const key = keygen.key("-t", "ed25519");
    await api("POST", "/user/keys", ada, { title: "key", key: key.line });
    expect(await edit(server, ada, repo, { new_branch: "not-proven" })).toBe(false);
    const { sshKeys } = server.services;
    const proof = keygen.sign(key, "gitea", sshKeys.proofToken(ada.user));
    await sshKeys.verify(asAccount(ada.user), ada.user, key.fingerprint, proof);
    expect(await edit(server, ada, repo)).toBe(true);
    const ben = await aUser(server);
    const asBen = { committer: { name: "Ben", email: ben.user.email } };
    expect(await edit(server, ada, repo, { ...asBen, new_branch: "as-ben" })).toBe(false);
    expect(await edit(server, ada, repo)).toBe(true);
    expect(await edit(server, ada, repo, { branch: "as-ben" })).toBe(false);
  });

  test("a merge is refused its signature for the first that does not hold", async () => {
    const merges = ["basesigned", "commitssigned", "approved"];
    const server = await aSigner("ssh", { "signing.edits": ["always"], "signing.merges": merges });
    const api = anApi(() => server);
    const ada = await aUser(server);
    const repo = aRepo(server, ada.user, { name: "pulls", files: { "a.txt": "a\n" } });
    const tip = (branch: string) => server.services.refs.find(repo.id, `refs/heads/${branch}`)?.oid ?? "";
    const unsigned = tip("main");
    await edit(server, ada, `${ada.login}/pulls`);
    const base = tip("main");
    for (const name of ["x", "y"])
      await api("POST", `/repos/${ada.login}/pulls/contents/${name}`, ada, { content: "", new_branch: name });
    const seen = server.services.repos.seeById(asAccount(ada.user), repo.id);
    if (!seen) throw new Error("the repository is gone");
    const why = (tips: { base: string; head: string; isApproved?: boolean }) =>
      server.services.commitSigning.refusalOfMerge(seen, tips);
    expect(await why({ base: unsigned, head: tip("x") })).toBe("basesigned");
    expect(await why({ base, head: tip("x") })).toBe("approved");
    expect(await why({ base, head: tip("x"), isApproved: true })).toBeUndefined();
    const plain = await server.services.replays.make(seen, {
      kind: "merge",
      base: tip("x"),
      head: tip("y"),
      message: "not approved\n",
    });
    const head = plain.kind === "done" ? plain.commit : "";
    expect(await why({ base, head, isApproved: true })).toBe("commitssigned");
  });

  test("a new key signs from then on, and what the old one signed stays good", async () => {
    const server = await aSigner("openpgp", always);
    const ada = await aUser(server);
    const api = anApi(() => server);
    await api("POST", "/user/repos", ada, { name: "keys", auto_init: true });
    const repo = `${ada.login}/keys`;
    const before = await api<{ commit: { id: string } }>("GET", `/repos/${repo}/branches/main`, ada);
    const old = await verificationOf(server, repo, before.body.commit.id, ada);
    const id = await server.services.signing.regenerate();
    const made = await api<{ verification: Verification }>("POST", `/repos/${repo}/contents/a`, ada, { content: "" });
    expect(made.body.verification.reason).toBe(`Our site / ${id}`);
    expect(await verificationOf(server, repo, before.body.commit.id, ada)).toEqual(old);
    expect(old).toMatchObject({ verified: true });
  });
});

test("a branch that wants signed commits takes those that git signed, and the server's own", async () => {
  const server = await aSigner("ssh", always);
  const api = anApi(() => server);
  const ada = await aUser(server);
  const repo = aRepo(server, ada.user, { name: "strict", files: { "a.txt": "a\n" } });
  const at = `/repos/${ada.login}/strict`;
  const rule = { rule_name: "main", enable_push: true, require_signed_commits: true };
  expect((await api("POST", `${at}/branch_protections`, ada, rule)).status).toBe(201);
  const gpg = gnupg.key(`Ada <${ada.user.email}>`);
  await api("POST", "/user/gpg_keys", ada, { armored_public_key: gnupg.armored(gpg) });
  const ssh = keygen.key("-t", "ed25519");
  await api("POST", "/user/keys", ada, { title: "key", key: ssh.line });
  const { sshKeys } = server.services;
  const proof = keygen.sign(ssh, "gitea", sshKeys.proofToken(ada.user));
  await sshKeys.verify(asAccount(ada.user), ada.user, ssh.fingerprint, proof);

  const work = mkdtempSync(join(dir, "strict-"));
  const url = `${server.url.replace("//", `//${ada.login}:${ada.token}@`)}${ada.login}/strict.git`;
  const env = {
    ...process.env,
    GNUPGHOME: gnupg.home,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "Ada",
    GIT_COMMITTER_NAME: "Ada",
    GIT_AUTHOR_EMAIL: ada.user.email,
    GIT_COMMITTER_EMAIL: ada.user.email,
  };
  const run = async (...args: string[]) => {
    const child = Bun.spawn(["git", "-C", work, ...args], { env, stderr: "pipe", stdout: "pipe" });
    const said = await new Response(child.stderr).text();
    return { code: await child.exited, said };
  };
  await git(dir, "clone", "-q", url, work);
  const commit = (...signing: string[]) => run(...signing, "commit", "-q", "--allow-empty", "-m", "a commit");
  const push = () => run("push", "-q", "origin", "HEAD:main");
  await commit("-c", `user.signingKey=${gpg}!`, "-c", "commit.gpgSign=true");
  expect(await push()).toEqual({ code: 0, said: "" });
  await commit("-c", "gpg.format=ssh", "-c", `user.signingKey=${ssh.path}.pub`, "-c", "commit.gpgSign=true");
  expect(await push()).toEqual({ code: 0, said: "" });
  const edited = await api("POST", `${at}/contents/b.txt`, ada, { content: btoa("b") });
  expect(edited.status).toBe(201);
  await run("pull", "-q", "origin", "main");
  await commit();
  const refused = await push();
  expect(refused.code).not.toBe(0);
  expect(refused.said).toContain("branch main is protected from unverified commit");
  await run("reset", "-q", "--hard", "HEAD~1");
  const stranger = gnupg.key("Someone <someone@example.org>");
  await commit("-c", `user.signingKey=${stranger}!`, "-c", "commit.gpgSign=true");
  expect((await push()).code).not.toBe(0);
  expect(server.services.refs.find(repo.id, "refs/heads/main")?.oid).toBe(
    (edited.body["commit"] as { sha: string }).sha,
  );
});

describe("where trust follows the committer", () => {
  const SERVER = { name: "Our site", email: "sign@example.org" };
  const TRUST = { "signing.email": SERVER.email, "signing.edits": ["always"], "signing.merges": ["always"] };
  type Read = { author: typeof SERVER; committer: typeof SERVER; message: string; verification: Verification };
  const open = async (model: string) => {
    const server = await aSigner("ssh", TRUST);
    const api = anApi(() => server);
    const ada = await aUser(server);
    const { body } = await api<Json>("POST", "/user/repos", ada, { name: "r", auto_init: true, trust_model: model });
    const repo = `/repos/${ada.login}/${String(body["name"])}`;
    const read = async (ref: string): Promise<Read> =>
      (await api<{ commit: Read }>("GET", `${repo}/git/commits/${ref}`, ada)).body.commit;
    const edit = async (name: string, more: object) => {
      const made = await api<Json>("POST", `${repo}/contents/${name}`, ada, { content: btoa(name), ...more });
      expect(made.status).toBe(201);
    };
    return { api, ada, repo, read, edit };
  };
  const named = ({ name, email }: typeof SERVER) => ({ name, email });

  test("the server commits what it signs, and a trailer names who asked for it", async () => {
    const { api, ada, repo, read, edit } = await open("committer");
    const own = { name: ada.login, email: ada.user.email };
    const first = await read("main");
    expect([named(first.author), named(first.committer), first.verification.verified]).toEqual([own, SERVER, true]);
    expect(first.message).toBe("Initial commit\n");

    const eve = { name: "Eve", email: "eve@example.net" };
    await edit("a.txt", { message: "by another", author: eve, committer: own, new_branch: "side" });
    const edited = await read("side");
    expect([named(edited.author), named(edited.committer), edited.verification.verified]).toEqual([eve, SERVER, true]);
    expect(edited.message).toBe(`by another\n\nCo-authored-by: ${own.name} <${own.email}>\n`);

    const pull = await api<{ number: number }>("POST", `${repo}/pulls`, ada, {
      title: "p",
      head: "side",
      base: "main",
    });
    expect((await api("POST", `${repo}/pulls/${pull.body.number}/merge`, ada, { do: "merge" })).status).toBe(200);
    const merged = await read("main");
    expect([named(merged.author), named(merged.committer), merged.verification.verified]).toEqual([own, SERVER, true]);
    expect(merged.message).not.toContain("Co-authored-by");
  });

  test("everywhere else people commit what they do", async () => {
    const { ada, read, edit } = await open("collaborator");
    await edit("a.txt", { message: "mine" });
    const { committer, message, verification } = await read("main");
    expect([named(committer), message, verification.verified]).toEqual([
      { name: ada.login, email: ada.user.email },
      "mine\n",
      true,
    ]);
  });
});
