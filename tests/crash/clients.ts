import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../executable/process.ts";
import { call, field, gitAddress, tryGit } from "./calls.ts";
import type { RandomSource } from "./random-source.ts";
import type { Server } from "./server.ts";

/**
 * What the clients were told, independent of the server: for each thing the value it must have, and, where an answer
 * never came, the values it may have instead.
 */
export class ObjectLinks {
  private readonly known = new Map<string, string>();
  private readonly open = new Map<string, Set<string>>();
  /** Changes that were tried. */
  steps = 0;
  acknowledged = 0;
  unanswered = 0;

  value(thing: string): string {
    return this.known.get(thing) ?? ABSENT;
  }

  /** The outcome of a change: true it was acknowledged, false it was refused, undefined no one knows. */
  note(thing: string, wanted: string, outcome: boolean | undefined): void {
    if (outcome === true) {
      this.known.set(thing, wanted);
      this.acknowledged++;
    } else if (outcome === undefined) {
      const open = this.open.get(thing) ?? new Set();
      this.open.set(thing, open.add(wanted));
      this.unanswered++;
    }
  }

  /** Compares with what is there; from then on that is what is known. */
  compare(actual: ReadonlyMap<string, string>): string[] {
    const problems: string[] = [];
    for (const thing of new Set([...this.known.keys(), ...this.open.keys(), ...actual.keys()])) {
      const present = actual.get(thing) ?? ABSENT;
      if (present !== this.value(thing) && !this.open.get(thing)?.has(present))
        problems.push(`${thing} is ${present}; acknowledged was ${this.value(thing)}`);
      this.known.set(thing, present);
    }
    this.open.clear();
    return problems;
  }
}

export const ABSENT = "absent";

type At = { readonly url: string; readonly token: string };

/** One person with a clone, who changes things one after the other until the server is gone. */
export class Client {
  private readonly source: string;
  private commits = 0;

  constructor(
    folder: string,
    private readonly number: number,
    private readonly random: RandomSource,
    private readonly objectLinks: ObjectLinks,
  ) {
    this.source = join(folder, `client${number}`);
    mkdirSync(this.source);
  }

  async prepare(): Promise<void> {
    await git(this.source, "init", "-q");
    writeFileSync(join(this.source, "file"), `of ${this.number}\n`.repeat(100));
    await git(this.source, "add", "-A");
    await git(this.source, "commit", "-q", "-m", "first");
  }

  async work(server: Server, token: string): Promise<void> {
    const at = { url: server.url, token };
    while (!server.isGone()) {
      await this.step(at, server);
      this.objectLinks.steps++;
    }
  }

  private async step(at: At, server: Server): Promise<void> {
    const own = `own${this.number}`;
    const repo = this.objectLinks.value(`repo ${own}`) === ABSENT ? "shared" : this.random.pick([own, "shared"]);
    switch (this.random.below(8)) {
      case 0:
      case 1:
      case 2:
        return this.pushSome(at, server, repo);
      case 3:
        return this.pushDeletion(at, server, repo);
      case 4:
      case 5:
        return this.editFile(at);
      case 6:
        return this.branch(at, repo);
      default:
        return this.makeOrRemove(at, own);
    }
  }

  /** A new commit on one or two branches, sometimes one that forgets the history before, sometimes with a tag. */
  private async pushSome(at: At, server: Server, repo: string): Promise<void> {
    const oid = await this.newCommit();
    const refs = [`refs/heads/b${this.number}-${this.random.below(3)}`];
    if (this.random.below(2) === 0) refs.push(`refs/heads/b${this.number}-x`);
    if (this.random.below(3) === 0) refs.push(`refs/tags/t${this.number}-${this.commits}`);
    const atomic = this.random.below(2) === 0 ? ["--atomic"] : [];
    const pushed = await tryGit(
      this.source,
      ...["push", "-q", "--force", ...atomic, gitAddress(at, repo)],
      ...refs.map((ref) => `${oid}:${ref}`),
    );
    this.noteAll(repo, refs, oid, await outcomeOf(pushed.acknowledged, server, pushed.said));
  }

  private async pushDeletion(at: At, server: Server, repo: string): Promise<void> {
    const ref = `refs/heads/b${this.number}-${this.random.below(3)}`;
    if (this.objectLinks.value(`${repo} ${ref}`) === ABSENT) return;
    const pushed = await tryGit(this.source, "push", "-q", gitAddress(at, repo), `:${ref}`);
    this.noteAll(repo, [ref], ABSENT, await outcomeOf(pushed.acknowledged, server, pushed.said));
  }

  /** Changes a file of its own over REST, on a branch of its own; the file's content is what is remembered. */
  private async editFile(at: At): Promise<void> {
    const path = `/repos/root1/shared/contents/of${this.number}.txt`;
    const present = await call(at, "GET", `${path}?ref=edits${this.number}`);
    if (present.status === 0) return;
    const wanted = `${++this.commits}`;
    const body = {
      content: Buffer.from(wanted).toString("base64"),
      message: `edit ${wanted}`,
      branch: `edits${this.number}`,
      ...(present.status === 200 ? { sha: field(present.body, "sha") } : {}),
    };
    const edited = await call(at, present.status === 200 ? "PUT" : "POST", path, body);
    this.objectLinks.note(`shared file of${this.number}.txt`, wanted, answered(edited));
  }

  private async branch(at: At, repo: string): Promise<void> {
    const name = `api${this.number}`;
    const thing = `${repo} refs/heads/${name}`;
    const source = `b${this.number}-0`;
    const from = this.objectLinks.value(`${repo} refs/heads/${source}`);
    if (this.objectLinks.value(thing) !== ABSENT)
      this.objectLinks.note(thing, ABSENT, answered(await call(at, "DELETE", `/repos/root1/${repo}/branches/${name}`)));
    else if (from !== ABSENT) {
      const body = { new_branch_name: name, old_branch_name: source };
      this.objectLinks.note(thing, from, answered(await call(at, "POST", `/repos/root1/${repo}/branches`, body)));
    }
  }

  private async makeOrRemove(at: At, own: string): Promise<void> {
    if (this.objectLinks.value(`repo ${own}`) === ABSENT) {
      const made = await call(at, "POST", "/user/repos", { name: own, auto_init: false });
      this.objectLinks.note(`repo ${own}`, "there", answered(made));
      return;
    }
    if (this.random.below(3) !== 0) return;
    const removed = await call(at, "DELETE", `/repos/root1/${own}`);
    this.objectLinks.note(`repo ${own}`, ABSENT, answered(removed));
    const refs = [0, 1, 2, "x"].map((part) => `refs/heads/b${this.number}-${part}`);
    refs.push(`refs/heads/api${this.number}`, ...Array.from({ length: this.commits }, (_, n) => this.tag(n + 1)));
    for (const ref of refs)
      if (this.objectLinks.value(`${own} ${ref}`) !== ABSENT)
        this.objectLinks.note(`${own} ${ref}`, ABSENT, answered(removed));
  }

  private tag(commit: number): string {
    return `refs/tags/t${this.number}-${commit}`;
  }

  private noteAll(repo: string, refs: readonly string[], value: string, outcome: boolean | undefined): void {
    for (const ref of refs) this.objectLinks.note(`${repo} ${ref}`, value, outcome);
  }

  private async newCommit(): Promise<string> {
    const parent = this.random.below(5) === 0 ? [] : ["-p", "HEAD"];
    const oid = await git(
      this.source,
      ...["commit-tree", "HEAD^{tree}", ...parent, "-m", `${this.number}.${++this.commits}`],
    );
    await git(this.source, "update-ref", "HEAD", oid);
    return oid;
  }
}

/** A refusal in the report is an answer. Whatever else git says is none, and only a server that dies may cause it. */
async function outcomeOf(acknowledged: boolean, server: Server, said: string): Promise<boolean | undefined> {
  if (acknowledged) return true;
  if (/\[(remote )?rejected\]/.test(said)) return false;
  const patience = new Promise<"alive">((resolve) => setTimeout(() => resolve("alive"), 30_000).unref());
  if ((await Promise.race([server.exited, patience])) !== "alive") return undefined;
  throw new Error(`git failed on a server that lives: ${said}\n${server.output().slice(-2000)}`);
}

function answered({ acknowledged, status }: { acknowledged: boolean; status: number }): boolean | undefined {
  if (status >= 500) throw new Error(`the server answered ${status}`);
  return status === 0 ? undefined : acknowledged;
}
