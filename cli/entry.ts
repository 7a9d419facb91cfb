// Elysia reads this when its first module loads, and without it prints internals; so set it before anything else.
Bun.env["NODE_ENV"] ||= "production";
if (process.argv[2] === "git") {
  // git's options cannot be parsed by dispatch.ts, and the server is not needed.
  const { processStreams, runGit } = await import("./git/main.ts");
  const { typedWords } = await import("./git/typed.ts");
  process.exitCode = await runGit(typedWords(process.argv.slice(3)), processStreams);
} else {
  const { main } = await import("./main.ts");
  await main(process.argv.slice(2));
}

export {};
