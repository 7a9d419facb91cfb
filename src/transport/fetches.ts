import type { Principal } from "../access/principal.ts";
import { CorruptObject } from "../git/errors.ts";
import { SHA1 } from "../git/objects/format.ts";
import { BRANCHES, refNameOf } from "../git/refs/names.ts";
import { advertise, type RefSource } from "../git/transport/advertise.ts";
import type { ProtocolVersion, Service } from "../git/transport/protocol.ts";
import { RefSnapshot } from "../git/transport/ref-snapshot.ts";
import { uploadPackConversation } from "../git/transport/upload/conversation.ts";
import { MAX_FETCH_BYTES, uploadPack } from "../git/transport/upload/upload-pack.ts";
import type { Log } from "../kernel/log.ts";
import type { GitFolder } from "../repos/folders/types.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { WorkerPool } from "../workers/pool.ts";
import type { GitTarget } from "./access.ts";

/** A client's request, and how to read it. */
interface FetchRequest {
  readonly principal: Principal;
  readonly version: ProtocolVersion;
  readonly body: AsyncIterable<Uint8Array>;
  /** Fires when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Advertises refs and sends packs and archives, for directories that GitAccess admitted someone to. */
export class FetchService {
  constructor(
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
    private readonly defaultBranch: string,
    private readonly log: Log,
  ) {}

  /** The refs of a directory that a client may see. */
  sourceOf(folder: GitFolder): RefSource {
    return {
      snapshot: () => this.refs.visible(folder.id),
      head: () => refNameOf(this.refs.headOf(folder)),
    };
  }

  /** The start of a conversation: refs and capabilities. @throws MissingRepository */
  advertise(target: GitTarget, service: Service, version: ProtocolVersion, http: boolean): Iterator<Uint8Array> {
    const folder = "folder" in target ? target.folder : undefined;
    // Refs are in the database: without the directory they would promise what cannot be fetched.
    if (folder) this.storage.requireThere(folder.id);
    const refs: RefSource = folder
      ? this.sourceOf(folder)
      : { snapshot: () => RefSnapshot.of([]), head: () => BRANCHES + this.defaultBranch };
    // A repository created by a push has the default format, a wiki that of its repository.
    const format = folder?.objectFormat ?? ("seen" in target ? target.seen.repo.objectFormat : SHA1);
    return advertise({ service, version, refs, format, http });
  }

  /** Answers a single stateless request. @throws BodyTooLarge */
  answer(folder: GitFolder, { body, ...request }: FetchRequest): Promise<ReadableStream<Uint8Array>> {
    return uploadPack({ ...this.optionsOf(folder, request), body, maxBodyBytes: MAX_FETCH_BYTES });
  }

  /** Answers all requests of a connection. @throws what reading it throws */
  converse(folder: GitFolder, { body, ...request }: FetchRequest): AsyncGenerator<Uint8Array, void> {
    return uploadPackConversation({ ...this.optionsOf(folder, request), input: body });
  }

  /** Answers `git archive --remote`. @throws what reading it throws */
  async *archive(folder: GitFolder, { body, ...request }: FetchRequest): AsyncGenerator<Uint8Array, void> {
    const { uploadArchive } = await import("../git/transport/archive/upload-archive.ts");
    yield* uploadArchive({ ...this.optionsOf(folder, request), input: body });
  }

  private optionsOf(folder: GitFolder, { principal, version, signal }: Omit<FetchRequest, "body">) {
    return {
      repoDir: this.storage.dirOf(folder.id),
      version,
      format: folder.objectFormat,
      refs: this.sourceOf(folder),
      pool: this.pool,
      ...(principal.user ? { share: `account:${principal.user.id}` } : {}),
      signal,
      onError: (error: unknown) => {
        if (error instanceof CorruptObject)
          this.log.error("a fetch met something missing or damaged", { folder: folder.id, error });
      },
    };
  }
}
