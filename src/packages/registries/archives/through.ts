import { pipeline, Readable } from "node:stream";
import type { JobName } from "../../../workers/jobs.ts";
import type { Job } from "../../../workers/options.ts";

/** Bytes sent through what packs or unpacks them, at the pace of whoever reads. */

export async function* throughStream(
  source: AsyncIterable<Uint8Array>,
  stream: NodeJS.ReadWriteStream & AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  // Whoever reads the one hears of errors of the other.
  pipeline(Readable.from(source), stream, () => {});
  yield* stream;
}

/** @param job answers while it is sent to, or after that */
export async function* throughWorker<K extends JobName>(
  source: AsyncIterable<Uint8Array>,
  job: Job<K>,
): AsyncGenerator<Uint8Array> {
  let isWanted = true;
  const send = async () => {
    for await (const chunk of source) {
      if (!isWanted) return;
      await job.send(chunk);
    }
    job.end();
  };
  const sending = send();
  sending.catch(() => job.abort());
  job.result.catch(() => {});
  try {
    yield* job.output;
    await Promise.all([sending, job.result]);
  } finally {
    isWanted = false;
    job.abort();
  }
}
