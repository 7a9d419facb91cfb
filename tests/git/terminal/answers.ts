import { runGit } from "../../../cli/git/main.ts";
import { git } from "../objects/real-git.ts";

/** What a git command printed and how it ended. Bytes as latin1 text, so that nothing is lost and failures can be read. */
export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

/** Runs `hearth git -C folder …words` in this process. */
export async function hearthGit(
  folder: string,
  words: readonly string[],
  stdin: string | Uint8Array = "",
): Promise<Answer> {
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  const status = await runGit(["-C", folder, ...words], {
    async *stdin() {
      yield typeof stdin === "string" ? Buffer.from(stdin) : stdin;
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
export function realGit(folder: string, words: readonly string[], stdin: string | Uint8Array = ""): Answer {
  const { stdout, stderr, code } = git(["-C", folder, ...words], {
    input: stdin,
    mayFail: true,
    env: { LC_ALL: "C", TZ: "UTC" },
  });
  return { stdout: stdout.toString("latin1"), stderr, status: code };
}

function latin1(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString("latin1");
}
