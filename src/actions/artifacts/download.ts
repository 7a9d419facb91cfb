import { streamOf } from "../../http/body.ts";
import { disposition } from "../../http/file-answer.ts";
import type { Call } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { artifactAnswer } from "./newer-routes.ts";
import type { Artifact } from "./types.ts";

/** An artifact as users download it: its single file, or a zip of the files that an older client sent. */
export function artifactDownload(
  services: Pick<Services, "artifacts">,
  call: Call,
  name: string,
  files: readonly Artifact[],
): Response {
  const [first] = files;
  if (first?.path === "") return artifactAnswer(services, call, first);
  return new Response(zipOf(services, files), {
    headers: {
      "content-type": "application/zip",
      "content-disposition": disposition(`${name}.zip`, "attachment"),
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
    },
  });
}

function zipOf({ artifacts }: Pick<Services, "artifacts">, files: readonly Artifact[]): ReadableStream<Uint8Array> {
  const opened = files.map((artifact) => {
    const { file } = artifacts.open(artifact);
    const isPacked = artifact.encoding === "gzip";
    const pieces = () => (isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream());
    return { path: Buffer.from(artifact.path, "utf8").toString("latin1"), pieces };
  });
  const made = files.reduce((newest, { createdAt }) => Math.max(newest, createdAt), 0);
  async function* pieces() {
    const { zipOfStreams } = await import("../../git/archive/zip.ts");
    yield* zipOfStreams(opened, Math.floor(made / 1000));
  }
  return streamOf(pieces());
}
