import { atLeast } from "../access/levels.ts";
import { anonymous, operator, type Principal } from "../access/principal.ts";
import { ProtocolError } from "../git/errors.ts";
import { requestedVersion } from "../git/transport/protocol.ts";
import type { ErrorMessages } from "../http/error-words.ts";
import { storageFailure } from "../http/storage-failure.ts";
import type { IdentityService } from "../identity/service.ts";
import { Failure, NotFound, Redirected } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { KeyHolder, KeyHolders } from "../keys/ssh/holders.ts";
import type { LfsObjects } from "../lfs/service.ts";
import type { RepoService } from "../repos/service.ts";
import { type GitAccess, type GitTarget, NotWritable, type SeenFolder } from "../transport/access.ts";
import type { FetchService } from "../transport/fetches.ts";
import { namedFolder } from "../transport/named-folder.ts";
import { MadeMeanwhile } from "../transport/push-creation.ts";
import type { PushService } from "../transport/pushes.ts";
import { BadCommand, type Command, type GitService, parseCommand, type RepoPath } from "./command.ts";
import { type Asked, errorLines, greetingFor, notAuthorized, refusalWords } from "./refusals.ts";

/** The streams of a command. */
export interface CommandStreams {
  /** Input from the client. `return` of its iterator ends a pending `next`. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Resolves once more can be sent to the client. @throws ConnectionLost */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** For the person who typed the command. */
  readonly tell: (text: string) => Promise<void>;
  /** Fires when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A command and who requested it. */
export interface CommandRequest {
  readonly holder: KeyHolder;
  readonly address: string;
  /** Undefined: a shell. */
  readonly command: string | undefined;
  /** The variable GIT_PROTOCOL, the only one used. */
  readonly gitProtocol: string | undefined;
}

export interface CommandParts {
  readonly hasArchives: boolean;
  readonly fetches: FetchService;
  readonly gitAccess: GitAccess;
  readonly holders: KeyHolders;
  readonly identity: IdentityService;
  readonly log: Log;
  readonly messages: ErrorMessages;
  readonly pushes: PushService;
  readonly repos: RepoService;
  readonly lfs: Pick<LfsObjects, "authenticate" | "isEnabled">;
}

const DONE = 0;
const REFUSED = 1;
const FAILED = 128;
/** Former names may chain, for owner and repository. */
const MAX_REDIRECTS = 4;

/** The result of an access check that passed. */
interface Reached {
  readonly target: GitTarget;
  readonly principal: Principal;
}

/** A refusal with a message of its own. */
class Refused extends Error {
  override name = "Refused";
}

/** Runs commands over SSH, using the same services as HTTP. */
export class SshCommands {
  constructor(private readonly parts: CommandParts) {}

  /** Returns the command's exit status. @throws ConnectionLost, and errors that are the server's fault */
  async run(request: CommandRequest, streams: CommandStreams): Promise<number> {
    const refuse = async (words: string) => {
      await streams.tell(errorLines(words));
      return REFUSED;
    };
    const { holder } = request;
    if (!(await this.parts.holders.isGood(holder))) return refuse("Your key is not known any more.");
    try {
      if (request.command === undefined) return await this.greet(request, streams);
      const command = parseCommand(request.command);
      if (command.kind !== "info") return await this.onRepository(request, command, streams);
      await streams.write(Buffer.from('{"type":"agit","version":1}\n'));
      return DONE;
    } catch (error) {
      if (error instanceof BadCommand || error instanceof Refused) return refuse(error.message);
      if (error instanceof Failure) return refuse(this.parts.messages.of(error));
      const stored = storageFailure(error);
      if (stored) {
        this.parts.log.error("something stored is missing or damaged", { command: request.command, error });
        return refuse(this.parts.messages.of(stored));
      }
      if (!(error instanceof ProtocolError)) throw error;
      await streams.tell(errorLines(error.message));
      return FAILED;
    }
  }

  private async greet({ holder, address }: CommandRequest, { tell }: CommandStreams): Promise<number> {
    const principal = await this.parts.holders.principalOf(holder, address, undefined);
    await tell(greetingFor(holder, principal?.user?.login));
    return DONE;
  }

  private async onRepository(
    request: CommandRequest,
    command: Exclude<Command, { kind: "info" }>,
    streams: CommandStreams,
  ): Promise<number> {
    const writes = command.kind === "lfs" ? command.operation === "upload" : command.service === "git-receive-pack";
    const { name, ending, folder } = namedFolder(command.path.name);
    const { holder } = request;
    const account = holder.kind === "deploy" ? undefined : this.parts.identity.byId(holder.userId);
    const repo = `${command.path.owner}/${name}${folder === "wiki" ? ".wiki" : ""}`;
    const asked: Asked = { holder, login: account?.login, repo, writes };
    try {
      if (command.kind === "lfs") return await this.lfs(request, command, asked, streams);
      const path = { owner: command.path.owner, name: `${name}${ending}` };
      const reach = () => this.reach(request, path, command.service, asked);
      return await this.git(command.service, reach, request, streams);
    } catch (error) {
      if (error instanceof Failure) throw new Refused(refusalWords(error, asked, this.parts.messages));
      throw error;
    }
  }

  private async git(
    service: GitService,
    reach: () => Promise<Reached>,
    { address, gitProtocol }: CommandRequest,
    { input, signal, write }: CommandStreams,
  ): Promise<number> {
    const { fetches, pushes, hasArchives } = this.parts;
    const version = requestedVersion(gitProtocol);
    let { principal, target } = await reach();
    if (service === "git-receive-pack") {
      for (const piece of pieces(fetches.advertise(target, service, version, false))) await write(piece);
      const channel = { address, body: input, signal, isConnection: true };
      const answer = await pushes.receive(target, principal, channel).catch(async (error) => {
        if (!(error instanceof MadeMeanwhile)) throw error;
        ({ principal, target } = await reach());
        return pushes.receive(target, principal, channel);
      });
      for await (const piece of answer) await write(piece);
      return DONE;
    }
    if (service === "git-upload-archive" && !hasArchives) throw new Refused("Archives are switched off");
    const { folder } = await this.folderOf(target);
    const asked = { principal, version, body: input, signal };
    const answer = service === "git-upload-pack" ? fetches.converse(folder, asked) : fetches.archive(folder, asked);
    for await (const piece of answer) await write(piece);
    return DONE;
  }

  /** A wiki's git directory is created on first use (contract git-content.md 14.4). */
  private async folderOf(target: GitTarget): Promise<SeenFolder> {
    if ("folder" in target) return target;
    if ("begins" in target) return this.parts.pushes.begin(target);
    throw new NotFound("git.repository-missing");
  }

  private async lfs(
    request: CommandRequest,
    { operation, path }: Extract<Command, { kind: "lfs" }>,
    asked: Asked,
    { write }: CommandStreams,
  ): Promise<number> {
    const { lfs } = this.parts;
    if (!lfs.isEnabled) throw new Refused("LFS Server is not enabled");
    const service = operation === "upload" ? "git-receive-pack" : "git-upload-pack";
    const { target } = await this.reach(request, path, service, asked);
    if (!("folder" in target) || target.folder.kind !== "code") throw new NotFound("git.repository-missing");
    // Readers may push pull requests, but not files.
    if (asked.writes && !atLeast(target.seen.access.on("code"), "write")) throw new NotWritable();
    const { holder } = request;
    const grant = await lfs.authenticate(target.seen, operation, holder.kind === "deploy" ? holder.content : undefined);
    await write(Buffer.from(`${JSON.stringify(grant)}\n`));
    return DONE;
  }

  /** Follows former names silently. */
  private async reach(
    { holder, address }: CommandRequest,
    path: RepoPath,
    service: GitService,
    asked: Asked,
  ): Promise<Reached> {
    let { owner, name } = path;
    for (let hops = 0; hops < MAX_REDIRECTS; hops++) {
      const named = namedFolder(name);
      const principal = await this.principalFor(holder, address, { owner, name: named.name }, asked);
      try {
        const target = this.parts.gitAccess.target({
          owner,
          name: named.name,
          folder: named.folder,
          principal,
          user: principal.user,
          service: service === "git-receive-pack" ? service : "git-upload-pack",
          allowsNewFolder: true,
          redirect: (toOwner, toName) => `${toOwner}/${toName}${named.ending}`,
        });
        return { target, principal };
      } catch (error) {
        if (!(error instanceof Redirected)) throw error;
        [owner = "", name = ""] = error.location.split("/");
      }
    }
    throw new NotFound("git.repository-missing");
  }

  private async principalFor(holder: KeyHolder, address: string, path: RepoPath, asked: Asked): Promise<Principal> {
    const { holders, repos } = this.parts;
    if (holder.kind !== "deploy") {
      const principal = await holders.principalOf(holder, address, undefined);
      if (!principal) throw new NotFound("git.repository-missing");
      return principal;
    }
    const repo = this.repoAt(path);
    const principal = repo && (await holders.principalOf(holder, address, repo.id));
    if (principal) return principal;
    if (!repo || !repos.seeById(anonymous, repo.id)) throw new NotFound("git.repository-missing");
    throw new Refused(notAuthorized(asked).replace(/^Deploy Key/, "Public (Deploy) Key"));
  }

  /** The repository that a path names, regardless of permissions. */
  private repoAt({ owner, name }: RepoPath) {
    let [toOwner, toName] = [owner, name];
    for (let hops = 0; hops < MAX_REDIRECTS; hops++) {
      try {
        return this.parts.repos.see(operator, toOwner, toName, (newOwner, newName) => `${newOwner}/${newName}`).repo;
      } catch (error) {
        if (error instanceof NotFound) return undefined;
        if (!(error instanceof Redirected)) throw error;
        [toOwner = "", toName = ""] = error.location.split("/");
      }
    }
    return undefined;
  }
}

function* pieces(iterator: Iterator<Uint8Array>): Generator<Uint8Array, void> {
  for (let step = iterator.next(); !step.done; step = iterator.next()) yield step.value;
}
