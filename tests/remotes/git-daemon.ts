import { freePort } from "../free-port.ts";
import { gitEnvironment } from "../git/objects/real-git.ts";

/** Git's own `git daemon` over a folder of repositories, which it serves and lets anyone push to. */
export async function startGitDaemon(root: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const port = await freePort();
  const child = Bun.spawn(
    [
      "git",
      "daemon",
      `--base-path=${root}`,
      "--export-all",
      "--enable=receive-pack",
      "--listen=127.0.0.1",
      `--port=${port}`,
      "--reuseaddr",
      "--verbose",
      "--log-destination=stderr",
    ],
    {
      env: {
        PATH: process.env["PATH"] ?? "",
        ...gitEnvironment,
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "safe.directory",
        GIT_CONFIG_VALUE_0: "*",
      },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    },
  );
  const lines = child.stderr.getReader();
  let said = "";
  while (!said.includes("Ready to rumble")) {
    const { done, value } = await lines.read();
    if (done) throw new Error(`git daemon: ${said}`);
    said += Buffer.from(value).toString();
  }
  lines.releaseLock();
  return {
    url: `git://127.0.0.1:${port}/`,
    close: async () => {
      child.kill();
      await child.exited;
    },
  };
}
