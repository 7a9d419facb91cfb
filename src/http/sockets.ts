import { closeSync, openSync, readdirSync } from "node:fs";

/**
 * The connections of this process as the operating system knows them. Bun tells nothing of a connection before its first
 * request, and has no way to refuse one; the C library has both.
 */

export interface Peer {
  readonly descriptor: number;
  readonly address: string;
}

export interface Sockets {
  /** The most descriptors this process may have. */
  readonly maxDescriptors: number;
  /** Who is connected to that port of ours, among the descriptors below `end`, in their order. */
  peers(port: number, end: number): Peer[];
  /** The lowest descriptor that is free: about how many are in use. undefined when none is. */
  lowestFree(): number | undefined;
  /** Ends a connection; Bun then closes it as if the other side had gone. */
  shutDown(descriptor: number): void;
}

const RLIMIT_NOFILE = 7;
const SHUT_RDWR = 2;
const STDERR = 2;
const AF_INET = 2;
const AF_INET6 = 10;
const ADDRESS_BYTES = 28;
const SHORTEST_NAME_BYTES = 16;

/** @returns undefined where the C library is not one we know: then no one counts connections */
export async function openSockets(): Promise<Sockets | undefined> {
  if (process.platform !== "linux") return undefined;
  const { dlopen, ptr } = await import("bun:ffi");
  const open = (library: string) =>
    dlopen(library, {
      getpeername: { args: ["i32", "ptr", "ptr"], returns: "i32" },
      getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
      shutdown: { args: ["i32", "i32"], returns: "i32" },
      dup: { args: ["i32"], returns: "i32" },
      close: { args: ["i32"], returns: "i32" },
      getrlimit: { args: ["i32", "ptr"], returns: "i32" },
      setrlimit: { args: ["i32", "ptr"], returns: "i32" },
    });
  let library: ReturnType<typeof open> | undefined;
  for (const name of ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`])
    try {
      library ??= open(name);
    } catch {
      // The other one, then.
    }
  if (!library) return undefined;
  const { getpeername, getsockname, shutdown, dup, close, getrlimit, setrlimit } = library.symbols;

  // The soft limit is for programs that use select; raised, it is the hard one.
  const limit = new BigUint64Array(new ArrayBuffer(16));
  getrlimit(RLIMIT_NOFILE, ptr(limit));
  if (limit[0] !== limit[1]) {
    const raised = new BigUint64Array([limit[1]!, limit[1]!]);
    if (setrlimit(RLIMIT_NOFILE, ptr(raised)) === 0) limit[0] = limit[1]!;
  }

  // Of an ArrayBuffer each: the bytes of a small array alone move when it is first cut.
  const name = new Uint8Array(new ArrayBuffer(ADDRESS_BYTES));
  const length = new Uint32Array(new ArrayBuffer(4));
  const [namePointer, lengthPointer] = [ptr(name), ptr(length)];
  const nameBy = (ask: typeof getpeername, descriptor: number): boolean => {
    length[0] = ADDRESS_BYTES;
    // A name without an address is that of a pipe between processes.
    return ask(descriptor, namePointer, lengthPointer) === 0 && length[0]! >= SHORTEST_NAME_BYTES;
  };
  return {
    maxDescriptors: Number(limit[0]),
    peers(port, end) {
      const found: Peer[] = [];
      for (const descriptor of openDescriptors(end)) {
        if (!nameBy(getsockname, descriptor) || ((name[2]! << 8) | name[3]!) !== port) continue;
        if (nameBy(getpeername, descriptor)) found.push({ descriptor, address: addressIn(name) });
      }
      return found;
    },
    lowestFree() {
      const descriptor = dup(STDERR);
      if (descriptor < 0) return undefined;
      close(descriptor);
      return descriptor;
    },
    shutDown: (descriptor) => void shutdown(descriptor, SHUT_RDWR),
  };
}

/** Those of files and pipes, too: asking thousands that are not open would cost a hundredth of a core. */
function openDescriptors(end: number): number[] {
  let names: string[];
  try {
    names = readdirSync("/proc/self/fd");
  } catch {
    // No /proc here: whichever might be open.
    return Array.from({ length: end }, (_, descriptor) => descriptor);
  }
  return names.map(Number).filter((descriptor) => descriptor < end);
}

/** The address of a `sockaddr_in` or `sockaddr_in6`; empty for others. */
function addressIn(name: Uint8Array): string {
  const family = name[0]! | (name[1]! << 8);
  if (family === AF_INET) return name.subarray(4, 8).join(".");
  if (family !== AF_INET6) return "";
  const groups: string[] = [];
  for (let at = 8; at < 24; at += 2) groups.push(((name[at]! << 8) | name[at + 1]!).toString(16));
  const mapped = groups.slice(0, 6).join(":") === "0:0:0:0:0:ffff";
  return mapped ? name.subarray(20, 24).join(".") : groups.join(":");
}

/** Whether so many more files could be opened now. */
export function hasDescriptors(count: number): boolean {
  const opened: number[] = [];
  try {
    for (let number = 0; number < count; number++) opened.push(openSync("/dev/null", "r"));
    return true;
  } catch {
    return false;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
