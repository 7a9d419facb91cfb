import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCommit, makeTag, type Sign } from "../../../src/git/edit/make.ts";
import { parseCommit, signedPayload } from "../../../src/git/objects/commit.ts";
import { SHA1, SHA256 } from "../../../src/git/objects/format.ts";
import { parseTag, signedTagPayload } from "../../../src/git/objects/tag.ts";
import { initRepository, writeObjects } from "../../../src/git/odb/write.ts";
import { git, tempDir } from "../objects/real-git.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

const person = { name: "Ä", email: "a@example.org", timestamp: 1700000000, offsetMinutes: -90 };

function ssh(words: string[], input?: Uint8Array): Buffer {
  const done = Bun.spawnSync(["ssh-keygen", ...words], { stdin: input ? Buffer.from(input) : "ignore" });
  if (done.exitCode !== 0) throw new Error(done.stderr.toString());
  return done.stdout;
}

describe.each([SHA1, SHA256])("in $name", (format) => {
  test("signed commits and tags are good to real git, and read back as they were signed", () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    const key = join(dir.path, "key");
    initRepository(repo, { defaultBranch: "main", format });
    ssh(["-q", "-t", "ed25519", "-N", "", "-f", key]);
    const allowed = join(dir.path, "allowed");
    writeFileSync(allowed, `a@example.org ${ssh(["-y", "-f", key]).toString()}`);
    const payloads: Uint8Array[] = [];
    const sign: Sign = (payload) => {
      payloads.push(payload);
      return ssh(["-q", "-Y", "sign", "-n", "git", "-f", key], payload).toString();
    };
    const commit = makeCommit(
      format,
      {
        tree: format.emptyTree,
        parents: [],
        author: person,
        committer: person,
        extraHeaders: [{ name: "note", value: "two\nlines" }],
        message: "signed\n\nwith a body ü\n",
      },
      sign,
    );
    const tags = ["one line", "many\nlines\n", ""].map((message, at) =>
      makeTag(format, { object: commit.oid, type: "commit", name: `v${at}`, tagger: person, message }, sign),
    );
    writeObjects(repo, [{ type: "tree", data: new Uint8Array(0) }, commit, ...tags]);
    const verify = (word: string, oid: string) =>
      git(["-C", repo, "-c", `gpg.ssh.allowedSignersFile=${allowed}`, word, "-v", oid], { mayFail: true });
    expect(verify("verify-commit", commit.oid)).toMatchObject({ code: 0 });
    expect(verify("verify-commit", commit.oid).stderr).toContain('Good "git" signature for a@example.org');
    for (const tag of tags) expect(verify("verify-tag", tag.oid)).toMatchObject({ code: 0 });
    git(["-C", repo, "update-ref", "refs/heads/main", commit.oid]);
    for (const [at, { oid }] of tags.entries()) git(["-C", repo, "update-ref", `refs/tags/v${at}`, oid]);
    expect(git(["-C", repo, "fsck", "--strict"]).stderr).toBe("");

    const header = format === SHA1 ? "gpgsig -----BEGIN SSH" : "gpgsig-sha256 -----BEGIN SSH";
    expect(Buffer.from(commit.data).toString()).toContain(`\n${header}`);
    expect(parseCommit(commit.data).signature).toStartWith("-----BEGIN SSH SIGNATURE-----");
    expect(parseCommit(commit.data).extraHeaders).toEqual([{ name: "note", value: "two\nlines" }]);
    expect(Buffer.from(signedPayload(commit.data)!.payload).equals(payloads[0]!)).toBe(true);
    tags.forEach(({ data }, at) => {
      expect(Buffer.from(signedTagPayload(data)!.payload).equals(payloads[at + 1]!)).toBe(true);
      expect(parseTag(data).signature).toStartWith("-----BEGIN SSH SIGNATURE-----");
    });
  });

  test("without a key nothing is signed", () => {
    const made = makeCommit(format, {
      tree: format.emptyTree,
      parents: [],
      author: person,
      committer: person,
      message: "m\n",
    });
    expect(signedPayload(made.data)).toBeUndefined();
    expect(parseCommit(made.data).signature).toBeUndefined();
  });
});
