import { Readable } from "node:stream";
import type { Job } from "../../../workers/options.ts";

/** A file sent through what packs or unpacks it, at the pace of whoever reads. */

export async function* throughStream(
  file: Blob,
  stream: NodeJS.ReadWriteStream & AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const source = Readable.from(file.stream());
  source.on("error", () => stream.end());
  source.pipe(stream);
  try {
    yield* stream;
  } finally {
    source.destroy();
  }
}

export async function* throughWorker(
  file: Blob,
  job: Job<"packages.packXz" | "packages.unpack">,
): AsyncGenerator<Uint8Array> {
  let isWanted = true;
  const send = async () => {
    for await (const chunk of file.stream()) {
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
