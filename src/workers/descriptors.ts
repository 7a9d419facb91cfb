import {
  closeSync,
  constants,
  type Mode,
  openSync,
  type PathLike,
  readFileSync,
  readlinkSync,
  unlinkSync,
} from "node:fs";

/**
 * Records a thread's open files where other threads can see them. A worker may be terminated in the middle of its work;
 * nothing closes its files then, so its owner does, using this table: one byte per descriptor, in shared memory.
 */

/** Descriptors from here on are not recorded: no sane process has more files open than this. */
const MAX_DESCRIPTORS = 65_536;

/** This thread's own table; undefined in a thread that is never terminated. */
let noted: Uint8Array | undefined;

export function makeDescriptorTable(): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(MAX_DESCRIPTORS));
}

/** From now on this thread records in `table` which files it opens. */
export function noteDescriptorsIn(table: Uint8Array): void {
  noted = table;
}

/** Without O_NONBLOCK, opening a pipe in a file's place would block until someone writes to it (open(2)). */
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

/** `openSync`, for code that may run in a worker. */
export function openFile(path: PathLike, flags: string, mode?: Mode): number {
  const fd = openSync(path, flags === "r" ? READ : flags, mode);
  if (noted) noted[fd] = 1;
  return fd;
}

/** `closeSync` for what `openFile` opened. */
export function closeFile(fd: number): void {
  // Clear the entry first: once closed, the number may belong to another thread's file.
  if (noted) noted[fd] = 0;
  closeSync(fd);
}

/** `readFileSync` that does not wait for pipes: they read as empty. */
export function readFile(path: PathLike): Buffer<ArrayBuffer> {
  const fd = openFile(path, "r");
  try {
    return readFileSync(fd);
  } finally {
    closeFile(fd);
  }
}

/** Closes the files that a thread left open, and removes the lock files among them. Only after the thread has ended. */
export function closeLeftOpen(table: Uint8Array): void {
  for (let fd = table.indexOf(1); fd >= 0; fd = table.indexOf(1, fd + 1)) {
    removeLock(fd);
    closeSync(fd);
  }
}

/**
 * A lock of git's is a file that its holder has open: the next process would wait for a thread that no longer exists.
 */
function removeLock(fd: number): void {
  try {
    const path = readlinkSync(`/proc/self/fd/${fd}`);
    if (path.endsWith(".lock")) unlinkSync(path);
  } catch {
    // The file has no name any more, or the system does not reveal it: such a lock is broken once it is old.
  }
}
