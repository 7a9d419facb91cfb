import { git } from "../executable/process.ts";
import { call, field, gitAddress, type Outcome, sendFile, sendLargeFile, tryGit } from "./calls.ts";
import type { World } from "./world.ts";

/** One change a user asks for, and every crash point that lies on its way. */
export interface Operation {
  readonly name: string;
  readonly points: readonly string[];
  run(at: { readonly url: string; readonly token: string }, world: World): Promise<Said>;
}

/** What the server said to it. */
export interface Said {
  readonly acknowledged: boolean;
  /** Status and body, or what git printed. */
  readonly words: string;
}

const COMMIT = ["commit.before", "commit.after"];
const OBJECTS = ["objects: contents flushed", "objects: one renamed", "objects: folders flushed"];
const REFS = [
  "refs.before-transaction",
  "refs.in-transaction",
  ...COMMIT,
  "refs.after-transaction",
  "projection: locked",
  "projection: refs replaced",
  "projection: head replaced",
  "refs.after-projection",
  "settle.in-transaction",
];
const BLOB = ["blobs.written", "blobs.renamed", "blobs.placed"];
/** A PNG of 16 by 16 pixels. */
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAADklEQVR4nGNgGAUMSAAAARAAAVrp4sUAAAAASUVORK5CYII=";
const OUTBOX = ["outbox.in-transaction", "outbox.after-transaction"];
const JOB = ["job.claimed", "job.done", "job.recorded"];
const GRAPH = ["graph: flushed", "graph: renamed"];
const CREATE = [
  "create.after-reserve",
  "init: contents flushed",
  "init: renamed",
  "init: folder flushed",
  "create.after-objects",
  "create.in-transaction",
  // The second transaction is the one that makes the repository.
  ...COMMIT,
  ...COMMIT.map((point) => `${point}@2`),
  "create.after-transaction",
  ...OUTBOX,
];
const PACK = [
  "ingest: quarantine made",
  "ingest: pack received",
  "ingest: index written",
  "ingest: connectivity checked",
  "push.before-admit",
  "admit: begin",
  "admit: pack flushed",
  "admit: index flushed",
  "admit: closure written",
  "admit: pack renamed",
  "admit: index renamed",
  "admit: folder flushed",
  "admit: quarantine removed",
  "push.after-admit",
];
const EDIT_REPO = ["edit.in-transaction", ...COMMIT, "edit.after-transaction", ...OUTBOX];

const push =
  (repo: string, ...words: string[]): Operation["run"] =>
  async (at, { source }) => {
    const options = words.filter((word) => word.startsWith("-"));
    const refspecs = words.filter((word) => !word.startsWith("-"));
    const pushed = await tryGit(source, "push", "-q", ...options, gitAddress(at, repo), ...refspecs);
    return { acknowledged: pushed.acknowledged, words: pushed.said };
  };

const rest =
  (method: string, path: string, body?: unknown): Operation["run"] =>
  async (at) =>
    said(await call(at, method, path, body));

const said = ({ acknowledged, status, body }: Outcome): Said => ({
  acknowledged,
  words: `${status} ${JSON.stringify(body)}`,
});

const text = (content: string) => Buffer.from(content).toString("base64");

/** More than one step of room. */
const LARGE = "some bytes of a file ".repeat(10_000);

function aFile(): FormData {
  const form = new FormData();
  form.set("attachment", new File([LARGE], "a.txt"));
  return form;
}

function npmPackage(): string {
  const integrity = `sha512-${new Bun.CryptoHasher("sha512").update(LARGE).digest("base64")}`;
  const version = { name: "tool", version: "1.0.0", dist: { integrity, tarball: "" } };
  const attachment = { content_type: "application/octet-stream", data: text(LARGE), length: LARGE.length };
  return JSON.stringify({
    ...{ _id: "tool", name: "tool", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } },
    _attachments: { "tool-1.0.0.tgz": attachment },
  });
}

export const operations: readonly Operation[] = [
  {
    name: "create a repository with a first commit",
    points: [...CREATE, ...OBJECTS, "objects: one renamed@2", ...REFS, ...JOB],
    run: rest("POST", "/user/repos", { name: "new", auto_init: true, readme: "Default", private: true }),
  },
  {
    name: "create an empty repository",
    points: [...CREATE, "projection: locked", "projection: refs replaced"],
    run: rest("POST", "/user/repos", { name: "new" }),
  },
  {
    name: "send a large file",
    points: [...BLOB, ...COMMIT],
    run: async (at) => said(await sendLargeFile(at, "two", "a large file")),
  },
  {
    name: "attach a file",
    points: [...BLOB, ...COMMIT],
    run: async (at) => said(await sendFile(at, "POST", "/api/v1/repos/root1/four/issues/1/assets", aFile())),
  },
  {
    name: "publish a package",
    points: [...BLOB, ...COMMIT],
    run: async (at) => said(await sendFile(at, "PUT", "/api/packages/root1/generic/tool/1/tool.bin", LARGE)),
  },
  {
    name: "publish a package of a kind with an index",
    points: [...BLOB, ...COMMIT],
    run: async (at) => said(await sendFile(at, "PUT", "/api/packages/root1/npm/tool", npmPackage())),
  },
  {
    name: "release with a file",
    points: [...BLOB, ...COMMIT],
    run: async (at) => {
      const made = await call(at, "POST", "/repos/root1/one/releases", { tag_name: "v0", name: "First" });
      const known = made.status === 409 ? await call(at, "GET", "/repos/root1/one/releases/tags/v0") : made;
      const id = String(field(known.body, "id"));
      if (!known.acknowledged) return said(known);
      return said(await sendFile(at, "POST", `/api/v1/repos/root1/one/releases/${id}/assets?name=a.txt`, aFile()));
    },
  },
  {
    name: "write an issue",
    points: [...COMMIT, ...OUTBOX],
    run: rest("POST", "/repos/root1/one/issues", { title: "An issue", body: "words ".repeat(10_000) }),
  },
  {
    name: "set a picture",
    points: [...BLOB, ...BLOB.map((point) => `${point}@2`), ...COMMIT],
    run: rest("POST", "/user/avatar", { image: PICTURE }),
  },
  {
    name: "push a first history with tags",
    points: [...PACK, ...REFS, ...OUTBOX, ...OUTBOX.map((point) => `${point}@2`), ...JOB, ...GRAPH],
    run: push("two", "next:main", "side", "other", "v0", "v1"),
  },
  { name: "push a large file", points: PACK, run: push("two", "large:main") },
  {
    name: "push an update, a new branch and a deletion at once",
    points: [...PACK, ...REFS, ...OUTBOX, ...JOB],
    run: push("one", "next:main", "next:fresh", ":old"),
  },
  {
    name: "push atomically",
    points: [...PACK, ...REFS],
    run: push("one", "--atomic", "next:main", "other:refs/heads/far", "v1", ":old"),
  },
  { name: "push by force", points: [...PACK, ...REFS], run: push("one", "--force", "other:main") },
  {
    name: "push a deletion alone",
    points: ["push.before-admit", "push.after-admit", ...REFS, ...OUTBOX],
    run: push("one", ":old", ":v0"),
  },
  {
    name: "push to create",
    points: [...CREATE.filter((point) => !OUTBOX.includes(point)), ...PACK, ...REFS],
    run: push("pushed", "next:main", "v1"),
  },
  {
    name: "create a file",
    points: [...OBJECTS, ...REFS, ...OUTBOX, ...JOB],
    run: rest("POST", "/repos/root1/one/contents/deep/er/file.txt", { content: text("new\n"), message: "a file" }),
  },
  {
    name: "create a file in an empty repository",
    points: [...OBJECTS, ...REFS],
    run: rest("POST", "/repos/root1/two/contents/file.txt", { content: text("new\n"), message: "a file" }),
  },
  {
    name: "create a large file on a new branch",
    points: [...OBJECTS, "objects: one renamed@2", ...REFS],
    run: rest("POST", "/repos/root1/one/contents/large.txt", {
      content: text("large ".repeat(100_000)),
      message: "a large file",
      new_branch: "large",
    }),
  },
  {
    name: "delete a file",
    points: [...OBJECTS, ...REFS],
    run: async (at, { source }) => {
      const sha = await git(source, "rev-parse", "base:code.ts");
      return said(await call(at, "DELETE", "/repos/root1/one/contents/code.ts", { sha, message: "away" }));
    },
  },
  {
    name: "create a branch",
    points: [...REFS, ...OUTBOX],
    run: rest("POST", "/repos/root1/one/branches", { new_branch_name: "twig", old_branch_name: "side" }),
  },
  { name: "delete a branch", points: REFS, run: rest("DELETE", "/repos/root1/one/branches/old") },
  {
    name: "rename the default branch",
    points: [...REFS, ...OUTBOX],
    run: rest("PATCH", "/repos/root1/one/branches/main", { name: "trunk" }),
  },
  {
    name: "create an annotated tag",
    points: [...OBJECTS, ...REFS],
    run: rest("POST", "/repos/root1/one/tags", { tag_name: "v9", message: "nine", target: "side" }),
  },
  { name: "delete a tag", points: REFS, run: rest("DELETE", "/repos/root1/one/tags/v0") },
  {
    name: "rename a repository",
    points: ["rename.in-transaction", ...EDIT_REPO],
    run: rest("PATCH", "/repos/root1/one", { name: "uno", description: "renamed" }),
  },
  {
    name: "hide a repository",
    points: EDIT_REPO,
    run: rest("PATCH", "/repos/root1/one", { private: true }),
  },
  {
    name: "choose another default branch",
    points: [...EDIT_REPO, "projection: locked", "projection: refs replaced", "projection: head replaced"],
    run: rest("PATCH", "/repos/root1/one", { default_branch: "side" }),
  },
  {
    name: "fork a repository",
    points: [
      "create.after-reserve",
      "fork.after-init",
      "link: pack linked",
      "link: index linked",
      "fork.after-objects",
      "fork.after-large-files",
      "fork.in-transaction",
      ...COMMIT,
      ...[2, 3, 4].flatMap((nth) => COMMIT.map((point) => `${point}@${nth}`)),
      "fork.after-transaction",
      ...OUTBOX,
      "projection: locked",
      "projection: refs replaced",
      "refs.after-projection",
    ],
    run: rest("POST", "/repos/root1/one/forks", { name: "forked" }),
  },
  {
    name: "generate a repository from a template",
    points: ["create.after-reserve", "generate.after-init", "generate.after-objects", "generate.in-transaction"],
    run: rest("POST", "/repos/root1/one/generate", { owner: "root1", name: "generated", git_content: true }),
  },
  {
    name: "open a pull request",
    points: ["pull.in-transaction", "pull.after-transaction", ...REFS, ...OUTBOX],
    run: rest("POST", "/repos/root1/one/pulls", { title: "Side", head: "side", base: "main" }),
  },
  {
    name: "merge a pull request",
    points: ["merge.in-transaction", "merge.after-transaction", ...REFS, ...OUTBOX, ...JOB],
    run: rest("POST", "/repos/root1/four/pulls/1/merge", { do: "merge" }),
  },
  {
    name: "merge a pull request by the queue",
    points: ["merge.in-transaction", "merge-queue.after-transaction", ...REFS, ...OUTBOX, ...JOB],
    run: rest("POST", "/repos/root1/four/pulls/2/queue", {}),
  },
  {
    name: "push to the branch of a pull request",
    points: [...PACK, ...REFS, ...OUTBOX, ...JOB],
    run: push("four", "--force", "large:side"),
  },
  {
    name: "adopt a folder",
    points: ["create.after-reserve", "adopt.after-objects", "adopt.in-transaction"],
    run: rest("POST", "/admin/unadopted/root1/found", {}),
  },
  {
    name: "delete a repository",
    points: [
      "delete.in-transaction",
      ...COMMIT,
      "delete.after-transaction",
      ...OUTBOX,
      "job.claimed",
      "erase.folders-empty",
      "erase.in-transaction",
      "unlink.after-remove",
      "job.done",
      "job.recorded",
    ],
    run: rest("DELETE", "/repos/root1/three"),
  },
  {
    name: "add a collaborator",
    points: [...COMMIT, ...OUTBOX],
    run: rest("PUT", "/repos/root1/one/collaborators/ada", { permission: "write" }),
  },
  {
    name: "create a token",
    points: COMMIT,
    run: async (at) => {
      const basic = `Basic ${Buffer.from("root1:a long password").toString("base64")}`;
      const body = { name: "another", scopes: ["read:repository"] };
      return said(await call(at, "POST", "/users/root1/tokens", body, basic));
    },
  },
  {
    name: "create a user",
    points: [...COMMIT, ...OUTBOX],
    run: rest("POST", "/admin/users", {
      username: "ben",
      email: "ben@example.org",
      password: "a long password",
      must_change_password: false,
    }),
  },
];

/** Points that no request passes, and the test that does. */
export const elsewhere: Readonly<Record<string, string>> = {
  "migrate.in-transaction": "points.test.ts, the first start",
  "migrate.after-transaction": "points.test.ts, the first start",
  "reconcile.swept-one": "points.test.ts, the start after a crash",
  "repack: pack written": "points.test.ts, geometric repack",
  "repack: times written": "points.test.ts, geometric repack",
  "maintenance: replaced packs marked": "points.test.ts, geometric repack",
  "prune: before packs go": "points.test.ts, geometric repack",
  "prune: packs gone": "points.test.ts, geometric repack",
  "prune: loose objects gone": "points.test.ts, geometric repack",
  "blobs.forgotten": "points.test.ts, a file is taken away",
  "blobs.unlinked": "points.test.ts, a file is taken away",
  "webhooks.after-mark": "webhooks.test.ts",
  "mirror.after-fetch": "mirrors.test.ts",
  "import.after-code": "mirrors.test.ts",
  "import.amid-pulls": "mirrors.test.ts",
  "import.amid-comments": "mirrors.test.ts",
  "secrets.key-added": "tests/secrets/rotation.test.ts",
  "secrets.re-encrypted": "tests/secrets/rotation.test.ts",
  "secrets.old-keys-removed": "tests/secrets/rotation.test.ts",
  "backup.snapshot": "tests/cli/backup.test.ts",
  "backup.made": "tests/cli/backup.test.ts",
  "backup.named": "tests/cli/backup.test.ts",
  "restore.file": "tests/cli/backup.test.ts",
  "restore.written": "tests/cli/backup.test.ts",
  "graph: chain replaced": "tests/git/graph/chains.test.ts: few histories here are long enough for a chain",
};
