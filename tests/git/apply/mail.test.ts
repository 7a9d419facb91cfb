import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatch } from "../../../src/git/apply/apply.ts";
import { type PatchMail, readMail, splitMailbox } from "../../../src/git/apply/mail.ts";
import { Overlay } from "../../../src/git/objects/overlay.ts";
import { ObjectStore } from "../../../src/git/objects/store.ts";
import { newSeed } from "../../random.ts";
import { randomFiles } from "../blame/random-files.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

/** What `git mailinfo` makes of a mail. */
function realMail(dir: string, mail: string): Omit<PatchMail, "patch"> & { patch: string } {
  const [message, patch] = [join(dir, "message"), join(dir, "patch")];
  const { stdout } = git(["mailinfo", message, patch], { input: Buffer.from(mail, "latin1"), cwd: dir });
  const told = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(stdout.toString())?.[1] ?? "";
  return {
    name: told("Author"),
    email: told("Email"),
    date: told("Date"),
    subject: told("Subject"),
    body: readFileSync(message, "utf8"),
    patch: readFileSync(patch, "latin1"),
  };
}

test("mails of format-patch are read as git mailinfo reads them, and make the commit's tree", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  randomFiles(repo, { commits: 30, seed: newSeed() });
  const store = ObjectStore.open(repo);
  const commits = gitText(["-C", repo, "rev-list", "--no-merges", "--min-parents=1", "--all"]).split("\n").slice(0, 12);
  for (const commit of commits) {
    const { stdout } = git(["-C", repo, "format-patch", "--stdout", "-1", commit]);
    // A commit that changes nothing has no mail.
    if (stdout.length === 0) continue;
    const [mail = ""] = splitMailbox(stdout);
    const read = readMail(mail);
    expect(read).toEqual(realMail(dir.path, mail));
    const overlay = new Overlay(store);
    const before = gitText(["-C", repo, "rev-parse", `${commit}^^{tree}`]);
    const after = gitText(["-C", repo, "rev-parse", `${commit}^{tree}`]);
    expect(applyPatch(overlay, before, read.patch).tree).toBe(after);
  }
  const several = git(["-C", repo, "format-patch", "--stdout", "--root", "main"]).stdout;
  const beginnings = several.toString("latin1").match(/^From [0-9a-f]{40} Mon Sep 17/gm) ?? [];
  expect(splitMailbox(several)).toHaveLength(beginnings.length);
  store.close();
});

const DIFF = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";

test.each([
  [
    "words in other encodings",
    "Subject: [PATCH v2 1/3] =?UTF-8?q?f=C3=BCr?= =?ISO-8859-1?B?5Pbk?= all\nFrom: =?utf-8?q?J=C3=B6rg?= <j@x>\n",
  ],
  ["a quoted name", 'Subject: Re: [x] a   b\nFrom: "Last, First" <a@x.org>\n'],
  ["an address first", "Subject: one\nFrom: a@x.org (Ada L)\n"],
  ["a short name", "Subject: two\nFrom: A <a@x.org>\n"],
  ["a folded subject", "Subject: [PATCH] a long\n subject goes on\nFrom: Ada L <a@x.org>\n"],
])("a mail with %s", (_, headers) => {
  using dir = tempDir();
  const mail = `From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n${headers}Date: Mon, 1 Jan 2024 10:00:00 +0100\n\nThe body.\n\nMore.\n---\n x | 2 +-\n\n${DIFF}-- \n2.39\n`;
  expect(readMail(mail)).toEqual(realMail(dir.path, mail));
});

test.each([
  ["quoted-printable", (text: string) => text.replaceAll("=", "=3D").replaceAll("é", "=C3=A9")],
  [
    "base64",
    (text: string) =>
      Buffer.from(text)
        .toString("base64")
        .replace(/(.{76})/g, "$1\n"),
  ],
])("a body in %s", (encoding, encode) => {
  using dir = tempDir();
  const head = `Subject: one\nFrom: Ada L <a@x.org>\nDate: Mon, 1 Jan 2024 10:00:00 +0100\n`;
  const type = `MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: ${encoding}\n`;
  const mail = `${head}${type}\n${encode(`Café = good.\n---\n\n${DIFF}`)}\n`;
  expect(readMail(mail)).toEqual(realMail(dir.path, mail));
});

test("the top of the body may name author and subject", () => {
  using dir = tempDir();
  const mail = `From: Sender Name <s@x.org>\nSubject: [PATCH] outer\nDate: Mon, 1 Jan 2024 10:00:00 +0100\n\nFrom: Ada L <a@x.org>\nSubject: inner\n\nBody.\n---\n${DIFF}`;
  expect(readMail(mail)).toEqual(realMail(dir.path, mail));
});
