import { type Attack, commitFiles, type Target } from "../attack.ts";

/** How long somebody elsewhere waits for an ordinary text, in milliseconds. */
async function innocentRender({ ask, token }: Target): Promise<number> {
  const began = performance.now();
  const body = `# Title ${Math.random()}\n\n\`\`\`ts\nconst answer = 42;\n\`\`\`\n`;
  const answer = await ask("/api/v1/markdown/raw", { body, from: "198.51.100.20", token });
  if (answer.status !== 200 || !answer.text.includes("hljs"))
    throw new Error(`an ordinary text was answered ${answer.status}, or came without its colours`);
  return performance.now() - began;
}

/** Everything at once, and an innocent text beside it. */
async function beside(target: Target, flood: (() => Promise<unknown>)[]): Promise<void> {
  const calm = await innocentRender(target);
  const running = flood.map((send) => send());
  const waited = Math.max(await innocentRender(target), await innocentRender(target));
  await Promise.all(running);
  if (waited > calm * 5 + 2000) throw new Error(`another one's text waited ${Math.round(waited)} ms`);
}

const fence = (language: string, code: string) => `# x\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;

export const renderAttacks: readonly Attack[] = [
  {
    name: "READMEs with an 18 KB fence in a cubic grammar, asked for from one address",
    prepare: async (target) => {
      const files: Record<string, string> = {};
      for (let at = 0; at < 6; at++) files[`slow${at}/README.md`] = fence("markdown", `${at}${"*a ".repeat(6_000)}`);
      await commitFiles(target, files);
    },
    run: (target) =>
      beside(
        target,
        Array.from({ length: 6 }, (_, at) => () => target.ask(`${target.stranger.repo}/src/branch/main/slow${at}`)),
      ),
  },
  {
    name: "six texts of 1.2 MB that are nothing but footnotes",
    run: (target) =>
      beside(
        target,
        Array.from({ length: 6 }, (_, at) => () => {
          const body = Array.from({ length: 40_000 }, (_, note) => `[^${at}x${note}]: a [^${at}x${note}]`).join("\n\n");
          return target.ask("/api/v1/markdown/raw", { body, token: target.stranger.token });
        }),
      ),
  },
  {
    name: "texts of brackets, stars, quotes and links",
    run: (target) =>
      beside(
        target,
        ["[", "*a_", "> ", "![[](", "<a ", "`a", "[a](<b", "| a ", "- ", "http://a."].map(
          (piece) => () =>
            target.ask("/api/v1/markdown/raw", { body: piece.repeat(100_000), token: target.stranger.token }),
        ),
      ),
  },
];
