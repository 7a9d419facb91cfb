import { join } from "node:path";

const root = join(import.meta.dir, "../..");

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the terminal's program from its sources, as a person would. */
export async function hearth(
  dataDir: string,
  words: readonly string[],
  input = "",
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const child = Bun.spawn([process.execPath, "cli/entry.ts", ...words, "--data", dataDir], {
    cwd: root,
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...environment },
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}
