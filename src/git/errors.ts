/** Problems with stored or received git data. Edges translate these into protocol or HTTP messages. */

export class GitError extends Error {
  override name = "GitError";
}

/** Stored bytes are not the object they should be. */
export class CorruptObject extends GitError {
  override name = "CorruptObject";
}

/** A repository's directory, or its `objects`, is not on the disk, so an object not found in it need not be missing. */
export class MissingRepository extends GitError {
  override name = "MissingRepository";
  constructor(readonly repoDir: string) {
    super(`the repository's folder is not there: ${repoDir}`);
  }
}

/** An object, or one of its delta bases, is larger than the caller is willing to hold in memory. */
export class ObjectTooLarge extends GitError {
  override name = "ObjectTooLarge";
  constructor(oid: string, sizeBytes: number) {
    super(`object ${oid} takes ${sizeBytes} bytes, more than may be read at once`);
  }
}

/**
 * Reading an object would block this thread for too long; a worker can read it. Not a `GitError`: nothing is wrong with
 * the repository.
 */
export class CostlyObject extends Error {
  override name = "CostlyObject";
  constructor(
    readonly repoDir: string,
    readonly oid: string,
  ) {
    super(`object ${oid} costs more to read than may be spent at once`);
  }
}

/** A patch exceeds the maximum size; the part already produced must not be taken for the whole. */
export class PatchTooLarge extends GitError {
  override name = "PatchTooLarge";
  constructor(message = "the patch is too large") {
    super(message);
  }
}

/** A client violated the protocol, a limit or a rule. The message is shown to it. */
export class ProtocolError extends GitError {
  override name = "ProtocolError";
}

/** A pack, or an object in it, was refused. `oid` names the object if known. */
export class BadPack extends GitError {
  override name = "BadPack";
  constructor(
    message: string,
    readonly oid?: string,
  ) {
    super(message);
  }
}

/**
 * An object in a pack fails fsck. `checkedLast`: it could only be recognized for what it is by a tree (`.gitmodules`).
 * `problems`: the message ids it was refused for.
 */
export class UnsoundObject extends BadPack {
  constructor(
    message: string,
    oid: string,
    readonly checkedLast: boolean,
    readonly problems: readonly string[],
  ) {
    super(message, oid);
  }
}
