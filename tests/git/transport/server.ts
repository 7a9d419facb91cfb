/** A git server over plain repository folders, with real git as the client and as the oracle. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseTagLink } from "../../../src/git/objects/tag.ts";
import type { Oid } from "../../../src/git/objects/types.ts";
import { objectFormatOf } from "../../../src/git/odb/folder-format.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { admit } from "../../../src/git/receive/quarantine.ts";
import { FolderRefs } from "../../../src/git/refs/folder.ts";
import { advertise, type RefSource, streamOf } from "../../../src/git/transport/advertise.ts";
import { inflatedBody } from "../../../src/git/transport/body.ts";
import { parseService, requestedVersion } from "../../../src/git/transport/protocol.ts";
import { type PushOutcome, receivePack, type VerifiedPush } from "../../../src/git/transport/receive/receive-pack.ts";
import { RefSnapshot } from "../../../src/git/transport/ref-snapshot.ts";
import { uploadPack } from "../../../src/git/transport/upload/upload-pack.ts";
import { WorkerPool } from "../../../src/workers/pool.ts";

export interface GitServer {
  readonly url: string;
  readonly root: string;
  close(): void;
}

export function refsOf(repoDir: string): FolderRefs {
  return new FolderRefs(repoDir, (oid) => {
    const store = ObjectStore.open(repoDir);
    try {
      return peeled(store, oid);
    } finally {
      store.close();
    }
  });
}

function peeled(store: ObjectStore, oid: Oid): Oid | undefined {
  let at = oid;
  while (store.header(at)?.type === "tag") at = parseTagLink(store.read(at)!.data).object;
  return at === oid ? undefined : at;
}

export type Apply = (push: VerifiedPush, say: (text: string) => void, repoDir: string) => Promise<PushOutcome>;

/** What a host without rules does: admit the pack, move the refs. */
export const applyToFolder: Apply = async (push, _say, repoDir) => {
  if (push.pack) admit(push.pack);
  return { results: refsOf(repoDir).update(push.commands, { atomic: push.atomic }) };
};

/** What a client is shown of the folder's refs. */
export const sourceOf = (refs: FolderRefs): RefSource => ({
  snapshot: () => RefSnapshot.of(refs.list()),
  head: () => refs.head(),
});

export function startServer(root: string, options: { readonly apply?: Apply } = {}): GitServer {
  const pool = new WorkerPool({ bulk: 2, interactive: 1, idleMs: 2000 });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    maxRequestBodySize: 4 * 1024 ** 3,
    async fetch(request) {
      const url = new URL(request.url);
      const match = /^\/([a-z0-9-]+\.git)\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(url.pathname);
      if (!match) return new Response("not found", { status: 404 });
      const repoDir = join(root, match[1]!);
      const version = requestedVersion(request.headers.get("git-protocol"));
      const refs = refsOf(repoDir);
      const format = objectFormatOf(repoDir);
      if (match[2] === "info/refs") {
        const service = parseService(url.searchParams.get("service"));
        if (!service) return new Response("no such service", { status: 400 });
        return new Response(streamOf(advertise({ service, version, refs: sourceOf(refs), format, http: true })), {
          headers: { "content-type": `application/x-${service}-advertisement` },
        });
      }
      server.timeout(request, 0);
      const encoding = request.headers.get("content-encoding");
      const body = inflatedBody(request.body ?? new ReadableStream<Uint8Array>(), encoding, 4 * 1024 ** 3);
      const signal = request.signal;
      if (match[2] === "git-upload-pack") {
        const answer = await uploadPack({ repoDir, format, version, refs: sourceOf(refs), pool, signal, body });
        return new Response(answer, { headers: { "content-type": "application/x-git-upload-pack-result" } });
      }
      const answer = await receivePack({
        repoDir,
        format,
        body,
        pool,
        signal,
        connectedTo: () => sourceOf(refs).snapshot().tips,
        apply: (push, say) => (options.apply ?? applyToFolder)(push, say, repoDir),
        onError: (error) => console.error(error),
      });
      return new Response(answer, { headers: { "content-type": "application/x-git-receive-pack-result" } });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    root,
    close() {
      server.stop(true);
      pool.close();
    },
  };
}

const folders: string[] = [];

export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hearth-transport-"));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export interface GitResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "C",
  GIT_COMMITTER_EMAIL: "c@example.com",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
};

/** Runs real git; never throws. */
export async function git(dir: string, args: string[], env: Record<string, string> = {}): Promise<GitResult> {
  const child = Bun.spawn(["git", "-c", "init.defaultBranch=main", "-c", "gc.auto=0", ...args], {
    cwd: dir,
    env: { ...ENVIRONMENT, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

/** Runs real git and answers its trimmed output; throws when it fails. */
export async function ok(dir: string, ...args: string[]): Promise<string> {
  const result = await git(dir, args);
  if (result.code !== 0) throw new Error(`git ${args.join(" ")}: exit ${result.code}\n${result.err}`);
  return result.out.trim();
}

/** Sorted ids of everything that refs lead to. */
export async function reachableObjects(dir: string, ...revisions: string[]): Promise<string[]> {
  const from = revisions.length > 0 ? revisions : ["--all"];
  const out = await ok(dir, "rev-list", "--objects", "--no-object-names", ...from);
  return out === "" ? [] : out.split("\n").sort();
}

/** Sorted ids of everything stored. */
export async function storedObjects(dir: string): Promise<string[]> {
  const out = await ok(dir, "cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname)");
  return out === "" ? [] : out.split("\n").sort();
}
