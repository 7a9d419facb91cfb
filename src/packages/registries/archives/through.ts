import { pipeline, Readable } from "node:stream";
import type { JobName } from "../../../workers/jobs.ts";
import type { Job } from "../../../workers/options.ts";

/** Pipes bytes through a compressor or decompressor, at the reader's pace. */

export async function* throughStream(
  source: AsyncIterable<Uint8Array>,
  stream: NodeJS.ReadWriteStream & AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  // Errors of the source reach the reader through the stream.
  pipeline(Readable.from(source), stream, () => {});
  yield* stream;
}

/** @param job emits its results while it is being sent data, or afterwards */
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
