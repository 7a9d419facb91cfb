import { asAccount } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { IdentityService } from "../identity/service.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import type { LfsRemote } from "../lfs/remote/service.ts";
import { parseRemoteAddress, type RemoteAddress } from "../remotes/address.ts";
import { bringRepository } from "../remotes/bring.ts";
import type { RemoteService } from "../remotes/service.ts";
import type { GitFolders } from "../repos/folders/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { ForgeAddress } from "./forge/open.ts";
import type { Forge } from "./forge/types.ts";
import type { ItemBringer } from "./items/bringer.ts";
import type { ItemTask } from "./items/types.ts";
import type { ImportedPeople } from "./people.ts";
import type { ImportSecrets } from "./secrets.ts";
import * as store from "./store.ts";
import type { ImportCounts, ImportPart, ImportStep, RepoImport } from "./types.ts";

/** A running import. */
export interface RunningImport {
  readonly cancel: AbortController;
  step: ImportStep | "";
  detail: string;
  counts: ImportCounts;
}

export interface StepNeeds {
  readonly crash: CrashPoint;
  readonly db: Database;
  readonly folders: GitFolders;
  readonly identity: IdentityService;
  readonly lfsRemote: LfsRemote;
  readonly remotes: RemoteService;
  /** Loaded for the first import with items. */
  readonly items: () => Promise<ItemBringer>;
  readonly forge: (address: ForgeAddress, signal: AbortSignal) => Promise<Forge>;
  /** Maps people on a server to accounts here. */
  readonly peopleOf: (origin: string) => ImportedPeople;
}

/** In order: items reference labels and milestones, and pull requests have commits that name large files. */
const PARTS = ["labels", "milestones", "issues", "pull_requests", "lfs", "releases"] as const satisfies ImportPart[];
/** Maximum length of the other server's progress line. */
const MAX_DETAIL = 200;

/** The steps of an import, in order; completed steps are not repeated by a retry. */
export class ImportSteps {
  constructor(
    private readonly needs: StepNeeds,
    private readonly secrets: ImportSecrets,
  ) {}

  /** @throws Failure */
  async bring(entry: RepoImport, seen: SeenRepo, running: RunningImport, signal: AbortSignal): Promise<void> {
    const address = this.addressOf(entry);
    const principal = asAccount(this.doerOf(entry, seen));
    await this.step(entry, running, "code", () => this.code(entry, seen, running, { address, principal, signal }));
    const hasItems = entry.service !== "git" && !seen.repo.isMirror;
    const task = hasItems ? await this.taskOf(entry, { ...seen, principal }, running, address, signal) : undefined;
    const items = task && (await this.needs.items());
    if (items && task) await this.step(entry, running, "about", () => items.about(task));
    for (const part of PARTS) {
      if (!entry.parts.includes(part)) continue;
      if (part === "lfs")
        await this.step(entry, running, part, () => this.largeFiles(entry, seen, running, address, signal));
      else if (items && task) await this.step(entry, running, part, () => items.bring(part, task));
    }
  }

  private async code(
    entry: RepoImport,
    seen: SeenRepo,
    running: RunningImport,
    { address, principal, signal }: Pick<Parameters<typeof bringRepository>[2], "address" | "principal" | "signal">,
  ): Promise<void> {
    await bringRepository(this.needs, seen, {
      address,
      signal,
      principal,
      hasWiki: entry.parts.includes("wiki"),
      prune: false,
      told: { isInitial: true },
      onProgress: (line) => {
        running.detail = line.slice(0, MAX_DETAIL);
      },
    });
    this.needs.crash("import.after-code");
  }

  private async largeFiles(
    entry: RepoImport,
    seen: SeenRepo,
    running: RunningImport,
    address: RemoteAddress,
    signal: AbortSignal,
  ): Promise<void> {
    const endpoint = this.secrets.lfsEndpointOf(entry);
    const onProgress = (count: number) => {
      running.counts = { ...running.counts, lfs: count };
    };
    await this.needs.lfsRemote.fetch(seen, { address, endpoint, signal, onProgress });
  }

  private async taskOf(
    entry: RepoImport,
    seen: SeenRepo,
    running: RunningImport,
    address: RemoteAddress,
    signal: AbortSignal,
  ): Promise<ItemTask> {
    const { db, items, peopleOf, remotes } = this.needs;
    if (entry.service === "git") throw new Error("git has no items");
    const credentials = this.secrets.credentialsOf(entry);
    const forge = await this.needs.forge({ service: entry.service, url: address.url, credentials }, signal);
    let { pullOffset } = entry;
    const hasNumbers = entry.parts.includes("issues") || entry.parts.includes("pull_requests");
    if (hasNumbers && !entry.done.includes("about")) {
      pullOffset = await (await items()).reserve({ forge, seen });
      db.transaction(() => store.setPullOffset(db, entry.repoId, pullOffset));
    }
    return {
      seen,
      forge,
      people: peopleOf(new URL(address.url).origin),
      pullOffset,
      signal,
      bringRefs: async (select) => {
        if (select.size === 0) return;
        const { principal, repo } = seen;
        await remotes.fetch({ address, signal, principal, repo, select, prune: false, told: { isInitial: true } });
      },
      onProgress: (count) => {
        if (running.step === "pull_requests") this.needs.crash("import.amid-pulls");
        if (running.step !== "" && running.step !== "code" && running.step !== "about")
          running.counts = { ...running.counts, [running.step]: count };
      },
    };
  }

  /** Runs a step unless it is complete, and records its completion. */
  private async step(
    entry: RepoImport,
    running: RunningImport,
    name: ImportStep,
    work: () => Promise<void>,
  ): Promise<void> {
    const { db } = this.needs;
    if (entry.done.includes(name)) return;
    running.step = name;
    running.detail = "";
    await work();
    db.transaction(() => {
      const present = store.findImport(db, entry.repoId);
      if (!present) return;
      store.setDone(db, entry.repoId, [...present.done, name]);
      store.setCounts(db, entry.repoId, running.counts);
    });
  }

  private addressOf(entry: RepoImport): RemoteAddress {
    const { password, username } = this.secrets.credentialsOf(entry);
    const parsed = parseRemoteAddress(entry.address, "clone_addr");
    return username === "" && password === "" ? parsed : { ...parsed, credentials: { username, password } };
  }

  private doerOf({ doerId }: RepoImport, { owner }: SeenRepo): User {
    return (doerId === undefined ? undefined : this.needs.identity.byId(doerId)) ?? owner;
  }
}
