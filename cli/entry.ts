// Elysia reads this when its first module loads and prints internals without it, so it is set before anything else.
Bun.env["NODE_ENV"] ||= "production";
if (process.argv[2] === "git") {
  // Options of git are not of the kind that dispatch.ts reads, and nothing of the server is needed.
  const { processStreams, runGit } = await import("./git/main.ts");
  const { typedWords } = await import("./git/typed.ts");
  process.exitCode = await runGit(typedWords(process.argv.slice(3)), processStreams);
} else {
  const { main } = await import("./main.ts");
  await main(process.argv.slice(2));
}

export {};
