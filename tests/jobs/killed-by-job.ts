import { Database } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { JobQueue } from "../../src/jobs/queue.ts";
import { makeLog } from "../../src/kernel/log.ts";

declare module "../../src/jobs/types.ts" {
  interface JobPayloads {
    "test.deadly": { readonly kills: boolean };
  }
}

/** A process of its own: opens the database it is given and runs what waits there, until a job kills it as a power cut would. */
const db = new Database(process.argv[2] ?? "");
migrate(db);
const jobs = new JobQueue(db, makeLog({ level: "error", format: "text", write: () => {} }), () => Date.now());
jobs.handle("test.deadly", {
  parse: (payload) => ({ kills: JSON.stringify(payload).includes("true") }),
  maxTries: 3,
  run: async ({ kills }) => {
    if (kills) process.kill(process.pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, kills ? 10_000 : 0));
  },
});
jobs.start();
const waiting = () => db.query("SELECT 1 FROM jobs WHERE state IN ('waiting', 'running')").get() !== null;
while (waiting()) await new Promise((resolve) => setTimeout(resolve, 1));
await jobs.stop(1000);
db.close();
