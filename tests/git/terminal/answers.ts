import { runGit } from "../../../cli/git/main.ts";
import { git, gitEnvironment } from "../objects/real-git.ts";

/** What a git command printed and how it ended. Bytes as latin1 text, so that nothing is lost and failures can be read. */
export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

export interface Given {
  readonly stdin?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const ENVIRONMENT = { LC_ALL: "C", TZ: "UTC" };

/** Runs `hearth git -C folder …words` in this process. */
export async function hearthGit(folder: string, words: readonly string[], given: Given = {}): Promise<Answer> {
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  const status = await runGit(["-C", folder, ...words], {
    environment: { ...gitEnvironment, ...ENVIRONMENT, ...given.environment },
    async *stdin() {
      yield Buffer.from(given.stdin ?? "");
    },
    stdout: (bytes) => {
      out.push(bytes);
    },
    stderr: (bytes) => {
      err.push(bytes);
    },
  });
  return { stdout: latin1(out), stderr: latin1(err), status };
}

/** Runs real git on the same, with an empty configuration. */
export function realGit(folder: string, words: readonly string[], given: Given = {}): Answer {
  const { stdout, stderr, code } = git(["-C", folder, ...words], {
    input: given.stdin ?? "",
    mayFail: true,
    env: { ...ENVIRONMENT, ...given.environment },
  });
  return { stdout: stdout.toString("latin1"), stderr, status: code };
}

function latin1(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString("latin1");
}
