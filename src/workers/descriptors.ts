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
 * The files a thread has open, known outside of it. A worker may be ended in the middle of its work; nothing then
 * closes its files, so its owner does, by this table: a byte a descriptor, in shared memory.
 */

/** Descriptors from here on are not noted: more files than this are open in no sane process. */
const MAX_DESCRIPTORS = 65_536;

/** This thread's own table; none in a thread that no one ends. */
let noted: Uint8Array | undefined;

export function makeDescriptorTable(): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(MAX_DESCRIPTORS));
}

/** From now on this thread notes in `table` what it opens. */
export function noteDescriptorsIn(table: Uint8Array): void {
  noted = table;
}

/** A pipe that lies where a file belongs would else be waited for until someone writes to it (open(2), O_NONBLOCK). */
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

/** `openSync`, for code that may run in a worker. */
export function openFile(path: PathLike, flags: string, mode?: Mode): number {
  const fd = openSync(path, flags === "r" ? READ : flags, mode);
  if (noted) noted[fd] = 1;
  return fd;
}

/** `closeSync` for what `openFile` opened. */
export function closeFile(fd: number): void {
  // The note goes first: once it is closed, the number may be another thread's file.
  if (noted) noted[fd] = 0;
  closeSync(fd);
}

/** `readFileSync` that waits for no pipe: one has no content. */
export function readFile(path: PathLike): Buffer<ArrayBuffer> {
  const fd = openFile(path, "r");
  try {
    return readFileSync(fd);
  } finally {
    closeFile(fd);
  }
}

/** Closes what a thread left open, and takes away the lock files among it. Only when it has ended. */
export function closeLeftOpen(table: Uint8Array): void {
  for (let fd = table.indexOf(1); fd >= 0; fd = table.indexOf(1, fd + 1)) {
    removeLock(fd);
    closeSync(fd);
  }
}

/** A lock of git's is a file that its holder has open: whoever comes next would wait for a thread that is no more. */
function removeLock(fd: number): void {
  try {
    const path = readlinkSync(`/proc/self/fd/${fd}`);
    if (path.endsWith(".lock")) unlinkSync(path);
  } catch {
    // A file without a name any more, or a system that does not tell: such a lock is taken over when it is old.
  }
}
