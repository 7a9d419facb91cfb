import { makeDataFolder } from "../src/core.ts";
import { makeLog } from "../src/kernel/log.ts";
import { lockFolder, startServer } from "../src/server.ts";
import { openHouse } from "../src/services.ts";
import { configOf } from "./arguments.ts";
import type { Command } from "./dispatch.ts";
import { bufferedLines } from "./output.ts";

export const serveCommand: Command = {
  name: "serve",
  doc: "Run the server",
  options: [{ flags: "--listen <host:port>", doc: "Address and port to listen on" }],
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
    if (isNew) console.log(`Made the data folder ${config.data}`);
    console.log(
      `Hearth listens on ${server.address}${server.address === services.links.rootUrl ? "" : ` and is reached at ${services.links.rootUrl}`}`,
    );
    if (!services.identity.hasAnyUser())
      console.log(`First run: open ${services.setup.href()} to become the site's administrator.`);
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
