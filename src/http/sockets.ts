import { closeSync, openSync, readdirSync } from "node:fs";

/**
 * The connections of this process as the operating system sees them. Bun reports nothing about a connection before its
 * first request and cannot refuse one; the C library can do both.
 */

export interface Peer {
  readonly descriptor: number;
  readonly address: string;
}

export interface Sockets {
  /** The maximum number of descriptors of this process. */
  readonly maxDescriptors: number;
  /** The peers connected to that port of ours, among the descriptors below `end`, in order. */
  peers(port: number, end: number): Peer[];
  /** The lowest free descriptor, roughly the number in use; undefined if none is free. */
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

/** @returns undefined if the C library is not one we know: connections are then not counted */
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
      // Try the other one.
    }
  if (!library) return undefined;
  const { getpeername, getsockname, shutdown, dup, close, getrlimit, setrlimit } = library.symbols;

  // The soft limit exists for programs that use select; raise it to the hard limit.
  const limit = new BigUint64Array(new ArrayBuffer(16));
  getrlimit(RLIMIT_NOFILE, ptr(limit));
  if (limit[0] !== limit[1]) {
    const raised = new BigUint64Array([limit[1]!, limit[1]!]);
    if (setrlimit(RLIMIT_NOFILE, ptr(raised)) === 0) limit[0] = limit[1]!;
  }

  // Each needs its own ArrayBuffer: the bytes of a bare small array move when it is first sliced.
  const name = new Uint8Array(new ArrayBuffer(ADDRESS_BYTES));
  const length = new Uint32Array(new ArrayBuffer(4));
  const [namePointer, lengthPointer] = [ptr(name), ptr(length)];
  const nameBy = (ask: typeof getpeername, descriptor: number): boolean => {
    length[0] = ADDRESS_BYTES;
    // A name without an address belongs to a pipe between processes.
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

/** Includes files and pipes: probing thousands of closed descriptors would cost a hundredth of a core. */
function openDescriptors(end: number): number[] {
  let names: string[];
  try {
    names = readdirSync("/proc/self/fd");
  } catch {
    // No /proc here: any of them might be open.
    return Array.from({ length: end }, (_, descriptor) => descriptor);
  }
  return names.map(Number).filter((descriptor) => descriptor < end);
}

/** The address in a `sockaddr_in` or `sockaddr_in6`; empty for others. */
function addressIn(name: Uint8Array): string {
  const family = name[0]! | (name[1]! << 8);
  if (family === AF_INET) return name.subarray(4, 8).join(".");
  if (family !== AF_INET6) return "";
  const groups: string[] = [];
  for (let at = 8; at < 24; at += 2) groups.push(((name[at]! << 8) | name[at + 1]!).toString(16));
  const mapped = groups.slice(0, 6).join(":") === "0:0:0:0:0:ffff";
  return mapped ? name.subarray(20, 24).join(".") : groups.join(":");
}

/** Whether that many more files could be opened now. */
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
