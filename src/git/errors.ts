/** What can be wrong with stored or received git data. Edges turn these into protocol or HTTP words. */

export class GitError extends Error {
  override name = "GitError";
}

/** Stored bytes are not the object they should be. */
export class CorruptObject extends GitError {
  override name = "CorruptObject";
}

/** The folder of a repository, or its `objects`, is not on the disk: what is not found in it is not known to be missing. */
export class MissingRepository extends GitError {
  override name = "MissingRepository";
  constructor(readonly repoDir: string) {
    super(`the repository's folder is not there: ${repoDir}`);
  }
}

/** An object, or one that it is a delta of, is larger than the caller is willing to hold in memory. */
export class ObjectTooLarge extends GitError {
  override name = "ObjectTooLarge";
  constructor(oid: string, sizeBytes: number) {
    super(`object ${oid} takes ${sizeBytes} bytes, more than may be read at once`);
  }
}

/**
 * Reading an object would hold this thread up for longer than anything may; a worker can read it. Not one of the
 * `GitError` family: nothing is wrong with the repository.
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

/** A patch would be longer than anyone asks for; what was made of it is not to be taken for the whole. */
export class PatchTooLarge extends GitError {
  override name = "PatchTooLarge";
  constructor(message = "the patch is too large") {
    super(message);
  }
}

/** A client sent something that breaks the protocol, a limit or a rule. The message is shown to it. */
export class ProtocolError extends GitError {
  override name = "ProtocolError";
}

/** A pack, or an object in it, was refused. `oid` names the object where one is known. */
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
 * An object of a pack is not what fsck wants. `checkedLast`: what only a tree reveals it to be (`.gitmodules`).
 * `problems`: ids of all it is refused for.
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
