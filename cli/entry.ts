// Elysia reads this when its first module loads and prints internals without it, so it is set before anything else.
Bun.env["NODE_ENV"] ||= "production";
const { main } = await import("./main.ts");
await main(process.argv.slice(2));

export {};
