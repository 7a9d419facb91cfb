/** A server that hosts repositories over HTTP for tests and measurements: Hearth as a process, or git's own server. */
export interface GitHost {
  readonly name: "hearth" | "git";
  /** A repository that is there, or that the first push makes. */
  repo(name: string): HostedRepo;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface HostedRepo {
  /** With credentials that may do everything, so that git asks no one. */
  readonly url: string;
  /** The bare repository on disk. @throws when no push has made it yet */
  storedDir(): string;
}
