import { makeDataFolder } from "../src/core.ts";
import { lockFolder } from "../src/db/folder-lock.ts";
import { makeLog } from "../src/kernel/log.ts";
import { startServer } from "../src/server.ts";
import { openHouse } from "../src/services.ts";
import { configOf } from "./arguments.ts";
import type { Command } from "./dispatch.ts";
import { say } from "./language.ts";
import { bufferedLines } from "./output.ts";

export const serveCommand: Command = {
  name: "serve",
  doc: "help-serve",
  options: [{ flags: "--listen <host:port>", doc: "help-listen" }],
  run: async (options) => {
    process.umask(0o077);
    const { config } = configOf(options);
    const lines = bufferedLines();
    const log = makeLog({ level: config["log.level"], format: config["log.format"], write: lines.write });
    const isNew = makeDataFolder(config.data);
    const lock = lockFolder(config.data);
    const house = openHouse(config, log);
    const { services } = house;
    const server = await startServer(house);
    if (isNew) console.log(say("createdFolder", { path: config.data }));
    const { rootUrl } = services.links;
    console.log(
      server.address === rootUrl
        ? say("listening", { address: server.address })
        : say("listeningFor", { address: server.address, url: rootUrl }),
    );
    if (!services.identity.hasAnyUser()) console.log(say("firstRun", { url: services.setup.href() }));
    process.on("unhandledRejection", (error) => log.error("a promise was rejected and no one listened", { error }));
    process.on("uncaughtException", (error) => log.error("an exception reached the top", { error }));
    await new Promise<void>((stop) => {
      process.once("SIGTERM", stop);
      process.once("SIGINT", stop);
    });
    log.info("stopping");
    await server.stop();
    lock.release();
    lines.flush();
    process.exit(0);
  },
};
